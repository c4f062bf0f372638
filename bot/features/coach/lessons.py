"""`/learn`: the path of lessons, and the puzzles that follow each of them."""

from collections.abc import Iterator

import discord

from bot.features.coach.past_mistakes import MyMistakes
from bot.features.coach.quiz import QuizPanel, controls, form, learner
from bot.features.coach.server_lessons import server_lessons_button
from bot.interactions import custom_ids as ids
from bot.interactions.commands import declare
from bot.interactions.components import Component
from bot.interactions.context import Context
from bot.interactions.layout import Control, Part, Section
from play.community.lesson import LESSONS, PATH, PathProgress, chapter_of
from presentation.quiz import chapter_title, lesson_lines, path_title
from presentation.words.words import Words
from use_cases.practice import Drill
from use_cases.quizzes import LessonQuiz

PRIMARY = discord.ButtonStyle.primary


class LessonPanel(QuizPanel[LessonQuiz]):
    """A lesson."""

    kind = LessonQuiz
    board_ids = ids.LESSON_MOVES


class DrillPanel(QuizPanel[Drill]):
    """A puzzle after a lesson."""

    kind = Drill
    board_ids = ids.DRILL_MOVES


class OldLessonButton(Component, id=ids.LESSON):
    """Opens one of the first lessons, or tries a dot in it: `lesson:0:D3`. Messages of former versions have it."""

    task: int
    point: str

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await _show_lesson(ctx, [*LESSONS][self.task], self.point)


class LessonButton(Component, id=ids.LEARN):
    """Opens a lesson; messages of former versions also try a dot in it: `learn:capture:D3`."""

    lesson: str
    point: str

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await _show_lesson(ctx, self.lesson, self.point)


class PathButton(Component, id=ids.PATH):
    """Shows a chapter of the path; 0 is where the user is."""

    chapter: int

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await (_show_path(ctx, self.chapter) if self.chapter else learn(ctx))


class OpenDrill(Component, id=ids.DRILL):
    """Opens a puzzle that the player has not seen."""

    lesson: str

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await ctx.show(await DrillPanel(ctx, await Drill.open(learner(ctx), lesson=self.lesson)).show())


async def learn(ctx: Context) -> None:
    """Shows the first lesson to a newcomer, and the path to all others. The interaction is acknowledged."""
    if (await ctx.use_cases.lessons.progress(ctx.user)).states:
        await _show_path(ctx)
    else:
        await _show_lesson(ctx, next(iter(LESSONS)))


async def _show_lesson(ctx: Context, key: str, point: str = "") -> None:
    """Shows a lesson, or tries a dot in it. Raises Refused."""
    panel = await LessonPanel.load(ctx, lesson=key)
    await ctx.show(await (panel.play(point) if point else panel.show()))


async def _show_path(ctx: Context, chapter: int = 0) -> None:
    """Shows a chapter of the path, with what the user has done."""
    progress, words = await ctx.use_cases.lessons.progress(ctx.user), await ctx.words()
    if not 1 <= chapter <= len(PATH):
        following = progress.next_after()
        chapter = chapter_of(following) if following else 1
    due = await ctx.use_cases.past_mistakes.count_due(ctx.user, ctx.at)
    own = await server_lessons_button(ctx, words)
    await ctx.show([*_path_parts(progress, chapter, due, words), *([own] if own else [])])


def _path_parts(progress: PathProgress, chapter: int, due: int, words: Words) -> Iterator[Part]:
    shown, following = PATH[chapter - 1], progress.next_after()
    title = words.markup.title(path_title(progress.done, words))
    yield f"{title}\n{words.markup.bold(f'{chapter}/{len(PATH)} · {chapter_title(shown, words)}')}"
    for line in lesson_lines(progress, shown, words):
        style = PRIMARY if line.key == following else None
        yield Section(line.text, LessonButton.make(line.label, style, lesson=line.key))
    ways: list[Control] = []
    if following and LESSONS[following] not in shown.lessons:  # custom ids are unique in a message
        ways.append(LessonButton.make(words("path.continue"), PRIMARY, lesson=following))
    label = words("mistakes.button.due", number=due) if due else words("mistakes.button")
    yield [_turn("◀", chapter - 1), _turn("▶", chapter + 1), *ways, MyMistakes.make(label)]


def _turn(label: str, chapter: int) -> Control:
    """Returns the button to a chapter; after the last one comes the first."""
    return PathButton.make(label, chapter=(chapter - 1) % len(PATH) + 1)


COMMANDS = declare(learn)
BUTTONS: tuple[type[Component], ...] = (
    *(OldLessonButton, LessonButton, PathButton, OpenDrill),
    *(each for panel in (LessonPanel, DrillPanel) for each in controls(panel)),
)
FORMS = (form(LessonPanel), form(DrillPanel))
