"""The ladder of a server: who stands where, and what its channel is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord

from bot import errors
from bot.answers import privately
from bot.names import escaped
from bot.request import Request, link
from bot.terms import settings
from play.climbing import Climbing
from play.ladder import IDLE, REACH, Ladder
from play.refused import Refused

if TYPE_CHECKING:
    from bot.client import Interaction, Kropka
    from play.climbing import Climbed
    from play.ids import GuildId, UserId

SHOWN = 30
"""Places that are shown."""

DAY = 86_400_000


async def shown(interaction: Interaction) -> None:
    """Shows the ladder of the server. The interaction is acknowledged. Raises Refused."""
    client = interaction.client
    words = await client.audience.alone(interaction)
    ladder = await climbing(client).here(guild(interaction))
    names = await client.names.of_all(ladder.users[:SHOWN], ladder.guild)
    lines = [words("ladder.title")]
    lines += (f"- {line}" for key, line in settings(ladder.terms, "", words).items() if key != "order")
    for place, (user, name) in enumerate(zip(ladder.users, names, strict=False), start=1):
        busy = ladder.duel_of(user)
        lines.append(words("ladder.duel" if busy else "ladder.line", place=place, name=escaped(name)))
    lines.append(words("ladder.rules", reach=REACH, days=IDLE // DAY))
    await privately(interaction, "\n".join(lines))


async def dared(interaction: Interaction, opponent: UserId) -> None:
    """Challenges somebody for his place. The interaction is acknowledged. Raises Refused."""
    client, request = interaction.client, Request.of(interaction)
    challenge = await climbing(client).dare(guild(interaction), request.user, opponent, request.at)
    message = await client.cards.post(challenge)
    words = await client.audience.alone(interaction)
    await privately(interaction, words("ladder.dared", url=link(challenge.guild, challenge.channel, message)))


def guild(interaction: Interaction) -> GuildId:
    """The server. Raises Refused outside of one."""
    here = Request.of(interaction).guild
    if here is None:
        raise Refused("no_server_here")
    return here


def climbing(client: Kropka) -> Climbing:
    return Climbing(client.store)


class Crier:
    """Decides the duels that are over, and tells the ladder's channel."""

    def __init__(self, client: Kropka) -> None:
        self._client = client

    async def settle(self) -> None:
        """See play.tournaments.director.Director."""
        for climbed in await climbing(self._client).settle():
            if climbed.won is not None:
                await self._tell(climbed)

    async def _tell(self, climbed: Climbed) -> None:
        ladder, duel = climbed.ladder, climbed.duel
        words = await self._client.audience.server(ladder.guild)
        names = await self._client.names.of_all((duel.challenger, duel.defender), ladder.guild)
        challenger, defender = map(escaped, names)
        told = words(
            "ladder.climbed" if climbed.won else "ladder.held",
            challenger=challenger,
            defender=defender,
            place=_place(ladder, duel.challenger if climbed.won else duel.defender),
        )
        try:
            await self._client.get_partial_messageable(ladder.channel).send(told, nonce=f"duel:{duel.challenge}")
        except discord.HTTPException as error:
            if not errors.is_final(error):
                raise


def _place(ladder: Ladder, user: UserId) -> int:
    return ladder.place(user) if user in ladder.users else 0
