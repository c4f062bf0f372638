"""A game of this bot move by move, in a private panel. Its film and its record are one press away.

The custom ids of a panel are all that it knows, so it outlives the bot. Each board is drawn in a worker process.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import blake2b
from typing import Any, Final

import discord

from bot.features.coach.reviews import review_of
from bot.features.match.actions.after_game import LookBack
from bot.features.records.exports import FilmButton, RecordButton, match_title
from bot.features.records.play_on import PlayOn
from bot.interactions import custom_ids as ids
from bot.interactions.buttons import button
from bot.interactions.components import Component, PanelItem
from bot.interactions.context import Context
from bot.interactions.layout import Control, Part
from bot.interactions.modals import Form, field_value, make_form, open_form
from bot.interactions.offers import TextField
from bot.interactions.permissions import load_visible_match
from bot.interactions.pictures import picture_file, stored_files
from bot.interactions.sharing import Audience, ShareButton, is_shareable, load_shareable
from opponent.review import MIN_MOVES
from play.ids import MatchId
from play.match.match import Match
from play.refusal import Reason, Refused
from presentation.match.played_game import Page, PlayedGame, turn_to
from presentation.words.words import Words
from rules.dots import Dots
from rules.point import Seat

NUMBER: Final = TextField("number", 4)

MAX_FILES: Final = 10
"""Files of a message; Discord's limit."""

_NAME: Final = re.compile(r"kropka-[0-9]+-([0-9]+)-[0-9a-f]+\.png")

_DIGEST_BYTES: Final = 6

STEPS: Final = ("⏮", "◀", "▶", "⏭")
"""The buttons to the ends and to the neighbours of a position."""


class ReplayButton(LookBack, id=ids.REPLAY):
    """Opens the panel at the end of the game."""

    @classmethod
    def is_available(cls, match: Match, seat: Seat) -> bool:
        return bool(match.moves)

    async def show(self, ctx: Context, match: Match) -> None:
        await show_replay(ctx, match)


class _Turning(PanelItem):
    """A button that turns to another position. Pictures that the panel has already are not uploaded again."""

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_update()
        await _show(ctx, await self.parts(ctx))


class StepButton(_Turning, id=ids.REPLAY_STEP):
    """Turns to the position after `to` moves. `place` tells apart the buttons of one panel."""

    match: MatchId
    to: int

    async def parts(self, ctx: Context) -> Sequence[Part]:
        return await _draw(ctx, await load_visible_match(ctx, self.match), self.to)


class TurningPointButton(_Turning, id=ids.REPLAY_TURNING_POINT):
    """Turns to the first turning point after `after` moves, and from the last one to the first."""

    match: MatchId
    after: int

    async def parts(self, ctx: Context) -> Sequence[Part]:
        match = await load_visible_match(ctx, self.match)
        with ctx.services.jobs.one_at_a_time(ctx.user):
            found = await review_of(ctx, match)
        numbers = [mistake.number for mistake in found.mistakes]
        if not numbers:
            return [(await ctx.words())("review.none"), *await _draw(ctx, match, self.after)]
        return await _draw(ctx, match, next((each for each in numbers if each > self.after), numbers[0]))


class JumpButton(Component, id=ids.REPLAY_JUMP):
    """Asks for the number of a move."""

    match: MatchId

    async def pressed(self, ctx: Context) -> None:
        match, words = await load_visible_match(ctx, self.match), await ctx.words()
        question = discord.ui.Label[Any](
            text=words("replay.jump.number", moves=len(match.moves)),
            component=NUMBER.make(style=discord.TextStyle.short),
        )
        form = make_form(ids.REPLAY_JUMP(match=match.id), words("replay.jump.title"), question)
        await open_form(ctx, form)


async def _jump(ctx: Context, match: MatchId) -> None:
    """Turns to the move of a submitted form."""
    await ctx.defer_update()
    found, typed = await load_visible_match(ctx, match), field_value(ctx, NUMBER).strip()
    if not typed.isdecimal() or int(typed) > len(found.moves):
        raise Refused(Reason.NO_SUCH_MOVE, most=len(found.moves))
    await _show(ctx, await _draw(ctx, found, int(typed)))


class SharePosition(ShareButton, id=ids.SHARE_POSITION):
    """Shares the position after a move."""

    match: MatchId
    number: int

    async def parts(self, ctx: Context, members: Audience) -> Sequence[Part]:
        match = await load_shareable(ctx, self.match)
        return (await _turn(ctx, match, self.number, members))[0]


async def show_replay(ctx: Context, match: Match) -> None:
    """Shows the end of a game, and the ways through it. The interaction is acknowledged. Raises Refused."""
    if not match.moves:
        raise Refused(Reason.NOTHING_TO_REPLAY)
    await ctx.show(await _draw(ctx, match, len(match.moves)))


