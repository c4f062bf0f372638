"""Parts of a board: which part to show, drawn, and boards in words and letters for players who cannot see them."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from operator import mul
from typing import NamedTuple, Protocol, Self, runtime_checkable

from presentation.match.phrases import colour_name
from presentation.text import MAX_ALT, MESSAGE_ROOM
from presentation.words.words import Words
from renderer.board import draw
from renderer.theme import PAPER, THEMES, Shape
from rules.game import AnyPosition, Number, Picture, Point, Seat, Zone, column_name, point_name

CROP_REACH, CHOICE_REACH = 4, 2
"""Crossings from the middle to the border of a crop (9x9), and of the part of it with the choices (5x5)."""

CROP_SIDE = 2 * CROP_REACH + 1
"""Crossings a side of a crop."""

PADS_COLUMNS, PADS_ROWS = 13, 7
"""Crossings a side of the crop above a keypad."""

MAX_CUT = 2
"""Lines of a field. A crop that would leave out no more shows them, too."""

MAX_DECISION_SIDE = 15
"""Crossings a side of a crop round a decision, as many as can be read well on a phone; a chosen chain may need more."""

MAX_FRONTS = 6
"""Fronts of a field."""

DISTANCE_PENALTY = 0.01
"""The share of a crossing's chance that it loses by its squared distance from the middle of a part."""

_REACH = range(-CHOICE_REACH, CHOICE_REACH + 1)
WEIGHTS = {(dx, dy): 1 - DISTANCE_PENALTY * (dx**2 + dy**2) for dy in reversed(_REACH) for dx in _REACH}
"""The share that remains, for each step from the middle, row by row from the top left."""

Chances = dict[tuple[int, int], float]

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
"""Letters that look like the dots of the board, for labels of buttons; no chat turns one of them into an emoji."""


@runtime_checkable
class Lettered(Protocol):
    """A position that can be written in letters."""

    def rows(self) -> list[str]:
        """Returns the field, rows from the top."""


def text_board(position: AnyPosition) -> list[str]:
    """Returns the board from the top as blocks of fixed width, each short enough for a message.

    A crossing is a letter; names of columns are above, names of rows on the left. Empty for a game without letters.
    """
    if not isinstance(position, Lettered):
        return []
    rows = position.rows()
    names = [column_name(x) for x in range(len(rows[0]))]
    widest = max(map(len, names))
    head = ["   " + "".join(name.rjust(widest)[line] for name in names) for line in range(widest)]
    lines = [f"{len(rows) - number:>2} {row}" for number, row in enumerate(rows)]
    room = (MESSAGE_ROOM - widest * len(head[0])) // (len(lines[0]) + 1)
    return [
        "```\n" + "\n".join((*head, *lines[start : start + room])) + "\n```" for start in range(0, len(lines), room)
    ]


class Drawing(NamedTuple):
    """A part of a board as PNG, and in words for players who cannot see it."""

    png: bytes
    alt: str


class Sign(NamedTuple):
    """A dot as a letter, and its colour."""

    shape: str
    colour: str


