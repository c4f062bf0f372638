"""A moderator annuls a game: one that goes on ends undecided, one that is over is taken out of the ratings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.features.match.actions.prompts import show_line
from bot.features.match.board_link import with_board_link
from bot.interactions.context import Context

if TYPE_CHECKING:
    from play.ids import MatchId


async def annul_match(ctx: Context, number: MatchId | None) -> None:
    """Annuls the game of that number, or the one of the channel. The interaction is acknowledged. Raises Refused."""
    own = await ctx.words()
    table = ctx.here if number is None else number
    match = await ctx.services.matches.load(table)
    if match.outcome is None:
        match = await ctx.services.moderation.annul(match.id, ctx.user, ctx.guild, ctx.at, ctx.key)
        await show_line(ctx, await with_board_link(ctx.services, match, own("moderate.annulled"), own))
        return
    _, annulled, later = await ctx.services.moderation.void(match.id, ctx.user, ctx.guild, ctx.at)
    lines = [own("moderate.annulled")]
    if annulled.pool:
        lines.append(own("moderate.replayed", count=later))
    await show_line(ctx, " ".join(lines))
