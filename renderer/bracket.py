"""Brackets of knock-outs as pictures: a column for each round, and lines from each pair to the next."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PIL import Image, ImageDraw

from renderer.pen import Weight, font, legible, shortened, write_heading
from renderer.theme import PAPER, palette_of

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


class Section(NamedTuple):
    """Rounds from the left, each with its label and its pairs, below a `title`. Where they are `linked`, each has half
    the pairs of the one before, and lines lead to the next; else a round may have any number, and none as well."""

    rounds: Sequence[tuple[str, Sequence[tuple[Side, Side]]]]
    title: str = ""
    linked: bool = True

    @property
    def height(self) -> int:
        """Pixels without the labels."""
        return (2 * BOX[1] + GAP[1]) * max(len(pairs) for _, pairs in self.rounds)


def bracket(title: str, heading: str, sections: Sequence[Section], theme: Theme = PAPER) -> bytes:
    """Returns the sections below each other as a PNG file."""
    (across, _), (gap, _) = BOX, GAP
    columns = max(len(section.rounds) for section in sections)
    width = max(MIN_WIDTH, 2 * MARGIN + (across + gap) * columns - gap)
    height = HEAD + sum(LABELS * (1 + bool(each.title)) + each.height for each in sections) + MARGIN // 2
    page = Image.new("RGB", (width, height), theme.paper)
    draw = ImageDraw.Draw(page)
    write_heading(draw, (MARGIN, width - MARGIN), 58, title, heading, theme)
    top = HEAD
    for section in sections:
        if section.title:
            letters = font(Weight.BOLD, 22)
            draw.text((MARGIN, top + LABELS // 2), legible(section.title, ""), theme.text, letters, anchor="lm")
            top += LABELS
        _draw_section(draw, top, section, theme)
        top += LABELS + section.height
    return palette_of(theme).png(page)


def _draw_section(draw: ImageDraw.ImageDraw, top: int, section: Section, theme: Theme) -> None:
    (across, _), (gap, below) = BOX, GAP
    for column, (label, pairs) in enumerate(section.rounds):
        left = MARGIN + (across + gap) * column
        letters = font(Weight.MEDIUM, 20)
        draw.text((left, top + LABELS // 2), legible(label, ""), theme.quiet_text, letters, anchor="lm")
        height = section.height / max(1, len(pairs))
        for number, sides in enumerate(pairs):
            middle = round(top + LABELS + height * (number + 0.5) - below / 2)
            _draw_pair(draw, left, middle, sides, theme)
            if section.linked and len(pairs) > 1:
                _draw_link(draw, (left + across, middle), round(height / 2) * (1 if number % 2 == 0 else -1), theme)


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
