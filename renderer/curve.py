"""The history of a rating as a picture."""

from __future__ import annotations

from math import ceil, floor
from typing import TYPE_CHECKING, NamedTuple

from PIL import Image, ImageDraw

from renderer.lettering import Weight, font, legible, write_heading
from renderer.shapes import dot
from renderer.theme import PAPER, blend, for_seats, palette_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from renderer.shapes import Place
    from renderer.theme import Theme

SIZE = (1000, 520)
"""Pixels."""
SCALE = 3
"""Curves are drawn so many times larger and then reduced."""
LETTERS = 22
LEFT, RIGHT, TOP, BOTTOM = 84, 960, 96, 462
"""The sides of the curve, in pixels."""
STEPS = (10, 20, 50, 100, 200, 500, 1000)
LINES = 6
"""Lines across, at most."""


class Rated(NamedTuple):
    """A rating after a game, `at` a time in milliseconds, and its deviation."""

    at: int
    value: float
    deviation: float


class Caption(NamedTuple):
    """The words of the picture: above the curve, and under its ends."""

    title: str
    note: str
    first: str
    last: str


def curve(history: Sequence[Rated], caption: Caption, theme: Theme = PAPER) -> bytes:
    """Returns the ratings, the oldest first and at least one, game by game as a PNG file. The tint covers the range
    in which the strength lies with two chances in three."""
    page = Image.new("RGB", (SIZE[0] * SCALE, SIZE[1] * SCALE), theme.paper)
    draw = ImageDraw.Draw(page)
    low, high, step = _range(history)
    ink = for_seats(theme, 2).inks[1]
    places = [_place(number, each.value, len(history), low, high) for number, each in enumerate(history)]
    band = [_place(n, each.value + each.deviation, len(history), low, high) for n, each in enumerate(history)]
    band += [
        _place(n, each.value - each.deviation, len(history), low, high)
        for n, each in reversed(list(enumerate(history)))
    ]
    if len(history) > 1:
        draw.polygon(band, blend(theme.paper, ink.colour, theme.tint))
    for value in range(low, high + 1, step):
        y = _place(0, value, 1, low, high)[1]
        draw.line((LEFT * SCALE, y, RIGHT * SCALE, y), theme.grid, SCALE)
    draw.line(places, ink.colour, 4 * SCALE, joint="curve")
    dot(draw, ink.shape, places[-1], 10 * SCALE, ink.colour, theme.light(1))
    page = page.reduce(SCALE)
    _write(ImageDraw.Draw(page), range(low, high + 1, step), (low, high), caption, theme)
    return palette_of(theme).png(page)


def _write(draw: ImageDraw.ImageDraw, values: range, ends: tuple[int, int], caption: Caption, theme: Theme) -> None:
    small = font(Weight.MEDIUM, LETTERS)
    for value in values:
        y = _place(0, value, 1, *ends)[1] / SCALE
        draw.text((LEFT - 12, y), f"{value}", theme.quiet_text, small, anchor="rm")
    draw.text((LEFT, BOTTOM + 34), legible(caption.first, ""), theme.quiet_text, small, anchor="lm")
    draw.text((RIGHT, BOTTOM + 34), legible(caption.last, ""), theme.quiet_text, small, anchor="rm")
    write_heading(draw, (LEFT, RIGHT), 62, caption.title, caption.note, theme)


def _range(history: Sequence[Rated]) -> tuple[int, int, int]:
    """Returns the lowest and the highest value shown, and the step between lines."""
    low = min(each.value - each.deviation for each in history)
    high = max(each.value + each.deviation for each in history)
    step = next(step for step in STEPS if (high - low) / step <= LINES or step == STEPS[-1])
    return floor(low / step) * step, ceil(high / step) * step, step


def _place(number: int, value: float, count: int, low: float, high: float) -> Place:
    """Returns the place of a value in the enlarged picture."""
    across = LEFT + (RIGHT - LEFT) * (number / (count - 1) if count > 1 else 1.0)
    return across * SCALE, (BOTTOM - (BOTTOM - TOP) * (value - low) / (high - low)) * SCALE
