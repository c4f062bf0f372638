"""The scores of a whole game as a picture."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

from PIL import Image, ImageDraw

from renderer.header import strip
from renderer.lettering import Weight, font
from renderer.shapes import dot
from renderer.theme import PAPER, blend, for_seats, palette_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from renderer.header import Header
    from renderer.shapes import Place
    from renderer.theme import Theme

SIZE = (1000, 520)
"""Pixels."""
HEADER = 66
LETTERS = 1 / 16
"""The size of letters, in parts of a graph's height: 11 pixels where a phone shows a graph 390 pixels wide."""
SCALE = 3
"""Graphs are drawn so many times larger and then reduced."""
STEPS = (1, 2, 5)
"""The distances of ticks: these, or these times a power of ten."""
TICKS = 6
"""Of an axis, at most."""

Scores = tuple[float, ...]
"""One entry a seat."""


def graph(scores: Sequence[Scores], header: Header, theme: Theme = PAPER) -> bytes:
    """Returns the scores after each move, from the start on, as a PNG file with `header` above."""
    theme = for_seats(theme, len(header.plates))
    width, height = SIZE
    top = HEADER * header.lines
    page = Image.new("P", SIZE)
    page.paste(strip(header, width, top, theme), (0, 0))
    page.paste(palette_of(theme).indexed(plot(scores, (width, height - top), theme)), (0, top))
    page.putpalette(palette_of(theme).entries)
    file = BytesIO()
    page.save(file, "PNG")
    return file.getvalue()


def plot(scores: Sequence[Scores], size: tuple[int, int], theme: Theme) -> Image.Image:
    """Returns the curves alone, on squared paper with both axes named by numbers, in true colour."""
    chart = Chart(scores, size, theme)
    return chart.draw()


class Chart:
    """The scores of each move in a picture of `size` pixels."""

    def __init__(self, scores: Sequence[Scores], size: tuple[int, int], theme: Theme) -> None:
        self._scores = scores
        self._theme = theme
        self._size = width, height = size
        self._letters = max(13, round(height * LETTERS))
        self._left, self._right = 3.2 * self._letters, width - 2.2 * self._letters
        self._top, self._bottom = 1.6 * self._letters, height - 2.4 * self._letters
        self._moves = max(1, len(scores) - 1)
        self._best = max(4, max(map(max, scores), default=0))

    def draw(self) -> Image.Image:
        width, height = self._size
        page = Image.new("RGB", (width * SCALE, height * SCALE), self._theme.paper)
        draw = ImageDraw.Draw(page)
        self._draw_lines(draw)
        if len(self._theme.inks) == 2:
            self._tint_lead(draw)
        for seat in range(len(self._theme.inks)):
            self._draw_curve(draw, seat)
        page = page.reduce(SCALE)
        self._write_ticks(ImageDraw.Draw(page))
        return page

    def _draw_lines(self, draw: ImageDraw.ImageDraw) -> None:
        for value in ticks(self._best):
            draw.line([self._at(0, value), self._at(self._moves, value)], self._theme.grid, SCALE)
        for move in ticks(self._moves):
            draw.line([self._at(move, 0), self._at(move, self._best)], self._theme.grid, SCALE)
        draw.line([self._at(0, 0), self._at(self._moves, 0)], self._theme.frame, 2 * SCALE)

    def _tint_lead(self, draw: ImageDraw.ImageDraw) -> None:
        """Tints the space between two curves in the colour of the leader."""
        for move, (one, other) in enumerate(self._scores[:-1]):
            if one != other:
                (left, top), (right, bottom) = self._at(move, max(one, other)), self._at(move + 1, min(one, other))
                ink = self._theme.inks[one < other].colour
                draw.rectangle((left, top, right, bottom), blend(self._theme.paper, ink, self._theme.tint))

    def _draw_curve(self, draw: ImageDraw.ImageDraw, seat: int) -> None:
        """Draws a line in steps. It has a dot of the seat's shape at each turn, and a larger one at its end."""
        ink, light = self._theme.inks[seat], self._theme.light(seat)
        line: list[Place] = [self._at(0, self._scores[0][seat])]
        turns: list[Place] = []
        for move in range(1, len(self._scores)):
            before, after = self._scores[move - 1][seat], self._scores[move][seat]
            if before != after:
                line += [self._at(move, before), self._at(move, after)]
                turns.append(line[-1])
        line.append(self._at(self._moves, self._scores[-1][seat]))
        draw.line(line, ink.colour, round(self._letters * SCALE / 5), joint="curve")
        for place in turns:
            dot(draw, ink.shape, place, self._letters * SCALE * 0.28, ink.colour, ink.colour)
        dot(draw, ink.shape, line[-1], self._letters * SCALE * 0.62, ink.colour, light)

    def _write_ticks(self, draw: ImageDraw.ImageDraw) -> None:
        face = font(Weight.MEDIUM, self._letters)
        for value in ticks(self._best):
            _, y = self._at(0, value)
            place = (self._left - 0.7 * self._letters, y / SCALE)
            draw.text(place, f"{value}", self._theme.quiet_text, face, anchor="rm")
        for move in ticks(self._moves):
            x, _ = self._at(move, 0)
            place = (x / SCALE, self._bottom + 1.2 * self._letters)
            draw.text(place, f"{move}", self._theme.quiet_text, face, anchor="mm")

    def _at(self, move: int, score: float) -> Place:
        """Returns the place of a score in the enlarged picture."""
        return (
            (self._left + (self._right - self._left) * move / self._moves) * SCALE,
            (self._bottom - (self._bottom - self._top) * score / self._best) * SCALE,
        )


def ticks(end: float) -> Iterator[int]:
    """Lists round numbers from 0 to `end`."""
    power = 1
    while True:
        for step in STEPS:
            if end / (step * power) <= TICKS:
                yield from range(0, int(end) + 1, step * power)
                return
        power *= 10
