"""Games as files: one as a GIF or as SGF, all in one archive, and records that players bring.

Nothing of a record is stored. It is a file of the private message that shows it, so its buttons outlive the bot.
"""

from collections.abc import Callable, Sequence
from functools import partial
from io import BytesIO
from typing import Any, Final, TypeVar

import discord
from discord.app_commands import Choice

from bot.addresses import link
from bot.features.match.actions.endings import LookBack
from bot.interactions import custom_ids as ids
from bot.interactions.components import Audience, Component, ShareButton, is_shareable, load_shareable
from bot.interactions.context import Context
from bot.interactions.layout import Part, row
from bot.interactions.permissions import load_visible_match
from bot.markup import escape
from bot.services.messages import shown_in
from play.ids import MatchId
from play.match.match import Match
from play.people.career import MAX_SUMMARIZED_MATCHES
from play.records.record import MAX_RECORD_BYTES, BadRecord
from play.refusal import Reason, Refused
from presentation.match.played_game import PlayedGame, film_game
from presentation.records import (
    OpenedRecord,
    describe_archive,
    film_record,
    open_record,
    pack_records,
    refuse_record,
    write_record,
)
from presentation.terms import rules_name
from presentation.words.words import Words
from renderer.replay import TooLarge
from renderer.theme import PAPER, THEMES

T = TypeVar("T")

MAX_FILM_BYTES = 10 * 1024 * 1024
"""Bytes of a GIF. Discord takes as much everywhere; where it takes more, larger films are not worth their time."""

MAX_SUGGESTIONS, MAX_CHOICE = 25, 100
"""Suggestions for an option, and characters of each; Discord's limits."""

FILE: Final = "game.sgf"
"""The name of the record in its message."""

ENDINGS: Final = (".sgf", ".sgfs", ".sav")
"""Ends of the names of records."""


async def send_gif(ctx: Context, match: Match) -> None:
    """Sends a game as a GIF. The interaction is acknowledged. Raises Refused."""
    with ctx.services.jobs.one_at_a_time(ctx.user):
        reader = await Audience.reader(ctx)
        title, film = await _draw_film(ctx, match, reader)
        share = ShareFilm.make(reader.words("share.button"), match=match.id)
        await ctx.reply(title, file=film, **({"view": row(share)} if await is_shareable(ctx, match) else {}))


class FilmButton(LookBack, id=ids.FILM):
    """Sends the game as a GIF."""

    async def show(self, ctx: Context, match: Match) -> None:
        await send_gif(ctx, match)


class ShareFilm(ShareButton, id=ids.SHARE_FILM):
    """Shares a game as a GIF."""

    match: MatchId

    async def parts(self, ctx: Context, members: Audience) -> Sequence[Part]:
        with ctx.services.jobs.one_at_a_time(ctx.user):
            match = await load_shareable(ctx, self.match)
            return await _draw_film(ctx, match, members)


async def _draw_film(ctx: Context, match: Match, audience: Audience) -> tuple[str, discord.File]:
    """Returns the title of a game, and its GIF. Raises Refused."""
    if not match.moves:
        raise Refused(Reason.NOTHING_TO_REPLAY)
    words = audience.words
    names = await ctx.services.names.of_all(match.players, match.guild)
    film = await make_gif(ctx, film_game, PlayedGame(match, names, words, audience.theme))
    alt = words("replay.alt", count=len(match.moves))
    return match_title(match, names, words), discord.File(BytesIO(film), f"kropka-{match.id}.gif", description=alt)


async def send_sgf(ctx: Context, match: Match) -> None:
    """Sends a game as SGF. The interaction is acknowledged. Raises Refused."""
    with ctx.services.jobs.one_at_a_time(ctx.user):
        words = await ctx.words()
        names = await ctx.services.names.of_all(match.players, match.guild)
        try:
            data = await ctx.services.jobs.pictures.make(ctx.user, write_record, match, names)
        except BadRecord as error:
            raise Refused(Reason.NO_RECORD) from error
        file = discord.File(BytesIO(data), f"kropka-{match.id}.sgf")
        await ctx.reply(match_title(match, names, words), file=file)