async def _show(ctx: Context, parts: Sequence[Part]) -> None:
    """Shows the panel. Of the pictures that it has, those nearest to the shown position stay, as many as it may
    have."""
    message = ctx.interaction.message
    stored = {each.filename: each for each in stored_files(message)} if message and ctx.is_panel else {}
    shown = next(part for part in parts if isinstance(part, discord.File))
    number, is_stored = _number_of(shown.filename), shown.filename in stored
    near = sorted(stored, key=lambda name: (name != shown.filename, abs(_number_of(name) - number)))
    keep = [stored[name] for name in near[: MAX_FILES - (not is_stored)]]
    again = discord.MediaGalleryItem(f"attachment://{shown.filename}", description=shown.description)
    await ctx.show([again if is_stored and part is shown else part for part in parts], keep)


def _number_of(filename: str) -> int:
    """Returns the number of moves in the name of a picture; -1 in any other."""
    found = _NAME.fullmatch(filename)
    return int(found[1]) if found else -1


async def _draw(ctx: Context, match: Match, number: int) -> list[Part]:
    """Returns the panel at the position after `number` moves, or at the end of a game with fewer: moves are taken
    back."""
    number = min(number, len(match.moves))
    reader = await Audience.reader(ctx)
    parts, page = await _turn(ctx, match, number, reader)
    words = reader.words
    further: list[Control] = [FilmButton.to(match, words)]
    if isinstance(match.game, Dots):
        further.append(RecordButton.to(match, words))
    if await is_shareable(ctx, match):
        further.append(SharePosition.make(words("share.button"), match=match.id, number=number))
    return [
        *parts,
        _steps(match, number),
        _captures(match, number, page, words),
        _leaps(ctx, match, number, words),
        further,
    ]


async def _turn(ctx: Context, match: Match, number: int, audience: Audience) -> tuple[list[Part], Page]:
    """Returns the title of a game, its position after `number` moves with what happened, and the page of that."""
    words, count = audience.words, len(match.moves)
    names = await ctx.services.names.of_all(match.players, match.guild)
    page = await ctx.services.jobs.pictures.make(
        ctx.user, turn_to, PlayedGame(match, names, words, audience.theme), number
    )
    name = f"kropka-{match.id}-{number}-{_digest(match, number, names, audience)}"
    picture = picture_file(page.png, name, words("import.alt", number=number, moves=count))
    told = f"{words('replay.move', number=number, moves=count)} {page.story}"
    return [f"{match_title(match, names, words)}\n{told}", picture], page


def _digest(match: Match, number: int, names: tuple[str, ...], audience: Audience) -> str:
    """Returns what tells apart the pictures of a match after `number` moves: moves are taken back, the game ends, and
    the reader changes language or theme."""
    outcome = match.outcome if number == len(match.moves) else None
    turns = [move.text for move in match.moves[:number]]
    seen = (turns, outcome, names, audience.words.tag, audience.theme)
    return blake2b(repr(seen).encode(), digest_size=_DIGEST_BYTES).hexdigest()


def _steps(match: Match, number: int) -> list[Control]:
    """Returns the buttons to the ends and to the neighbours of a position."""
    last = len(match.moves)
    targets = 0, max(0, number - 1), min(last, number + 1), last
    return [
        button(ids.REPLAY_STEP(match=match.id, place=place, to=to), STEPS[place], disabled=to == number)
        for place, to in enumerate(targets)
    ]


def _captures(match: Match, number: int, page: Page, words: Words) -> list[Control]:
    """Returns the buttons to the nearest captures."""
    buttons: list[Control] = []
    for way, to in {"back": page.captured_before, "on": page.captured_after}.items():
        custom_id = ids.REPLAY_STEP(match=match.id, place=len(STEPS) + len(buttons), to=number if to is None else to)
        buttons.append(button(custom_id, words(f"replay.capture.{way}"), disabled=to is None))
    return buttons


def _leaps(ctx: Context, match: Match, number: int, words: Words) -> list[Control]:
    """Returns the buttons to any move, to the turning points of a finished game, and to a game that begins here."""
    leaps: list[Control] = [JumpButton.make(words("replay.jump"), match=match.id)]
    if match.outcome and ctx.services.coach.has_computer and len(match.moves) >= MIN_MOVES:
        leaps.append(TurningPointButton.make(words("replay.turning_point"), match=match.id, after=number))
    leaps.append(PlayOn.make(words("on.button"), source=match.id, number=number))
    return leaps


BUTTONS: tuple[type[Component], ...] = (ReplayButton, StepButton, TurningPointButton, JumpButton, SharePosition)
FORMS: tuple[Form, ...] = (Form(ids.REPLAY_JUMP, _jump, (NUMBER,)),)
