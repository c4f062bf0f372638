"""*More*: all that a player can do now, in a private panel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.features.match.actions.clocks import Clock
from bot.features.match.actions.conditional_moves import Plans
from bot.features.match.actions.endings import End, Land, Resign, Stop
from bot.features.match.actions.offers import Abort, Draw, TakeBack
from bot.features.match.turn.keypad import Keypad
from bot.interactions.buttons import MATCH, MatchButton, TypePoint
from bot.interactions.panels import COMFORTABLE, open_panel, rows, show
from play.ids import MatchId, UserId
from play.refusal import Reason, Refused

if TYPE_CHECKING:
    from bot.client import Interaction

OFFERED: tuple[type[MatchButton], ...] = (
    *(Keypad, TypePoint, Plans),
    *(Stop, Land, End, Draw),
    *(TakeBack, Clock, Abort, Resign),
)
"""What the panel offers where it `fits`, in this order; 25 at most."""


class More(MatchButton, template=rf"{MATCH}:more"):
    action = "more"

    async def pressed(self, interaction: Interaction) -> None:
        await open_panel(interaction)
        await shown(interaction, self.match)


async def shown(interaction: Interaction, table: MatchId, notice: str = "") -> None:
    """Shows what the person can do in a match, below a `notice`. The interaction is acknowledged. Raises Refused."""
    client = interaction.client
    words = await client.audience.alone(interaction)
    match = await client.matches.load(table)
    seat = match.seat_of(UserId(interaction.user.id))
    if match.outcome:
        raise Refused(Reason.MATCH_OVER)
    buttons = [button.to(match, words) for button in OFFERED if button.fits(match, seat)]
    head = "\n".join(filter(None, (notice, words("more.head"))))
    await show(interaction, [head, *rows(buttons, COMFORTABLE)])


BUTTONS: tuple[type[MatchButton], ...] = (More,)
