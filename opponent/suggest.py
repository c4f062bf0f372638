"""Suggestions that need the rules alone: the likeliest points of the next dot, and captures that a dot would
threaten."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from rules.dots import Closing, DotsPosition, Links
from rules.dots.adjacency import Adjacency
from rules.dots.grid import GAPS
from rules.game import IllegalMove, Point, Seat, Zone, steps_between

REACH = 4
"""Crossings on each side of the dot that are searched."""

RECENT_DOTS = 4
"""The number of last dots that count."""

NEAR, FAR = 3, 8
"""Crossings. Up to NEAR the exact offset counts, up to FAR only the distance; beyond, all distances are equal."""

BESIDE = 2
"""Crossings from any dot up to which a search near the newest one looks: farther away hardly a dot is placed."""

ASK_REACH = 4
"""Crossings from a recent dot within which captures are computed where nothing closes by itself. There
`consequences_of` examines every area of the field, which is slow."""

Features = tuple[tuple[str, int], ...]
"""The features of a crossing: each kind with its class."""

_PLACES = (NEAR + 1) * (NEAR + 2) // 2

SHAPES = tuple(3 * min((walls & 0x55).bit_count(), 2) + min((walls & 0xAA).bit_count(), 2) for walls in range(256))
"""By the dots around a crossing, a bit for each direction: how many are beside it and how many at its corners, up to
two each."""

WEIGHTS: dict[str, tuple[float, ...]] = {
    "last": (0.0, 1.99, 1.74, 0.99, 0.93, 0.63, 0.38, 0.16, -0.02, -0.21, -0.33, -0.62, -1.15, -0.98, -1.42, -2.09),
    "before": (0.0, 1.03, 0.86, 0.63, 0.2, -0.16, 0.42, -0.04, -0.18, -0.15, -0.25, -0.28, -0.51, -0.45, -0.51, -0.75),
    "third": (0.0, 0.07, 0.07, 0.0, -0.09, 0.01, 0.07, 0.05, 0.04, 0.27, 0.06, 0.02, -0.04, 0.0, -0.02, 0.08),
    "fourth": (0.0, 0.56, 0.61, 0.57, 0.3, 0.33, 0.21, 0.02, -0.12, 0.04, -0.03, -0.17, -0.08, -0.23, -0.28, -0.57),
    "edge": (-1.14, 0.2, 0.16, 0.32, 0.42),
    "house": (-1.57, -2.46),
    "shape": (
        *(-0.15, -0.05, -0.73, -0.05, -1.4, -2.17, -1.4, -1.66, -2.03),
        *(0.82, 0.87, -0.05, 2.1, 0.4, -0.42, 0.76, -0.33, -1.29),
        *(-0.28, 0.15, -0.34, 1.76, 0.2, -0.59, 0.39, 0.1, -0.34),
        *(-0.44, 1.84, 1.39, 1.58, 1.28, 0.3, 0.55, 0.18, -0.66),
        *(-0.96, 0.18, 0.27, 1.42, 0.58, -0.32, 0.79, 0.28, -0.36),
        *(-1.93, -0.47, -0.41, 0.96, 0.03, -0.36, 0.57, 0.18, -0.38),
        *(-1.25, 0.1, 0.73, 0.35, 0.53, 0.25, -0.05, -0.07, -0.45),
        *(-1.53, -0.46, 0.65, 0.46, 0.42, 0.11, 0.25, 0.39, -0.15),
        *(-1.66, -1.5, -0.21, 0.13, -0.14, -0.23, 0.13, 0.15, -0.4),
    ),
    "own joins": (1.44, 1.51, 1.21),
    "own takes": (-0.41, 1.16, 0.64, 0.73, 0.8),
    "their joins": (1.88, 1.02, 0.12),
    "their takes": (-0.59, 1.3, 0.46, 0.77, 1.21),
}
"""By kind and class; `python -m benchmarks.point_ranking --fit` prints them.

