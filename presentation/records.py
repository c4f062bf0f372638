"""Records: a game read from a file with its positions and pictures, and a match as a file.

All of it runs in a worker process.
"""

import time
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from io import BytesIO
from typing import Final, NamedTuple, TypeVar
from zipfile import ZIP_DEFLATED, ZipFile

from play.ids import MatchId
from play.match.match import Match
from play.people.career import FinishedMatch
from play.records import pointsxt, sgf
from play.records.record import MAX_RECORD_BYTES, BadRecord, Record
from play.records.transcript import transcript
from play.refusal import Reason, Refused
from presentation.match.narration import result_text
from presentation.match.phrases import sign
from presentation.match.played_game import Page, count_captured
from presentation.text import plain_name, unisolated
from presentation.words.words import Words
from renderer.board import draw
from renderer.header import Header, Mark, Plate
from renderer.replay import Moment, replay
from renderer.theme import Theme, with_blue
from rules.dots import Dots, DotsPosition
from rules.game import Outcome, Seat
from rules.registry import DEFAULT, GAMES

T = TypeVar("T")

PRESETS: Final = {key: game for key, game in GAMES.items() if isinstance(game, Dots) and game.seats == 2}
"""The rules by which a record can be replayed."""

LIKELY_PRESETS: Final = ("zagram-territory", "sport-territory", "two-squares")
"""The rules to try where the default ones do not replay a record: with drawn, painted or far chains."""

MAX_SECONDS: Final = 1.5
"""Seconds of the processor for the moves of one record. A full game takes a twentieth; more is meant to do harm."""


class Fit(NamedTuple):
    """How rules fit a record; the lower the better. They do not make `unmade_chains` of the record. `contradicts` is
    whether the last position has another result."""

    unmade_chains: int
    contradicts: bool


PERFECT: Final = Fit(0, contradicts=False)


class Found(NamedTuple):
    """A position of a record, the `number` of moves before it, and how many dots are `captured` at the start of the
    record and after each of its moves."""

    position: DotsPosition
    number: int
    captured: list[float]

    @property
    def moves(self) -> int:
        """The number of all moves."""
        return len(self.captured) - 1


