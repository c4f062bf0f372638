"""The face of the keypad: a crop of the board with numbers on its crossings, a pad for each, and ways elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Protocol

import discord

from bot.features.match.actions.endings import Stop
from bot.features.match.board.crops import Shown, Sign, crossings
from bot.features.match.turn.steps import Step
from bot.interactions.layout import MAX_ROW, Control, Part, rows
from play.match.endings import stopped
from rules.notation import point_name
from rules.point import Point

if TYPE_CHECKING:
    from bot.i18n.words import Words
    from play.match.match import Match

PAN = 3
"""Crossings by which an arrow moves the part that one chooses in."""

ARROWS = (("⬅️", -1, 0), ("⬆️", 0, 1), ("⬇️", 0, -1), ("➡️", 1, 0))

STYLES = (
    discord.ButtonStyle.danger,
    discord.ButtonStyle.primary,
    discord.ButtonStyle.success,
    discord.ButtonStyle.secondary,
)
"""One a seat: what Discord's buttons have that is nearest to the colour of its dots."""


class MakeButton(Protocol):
    """Makes a button that goes on with a turn, or back: what is begun then, and where one looks."""

    def __call__(self, label: str, begun: str, middle: Point, style: discord.ButtonStyle | None = None) -> Control: ...


class OccupiedPad(discord.ui.Button[discord.ui.LayoutView]):
    """A crossing where nothing can be chosen: it keeps the others in their places, and looks like the dot on it."""

    def __init__(self, number: int, sign: Sign | None) -> None:
        style = STYLES[sign.seat] if sign else discord.ButtonStyle.secondary
        super().__init__(label=sign.shape if sign else "·", style=style, disabled=True, custom_id=f"taken:{number}")


class DisabledArrow(discord.ui.Button[discord.ui.LayoutView]):
    """An arrow at the edge of the field: what it leads to is here already, and custom ids are unique in a message."""

    def __init__(self, arrow: str) -> None:
        super().__init__(label=arrow, disabled=True, custom_id=f"nowhere:{arrow}")


def pad_rows(match: Match, step: Step, shown: Shown, words: Words, go: MakeButton) -> Iterator[Part]:
    """The keypad below what it asks: the picture, 25 pads in the places of its crossings, and what else can be done."""
    points = crossings(shown.zone)
    reachable, taken = step.reachable, shown.taken()
    numbers = {point: number for number, point in enumerate(points, start=1) if point in reachable}
    yield shown.file(words, f"kropka-{match.id}-{match.version}-keypad", numbers)
    pads: list[Control] = [
        go(str(number), reachable[point], shown.middle) if point in numbers else OccupiedPad(number, taken.get(point))
        for number, point in enumerate(points, start=1)
    ]
    yield from rows(pads)
    corners = {f"corner{number}": point_name(points[number - 1]) for number in (1, 5, 21, 25)}
    hint = words("keypad.numbers", **corners) if numbers else words("keypad.full")
    yield f"-# {hint}" if _all_shown(step, shown) else f"-# {hint} {words('keypad.arrows')}"
    if below := [*_below(match, step, shown, words, go)]:
        yield below[:MAX_ROW]


def _below(match: Match, step: Step, shown: Shown, words: Words, go: MakeButton) -> Iterator[Control]:
    """The row below the pads, the most needed first."""
    if step.back is None and stopped(match.position) is not None:
        yield Stop.to(match, words)
    for option in step.offered:
        yield go(option.said.told(words), option.begun, shown.middle, discord.ButtonStyle.success)
    if not _all_shown(step, shown):
        for arrow, dx, dy in ARROWS:
            there = shown.moved(dx * PAN, dy * PAN)
            yield go(arrow, step.begun, there) if there != shown.middle else DisabledArrow(arrow)
        if step.back is None:
            yield from _next_front(step, shown, words, go)
    if step.back is not None:
        yield go(words("button.back"), step.back, shown.middle)


def _all_shown(step: Step, shown: Shown) -> bool:
    return all(shown.zone.holds(point) for point in step.points)


def _next_front(step: Step, shown: Shown, words: Words, go: MakeButton) -> Iterator[Control]:
    """Where else something is going on: the fronts in turn, beginning with the likeliest."""
    fronts = shown.fronts
    here = next((number for number, front in enumerate(fronts) if shown.zone.holds(front)), -1)
    there = fronts[(here + 1) % len(fronts)] if fronts else shown.middle
    arrows = {shown.moved(dx * PAN, dy * PAN) for _, dx, dy in ARROWS}
    if there not in {shown.middle, *arrows}:  # custom ids are unique in a message
        yield go(words("keypad.front", point=point_name(there)), step.begun, there)
