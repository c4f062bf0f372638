"""A game move by move, in a private panel: one of this bot, or an imported record. Its film is one press away.

The custom ids of a panel and its message are all that it knows, so it outlives the bot: they name a game of this bot,
and the message has an imported record as a file. Each board is drawn in a worker process.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from io import BytesIO
from typing import Any, ClassVar, Final, NamedTuple

import discord
from discord.app_commands import Choice

from bot.features.coach.reviews import review_of
from bot.features.match.actions.endings import LookBack
from bot.features.records import files
from bot.features.records.files import (
    FILE,
    FilmButton,
    RecordButton,
    RecordFilmButton,
    describe,
    match_title,
    open_file,
    read_in_worker,
    read_stored_record,
)
from bot.features.records.play_on import PlayOn
from bot.interactions import custom_ids as ids
from bot.interactions.commands import Command, Group, Menu
from bot.interactions.components import (
    Audience,
    Component,
    Form,
    ShareButton,
    can_share,
    field_value,
    is_shareable,
    load_shareable,
    make_form,
    open_form,
)
from bot.interactions.context import Context
from bot.interactions.errors import reply_error
from bot.interactions.layout import Control, Part, button, picture_file, stored_files
from bot.interactions.offers import TextField
from bot.interactions.permissions import load_visible_match
from opponent.review import MIN_MOVES
from play.ids import MatchId
from play.match.match import Match
from play.refusal import Reason, Refused
from presentation.match.played_game import Page, PlayedGame, turn_to
from presentation.records import PRESETS, turn_record
from presentation.votes import turn_votes_text
from presentation.words.words import Words
from renderer.theme import PAPER, THEMES
from rules.dots import Dots
from rules.game import Seat

NUMBER: Final = TextField("number", 4)

MAX_FILES: Final = 10
"""Files of a message; Discord's limit."""

_NAME: Final = re.compile(r"kropka-[0-9a-z-]+-([0-9]+)-[0-9a-f]+\.png")

_DIGEST_BYTES: Final = 6

STEPS: Final = ("⏮", "◀", "▶", "⏭")
"""The buttons to the ends and to the neighbours of a position."""


class _Turned(NamedTuple):
    """A game with its title at a position. Pictures of a panel that look different differ in what is `seen`."""

    title: str
    page: Page
    seen: object


@dataclass(frozen=True, slots=True)
class _Played:
    """A game of this bot."""

    match: Match
    record: ClassVar[None] = None
    notes: ClassVar[str] = ""

    @property
    def source(self) -> str:
        """The name of the game in custom ids."""
        return str(self.match.id)

    async def turn(self, ctx: Context, number: int, audience: Audience) -> _Turned:
        """Returns the position after `number` moves, or at the end of a game with fewer: moves are taken back. Raises
        Refused."""
        match, words = self.match, audience.words
        names = await ctx.services.names.of_all(match.players, match.guild)
        page = await ctx.services.jobs.pictures.make(
            ctx.user, turn_to, PlayedGame(match, names, words, audience.theme), number
        )
        if page.number and match.outcome and (tally := await ctx.use_cases.votes.tally_of_move(match, page.number)):
            told = turn_votes_text(match, tally, page.number, words)
            page = page._replace(story="\n".join(filter(None, (page.story, told))))
        turns = [move.text for move in match.moves[: page.number]]
        outcome = match.outcome if page.number == page.moves else None
        return _Turned(match_title(match, names, words), page, (turns, outcome, names))

    def turning_points(self, ctx: Context, page: Page, words: Words) -> list[Control]:
        """Returns the button to the turning points of a finished game."""
        if not self.match.outcome or not ctx.services.coach.has_computer or page.moves < MIN_MOVES:
            return []
        return [TurningPointButton.make(words("replay.turning_point"), match=self.match.id, after=page.number)]

    def files(self, words: Words) -> list[Control]:
        """Returns the buttons that make files of the game."""
        record = [RecordButton.to(self.match, words)] if isinstance(self.match.game, Dots) else []
        return [FilmButton.to(self.match, words), *record]

    async def is_shareable(self, ctx: Context) -> bool:
        """Returns whether its positions may be shared here. Raises Refused."""
        return await is_shareable(ctx, self.match)


@dataclass(frozen=True, slots=True)
class _Imported:
    """A `record` that a player has imported, by the rules `source`. What was said of it are the `notes`."""

    source: str
    record: bytes
    notes: str

    @classmethod
    async def stored(cls, ctx: Context, source: str) -> _Imported:
        """Returns the record in the message of the button. Raises Refused."""
        record, message = await read_stored_record(ctx), ctx.interaction.message
        texts = (
            [part.content for part in message.components if isinstance(part, discord.TextDisplay)] if message else []
        )
        return cls(source, record, "\n".join(texts[1:]))  # the first one is the title

    async def turn(self, ctx: Context, number: int, audience: Audience) -> _Turned:
        """Returns the position after `number` moves, or at the end of a record with fewer. Raises Refused."""
        theme = THEMES.get(audience.theme, PAPER)
        found = await read_in_worker(ctx, turn_record, self.record, FILE, self.source, number, audience.words, theme)
        return _Turned(found.title, found.page, self.record)

    def turning_points(self, *_: object) -> list[Control]:
        """Returns nothing: a review is of a game of this bot."""
        return []

    def files(self, words: Words) -> list[Control]:
        """Returns the button that makes a film of the record, which is in the message itself."""
        return [RecordFilmButton.make(words("button.film"), source=self.source)]

    async def is_shareable(self, ctx: Context) -> bool:
        """Returns whether there is a channel to share into."""
        return can_share(ctx)


