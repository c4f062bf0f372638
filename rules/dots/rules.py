"""The option values of a game of Dots together: which of them fit, and what a position needs to know of them.

Starts (docs/rules-reference.md, Starts) are the dots on the field before the first move, seat by seat.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from rules.dots.options import MAX_CROSSES, Closing, Ending, Links, Measure, Reuse, Scoring, Setup, Win
from rules.dots.turn import Move, Turn, parse_move
from rules.game import BadNotation, BadOption, Point, Seat, Zone, column_name

Stones = tuple[tuple[Seat, Point], ...]

SINGLE = ("01", "10")
DOUBLE = ("0110", "1001")
"""Rows from the top, a digit for the seat of each dot."""

_FOUR_ON_USUAL_PAGE = ((11, 10), (26, 10), (26, 20), (11, 20))

MIN_OFFERED_SIDE, MAX_SIDE = 5, 60
"""Crossings a side. Matches are offered from 5x5; the rules themselves, and records, go down to 1x1."""

FOR_TWO = frozenset({"zagram", "zagram-territory", "szkrab", "zagram-no-territory", "two-squares"})
"""Presets for two players only, except in records: those of zagram and szkrab, and the one with far links."""

RANDOM = (Setup.RANDOM, Setup.RANDOM_DOUBLE)
"""The set-ups drawn by chance. Once drawn, their dots are kept in `DotsRules.stones` and never drawn again."""


def stones(setup: Setup, width: int, height: int) -> Stones:
    """Returns the dots of a fixed set-up. Rows are counted from the top here, as on the rules page."""
    if setup is Setup.CROSS:
        return _placed(SINGLE, ((width // 2 - 1, height // 2 - 1),), height)
    if setup is Setup.DOUBLE:
        return _placed(DOUBLE, ((width // 2 - 2, height // 2 - 1),), height)
    if setup is Setup.FOUR:
        if (width, height) == (39, 32):
            return _placed(SINGLE, _FOUR_ON_USUAL_PAGE, height)
        left, top = (width - 3) // 3, (height - 3) // 3
        right, bottom = width - 2 - left, height - 2 - top
        return _placed(SINGLE, ((left, top), (right, top), (right, bottom), (left, bottom)), height)
    return ()


def random_stones(setup: Setup, width: int, height: int, crosses: int, seed: int) -> Stones:
    """Returns `crosses` crosses in random places, at least one crossing between any two, away from the edge."""
    pattern = SINGLE if setup is Setup.RANDOM else DOUBLE
    chance = random.Random(seed)  # noqa: S311 - a set-up is no secret
    free = list(_places(pattern, width, height))
    corners = []
    for _ in range(crosses):
        corner = chance.choice(free)
        corners.append(corner)
        free = [place for place in free if not _touch(pattern, place, corner)]
    return _placed(pattern, tuple(corners), height)


def handicap_stones(count: int, width: int, height: int, others: Stones) -> Stones:
    """Returns `count` extra dots of the first seat: on the quarter points in the order of go, or on the free crossing
    nearest to each (the lower, then the left one of several). `others` are the dots that are there already."""
    x, y = width // 4, height // 4
    right, top, middle, centre = width - 1 - x, height - 1 - y, width // 2, height // 2
    corners = ((x, y), (right, top), (right, y), (x, top))
    sides = ((x, centre), (right, centre), (middle, y), (middle, top))
    taken, found = {point for _, point in others}, []
    for column, row in (*corners, *sides)[:count]:
        nearest: Point | None = Point(column, row)
        if nearest in taken:
            free = (Point(i, j) for j in range(height) for i in range(width) if Point(i, j) not in taken)
            nearest = min(free, key=lambda point: (point.x - column) ** 2 + (point.y - row) ** 2, default=None)
        if nearest is not None:
            taken.add(nearest)
            found.append((Seat(0), nearest))
    return tuple(found)


def room_for(setup: Setup, width: int, height: int) -> int:
    """Returns how many random crosses always find room, in any places of the first ones."""
    pattern = SINGLE if setup is Setup.RANDOM else DOUBLE
    places = set(_places(pattern, width, height))
    spoilt = (2 * len(pattern[0]) + 1) * (2 * len(pattern) + 1)
    return -(-len(places) // spoilt)


def _places(pattern: tuple[str, ...], width: int, height: int) -> Iterator[tuple[int, int]]:
    margin = min(width, height) // 5
    for y in range(margin, height - margin - len(pattern) + 1):
        for x in range(margin, width - margin - len(pattern[0]) + 1):
            yield x, y


def _touch(pattern: tuple[str, ...], one: tuple[int, int], other: tuple[int, int]) -> bool:
    return abs(one[0] - other[0]) <= len(pattern[0]) and abs(one[1] - other[1]) <= len(pattern)


def _placed(pattern: tuple[str, ...], corners: tuple[tuple[int, int], ...], height: int) -> Stones:
    return tuple(
        (Seat(int(digit)), Point(x + dx, height - 1 - y - dy))
        for x, y in corners
        for dy, row in enumerate(pattern)
        for dx, digit in enumerate(row)
    )


@dataclass(frozen=True, slots=True)
class DotsRules:
    """The options of a game of Dots. Raises BadOption for options that make no game together."""

    key: str
    width: int
    height: int
    setup: Setup
    seats: int = 2
    crosses: int = 1
    """The number of random crosses."""
    stones: Stones = ()
    areas: Stones = ()
    """A crossing inside each area of a set-up, which is closed from the first to the last; only by rules that leave
    closing to players."""
    begins: Seat = Seat(0)  # noqa: RUF009 - a number
    """The seat that moves first from a set-up."""
    closing: Closing = Closing.AUTOMATIC
    measure: Measure = Measure.AREA
    links: Links = Links.NEAR
    scoring: Scoring = Scoring.DOTS
    ending: Ending = Ending.FULL
    landing: bool = False
    extra_move: bool = False
    win: Win | None = None
    reuse: Reuse = Reuse.ONE
    handicap: int = 0
    """Extra dots of the first seat, on the field before the first move (docs/rules-reference.md, Handicap)."""
    komi: float = 0.0
    """Points of the first seat in advance. Instant wins count captured dots only."""
    former: bool = False
    """Whether the contest was stored before there was `reuse`: it goes on by the rules of that time (decision 0046)."""

    def __post_init__(self) -> None:
        if not (1 <= self.width <= MAX_SIDE and 1 <= self.height <= MAX_SIDE):
            raise BadOption("bad_size", smallest=1, largest=MAX_SIDE)
        if not 2 <= self.seats <= 4:
            raise BadOption("bad_seats")
        self._check_setup()
        self._check_rules()

    def _check_setup(self) -> None:
        if self.stones and self.setup not in (Setup.STONES, *RANDOM):
            raise BadOption("bad_start")
        if (self.areas or self.begins) and self.setup is not Setup.STONES:
            raise BadOption("bad_start")
        if not all(
            0 <= seat < self.seats for seat in (self.begins, *(seat for seat, _ in (*self.stones, *self.areas)))
        ):
            raise BadOption("bad_seats")
        if self.seats > 2 and self.setup not in (Setup.EMPTY, Setup.STONES):
            raise BadOption("crosses_need_two")
        if self.setup in RANDOM:
            room = min(MAX_CROSSES, room_for(self.setup, self.width, self.height))
            if not 1 <= self.crosses <= room:
                raise BadOption("no_room_for_crosses", most=room)
        elif self.crosses != 1:
            raise BadOption("crosses_need_random")
        dots = [point for _, point in stones(self.setup, self.width, self.height)]
        if len(set(dots)) < len(dots) or not all(map(self.contains, dots)):
            raise BadOption("no_room_for_cross")
        if self.handicap and len(self.first_dots) >= self.width * self.height:
            raise BadOption("no_room_for_handicap")

    def _check_rules(self) -> None:
        if self.seats > 2:
            if self.key in FOR_TWO and not self.former and self.setup is not Setup.STONES:
                raise BadOption("preset_needs_two")
            if self.closing is Closing.DRAWN:
                raise BadOption("drawn_needs_two")
            if self.ending is not Ending.FULL:
                raise BadOption("stop_needs_two")
            if self.landing:
                raise BadOption("landing_needs_two")
            if self.scoring is Scoring.TERRITORY:
                raise BadOption("territory_needs_two")
            if self.handicap or self.komi:
                raise BadOption("handicap_needs_two")
        if self.scoring is Scoring.TERRITORY and self.closing is not Closing.PAINTED:
            raise BadOption("territory_needs_painted")
        if self.scoring is Scoring.TERRITORY and self.landing and not self.former:
            raise BadOption("territory_never_lands")
        if self.measure is Measure.LENGTH and self.closing is Closing.DRAWN:
            raise BadOption("length_never_drawn")
        if self.reuse is not Reuse.ONE and self.closing is not Closing.DRAWN:
            raise BadOption("reuse_needs_drawn")
        if self.ending is Ending.PLAY_OUT and self.closing is not Closing.AUTOMATIC:
            raise BadOption("play_out_needs_automatic")
        if self.links is Links.FAR:
            if self.closing is not Closing.DRAWN:
                raise BadOption("far_needs_drawn")
            if self.ending is not Ending.FULL or self.landing:
                raise BadOption("far_never_stops")

    @property
    def edges(self) -> dict[str, str | int]:
        """The names of the last column and row, for the refusal of a crossing off the field."""
        return {"column": column_name(self.width - 1), "row": self.height}

    @property
    def counts_pools(self) -> bool:
        """Whether an agreed end counts zagram's pools (docs/rules-reference.md, Ending by agreement)."""
        if self.links is Links.FAR:
            return False
        drawn = self.closing is Closing.DRAWN and self.reuse is Reuse.ONE and self.scoring is Scoring.DOTS
        return drawn or self.former

    @property
    def first_dots(self) -> Stones:
        """The dots on the field before the first move: the set-up, and then the extra dots."""
        dots = self.stones or stones(self.setup, self.width, self.height)
        return (*dots, *handicap_stones(self.handicap, self.width, self.height, dots))

    @property
    def opening_zone(self) -> Zone | None:
        """The central third, where each player's first dot must lie on a field that starts empty."""
        if self.setup is not Setup.EMPTY:
            return None
        x, y = self.width // 3, self.height // 3
        return Zone(Point(x, y), Point(self.width - x - 1, self.height - y - 1))

    def contains(self, point: Point) -> bool:
        return 0 <= point.x < self.width and 0 <= point.y < self.height

    def parse(self, text: str) -> Move:
        """Returns the move that `text` names (`rules.dots.turn`). Raises BadNotation, also for crossings off the field
        (`off_field`)."""
        move = parse_move(text)
        if isinstance(move, Turn) and not all(map(self.contains, move.points)):
            raise BadNotation("off_field", **self.edges)
        return move
