"""Milestones that a player has just reached, as a line in a private answer."""

from __future__ import annotations

import logging
from contextlib import suppress

import discord

from bot.interactions import custom_ids as ids
from bot.interactions.buttons import button
from bot.interactions.context import Context
from bot.interactions.layout import Control, Part
from play.match.match import Match
from play.refusal import Refused
from presentation.milestones import milestone_text
from storage.errors import Unavailable

log = logging.getLogger(__name__)


async def milestone_parts(ctx: Context) -> list[Part]:
    """Returns what to tell the player of what they have reached since the last look, with the buttons of the cards;
    nothing if there is nothing new, or they want none."""
    with suppress(Refused):
        found = await ctx.use_cases.milestones.notice(ctx.user, ctx.services.names.own_id)
        if found:
            words = await ctx.words()
            lines = [words("milestone.reached", milestone=milestone_text(each, words)) for each in found]
            cards: list[Control] = [
                button(ids.MILESTONE(milestone=each.value), f"🏅 {milestone_text(each, words)}"[:80]) for each in found
            ]
            return ["\n".join([*lines, words("milestone.private")]), cards]
    return []


async def tell_milestones(ctx: Context, match: Match) -> None:
    """Tells a player of a game that is over what they have reached, below the answer to what they did, where only they
    see it. What they did counts, whatever becomes of this."""
    if match.outcome is None or ctx.user not in match.players:
        return
    try:
        if parts := await milestone_parts(ctx):
            await ctx.reply_parts(parts)
    except (discord.HTTPException, Unavailable) as error:
        log.info("user %d is not told of a milestone: %s", ctx.user, error)