_Game = _Played | _Imported


async def _find(ctx: Context, source: str) -> _Game:
    """Returns the game that custom ids call `source`. Raises Refused."""
    if source.isdigit():
        return _Played(await load_visible_match(ctx, MatchId(int(source))))
    return await _Imported.stored(ctx, source)


class ReplayButton(LookBack, id=ids.REPLAY):
    """Opens the panel at the end of the game."""

    @classmethod
    def is_available(cls, match: Match, seat: Seat) -> bool:
        return bool(match.moves)

    async def show(self, ctx: Context, match: Match) -> None:
        await show_replay(ctx, match)


class StepButton(Component, id=ids.REPLAY_STEP):
    """Turns to the position after `to` moves. `place` tells apart the buttons of one panel."""

    source: str
    to: int

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_update()
        await _turn(ctx, await _find(ctx, self.source), self.to)


class FormerStepButton(StepButton, id=ids.IMPORT_STEP):
    """That of a record in the messages before they were panels. It opens a panel."""


class TurningPointButton(Component, id=ids.REPLAY_TURNING_POINT):
    """Turns to the first turning point after `after` moves, and from the last one to the first."""

    match: MatchId
    after: int

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_update()
        match = await load_visible_match(ctx, self.match)
        with ctx.services.jobs.one_at_a_time(ctx.user):
            found = await review_of(ctx, match)
        numbers = sorted(mistake.number for mistake in found.mistakes)
        if numbers:
            to = next((each for each in numbers if each > self.after), numbers[0])
            await _turn(ctx, _Played(match), to)
        else:
            await _turn(ctx, _Played(match), self.after, (await ctx.words())("review.none"))


class JumpButton(Component, id=ids.REPLAY_JUMP):
    """Asks for the number of a move. An imported record has so many `moves`; older buttons of games do not tell."""

    source: str
    moves: str

    async def pressed(self, ctx: Context) -> None:
        words, is_played = await ctx.words(), self.source.isdigit()
        moves = len((await load_visible_match(ctx, MatchId(int(self.source)))).moves) if is_played else self.moves
        question = discord.ui.Label[Any](
            text=words("replay.jump.number", moves=moves), component=NUMBER.make(style=discord.TextStyle.short)
        )
        form = ids.REPLAY_JUMP(source=self.source, moves=self.moves)
        await open_form(ctx, make_form(form, words("replay.jump.title"), question))


async def _jump(ctx: Context, source: str, moves: str) -> None:
    """Turns to the move of a submitted form."""
    await ctx.defer_update()
    game, typed = await _find(ctx, source), field_value(ctx, NUMBER).strip()
    most = len(game.match.moves) if isinstance(game, _Played) else int(moves or 0)
    if typed.isdecimal() and int(typed) <= most:
        await _turn(ctx, game, int(typed))
        return
    refused = Refused(Reason.NO_SUCH_MOVE, most=most)
    if isinstance(game, _Played):
        raise refused
    await reply_error(ctx, refused)  # a message with *Try again* would become a panel without the record


class SharePosition(ShareButton, id=ids.SHARE_POSITION):
    """Shares the position after a move."""

    source: str
    number: int

    async def parts(self, ctx: Context, members: Audience) -> Sequence[Part]:
        game = await _find(ctx, self.source)
        if isinstance(game, _Played):
            await load_shareable(ctx, game.match.id)
        return _position(game, await game.turn(ctx, self.number, members), members)


async def show_replay(ctx: Context, match: Match) -> None:
    """Shows the end of a game, and the ways through it. The interaction is acknowledged. Raises Refused."""
    if not match.moves:
        raise Refused(Reason.NOTHING_TO_REPLAY)
    await _turn(ctx, _Played(match), len(match.moves))


async def show_import(ctx: Context, file: discord.Attachment, rules: str | None) -> None:
    """Shows the end of the game in a file to the player who imports it, and the ways through it. The interaction is
    acknowledged. Raises Refused."""
    ctx.services.gate.count_import(ctx.request)
    with ctx.services.jobs.one_at_a_time(ctx.user):
        opened = await open_file(ctx, file, rules)
        await _turn(ctx, _Imported(opened.rules, opened.sgf, describe(opened, await ctx.words())), opened.moves)


