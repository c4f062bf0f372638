"""*More*: all that a player can do now, in a private panel."""

from __future__ import annotations

from bot.features.match.actions.clocks import OpenClocks
from bot.features.match.actions.conditional_moves import OpenPlan
from bot.features.match.actions.endings import End, Land, Resign, Stop
from bot.features.match.actions.offers import Abort, Draw, TakeBack
from bot.features.match.button import MatchButton
from bot.features.match.turn.keypad import KeypadButton
from bot.features.match.turn.point_form import TypePoint
from bot.interactions import custom_ids as ids
from bot.interactions.context import Context
from bot.interactions.layout import PHONE_ROW, rows
from play.ids import MatchId
from play.refusal import Reason, Refused


class OpenRules(MatchButton, id=ids.MATCH_RULES):
    """Shows the rules of the match."""

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await ctx.services.show_game_rules(ctx, self.match)


OFFERED: tuple[type[MatchButton], ...] = (
    *(KeypadButton, TypePoint, OpenPlan),
    *(Stop, Land, End, Draw),
    *(TakeBack, OpenClocks, OpenRules, Abort, Resign),
)
"""The buttons of the panel, in this order, as far as they fit the match; a message has room for 25."""


class More(MatchButton, id=ids.MORE):
    """Opens the panel."""

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await show_match_menu(ctx, self.match)


async def show_match_menu(ctx: Context, match_id: MatchId, notice: str = "") -> None:
    """Shows what the player can do in a match, below a `notice`. The interaction is acknowledged. Raises Refused."""
    words = await ctx.words()
    match = await ctx.services.matches.load(match_id)
    seat = match.seat_of(ctx.user)
    if match.outcome:
        raise Refused(Reason.MATCH_OVER)
    async with ctx.services.store.read() as reader:
        is_quiet = seat in await reader.matches.quiet_seats(match.id)
    buttons = [button.to(match, words) for button in OFFERED if button.is_available(match, seat)]
    after_rules = next(place for place, button in enumerate(buttons, 1) if isinstance(button, OpenRules))
    label = words("button.loud" if is_quiet else "button.quiet")
    buttons.insert(after_rules, Quiet.at(match, label, quiet=int(not is_quiet)))
    head = "\n".join(filter(None, (notice, words("more.head"))))
    await ctx.show([head, *rows(buttons, PHONE_ROW)])


class Quiet(MatchButton, id=ids.QUIET):
    """Ends the pings and reminders of a match for the player who clicks (1), or lets them begin again (0)."""

    quiet: int

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        quiet = self.quiet == 1
        await ctx.services.actions.set_quiet(self.match, ctx.user, quiet=quiet)
        words = await ctx.words()
        await self.refresh_panel(ctx, words("quiet.on" if quiet else "quiet.off"))


BUTTONS: tuple[type[MatchButton], ...] = (More, OpenRules, Quiet)
