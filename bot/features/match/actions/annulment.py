"""Annulment by a moderator: a running game ends undecided, a finished one leaves the ratings."""

from __future__ import annotations

from bot.features.match.actions.prompts import show_line
from bot.interactions.context import Context
from play.ids import MatchId


async def annul_match(ctx: Context, number: MatchId | None) -> None:
    """Annuls the game of that number, or the one of the channel. The interaction is acknowledged. Raises Refused."""
    own = await ctx.words()
    match = await ctx.services.matches.load(ctx.here if number is None else number)
    if match.outcome is None:
        match = await ctx.services.moderation.annul(match.id, ctx.user, ctx.guild, ctx.at, ctx.key)
        await show_line(ctx, own("moderate.annulled"), match)
        return
    _, _, later = await ctx.services.moderation.void(match.id, ctx.user, ctx.guild, ctx.at)
    lines = [own("moderate.annulled")]
    if later:
        lines.append(own("moderate.replayed", count=later))
    await show_line(ctx, " ".join(lines))
