"""The ways into a channel: the bot's own or, where it was only brought along, what somebody has just asked of it there.

Whoever has installed the bot to his account can use it in private channels, and on servers that it is not in. There
Discord lets it answer each interaction by its token, for 15 minutes and with five messages, and nothing else: what the
bot posts by itself is refused (50001), and it reads nothing. The tokens are secrets: they are neither stored nor
logged, so after a restart such a channel is closed until the next interaction.

The same tokens change and delete what was posted with them, also where the bot is a member, and those requests do not
count against the 50 a second that the whole bot may make.

Source: https://discord.com/developers/docs/interactions/receiving-and-responding#followup-messages
"""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import discord

from bot.request import Request
from bot.services.rate_limits import Pace
from bot.services.text_limits import fitted_message
from play.ids import ChannelId, MessageId
from play.store.store import Unavailable

if TYPE_CHECKING:
    from bot.client import Interaction, Kropka

LIFETIME = 14 * 60.0
"""Seconds for which a token is used; Discord ends it a minute later."""

CHANNELS, DOORS = 2000, 8
"""How many channels are remembered, and how many interactions in each."""

MAX_TOKENS = 4000
"""Messages whose tokens are remembered: the boards of as many matches, and the panels in front of them."""

GUILD, USER = 0, 1
"""To whom the bot was added for an interaction, as Discord numbers it."""

EXPIRED, UNKNOWN, EXHAUSTED = 50027, 10015, 40094
"""Discord's codes for a token that is over, or not known, and for a sixth message."""


def borrowed(interaction: Interaction) -> bool:
    """Whether the bot is not where the interaction comes from, but was brought along by somebody.

    Whoever presses a button need not have installed the bot: the owners are those of the message that has the button.
    """
    owners = interaction._integration_owners  # `is_user_integration` asks whether it was this very person
    return interaction.context.private_channel or (USER in owners and GUILD not in owners)


def seen_by_all(interaction: Interaction) -> bool:
    """Whether the bot's answers can be public: a server may keep them private where the bot was only brought along."""
    return interaction.guild_id is None or interaction.permissions.use_external_apps


@dataclass(eq=False, slots=True)
class Door:
    """What can be done with an interaction's token, and the time on the clock when it came."""

    webhook: discord.Webhook
    opened: float
    is_full: bool = False


class Doors:
    """Posts and edits in channels. Where the bot was brought along, the newest interactions are tried first."""

    def __init__(self, client: Kropka, pace: Pace, clock: Callable[[], float] = time.monotonic) -> None:
        self._client = client
        self._pace = pace
        self._clock = clock
        self._doors: OrderedDict[ChannelId, deque[Door]] = OrderedDict()
        self._makers: OrderedDict[int, Door] = OrderedDict()  # by the message that was made with it

    async def open(self, interaction: Interaction) -> None:
        """Lets in what waits, if the interaction is a way into its channel. It was acknowledged, and nothing is to take
        the place of an answer."""
        channel = Request.of(interaction).channel
        if not borrowed(interaction):
            self._doors.pop(channel, None)  # the bot may have been added since
            return
        if not seen_by_all(interaction):
            return
        self._doors.setdefault(channel, deque(maxlen=DOORS)).appendleft(Door(interaction.followup, self._clock()))
        self._doors.move_to_end(channel)
        if len(self._doors) > CHANNELS:
            self._doors.popitem(last=False)
        with suppress(Unavailable):  # what the person asks for says so
            await self._client.actions.repost(channel)

    def borrows(self, channel: ChannelId) -> bool:
        """Whether the bot is known to have been brought along to a channel."""
        return channel in self._doors

    def is_open(self, channel: ChannelId) -> bool:
        """Whether something can be posted in a channel to which the bot was brought along, as far as it knows."""
        return bool(self._free(channel))

    async def post(
        self,
        channel: ChannelId,
        message: Callable[[], dict[str, Any]],
        once: str,
        *,
        reference: discord.MessageReference | None = None,
    ) -> MessageId:
        """Posts what `message` makes anew for every try, since sending uses pictures up.

        By the bot's own right a message with the nonce `once` is posted once. What answers an interaction can have no
        nonce and be no reply: after a crash between post and note, or where only Discord's answer was lost, such a
        channel may get the same message twice. Raises discord.HTTPException; where no door is open, Discord's own.
        """
        for door in self._free(channel):
            try:
                sent = await door.webhook.send(**fitted_message(message()), wait=True)
            except discord.HTTPException as error:
                if not self._shut(door, error):
                    raise
            else:
                self._remember(sent.id, door)
                return MessageId(sent.id)
        await self._pace.turn()
        there = self._client.get_partial_messageable(channel)
        posted = await there.send(**fitted_message(message()), nonce=once, reference=reference)  # type: ignore[arg-type]
        return MessageId(posted.id)

    def made(self, interaction: Interaction, message: int) -> None:
        """Remembers that a message was made, or last changed, with the token of an interaction."""
        self._remember(message, Door(interaction.followup, self._clock()))

    def has_token(self, message: int) -> bool:
        """Whether a message can be changed without a request that counts, as far as the bot knows."""
        return self._maker(message) is not None

    async def edit(self, channel: ChannelId, message: MessageId, **changes: Any) -> None:
        """Changes a message of the bot, by the token that it was made with as long as that lives.

        Raises discord.HTTPException.
        """
        if door := self._maker(message):
            try:
                await door.webhook.edit_message(message, **fitted_message(changes))
            except discord.HTTPException as error:
                if not self._shut(door, error):
                    raise
            else:
                return
        await self._pace.turn()
        await self._client.get_partial_messageable(channel).get_partial_message(message).edit(**fitted_message(changes))

    async def take_away(self, panel: int) -> None:
        """Deletes a private panel, if its token still lives; otherwise it stays, and its buttons explain themselves."""
        if door := self._maker(panel):
            with suppress(discord.HTTPException):
                await door.webhook.delete_message(panel)

    def _remember(self, message: int, door: Door) -> None:
        self._makers[message] = door
        self._makers.move_to_end(message)
        if len(self._makers) > MAX_TOKENS:
            self._makers.popitem(last=False)

    def _maker(self, message: int) -> Door | None:
        """What a message was made with, if it can still be used."""
        door = self._makers.get(message)
        return door if door is not None and door.opened > self._clock() - LIFETIME else None

    def _free(self, channel: ChannelId) -> Sequence[Door]:
        """Those of the open doors by which something more can be posted."""
        return [door for door in self._open(channel) if not door.is_full]

    def _open(self, channel: ChannelId) -> Sequence[Door]:
        """The doors of a channel that are not known to be shut, the newest first."""
        since = self._clock() - LIFETIME
        return [door for door in self._doors.get(channel, ()) if door.opened > since]

    def _shut(self, door: Door, error: discord.HTTPException) -> bool:
        """Whether the token, and not the message, is what Discord refused; it is then not used for it again."""
        if error.code == EXHAUSTED:
            door.is_full = True
        elif error.code in (EXPIRED, UNKNOWN):
            door.opened = float("-inf")
        else:
            return False
        return True
