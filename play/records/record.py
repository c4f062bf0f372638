"""A recorded game of Dots as a value, and its replay by the rules."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from rules.dots import Closing, Setup, Turn
from rules.game import IllegalMove, Outcome
from rules.notation import point_name
from rules.point import Point, Seat

if TYPE_CHECKING:
    from collections.abc import Iterator

    from play.match.snapshot import History
    from rules.dots import Dots, DotsPosition

Chain = tuple[Point, ...]

MOST_BYTES = 64 * 1024
"""A longer record is not looked at. A full game on 39x32 with clock times and chains has about 50,000."""

MOST_CHAINS = 16
"""Chains that one dot is let close: each is tried with those before it, and a dot has eight neighbours."""

_WIN = re.compile(r"([BW])\+(?:(\d*(?:\.\d*)?)|(R|Resign|T|Time|F|Forfeit|G))", re.IGNORECASE)
_REASONS = {"r": "resign", "t": "time", "f": "forfeit", "g": "ground"}
_DRAWN = ("0", "draw")


class BadRecord(Exception):
    """The record cannot be read or written, or breaks the rules: a reason key and the details that its sentence needs.

    Where one dot is to blame, `details` have it as the record writes it (`dot`, as in B[cc]), its number among the
    moves from 1 (`number`, not for set-up) and its name (`point`, as in C5, if it lies on the field).
    """

    def __init__(self, key: str, **details: str | int) -> None:
        super().__init__(key, details)
        self.key = key
        self.details = details

    def __reduce__(self) -> tuple[object, ...]:
        return _bad_record, (self.key, self.details), self.__dict__


def _bad_record(key: str, details: dict[str, str | int]) -> BadRecord:
    return BadRecord(key, **details)


class Dot(NamedTuple):
    """A dot of a record: `point` may lie outside the field; `source` is how the record writes it, as in B[cc].

    `chains` are written with it: closed by it, or by a dot that the opponent put into a house before. They may be
    anything, one of a single point stands for the smallest chain round it. `left` is what the clock shows after the
    move, in seconds.
    """

    seat: Seat
    point: Point
    source: str
    chains: tuple[Chain, ...] = ()
    left: float | None = None


class Close(NamedTuple):
    """A last turn without a dot: `word` is empty for grounding, or what a program wrote (`resign`, `time`)."""

    seat: Seat
    word: str


class Moment(NamedTuple):
    """The position after a move, and those of the move's recorded chains that the rules did not make."""

    position: DotsPosition
    not_made: tuple[Chain, ...] = ()


@dataclass(frozen=True, slots=True)
class Record:
    """A recorded game: the set-up and the moves in the record's order, several dots of one player in a row allowed.

    What has two parts has them by seat. `colours` are SGF's letters of the seats, the first mover's first. The texts
    are as SGF writes them (B+12, W+R, 0), and empty where the record says nothing. `left` is what the clocks showed at
    the start, in seconds; `pools` are the areas that count at an agreed end. A match of this program that was written
    down whole has its `history`.
    """

    width: int
    height: int
    stones: tuple[Dot, ...]
    moves: tuple[Dot, ...]
    players: tuple[str, ...] = ("", "")
    result: str = ""
    colours: str = "BW"
    seats: int = 2
    rules: str = ""
    event: str = ""
    round: str = ""
    date: str = ""
    time: str = ""
    overtime: str = ""
    application: str = ""
    left: tuple[float | None, float | None] = (None, None)
    pools: tuple[tuple[Chain, ...], tuple[Chain, ...]] | None = None
    close: Close | None = None
    history: History | None = None

    @property
    def outcome(self) -> Outcome | None:
        """What the record says that came out: the reason is `score`, `resign`, `time`, `forfeit` or `ground`; None if
        it does not say."""
        text = self.result.strip()
        if text.lower() in _DRAWN:
            return Outcome((Seat(0), Seat(1)), "score")
        if match := _WIN.fullmatch(text):
            winner = Seat(self.colours.index(match[1].upper()))
            return Outcome((winner,), _REASONS[match[3][0].lower()] if match[3] else "score")
        return None

    def game(self, preset: Dots) -> Dots:
        """The rules of `preset` on this record's field, from its set-up. Raises BadOption."""
        stones = tuple((dot.seat, dot.point) for dot in self.stones)
        return replace(
            preset, width=self.width, height=self.height, seats=self.seats, setup=Setup.STONES, crosses=1, stones=stones
        )

    def replay(self, preset: Dots) -> Iterator[DotsPosition]:
        """The position of the set-up, then that after each move, as `moments` has them and at less cost."""
        position = self.game(preset).start(seed=0)
        yield position
        for number, dot in enumerate(self.moves, start=1):
            _, position = self._played(position, number, dot, preset)
            yield position

    def moments(self, preset: Dots) -> Iterator[Moment]:
        """The set-up, then each move, by the rules of `preset`: recorded chains are drawn, or painted, where the
        preset leaves it to the player, and else only compared with what closes by itself, then or earlier.

        Raises BadRecord at the first move that breaks a rule, with the rule's key; BadOption as `game`.
        """
        position = self.game(preset).start(seed=0)
        yield Moment(position)
        made: set[frozenset[Point]] = set()
        for number, dot in enumerate(self.moves, start=1):
            score = position.score
            turn, position = self._played(position, number, dot, preset)
            made.update(map(frozenset, turn.chains))
            if position.score != score:
                made.update(frozenset(area.ring) for area in position.picture().areas)
            yield Moment(position, _not_made(dot.chains, made, position))

    def _played(self, position: DotsPosition, number: int, dot: Dot, preset: Dots) -> tuple[Turn, DotsPosition]:
        before = position.with_to_act(dot.seat)
        try:
            turn = _turn(before, dot, preset.closing)
            return turn, before.play(turn)
        except IllegalMove as error:
            raise BadRecord(error.key, number=number, **self.blame(dot)) from error

    def blame(self, dot: Dot) -> dict[str, str]:
        """The details of a BadRecord that name `dot`."""
        on_field = 0 <= dot.point.x < self.width and 0 <= dot.point.y < self.height
        return {"dot": dot.source} | ({"point": point_name(dot.point)} if on_field else {})


def _turn(position: DotsPosition, dot: Dot, closing: Closing) -> Turn:
    """The dot with those of its chains that can be closed, one after the other."""
    turn = Turn(dot.point)
    if not dot.chains or closing is Closing.AUTOMATIC:
        return turn
    painted = {}
    if closing is Closing.PAINTED:
        painted = {frozenset(offer.chain): offer.point for offer in position.would(dot.point).offers}
    for chain in dot.chains[:MOST_CHAINS]:
        if closing is Closing.DRAWN:
            wider = replace(turn, chains=(*turn.chains, chain))
        elif point := painted.get(frozenset(chain)):
            wider = replace(turn, paints=(*turn.paints, point))
        else:
            continue
        with suppress(IllegalMove):
            position.play(wider)
            turn = wider
    return turn


def _not_made(chains: tuple[Chain, ...], made: set[frozenset[Point]], position: DotsPosition) -> tuple[Chain, ...]:
    missing = tuple(chain for chain in chains if frozenset(chain) not in made)
    if any(len(chain) == 1 for chain in missing):
        captured = {(stone.point,) for stone in position.picture().stones if stone.captured}
        missing = tuple(chain for chain in missing if chain not in captured)
    return missing
