"""Records: a game read from a file with its positions and pictures, and a match as a file.

All of it runs in a worker process.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final, NamedTuple, TypeVar

from opponent.review import replay_positions
from play.ids import ChannelId, MatchId, UserId
from play.match.match import Match
from play.records import pointsxt, sgf
from play.records.record import BadRecord, Record
from play.records.transcript import transcript
from presentation.text import plain_name, unisolated
from presentation.words.words import Words
from renderer.board import draw
from renderer.header import Header, Mark, Plate
from renderer.replay import Moment, replay
from renderer.theme import Theme
from rules.dots import Dots
from rules.game import AnyPosition
from rules.registry import DEFAULT, GAMES

T = TypeVar("T")

PRESETS: Final = {key: game for key, game in GAMES.items() if isinstance(game, Dots) and game.seats == 2}
"""The rules by which a record can be replayed."""

LIKELY_PRESETS: Final = ("zagram-territory", "sport-territory", "two-squares")
"""The rules to try where the default ones do not replay a record: with drawn, painted or far chains."""

MAX_SECONDS: Final = 1.5
"""Seconds of the processor for the moves of one record. A full game takes a twentieth; more is meant to do harm."""


@dataclass(frozen=True, slots=True)
class ImportedGame:
    """A record and the `rules` that replay it. A record that Kropka has written has its own rules.

    The replay takes at most `max_seconds` of the processor.
    """

    record: Record
    rules: str
    max_seconds: float = MAX_SECONDS

    @property
    def match(self) -> Match | None:
        """The match of the record, if Kropka has written it."""
        history = self.record.history
        if history is None:
            return None
        players = tuple(map(UserId, range(self.record.seats)))
        return history.restore(MatchId(0), guild=None, channel=ChannelId(0), parent=None, players=players)

    @property
    def game(self) -> Dots:
        history = self.record.history
        own = None if history is None else history.game
        return own if isinstance(own, Dots) else PRESETS.get(self.rules, PRESETS[DEFAULT])

    @property
    def move_count(self) -> int:
        match = self.match
        return len(self.record.moves if match is None else match.moves)

    def positions(self) -> Iterator[AnyPosition]:
        """Returns the first position, and that after each move. Raises BadRecord."""
        match = self.match
        if match is None:
            return self._in_time(self.record.replay(self.game))
        return iter(replay_positions(match.game, match.seed, [move.text for move in match.moves]))

    def count_unmade_chains(self) -> int:
        """Returns the number of recorded chains that the rules do not make. Raises BadRecord."""
        if self.record.history is not None:
            return 0
        return sum(len(moment.not_made) for moment in self._in_time(self.record.moments(self.game)))

    def header(self, position: AnyPosition, number: int, words: Words, theme: Theme) -> Header:
        names = [plain_name(name) if name.strip() else "" for name in self.record.players]
        colours = [words(f"colour.{ink.name}") for ink in theme.inks]
        plates = (
            Plate(names[seat] or colours[seat], words.number(points), Mark.NONE, colours[seat])
            for seat, points in enumerate(position.score)
        )
        return Header(tuple(plates), words("header.move", number=number))

    def title(self, words: Words) -> str:
        names = [words.literal(plain_name(name)) for name in self.record.players if name.strip()]
        return words(
            "import.title",
            players=" – ".join(names) or words("import.nameless"),
            rules=words(f"preset.{self.game.key}.name"),
            count=self.move_count,
        )

    def png(self, number: int, words: Words, theme: Theme) -> bytes:
        """Returns the position after `number` moves as a PNG file. Raises BadRecord."""
        position = next(islice(self.positions(), number, None))
        return draw(position.picture(), self.header(position, number, words, theme), theme)

    def gif(self, words: Words, theme: Theme, max_bytes: int) -> bytes:
        """Returns the whole game as a GIF file. Raises BadRecord and TooLarge."""
        moments = (
            Moment(position.picture(), self.header(position, number, words, theme))
            for number, position in enumerate(self.positions())
        )
        return replay(moments, theme=theme, max_bytes=max_bytes)

    def _in_time(self, moments: Iterator[T]) -> Iterator[T]:
        """Yields the same. Raises BadRecord (`too_slow`) for a record that is made to keep its reader busy."""
        spent = 0.0
        while True:
            began = time.thread_time()
            try:
                moment = next(moments)
            except StopIteration:
                return
            spent += time.thread_time() - began
            if spent > self.max_seconds:
                raise BadRecord("too_slow")
            yield moment


class RecordPage(NamedTuple):
    """A position of a record: the board after `number` of its `moves`, as a PNG file."""

    rules: str
    title: str
    moves: int
    number: int
    png: bytes


class OpenedRecord(NamedTuple):
    """A record at its end, with the `result` in it, its chains that the rules do not make, and all of it as SGF."""

    page: RecordPage
    result: str
    unmade_chains: int
    sgf: bytes


class RecordFilm(NamedTuple):
    """A record as a GIF file."""

    title: str
    moves: int
    gif: bytes


def open_record(
    data: bytes, name: str, rules: str | None, words: Words, theme: Theme, *, max_seconds: float = MAX_SECONDS
) -> OpenedRecord:
    """Returns the game in a file of that name, at its end, by `rules` or by those that fit. Raises BadRecord."""
    game = replace(read_game(data, name, rules or DEFAULT), max_seconds=max_seconds)
    game, unmade = choose_rules(game, () if rules else LIKELY_PRESETS)
    page = _page(game, game.move_count, words, theme)
    return OpenedRecord(page, game.record.result.strip(), unmade, sgf.write(game.record))


def turn_record(data: bytes, name: str, rules: str, number: int, words: Words, theme: Theme) -> RecordPage:
    """Returns the game after `number` moves, or at its end if it has fewer. Raises BadRecord."""
    game = read_game(data, name, rules)
    return _page(game, min(number, game.move_count), words, theme)


def film_record(data: bytes, name: str, rules: str, words: Words, theme: Theme, max_bytes: int) -> RecordFilm:
    """Returns the game as a film. Raises BadRecord and TooLarge."""
    game = read_game(data, name, rules)
    return RecordFilm(game.title(words), game.move_count, game.gif(words, theme, max_bytes))


def read_game(data: bytes, name: str, rules: str) -> ImportedGame:
    """Reads the game in a file of that name, which tells its format. Raises BadRecord."""
    return ImportedGame((pointsxt.read if name.lower().endswith(".sav") else sgf.read)(data), rules)


def choose_rules(game: ImportedGame, others: Iterable[str]) -> tuple[ImportedGame, int]:
    """Returns the game by its rules or by one of `others`, with the chains that these do not make: as few as can be.

    Raises BadRecord.
    """
    best: tuple[ImportedGame, int] | None = None
    refused: BadRecord | None = None
    for rules in (game.rules, *others):
        candidate = replace(game, rules=rules)
        try:
            unmade = candidate.count_unmade_chains()
        except BadRecord as error:
            if error.key == "too_slow":
                raise
            refused = refused or error
        else:
            best = min(best or (candidate, unmade), (candidate, unmade), key=lambda each: each[1])
            if unmade == 0:
                break
    if best is None:
        assert refused is not None, "the rules of the game were tried"
        raise refused
    return best


def _page(game: ImportedGame, number: int, words: Words, theme: Theme) -> RecordPage:
    return RecordPage(game.rules, game.title(words), game.move_count, number, game.png(number, words, theme))


def write_record(match: Match, names: tuple[str, ...]) -> bytes:
    """Returns the game as SGF. Raises BadRecord for a game that is not Dots."""
    return sgf.write(transcript(match, [unisolated(name) for name in names]))
