"""The buttons below the last board: another game, and two ways to look back at this one."""

from __future__ import annotations

from bot.features.match.button import MatchButton
from bot.interactions import custom_ids as ids
from bot.interactions.context import Context
from bot.interactions.milestones import tell_milestones
from bot.interactions.permissions import load_visible_match
from opponent.review import MIN_MOVES
from play.match.match import Match
from presentation.words.words import Words


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
