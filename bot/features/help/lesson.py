"""`/learn`: three small positions with a right dot to find; the rules themselves judge the answers."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, replace

import discord

from bot.interactions import custom_ids as ids
from bot.interactions.buttons import button, occupied_pad
from bot.interactions.components import Component
from bot.interactions.context import Context
from bot.interactions.layout import Control, Part, rows
from bot.interactions.pictures import drawing_file
from presentation.match.crops import Crop, crossings
from presentation.match.seats import emblem
from presentation.words.words import Words
from rules.dots import DotsPosition, Turn
from rules.game import IllegalMove
from rules.notation import parse_point, point_name
from rules.picture import Picture
from rules.point import Point
from rules.registry import make_game


@dataclass(frozen=True, slots=True)
class Task:
    """A position on 5x5 with seat 0 to move.

    The right dot captures `captures` dots; if that is 0, it leaves the opponent nothing to capture.
    """

    stones: str
    captures: int = 0

    @property
    def position(self) -> DotsPosition:
        position = make_game("zagram", {"size": "5x5", "start": "stones", "stones": self.stones}).start(0)
        assert isinstance(position, DotsPosition)
        return position

    def solves(self, point: Point) -> bool:
        """Returns whether a dot there solves the task."""
        position = self.position
        if self.captures:
            return position.consequences_of(point).captures == self.captures
        after = position.play(Turn(point))
        return not any(after.consequences_of(move.dot).captures for move in after.moves())


TASKS = (
    Task("0:C4 0:B3 0:C2 1:C3 1:D1 1:A5", captures=1),
    Task("0:C5 0:D5 0:E4 0:E3 0:C2 0:B3 0:B4 1:C4 1:D4 1:C3 1:A1", captures=3),
    Task("0:C3 0:A1 0:E5 1:C4 1:B3 1:C2"),
)


class LessonButton(Component, id=ids.LESSON):
    """Opens a task of the lesson, or tries a dot in it: `lesson:0:D3`."""

    task: int
    point: str

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await show_lesson(ctx, self.task, self.point)


async def show_lesson(ctx: Context, task: int, point: str = "") -> None:
    """Shows a task, or the result of a dot in it. The interaction is acknowledged."""
    words = await ctx.words()
    theme = (await ctx.settings()).theme
    has_computer = ctx.services.coach.has_computer
    await ctx.show(await asyncio.to_thread(_parts, task, point, words, theme, has_computer=has_computer))


def _parts(number: int, name: str, words: Words, theme: str, *, has_computer: bool) -> list[Part]:
    task = TASKS[number]
    if name:
        try:
            after = task.position.play(Turn(parse_point(name)))
        except IllegalMove:
            pass  # no such button is shown
        else:
            if task.solves(parse_point(name)):
                return [*_solved_parts(number, after, words, theme, has_computer=has_computer)]
            return [*_task_parts(number, words, theme, words("lesson.wrong", point=name))]
    return [*_task_parts(number, words, theme, "")]


def _task_parts(number: int, words: Words, theme: str, notice: str) -> Iterator[Part]:
    position = TASKS[number].position
    free = {move.dot for move in position.moves()}
    crop = _crop(position.picture(), theme)
    points = crossings(crop.zone)
    numbers = {point: place for place, point in enumerate(points, start=1) if point in free}
    head = words("lesson.head", number=number + 1, total=len(TASKS))
    yield drawing_file(crop.draw(words, numbers), f"kropka-lesson-{number + 1}")
    task = words(f"lesson.task.{number}", own=emblem(theme, 0), other=emblem(theme, 1))
    yield "\n".join(filter(None, (f"### {head}", notice, task)))
    signs = crop.signs()
    pads: list[Control] = [
        LessonButton.make(str(place), task=number, point=point_name(point))
        if point in free
        else occupied_pad(place, signs[point])
        for place, point in enumerate(points, start=1)
    ]
    yield from rows(pads)


def _solved_parts(number: int, after: DotsPosition, words: Words, theme: str, *, has_computer: bool) -> Iterator[Part]:
    head = words("lesson.head", number=number + 1, total=len(TASKS))
    yield drawing_file(_crop(after.picture(), theme).draw(words, {}), f"kropka-lesson-{number + 1}-solved")
    yield f"### {head}\n{words(f'lesson.solved.{number}')}"
    if number + 1 < len(TASKS):
        yield [LessonButton.make(words("button.next"), discord.ButtonStyle.primary, task=number + 1)]
    else:
        yield words("lesson.end")
        again = LessonButton.make(words("button.once_more"), task=0)
        play = button(ids.NEWCOMER(), words("lesson.play"), discord.ButtonStyle.primary)
        yield [play, again] if has_computer else [again]


def _crop(picture: Picture, theme: str) -> Crop:
    return Crop.of(replace(picture, zone=None), {}, None, theme)


BUTTONS: tuple[type[LessonButton], ...] = (LessonButton,)
