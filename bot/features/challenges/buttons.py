"""The buttons of a challenge's card: all they know is in their custom id, and every click is judged anew."""

from __future__ import annotations

from re import Match as Found
from typing import TYPE_CHECKING, Any, ClassVar, Self

import discord

from bot.features.challenges import counter_offers
from bot.interactions import errors, permissions
from bot.interactions.admission import GatedItem
from bot.interactions.buttons import Item, row
from bot.interactions.context import Context
from bot.request import Request, is_user_install
from play.challenge.challenge import Challenge, ChallengeState, negotiable
from play.ids import ChallengeId, ChannelId

if TYPE_CHECKING:
    from bot.i18n.words import Words

OFFER = r"challenge:(?P<challenge>\d{1,15}):(?P<changes>\d{1,6})"


class OfferButton(GatedItem, discord.ui.DynamicItem[Item], template=r"(?!)"):
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

    async def pressed(self, ctx: Context) -> None:
        """Decides, and shows on the card what came of it, or what it has been for a while."""
        await ctx.defer_update()
        await counter_offers.challenge_of_channel(ctx, self.challenge)
        try:
            await self.decided(ctx, ctx.request)
        except Exception as error:
            await errors.reply_error(ctx, error)
        await ctx.services.cards.redraw_pressed(self.challenge, ctx)

    async def decided(self, ctx: Context, request: Request) -> None:
        raise NotImplementedError


class Accept(OfferButton, template=rf"{OFFER}:accept"):
    action = "accept"
    style = discord.ButtonStyle.success

    async def decided(self, ctx: Context, request: Request) -> None:
        challenges = ctx.services.challenges
        await permissions.require_player(ctx)
        thread = await _thread(ctx)
        await challenges.accept(self.challenge, ctx.user, ctx.at, changes=self.changes, thread=thread)


class Leave(OfferButton, template=rf"{OFFER}:leave"):
    action = "leave"

    async def decided(self, ctx: Context, request: Request) -> None:
        await ctx.services.challenges.leave(self.challenge, ctx.user, ctx.at)


class Decline(OfferButton, template=rf"{OFFER}:decline"):
    action = "decline"

    async def decided(self, ctx: Context, request: Request) -> None:
        await ctx.services.challenges.decline(self.challenge, ctx.user, ctx.at)


class Change(OfferButton, template=rf"{OFFER}:change"):
    action = "change"

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_private()
        await permissions.require_player(ctx)
        challenge = await counter_offers.challenge_of_channel(ctx, self.challenge)
        negotiable(challenge, ctx.user, ctx.at)
        await ctx.show(await counter_offers.counter_offer_panel(challenge, ctx))


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


async def _thread(ctx: Context) -> ChannelId | None:
    """The id of the thread that can be opened from the card: that of its message."""
    may, channel, message = ctx.interaction.app_permissions, ctx.interaction.channel, ctx.interaction.message
    if message is None or channel is None or channel.type not in (discord.ChannelType.text, discord.ChannelType.news):
        return None
    if is_user_install(ctx.interaction):
        return None
    if not (may.create_public_threads and may.send_messages_in_threads):
        return None
    return ChannelId(message.id) if (await permissions.server_settings(ctx)).threads else None


BUTTONS: tuple[type[OfferButton], ...] = (Accept, Leave, Decline, Change)