Conditional logit, fitted to 5,368 moves of 14 recorded games on 20x20 to 39x32. Of the moves of a game outside the fit,
33 % rank first, 72 % among the first ten and 83 % among the first 25.
"""


class CaptureThreat(NamedTuple):
    """A threat: with a dot on `point` the player of `seat` captures `dots`, or may close an area that holds them."""

    seat: Seat
    point: Point
    dots: int


def capture_threats(position: DotsPosition, middle: Point) -> list[CaptureThreat]:
    """Returns the best capture of each seat near `middle`, that of the seat to act first; none once the game is
    over."""
    if position.outcome:
        return []
    adjacency = Adjacency(position)
    captures: dict[Seat, list[tuple[int, Point]]] = {
        Seat((position.to_act + turn) % position.rules.seats): [] for turn in range(position.rules.seats)
    }
    for move in position.moves(Zone.square(middle, REACH)):
        for seat, walls in adjacency.dots_around(move.dot).items():
            if dots := _captured(position, adjacency, seat, move.dot, walls):
                captures[seat].append((dots, move.dot))
    return [
        CaptureThreat(seat, point, dots) for seat, found in captures.items() if found for dots, point in [max(found)]
    ]


def capture_points(position: DotsPosition) -> Iterator[Point]:
    """Yields the points where a dot of the seat to act may be the last of a new chain."""
    adjacency, seat = Adjacency(position), position.to_act
    for move in position.moves():
        walls = adjacency.dots_around(move.dot).get(seat, 0)
        if walls.bit_count() > 1 and _may_close(position, adjacency, seat, move.dot, walls):
            yield move.dot


def _captured(position: DotsPosition, adjacency: Adjacency, seat: Seat, point: Point, walls: int) -> int:
    """Returns how many dots a dot of `seat` captures there; their `walls` are beside it."""
    if walls.bit_count() < 2 or not _may_close(position, adjacency, seat, point, walls):
        return 0
    effects = position.with_to_act(seat).consequences_of(point)
    return effects.captures or max((offer.dots for offer in effects.offers if point in offer.chain), default=0)


def _may_close(position: DotsPosition, adjacency: Adjacency, seat: Seat, point: Point, walls: int) -> bool:
    """Returns whether the dot may be part of a new chain; this takes a tenth of the time of `consequences_of`. Only
    far links need no neighbours for that. The last dot of all closes everything enclosed."""
    if position.rules.links is Links.FAR or position.free == 1:
        return True
    met = adjacency.joined_groups(point, walls)
    return len(set(met)) < len(met) or adjacency.encloses(seat, point)


class RankedPoint(NamedTuple):
    """A free crossing; the chance of a dot there is in proportion to `exp(weight)`."""

    point: Point
    weight: float


def rank_points(position: DotsPosition, recent: Sequence[Point], reach: int | None = None) -> list[RankedPoint]:
    """Returns the points where a dot may be placed, the likeliest first; `recent` are the last dots, the newest last.

    With `reach` only points at most that many columns and rows from the newest dot, and beside some dot (`BESIDE`):
    within 4 this takes 0.2 ms.
    """
    found = [
        RankedPoint(point, sum(WEIGHTS[kind][grade] for kind, grade in seen))
        for point, seen in features(position, recent, reach)
    ]
    return sorted(found, key=lambda one: (-one.weight, one.point))


def features(
    position: DotsPosition, recent: Sequence[Point], reach: int | None = None
) -> Iterator[tuple[Point, Features]]:
    """Lists the points where a dot may be placed, each with its features, to which the weights are fitted."""
    sight = _Sight(position, recent)
    newest = [*zip(("last", "before", "third", "fourth"), reversed(recent[-RECENT_DOTS:]), strict=False)]
    zone = None if reach is None or not recent else Zone.square(recent[-1], reach)
    beside = None if zone is None else _beside_dots(position, zone)
    for move in position.moves(zone):
        x, y = point = move.dot
        if beside is None or beside[y] >> x & 1:
            near = [(kind, _REMOTENESS[abs(x - dot.x)][abs(y - dot.y)]) for kind, dot in newest]
            yield point, (*near, *sight.around(point))


def _beside_dots(position: DotsPosition, zone: Zone) -> Mapping[int, int]:
    """Returns the crossings beside a dot that a zone may have: for each row of the field a bit for each column."""
    field, found = position.field, defaultdict[int, int](int)
    across = (1 << 2 * BESIDE + 1) - 1
    for cell in field.grid.within(zone.grown(BESIDE)):
        if field.placed[cell]:
            x, y = field.grid.point(cell)
            for row in range(y - BESIDE, y + BESIDE + 1):
                found[row] |= across << x >> BESIDE
    return found


class _Sight:
    """The features of the free crossings of a position."""

    def __init__(self, position: DotsPosition, recent: Sequence[Point]) -> None:
        self._position = position
        self._recent = recent[-RECENT_DOTS:]
        self._asks_all = position.rules.closing is Closing.AUTOMATIC
        self._far = Point(position.rules.width - 1, position.rules.height - 1)
        self._adjacency = Adjacency(position)

    def around(self, point: Point) -> Iterator[tuple[str, int]]:
        """Lists the features of a free crossing that its surroundings make."""
        adjacency, mover, (x, y) = self._adjacency, self._position.to_act, point
        yield "edge", min(x, y, self._far.x - x, self._far.y - y, 4)
        owner = adjacency.house_owner(point, mover)
        if owner is not None:
            yield "house", int(owner != mover)
        walls = adjacency.dots_around(point)
        mine, theirs = walls.pop(mover, 0), 0
        for bits in walls.values():
            theirs |= bits
        yield "shape", SHAPES[mine] * 9 + SHAPES[theirs]
        if GAPS[mine]:
            yield from self._join_features("own", point, mover, mine)
        for seat, bits in walls.items():
            if GAPS[bits]:
                yield from self._join_features("their", point, seat, bits)

    def _join_features(self, whose: str, point: Point, seat: Seat, walls: int) -> Iterator[tuple[str, int]]:
        """Lists the features of joining: chains, or the two ends of one, and then the dots that this captures."""
        met = self._adjacency.joined_groups(point, walls)
        joined = len(set(met))
        yield f"{whose} joins", min(joined - 1, 2)
        if joined < len(met):
            yield f"{whose} takes", _graded(self._capturable(point, seat))

    def _capturable(self, point: Point, seat: Seat) -> int:
        """Returns the number of dots that `seat` could capture with a dot there."""
        if not self._asks_all and not any(steps_between(point, dot) <= ASK_REACH for dot in self._recent):
            return 0
        position = self._position
        try:
            effects = (position if seat == position.to_act else position.with_to_act(seat)).consequences_of(point)
        except IllegalMove:  # their first dot must lie elsewhere
            return 0
        return effects.captures + max((offer.dots for offer in effects.offers if point in offer.chain), default=0)


def _graded(dots: int) -> int:
    """Returns the class of a number: none, one, two, three or four, or more."""
    return 4 if dots > 4 else min(dots, 3)


def _remoteness(right: int, up: int) -> int:
    """Returns the class of a crossing at this distance in columns and rows."""
    near, far = sorted((right, up))
    if far <= NEAR:
        return far * (far + 1) // 2 + near
    return _PLACES + min(far, FAR + 1) - NEAR - 1


_REMOTENESS = [[_remoteness(right, up) for up in range(60)] for right in range(60)]
