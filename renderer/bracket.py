"""The bracket of a knock-out as a picture: a column for each round, and lines from each pair to the next."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PIL import Image, ImageDraw

from renderer.lettering import Weight, font, legible, shortened, write_heading
from renderer.palette import palette_of
from renderer.theme import PAPER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from renderer.theme import Theme

HEAD, LABELS, MARGIN = 92, 44, 36
"""Pixels of the heading, of the line with the rounds' labels, and at the sides."""
BOX, GAP = (250, 36), (48, 12)
"""The width and height of a player's box, and the distances to the next round and the next pair, in pixels."""
MIN_WIDTH = 800
LETTERS = 20


class Side(NamedTuple):
    """A player of a pair. `fallback` replaces a name with letters that the font lacks.

    A pair that waits for the winners of others has sides without a name.
    """

    name: str = ""
    fallback: str = ""
    note: str = ""
    won: bool = False
    lost: bool = False


def bracket(
    title: str,
    heading: str,
    labels: Sequence[str],
    rounds: Sequence[Sequence[tuple[Side, Side]]],
    theme: Theme = PAPER,
) -> bytes:
    """Returns the rounds from the left as a PNG file; each has half the pairs of the one before, the last has one."""
    (across, down), (gap, below) = BOX, GAP
    pair = 2 * down + below
    width = max(MIN_WIDTH, 2 * MARGIN + (across + gap) * len(rounds) - gap)
    page = Image.new("RGB", (width, HEAD + LABELS + pair * len(rounds[0]) + MARGIN // 2), theme.paper)
    draw = ImageDraw.Draw(page)
    write_heading(draw, (MARGIN, width - MARGIN), 58, title, heading, theme)
    for column, (label, pairs) in enumerate(zip(labels, rounds, strict=True)):
        left = MARGIN + (across + gap) * column
        draw.text(
            (left, HEAD + LABELS // 2), legible(label, ""), theme.quiet_text, font(Weight.MEDIUM, 20), anchor="lm"
        )
        height = pair * len(rounds[0]) / len(pairs)
        for number, sides in enumerate(pairs):
            middle = round(HEAD + LABELS + height * (number + 0.5) - below / 2)
            _draw_pair(draw, left, middle, sides, theme)
            if len(pairs) > 1:
                _draw_link(draw, (left + across, middle), round(height / 2) * (1 if number % 2 == 0 else -1), theme)
    return palette_of(theme).png(page)


def _draw_link(draw: ImageDraw.ImageDraw, start: tuple[int, int], height: int, theme: Theme) -> None:
    """Draws the line to the middle of the next pair's box."""
    (x, y), half = start, GAP[0] // 2
    draw.line(((x, y), (x + half, y), (x + half, y + height), (x + 2 * half, y + height)), theme.frame, 2)


def _draw_pair(draw: ImageDraw.ImageDraw, left: int, middle: int, sides: tuple[Side, Side], theme: Theme) -> None:
    across, down = BOX
    for top, side in zip((middle - down, middle), sides, strict=True):
        box = (left, top, left + across, top + down)
        draw.rectangle(box, theme.zone if side.won else theme.paper, theme.frame)
        colour = theme.quiet_text if side.lost else theme.text
        weight = Weight.BOLD if side.won else Weight.MEDIUM
        note = font(weight, LETTERS)
        room = round(across - 28 - note.getlength(side.note))
        name = shortened(legible(side.name, side.fallback), weight, LETTERS, room)
        draw.text((left + 10, top + down / 2), name, colour, note, anchor="lm")
        draw.text((left + across - 10, top + down / 2), side.note, colour, note, anchor="rm")
