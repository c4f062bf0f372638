"""The ways into a channel that are nobody's but those of the people in it: how long they are open, and how many."""

from __future__ import annotations

from typing import Any, cast

import discord
import pytest

from bot.request import Interaction
from bot.services.channels import MAX_CHANNELS, TOKEN_SECONDS, TOKENS_PER_CHANNEL, ChannelMessenger
from bot.services.rate_limits import POSTS, Pace
from play.ids import ChannelId, MessageId

HERE = 7


class Response:
    """An answer of Discord that refuses."""

    status, reason = 400, "Bad Request"


class Way:
    """An interaction in a private channel, and the webhook behind it, which posts messages with ids from its own on.

    `refusal` is Discord's code for why it does not.
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


class Front:
    """The bot's own way, and its use cases, of which only one is asked for."""

    def __init__(self) -> None:
        self.posted: list[str] = []
        self.edited: list[int] = []
        self.caught_up: list[int] = []

    async def repost(self, channel: int) -> None:
        self.caught_up.append(channel)

    def get_partial_messageable(self, channel: int) -> Front:
        return self

    def get_partial_message(self, message: int) -> Front:
        self.edited.append(message)
        return self

    async def send(self, *, content: str, nonce: str, reference: None) -> discord.Object:
        self.posted.append(nonce)
        return discord.Object(99)

    async def edit(self, *, content: str) -> None:
        pass


class Hall:
    """Doors with a clock in hand."""

    def __init__(self) -> None:
        self.now = 0.0
        self.front = Front()
        self.doors = ChannelMessenger(
            cast(discord.Client, self.front), Pace(POSTS), self.front.repost, clock=lambda: self.now
        )

    async def open(self, *ways: Way) -> None:
        for way in ways:
            await self.doors.open_channel(cast(Interaction, way))

    async def post(self, channel: int = HERE) -> MessageId:
        return await self.doors.post(ChannelId(channel), lambda: {"content": "words"}, "1:2")


@pytest.fixture
def hall() -> Hall:
    return Hall()


async def test_where_nobody_has_asked_for_anything_the_bot_posts_by_its_own_right_with_a_nonce(hall: Hall) -> None:
    assert await hall.post() == 99
    assert hall.front.posted == ["1:2"]


async def test_the_newest_interaction_is_answered(hall: Hall) -> None:
    await hall.open(Way(100), Way(200))
    assert await hall.post() == 201
    assert hall.front.posted == []


async def test_an_interaction_of_one_channel_leads_to_no_other(hall: Hall) -> None:
    await hall.open(Way(100, channel=8))
    assert await hall.post() == 99


async def test_whoever_comes_lets_in_what_waits(hall: Hall) -> None:
    await hall.open(Way(100))
    assert hall.front.caught_up == [HERE]


async def test_an_interaction_is_used_no_longer_than_its_token_lives(hall: Hall) -> None:
    await hall.open(Way(100))
    hall.now = TOKEN_SECONDS - 1
    assert await hall.post() == 101
    hall.now = TOKEN_SECONDS
    assert await hall.post() == 99


@pytest.mark.parametrize("code", [50027, 10015, 40094])
async def test_what_one_interaction_cannot_bring_the_one_before_does(hall: Hall, code: int) -> None:
    older, newer = Way(100), Way(200)
    await hall.open(older, newer)
    newer.refusal = code
    assert await hall.post() == 101
    newer.refusal = 0
    assert await hall.post() == 102


async def test_what_is_wrong_with_a_message_shuts_no_door(hall: Hall) -> None:
    way = Way(100)
    await hall.open(way)
    way.refusal = 50035
    with pytest.raises(discord.HTTPException):
        await hall.post()
    way.refusal = 0
    assert await hall.post() == 101


async def test_a_message_is_changed_by_the_interaction_that_it_answers(hall: Hall) -> None:
    older, newer = Way(100), Way(200)
    await hall.open(older)
    message = await hall.post()
    await hall.open(newer)
    await hall.doors.edit(ChannelId(HERE), message, content="other words")
    assert older.edited == [message]
    assert newer.edited == []


async def test_an_interaction_that_is_used_up_still_changes_what_it_has_posted(hall: Hall) -> None:
    way = Way(100)
    await hall.open(way)
    message = await hall.post()
    way.refusal = 40094
    await hall.post()
    way.refusal = 0
    await hall.doors.edit(ChannelId(HERE), message, content="other words")
    assert way.edited == [message]


async def test_other_messages_are_changed_by_the_bots_own_right(hall: Hall) -> None:
    await hall.open(Way(100))
    await hall.doors.edit(ChannelId(HERE), MessageId(55), content="other words")
    assert hall.front.edited == [55]


async def test_where_the_bot_was_added_since_it_needs_nobody(hall: Hall) -> None:
    await hall.open(Way(100))
    added = Way(200)
    added.context, added._integration_owners = discord.app_commands.AppCommandContext(guild=True), {0: 3, 1: 1}
    await hall.open(added)
    assert not hall.doors.is_user_install(ChannelId(HERE))
    assert await hall.post() == 99


async def test_no_more_is_remembered_than_is_needed(hall: Hall) -> None:
    for number in range(MAX_CHANNELS + 1):
        await hall.open(Way(100, channel=number + 1))
    assert not hall.doors.is_user_install(ChannelId(1))
    ways = [Way(1000 * number) for number in range(1, TOKENS_PER_CHANNEL + 2)]
    await hall.open(*ways)
    for way in ways[1:]:
        way.refusal = 50027
    assert await hall.post() == 99
