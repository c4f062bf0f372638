"""The buttons below the last board: another game, and three ways to look back at this one."""

from __future__ import annotations

from bot.features.match.button import MatchButton
from bot.interactions import custom_ids as ids
from bot.interactions.context import Context
from bot.interactions.layout import PHONE_ROW
from bot.interactions.permissions import load_visible_match
from opponent.review import MIN_MOVES
from play.match.match import Match
from presentation.words.words import Words
from rules.dots import Dots


class LookBack(MatchButton):
    """A button that shows a finished game to the player who pressed it, if they may see that game."""

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_private()
        await self.show(ctx, await load_visible_match(ctx, self.match))

    async def show(self, ctx: Context, match: Match) -> None:
        """Shows it in private. The interaction is acknowledged. Raises Refused."""
        raise NotImplementedError


def after_game_buttons(match: Match, words: Words, *, has_computer: bool) -> list[MatchButton]:
    """Returns what a finished game offers: a review needs the computer, a film moves, and a record a game of Dots.

    A phone shows no four buttons beside each other, so four are two rows of two.
    """
    offered = [
        (ids.REMATCH, True),
        (ids.REVIEW, has_computer and len(match.moves) >= MIN_MOVES),
        (ids.FILM, bool(match.moves)),
        (ids.RECORD, bool(match.moves) and isinstance(match.game, Dots)),
    ]
    buttons = [MatchButton.kinds[form].to(match, words) for form, fits in offered if fits]
    widest = PHONE_ROW if len(buttons) <= PHONE_ROW else 2
    for place, button in enumerate(buttons):
        button.item.row = place // widest
    return buttons
