"""The fault table: which requests fail, how and how often."""

import asyncio

import aiohttp
import discord as library
import pytest

from loopback import HANG_SECONDS, Attempt, Channel, Discord, Silence, errors
from tests.loopback.bot import Bot, board

MESSAGES = "/channels/{channel_id}/messages"
THREADS = MESSAGES + "/{message_id}/threads"


@pytest.fixture
def channel(bot: Bot, discord: Discord, dots: Channel) -> library.PartialMessageable:
    return bot.get_partial_messageable(dots.id, guild_id=discord.guild.id)


@pytest.mark.sample(6)
@pytest.mark.parametrize("refusal", errors.REFUSALS.values(), ids=lambda refusal: str(refusal.code))
async def test_every_refusal_can_be_asked_for(
    discord: Discord, channel: library.PartialMessageable, refusal: errors.Refusal
) -> None:
    fault = discord.fault("POST", MESSAGES, refusal, times=None)
    with pytest.raises(library.HTTPException) as caught:
        await channel.send("hello")
    assert (caught.value.status, caught.value.code, caught.value.text.split("\n")[0]) == refusal
    assert len(fault.hits) == (5 if refusal.status == 429 else 1)  # which the library tries that often
    fault.end()
    await channel.send("hello")


async def test_an_unknown_code_has_words_of_its_own(discord: Discord, channel: library.PartialMessageable) -> None:
    discord.fault("POST", MESSAGES, 400, code=987654, message="No bots on Sundays")
    with pytest.raises(library.HTTPException, match="No bots on Sundays"):
        await channel.send("hello")


async def test_a_fault_names_the_field(discord: Discord, channel: library.PartialMessageable) -> None:
    wrong = errors.nested_errors(("name",), "INVALID_COMMUNITY_PROPERTY_NAME", "Contains words not allowed")
    message = await channel.send("a board")
    discord.fault("POST", THREADS, errors.INVALID_FORM, errors=wrong)
    with pytest.raises(library.HTTPException, match="In name: Contains words not allowed"):
        await message.create_thread(name="#1488")


async def test_a_429_has_its_own_code(discord: Discord, bot: Bot, dots: Channel) -> None:
    discord.fault("POST", MESSAGES, errors.TOO_MANY_OLD_EDITS, retry_after=0.0, times=5)
    with pytest.raises(library.HTTPException) as caught:
        await bot.get_partial_messageable(dots.id, guild_id=discord.guild.id).send("hello")
    assert (caught.value.status, caught.value.code) == (429, 30046)


async def test_only_requests_with_the_word_fail(discord: Discord, channel: library.PartialMessageable) -> None:
    fault = discord.fault("POST", MESSAGES, errors.MESSAGE_BLOCKED, times=None, word="ŻÓŁTY")
    await channel.send("czerwony", file=board())
    with pytest.raises(library.HTTPException):
        await channel.send("żółty", file=board())
    assert [each.body["content"] for each in fault.hits] == ["żółty"]


async def test_only_requests_that_fulfil_the_predicate_fail(
    discord: Discord, bot: Bot, channel: library.PartialMessageable
) -> None:
    general = discord.channels["general"].id

    def is_general(attempt: Attempt) -> bool:
        return attempt.path["channel_id"] == str(general)

    discord.fault("POST", MESSAGES, errors.MISSING_ACCESS, predicate=is_general)
    await channel.send("hello")
    with pytest.raises(library.Forbidden):
        await bot.get_partial_messageable(general, guild_id=discord.guild.id).send("hello")


async def test_a_pattern_stands_for_many_endpoints(discord: Discord, channel: library.PartialMessageable) -> None:
    message = await channel.send("a board")
    fault = discord.fault("*", "/channels/*", errors.NETWORK_ERROR, times=None)
    for request in (channel.send("hello"), message.edit(content="another"), message.create_thread(name="A match")):
        with pytest.raises(library.Forbidden):
            await request
    assert [each.endpoint.split()[0] for each in fault.hits] == ["POST", "PATCH", "POST"]
    discord.end_faults()
    await message.edit(content="another")


async def test_a_closed_connection_is_no_response(discord: Discord, bot: Bot, dots: Channel) -> None:
    discord.fault("POST", MESSAGES, Silence.CLOSED, applied=True)
    with pytest.raises(aiohttp.ServerDisconnectedError):
        await bot.get_partial_messageable(dots.id, guild_id=discord.guild.id).send("hello")
    assert len(discord.messages(dots)) == 1
    assert discord.requests[-1].status == 0


async def test_a_request_can_hang_until_the_client_gives_up(
    discord: Discord, channel: library.PartialMessageable
) -> None:
    fault = discord.fault("POST", MESSAGES, Silence.HANGING)
    sending = asyncio.create_task(channel.send("hello"))
    await discord.until(lambda: fault.hits)
    assert not sending.done()
    sending.cancel()
    await asyncio.wait([sending], timeout=HANG_SECONDS)
    await channel.send("hello")


async def test_a_hanging_request_does_not_hold_up_the_end(bot: Bot, discord: Discord) -> None:
    fault = discord.fault("GET", "/gateway", Silence.HANGING)
    asking = asyncio.create_task(bot.http.request(library.http.Route("GET", "/gateway")))
    await discord.until(lambda: fault.hits)
    asking.cancel()
