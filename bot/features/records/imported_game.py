"""A recorded game from outside, and the rules by which it is played through. All of it is work for the lane."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from bot.services.names import escape, plain_name
from opponent.review import replayed
from play.ids import ChannelId, MatchId, UserId
from play.records import pointsxt, sgf
from play.records.record import BadRecord
from renderer.board import draw
from renderer.header import Header, Mark, Plate
from renderer.replay import Moment, replay
from rules.dots import Dots
from rules.registry import DEFAULT, GAMES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bot.i18n.words import Words
    from play.match.match import Match
    from play.records.record import Record
    from renderer.theme import Theme
    from rules.game import AnyPosition

T = TypeVar("T")

PRESETS: Final = {key: game for key, game in GAMES.items() if isinstance(game, Dots) and game.seats == 2}
"""By whose rules a record can be played through."""

LIKELY: Final = ("zagram-territory", "sport-territory", "two-squares")
"""By which a record was played that the usual rules do not play through: chains that are drawn, or painted, or far."""

LONGEST: Final = 1.5
"""Seconds of work on one record. A full game takes a twentieth; what takes longer is meant to."""


@dataclass(frozen=True, slots=True)
class ImportedGame:
    """A record with the `rules` by which it is played through; one that this program has written knows its own."""

    record: Record
    rules: str

    @property
    def match(self) -> Match | None:
        """The match that the record is of, if this program has written it."""
        history = self.record.history
        if history is None:
            return None
        players = tuple(map(UserId, range(self.record.seats)))
        return history.match(MatchId(0), guild=None, channel=ChannelId(0), parent=None, players=players)

    @property
    def game(self) -> Dots:
        history = self.record.history
        own = None if history is None else history.game
        return own if isinstance(own, Dots) else PRESETS.get(self.rules, PRESETS[DEFAULT])

    @property
    def moves(self) -> int:
        match = self.match
        return len(self.record.moves if match is None else match.moves)

    def positions(self) -> Iterator[AnyPosition]:
        """The first one, and that after each move. Raises BadRecord."""
        match = self.match
        if match is None:
            return _in_time(self.record.replay(self.game))
        return iter(replayed(match.game, match.seed, [move.text for move in match.moves]))

    def unmade(self) -> int:
        """How many of the recorded chains the rules do not make. Raises BadRecord."""
        if self.record.history is not None:
            return 0
        return sum(len(moment.not_made) for moment in _in_time(self.record.moments(self.game)))

    def header(self, position: AnyPosition, number: int, words: Words) -> Header:
        names = [plain_name(name) if name.strip() else "" for name in self.record.players]
        plates = (
            Plate(names[seat] or words(f"colour.{seat}"), words.number(points), Mark.NONE, words(f"colour.{seat}"))
            for seat, points in enumerate(position.score)
        )
        return Header(tuple(plates), words("header.move", number=number))

    def title(self, words: Words) -> str:
        names = [escape(plain_name(name)) for name in self.record.players if name.strip()]
        return words(
            "import.title",
            players=" – ".join(names) or words("import.nameless"),
            rules=words(f"preset.{self.game.key}.name"),
            count=self.moves,
        )

    def drawn(self, number: int, words: Words, theme: Theme) -> bytes:
        """The position after so many moves, as PNG. Raises BadRecord."""
        position = next(islice(self.positions(), number, None))
        return draw(position.picture(), self.header(position, number, words), theme)

    def film(self, words: Words, theme: Theme, max_bytes: int) -> bytes:
        """The whole game as GIF. Raises BadRecord and TooLarge."""
        numbered = enumerate(self.positions())
        moments = (Moment(position.picture(), self.header(position, number, words)) for number, position in numbered)
        return replay(moments, theme=theme, max_bytes=max_bytes)


class Shown(NamedTuple):
    """What is shown of a record: its title and the number of its moves, and the position after `number` of them as
    PNG."""

    rules: str
    title: str
    moves: int
    number: int
    png: bytes


class Opened(NamedTuple):
    """A record that somebody has just brought: the `result` in it, how many of its chains the rules do not make, and
    all of it as SGF."""

    shown: Shown
    result: str
    unmade: int
    sgf: bytes


def opened(data: bytes, name: str, rules: str | None, words: Words, theme: Theme) -> Opened:
    """The game in a file of that name, at its end; by `rules`, or by those that fit. Raises BadRecord."""
    game, unmade = choose_rules(read(data, name, rules or DEFAULT), () if rules else LIKELY)
    return Opened(_shown(game, game.moves, words, theme), game.record.result.strip(), unmade, sgf.write(game.record))


def turned(data: bytes, name: str, rules: str, number: int, words: Words, theme: Theme) -> Shown:
    """The game after `number` moves, or at its end if it has fewer. Raises BadRecord."""
    game = read(data, name, rules)
    return _shown(game, min(number, game.moves), words, theme)


class Film(NamedTuple):
    title: str
    moves: int
    gif: bytes


def filmed(data: bytes, name: str, rules: str, words: Words, theme: Theme, max_bytes: int) -> Film:
    """The game as a film. Raises BadRecord and TooLarge."""
    game = read(data, name, rules)
    return Film(game.title(words), game.moves, game.film(words, theme, max_bytes))


def _shown(game: ImportedGame, number: int, words: Words, theme: Theme) -> Shown:
    return Shown(game.rules, game.title(words), game.moves, number, game.drawn(number, words, theme))


def read(data: bytes, name: str, rules: str) -> ImportedGame:
    """The game in a file of that name. Raises BadRecord."""
    return ImportedGame((pointsxt.read if name.lower().endswith(".sav") else sgf.read)(data), rules)


def choose_rules(game: ImportedGame, others: Iterable[str]) -> tuple[ImportedGame, int]:
    """The game with how many of its chains its rules do not make; by `others` if those make more of it. Raises
    BadRecord."""
    found: tuple[ImportedGame, int] | None = None
    refused: BadRecord | None = None
    for rules in (game.rules, *others):
        tried = replace(game, rules=rules)
        try:
            unmade = tried.unmade()
        except BadRecord as error:
            if error.key == "too_slow":
                raise
            refused = refused or error
        else:
            found = min(found or (tried, unmade), (tried, unmade), key=lambda each: each[1])
            if unmade == 0:
                break
    if found is None:
        assert refused is not None, "something was tried"
        raise refused
    return found


def _in_time(moments: Iterator[T]) -> Iterator[T]:
    """The same, or BadRecord (`too_slow`) for a record that is made to keep its readers busy."""
    spent = 0.0
    while True:
        began = time.thread_time()
        try:
            moment = next(moments)
        except StopIteration:
            return
        spent += time.thread_time() - began
        if spent > LONGEST:
            raise BadRecord("too_slow")
        yield moment
