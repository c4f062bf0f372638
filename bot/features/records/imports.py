"""Import of a recorded game: the board move by move, and the whole game as a GIF or as SGF.

The message itself holds the record. So nothing of it is stored, and its buttons outlive the bot.
"""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from typing import Any, Final, TypeVar

import discord

from bot.features.records.exports import make_gif
from bot.interactions import custom_ids as ids
from bot.interactions.buttons import button, row
from bot.interactions.components import Component
from bot.interactions.context import Context
from play.records.record import MAX_RECORD_BYTES, BadRecord
from play.refusal import Reason, Refused
from presentation.records import OpenedRecord, RecordPage, film_record, open_record, turn_record
from presentation.words.words import Words
from renderer.theme import PAPER, THEMES, Theme

T = TypeVar("T")

FILE: Final = "game.sgf"
"""The name of the record in its message."""

ENDINGS: Final = (".sgf", ".sgfs", ".sav")
"""Ends of the names of records."""

LEAP_MOVES: Final = 10
"""Moves that the quick buttons go on or back."""

STEPS: Final = (("⏮", None), ("⏪", -LEAP_MOVES), ("◀", -1), ("▶", 1), ("⏩", LEAP_MOVES), ("⏭", None))
"""The buttons, with the moves that they go on or back; the outer ones go to an end."""


class RecordStepButton(Component, id=ids.IMPORT_STEP):
    """A button that shows the position after another move."""

    rules: str
    to: int

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_update()
        stored, data = await find_stored_record(ctx)
        words, theme = await ctx.words(), await _theme(ctx)
        page = await read_in_worker(ctx, turn_record, data, FILE, self.rules, self.to, words, theme)
        view = _buttons(page, words)
        await ctx.interaction.edit_original_response(attachments=[_board_file(page, words), stored], view=view)


class RecordFilmButton(Component, id=ids.IMPORT_FILM):
    """A button that shows the whole record as a GIF."""

    rules: str

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_update()
        with ctx.services.jobs.one_at_a_time(ctx.user):
            _, data = await find_stored_record(ctx)
            words, theme = await ctx.words(), await _theme(ctx)
            try:
                film = await make_gif(ctx, film_record, data, FILE, self.rules, words, theme)
            except BadRecord as error:
                raise _refusal(error) from error
            file = discord.File(BytesIO(film.gif), "game.gif", description=words("replay.alt", count=film.moves))
            await ctx.reply(film.title, file=file)


async def show_import(ctx: Context, file: discord.Attachment, rules: str | None) -> None:
    """Shows the game in a file to the player who imports it. The interaction is acknowledged. Raises Refused."""
    ctx.services.gate.count_import(ctx.request)
    with ctx.services.jobs.one_at_a_time(ctx.user):
        data = await _download(file)
        words, theme = await ctx.words(), await _theme(ctx)
        record = await read_in_worker(ctx, open_record, data, file.filename, rules, words, theme)
        files = [_board_file(record.page, words), discord.File(BytesIO(record.sgf), FILE)]
        await ctx.reply("\n".join(_lines(record, words)), files=files, view=_buttons(record.page, words))


def _lines(record: OpenedRecord, words: Words) -> list[str]:
    """Returns the game, its result, and what does not fit or was left out."""
    lines = [record.page.title]
    if record.result:
        lines.append(record.result)
    if record.contradicting_score:
        lines.append(words("import.contradiction", score=record.contradicting_score))
    if record.unmade_chains:
        lines.append(words("import.unmade", count=record.unmade_chains))
    if record.odd:
        lines.append(words("import.odd", names=", ".join(f"`{name}`" for name in record.odd)))
    if record.more_games:
        lines.append(words("import.more_games"))
    return lines


def find_record(message: discord.Message) -> discord.Attachment:
    """Returns the first record among the files of a message. Raises Refused (`no_record_here`)."""
    for file in message.attachments:
        if file.filename.lower().endswith(ENDINGS):
            return file
    raise Refused(Reason.NO_RECORD_HERE)


async def read_in_worker(ctx: Context, work: Callable[..., T], *arguments: Any) -> T:
    """Returns what a worker process makes of a record. Raises Refused."""
    try:
        return await ctx.services.jobs.pictures.make(ctx.user, work, *arguments)
    except BadRecord as error:
        raise _refusal(error) from error


async def find_stored_record(ctx: Context) -> tuple[discord.Attachment, bytes]:
    """Returns the record in the message of the button. Raises Refused."""
    assert ctx.interaction.message is not None, "a button hangs on a message"
    stored = next((each for each in ctx.interaction.message.attachments if each.filename == FILE), None)
    if stored is None:
        raise Refused(Reason.OLD_BUTTON)
    return stored, await _download(stored)


async def _download(file: discord.Attachment) -> bytes:
    """Returns the contents of a file. Raises Refused, before any byte is fetched, if it is too long for a record."""
    if file.size > MAX_RECORD_BYTES:
        raise _refusal(BadRecord("too_long", most=MAX_RECORD_BYTES))
    return await file.read()


def _board_file(page: RecordPage, words: Words) -> discord.File:
    alt = words("import.alt", number=page.number, moves=page.moves)
    return discord.File(BytesIO(page.png), f"board-{page.number}.png", description=alt)


async def _theme(ctx: Context) -> Theme:
    return THEMES.get((await ctx.settings()).theme, PAPER)


def _buttons(page: RecordPage, words: Words) -> discord.ui.View:
    number, last = page.number, page.moves
    ends = {0: 0, len(STEPS) - 1: last}
    targets = [ends.get(place, min(max(number + (by or 0), 0), last)) for place, (_, by) in enumerate(STEPS)]
    steps = [
        button(ids.IMPORT_STEP(rules=page.rules, place=place, to=to), STEPS[place][0], disabled=to == number)
        for place, to in enumerate(targets)
    ]
    onward = button(ids.PLAY_ON(source=page.rules, number=number), words("on.button"))
    film = [RecordFilmButton.make(words("import.film"), rules=page.rules)] if last else []
    return row(*steps, *film, onward)


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


BUTTONS: tuple[type[Component], ...] = (RecordStepButton, RecordFilmButton)
