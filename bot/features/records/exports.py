"""Games to take along: as a film, as a record, or all records at once."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Any, TypeVar
from zipfile import ZIP_DEFLATED, ZipFile

import discord
from discord.app_commands import Choice

from bot.interactions import permissions
from bot.interactions.commands import takes_context
from bot.interactions.context import Context
from bot.request import link
from bot.services.names import escape
from opponent.review import replayed
from play.ids import MatchId
from play.people.career import MOST_SUMMED
from play.records import sgf
from play.records.record import BadRecord
from play.records.transcript import transcript
from play.refusal import Reason, Refused
from renderer.header import Header, Mark, Plate
from renderer.replay import Moment, TooLarge, replay
from renderer.theme import PAPER, THEMES

if TYPE_CHECKING:
    from collections.abc import Callable

    from bot.i18n.words import Words
    from play.match.match import Match
    from rules.game import AnyGame
    from rules.point import Seat

T = TypeVar("T")

MAX_FILM_BYTES = 10 * 1024 * 1024
"""What Discord takes everywhere; some servers may have more, and no film that is worth its time does."""

SUGGESTED = 25
LONGEST_CHOICE = 100
"""Discord's limits for suggestions."""


async def send_gif(ctx: Context, number: int | None) -> None:
    """Shows a game as a film. The interaction is acknowledged. Raises Refused."""
    with ctx.services.jobs.one_at_a_time(ctx.user):
        match = await _match(ctx, number)
        if not match.moves:
            raise Refused(Reason.NOTHING_TO_REPLAY)
        words = await ctx.words()
        names = await ctx.services.names.of_all(match.players, match.guild)
        theme = (await ctx.settings()).theme
        moves, winners = tuple(move.text for move in match.moves), match.outcome.winners if match.outcome else ()
        film = await film_of(ctx, _film, match.game, match.seed, moves, match.score, winners, names, words, theme)
        alt = words("replay.alt", count=len(match.moves))
        file = discord.File(BytesIO(film), f"kropka-{match.id}.gif", description=alt)
        await ctx.reply(_title(match, names, words), file=file)


async def send_sgf(ctx: Context, number: int | None) -> None:
    """Gives a game as a record in SGF. The interaction is acknowledged. Raises Refused."""
    with ctx.services.jobs.one_at_a_time(ctx.user):
        match = await _match(ctx, number)
        words = await ctx.words()
        names = await ctx.services.names.of_all(match.players, match.guild)
        try:
            data = await ctx.services.jobs.pictures.make(ctx.user, _record, match, names)
        except BadRecord as error:
            raise Refused(Reason.NO_RECORD) from error
        file = discord.File(BytesIO(data), f"kropka-{match.id}.sgf")
        await ctx.reply(_title(match, names, words), file=file)


async def send_all_sgf(ctx: Context) -> None:
    """Gives all of a person's games as records in one archive. The interaction is acknowledged. Raises Refused."""
    with ctx.services.jobs.one_at_a_time(ctx.user):
        async with ctx.services.store.read() as reader:
            found = await reader.careers.finished(ctx.user, 0, MOST_SUMMED)
        if not found:
            raise Refused(Reason.NOTHING_TO_EXPORT)
        archive, count = BytesIO(), 0
        with ZipFile(archive, "w", ZIP_DEFLATED) as file:
            for finished in found:
                match = await ctx.services.matches.load(finished.id)
                names = await ctx.services.names.of_all(match.players, ctx.guild)
                try:
                    record = await ctx.services.jobs.pictures.make(ctx.user, _record, match, names, keep=False)
                except BadRecord:
                    continue  # another game than Dots has no words in SGF
                file.writestr(f"kropka-{match.id}.sgf", record)
                count += 1
        words = await ctx.words()
        archive.seek(0)
        told = words("export.all", games=count, left=len(found) - count)
        await ctx.reply(told, file=discord.File(archive, "kropka-games.zip"))


async def film_of(ctx: Context, made: Callable[..., T], *arguments: Any) -> T:
    """A film, made in its lane; `made` is told last how many bytes it may have. Raises Refused (`film_too_long`)."""
    most = min(ctx.interaction.filesize_limit, MAX_FILM_BYTES)
    try:
        return await ctx.services.jobs.films.make(ctx.user, made, *arguments, most)
    except TooLarge as error:
        raise Refused(Reason.FILM_TOO_LONG) from error


@takes_context
async def suggest_games(ctx: Context, typed: str) -> list[Choice[int]]:
    """The person's latest games by their numbers."""
    words = await ctx.words()
    async with ctx.services.store.read() as reader:
        found = await reader.careers.finished(ctx.user, 0, SUGGESTED)
    choices = []
    for match in found:
        others = [player for player in match.players if player != ctx.user]
        names = ", ".join(await ctx.services.names.of_all(others, ctx.guild))
        rules = words(f"preset.{match.rules}.name")
        label = words("export.choice", number=match.id, opponent=names, rules=rules, date=words.date(match.ended))
        if typed.strip().lower() in label.lower():
            choices.append(Choice(name=label[:LONGEST_CHOICE], value=int(match.id)))
    return choices


async def _match(ctx: Context, number: int | None) -> Match:
    """The game of the channel, whose boards everybody there sees; or the one of that number, if it is of this server or
    the person's own. Raises Refused."""
    if number is None:
        return await ctx.services.matches.load(ctx.here)
    match = await ctx.services.matches.load(MatchId(number))
    if ctx.user not in match.players and (match.guild is None or match.guild != permissions.installed_guild(ctx)):
        raise Refused(Reason.NO_MATCH)
    return match


def _title(match: Match, names: tuple[str, ...], words: Words) -> str:
    return words(
        "export.title",
        number=match.id,
        players=escape(" – ".join(names)),
        rules=words(f"preset.{match.game.key}.name"),
        url=link(match.guild, match.channel),
    )


def _record(match: Match, names: tuple[str, ...]) -> bytes:
    return sgf.write(transcript(match, names))


def _film(
    game: AnyGame,
    seed: int,
    moves: tuple[str, ...],
    score: tuple[float, ...],
    winners: tuple[Seat, ...],
    names: tuple[str, ...],
    words: Words,
    theme: str,
    max_bytes: int,
) -> bytes:
    """The game as GIF; `score` and `winners` are how it ended, which the positions do not tell where somebody resigned.
    Raises TooLarge."""
    positions = replayed(game, seed, moves)

    def header(number: int) -> Header:
        last = number == len(positions) - 1
        scores = score if last else positions[number].score
        plates = (
            Plate(
                names[seat],
                words.number(points),
                Mark.WON if last and seat in winners else Mark.NONE,
                words(f"colour.{seat}"),
            )
            for seat, points in enumerate(scores)
        )
        return Header(tuple(plates), words("header.move", number=number))

    moments = (Moment(position.picture(), header(number)) for number, position in enumerate(positions))
    return replay(moments, theme=THEMES.get(theme, PAPER), max_bytes=max_bytes)
