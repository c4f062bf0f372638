"""Export of games: one as a GIF or as SGF, or all as SGF in one archive."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from io import BytesIO
from typing import Any, TypeVar
from zipfile import ZIP_DEFLATED, ZipFile

import discord
from discord.app_commands import Choice

from bot.features.match.actions.after_game import LookBack
from bot.interactions import custom_ids as ids
from bot.interactions.buttons import row
from bot.interactions.components import Component
from bot.interactions.context import Context
from bot.interactions.layout import Part
from bot.interactions.permissions import load_visible_match
from bot.interactions.sharing import Audience, ShareButton, is_shareable, load_shareable
from play.ids import MatchId
from play.match.match import Match
from play.people.career import MAX_SUMMARIZED_MATCHES
from play.records.record import BadRecord
from play.refusal import Reason, Refused
from presentation.addresses import link
from presentation.match.played_game import PlayedGame, film_game
from presentation.records import write_record
from presentation.terms.terms_text import rules_name
from presentation.text import escape
from presentation.words.words import Words
from renderer.replay import TooLarge

T = TypeVar("T")

MAX_FILM_BYTES = 10 * 1024 * 1024
"""Bytes of a GIF. Discord takes as much everywhere; where it takes more, larger films are not worth their time."""

MAX_SUGGESTIONS, MAX_CHOICE = 25, 100
"""Suggestions for an option, and characters of each; Discord's limits."""


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
        archive, count = BytesIO(), 0
        with ZipFile(archive, "w", ZIP_DEFLATED) as file:
            for finished in found:
                match = await ctx.load_match(finished.id)
                names = await ctx.services.names.of_all(match.players, ctx.guild)
                try:
                    record = await ctx.services.jobs.pictures.make(ctx.user, write_record, match, names, keep=False)
                except BadRecord:
                    continue  # SGF is for Dots alone
                file.writestr(f"kropka-{match.id}.sgf", record)
                count += 1
        words = await ctx.words()
        archive.seek(0)
        content = words("export.all", count=count)
        if left := len(found) - count:
            content += " " + words("export.left", count=left)
        await ctx.reply(content, file=discord.File(archive, "kropka-games.zip"))


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


BUTTONS: tuple[type[Component], ...] = (ShareFilm, FilmButton, RecordButton)
