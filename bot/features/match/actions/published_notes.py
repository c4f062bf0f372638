"""Notes that players have published on the pages of games, and that a moderator takes off."""

from __future__ import annotations

import discord

from bot.features.match.actions.prompts import show_line
from bot.interactions.context import Context
from play.ids import MatchId, UserId
from play.refusal import Reason, Refused


async def take_off(ctx: Context, member: discord.User | None, game: MatchId | None) -> None:
    """Takes off the notes of a game, of a member, or of both; without either, those of the channel's game.

    The interaction is acknowledged. Raises Refused.
    """
    if ctx.guild is None:
        raise Refused(Reason.NO_SERVER_HERE)
    author = None if member is None else UserId(member.id)
    ref = ctx.here if game is None and author is None else game
    count = await ctx.services.moderation.take_notes_off(ctx.guild, ctx.user, ref, author, ctx.at)
    words = await ctx.words()
    await show_line(ctx, words("moderate.notes_off", count=count))
