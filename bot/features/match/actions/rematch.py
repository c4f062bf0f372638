"""Another game on the same terms, in which whoever moved last begins."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import discord

from bot.features.match.actions.prompts import tell
from bot.interactions.buttons import MATCH, MatchButton
from bot.interactions.responses import acknowledge
from bot.request import Request, link
from play.ids import MatchId, MessageId

if TYPE_CHECKING:
    from bot.client import Interaction


class Rematch(MatchButton, template=rf"{MATCH}:rematch"):
    """Hangs on the last board until the first click; when the rematch was declined, `/rematch` offers another one."""

    action = "rematch"
    style = discord.ButtonStyle.primary

    async def pressed(self, interaction: Interaction) -> None:
        await acknowledge(interaction)
        await offer(interaction, self.match)
        client, channel, board = interaction.client, Request.of(interaction).channel, interaction.message
        assert board is not None, "a button hangs on a message"
        with suppress(discord.HTTPException):  # another click offers nothing
            await client.doors.edit(channel, MessageId(board.id), view=None)


async def offer(interaction: Interaction, match: MatchId) -> None:
    """Offers the rematch for the person, and tells him. The interaction is acknowledged. Raises Refused."""
    client, request = interaction.client, Request.of(interaction)
    client.gate.cards(request.channel)
    challenge = await client.challenges.rematch(match, request.user, request.at, request.source)
    message = await client.cards.post(challenge)
    words = await client.audience.alone(interaction)
    await tell(interaction, words("rematch.offered", url=link(challenge.guild, challenge.channel, message)))


BUTTONS: tuple[type[MatchButton], ...] = (Rematch,)
