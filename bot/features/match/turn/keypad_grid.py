"""The keypad: a crop of the board with numbers on its crossings, a pad for each, and arrows to other parts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import discord

from bot.features.match.actions.endings import Stop
from bot.features.match.board.crops import Crop, Sign, crossings
from bot.features.match.turn.steps import TurnStep
from bot.i18n.words import Words
from bot.interactions.layout import MAX_ROW, Control, Part, rows
from play.match.endings import stopped_seat
from play.match.match import Match
from rules.notation import point_name
from rules.point import Point

PAN_CROSSINGS = 3
"""Crossings by which an arrow moves the part that the keypad shows."""

ARROWS = (("⬅️", -1, 0), ("⬆️", 0, 1), ("⬇️", 0, -1), ("➡️", 1, 0))

COLOUR_STYLES = {
    "red": discord.ButtonStyle.danger,
    "crimson": discord.ButtonStyle.danger,
    "orange": discord.ButtonStyle.danger,
    "pink": discord.ButtonStyle.danger,
    "blue": discord.ButtonStyle.primary,
    "green": discord.ButtonStyle.success,
}
"""The style of Discord's buttons that is nearest to a colour of dots; the others are grey."""


class MakeButton(Protocol):
    """Makes a button that leads to the step of `code`, with the keypad around `middle`."""

    def __call__(self, label: str, code: str, middle: Point, style: discord.ButtonStyle | None = None) -> Control: ...


class OccupiedPad(discord.ui.Button[discord.ui.LayoutView]):
    """A crossing that cannot be chosen. It keeps the other pads in their places, and looks like the dot on it."""

    def __init__(self, number: int, sign: Sign | None) -> None:
        style = COLOUR_STYLES.get(sign.colour if sign else "", discord.ButtonStyle.secondary)
        super().__init__(label=sign.shape if sign else "·", style=style, disabled=True, custom_id=f"taken:{number}")


class DisabledArrow(discord.ui.Button[discord.ui.LayoutView]):
    """An arrow at the edge of the board. A real one would lead to the same part, and so share a custom id."""

    def __init__(self, arrow: str) -> None:
        super().__init__(label=arrow, disabled=True, custom_id=f"nowhere:{arrow}")


def pad_rows(match: Match, step: TurnStep, crop: Crop, words: Words, make_button: MakeButton) -> Iterator[Part]:
    """Yields the keypad below its prompt: the picture, 25 pads in the places of its crossings, and the row below."""
    points = crossings(crop.zone)
    available, taken = step.available_points, crop.signs()
    numbers = {point: number for number, point in enumerate(points, start=1) if point in available}
    yield crop.file(words, f"kropka-{match.id}-{match.version}-keypad", numbers)
    pads: list[Control] = [
        make_button(str(number), available[point], crop.middle)
        if point in numbers
        else OccupiedPad(number, taken.get(point))
        for number, point in enumerate(points, start=1)
    ]
    yield from rows(pads)
    corners = {f"corner{number}": point_name(points[number - 1]) for number in (1, 5, 21, 25)}
    hint = words("keypad.numbers", **corners) if numbers else words("keypad.full")
    yield f"-# {hint}" if _shows_all(step, crop) else f"-# {hint} {words('keypad.arrows')}"
    if below := [*_controls_below(match, step, crop, words, make_button)]:
        yield below[:MAX_ROW]


def _controls_below(
    match: Match, step: TurnStep, crop: Crop, words: Words, make_button: MakeButton
) -> Iterator[Control]:
    """Yields the controls below the pads, the most needed first."""
    if step.back is None and stopped_seat(match.position) is not None:
        yield Stop.to(match, words)
    for option in step.available_options:
        yield make_button(option.label.text(words), option.code, crop.middle, discord.ButtonStyle.success)
    if not _shows_all(step, crop):
        for arrow, dx, dy in ARROWS:
            middle = crop.shifted(dx * PAN_CROSSINGS, dy * PAN_CROSSINGS)
            yield make_button(arrow, step.code, middle) if middle != crop.middle else DisabledArrow(arrow)
        if step.back is None:
            yield from _front_buttons(step, crop, words, make_button)
    if step.back is not None:
        yield make_button(words("button.back"), step.back, crop.middle)


def _shows_all(step: TurnStep, crop: Crop) -> bool:
    return all(crop.zone.contains(point) for point in step.points)


def _front_buttons(step: TurnStep, crop: Crop, words: Words, make_button: MakeButton) -> Iterator[Control]:
    """Yields a button to the next part where something may happen: the likeliest first, then the others in turn."""
    fronts = crop.fronts
    here = next((number for number, front in enumerate(fronts) if crop.zone.contains(front)), -1)
    front = fronts[(here + 1) % len(fronts)] if fronts else crop.middle
    arrows = {crop.shifted(dx * PAN_CROSSINGS, dy * PAN_CROSSINGS) for _, dx, dy in ARROWS}
    if front not in {crop.middle, *arrows}:  # custom ids are unique in a message
        yield make_button(words("keypad.front", point=point_name(front)), step.code, front)