async def _turn(ctx: Context, game: _Game, number: int, notice: str = "") -> None:
    """Shows the panel at the position after `number` moves, with a `notice`. Raises Refused."""
    reader = await Audience.reader(ctx)
    await _show(ctx, game, await game.turn(ctx, number, reader), reader, notice)


async def _show(ctx: Context, game: _Game, turned: _Turned, reader: Audience, notice: str = "") -> None:
    """Shows the panel. Of the pictures that it has, those nearest to the shown position stay, as many as it may have,
    and the record; so no file is uploaded again."""
    message = ctx.interaction.message
    stored = {each.filename: each for each in stored_files(message)} if message and ctx.is_panel else {}
    further: list[Any] = [stored.pop(FILE, None) or discord.File(BytesIO(game.record), FILE)] if game.record else []
    title, picture = _position(game, turned, reader)
    heading = f"{notice}\n{title}".lstrip()
    is_stored, most = picture.filename in stored, MAX_FILES - len(further)
    near = sorted(stored, key=lambda name: (name != picture.filename, abs(_number_of(name) - turned.page.number)))
    again = discord.MediaGalleryItem(f"attachment://{picture.filename}", description=picture.description)
    parts = [heading, game.notes, again if is_stored else picture, *await _ways(ctx, game, turned.page, reader)]
    further += (stored[name] for name in near[: most - (not is_stored)])
    await ctx.show([part for part in parts if part], further)


def _number_of(filename: str) -> int:
    """Returns the number of moves in the name of a picture; -1 in any other."""
    found = _NAME.fullmatch(filename)
    return int(found[1]) if found else -1


def _position(game: _Game, turned: _Turned, audience: Audience) -> tuple[str, discord.File]:
    """Returns the title of a game with what happened, and the picture. Its name has a digest of what it shows: moves
    are taken back, the game ends, and the reader changes language or theme."""
    page, words = turned.page, audience.words
    seen = repr((turned.seen, words.tag, audience.theme)).encode()
    name = f"kropka-{game.source}-{page.number}-{blake2b(seen, digest_size=_DIGEST_BYTES).hexdigest()}"
    picture = picture_file(page.png, name, words("import.alt", number=page.number, moves=page.moves))
    told = f"{words('replay.move', number=page.number, moves=page.moves)} {page.story}".rstrip()
    return f"{turned.title}\n{told}", picture


async def _ways(ctx: Context, game: _Game, page: Page, reader: Audience) -> list[Part]:
    """Returns the buttons to other positions and to a game that begins here, those that make files, and the record."""
    source, number, words = game.source, page.number, reader.words
    targets = 0, max(0, number - 1), min(page.moves, number + 1), page.moves
    captures = {"back": page.captured_before, "on": page.captured_after}
    steps = {label: None if to == number else to for label, to in zip(STEPS, targets, strict=True)}
    steps |= {words(f"replay.capture.{way}"): to for way, to in captures.items()}
    turns: list[Control] = [
        button(ids.REPLAY_STEP(source=source, place=place, to=number if to is None else to), label, disabled=to is None)
        for place, (label, to) in enumerate(steps.items())
    ]
    jump = [JumpButton.make(words("replay.jump"), source=source, moves=page.moves)] if page.moves else []
    onward = PlayOn.make(words("on.button"), source=source, number=number)
    files = game.files(words) if page.moves else []
    if await game.is_shareable(ctx):
        files.append(SharePosition.make(words("share.button"), source=source, number=number))
    leaps = [*jump, *game.turning_points(ctx, page, words), onward]
    rows = [turns[: len(STEPS)], turns[len(STEPS) :], leaps, *([files] if files else [])]
    return [*rows, *([discord.ui.File[Any](f"attachment://{FILE}")] if game.record else [])]


BUTTONS: tuple[type[Component], ...] = (
    *(ReplayButton, StepButton, FormerStepButton, TurningPointButton, JumpButton, SharePosition),
)
FORMS: tuple[Form, ...] = (Form(ids.REPLAY_JUMP, _jump, (NUMBER,)),)


async def replay(ctx: Context, game: int | None = None) -> None:
    await show_replay(ctx, await files.find_match(ctx, game))


async def game(ctx: Context, game: int | None = None) -> None:
    await files.send_sgf(ctx, await files.find_match(ctx, game))


async def all_(ctx: Context) -> None:
    await files.send_all_sgf(ctx)


async def import_(ctx: Context, file: discord.Attachment, rules: str | None = None) -> None:
    await show_import(ctx, file, rules)


async def open_record(ctx: Context, message: discord.Message) -> None:
    await show_import(ctx, files.find_record(message), None)


COMMANDS = (
    Command(replay, suggests={"game": files.suggest_games}),
    Group("export", (Command(game, like="replay", suggests={"game": files.suggest_games}), Command(all_))),
    Command(
        import_,
        choices={"rules": lambda words: [Choice(name=words(f"preset.{key}.name"), value=key) for key in PRESETS]},
    ),
    Menu("record", open_record),
)
