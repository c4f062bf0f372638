"""The ladder of a server: who stands where, and how somebody is challenged for his place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.features.challenges.terms_text import settings
from bot.interactions.responses import privately
from bot.request import Request, link
from bot.services.names import escaped
from play.community.ladder import IDLE, REACH
from play.refusal import Reason, Refused

if TYPE_CHECKING:
    from bot.client import Interaction
    from play.ids import GuildId, UserId

SHOWN = 30
"""Places that are shown."""

DAY = 86_400_000


async def shown(interaction: Interaction) -> None:
    """Shows the ladder of the server. The interaction is acknowledged. Raises Refused."""
    client = interaction.client
    words = await client.audience.alone(interaction)
    ladder = await client.ladders.load(guild(interaction))
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
    here = await client.ladders.load(guild(interaction))
    client.gate.cards(here.channel)
    challenge = await client.ladders.challenge(here.guild, request.user, opponent, request.at, request.source)
    message = await client.cards.post(challenge)
    words = await client.audience.alone(interaction)
    await privately(interaction, words("ladder.dared", url=link(challenge.guild, challenge.channel, message)))


def guild(interaction: Interaction) -> GuildId:
    """The server. Raises Refused outside of one."""
    here = Request.of(interaction).guild
    if here is None:
        raise Refused(Reason.NO_SERVER_HERE)
    return here
