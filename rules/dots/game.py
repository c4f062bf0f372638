"""The game of Dots: its options as text, what chance decides, and the first position."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from rules.dots import setups
from rules.dots.options import (
    MAX_HANDICAP,
    Closing,
    Ending,
    Links,
    Measure,
    Reuse,
    Scoring,
    Setup,
    parse_komi,
    parse_switch,
    parse_win,
)
from rules.dots.position import DotsPosition
from rules.dots.rules import MAX_SIDE, MIN_OFFERED_SIDE, RANDOM, DotsRules
from rules.dots.setups import Stones
from rules.game import BadNotation, BadOption
from rules.notation import parse_point, parse_size, point_name
from rules.point import Seat

Option = TypeVar("Option", Setup, Closing, Measure, Links, Reuse, Scoring, Ending)


@dataclass(frozen=True, slots=True)
class Dots(DotsRules):
    """A rule set of Dots."""

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
            **({} if self.former else {"reuse": self.reuse.value}),
            "scoring": self.scoring.value,
            "ending": self.ending.value,
            "landing": "on" if self.landing else "off",
            "extra-move": "on" if self.extra_move else "off",
            "win": str(self.win or "none").lower(),
            "handicap": str(self.handicap),
            "komi": f"{self.komi:g}",
        }
        if self.stones:
            options["stones"] = " ".join(f"{seat}:{point_name(point)}" for seat, point in self.stones)
        return options

    def with_options(self, options: Mapping[str, str]) -> Dots:
        """Returns this game with other options, each as text (see `options`).

        `size` is `39x32` or `20`, within the bounds in which matches are offered. `stones` are the dots of a set-up in
        their order, each after its seat: `0:K12 1:K11`.
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
            reuse=_choice(Reuse, values.get("reuse", self.reuse), "bad_reuse"),
            scoring=_choice(Scoring, values["scoring"], "bad_scoring"),
            ending=_choice(Ending, values["ending"], "bad_ending"),
            landing=parse_switch(values["landing"]),
            extra_move=parse_switch(values["extra-move"]),
            win=parse_win(values["win"]),
            handicap=_handicap(values["handicap"]),
            komi=parse_komi(values["komi"]),
        )

    @property
    def score_unit(self) -> str:
        return "dots" if self.scoring is Scoring.DOTS else "points"

    def resolve_chance(self, seed: int) -> Dots:
        if self.setup not in RANDOM or self.stones:
            return self
        drawn = setups.random_stones(self.setup, self.width, self.height, self.crosses, seed)
        return replace(self, stones=drawn)

    def start(self, seed: int) -> DotsPosition:
        """Returns the field with its set-up. Raises IllegalMove if a record's set-up has two dots on one crossing, or
        one off the field."""
        return DotsPosition.first(self.resolve_chance(seed))


def _size(text: str) -> tuple[int, int]:
    width, height = parse_size(text) or (0, 0)
    if not (MIN_OFFERED_SIDE <= width <= MAX_SIDE and MIN_OFFERED_SIDE <= height <= MAX_SIDE):
        raise BadOption("bad_size", smallest=MIN_OFFERED_SIDE, largest=MAX_SIDE)
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


def _handicap(text: str) -> int:
    count = _number(text, "bad_handicap")
    if count > MAX_HANDICAP:
        raise BadOption("bad_handicap")
    return count


def _stones(text: str) -> Stones:
    try:
        pairs = [dot.split(":") for dot in text.split()]
        return tuple((Seat(int(seat)), parse_point(name)) for seat, name in pairs)
    except (ValueError, BadNotation) as error:
        raise BadOption("bad_start") from error
