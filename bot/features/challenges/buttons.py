"""The buttons of a challenge's card: all they know is in their custom id, and every click is judged anew."""

from __future__ import annotations

from re import Match as Found
from typing import TYPE_CHECKING, Any, ClassVar, Self

import discord

from bot.features.challenges import counter_offers
from bot.interactions import errors, panels, permissions
from bot.interactions.admission import Gated
from bot.interactions.buttons import Item, row
from bot.interactions.responses import acknowledge, acknowledge_quietly
from bot.request import Request
from bot.services.channels import borrowed
from play.challenge.challenge import Challenge, ChallengeState, negotiable
from play.ids import ChallengeId, ChannelId

if TYPE_CHECKING:
    from bot.client import Interaction
    from bot.i18n.words import Words

OFFER = r"challenge:(?P<challenge>\d{1,15}):(?P<changes>\d{1,6})"


class OfferButton(Gated, discord.ui.DynamicItem[Item], template=r"(?!)"):
    """A button under the terms of a challenge as they are after so many changes: `challenge:12:0:accept`."""

    action: ClassVar[str]
    style: ClassVar[discord.ButtonStyle] = discord.ButtonStyle.secondary

    def __init__(self, challenge: ChallengeId, changes: int, label: str | None) -> None:
        custom_id = f"challenge:{challenge}:{changes}:{self.action}"
        super().__init__(discord.ui.Button(label=label, style=self.style, custom_id=custom_id))
        self.challenge = challenge
        self.changes = changes

    @classmethod
    def to(cls, challenge: Challenge, label: str) -> Self:
        return cls(challenge.id, challenge.changes, label)

    @classmethod
    async def from_custom_id(cls, interaction: discord.Interaction[Any], item: Any, match: Found[str], /) -> Self:
        return cls(ChallengeId(int(match["challenge"])), int(match["changes"]), item.label)

    async def pressed(self, interaction: Interaction) -> None:
        """Decides, and shows on the card what came of it, or what it has been for a while."""
        await acknowledge_quietly(interaction)
        await counter_offers.of_channel(interaction, self.challenge)
        try:
            await self.decided(interaction, Request.of(interaction))
        except Exception as error:
            await errors.answer(interaction, error)
        await interaction.client.cards.redraw_pressed(self.challenge, interaction)

    async def decided(self, interaction: Interaction, request: Request) -> None:
        raise NotImplementedError


class Accept(OfferButton, template=rf"{OFFER}:accept"):
    action = "accept"
    style = discord.ButtonStyle.success

    async def decided(self, interaction: Interaction, request: Request) -> None:
        challenges = interaction.client.challenges
        await permissions.player(interaction)
        thread = await _thread(interaction)
        await challenges.accept(self.challenge, request.user, request.at, changes=self.changes, thread=thread)


class Leave(OfferButton, template=rf"{OFFER}:leave"):
    action = "leave"

    async def decided(self, interaction: Interaction, request: Request) -> None:
        await interaction.client.challenges.leave(self.challenge, request.user, request.at)


class Decline(OfferButton, template=rf"{OFFER}:decline"):
    action = "decline"

    async def decided(self, interaction: Interaction, request: Request) -> None:
        await interaction.client.challenges.decline(self.challenge, request.user, request.at)


class Change(OfferButton, template=rf"{OFFER}:change"):
    action = "change"

    async def pressed(self, interaction: Interaction) -> None:
        await acknowledge(interaction)
        request = Request.of(interaction)
        await permissions.player(interaction)
        challenge = await counter_offers.of_channel(interaction, self.challenge)
        negotiable(challenge, request.user, request.at)
        await panels.show(interaction, await counter_offers.over(challenge, interaction))


def view(challenge: Challenge, words: Words) -> discord.ui.View:
    """The buttons of the card; none once the challenge was decided."""
    if challenge.state is not ChallengeState.OPEN:
        return row()
    several, anybodys = challenge.seats > 2, challenge.opponent is None
    buttons: list[OfferButton] = [
        Accept.to(challenge, words("button.join") if several else words("button.accept")),
        Change.to(challenge, words("button.change")),
        Decline.to(challenge, words("button.withdraw") if anybodys else words("button.decline")),
    ]
    if several:
        buttons.insert(1, Leave.to(challenge, words("button.leave")))
    return row(*buttons)


async def _thread(interaction: Interaction) -> ChannelId | None:
    """The id of the thread that can be opened from the card: that of its message."""
    may, channel, message = interaction.app_permissions, interaction.channel, interaction.message
    if message is None or channel is None or channel.type not in (discord.ChannelType.text, discord.ChannelType.news):
        return None
    if borrowed(interaction):
        return None
    if not (may.create_public_threads and may.send_messages_in_threads):
        return None
    return ChannelId(message.id) if (await permissions.server(interaction)).threads else None


BUTTONS: tuple[type[OfferButton], ...] = (Accept, Leave, Decline, Change)
