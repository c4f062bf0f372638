"""The rule set of Dots as a value: its options, and the field that they start with."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from rules.dots import setups
from rules.dots.closing import place
from rules.dots.field import Field
from rules.dots.grid import grid
from rules.dots.options import (
    MOST_CROSSES,
    Closing,
    Ending,
    Links,
    Measure,
    Scoring,
    Setup,
    Win,
    parse_switch,
    parse_win,
)
from rules.dots.position import DotsPosition
from rules.dots.setups import Stones
from rules.dots.turn import Chain, Move, Turn, parse_move
from rules.game import BadNotation, BadOption, IllegalMove, Point, Seat
from rules.notation import column_name, parse_point, point_name
from rules.picture import Zone

SMALLEST_OFFERED, LARGEST = 5, 60
"""Crossings a side: matches are offered from 5x5; the rules themselves, and records, go down to 1x1."""

RANDOM = (Setup.RANDOM, Setup.RANDOM_DOUBLE)
"""The set-ups that are drawn; once drawn, their dots stand in `Dots.stones` and are never made again."""

_SIZE = re.compile(r"(\d{1,3})(?:\s*[x×хX*: ]\s*(\d{1,3}))?")

Option = TypeVar("Option", Setup, Closing, Measure, Links, Scoring, Ending)


@dataclass(frozen=True, slots=True)
class Dots:
    """A rule set of Dots. Raises BadOption for options that make no game together."""

    key: str
    width: int
    height: int
    setup: Setup
    seats: int = 2
    crosses: int = 1
    """How many random crosses there are."""
    stones: Stones = ()
    closing: Closing = Closing.AUTOMATIC
    measure: Measure = Measure.AREA
    links: Links = Links.NEAR
    scoring: Scoring = Scoring.DOTS
    ending: Ending = Ending.FULL
    landing: bool = False
    extra_move: bool = False
    win: Win | None = None

    def __post_init__(self) -> None:
        if not (1 <= self.width <= LARGEST and 1 <= self.height <= LARGEST):
            raise BadOption("bad_size", smallest=1, largest=LARGEST)
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
            room = min(MOST_CROSSES, setups.room_for(self.setup, self.width, self.height))
            if not 1 <= self.crosses <= room:
                raise BadOption("no_room_for_crosses", most=room)
        elif self.crosses != 1:
            raise BadOption("crosses_need_random")
        dots = [point for _, point in setups.stones(self.setup, self.width, self.height)]
        if len(set(dots)) < len(dots) or not all(self._holds(point) for point in dots):
            raise BadOption("no_room_for_cross")

    def _check_rules(self) -> None:
        if self.seats > 2:
            if self.closing is Closing.DRAWN:
                raise BadOption("drawn_needs_two")
            if self.ending is not Ending.FULL:
                raise BadOption("stop_needs_two")
            if self.landing:
                raise BadOption("landing_needs_two")
            if self.scoring is Scoring.TERRITORY:
                raise BadOption("territory_needs_two")
        if self.scoring is Scoring.TERRITORY and self.closing is not Closing.PAINTED:
            raise BadOption("territory_needs_painted")
        if self.measure is Measure.LENGTH and self.closing is not Closing.AUTOMATIC:
            raise BadOption("length_needs_automatic")
        if self.ending is Ending.PLAY_OUT and self.closing is not Closing.AUTOMATIC:
            raise BadOption("play_out_needs_automatic")
        if self.links is Links.FAR:
            if self.closing is not Closing.DRAWN:
                raise BadOption("far_needs_drawn")
            if self.ending is not Ending.FULL or self.landing:
                raise BadOption("far_never_stops")

    @property
    def options(self) -> Mapping[str, str]:
        options = {
            "size": f"{self.width}x{self.height}",
            "seats": str(self.seats),
            "start": self.setup.value,
            "crosses": str(self.crosses),
            "closing": self.closing.value,
            "chain": self.measure.value,
            "links": self.links.value,
            "scoring": self.scoring.value,
            "ending": self.ending.value,
            "landing": "on" if self.landing else "off",
            "extra-move": "on" if self.extra_move else "off",
            "win": str(self.win or "none").lower(),
        }
        if self.stones:
            options["stones"] = " ".join(f"{seat}:{point_name(point)}" for seat, point in self.stones)
        return options

    def configured(self, options: Mapping[str, str]) -> Dots:
        """This game with other options, each as text (see `options`): `size` is `39x32` or `20`, in the bounds in which
        matches are offered; `stones` are the dots of a set-up in their order, each after its seat, `0:K12 1:K11`.
        """
        values = {**self.options, **options}
        if "start" in options and "stones" not in options:
            values.pop("stones", None)
        for option in options:
            if option not in (*self.options, "stones"):
                raise BadOption("unknown_option", option=option)
        width, height = _size(values["size"])
        return replace(
            self,
            width=width,
            height=height,
            seats=_number(values["seats"], "bad_seats"),
            setup=_choice(Setup, values["start"], "bad_start"),
            crosses=_number(values["crosses"], "bad_crosses"),
            stones=_stones(values.get("stones", "")),
            closing=_choice(Closing, values["closing"], "bad_closing"),
            measure=_choice(Measure, values["chain"], "bad_chain"),
            links=_choice(Links, values["links"], "bad_links"),
            scoring=_choice(Scoring, values["scoring"], "bad_scoring"),
            ending=_choice(Ending, values["ending"], "bad_ending"),
            landing=parse_switch(values["landing"]),
            extra_move=parse_switch(values["extra-move"]),
            win=parse_win(values["win"]),
        )

    @property
    def edges(self) -> dict[str, str | int]:
        """The names of the last column and row, for whoever missed the field."""
        return {"column": column_name(self.width - 1), "row": self.height}

    @property
    def opening_zone(self) -> Zone | None:
        """The central third, where each player's first dot must lie on a field that starts empty."""
        if self.setup is not Setup.EMPTY:
            return None
        x, y = self.width // 3, self.height // 3
        return Zone(Point(x, y), Point(self.width - x - 1, self.height - y - 1))

    @property
    def counts(self) -> str:
        return "dots" if self.scoring is Scoring.DOTS else "points"

    def settled(self, seed: int) -> Dots:
        if self.setup not in RANDOM or self.stones:
            return self
        drawn = setups.random_stones(self.setup, self.width, self.height, self.crosses, seed)
        return replace(self, stones=drawn)

    def start(self, seed: int) -> DotsPosition:
        """The field with its set-up. Raises IllegalMove if a record's set-up has two dots on one crossing, or one off
        the field."""
        field = Field(grid(self.width, self.height), self.seats)
        stones = self.settled(seed).stones or setups.stones(self.setup, self.width, self.height)
        for seat, point in stones:
            if not self._holds(point):
                raise IllegalMove("off_field", **self.edges)
            cell = field.grid.index(point)
            if field.placed[cell]:
                raise IllegalMove("occupied", point=point_name(point))
            if self.closing is not Closing.AUTOMATIC:
                field.put(seat + 1, cell)
            elif field.owner[cell]:
                field.lay(seat + 1, cell)
            else:
                place(field, seat + 1, cell, self.measure)
        return DotsPosition.first(self, field)

    def parse(self, text: str) -> Move:
        move = parse_move(text)
        if isinstance(move, Turn) and not all(map(self._holds, _mentioned(move))):
            raise BadNotation("off_field", **self.edges)
        return move

    def _holds(self, point: Point) -> bool:
        return 0 <= point.x < self.width and 0 <= point.y < self.height


def _mentioned(turn: Turn) -> Chain:
    return (turn.dot, *turn.paints, *(point for chain in turn.chains for point in chain))


def _size(text: str) -> tuple[int, int]:
    match = _SIZE.fullmatch(text.strip())
    width, height = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
    if not (SMALLEST_OFFERED <= width <= LARGEST and SMALLEST_OFFERED <= height <= LARGEST):
        raise BadOption("bad_size", smallest=SMALLEST_OFFERED, largest=LARGEST)
    return width, height


def _choice(kind: type[Option], text: str, key: str) -> Option:
    plain = text.strip().lower()
    if plain not in set(kind):
        raise BadOption(key, choices=", ".join(kind))
    return kind(plain)


def _number(text: str, key: str) -> int:
    plain = text.strip()
    if not (plain.isascii() and plain.isdigit() and len(plain) == 1):
        raise BadOption(key)
    return int(plain)


def _stones(text: str) -> Stones:
    try:
        pairs = [dot.split(":") for dot in text.split()]
        return tuple((Seat(int(seat)), parse_point(name)) for seat, name in pairs)
    except (ValueError, BadNotation) as error:
        raise BadOption("bad_start") from error
