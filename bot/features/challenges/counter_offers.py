"""Other terms for a challenge: the challenger's own, or a counter-offer that the other side must accept."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Self

import discord

from bot.features.challenges import terms_panel
from bot.features.challenges.terms_panel import Basis
from bot.request import Request, link
from bot.services.names import escaped
from play.ids import ChallengeId, MessageId, UserId
from play.refusal import Reason, Refused

if TYPE_CHECKING:
    from bot.client import Interaction
    from bot.interactions.panels import Part
    from play.challenge.challenge import Challenge
    from play.challenge.terms import Terms


@dataclass(frozen=True, slots=True)
class Haggling:
    """A bargain.Purpose: the terms of a challenge, as they were after so many changes."""

    kind: ClassVar[str] = "offer"
    challenge: ChallengeId
    changes: int

    def __str__(self) -> str:
        return f"c{self.challenge}.{self.changes}"

    @classmethod
    def read(cls, text: str) -> Self | None:
        found = re.fullmatch(r"c(\d{1,15})\.(\d{1,6})", text)
        return cls(ChallengeId(int(found[1])), int(found[2])) if found else None

    async def basis(self, interaction: Interaction) -> Basis:
        challenge = await of_channel(interaction, self.challenge)
        # To an open challenge the answer is one of the answerer's own.
        challenger = UserId(interaction.user.id) if challenge.opponent is None else challenge.challenger
        return Basis(challenge.terms, challenger, challenge.seats)

    async def saved(self, interaction: Interaction, terms: Terms) -> list[Part]:
        client, request = interaction.client, Request.of(interaction)
        before = await of_channel(interaction, self.challenge)
        client.gate.cards(before.channel)
        offered = await client.challenges.change(
            self.challenge, request.user, terms, request.at, changes=self.changes, source=request.source
        )
        if offered.id == self.challenge:
            message = _posted(offered)
            await _tell(interaction, offered, before)
        else:
            message = await client.cards.post(offered)
        words = await client.audience.alone(interaction)
        return [words("terms.offered", url=link(offered.guild, offered.channel, message))]

    async def renewed(self, interaction: Interaction) -> Self:
        return replace(self, changes=(await of_channel(interaction, self.challenge)).changes)


async def of_channel(interaction: Interaction, challenge: ChallengeId) -> Challenge:
    """The challenge, if its card stands in the channel that the interaction comes from: a card names people. Raises
    Refused (`no_challenge`)."""
    offered = await interaction.client.challenges.load(challenge)
    if offered.channel != Request.of(interaction).channel:
        raise Refused(Reason.NO_CHALLENGE)
    return offered


async def over(challenge: Challenge, interaction: Interaction) -> list[Part]:
    """The panel for other terms than those of a challenge."""
    return await terms_panel.parts(interaction, Haggling(challenge.id, challenge.changes), challenge.terms)


async def _tell(interaction: Interaction, challenge: Challenge, before: Challenge) -> None:
    """A card that changes notifies nobody, so those who have to agree anew are told below it."""
    client, user = interaction.client, interaction.user.id
    people = {challenge.challenger, challenge.opponent, *before.joined} - {None, user}
    asked = sorted(person for person in people if person)
    if not asked:
        return
    words = await client.audience.challenge(challenge)
    name = escaped(await client.names.of(UserId(user), challenge.guild))
    content = words("card.news", people=" ".join(f"<@{person}>" for person in asked), name=name)
    mentions = discord.AllowedMentions(
        users=[discord.Object(person) for person in asked], everyone=False, roles=False, replied_user=False
    )
    card = discord.MessageReference(
        message_id=_posted(challenge), channel_id=challenge.channel, fail_if_not_exists=False
    )
    await client.doors.post(
        challenge.channel,
        lambda: {"content": content, "allowed_mentions": mentions},
        f"news:{challenge.id}:{challenge.changes}",
        reference=card,
    )


def _posted(challenge: Challenge) -> MessageId:
    assert challenge.message is not None, "whoever changes it has pressed a button of its card"
    return challenge.message
