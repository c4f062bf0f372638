"""After a game: another one, and two ways to look back at this one."""

from __future__ import annotations

import logging

import discord

from bot.features.match.button import MatchButton
from bot.features.match.prompts import begun_game, show_line
from bot.features.players.milestones import tell_milestones
from bot.interactions import custom_ids as ids
from bot.interactions.context import Context
from bot.interactions.layout import without
from bot.interactions.permissions import load_visible_match
from bot.services.discord_errors import describe
from opponent.review import MIN_MOVES
from play.ids import MatchId, MessageId
from play.match.match import Match
from presentation.addresses import link
from presentation.words.words import Words

log = logging.getLogger(__name__)


class LookBack(MatchButton):
    """A button that shows a finished game to the player who pressed it, if they may see that game."""

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_private()
        match = await load_visible_match(ctx, self.match)
        await self.show(ctx, match)
        await tell_milestones(ctx, match)

    async def show(self, ctx: Context, match: Match) -> None:
        """Shows it in private. The interaction is acknowledged. Raises Refused."""
        raise NotImplementedError


def after_game_buttons(match: Match, words: Words, *, has_computer: bool) -> list[MatchButton]:
    """Returns what a finished game offers, as many as a phone shows beside each other: a review needs the computer, and
    a replay moves. The film and the record are in the replay's panel."""
    offered = [
        (ids.REMATCH, match.away is None),
        (ids.REVIEW, has_computer and len(match.moves) >= MIN_MOVES),
        (ids.REPLAY, bool(match.moves)),
    ]
    return [MatchButton.kinds[form].to(match, words) for form, fits in offered if fits]


class Rematch(MatchButton, id=ids.REMATCH):
    """A button on the last board until its first click; the others stay. After a declined rematch, `/rematch` offers
    another one."""

    style = discord.ButtonStyle.primary

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_private()
        await offer_rematch(ctx, self.match)
        board = ctx.interaction.message
        assert board is not None, "a button hangs on a message"
        try:
            await ctx.services.channels.edit(ctx.channel, MessageId(board.id), view=without(board, self.custom_id))
        except discord.HTTPException as error:  # another click offers nothing
            log.info("the button of a rematch stays: %s", describe(error))


async def offer_rematch(ctx: Context, match: MatchId) -> None:
    """Offers the rematch, and tells the player. The interaction is acknowledged. Raises Refused."""
    played = await ctx.load_match(match)
    if played.channel != ctx.channel:  # as on a board that was sent to a player who has left the server
        await ctx.services.rights.check_posting(played, ctx.user)
    ctx.services.gate.count_card(ctx.channel)
    challenge = await ctx.use_cases.challenges.rematch(match, ctx.user, ctx.at, ctx.key)
    message = await ctx.services.cards.post(challenge)
    begun = (await ctx.use_cases.challenges.load(challenge.id)).match
    if begun is not None:  # the computer has accepted
        await ctx.show(await begun_game(ctx, await ctx.load_match(begun)))
        return
    words = await ctx.words()
    await show_line(ctx, words("rematch.offered", url=link(challenge.guild, challenge.channel, message)))


BUTTONS: tuple[type[MatchButton], ...] = (Rematch,)
