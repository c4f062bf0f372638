"""A year in dots as a picture: how many games, and beside that what they had, line by line."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PIL import Image, ImageDraw

from renderer.pen import Weight, dot, fitted, font, legible, shortened
from renderer.theme import PAPER, for_seats, palette_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from renderer.theme import Theme

SIZE = (1200, 630)
"""Pixels, as previews of shared links expect."""
SCALE = 3
"""Dots are drawn so many times larger and then reduced."""
MARGIN, SQUARES = 44, 44
COLUMN = (456, SIZE[0] - MARGIN)
"""The left and right end of the facts, in pixels; the number and the opening are to the left of them."""
GAP = 28
"""Pixels between two facts of a line."""
TOP, BOTTOM = 150, SIZE[1] - 36
MAX_ROW = 92
"""Pixels of a line of facts, if there is room."""
VALUE, MIN_VALUE = 36, 20
"""Pixels of the letters of a value: as large as it fits between the two."""
LABEL, MIN_LABEL = 20, 15
DASH, SEPARATOR = " – ", " · "
"""Text between two names, and between names and a value."""
BOX = 210
"""Pixels of the sides of the opening."""


class Fact(NamedTuple):
    """A line, by its label and its value. A `wide` one has a line of its own. `names` come before the value,
    and are shortened rather than that."""

    label: str
    value: str
    wide: bool = False
    names: tuple[str, ...] = ()

    @property
    def told(self) -> str:
        """The names and the value, as one text."""
        return SEPARATOR.join(filter(None, (DASH.join(self.names), self.value)))


class Diagram(NamedTuple):
    """The part of a board with the dots of an opening: its box from the bottom left, and the dots with their seats."""

    box: tuple[int, int, int, int]
    dots: tuple[tuple[int, int, int], ...]


class YearCard(NamedTuple):
    """The words of the picture: whose year it is, a title, how many games it had, and what is told of them. `below`
    says what the opening is."""

    name: str
    title: str
    number: str
    unit: str
    facts: Sequence[Fact]
    opening: Diagram | None = None
    below: str = ""


def draw_year(card: YearCard, fallback: str, theme: Theme = PAPER) -> bytes:
    """Returns a year as a PNG file. `fallback` takes the place of a name that the font lacks."""
    theme = for_seats(theme, 2)
    page = Image.new("RGB", SIZE, theme.paper)
    draw = ImageDraw.Draw(page)
    _rule(draw, theme)
    width = SIZE[0] - 2 * MARGIN
    name, face = fitted(legible(card.name, fallback), Weight.BOLD, (50, 28), width)
    draw.text((MARGIN, 78), name, theme.text, face, anchor="ls")
    title, face = fitted(legible(card.title, ""), Weight.MEDIUM, (28, 18), width)
    draw.text((MARGIN, 120), title, theme.quiet_text, face, anchor="ls")
    _write_number(page, card, theme)
    _write_facts(draw, card.facts, fallback, theme)
    return palette_of(theme).png(page)


def _rule(draw: ImageDraw.ImageDraw, theme: Theme) -> None:
    """Draws the squares of the paper to the left of the facts, below the title."""
    for x in range(SQUARES // 2, COLUMN[0] - GAP, SQUARES):
        draw.line((x, TOP, x, SIZE[1]), theme.margin_grid)
    for y in range(TOP + SQUARES // 2, SIZE[1], SQUARES):
        draw.line((0, y, COLUMN[0] - GAP, y), theme.margin_grid)
    draw.line((COLUMN[0] - GAP, TOP, COLUMN[0] - GAP, SIZE[1]), theme.rule, 3)


def _write_number(page: Image.Image, card: YearCard, theme: Theme) -> None:
    draw, width = ImageDraw.Draw(page), COLUMN[0] - GAP - 2 * MARGIN
    number, face = fitted(legible(card.number, ""), Weight.BOLD, (130, 40), width)
    draw.text((MARGIN, 262), number, theme.inks[1].colour, face, anchor="ls")
    unit, face = fitted(legible(card.unit, ""), Weight.BOLD, (32, 18), width)
    draw.text((MARGIN, 318), unit, theme.text, face, anchor="ls")
    if card.opening is not None:
        page.paste(_diagram(card.opening, theme), (MARGIN, 340))
        below, face = fitted(legible(card.below, ""), Weight.MEDIUM, (LABEL, MIN_LABEL), width)
        draw.text((MARGIN, 340 + BOX + 28), below, theme.quiet_text, face, anchor="ls")


def _diagram(opening: Diagram, theme: Theme) -> Image.Image:
    """Draws the dots of an opening in a square, as large as they fit."""
    left, bottom, across, up = opening.box
    side = BOX * SCALE
    cell = side / (max(across, up) + 1)
    page = Image.new("RGB", (side, side), theme.paper)
    draw = ImageDraw.Draw(page)
    for number in range(max(across, up) + 1):
        middle = (number + 0.5) * cell
        draw.line((middle, 0, middle, side), theme.grid, SCALE)
        draw.line((0, middle, side, middle), theme.grid, SCALE)
    for x, y, seat in opening.dots:
        place = (x - left + 0.5) * cell, side - (y - bottom + 0.5) * cell
        ink = theme.inks[seat % len(theme.inks)]
        dot(draw, ink.shape, place, 0.3 * cell, ink.colour, theme.light(seat % len(theme.inks)))
    return page.reduce(SCALE)


def _write_facts(draw: ImageDraw.ImageDraw, facts: Sequence[Fact], fallback: str, theme: Theme) -> None:
    """Writes the facts from the top, wide ones in a line of their own and others in pairs."""
    lines = _lines(facts)
    row = min(MAX_ROW, (BOTTOM - TOP) // max(1, len(lines)))
    for number, line in enumerate(lines):
        width = (COLUMN[1] - COLUMN[0] - GAP * (len(line) - 1)) // (1 if line[0].wide else 2)
        for place, fact in enumerate(line):
            where = COLUMN[0] + place * (width + GAP), TOP + number * row
            _write_fact(draw, fact, where, width, fallback, theme)


def _lines(facts: Sequence[Fact]) -> list[list[Fact]]:
    found: list[list[Fact]] = []
    for fact in facts:
        if not fact.wide and found and not found[-1][0].wide and len(found[-1]) == 1:
            found[-1].append(fact)
        else:
            found.append([fact])
    return found


def _write_fact(
    draw: ImageDraw.ImageDraw, fact: Fact, place: tuple[int, int], width: int, fallback: str, theme: Theme
) -> None:
    left, top = place
    label, face = fitted(legible(fact.label, ""), Weight.MEDIUM, (LABEL, MIN_LABEL), width)
    draw.text((left, top + 20), label, theme.quiet_text, face, anchor="ls")
    names = tuple(legible(name, fallback) for name in fact.names)
    written = fact._replace(value=legible(fact.value, ""), names=names)
    value, face = fitted(_abridged(written, width), Weight.BOLD, (VALUE, MIN_VALUE), width)
    draw.text((left, top + 62), value, theme.text, face, anchor="ls")


def _abridged(fact: Fact, width: int) -> str:
    """Returns what a fact says. Names that are too long even in the smallest letters get as much room each."""
    measure = font(Weight.BOLD, MIN_VALUE).getlength
    if measure(fact.told) <= width or not fact.names:
        return fact.told
    rest = measure(fact._replace(names=("",) * len(fact.names)).told) + measure(SEPARATOR)
    room = int((width - rest) / len(fact.names))
    return fact._replace(names=tuple(shortened(name, Weight.BOLD, MIN_VALUE, room) for name in fact.names)).told
