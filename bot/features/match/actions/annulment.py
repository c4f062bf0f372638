"""A moderator annuls a game: one that goes on ends undecided, one that is over is taken out of the ratings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.features.match.actions.prompts import tell
from bot.features.match.turn.play import linked
from bot.request import Request

if TYPE_CHECKING:
    from bot.client import Interaction
    from play.ids import MatchId


async def annul(interaction: Interaction, number: MatchId | None) -> None:
    """Annuls the game of that number, or the one of the channel. The interaction is acknowledged. Raises Refused."""
    client, request = interaction.client, Request.of(interaction)
    own = await client.audience.alone(interaction)
    table = request.here if number is None else number
    match = await client.matches.load(table)
    if match.outcome is None:
        match = await client.moderation.annul(match.id, request.user, request.guild, request.at, request.source)
        await tell(interaction, await linked(client, match, own("moderate.annulled"), own))
        return
    _, annulled, later = await client.moderation.void(match.id, request.user, request.guild, request.at)
    lines = [own("moderate.annulled")]
    if annulled.pool:
        lines.append(own("moderate.replayed", count=later))
    await tell(interaction, " ".join(lines))
