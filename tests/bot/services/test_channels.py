"""Channels of user installs, where only the tokens of interactions let the bot post: how long, and how often."""

from __future__ import annotations

from typing import Any, cast

import discord
import pytest

from bot.request import Interaction
from bot.services.channels import MAX_CHANNELS, TOKEN_SECONDS, TOKENS_PER_CHANNEL, ChannelMessenger
from bot.services.guild_directory import GuildDirectory
from bot.services.rate_limits import POSTS, Pace, ThreadBudget
from play.ids import ChannelId, MessageId
from use_cases.operator import Blocked

HERE = 7


class Response:
    """A response of Discord that refuses a request."""

    status, reason = 400, "Bad Request"


class Token:
    """An interaction in a private channel, and its webhook, which numbers its messages from the id of the interaction.

    `refusal` is the error code with which Discord refuses its requests.
    """

    guild_id = guild = None
    user = discord.Object(1)

    def __init__(self, id: int, channel: int = HERE) -> None:  # noqa: A002 - Discord's name
        self.id = id
        self.context = discord.app_commands.AppCommandContext(private_channel=True)
        self._integration_owners = {1: 1}
        self.channel = discord.Object(channel)
        self.followup = self
        self.sent = 0
        self.edited: list[int] = []
        self.refusal = 0

    async def send(self, *, content: str, wait: bool) -> discord.Object:
        assert wait
        self._refuse()
        self.sent += 1
        return discord.Object(self.id + self.sent)

    async def edit_message(self, message: int, *, content: str) -> None:
        self._refuse()
        self.edited.append(message)

    def _refuse(self) -> None:
        if self.refusal:
            raise discord.HTTPException(cast(Any, Response()), {"code": self.refusal, "message": "no"})


class Client:
    """The client and the one use case that the messenger calls."""

    def __init__(self) -> None:
        self.posted: list[str] = []
        self.edited: list[int] = []
        self.reposted: list[int] = []

    async def repost(self, channel: int) -> None:
        self.reposted.append(channel)

    def is_closed(self) -> bool:
        return False

    def get_partial_messageable(self, channel: int) -> Client:
        return self

    def get_partial_message(self, message: int) -> Client:
        self.edited.append(message)
        return self

    async def send(self, *, content: str, nonce: str, reference: None) -> discord.Object:
        self.posted.append(nonce)
        return discord.Object(99)

    async def edit(self, *, content: str) -> None:
        pass


class Messenger:
    """A messenger whose clock the test sets."""

    def __init__(self) -> None:
        self.now = 0.0
        self.client = Client()
        client = cast(discord.Client, self.client)
        self.channels = ChannelMessenger(
            client,
            GuildDirectory(client, Blocked()),
            Pace(POSTS),
            self.client.repost,
            ThreadBudget(),
            clock=lambda: self.now,
        )

    async def open(self, *tokens: Token) -> None:
        for token in tokens:
            await self.channels.open_channel(cast(Interaction, token))

    async def post(self, channel: int = HERE) -> MessageId:
        return await self.channels.post(ChannelId(channel), lambda: {"content": "words"}, "1:2", guild=None)


@pytest.fixture
def messenger() -> Messenger:
    return Messenger()


async def test_where_nobody_has_asked_for_anything_the_bot_posts_by_its_own_right_with_a_nonce(
    messenger: Messenger,
) -> None:
    assert await messenger.post() == 99
    assert messenger.client.posted == ["1:2"]


async def test_the_newest_interaction_is_answered(messenger: Messenger) -> None:
    await messenger.open(Token(100), Token(200))
    assert await messenger.post() == 201
    assert messenger.client.posted == []


async def test_an_interaction_of_one_channel_leads_to_no_other(messenger: Messenger) -> None:
    await messenger.open(Token(100, channel=8))
    assert await messenger.post() == 99


async def test_an_interaction_brings_what_waits_for_its_channel(messenger: Messenger) -> None:
    await messenger.open(Token(100))
    assert messenger.client.reposted == [HERE]


async def test_an_interaction_is_used_no_longer_than_its_token_lives(messenger: Messenger) -> None:
    await messenger.open(Token(100))
    messenger.now = TOKEN_SECONDS - 1
    assert await messenger.post() == 101
    messenger.now = TOKEN_SECONDS
    assert await messenger.post() == 99


@pytest.mark.parametrize("code", [50027, 10015, 40094])
async def test_what_one_interaction_cannot_bring_the_one_before_does(messenger: Messenger, code: int) -> None:
    older, newer = Token(100), Token(200)
    await messenger.open(older, newer)
    newer.refusal = code
    assert await messenger.post() == 101
    newer.refusal = 0
    assert await messenger.post() == 102


async def test_a_message_that_discord_refuses_ends_no_token(messenger: Messenger) -> None:
    token = Token(100)
    await messenger.open(token)
    token.refusal = 50035
    with pytest.raises(discord.HTTPException):
        await messenger.post()
    token.refusal = 0
    assert await messenger.post() == 101


async def test_a_message_is_changed_by_the_interaction_that_it_answers(messenger: Messenger) -> None:
    older, newer = Token(100), Token(200)
    await messenger.open(older)
    message = await messenger.post()
    await messenger.open(newer)
    await messenger.channels.edit(ChannelId(HERE), message, content="other words")
    assert older.edited == [message]
    assert newer.edited == []


async def test_an_interaction_that_is_used_up_still_changes_what_it_has_posted(messenger: Messenger) -> None:
    token = Token(100)
    await messenger.open(token)
    message = await messenger.post()
    token.refusal = 40094
    await messenger.post()
    token.refusal = 0
    await messenger.channels.edit(ChannelId(HERE), message, content="other words")
    assert token.edited == [message]


async def test_other_messages_are_changed_by_the_bots_own_right(messenger: Messenger) -> None:
    await messenger.open(Token(100))
    await messenger.channels.edit(ChannelId(HERE), MessageId(55), content="other words")
    assert messenger.client.edited == [55]


async def test_where_the_bot_was_added_since_it_needs_nobody(messenger: Messenger) -> None:
    await messenger.open(Token(100))
    added = Token(200)
    added.context, added._integration_owners = discord.app_commands.AppCommandContext(guild=True), {0: 3, 1: 1}
    await messenger.open(added)
    assert not messenger.channels.is_user_install(ChannelId(HERE))
    assert await messenger.post() == 99


async def test_no_more_is_remembered_than_is_needed(messenger: Messenger) -> None:
    for number in range(MAX_CHANNELS + 1):
        await messenger.open(Token(100, channel=number + 1))
    assert not messenger.channels.is_user_install(ChannelId(1))
    tokens = [Token(1000 * number) for number in range(1, TOKENS_PER_CHANNEL + 2)]
    await messenger.open(*tokens)
    for token in tokens[1:]:
        token.refusal = 50027
    assert await messenger.post() == 99
