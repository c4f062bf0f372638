"""`/learn`: the path of lessons, each on the board with one dot to find; the rules judge the answers."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import discord

from bot.features.coach.past_mistakes import MyMistakes
from bot.interactions import custom_ids as ids
from bot.interactions.components import Component
from bot.interactions.context import Context
from bot.interactions.layout import Control, Part, Section, button, drawing_file, occupied_pad, rows
from opponent.review import captured_dots, play_line
from play.community.exercise import Kind
from play.community.lesson import PUZZLES, Lesson, LessonState
from play.community.path import LESSONS, PATH
from play.community.solving import Solved, Solving, Verdict, Wrong
from play.refusal import Reason, Refused
from presentation import advice
from presentation.match.crops import Crop, Drawing, centre, crossings, draw_zone
from presentation.match.phrases import emblem
from presentation.quiz import lost_by_stop
from presentation.words.words import Words
from rules.dots import Call, DotsPosition
from rules.game import Picture, Point, RuleError, Seat, Zone, point_name

KEYS: Final = tuple(LESSONS)

PRIMARY: Final = discord.ButtonStyle.primary

BASICS: Final = 3
"""Lessons after which a newcomer can play."""


class OldLessonButton(Component, id=ids.LESSON):
    """Opens one of the first lessons, or tries a dot in it: `lesson:0:D3`. Messages of former versions have it."""

    task: int
    point: str

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await show_lesson(ctx, KEYS[self.task], self.point)


class LessonButton(Component, id=ids.LEARN):
    """Opens a lesson, or tries a dot or STOP in it: `learn:capture:D3`."""

    lesson: str
    point: str

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await show_lesson(ctx, self.lesson, self.point)


class PathButton(Component, id=ids.PATH):
    """Shows a chapter of the path; 0 is where the user is."""

    chapter: int

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await (show_path(ctx, self.chapter) if self.chapter else show_start(ctx))


BUTTONS: tuple[type[Component], ...] = (OldLessonButton, LessonButton, PathButton)


async def show_start(ctx: Context) -> None:
    """Shows the first lesson to a newcomer, and the path to all others. The interaction is acknowledged."""
    if await ctx.services.coach.lessons.progress(ctx.user):
        await show_path(ctx)
    else:
        await show_lesson(ctx, KEYS[0])


class Learner(NamedTuple):
    """A user on the path: their progress, the words and the look of their panels."""

    states: Mapping[str, LessonState]
    words: Words
    theme: str
    has_computer: bool
    has_puzzle: bool = False

    @classmethod
    async def of(cls, ctx: Context) -> Learner:
        """Returns the user of an interaction."""
        states, theme = await ctx.services.coach.lessons.progress(ctx.user), (await ctx.settings()).theme
        return cls(states, await ctx.words(), theme, ctx.services.coach.has_computer)

    def has_done(self, key: str) -> bool:
        """Returns whether the user has found the dot of a lesson."""
        state = self.states.get(key)
        return state is not None and state.done is not None

    def puzzles_of(self, key: str) -> str:
        """Returns how many puzzles the user has played after a lesson, as its line says it."""
        played = self.states[key].puzzles if key in self.states else 0
        return f" · 🧩 {min(played, PUZZLES)}/{PUZZLES}" if played else ""

    def next_after(self, key: str = "") -> str | None:
        """Returns the next lesson that the user has not done, from the one after `key` on and then from the first."""
        start = KEYS.index(key) + 1 if key else 0
        return next((each for each in (*KEYS[start:], *KEYS[:start]) if not self.has_done(each)), None)


async def show_lesson(ctx: Context, key: str, point: str = "") -> None:
    """Shows a lesson, or the result of a dot in it. The interaction is acknowledged. Raises Refused."""
    lesson = LESSONS.get(key)
    if lesson is None:
        raise Refused(Reason.OLD_BUTTON)
    try:
        verdict = await asyncio.to_thread(Solving.begin(lesson.exercise).try_move, point) if point else None
    except RuleError:  # no such button is shown
        verdict = None
    if isinstance(verdict, Solved):
        await ctx.services.coach.lessons.note_found(ctx.user, key, ctx.at)
    has_puzzle = verdict is not None and await ctx.services.coach.lessons.has_puzzle(ctx.user, key, ctx.at)
    learner = (await Learner.of(ctx))._replace(has_puzzle=has_puzzle)
    await ctx.show(await asyncio.to_thread(lambda: [*_parts(lesson, verdict, learner)]))


def _parts(lesson: Lesson, verdict: Verdict | None, learner: Learner) -> Iterator[Part]:
    if isinstance(verdict, Solved):
        return _solved_parts(lesson, verdict.line, learner)
    return _wrong_parts(lesson, verdict.line, learner) if isinstance(verdict, Wrong) else _task_parts(lesson, learner)


def _task_parts(lesson: Lesson, learner: Learner) -> Iterator[Part]:
    words, solving = learner.words, Solving.begin(lesson.exercise)
    position = solving.position
    assert isinstance(position, DotsPosition), "lessons are of Dots"
    free = {move.dot for move in position.moves()}
    crop = Crop(replace(position.picture(), zone=None), {}, centre(lesson.zone), learner.theme)
    points = crossings(crop.zone)
    numbers = {point: place for place, point in enumerate(points, start=1) if point in free}
    yield drawing_file(crop.draw(words, numbers), f"kropka-lesson-{lesson.key}")
    yield f"{_head(lesson, words)}\n{_text(lesson, 'task', learner)}"
    signs = crop.signs()
    pads: list[Control] = [
        LessonButton.make(str(place), lesson=lesson.key, point=point_name(point))
        if point in free
        else occupied_pad(place, signs.get(point))
        for place, point in enumerate(points, start=1)
    ]
    yield from rows(pads)
    stop = [LessonButton.make(words("button.stop"), lesson=lesson.key, point=Call.STOP)] if solving.has_stop else []
    yield [*stop, _path_button(lesson, words)]


def _wrong_parts(lesson: Lesson, line: Sequence[str], learner: Learner) -> Iterator[Part]:
    """Yields the turn that was tried, with the opponent's answer to it if there is one."""
    words = learner.words
    picture = advice.line_picture(lesson.game, lesson.exercise.position, line)
    yield drawing_file(_draw(picture, words, learner.theme), f"kropka-lesson-{lesson.key}-{line[0]}")
    yield "\n".join((_head(lesson, words), *_wrong_lines(lesson, line, words)))
    again = LessonButton.make(words("button.try_again"), PRIMARY, lesson=lesson.key)
    yield [again, _path_button(lesson, words)]


