"""A recorded game of Dots as a value, and its replay by the rules."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from play.ids import ChannelId, MatchId, UserId
from play.refusal import Refused
from rules.dots import Call, Closing, Dots, DotsPosition, Ending, Links, Setup, Turn
from rules.game import IllegalMove, Outcome, Point, RuleError, Seat, point_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from play.match.match import Match
    from play.match.snapshot import MatchSnapshot

Chain = tuple[Point, ...]

MAX_RECORD_BYTES = 64 * 1024
"""A longer record is not read. A full game on 39x32 with clock times and chains has about 50,000 bytes."""

MAX_CHAINS_PER_DOT = 16
"""Chains that one dot may close. Each is tried with those before it, and a dot has eight neighbours."""

_WIN = re.compile(
    r"(?P<colour>B|W|Black|White)(?:\s*\+|\s+wins\b(?:\s+(?:by|on)\b)?|(?=$))\s*"
    r"(?:(?P<margin>[0-9]{1,9}(?:[.,][0-9]{0,9})?|[.,][0-9]{1,9})\s*(?:p|pts?|points?)?\.?"
    r"|(?P<way>R|Resign|Resigns|Resigned|Resignation|T|Time|Time-?out|F|Forfeit|G|Ground|Grounding)\.?|\.)?",
    re.IGNORECASE,
)
"""A win as SGF has it, or in the words of programs. Longer numbers than a board has dots mean nothing."""

_REASONS = {"r": "resign", "t": "time", "f": "forfeit", "g": "ground"}
_DRAWN = ("0", "draw", "drawn", "tie", "jigo", "b+0", "w+0")

APPLICATION, FORMER_APPLICATION = "Kropka:2", "Kropka"
"""AP of a match of this program. Since the second form seat 0 is White, which other programs draw red."""


class BadRecord(Exception):
    """A record that cannot be read or written, or that breaks the rules: a reason key, and details for its message.

    If one dot is the cause, `details` have it as the record writes it (`dot`, as in B[cc]), its number among the moves
    from 1 (`number`, not for set-up) and its name (`point`, as in C5, if it lies on the board).
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
    """A dot of a record. `point` may lie outside the board. `source` is how the record writes it, as in B[cc].

    `chains` are those written with the dot: closed by it, or by a dot that the opponent put into a house before. They
    are not checked. A chain of a single point means the smallest chain around it. `remaining` is the time on the
    clock after the move, in seconds.
    """

    seat: Seat
    point: Point
    source: str
    chains: tuple[Chain, ...] = ()
    remaining: float | None = None


GROUNDING = ("", "ground", "grounding", "stop")
"""The words of a last turn that loses every dot of its player without a link to the edge."""


class Close(NamedTuple):
    """A last turn without a dot. `word` is empty for grounding, or what a program wrote (`resign`, `time`)."""

    seat: Seat
    word: str


class Moment(NamedTuple):
    """The position after a move, and the recorded chains of the move that the rules did not close."""

    position: DotsPosition
    not_made: tuple[Chain, ...] = ()


