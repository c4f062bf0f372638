"""Another game on the same terms, in which whoever moved last begins."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

import discord

from bot.answers import acknowledge
from bot.buttons import MATCH, MatchButton
from bot.life.answering import tell
from bot.request import Request, link
from play.ids import MatchId, UserId
from play.refused import Refused

if TYPE_CHECKING:
    from bot.client import Interaction

_offering: WeakValueDictionary[MatchId, asyncio.Lock] = WeakValueDictionary()


class Rematch(MatchButton, template=rf"{MATCH}:rematch"):
    """Hangs on the last board. It is taken off by the first click, so that a second one offers nothing."""

    action = "rematch"
    style = discord.ButtonStyle.primary

    async def pressed(self, interaction: Interaction) -> None:
        await acknowledge(interaction)
        match = await interaction.client.tables.board(self.match)
        match.seat_of(UserId(interaction.user.id))
        assert interaction.message is not None, "a button hangs on a message"
        async with _offering.setdefault(self.match, asyncio.Lock()):
            board = await interaction.message.fetch()
            if not board.components:
                raise Refused("rematch_offered")
            await offer(interaction, self.match)
            await board.edit(view=None)


async def offer(interaction: Interaction, match: MatchId) -> None:
    """Offers the rematch for the person, and tells him. The interaction is acknowledged. Raises Refused."""
    client, request = interaction.client, Request.of(interaction)
    challenge = await client.tables.rematch(match, request.user, request.at)
    message = await client.cards.post(challenge)
    words = await client.audience.alone(interaction)
    await tell(interaction, words("rematch.offered", url=link(challenge.guild, challenge.channel, message)))


BUTTONS: tuple[type[MatchButton], ...] = (Rematch,)