def _wrong_lines(lesson: Lesson, line: Sequence[str], words: Words) -> Iterator[str]:
    """Yields what a wrong turn leads to."""
    judged = Solving.begin(lesson.exercise)
    if line[0] == Call.STOP:
        yield words("lesson.stopped", count=lost_by_stop(judged))
    elif len(line) == 1:
        yield words("lesson.captured", point=line[0])
    else:
        yield words("lesson.wrong", point=line[0], reply=line[1])
        if captured := captured_dots(lesson.game, play_line(lesson.game, judged.position, line[:1]), line[1:]):
            yield words("lesson.loses", count=len(captured))
        elif lesson.kind == Kind.ENDING:
            yield words("lesson.no_room")
        elif judged.has_stop:
            yield words("lesson.cut_off")


def _solved_parts(lesson: Lesson, line: Sequence[str], learner: Learner) -> Iterator[Part]:
    words = learner.words
    picture = advice.line_picture(lesson.game, lesson.exercise.position, line)
    yield drawing_file(_draw(picture, words, learner.theme), f"kropka-lesson-{lesson.key}-solved")
    following = learner.next_after(lesson.key)
    at_basics = KEYS.index(lesson.key) == BASICS - 1
    ends = words("lesson.end") if at_basics else "" if following else words("path.end")
    yield "\n".join(filter(None, (_head(lesson, words), _text(lesson, "solved", learner), ends)))
    ways: list[Control] = []
    if following:
        ways.append(LessonButton.make(words("lesson.next"), PRIMARY, lesson=following))
    if at_basics and learner.has_computer:
        ways.append(button(ids.NEWCOMER(), words("lesson.play"), PRIMARY))
    if learner.has_puzzle:
        ways.append(button(ids.DRILL(lesson=lesson.key), words("drill.button"), emoji="🧩"))
    yield [*ways, _path_button(lesson, words)]


