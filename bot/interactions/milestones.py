"""Milestones that a player has just reached, as a line in a private answer."""

from __future__ import annotations

from contextlib import suppress

from bot.interactions import custom_ids as ids
from bot.interactions.buttons import button
from bot.interactions.context import Context
from bot.interactions.layout import Control, Part
from play.refusal import Refused
from presentation.milestones import milestone_text


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


async def tell_milestones(ctx: Context) -> None:
    """Tells the player, after the answer to what they did, in a message that only they see."""
    if parts := await milestone_parts(ctx):
        await ctx.reply_parts(parts)
