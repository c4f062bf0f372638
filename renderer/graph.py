"""Courses as pictures: the scores of a whole game, and the history of a rating."""

from __future__ import annotations

from io import BytesIO
from math import ceil, floor
from typing import TYPE_CHECKING, NamedTuple

from PIL import Image, ImageDraw

from renderer.header import strip
from renderer.pen import Weight, dot, font, legible, write_heading
from renderer.theme import PAPER, blend, for_seats, palette_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from renderer.header import Header
    from renderer.pen import Place
    from renderer.theme import Theme

SIZE = (1000, 520)
"""Pixels."""
SCALE = 3
"""Curves are drawn so many times larger and then reduced."""
RATING_LETTERS = 22
LEFT, RIGHT, TOP, BOTTOM = 84, 960, 96, 462
"""The sides of the curve, in pixels."""
RATING_STEPS = (10, 20, 50, 100, 200, 500, 1000)
LINES = 6
"""Lines across, at most."""

HEADER = 66
LETTERS = 1 / 16
"""The size of letters, in parts of a graph's height: 11 pixels where a phone shows a graph 390 pixels wide."""
STEPS = (1, 2, 5)
"""The distances of ticks: these, or these times a power of ten."""
TICKS = 6
"""Of an axis, at most."""

Scores = tuple[float, ...]
"""One entry a seat."""


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
    small = font(Weight.MEDIUM, RATING_LETTERS)
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
    step = next(step for step in RATING_STEPS if (high - low) / step <= LINES or step == RATING_STEPS[-1])
    return floor(low / step) * step, ceil(high / step) * step, step


def _place(number: int, value: float, count: int, low: float, high: float) -> Place:
    """Returns the place of a value in the enlarged picture."""
    across = LEFT + (RIGHT - LEFT) * (number / (count - 1) if count > 1 else 1.0)
    return across * SCALE, (BOTTOM - (BOTTOM - TOP) * (value - low) / (high - low)) * SCALE


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