def _head(lesson: Lesson, words: Words) -> str:
    head = words("lesson.head", number=KEYS.index(lesson.key) + 1, total=len(KEYS))
    return f"### {head} · {words(f'lesson.title.{lesson.key}')}"


def _text(lesson: Lesson, part: str, learner: Learner) -> str:
    own, other = (emblem(learner.theme, Seat(seat)) for seat in (0, 1))
    return learner.words(f"lesson.{part}.{lesson.key}", own=own, other=other)


def _draw(picture: Picture, words: Words, theme: str) -> Drawing:
    whole = Zone(Point(0, 0), Point(picture.width - 1, picture.height - 1))
    return draw_zone(replace(picture, zone=None), whole, words, theme)


def _path_button(lesson: Lesson, words: Words) -> Control:
    chapter = next(place for place, each in enumerate(PATH, start=1) if lesson in each.lessons)
    return PathButton.make(words("path.button"), chapter=chapter)


async def show_path(ctx: Context, chapter: int = 0) -> None:
    """Shows a chapter of the path, with what the user has done. The interaction is acknowledged."""
    learner, words = await Learner.of(ctx), await ctx.words()
    following = learner.next_after()
    if not 1 <= chapter <= len(PATH):
        chapter = next((place for place, each in enumerate(PATH, 1) if following in [*_keys(each.lessons)]), 1)
    due = await ctx.services.coach.past_mistakes.count_due(ctx.user, ctx.at)
    await ctx.show([*_path_parts(learner, chapter, following, due, words)])


def _path_parts(learner: Learner, chapter: int, following: str | None, due: int, words: Words) -> Iterator[Part]:
    shown = PATH[chapter - 1]
    done = sum(map(learner.has_done, KEYS))
    title = words("path.title", done=done, total=len(KEYS))
    yield f"### {title}\n**{chapter}/{len(PATH)} · {words(f'path.chapter.{shown.key}')}**"
    for key in _keys(shown.lessons):
        mark = "✅" if learner.has_done(key) else "▶️" if key == following else "▫️"
        label = "path.repeat" if learner.has_done(key) else "path.continue" if key == following else "path.lesson"
        open_lesson = LessonButton.make(words(label), PRIMARY if key == following else None, lesson=key)
        yield Section(f"{mark} {words(f'lesson.title.{key}')}{learner.puzzles_of(key)}", open_lesson)
    ways: list[Control] = []
    if following and following not in _keys(shown.lessons):  # custom ids are unique in a message
        ways.append(LessonButton.make(words("path.continue"), PRIMARY, lesson=following))
    label = words("mistakes.button.due", number=due) if due else words("mistakes.button")
    yield [_turn("◀", chapter - 1), _turn("▶", chapter + 1), *ways, MyMistakes.make(label)]


def _turn(label: str, chapter: int) -> Control:
    """Returns the button to a chapter; after the last one comes the first."""
    return PathButton.make(label, chapter=(chapter - 1) % len(PATH) + 1)


def _keys(lessons: Sequence[Lesson]) -> Iterator[str]:
    return (lesson.key for lesson in lessons)
