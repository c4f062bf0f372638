"""Withdrawal of a challenge by a moderator, in the channel of its card: also of one whose card is gone."""

from __future__ import annotations

from discord.app_commands import Choice

from bot.features.match.actions.prompts import show_line
from bot.i18n.words import Words
from bot.interactions.commands import takes_context
from bot.interactions.context import Context
from bot.interactions.selects import MAX_LABEL
from play.challenge.challenge import Challenge
from play.ids import ChallengeId


async def withdraw_challenge(ctx: Context, challenge: ChallengeId) -> None:
    """Withdraws a challenge of the server, and tells its challenger. The interaction is acknowledged.

    Raises Refused.
    """
    withdrawn = await ctx.services.challenges.withdraw_as_moderator(challenge, ctx.user, ctx.guild, ctx.at)
    await ctx.services.cards.tell_proposer(withdrawn)
    words = await ctx.words()
    await show_line(ctx, words("moderate.withdrawn"))


@takes_context
async def suggest_challenges(ctx: Context, typed: str) -> list[Choice[int]]:
    """Returns the open challenges of the channel of which the label has what the user typed; it holds no more."""
    words = await ctx.words()
    found = await ctx.services.challenges.list_open(channel=ctx.channel)
    labels = [(await _label(ctx, each, words), int(each.id)) for each in found]
    return [Choice(name=label[:MAX_LABEL], value=each) for label, each in labels if typed.lower() in label.lower()]


async def _label(ctx: Context, challenge: Challenge, words: Words) -> str:
    players = [challenge.challenger, *([challenge.opponent] if challenge.opponent else [])]
    challenger, *opponents = await ctx.services.names.of_all(players, challenge.guild)
    details = {"challenger": challenger, "size": challenge.terms.game.options["size"].replace("x", "×")}
    if opponents:
        return words("moderate.choice.personal", opponent=opponents[0], **details)
    return words("moderate.choice.open", **details)
