"""A recorded game that somebody brings along: looked at move by move, taken along again as a film or as SGF.

The record lies in the message itself, so nothing of it is stored, and the buttons outlive the bot.
"""

from __future__ import annotations

from io import BytesIO
from re import Match as Found
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar

import discord

from bot.features.records.exports import film_of
from bot.features.records.imported_game import Shown, filmed, opened, turned
from bot.interactions.admission import GatedItem
from bot.interactions.buttons import Item, row
from bot.interactions.context import Context
from bot.services.names import escape, plain_name
from play.records.record import MOST_BYTES, BadRecord
from play.refusal import Reason, Refused
from renderer.theme import PAPER, THEMES

if TYPE_CHECKING:
    from collections.abc import Callable

    from bot.i18n.words import Words
    from bot.services.job_pool import JobQueue
    from renderer.theme import Theme

T = TypeVar("T")

LEAP: Final = 10
"""Moves that the quick buttons go on or back."""

FILE: Final = "game.sgf"

STEPS: Final = (("⏮", None), ("⏪", -LEAP), ("◀", -1), ("▶", 1), ("⏩", LEAP), ("⏭", None))
"""The buttons, with the moves that they go on or back; the outer ones go to an end."""


class Step(
    GatedItem,
    discord.ui.DynamicItem[Item],
    template=r"import:(?P<rules>[a-z0-9-]{1,30}):(?P<place>[0-5]):(?P<to>\d{1,5})",
):
    """Shows the position after another move."""

    def __init__(self, rules: str, place: int, to: int, *, off: bool = False) -> None:
        button: Item = discord.ui.Button(label=STEPS[place][0], custom_id=f"import:{rules}:{place}:{to}", disabled=off)
        super().__init__(button)
        self.rules, self.to = rules, to

    @classmethod
    async def from_custom_id(cls, interaction: discord.Interaction[Any], item: Any, match: Found[str], /) -> Self:
        return cls(match["rules"], int(match["place"]), int(match["to"]))

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_update()
        await _turned(ctx, self.rules, self.to)


class Film(GatedItem, discord.ui.DynamicItem[Item], template=r"import:(?P<rules>[a-z0-9-]{1,30}):film"):
    """Shows the whole record as a film."""

    def __init__(self, rules: str, label: str | None) -> None:
        super().__init__(discord.ui.Button(label=label, custom_id=f"import:{rules}:film"))
        self.rules = rules

    @classmethod
    async def from_custom_id(cls, interaction: discord.Interaction[Any], item: Any, match: Found[str], /) -> Self:
        return cls(match["rules"], item.label)

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_update()
        await _filmed(ctx, self.rules)


async def show_import(ctx: Context, file: discord.Attachment, rules: str | None) -> None:
    """Shows the game in a file to whoever brings it. The interaction is acknowledged. Raises Refused."""
    ctx.services.gate.count_import(ctx.request)
    with ctx.services.jobs.one_at_a_time(ctx.user):
        data = await _fetched(file)
        words, theme = await ctx.words(), await _theme(ctx)
        game = await _made(ctx.services.jobs.pictures, ctx.user, opened, data, file.filename, rules, words, theme)
        lines = [game.shown.title]
        if game.result:
            lines.append(words("import.result", result=escape(plain_name(game.result))))
        if game.unmade:
            lines.append(words("import.unmade", count=game.unmade))
        files = [_page(game.shown, words), discord.File(BytesIO(game.sgf), FILE)]
        await ctx.reply("\n".join(lines), files=files, view=_buttons(game.shown, words))


async def _turned(ctx: Context, rules: str, to: int) -> None:
    user = ctx.user
    stored, data = await _kept(ctx)
    words, theme = await ctx.words(), await _theme(ctx)
    game = await _made(ctx.services.jobs.pictures, user, turned, data, FILE, rules, to, words, theme)
    await ctx.interaction.edit_original_response(attachments=[_page(game, words), stored], view=_buttons(game, words))


async def _filmed(ctx: Context, rules: str) -> None:
    user = ctx.user
    with ctx.services.jobs.one_at_a_time(user):
        _, data = await _kept(ctx)
        words, theme = await ctx.words(), await _theme(ctx)
        try:
            film = await film_of(ctx, filmed, data, FILE, rules, words, theme)
        except BadRecord as error:
            raise _refused(error) from error
        file = discord.File(BytesIO(film.gif), "game.gif", description=words("replay.alt", count=film.moves))
        await ctx.reply(film.title, file=file)


async def _made(line: JobQueue, user: int, work: Callable[..., T], *arguments: Any) -> T:
    """What the lane makes of a record. Raises Refused."""
    try:
        return await line.make(user, work, *arguments)
    except BadRecord as error:
        raise _refused(error) from error


async def _kept(ctx: Context) -> tuple[discord.Attachment, bytes]:
    """The record in the message on which somebody pressed. Raises Refused."""
    assert ctx.interaction.message is not None, "a button hangs on a message"
    stored = next((each for each in ctx.interaction.message.attachments if each.filename == FILE), None)
    if stored is None:
        raise Refused(Reason.OLD_BUTTON)
    return stored, await _fetched(stored)


async def _fetched(file: discord.Attachment) -> bytes:
    """What is in a file, unless it is too long for a record: then it is not even fetched. Raises Refused."""
    if file.size > MOST_BYTES:
        raise _refused(BadRecord("too_long", most=MOST_BYTES))
    return await file.read()


def _page(game: Shown, words: Words) -> discord.File:
    alt = words("import.alt", number=game.number, moves=game.moves)
    return discord.File(BytesIO(game.png), f"board-{game.number}.png", description=alt)


async def _theme(ctx: Context) -> Theme:
    return THEMES.get((await ctx.settings()).theme, PAPER)


def _buttons(game: Shown, words: Words) -> discord.ui.View:
    number, last = game.number, game.moves
    ends = {0: 0, len(STEPS) - 1: last}
    targets = [ends.get(place, min(max(number + (by or 0), 0), last)) for place, (_, by) in enumerate(STEPS)]
    steps = [Step(game.rules, place, to, off=to == number) for place, to in enumerate(targets)]
    return row(*steps, *([Film(game.rules, words("import.film"))] if last else []))


def _refused(error: BadRecord) -> Refused:
    """What is said to whoever brings a record that cannot be shown."""
    match error.key:
        case "too_long":
            return Refused(Reason.IMPORT_TOO_LONG, most=MOST_BYTES // 1024)
        case "too_many" | "too_slow":
            return Refused(Reason.IMPORT_TOO_MUCH)
        case "no_dots":
            return Refused(Reason.IMPORT_NO_DOTS)
        case "no_size":
            return Refused(Reason.IMPORT_NO_SIZE, largest=int(error.details["largest"]))
    if "number" in error.details:
        return Refused(Reason.IMPORT_BAD_MOVE, number=int(error.details["number"]), dot=str(error.details["dot"]))
    if "dot" in error.details:
        return Refused(Reason.IMPORT_BAD_DOT, dot=str(error.details["dot"]))
    return Refused(Reason.IMPORT_UNREADABLE)


BUTTONS: tuple[type[discord.ui.DynamicItem[Any]], ...] = (Step, Film)
