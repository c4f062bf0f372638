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
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import discord

from bot.request import Interaction, Request, can_answer_publicly, is_user_install
from bot.services.rate_limits import Pace
from bot.services.text_limits import fit_message
from play.ids import ChannelId, MessageId
from play.store.store import Unavailable

TOKEN_SECONDS = 14 * 60.0
"""Seconds for which a token is used; Discord ends it a minute later."""

MAX_CHANNELS, TOKENS_PER_CHANNEL = 2000, 8
"""How many channels are remembered, and how many interactions in each."""

MAX_TOKENS = 4000
"""Messages whose tokens are remembered: the boards of as many matches, and the panels in front of them."""

EXPIRED, UNKNOWN, EXHAUSTED = 50027, 10015, 40094
"""Discord's codes for a token that is over, or not known, and for a sixth message."""


@dataclass(eq=False, slots=True)
class ResponseToken:
    """What can be done with an interaction's token, and the time on the clock when it came."""

    webhook: discord.Webhook
    opened: float
    is_full: bool = False


class ChannelMessenger:
    """Posts and edits in channels. Where the bot was brought along, the newest interactions are tried first."""

    def __init__(
        self,
        client: discord.Client,
        pace: Pace,
        repost: Callable[[ChannelId], Awaitable[None]],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`repost` puts what could not be posted in a channel into the outbox again."""
        self._client = client
        self._pace = pace
        self._repost = repost
        self._clock = clock
        self._tokens: OrderedDict[ChannelId, deque[ResponseToken]] = OrderedDict()
        self._tokens_by_message: OrderedDict[int, ResponseToken] = OrderedDict()  # by the message that was made with it

    async def open_channel(self, interaction: Interaction) -> None:
        """Lets in what waits, if the interaction is a way into its channel. It was acknowledged, and nothing is to take
        the place of an answer."""
        channel = Request.of(interaction).channel
        if not is_user_install(interaction):
            self._tokens.pop(channel, None)  # the bot may have been added since
            return
        if not can_answer_publicly(interaction):
            return
        self._tokens.setdefault(channel, deque(maxlen=TOKENS_PER_CHANNEL)).appendleft(
            ResponseToken(interaction.followup, self._clock())
        )
        self._tokens.move_to_end(channel)
        if len(self._tokens) > MAX_CHANNELS:
            self._tokens.popitem(last=False)
        with suppress(Unavailable):  # what the person asks for says so
            await self._repost(channel)

    def is_user_install(self, channel: ChannelId) -> bool:
        """Whether the bot is known to have been brought along to a channel."""
        return channel in self._tokens

    def is_open(self, channel: ChannelId) -> bool:
        """Whether something can be posted in a channel to which the bot was brought along, as far as it knows."""
        return bool(self._free_tokens(channel))

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
        for door in self._free_tokens(channel):
            try:
                sent = await door.webhook.send(**fit_message(message()), wait=True)
            except discord.HTTPException as error:
                if not self._is_spent(door, error):
                    raise
            else:
                self._remember(sent.id, door)
                return MessageId(sent.id)
        await self._pace.wait_turn()
        there = self._client.get_partial_messageable(channel)
        posted = await there.send(**fit_message(message()), nonce=once, reference=reference)  # type: ignore[arg-type]
        return MessageId(posted.id)

    def remember_token(self, interaction: Interaction, message: int) -> None:
        """Remembers that a message was made, or last changed, with the token of an interaction."""
        self._remember(message, ResponseToken(interaction.followup, self._clock()))

    def has_token(self, message: int) -> bool:
        """Whether a message can be changed without a request that counts, as far as the bot knows."""
        return self._token_of(message) is not None

    async def edit(self, channel: ChannelId, message: MessageId, **changes: Any) -> None:
        """Changes a message of the bot, by the token that it was made with as long as that lives.

        Raises discord.HTTPException.
        """
        if door := self._token_of(message):
            try:
                await door.webhook.edit_message(message, **fit_message(changes))
            except discord.HTTPException as error:
                if not self._is_spent(door, error):
                    raise
            else:
                return
        await self._pace.wait_turn()
        await self._client.get_partial_messageable(channel).get_partial_message(message).edit(**fit_message(changes))

    async def delete_panel(self, panel: int) -> None:
        """Deletes a private panel, if its token still lives; otherwise it stays, and its buttons explain themselves."""
        if door := self._token_of(panel):
            with suppress(discord.HTTPException):
                await door.webhook.delete_message(panel)

    def _remember(self, message: int, door: ResponseToken) -> None:
        self._tokens_by_message[message] = door
        self._tokens_by_message.move_to_end(message)
        if len(self._tokens_by_message) > MAX_TOKENS:
            self._tokens_by_message.popitem(last=False)

    def _token_of(self, message: int) -> ResponseToken | None:
        """What a message was made with, if it can still be used."""
        door = self._tokens_by_message.get(message)
        return door if door is not None and door.opened > self._clock() - TOKEN_SECONDS else None

    def _free_tokens(self, channel: ChannelId) -> Sequence[ResponseToken]:
        """Those of the open doors by which something more can be posted."""
        return [door for door in self._open_tokens(channel) if not door.is_full]

    def _open_tokens(self, channel: ChannelId) -> Sequence[ResponseToken]:
        """The doors of a channel that are not known to be shut, the newest first."""
        since = self._clock() - TOKEN_SECONDS
        return [door for door in self._tokens.get(channel, ()) if door.opened > since]

    def _is_spent(self, door: ResponseToken, error: discord.HTTPException) -> bool:
        """Whether the token, and not the message, is what Discord refused; it is then not used for it again."""
        if error.code == EXHAUSTED:
            door.is_full = True
        elif error.code in (EXPIRED, UNKNOWN):
            door.opened = float("-inf")
        else:
            return False
        return True
