"""A moderator annuls a game: one that goes on ends undecided, one that is over is taken out of the ratings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord

from bot.life.answering import tell
from bot.names import escaped
from bot.playing import linked
from bot.request import Request
from play.refused import Refused

if TYPE_CHECKING:
    from bot.client import Interaction
    from bot.words import Words
    from play.career import Annulled
    from play.ids import MatchId
    from play.match import Match


async def annul(interaction: Interaction, number: MatchId | None) -> None:
    """Annuls the game of that number, or the one of the channel. The interaction is acknowledged. Raises Refused."""
    client, request = interaction.client, Request.of(interaction)
    own = await client.audience.alone(interaction)
    table = request.here if number is None else number
    match = await client.tables.board(table)
    if request.guild is None or match.guild != request.guild:
        raise Refused("not_of_this_server")
    if match.outcome is None:
        match = await client.tables.annul(match.id, request.user, request.at, request.source)
        await tell(interaction, await linked(client, match, own("moderate.annulled"), own))
        return
    match, annulled, later = await client.tables.strike(match.id, request.user, request.guild, request.at)
    await _announce(interaction, match, annulled)
    lines = [own("moderate.annulled")]
    if annulled.pool:
        lines.append(own("moderate.replayed", count=later))
    await tell(interaction, " ".join(lines))


async def _announce(interaction: Interaction, match: Match, annulled: Annulled) -> None:
    """Tells the channel of the game, with the ratings that it had changed."""
    client = interaction.client
    words = await client.audience.match(match)
    lines = [words("annulled.told", number=match.id, moderator=f"<@{annulled.by}>")]
    lines += [await _undone(interaction, match, annulled, words)] if annulled.pool else []
    try:
        await client.get_partial_messageable(match.channel).send("\n".join(lines), nonce=f"annulled:{match.id}")
    except discord.HTTPException as error:
        raise Refused("annulled_untold") from error


async def _undone(interaction: Interaction, match: Match, annulled: Annulled, words: Words) -> str:
    names = await interaction.client.names.of_all(annulled.ratings, match.guild)
    return "\n".join(
        words(
            "annulled.rating",
            name=escaped(name),
            pool=words(f"pool.{annulled.pool}"),
            before=round(before),
            after=round(after),
        )
        for name, (before, after) in zip(names, annulled.ratings.values(), strict=True)
    )
