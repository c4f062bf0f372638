"""Sessions: their start, intents, resumption, shards and end."""

import asyncio
import zlib
from collections.abc import AsyncIterator
from functools import partial

import aiohttp
import discord as library
import pytest

from loopback import HANG_SECONDS, TOKEN, Channel, Discord, Person
from tests.loopback.bot import Bot
from tests.loopback.conftest import Clock, connected


async def test_the_guilds_intent_brings_the_guild_with_its_channels(bot: Bot, discord: Discord) -> None:
    guild = bot.get_guild(discord.guild.id)
    assert guild is not None
    assert [channel.name for channel in guild.text_channels] == ["dots", "general"]
    assert guild.me.guild_permissions.create_public_threads


async def test_a_join_is_told_with_its_time(bot: Bot, discord: Discord) -> None:
    async with asyncio.timeout(HANG_SECONDS):
        for change, event in ((discord.remove_bot, "guild_remove"), (partial(discord.add_bot, ago=60), "guild_join")):
            told = asyncio.create_task(bot.wait_for(event))
            await asyncio.sleep(0)
            change()
            guild = await told
    assert guild.me.joined_at is not None
    assert guild.me.joined_at.timestamp() == pytest.approx(discord.world.now() - 60, abs=0.01)


class TestWithoutIntents:
    """A bot without intents."""

    @pytest.fixture
    def intents(self) -> library.Intents:
        return library.Intents.none()

    async def test_commands_need_none(self, bot: Bot, ola: Person, dots: Channel) -> None:
        outcome = await ola.command(dots, "challenge", opponent=ola, rules="dots").answered()
        assert outcome.kind == "message"
        assert not bot.guilds

    async def test_no_message_is_told(self, bot: Bot, discord: Discord, ola: Person, dots: Channel) -> None:
        ola.say(dots, discord.bot.mention)
        ola.say(ola.open_dm(), "hello")
        await ola.command(dots, "hello").answered()  # came after them
        assert bot.received == []


class TestPrivileged:
    """A bot with an intent that Discord has not granted."""

    async def test_it_is_turned_away(self, discord: Discord) -> None:
        async with Bot(library.Intents(message_content=True)) as bot:
            with pytest.raises(library.PrivilegedIntentsRequired):
                await bot.start(TOKEN)
        assert discord.problems.pop() == "gateway: privileged intents asked for: MESSAGE_CONTENT"


async def test_a_wrong_token_logs_nobody_in(discord: Discord, intents: library.Intents) -> None:
    async with Bot(intents) as bot:
        with pytest.raises(library.LoginFailure):
            await bot.start("another")


async def test_a_wrong_token_at_the_gateway_closes_with_4004(discord: Discord, intents: library.Intents) -> None:
    async with Bot(intents) as bot:
        await bot.login(TOKEN)
        bot.http.token = "another"  # noqa: S105
        with pytest.raises(library.ConnectionClosed) as caught:
            await bot.connect()
        assert caught.value.code == 4004


async def test_a_lost_connection_is_resumed_with_what_was_missed(
    bot: Bot, discord: Discord, ola: Person, dots: Channel
) -> None:
    discord.drop()
    await discord.until(lambda: not discord.online)
    ola.say(dots, f"{discord.bot.mention} missed")
    await bot.until(lambda: bot.resumed)
    assert [message.content for message in bot.received] == [f"{discord.bot.mention} missed"]


async def test_a_click_during_a_reconnection_is_answered_after_it(
    bot: Bot, discord: Discord, ola: Person, dots: Channel
) -> None:
    discord.reconnect()
    await discord.until(lambda: not discord.online)
    outcome = await ola.command(dots, "hello").answered()
    assert outcome.kind == "message"
    assert bot.resumed == 1


async def test_an_invalid_session_is_identified_anew(bot: Bot, discord: Discord, ola: Person, dots: Channel) -> None:
    discord.invalidate()
    await discord.until(lambda: not discord.online)
    await discord.until(lambda: discord.online)
    assert (await ola.command(dots, "hello").answered()).kind == "message"
    assert bot.resumed == 0


async def test_a_session_that_was_lost_for_long_cannot_be_resumed(
    bot: Bot, discord: Discord, clock: Clock, ola: Person, dots: Channel
) -> None:
    discord.drop()
    await discord.until(lambda: not discord.online)
    clock.time += 1000
    await discord.until(lambda: discord.online)
    assert bot.resumed == 0
    assert (await ola.command(dots, "hello").answered()).kind == "message"


async def test_two_shards_share_the_guild_without_doubling_its_events(
    discord: Discord, intents: library.Intents, ola: Person, dots: Channel
) -> None:
    class Sharded(Bot, library.AutoShardedClient):
        """The same bot on two shards."""

    bot = Sharded(intents)
    bot.shard_count = 2
    async with connected(bot):
        ola.say(dots, "hello")
        outcome = await ola.command(dots, "hello").answered()
        assert outcome.kind == "message"
        assert len(bot.received) == 1


class TestBare:
    """A client without a library."""

    @pytest.fixture
    async def socket(self, discord: Discord) -> AsyncIterator[aiohttp.ClientWebSocketResponse]:
        async with aiohttp.ClientSession() as session, session.ws_connect(discord.gateway) as socket:
            yield socket

    async def test_it_is_greeted_in_plain_text_unless_it_asks_for_zlib(self, discord: Discord) -> None:
        async with aiohttp.ClientSession() as session:
            async with session.ws_connect(discord.gateway) as socket:
                assert (await socket.receive_json())["op"] == 10
            async with session.ws_connect(f"{discord.gateway}/?compress=zlib-stream") as socket:
                assert b'"op": 10' in zlib.decompressobj().decompress(await socket.receive_bytes())

    async def test_a_heartbeat_is_acknowledged(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        await socket.receive_json()
        await socket.send_json({"op": 1, "d": None})
        assert (await socket.receive_json())["op"] == 11

    async def test_an_unknown_session_is_invalid(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        await socket.receive_json()
        await socket.send_json({"op": 6, "d": {"token": TOKEN, "session_id": "another", "seq": 1}})
        assert await socket.receive_json() == {"op": 9, "d": False}

    @pytest.mark.parametrize(
        ("frame", "code"),
        [
            ("{", 4002),
            ('{"op": 8, "d": {}}', 4001),
            ('{"op": 3, "d": {}}', 4003),
            (f'{{"op": 2, "d": {{"token": "{TOKEN}"}}}}', 4013),
            (f'{{"op": 2, "d": {{"token": "{TOKEN}", "intents": 1, "shard": [2, 2]}}}}', 4010),
        ],
    )
    async def test_a_wrong_frame_closes_the_connection(
        self, discord: Discord, socket: aiohttp.ClientWebSocketResponse, frame: str, code: int
    ) -> None:
        await socket.receive_json()
        await socket.send_str(frame)
        assert (await socket.receive()).data == code
        discord.problems.clear()