@dataclass(frozen=True, slots=True)
class Record:
    """A recorded game: the set-up and the moves in the record's order. A player may have several dots in a row.

    Fields with two parts have them by seat. `colours` are SGF's letters of the seats, that of the first mover first.
    Texts are as SGF writes them (B+12, W+R, 0), and empty if the record has none. `remaining` are the times on the
    clocks at the start, in seconds. `begins` is the first mover, where a `comment` says how the set-up came about.
    `pools` are the areas that count at an agreed end. A complete match of this program
    has its `history`.

    `fallen` are dots that nobody played: they enclose what was lost by STOP, for programs that know no STOP. `odd` are
    properties and signs that were left out in reading, `more_games` says that the file has another game, and `cut_off`
    that its last bracket is missing.
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
    handicap: str = ""
    """The number of extra dots, which are among `stones`."""
    komi: str = ""
    """Points that White has in advance; negative if Black has them."""
    remaining: tuple[float | None, float | None] = (None, None)
    begins: Seat = Seat(0)  # noqa: RUF009 - a number
    comment: str = ""
    pools: tuple[tuple[Chain, ...], tuple[Chain, ...]] | None = None
    close: Close | None = None
    history: MatchSnapshot | None = None
    fallen: tuple[Dot, ...] = ()
    odd: tuple[str, ...] = ()
    more_games: bool = False
    cut_off: bool = False

    @property
    def outcome(self) -> Outcome | None:
        """The outcome by the record, for `score`, `resign`, `time`, `forfeit` or `ground`. None if it has none."""
        text = self.result.strip()
        if text.lower() in _DRAWN:
            return Outcome((Seat(0), Seat(1)), "score")
        if match := _WIN.fullmatch(text):
            winner = Seat(self.colours.index(match["colour"][0].upper()))
            return Outcome((winner,), _REASONS[match["way"][0].lower()] if match["way"] else "score")
        if not text and self.close and self.close.word in ("resign", "time"):
            return Outcome((Seat(1 - self.close.seat),), self.close.word)
        return Outcome((Seat(0), Seat(1)), "score") if not text and self.close and self.close.word == "draw" else None

    @property
    def margin(self) -> float | None:
        """The lead of the winner by the record, 0 for a draw. None if it names no number."""
        text = self.result.strip()
        if text.lower() in _DRAWN:
            return 0
        match = _WIN.fullmatch(text)
        return float(match["margin"].replace(",", ".")) if match and match["margin"] else None

    @property
    def black(self) -> Seat:
        """The seat that plays blue on zagram and playdots, where Black is Blue and White is Red.

        Up to its records without a version in AP, this program wrote its first player, who is Red, as Black.
        """
        red = "B" if self.application == FORMER_APPLICATION else "W"
        return Seat(1 - self.colours.index(red))

    @property
    def grounded(self) -> Seat | None:
        """The seat whose last turn lost every dot without a link to the edge."""
        return self.close.seat if self.close and self.close.word in GROUNDING else None

    @property
    def match(self) -> Match | None:
        """The match of this program whose record it is, with ids that are none. Raises BadRecord (`bad_history`)."""
        if self.history is None:
            return None
        players = tuple(map(UserId, range(self.seats)))
        try:
            return self.history.restore(MatchId(0), guild=None, channel=ChannelId(0), parent=None, players=players)
        except (RuleError, Refused, ValueError) as error:
            raise BadRecord("bad_history") from error

    def contradicts(self, last: DotsPosition) -> bool:
        """Returns whether the result names a margin that neither the last position nor an agreed end there has."""
        outcome, margin = self.outcome, self.margin
        if outcome is None or margin is None or self.history is not None or self.komi.strip(" 0.+-"):
            return False
        lead = margin if outcome.winners[0] == 0 else -margin
        return all(scores[0] - scores[1] != lead for scores in (last.score, last.agreed_end().scores))

    def game(self, preset: Dots) -> Dots:
        """Returns the rules of `preset` on this record's board, with its set-up, which has any extra dots already. A
        match of this program has its own rules.

        Raises BadOption.
        """
        if self.history is not None:
            assert isinstance(self.history.game, Dots), "only Dots is read from SGF"
            return self.history.game
        stones = tuple((dot.seat, dot.point) for dot in self.stones)
        return replace(
            preset,
            ending=Ending.GROUND if self._grounds(preset) else preset.ending,
            width=self.width,
            height=self.height,
            seats=self.seats,
            setup=Setup.STONES,
            opening=None,
            crosses=1,
            stones=stones,
            handicap=0,
        )

    def replay(self, preset: Dots) -> Iterator[DotsPosition]:
        """Yields the position of the set-up, then that after each move, a grounding among them. It costs less than
        `moments`. A match of this program is replayed turn by turn."""
        if match := self.match:
            yield from self._replay_match(match)
            return
        position = self.game(preset).start(seed=0)
        yield position
        for number, dot in enumerate(self.moves, start=1):
            _, position = self._play(position, number, dot, preset)
            yield position
        yield from self._ground(position)

    def turns(self, preset: Dots, number: int) -> tuple[Dots, int, tuple[str, ...]]:
        """Returns the game by the rules of `preset` with its seed, and the first `number` turns. A match of this
        program has its own rules.

        Raises BadRecord, also where a player moves out of turn (`out_of_turn`) and after the end (`over`), and
        BadOption.
        """
        if match := self.match:
            assert isinstance(match.game, Dots), "only Dots is read from SGF"
            return match.game, match.seed, tuple(move.text for move in match.moves[:number])
        if number > len(self.moves):
            raise BadRecord("over")
        game, turns = self.game(preset), list[str]()
        position = game.start(seed=0)
        for place, dot in enumerate(self.moves[:number], start=1):
            if dot.seat != position.to_act:
                raise BadRecord("out_of_turn", number=place)
            turn, position = self._play(position, place, dot, preset)
            turns.append(str(turn))
        return game, 0, tuple(turns)

    def moments(self, preset: Dots) -> Iterator[Moment]:
        """Yields the set-up, then each move, by the rules of `preset`.

        Recorded chains are drawn or painted if the preset leaves that to players. Else they are only compared with what
        closed by itself, then or earlier.

        Raises BadRecord at the first move that breaks a rule, with the rule's key, and BadOption as `game` does.
        """
        if match := self.match:
            yield from map(Moment, self._replay_match(match))
            return
        position = self.game(preset).start(seed=0)
        yield Moment(position)
        made: set[frozenset[Point]] = set()
        for number, dot in enumerate(self.moves, start=1):
            score = position.score
            turn, position = self._play(position, number, dot, preset)
            made.update(map(frozenset, turn.chains))
            if position.score != score:
                made.update(frozenset(area.ring) for area in position.picture().areas)
            yield Moment(position, _not_made(dot.chains, made, position))
        yield from map(Moment, self._ground(position))

    def _replay_match(self, match: Match) -> Iterator[DotsPosition]:
        position = match.game.start(match.seed)
        for move in (None, *match.moves):
            if move:
                position = position.play(match.game.parse(move.text))
            assert isinstance(position, DotsPosition)
            yield position

    def _grounds(self, preset: Dots) -> bool:
        """Returns whether the record ends by a grounding that these rules can say."""
        return self.grounded is not None and self.seats == 2 and preset.links is Links.NEAR

    def _ground(self, position: DotsPosition) -> Iterator[DotsPosition]:
        """Yields the position after the grounding at the end, if there is one and the game isn't over before."""
        if self.grounded is not None and position.rules.ending is Ending.GROUND and position.outcome is None:
            yield position.with_to_act(self.grounded).play(Call.STOP)

    def _play(self, position: DotsPosition, number: int, dot: Dot, preset: Dots) -> tuple[Turn, DotsPosition]:
        before = position.with_to_act(dot.seat)
        try:
            turn = turn_of(before, dot, preset.closing)
            return turn, before.play(turn)
        except IllegalMove as error:
            raise BadRecord(error.key, number=number, **self.locate(dot)) from error

    def locate(self, dot: Dot) -> dict[str, str]:
        """Returns the details of a BadRecord that names `dot`."""
        on_field = 0 <= dot.point.x < self.width and 0 <= dot.point.y < self.height
        return {"dot": dot.source} | ({"point": point_name(dot.point)} if on_field else {})


def turn_of(position: DotsPosition, dot: Dot, closing: Closing) -> Turn:
    """Returns the dot with those of its chains that can be closed one after another."""
    turn = Turn(dot.point)
    if not dot.chains or closing is Closing.AUTOMATIC:
        return turn
    painted = {}
    if closing is Closing.PAINTED:
        painted = {frozenset(offer.chain): offer.point for offer in position.consequences_of(dot.point).offers}
    for chain in dot.chains[:MAX_CHAINS_PER_DOT]:
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
