"""A manager ends a vote game: their server resigns. Nothing else would be fair to its opponent."""

from __future__ import annotations

from collections.abc import Sequence

from bot.interactions import custom_ids as ids
from bot.interactions import permissions
from bot.interactions.components import Component
from bot.interactions.context import Context
from bot.interactions.layout import Part
from bot.interactions.questions import Confirmation, confirm
from play.ids import MatchId
from play.match.match import Match
from play.refusal import Reason, Refused
from play.votes.side import Side
from presentation.text import escape


class ConfirmVotesEnd(Confirmation, id=ids.VOTE_END):
    """Resigns for the server."""

    match: MatchId

    async def carry_out(self, ctx: Context) -> Sequence[Part]:
        await permissions.require_manage_server(ctx)
        match = await ctx.load_match(self.match)
        side = await _own_side(ctx, match)
        await ctx.use_cases.matches.resign(match.id, side.account, ctx.at, ctx.key)
        words = await ctx.words()
        return [words("vote.ended")]


async def ask_to_end(ctx: Context) -> None:
    """Asks whether the server resigns the vote game of this channel. The interaction is acknowledged. Raises
    Refused."""
    match = await ctx.load_match(ctx.here)
    side = await _own_side(ctx, match)
    words = await ctx.words()
    name = escape(await ctx.services.names.of(side.account, ctx.guild))
    sure = ConfirmVotesEnd.make(words("button.vote_end"), match=match.id)
    await confirm(ctx, words("vote.end.ask", side=name), sure)


async def _own_side(ctx: Context, match: Match) -> Side:
    """Returns the only side of this server in a match that goes on. Raises Refused (`no_vote_game_here`,
    `match_over`)."""
    own = [side for side in await ctx.use_cases.votes.sides_of(match.id) if side.guild == ctx.guild]
    if len(own) != 1:
        raise Refused(Reason.NO_VOTE_GAME_HERE)
    if match.outcome:
        raise Refused(Reason.MATCH_OVER)
    return own[0]


BUTTONS: tuple[type[Component], ...] = (ConfirmVotesEnd,)