class RecordButton(LookBack, id=ids.RECORD):
    """Sends the game as SGF."""

    async def show(self, ctx: Context, match: Match) -> None:
        await send_sgf(ctx, match)


async def send_all_sgf(ctx: Context) -> None:
    """Sends all games of the player as SGF in one archive. The interaction is acknowledged. Raises Refused."""
    with ctx.services.jobs.one_at_a_time(ctx.user):
        async with ctx.services.store.read() as reader:
            found = await reader.careers.finished(ctx.user, 0, MAX_SUMMARIZED_MATCHES)
        if not found:
            raise Refused(Reason.NOTHING_TO_EXPORT)
        archive, count = await pack_records(
            found,
            ctx.load_match,
            lambda match: ctx.services.names.of_all(match.players, ctx.guild),
            partial(ctx.services.jobs.pictures.make, ctx.user, write_record, keep=False),
        )
        content = describe_archive(count, len(found) - count, await ctx.words())
        await ctx.reply(content, file=discord.File(BytesIO(archive), "kropka-games.zip"))


async def make_gif(ctx: Context, work: Callable[..., T], *arguments: Any) -> T:
    """Returns what `work` makes of its arguments and the bytes that a GIF may have, in the queue of films.

    Raises Refused (`film_too_long`) and what `work` raises.
    """
    max_bytes = min(ctx.interaction.filesize_limit, MAX_FILM_BYTES)
    try:
        return await ctx.services.jobs.films.make(ctx.user, work, *arguments, max_bytes)
    except TooLarge as error:
        raise Refused(Reason.FILM_TOO_LONG) from error


async def suggest_games(ctx: Context, typed: str) -> list[Choice[int]]:
    """Returns the player's latest games of which the label has what they typed, by number."""
    words = await ctx.words()
    async with ctx.services.store.read() as reader:
        found = await reader.careers.finished(ctx.user, 0, MAX_SUGGESTIONS)
    choices = []
    for match in found:
        others = [player for player in match.players if player != ctx.user]
        names = ", ".join(await ctx.services.names.of_all(others, ctx.guild))
        rules = rules_name(match.rules, match.rule_set, words.plain)
        label = words("export.choice", number=match.id, opponent=names, rules=rules, date=words.date(match.ended))
        if typed.strip().lower() in label.lower():
            choices.append(Choice(name=label[:MAX_CHOICE], value=int(match.id)))
    return choices


async def find_match(ctx: Context, number: int | None) -> Match:
    """Returns the game of the channel, or the one with a number. Raises Refused if the player may not see that."""
    if number is None:
        return await ctx.load_match(ctx.here)
    return await load_visible_match(ctx, MatchId(number))


def match_title(match: Match, names: tuple[str, ...], words: Words) -> str:
    """Returns the number, the players and the rules of a match, with a link to its place."""
    return words(
        "export.title",
        number=match.id,
        players=escape(" – ".join(names)),
        rules=rules_name(match.game.key, match.rule_set, words),
        url=link(match.guild, match.channel),
    )


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
                raise refuse_record(error) from error
            file = discord.File(BytesIO(film.gif), "game.gif", description=words("replay.alt", count=film.moves))
            await ctx.reply(film.title, file=file)


async def open_file(ctx: Context, file: discord.Attachment, rules: str | None) -> OpenedRecord:
    """Returns the game in a file. Raises Refused, before any byte is fetched if it is too long for a record."""
    if file.size > MAX_RECORD_BYTES:
        raise refuse_record(BadRecord("too_long", most=MAX_RECORD_BYTES))
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
        raise refuse_record(error) from error


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


BUTTONS: tuple[type[Component], ...] = (ShareFilm, FilmButton, RecordButton, RecordFilmButton)
