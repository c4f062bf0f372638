"""The limits of what a client, with or without access, can make the stand-in keep."""

import asyncio
from collections.abc import AsyncIterator

import aiohttp
import pytest
import yarl

from loopback import HANG_SECONDS, TOKEN, Bounds, Channel, Discord, Person
from tests.loopback.bot import Bot
from tests.loopback.conftest import AS_BOT, Clock, point, raw


@pytest.fixture
def bounds() -> Bounds:
    return Bounds()


@pytest.fixture
async def discord(clock: Clock, bounds: Bounds, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Discord]:
    """Yields a Discord with the bounds of the test."""
    async with Discord(now=clock, bounds=bounds) as discord:
        point(monkeypatch, discord)
        yield discord
        assert discord.problems == []


@pytest.mark.parametrize("bounds", [Bounds(body_bytes=1000)])
async def test_a_body_larger_than_a_message_may_be_is_refused(
    discord: Discord, stranger: aiohttp.ClientSession, dots: Channel
) -> None:
    form = aiohttp.FormData()
    form.add_field("files[0]", bytes(1001), filename="large")
    url = f"{discord.api}/channels/{dots.id}/messages"
    async with stranger.post(url, headers=AS_BOT, data=form) as answer:
        assert answer.status == 413


async def test_a_body_of_countless_parts_is_refused(
    discord: Discord, stranger: aiohttp.ClientSession, dots: Channel
) -> None:
    form = aiohttp.FormData()
    for number in range(50):
        form.add_field(f"files[{number}]", b"", filename="empty")
    url = f"{discord.api}/channels/{dots.id}/messages"
    async with stranger.post(url, headers=AS_BOT, data=form) as answer:
        assert answer.status == 400
    assert "more than 11 parts" in discord.problems.pop()


async def test_a_json_body_that_is_too_large_is_refused(clock: Clock) -> None:
    async with Discord(now=clock, bounds=Bounds(body_bytes=1000)) as discord, aiohttp.ClientSession() as session:
        url = f"{discord.api}/channels/{discord.channels['dots'].id}/messages"
        async with session.post(url, headers=AS_BOT, json={"content": "x" * 2000}) as answer:
            assert answer.status == 413
        assert discord.problems == []


@pytest.mark.parametrize("path", ["webhooks/1/unknown", "interactions/1/unknown/callback"])
async def test_nothing_is_read_from_those_who_have_no_token(discord: Discord, path: str) -> None:
    host = yarl.URL(discord.address).authority
    request = f"POST /api/v10/{path} HTTP/1.1\nHost: {host}\nContent-Length: 100000\n\n"
    assert "404" in await raw(discord, request)


async def test_clients_that_do_not_identify_are_cut_the_oldest_first(
    bot: Bot, discord: Discord, stranger: aiohttp.ClientSession, ola: Person, dots: Channel
) -> None:
    sockets = [await stranger.ws_connect(discord.gateway) for _ in range(Bounds().unidentified + 1)]
    assert (await sockets[0].receive(timeout=HANG_SECONDS)).type is aiohttp.WSMsgType.TEXT
    assert (await sockets[0].receive(timeout=HANG_SECONDS)).type is not aiohttp.WSMsgType.TEXT
    assert (await ola.command(dots, "hello").answered()).kind == "message"
    for socket in sockets[1:]:
        assert not socket.closed
        await socket.close()


@pytest.mark.parametrize("bounds", [Bounds(pages=2)])
async def test_there_are_only_so_many_pages(discord: Discord, owner: aiohttp.ClientSession) -> None:
    sockets = [await owner.ws_connect(f"{discord.address}page/ws") for _ in range(2)]
    with pytest.raises(aiohttp.WSServerHandshakeError) as caught:
        await owner.ws_connect(f"{discord.address}page/ws")
    assert caught.value.status == 503
    for socket in sockets:
        await socket.close()
    await owner.ws_connect(f"{discord.address}page/ws")


async def test_a_page_that_does_not_listen_is_cut(
    discord: Discord, owner: aiohttp.ClientSession, ola: Person, dots: Channel
) -> None:
    async with owner.ws_connect(f"{discord.address}page/ws") as socket:
        await socket.receive_json(timeout=HANG_SECONDS)
        for _ in range(Bounds().queued_frames + 1):
            ola.say(dots, "hello")
        async with asyncio.timeout(HANG_SECONDS):
            async for _ in socket:
                pass
        assert socket.closed


@pytest.mark.parametrize("bounds", [Bounds(queued_payloads=50)])
async def test_a_session_that_does_not_listen_is_cut(
    discord: Discord, stranger: aiohttp.ClientSession, ola: Person
) -> None:
    async with stranger.ws_connect(discord.gateway) as socket:
        await socket.receive_json(timeout=HANG_SECONDS)
        await socket.send_json({"op": 2, "d": {"token": TOKEN, "intents": 513}})
        await discord.until(lambda: discord.online)
        for _ in range(51):
            ola.say(discord.channels["dots"], "hello")
        await discord.until(lambda: not discord.online)


@pytest.mark.parametrize("bounds", [Bounds(problems=3)])
async def test_the_list_of_problems_ends(discord: Discord, stranger: aiohttp.ClientSession) -> None:
    for _ in range(5):
        async with stranger.get(f"{discord.api}/nowhere/{'x' * 5000}") as answer:
            assert answer.status == 404
    assert len(discord.problems) == 3
    discord.problems.clear()