@dataclass(frozen=True, eq=False)
class Crop:
    """The part of `picture` round `middle`, to choose a crossing in; `chances` are those of the next move."""

    picture: Picture
    chances: Mapping[Point, float]
    middle: Point
    theme: str

    @classmethod
    def of(cls, picture: Picture, chances: Mapping[Point, float], middle: Point | None, theme: str) -> Self:
        """Returns the part round `middle`, or round the likeliest front; moved until its choices lie in the field."""
        if middle is None:
            found = fronts(picture, chances, most=1)
            middle = found[0] if found else Point(picture.width // 2, picture.height // 2)
        return cls(picture, chances, choice_middle(picture, middle), theme)

    @property
    def zone(self) -> Zone:
        """The part with the choices."""
        return Zone.around(self.middle, CHOICE_REACH, self.picture.width, self.picture.height)

    @cached_property
    def fronts(self) -> list[Point]:
        return fronts(self.picture, self.chances)

    def shifted(self, dx: int, dy: int) -> Point:
        """Returns the middle moved by so many columns and rows, as far as the field goes."""
        return choice_middle(self.picture, Point(self.middle.x + dx, self.middle.y + dy))

    def signs(self) -> dict[Point, Sign]:
        """Returns the dots as letters, in the shapes and colours of the theme."""
        inks = THEMES.get(self.theme, PAPER).inks
        return {
            stone.point: Sign(CAPTURED if stone.captured else SHAPES[ink.shape], ink.name)
            for stone in self.picture.stones
            for ink in [inks[stone.seat]]
        }

    def draw(self, words: Words, numbers: Mapping[Point, int]) -> Drawing:
        """Draws the crop with these numbers on its crossings. Takes 5 to 30 ms."""
        picture, zone = self.picture, self.zone
        if numbers:
            marks = tuple(Number(point, number) for point, number in numbers.items())
            whole = (zone.high.x - zone.low.x + 1, zone.high.y - zone.low.y + 1) == (picture.width, picture.height)
            picture = replace(picture, numbers=marks, focus=None if whole else zone)
        drawn = [*reversed(picture.line.points)] if picture.line else []
        window = _widened([zone.low, zone.high], [[point] for point in drawn], picture)
        if numbers and not drawn and not picture.blocks:
            window = _pads_window(zone, picture)
        return draw_zone(picture, window, words, self.theme)


def _pads_window(zone: Zone, picture: Picture) -> Zone:
    """Returns the part of the field that a keypad shows round its choices: wide and low, since 25 buttons are below."""
    left, right = _stretch((zone.low.x, zone.high.x), 1, picture.width, PADS_COLUMNS)
    low, high = _stretch((zone.low.y, zone.high.y), 1, picture.height, PADS_ROWS)
    return Zone(Point(left, low), Point(right, high))


def crop_zone(picture: Picture, middle: Point) -> Zone:
    """Returns the 9x9 crossings round `middle`, as far as the field has them."""
    return zone_around([middle], picture, CROP_REACH)


def zone_around(points: Collection[Point], picture: Picture, margin: int) -> Zone:
    """Returns the part of the field that holds all of `points` and `margin` crossings round them, 9x9 at least.

    Where it would leave out only one or two columns or rows, it has them all. A field of Dot Dash is shown whole, since
    stones dash across it.
    """
    if picture.blocks:
        return Zone(Point(0, 0), Point(picture.width - 1, picture.height - 1))
    columns, rows = zip(*points, strict=True)
    left, right = _stretch(columns, margin, picture.width)
    low, high = _stretch(rows, margin, picture.height)
    return Zone(Point(left, low), Point(right, high))


def _stretch(places: Collection[int], margin: int, size: int, least: int = CROP_SIDE) -> tuple[int, int]:
    """Returns the first and the last of the lines that a crop has along one side of the field, at `least` so many."""
    first, last = min(places) - margin, max(places) + margin
    missing = max(0, least - (last - first + 1))
    first, last = first - missing // 2, last + missing - missing // 2
    if last - first + 1 + MAX_CUT >= size:
        return 0, size - 1
    shift = max(0, -first) - max(0, last - size + 1)
    return first + shift, last + shift


def decision_zone(picture: Picture, middle: Point) -> Zone:
    """Returns the part of the field where a turn is decided: the chains that it closes, then its dot or dash and what
    else may be closed, as far as they can be read together; the part round `middle` if there is none of that."""
    shown = [point for area in picture.plans for point in area.ring]
    others = [[picture.ghost.point]] if picture.ghost else []
    others += [[picture.trail.start, picture.trail.end]] if picture.trail else []
    others += [[*area.ring] for area in picture.offers]
    if not shown and not others:
        return crop_zone(picture, middle)
    return _widened(shown or others.pop(0), others, picture)


def _widened(shown: Sequence[Point], others: Iterable[Sequence[Point]], picture: Picture) -> Zone:
    """Returns the part of the field that holds all of `shown`, and of the `others` those that fit into it, the first
    ones first."""
    zone = zone_around(shown, picture, 1)
    for points in others:
        wider = zone_around([*shown, *points], picture, 1)
        if max(wider.high.x - wider.low.x, wider.high.y - wider.low.y) < MAX_DECISION_SIDE:
            shown, zone = [*shown, *points], wider
    return zone


def choice_middle(picture: Picture, point: Point) -> Point:
    """Returns the middle of the choices round a point (`Zone.around`): itself, moved as far from the edge as they
    reach."""
    return Point(_moved(point.x, picture.width), _moved(point.y, picture.height))


def _moved(place: int, size: int) -> int:
    last = size - 1
    return min(max(place, CHOICE_REACH), last - CHOICE_REACH) if last >= 2 * CHOICE_REACH else last // 2


def centre(zone: Zone) -> Point:
    return Point((zone.low.x + zone.high.x) // 2, (zone.low.y + zone.high.y) // 2)


def crossings(zone: Zone) -> list[Point]:
    """Returns the crossings of a zone in reading order, from the top left."""
    return [Point(x, y) for y in range(zone.high.y, zone.low.y - 1, -1) for x in range(zone.low.x, zone.high.x + 1)]


def fronts(picture: Picture, chances: Mapping[Point, float], most: int = MAX_FRONTS) -> list[Point]:
    """Returns the middles of the parts where the next move is likely, the likeliest first.

    Each part is apart from those before it. On a field with dots, only crossings near a dot count.
    """
    dots = {stone.point for stone in picture.stones}
    left: Chances = {
        (x, y): chance
        for (x, y), chance in chances.items()
        if not dots or any((x + dx, y + dy) in dots for dx, dy in WEIGHTS)
    }
    found: list[Point] = []
    while left:
        candidates = sorted(left, key=lambda point: (-left[point], point))[:MAX_FRONTS]
        middles = {choice_middle(picture, Point(x, y)) for x, y in candidates}
        around = {Point(x + dx, y + dy) for x, y in middles for dx in (-1, 0, 1) for dy in (-1, 0, 1)}
        weights = _weights(picture, left, {choice_middle(picture, point) for point in around})
        best = max(sorted(weights), key=lambda middle: weights[middle])
        found.append(best)
        if len(found) == most:
            break
        near = crop_zone(picture, best)
        left = {point: chance for point, chance in left.items() if not near.contains(Point(*point))}
    return found


def _weights(picture: Picture, chances: Chances, middles: Iterable[Point]) -> dict[Point, float]:
    """Returns the chances around each of `middles`, summed; distance lowers them, which draws likely crossings to the
    middle."""
    side, stride = 2 * CHOICE_REACH + 1, picture.width + 2 * CHOICE_REACH  # with a rim, so that no part goes beyond
    field, found = [0.0] * (stride * (picture.height + 2 * CHOICE_REACH)), {}
    for (x, y), chance in chances.items():
        field[(y + CHOICE_REACH) * stride + x + CHOICE_REACH] = chance
    for middle in middles:
        low = middle.y * stride + middle.x
        rows = (field[start : start + side] for start in range(low + (side - 1) * stride, low - 1, -stride))
        found[middle] = sum(map(mul, chain.from_iterable(rows), WEIGHTS.values()))
    return found


def draw_zone(picture: Picture, zone: Zone, words: Words, theme: str) -> Drawing:
    """Draws a part of the field, and describes it. Takes 5 to 30 ms."""
    return Drawing(draw(picture, None, THEMES.get(theme, PAPER), zone), describe(picture, zone, words, theme))


def describe(picture: Picture, zone: Zone, words: Words, theme: str) -> str:
    """Returns the dots in a part of the field, in words that call their colours as the theme has them."""
    left, right = column_name(zone.low.x), column_name(zone.high.x)
    field = words("crop.field", left=left, right=right, low=zone.low.y + 1, high=zone.high.y + 1)
    return " ".join([field, *name_dots(picture, zone, words, theme)])[:MAX_ALT]


def name_dots(picture: Picture, zone: Zone, words: Words, theme: str) -> list[str]:
    """Returns a sentence for the dots of each colour in a part of the field."""
    found: dict[tuple[Seat, bool], list[str]] = defaultdict(list)
    for stone in picture.stones:
        if zone.contains(stone.point):
            found[stone.seat, stone.captured].append(point_name(stone.point))
    sentences = []
    for (seat, captured), points in sorted(found.items()):
        colour, names = colour_name(theme, seat, words), ", ".join(points)
        key = "captured" if captured else "stones" if picture.blocks else "dots"
        sentences.append(words(f"crop.of.{key}", colour=colour, points=names))
    return sentences