@dataclass(frozen=True, slots=True)
class ImportedGame:
    """A record and the `rules` that replay it. A record that Kropka has written has its own rules.

    The replay takes at most `max_seconds` of the processor.
    """

    record: Record
    rules: str
    max_seconds: float = MAX_SECONDS

    @property
    def game(self) -> Dots:
        history = self.record.history
        own = None if history is None else history.game
        return own if isinstance(own, Dots) else PRESETS.get(self.rules, PRESETS[DEFAULT])

    def positions(self) -> Iterator[DotsPosition]:
        """Yields the first position, and that after each move. Raises BadRecord."""
        positions = self.record.replay(self.game)
        return positions if self.record.history else self._in_time(positions)

    def find(self, number: int | None = None) -> Found:
        """Returns the position after `number` moves, or the last one if the game has fewer. Raises BadRecord."""
        found, captured = None, list[float]()
        for place, position in enumerate(self.positions()):
            captured.append(count_captured(position))
            if number is None or place <= number:
                found = position
        assert found is not None, "there is a first position"
        last = len(captured) - 1
        return Found(found, last if number is None else min(number, last), captured)

    def measure_fit(self) -> Fit:
        """Returns how well the rules fit the record. Raises BadRecord."""
        if self.record.history is not None:
            return PERFECT
        unmade, last = 0, None
        for last in self._in_time(self.record.moments(self.game)):
            unmade += len(last.not_made)
        assert last is not None, "there is a first position"
        return Fit(unmade, self.record.contradicts(last.position))

    def inks(self, theme: Theme) -> Theme:
        """Returns the theme in which Black is blue, as in the program that wrote the record, or as the match was."""
        return theme if self.record.history else with_blue(theme, self.record.black)

    def names(self, words: Words, theme: Theme) -> list[str]:
        """Returns the names of the players, or their colours."""
        names = [plain_name(name) if name.strip() else "" for name in self.record.players]
        return [name or words(f"colour.{ink.name}") for name, ink in zip(names, self.inks(theme).inks, strict=False)]

    def header(self, position: DotsPosition, number: int, words: Words, theme: Theme, *, last: bool) -> Header:
        """Returns the header of the position after `number` moves, on the `last` one with the winner by `outcome`."""
        names, inks = self.names(words, theme), self.inks(theme).inks
        outcome = self.outcome(position) if last else None
        winners = outcome.winners if outcome else ()
        plates = (
            Plate(
                names[seat],
                words.number(points),
                Mark.WON if seat in winners else Mark.NONE,
                words(f"colour.{inks[seat].name}"),
            )
            for seat, points in enumerate(position.score)
        )
        return Header(tuple(plates), words("header.move", number=number))

    def title(self, count: int, words: Words) -> str:
        """Returns the players, the rules and the number of moves."""
        names = [words.literal(plain_name(name)) for name in self.record.players if name.strip()]
        return words(
            "import.title",
            players=" – ".join(names) or words("import.nameless"),
            rules=words(f"preset.{self.game.key}.name"),
            count=count,
        )

    def outcome(self, last: DotsPosition) -> Outcome | None:
        """Returns the outcome by the record, or by its last position if it names no result. None if there is none."""
        record = self.record
        if match := record.match:
            return match.outcome
        return record.outcome or (None if record.result.strip() else last.outcome)

    def result(self, last: DotsPosition, words: Words, theme: Theme) -> str:
        """Returns the sentence that says who has won and how, by the record or else by its last position.

        Empty without a result. A result of no known form is repeated as it is.
        """
        record, match = self.record, self.record.match
        names, inks = self.names(words, theme), self.inks(theme).inks

        def name(seat: Seat) -> str:
            return words.markup.player(names[seat], sign(inks[seat]))

        outcome = self.outcome(last)
        if match is not None:
            return result_text(outcome, match, words, name) if outcome else ""
        if outcome is None:
            text = record.result.strip()
            return words("import.result", result=words.literal(plain_name(text))) if text else ""
        if len(outcome.winners) > 1:
            return words("import.draw")
        (winner,) = outcome.winners
        if outcome.reason in ("resign", "time", "forfeit"):
            return words(f"import.won.{outcome.reason}", winner=name(winner))
        margin = record.margin if record.outcome else abs(last.score[0] - last.score[1])
        if margin is None:
            return words("import.won", winner=name(winner))
        return words("import.won_by", winner=name(winner), margin=words.number(margin))

    def gif(self, moves: int, words: Words, theme: Theme, max_bytes: int) -> bytes:
        """Returns the whole game, which has so many moves, as a GIF file. Raises BadRecord and TooLarge."""
        moments = (
            Moment(position.picture(), self.header(position, number, words, theme, last=number == moves))
            for number, position in enumerate(self.positions())
        )
        return replay(moments, theme=self.inks(theme), max_bytes=max_bytes)

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
    """A page of a record, and the record's title."""

    title: str
    page: Page


class OpenedRecord(NamedTuple):
    """A record with the `rules` that replay it, the number of its `moves`, its `result` in words, and all of it as SGF.

    `contradicting_score` is the score of the last position if it is not that of the result, or else empty.
    `unmade_chains` do not fit the rules. `odd`, `more_games` and `cut_off` are those of the record.
    """

    rules: str
    moves: int
    result: str
    contradicting_score: str
    unmade_chains: int
    odd: tuple[str, ...]
    more_games: bool
    cut_off: bool
    sgf: bytes


class RecordFilm(NamedTuple):
    """A record as a GIF file."""

    title: str
    moves: int
    gif: bytes


def open_record(
    data: bytes, name: str, rules: str | None, words: Words, theme: Theme, *, max_seconds: float = MAX_SECONDS
) -> OpenedRecord:
    """Returns the game in a file of that name by `rules` or by those that fit. Raises BadRecord."""
    game = replace(read_game(data, name, rules or DEFAULT), max_seconds=max_seconds)
    game, fit = choose_rules(game, () if rules else LIKELY_PRESETS)
    record, found = game.record, game.find()
    return OpenedRecord(
        game.rules,
        found.moves,
        game.result(found.position, words, theme),
        " : ".join(map(words.number, found.position.score)) if fit.contradicts else "",
        fit.unmade_chains,
        record.odd,
        record.more_games,
        record.cut_off,
        sgf.write(record),
    )


def turn_record(data: bytes, name: str, rules: str, number: int, words: Words, theme: Theme) -> RecordPage:
    """Returns the game after `number` moves, or at its end if it has fewer. Raises BadRecord."""
    game = read_game(data, name, rules)
    found = game.find(number)
    header = game.header(found.position, found.number, words, theme, last=found.number == found.moves)
    png = draw(found.position.picture(), header, game.inks(theme))
    return RecordPage(game.title(found.moves, words), Page.of(found.number, found.captured, png))


