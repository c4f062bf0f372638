"""Parts of a board: which part, drawn, and in words for whoever cannot see it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from io import BytesIO
from typing import TYPE_CHECKING, NamedTuple, Self

import discord

from renderer.board import draw
from renderer.theme import PAPER, THEMES, Shape
from rules.notation import column_name, point_name
from rules.picture import Number, Picture, Zone
from rules.point import Point, Seat

if TYPE_CHECKING:
    from bot.i18n.words import Words

AROUND, CHOICE = 4, 2
"""How far a crop, and the part of it that one chooses in, reach from their middle: 9x9 and 5x5."""

FRONTS = 6
"""Parts of a field that are told apart at most."""

OFF = 0.01
"""What a crossing loses of its chance by its squared distance from the middle, where a part is chosen."""

_REACH = range(-CHOICE, CHOICE + 1)
PARTS = {(dx, dy): 1 - OFF * (dx**2 + dy**2) for dy in reversed(_REACH) for dx in _REACH}
"""What is left of it, for each step from the middle."""

Chances = dict[tuple[int, int], float]

MAX_ALT = 1024


SHAPES = {
    Shape.DISC: "●",
    Shape.RING: "◉",
    Shape.CORE: "◎",
    Shape.OPEN: "○",
    Shape.BAR: "⊖",
    Shape.SQUARE: "■",
    Shape.TRIANGLE: "▲",
    Shape.DIAMOND: "◆",
}
CAPTURED = "×"
"""Letters that look like the dots of the board, where a picture cannot stand; none of them turns into an emoji."""


class Sign(NamedTuple):
    """A dot as a letter, and whose it is."""

    shape: str
    seat: Seat


@dataclass(frozen=True, eq=False)
class Shown:
    """A part of `picture` to choose in, round `middle`; `chances` tell where something may happen."""

    picture: Picture
    chances: Mapping[Point, float]
    middle: Point
    theme: str

    @classmethod
    def of(cls, picture: Picture, chances: Mapping[Point, float], middle: Point | None, theme: str) -> Self:
        """Round `middle`, or where it is likeliest; moved so that what one chooses in lies in the field."""
        if middle is None:
            found = fronts(picture, chances, most=1)
            middle = found[0] if found else Point(picture.width // 2, picture.height // 2)
        return cls(picture, chances, centre(choice(picture, middle)), theme)

    @property
    def zone(self) -> Zone:
        return choice(self.picture, self.middle)

    @cached_property
    def fronts(self) -> list[Point]:
        return fronts(self.picture, self.chances)

    def moved(self, dx: int, dy: int) -> Point:
        """The middle, so many columns and rows further on, as far as the field goes."""
        return centre(choice(self.picture, Point(self.middle.x + dx, self.middle.y + dy)))

    def taken(self) -> dict[Point, Sign]:
        """What stands on the crossings, in the shapes that the theme draws."""
        inks = THEMES.get(self.theme, PAPER).inks
        return {
            stone.point: Sign(CAPTURED if stone.captured else SHAPES[inks[stone.seat].shape], stone.seat)
            for stone in self.picture.stones
        }

    def file(self, words: Words, name: str, numbers: Mapping[Point, int]) -> discord.File:
        """The crop as a file to be sent, with these numbers on its crossings; takes 5 to 30 ms."""
        picture, zone = self.picture, self.zone
        if numbers:
            marks = tuple(Number(point, number) for point, number in numbers.items())
            whole = (zone.high.x - zone.low.x + 1, zone.high.y - zone.low.y + 1) == (picture.width, picture.height)
            picture = replace(picture, numbers=marks, focus=None if whole else zone)
        return crop(picture, self.middle, words, name, self.theme)


def window(picture: Picture, middle: Point) -> Zone:
    """The 9x9 crossings round `middle`, as far as the field has them."""
    return Zone.around(middle, AROUND, picture.width, picture.height)


def choice(picture: Picture, middle: Point) -> Zone:
    """The 5x5 crossings round `middle` that one chooses in, moved into the field."""
    return Zone.around(middle, CHOICE, picture.width, picture.height)


def centre(zone: Zone) -> Point:
    return Point((zone.low.x + zone.high.x) // 2, (zone.low.y + zone.high.y) // 2)


def crossings(zone: Zone) -> list[Point]:
    """Row by row from the top left, as one reads."""
    return [Point(x, y) for y in range(zone.high.y, zone.low.y - 1, -1) for x in range(zone.low.x, zone.high.x + 1)]


def fronts(picture: Picture, chances: Mapping[Point, float], most: int = FRONTS) -> list[Point]:
    """The middles of the parts where something may happen, the likeliest first, each apart from those before it. Where
    there are dots, only what lies near one counts."""
    dots = {stone.point for stone in picture.stones}
    left: Chances = {
        (x, y): chance
        for (x, y), chance in chances.items()
        if not dots or any((x + dx, y + dy) in dots for dx, dy in PARTS)
    }
    found: list[Point] = []
    while left:
        candidates = sorted(left, key=lambda point: (-left[point], point))[:FRONTS]
        middles = {centre(choice(picture, Point(x, y))) for x, y in candidates}
        around = {Point(x + dx, y + dy) for x, y in middles for dx in (-1, 0, 1) for dy in (-1, 0, 1)}
        weights = {middle: _weight(left, middle) for middle in {centre(choice(picture, point)) for point in around}}
        best = max(sorted(weights), key=lambda middle: weights[middle])
        found.append(best)
        if len(found) == most:
            break
        beside = window(picture, best)
        left = {point: chance for point, chance in left.items() if not beside.holds(Point(*point))}
    return found


def _weight(chances: Chances, middle: Point) -> float:
    """The chances around `middle`, those a little off it a little less, so that what is likely lies in the middle."""
    x, y = middle
    weight = 0.0
    for (dx, dy), part in PARTS.items():
        if chance := chances.get((x + dx, y + dy)):
            weight += chance * part
    return weight


def crop(picture: Picture, middle: Point, words: Words, name: str, theme: str) -> discord.File:
    """The part round `middle` as a file to be sent, told in words as well; takes 5 to 30 ms."""
    zone = window(picture, middle)
    png = draw(picture, None, THEMES.get(theme, PAPER), zone)
    return discord.File(BytesIO(png), f"{name}.png", description=describe(picture, zone, words))


def describe(picture: Picture, zone: Zone, words: Words) -> str:
    """What lies in a part of the field."""
    left, right = column_name(zone.low.x), column_name(zone.high.x)
    sentences = [words("crop.field", left=left, right=right, low=zone.low.y + 1, high=zone.high.y + 1)]
    found: dict[tuple[Seat, bool], list[str]] = defaultdict(list)
    for stone in picture.stones:
        if zone.holds(stone.point):
            found[stone.seat, stone.captured].append(point_name(stone.point))
    for (seat, captured), points in sorted(found.items()):
        colour, names = words(f"colour.{seat}"), ", ".join(points)
        sentences.append(words("crop.captured" if captured else "crop.dots", colour=colour, points=names))
    return " ".join(sentences)[:MAX_ALT]
