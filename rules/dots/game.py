"""The game of Dots: its options as text, what chance decides, and the first position."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypeVar

from rules.dots import rules
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
from rules.dots.rules import MAX_SIDE, MIN_OFFERED_SIDE, RANDOM, DotsRules, Stones
from rules.dots.turn import Turn
from rules.game import BadNotation, BadOption, Opening, Seat, parse_point, parse_size, point_name
from rules.opening import opening_text, parse_opening, play_opening

SET_UP = ("stones", "areas", "begins")
"""The options that only a set-up has."""

CACHED_OPENINGS = 64
"""First positions after an opening that are kept: a take-back or a film begins with it anew, and its turns take up to
100 ms."""

Option = TypeVar("Option", Setup, Closing, Measure, Links, Reuse, Scoring, Ending)


@dataclass(frozen=True, slots=True)
class Dots(DotsRules):
    """A rule set of Dots."""

    opening: Opening | None = None

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
            options["stones"] = _dots_text(self.stones)
        if self.areas:
            options["areas"] = _dots_text(self.areas)
        if self.begins:
            options["begins"] = str(self.begins)
        if self.opening:
            options["opening"] = opening_text(self.opening)
        return options

    def with_options(self, options: Mapping[str, str]) -> Dots:
        """Returns this game with other options, each as text (see `options`).

        `size` is `39x32` or `20`, within the bounds in which matches are offered. `stones` are the dots of a set-up in
        their order, each after its seat: `0:K12 1:K11`; `areas` are a crossing in each of its areas, in the same
        form. An `opening` stays only where it is given again: it fits no other options.
        """
        own = self.options
        values = {**own, **options}
        for option in SET_UP:
            if "start" in options and option not in options:
                values.pop(option, None)
        for option in options:
            if option not in (*own, *SET_UP, "opening"):
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
            areas=_stones(values.get("areas", "")),
            begins=Seat(_number(values.get("begins", "0"), "bad_seats")),
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
            opening=parse_opening(options.get("opening", "")) if options else self.opening,
        )

    @property
    def score_unit(self) -> str:
        return "dots" if self.scoring is Scoring.DOTS else "points"

    def resolve_chance(self, seed: int) -> Dots:
        if self.setup not in RANDOM or self.stones:
            return self
        drawn = rules.random_stones(self.setup, self.width, self.height, self.crosses, seed)
        return replace(self, stones=drawn)

    def start(self, seed: int) -> DotsPosition:
        """Returns the field with its set-up, after the opening. Raises IllegalMove if a record's set-up has two dots on
        one crossing, or one off the field, and if a turn of the opening breaks a rule; BadNotation."""
        return _first_position(self.resolve_chance(seed))

    @property
    def all_first_dots(self) -> Stones:
        """The dots on the field before the first move in the order in which they came, those of the opening last."""
        if not self.opening:
            return self.first_dots
        position, dots = DotsPosition.first(self), list(self.first_dots)
        for text in self.opening.turns:
            turn, mover = self.parse(text), position.to_act
            if isinstance(turn, Turn):
                dots.append((mover, turn.dot))
            position = position.play(turn)
        return tuple(dots)


@lru_cache(maxsize=CACHED_OPENINGS)
def _play_opening(game: Dots) -> DotsPosition:
    return play_opening(game, DotsPosition.first(game))


def _first_position(game: Dots) -> DotsPosition:
    return _play_opening(game) if game.opening else DotsPosition.first(game)


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


def _dots_text(dots: Stones) -> str:
    return " ".join(f"{seat}:{point_name(point)}" for seat, point in dots)


def _stones(text: str) -> Stones:
    try:
        pairs = [dot.split(":") for dot in text.split()]
        return tuple((Seat(int(seat)), parse_point(name)) for seat, name in pairs)
    except (ValueError, BadNotation) as error:
        raise BadOption("bad_start") from error
