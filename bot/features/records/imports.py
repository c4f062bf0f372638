"""Records of games that players bring: their files, what is said of them, and a record as a GIF.

Nothing of a record is stored. It is a file of the private message that shows it, so its buttons outlive the bot.
"""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from typing import Any, Final, TypeVar

import discord

from bot.features.records.exports import make_gif
from bot.interactions import custom_ids as ids
from bot.interactions.components import Component
from bot.interactions.context import Context
from bot.interactions.sharing import Audience
from bot.services.forwards import shown_in
from play.records.record import MAX_RECORD_BYTES, BadRecord
from play.refusal import Reason, Refused
from presentation.records import OpenedRecord, film_record, open_record
from presentation.words.words import Words
from renderer.theme import PAPER, THEMES

T = TypeVar("T")

FILE: Final = "game.sgf"
"""The name of the record in its message."""

ENDINGS: Final = (".sgf", ".sgfs", ".sav")
"""Ends of the names of records."""


class RecordFilmButton(Component, id=ids.IMPORT_FILM):
    """A button that shows the whole record as a GIF."""

    source: str

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_update()
        with ctx.services.jobs.one_at_a_time(ctx.user):
            data, (words, theme, _) = await read_stored_record(ctx), await Audience.reader(ctx)
            try:
                film = await make_gif(ctx, film_record, data, FILE, self.source, words, THEMES.get(theme, PAPER))
            except BadRecord as error:
                raise _refusal(error) from error
            file = discord.File(BytesIO(film.gif), "game.gif", description=words("replay.alt", count=film.moves))
            await ctx.reply(film.title, file=file)


async def open_file(ctx: Context, file: discord.Attachment, rules: str | None) -> OpenedRecord:
    """Returns the game in a file. Raises Refused, before any byte is fetched if it is too long for a record."""
    if file.size > MAX_RECORD_BYTES:
        raise _refusal(BadRecord("too_long", most=MAX_RECORD_BYTES))
    words, theme, _ = await Audience.reader(ctx)
    data = await file.read()
    return await read_in_worker(ctx, open_record, data, file.filename, rules, words, THEMES.get(theme, PAPER))


def describe(record: OpenedRecord, words: Words) -> str:
    """Returns the result of a record, and what does not fit or was left out, in lines."""
    lines = [record.result] if record.result else []
    if record.contradicting_score:
        lines.append(words("import.contradiction", score=record.contradicting_score))
    if record.unmade_chains:
        lines.append(words("import.unmade", count=record.unmade_chains))
    if record.odd:
        lines.append(words("import.odd", names=", ".join(f"`{name}`" for name in record.odd)))
    if record.more_games:
        lines.append(words("import.more_games"))
    if record.cut_off:
        lines.append(words("import.cut_off"))
    return "\n".join(lines)


def find_record(message: discord.Message) -> discord.Attachment:
    """Returns the first record among the files that a message shows. Raises Refused (`no_record_here`)."""
    for file in shown_in(message).attachments:
        if file.filename.lower().endswith(ENDINGS):
            return file
    raise Refused(Reason.NO_RECORD_HERE)


async def read_in_worker(ctx: Context, work: Callable[..., T], *arguments: Any) -> T:
    """Returns what a worker process makes of a record. Raises Refused."""
    try:
        return await ctx.services.jobs.pictures.make(ctx.user, work, *arguments)
    except BadRecord as error:
        raise _refusal(error) from error


async def read_stored_record(ctx: Context) -> bytes:
    """Returns the record in the message of the button, which this bot has written. Raises Refused."""
    message = ctx.interaction.message
    assert message is not None, "a button hangs on a message"
    urls = [each.url for each in message.attachments if each.filename == FILE]
    urls += (each.media.url for each in message.components if isinstance(each, discord.FileComponent))
    if not urls:
        raise Refused(Reason.OLD_BUTTON)
    data: bytes = await ctx.interaction.client.http.get_from_cdn(urls[0])  # the file of a component has no client
    return data


def _refusal(error: BadRecord) -> Refused:
    """Returns what the player is told of a record that cannot be shown."""
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
    if "number" in error.details:
        return Refused(Reason.IMPORT_BAD_MOVE, number=int(error.details["number"]), dot=str(error.details["dot"]))
    if "dot" in error.details:
        return Refused(Reason.IMPORT_BAD_DOT, dot=str(error.details["dot"]))
    return Refused(Reason.IMPORT_UNREADABLE)


BUTTONS: tuple[type[Component], ...] = (RecordFilmButton,)