class FoundTurns(NamedTuple):
    """A game with its seed, and its turns up to a position."""

    game: Dots
    seed: int
    turns: tuple[str, ...]


def find_turns(data: bytes, name: str, rules: str, number: int) -> FoundTurns:
    """Returns the game in a file with its turns up to a position after `number` moves. Raises BadRecord."""
    game = read_game(data, name, rules)
    game.find(number)  # which watches the time
    return FoundTurns(*game.record.turns(game.game, number))


def film_record(data: bytes, name: str, rules: str, words: Words, theme: Theme, max_bytes: int) -> RecordFilm:
    """Returns the game as a film. Raises BadRecord and TooLarge."""
    game = read_game(data, name, rules)
    moves = game.find().moves
    return RecordFilm(game.title(moves, words), moves, game.gif(moves, words, theme, max_bytes))


def read_game(data: bytes, name: str, rules: str) -> ImportedGame:
    """Reads the game in a file of that name, which tells its format. Raises BadRecord."""
    return ImportedGame((pointsxt.read if name.lower().endswith(".sav") else sgf.read)(data), rules)


def choose_rules(game: ImportedGame, others: Iterable[str]) -> tuple[ImportedGame, Fit]:
    """Returns the game by its rules or by one of `others`, those that fit best, with their fit.

    Raises BadRecord.
    """
    best: tuple[ImportedGame, Fit] | None = None
    refused: BadRecord | None = None
    for rules in (game.rules, *others):
        candidate = replace(game, rules=rules)
        try:
            fit = candidate.measure_fit()
        except BadRecord as error:
            if error.key == "too_slow":
                raise
            refused = refused or error
        else:
            best = min(best or (candidate, fit), (candidate, fit), key=lambda each: each[1])
            if fit == PERFECT:
                break
    if best is None:
        assert refused is not None, "the rules of the game were tried"
        raise refused
    return best


def refuse_record(error: BadRecord) -> Refused:
    """Returns what is told of a record that cannot be shown."""
    match error.key:
        case "too_long":
            return Refused(Reason.IMPORT_TOO_LONG, most=MAX_RECORD_BYTES // 1024)
        case "too_many" | "too_slow":
            return Refused(Reason.IMPORT_TOO_MUCH)
        case "no_dots":
            return Refused(Reason.IMPORT_NO_DOTS)
        case "out_of_turn":
            return Refused(Reason.PLAY_ON_OUT_OF_TURN, number=int(error.details["number"]))
        case "over":
            return Refused(Reason.PLAY_ON_OVER)
        case "no_size":
            return Refused(Reason.IMPORT_NO_SIZE, largest=int(error.details["largest"]))
        case "too_large":
            return Refused(Reason.NO_RECORD)
    if "number" in error.details and "dot" in error.details:
        return Refused(Reason.IMPORT_BAD_MOVE, number=int(error.details["number"]), dot=str(error.details["dot"]))
    if "dot" in error.details:
        return Refused(Reason.IMPORT_BAD_DOT, dot=str(error.details["dot"]))
    if "line" in error.details:
        return Refused(Reason.IMPORT_BROKEN, **{name: int(error.details[name]) for name in ("line", "column")})
    return Refused(Reason.IMPORT_UNREADABLE)


async def pack_records(
    finished: Iterable[FinishedMatch],
    load: Callable[[MatchId], Awaitable[Match]],
    name: Callable[[Match], Awaitable[tuple[str, ...]]],
    write: Callable[[Match, tuple[str, ...]], Awaitable[bytes]],
) -> tuple[bytes, int]:
    """Returns an archive of games as SGF, which is for Dots alone, and how many it has. A worker may `write` them."""
    archive, count = BytesIO(), 0
    with ZipFile(archive, "w", ZIP_DEFLATED) as file:
        for each in finished:
            match = await load(each.id)
            try:
                record = await write(match, await name(match))
            except BadRecord:
                continue
            file.writestr(f"kropka-{match.id}.sgf", record)
            count += 1
    return archive.getvalue(), count


def describe_archive(count: int, left: int, words: Words) -> str:
    """Returns how many games an archive has, and how many were left out."""
    return words("export.all", count=count) + (f" {words('export.left', count=left)}" if left else "")


def write_record(match: Match, names: tuple[str, ...]) -> bytes:
    """Returns the game as SGF. Raises BadRecord for a game that is not Dots."""
    return sgf.write(transcript(match, [unisolated(name) for name in names]))
