"""A recorded game that somebody brings along: looked at move by move, taken along again as a film or as SGF.

The record lies in the message itself, so nothing of it is stored, and the buttons outlive the bot.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, replace
from io import BytesIO
from itertools import islice
from re import Match as Found
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar

import discord

from bot.interactions import errors
from bot.interactions.answers import acknowledge_quietly, privately
from bot.interactions.buttons import Item, row
from bot.interactions.gate import Gated
from bot.interactions.request import Request
from bot.names import escaped, plain
from bot.turns.playing import person
from opponent.review import replayed
from play import sav, sgf
from play.ids import ChannelId, MatchId, UserId
from play.record import MOST_BYTES, BadRecord
from play.refused import Refused
from renderer.board import draw
from renderer.header import Header, Mark, Plate
from renderer.replay import Moment, replay
from renderer.theme import PAPER, THEMES
from rules.dots import Dots
from rules.registry import DEFAULT, GAMES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bot.client import Interaction
    from bot.words import Words
    from play.match import Match
    from play.record import Record
    from renderer.theme import Theme
    from rules.game import AnyPosition

T = TypeVar("T")

PRESETS: Final = {key: game for key, game in GAMES.items() if isinstance(game, Dots) and game.seats == 2}
"""By whose rules a record can be played through."""

LIKELY: Final = ("zagram-territory", "sport-territory", "two-squares")
"""By which a record was played that the usual rules do not play through: chains that are drawn, or painted, or far."""

LONGEST: Final = 1.5
"""Seconds of work on one record. A full game takes a twentieth; what takes longer is meant to."""

LEAP: Final = 10
"""Moves that the quick buttons go on or back."""

FILE: Final = "game.sgf"

STEPS: Final = (("⏮", None), ("⏪", -LEAP), ("◀", -1), ("▶", 1), ("⏩", LEAP), ("⏭", None))
"""The buttons, with the moves that they go on or back; the outer ones go to an end."""


class Step(
    Gated, discord.ui.DynamicItem[Item], template=r"import:(?P<rules>[a-z0-9-]{1,30}):(?P<place>[0-5]):(?P<to>\d{1,5})"
):
    """Shows the position after another move."""

    def __init__(self, rules: str, place: int, to: int, *, off: bool = False) -> None:
        button: Item = discord.ui.Button(label=STEPS[place][0], custom_id=f"import:{rules}:{place}:{to}", disabled=off)
        super().__init__(button)
        self.rules, self.to = rules, to

    @classmethod
    async def from_custom_id(cls, interaction: discord.Interaction[Any], item: Any, match: Found[str], /) -> Self:
        return cls(match["rules"], int(match["place"]), int(match["to"]))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        try:
            await acknowledge_quietly(interaction)
            await _turned(interaction, self.rules, self.to)
        except Exception as error:
            await errors.answer(interaction, error)


class Film(Gated, discord.ui.DynamicItem[Item], template=r"import:(?P<rules>[a-z0-9-]{1,30}):film"):
    """Shows the whole record as a film."""

    def __init__(self, rules: str, label: str | None) -> None:
        super().__init__(discord.ui.Button(label=label, custom_id=f"import:{rules}:film"))
        self.rules = rules

    @classmethod
    async def from_custom_id(cls, interaction: discord.Interaction[Any], item: Any, match: Found[str], /) -> Self:
        return cls(match["rules"], item.label)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        try:
            await acknowledge_quietly(interaction)
            await _filmed(interaction, self.rules)
        except Exception as error:
            await errors.answer(interaction, error)


@dataclass(frozen=True, slots=True)
class Brought:
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
        names = [plain(name) if name.strip() else "" for name in self.record.players]
        plates = (
            Plate(names[seat] or words(f"colour.{seat}"), words.number(points), Mark.NONE, words(f"colour.{seat}"))
            for seat, points in enumerate(position.score)
        )
        return Header(tuple(plates), words("header.move", number=number))

    def title(self, words: Words) -> str:
        names = [escaped(plain(name)) for name in self.record.players if name.strip()]
        return words(
            "import.title",
            players=" – ".join(names) or words("import.nameless"),
            rules=words(f"preset.{self.game.key}.name"),
            count=self.moves,
        )


async def brought(interaction: Interaction, file: discord.Attachment, rules: str | None) -> None:
    """Shows the game in a file to whoever brings it. The interaction is acknowledged. Raises Refused."""
    client = interaction.client
    client.gate.imports(Request.of(interaction))
    data = await _fetched(file)
    try:
        read = await asyncio.to_thread(_read, data, file.filename, rules or DEFAULT)
        game, unmade = await asyncio.to_thread(_judged, read, () if rules else LIKELY)
        page = await _page(interaction, game, game.moves)
        written = await asyncio.to_thread(sgf.write, game.record)
    except BadRecord as error:
        raise _refused(error) from error
    words = await client.audience.alone(interaction)
    lines = [game.title(words)]
    if game.record.result.strip():
        lines.append(words("import.result", result=escaped(plain(game.record.result))))
    if unmade:
        lines.append(words("import.unmade", count=unmade))
    files, view = [page, discord.File(BytesIO(written), FILE)], _buttons(game, game.moves, words)
    await privately(interaction, "\n".join(lines), files=files, view=view)


async def _turned(interaction: Interaction, rules: str, to: int) -> None:
    stored, game = await _kept(interaction, rules)
    number = min(to, game.moves)
    words = await interaction.client.audience.alone(interaction)
    page, view = await _page(interaction, game, number), _buttons(game, number, words)
    await interaction.edit_original_response(attachments=[page, stored], view=view)


async def _filmed(interaction: Interaction, rules: str) -> None:
    words = await interaction.client.audience.alone(interaction)
    _, game = await _kept(interaction, rules)
    film = await asyncio.to_thread(_film, game, words, await _theme(interaction))
    file = discord.File(BytesIO(film), "game.gif", description=words("replay.alt", count=game.moves))
    await privately(interaction, game.title(words), file=file)


async def _kept(interaction: Interaction, rules: str) -> tuple[discord.Attachment, Brought]:
    """The record in the message on which somebody pressed. Raises Refused."""
    assert interaction.message is not None, "a button hangs on a message"
    stored = next((each for each in interaction.message.attachments if each.filename == FILE), None)
    if stored is None:
        raise Refused("old_button")
    data = await _fetched(stored)
    return stored, await asyncio.to_thread(_read, data, FILE, rules)


async def _fetched(file: discord.Attachment) -> bytes:
    """What is in a file, unless it is too long for a record: then it is not even fetched. Raises Refused."""
    if file.size > MOST_BYTES:
        raise _refused(BadRecord("too_long", most=MOST_BYTES))
    return await file.read()


async def _page(interaction: Interaction, game: Brought, number: int) -> discord.File:
    words = await interaction.client.audience.alone(interaction)
    png = await asyncio.to_thread(_drawn, game, number, words, await _theme(interaction))
    alt = words("import.alt", number=number, moves=game.moves)
    return discord.File(BytesIO(png), f"board-{number}.png", description=alt)


async def _theme(interaction: Interaction) -> Theme:
    return THEMES.get((await person(interaction.client, Request.of(interaction).user)).theme, PAPER)


def _buttons(game: Brought, number: int, words: Words) -> discord.ui.View:
    last = game.moves
    ends = {0: 0, len(STEPS) - 1: last}
    targets = [ends.get(place, min(max(number + (by or 0), 0), last)) for place, (_, by) in enumerate(STEPS)]
    steps = [Step(game.rules, place, to, off=to == number) for place, to in enumerate(targets)]
    return row(*steps, *([Film(game.rules, words("import.film"))] if last else []))


def _read(data: bytes, name: str, rules: str) -> Brought:
    """Raises BadRecord."""
    return Brought((sav.read if name.lower().endswith(".sav") else sgf.read)(data), rules)


def _judged(game: Brought, others: Iterable[str]) -> tuple[Brought, int]:
    """The game with how many of its chains its rules do not make; by `others` if those make more of it. Raises
    BadRecord."""
    found: tuple[Brought, int] | None = None
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


def _drawn(game: Brought, number: int, words: Words, theme: Theme) -> bytes:
    position = next(islice(game.positions(), number, None))
    return draw(position.picture(), game.header(position, number, words), theme)


def _film(game: Brought, words: Words, theme: Theme) -> bytes:
    numbered = enumerate(game.positions())
    moments = (Moment(position.picture(), game.header(position, number, words)) for number, position in numbered)
    return replay(moments, theme=theme)


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


def _refused(error: BadRecord) -> Refused:
    """What is said to whoever brings a record that cannot be shown."""
    match error.key:
        case "too_long":
            return Refused("import_too_long", most=MOST_BYTES // 1024)
        case "too_many" | "too_slow":
            return Refused("import_too_much")
        case "no_dots":
            return Refused("import_no_dots")
        case "no_size":
            return Refused("import_no_size", largest=int(error.details["largest"]))
    if "number" in error.details:
        return Refused("import_bad_move", number=int(error.details["number"]), dot=str(error.details["dot"]))
    if "dot" in error.details:
        return Refused("import_bad_dot", dot=str(error.details["dot"]))
    return Refused("import_unreadable")


BUTTONS: tuple[type[discord.ui.DynamicItem[Any]], ...] = (Step, Film)
