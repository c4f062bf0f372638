"""The option values of a game of Dots together: which of them fit, and what a position needs to know of them."""

from __future__ import annotations

from dataclasses import dataclass

from rules.dots import setups
from rules.dots.options import MAX_CROSSES, Closing, Ending, Links, Measure, Reuse, Scoring, Setup, Win
from rules.dots.setups import Stones
from rules.dots.turn import Move, Turn, parse_move
from rules.game import BadNotation, BadOption
from rules.notation import column_name
from rules.picture import Zone
from rules.point import Point

MIN_OFFERED_SIDE, MAX_SIDE = 5, 60
"""Crossings a side. Matches are offered from 5x5; the rules themselves, and records, go down to 1x1."""

FOR_TWO = frozenset({"zagram", "zagram-territory", "szkrab", "zagram-no-territory", "two-squares"})
"""Presets for two players only, except in records: those of zagram and szkrab, and the one with far links."""

RANDOM = (Setup.RANDOM, Setup.RANDOM_DOUBLE)
"""The set-ups drawn by chance. Once drawn, their dots are kept in `DotsRules.stones` and never drawn again."""


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
        if not all(0 <= seat < self.seats for seat, _ in self.stones):
            raise BadOption("bad_seats")
        if self.seats > 2 and self.setup not in (Setup.EMPTY, Setup.STONES):
            raise BadOption("crosses_need_two")
        if self.setup in RANDOM:
            room = min(MAX_CROSSES, setups.room_for(self.setup, self.width, self.height))
            if not 1 <= self.crosses <= room:
                raise BadOption("no_room_for_crosses", most=room)
        elif self.crosses != 1:
            raise BadOption("crosses_need_random")
        dots = [point for _, point in setups.stones(self.setup, self.width, self.height)]
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
        dots = self.stones or setups.stones(self.setup, self.width, self.height)
        return (*dots, *setups.handicap_stones(self.handicap, self.width, self.height, dots))

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
