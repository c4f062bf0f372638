"""The field of Dot Dash: its crossings, runs of five stones of one colour, the ways of dashes, and stones as players
see them.

A set of its crossings is one integer, with a bit for each crossing. A way has at least three crossings along a line,
over empty crossings to an empty one.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import NamedTuple

from rules.game import BadNotation, Bar, IllegalMove, Picture, Point, Seat, Stone, Trail, point_name

WAYS = ((1, 0), (1, 1), (0, 1), (-1, 1))
"""The four directions of lines as (x, y) of one step; the other four of the eight are their opposites."""

LENGTH = 5
APART = LENGTH - 1
"""The smallest number of steps between the starts of two fives on one line."""

FREE = (0, 0, 0, 0)
"""The argument `taken` of `stretches` while no five is credited."""

MIN_LENGTH = 3
"""Crossings from the start of a dash to its end."""

MIN_RESERVE = 2
"""Stones that a dash needs: it leaves them on the crossings just behind its end."""

SEATS = (Seat(0), Seat(1))


class Board:
    """A field of `size` x `size` crossings."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._stride = size + 1
        self.steps = tuple(y * self._stride + x for x, y in WAYS)
        """The number of bits of one step, for each of WAYS."""
        self.field = sum(((1 << size) - 1) << y * self._stride for y in range(size))
        """The set of all crossings."""
        self.points = tuple(Point(cell % self._stride, cell // self._stride) for cell in range(self._stride * size))
        """The crossing of each bit."""

    def contains(self, point: Point) -> bool:
        return 0 <= point.x < self.size and 0 <= point.y < self.size

    def cell(self, point: Point) -> int:
        """Returns the number of the bit of a crossing."""
        return point.y * self._stride + point.x

    def bits(self, points: Iterable[Point]) -> int:
        """Returns the set of these crossings."""
        return sum(1 << self.cell(point) for point in set(points))

    def members(self, crossings: int) -> Iterator[Point]:
        """Returns the crossings of a set, row by row from the bottom left."""
        return (self.points[cell] for cell in cells(crossings))


def cells(crossings: int) -> Iterator[int]:
    """Lists the numbers of the bits in a set, ascending."""
    while crossings:
        lowest = crossings & -crossings
        yield lowest.bit_length() - 1
        crossings ^= lowest


def shift(crossings: int, step: int) -> int:
    """Returns the set of crossings from which `step` leads to one of `crossings`."""
    return crossings >> step if step > 0 else crossings << -step


@lru_cache(maxsize=16)
def board(size: int) -> Board:
    """Returns the board of that size; boards never change, so there is one of each."""
    return Board(size)


class Five(NamedTuple):
    """Five crossings in a straight line, from `first` along `WAYS[way]`; written by its ends, `B3-F3`."""

    first: Point
    way: int

    @property
    def points(self) -> tuple[Point, ...]:
        dx, dy = WAYS[self.way]
        return tuple(Point(self.first.x + dx * step, self.first.y + dy * step) for step in range(LENGTH))

    def __str__(self) -> str:
        return f"{point_name(self.first)}-{point_name(self.points[-1])}"


def five_between(one: Point, other: Point) -> Five:
    """Returns the five with these ends, in either order. Raises BadNotation unless they are five crossings apart."""
    for first, last in ((one, other), (other, one)):
        for way, (dx, dy) in enumerate(WAYS):
            if last == (first.x + dx * APART, first.y + dy * APART):
                return Five(first, way)
    raise BadNotation("no_five", five=f"{point_name(one)}-{point_name(other)}")


class Stretch(NamedTuple):
    """Fives of one line, each starting one step after the one before, that compete for being credited."""

    fives: tuple[Five, ...]

    @property
    def credits(self) -> int:
        """The largest number of these fives that can be credited at once."""
        return (len(self.fives) + APART - 1) // APART

    @property
    def is_choice(self) -> bool:
        return len(self.fives) % APART != 1

    def creditings(self) -> Iterator[frozenset[Five]]:
        """Lists the ways to credit as many as possible. The first, the default, begins at the left end and packs the
        fives closely; on an upright line, at the bottom."""
        slack = len(self.fives) - 1 - APART * (self.credits - 1)
        for shifts in combinations_with_replacement(range(slack + 1), self.credits):
            yield frozenset(self.fives[APART * number + shift] for number, shift in enumerate(shifts))


def stretches(board: Board, stones: int, taken: tuple[int, ...] = FREE) -> Iterator[Stretch]:
    """Lists all fives that `stones` of one colour can be credited with. No five may start at the crossings that
    `taken` has for its direction. Fives of different stretches never compete."""
    for way, step in enumerate(board.steps):
        twos = stones & stones >> step
        fours = twos & twos >> 2 * step
        if not fours:
            continue
        starts = fours & stones >> APART * step & ~taken[way]
        while starts:
            start = starts & -starts
            fives = []
            while starts & start:
                starts ^= start
                fives.append(Five(board.points[start.bit_length() - 1], way))
                start <<= step
            # A falling line is walked from its right end, up and to the left.
            yield Stretch(tuple(reversed(fives) if WAYS[way][0] < 0 else fives))


def count(board: Board, stones: int) -> int:
    """Returns how many fives `stones` of one colour hold."""
    return sum(stretch.credits for stretch in stretches(board, stones))


def taken_by(board: Board, credited: Iterable[Five]) -> tuple[int, ...]:
    """Returns, for each direction, the crossings where no five may start: it would share more than one crossing with a
    credited five."""
    taken = [0, 0, 0, 0]
    for first, way in credited:
        # Off the field this marks crossings of other lines, but none with room for a five in this direction.
        for steps in range(1 - APART, APART):
            taken[way] |= shift(1 << board.cell(first), steps * board.steps[way])
    return tuple(taken)


class Path(NamedTuple):
    """A dash by the numbers of its crossings' bits: from `start` to `end` in steps of `step`."""

    start: int
    end: int
    step: int

    @property
    def passed(self) -> range:
        """The crossings between start and end, in order."""
        return range(self.start + self.step, self.end, self.step)

    @property
    def behind(self) -> int:
        """The set of the two crossings where the stones from the reserve go."""
        return 1 << self.end - self.step | 1 << self.end - 2 * self.step


def path_between(board: Board, start: Point, end: Point) -> Path:
    """Returns the path of a dash, also one with stones in its way. Raises IllegalMove for a bent or a short one."""
    right, up = end.x - start.x, end.y - start.y
    if right and up and abs(right) != abs(up):
        raise IllegalMove("not_straight", start=point_name(start), end=point_name(end))
    length = max(abs(right), abs(up))
    if length < MIN_LENGTH:
        raise IllegalMove("too_short", least=MIN_LENGTH)
    here, there = board.cell(start), board.cell(end)
    return Path(here, there, (there - here) // length)


def paths(board: Board, movers: int, empty: int, targets: int) -> Iterator[Path]:
    """Lists every dash of the stones `movers` over `empty` crossings to an empty one, or to one of `targets`."""
    for along in board.steps:
        for step in (along, -along):
            length = MIN_LENGTH
            running = movers & shift(empty, step) & shift(empty, 2 * step)
            while running:
                stopping = running & shift(empty | targets, length * step)
                for start in cells(stopping):
                    yield Path(start, start + length * step, step)
                running = stopping & shift(empty, length * step)
                length += 1


def picture(
    board: Board,
    stones: tuple[int, int],
    fives: tuple[frozenset[Five], frozenset[Five]],
    last: tuple[Point, ...],
    trail: Trail | None,
) -> Picture:
    """Returns the stones and credited fives of both seats, and the last turn."""
    credited = [{point for five in fives[seat] for point in five.points} for seat in SEATS]
    shapes = [
        Stone(point, seat, credited=point in credited[seat]) for seat in SEATS for point in board.members(stones[seat])
    ]
    return Picture(
        board.size,
        board.size,
        stones=tuple(sorted(shapes, key=lambda stone: (stone.point.y, stone.point.x))),
        bars=tuple(Bar(seat, five.points[0], five.points[-1]) for seat in SEATS for five in sorted(fives[seat])),
        trail=trail,
        last=last,
        blocks=True,
    )


def rows(board: Board, stones: tuple[int, int]) -> list[str]:
    """Returns the field in letters, rows from the top: `.` free, `R` and `B` the stones of seats 0 and 1."""
    letters = [["."] * board.size for _ in range(board.size)]
    for letter, own in zip("RB", stones, strict=True):
        for x, y in board.members(own):
            letters[board.size - 1 - y][x] = letter
    return ["".join(row) for row in letters]
