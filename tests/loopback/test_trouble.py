"""Rate limits, errors on demand, and bodies that no Discord would take."""

import io
from typing import Any

import aiohttp
import discord as library
import pytest

from loopback import TOKEN, Channel, Discord, Permission
from loopback.errors import cloudflare_page
from tests.loopback.bot import Bot, board
from tests.loopback.conftest import AS_BOT, NAMED, Clock

MESSAGES = "/channels/{channel_id}/messages"


@pytest.fixture
def channel(bot: Bot, dots: Channel) -> library.PartialMessageable:
    return bot.get_partial_messageable(dots.id)


async def test_a_429_is_waited_out_by_the_client(
    discord: Discord, channel: library.PartialMessageable, dots: Channel
) -> None:
    discord.fault("POST", MESSAGES, 429, times=2)
    await channel.send("hello")
    assert [each.status for each in discord.requests if each.endpoint == f"POST {MESSAGES}"] == [429, 429, 200]
    assert len(discord.messages(dots)) == 1


async def test_a_lost_answer_is_made_good_by_the_nonce(
    discord: Discord, channel: library.PartialMessageable, dots: Channel
) -> None:
    discord.fault("POST", MESSAGES, 502, applied=True)
    await channel.send("hello", nonce="1-2")
    assert [each.status for each in discord.requests if each.endpoint == f"POST {MESSAGES}"] == [502, 200]
    assert len(discord.messages(dots)) == 1


async def test_an_error_of_any_code_can_be_asked_for(discord: Discord, channel: library.PartialMessageable) -> None:
    sent = await channel.send("a board")
    discord.fault("PATCH", MESSAGES + "/{message_id}", 400, code=50021)
    with pytest.raises(library.HTTPException) as caught:
        await sent.edit(content="another")
    assert caught.value.code == 50021


async def test_a_page_can_be_asked_for(discord: Discord, channel: library.PartialMessageable) -> None:
    discord.fault("POST", MESSAGES, cloudflare_page(403))
    with pytest.raises(library.Forbidden) as caught:
        await channel.send("hello")
    assert caught.value.response.content_type == "text/html"
    assert (caught.value.code, "<title>Attention Required!" in caught.value.text) == (0, True)


@pytest.mark.parametrize(
    ("agent", "count"), [("Python/3.11 aiohttp/3.13", 1), ("DiscordBot (https://dots.example, 1)", 0)]
)
async def test_a_request_that_does_not_say_who_sends_it_is_a_problem(agent: str, count: int, discord: Discord) -> None:
    async with aiohttp.ClientSession(headers={"User-Agent": agent}) as session, session.get(f"{discord.api}/gateway"):
        assert len(discord.problems) == count
    discord.problems.clear()


async def test_a_fault_of_an_unknown_endpoint_is_a_mistake_of_the_test(discord: Discord) -> None:
    with pytest.raises(LookupError):
        discord.fault("POST", "/channels/{channel}/messages", 429)


async def test_the_sixth_message_in_five_seconds_is_one_too_many(clock: Clock) -> None:
    async with Discord(now=clock, limits=True) as discord, aiohttp.ClientSession(headers=NAMED) as session:
        url = f"{discord.api}/channels/{discord.channels['dots'].id}/messages"
        remaining = []
        for _ in range(6):
            async with session.post(url, json={"content": "a"}, headers={"Authorization": f"Bot {TOKEN}"}) as answer:
                remaining.append(answer.headers["X-RateLimit-Remaining"])
        assert remaining == ["4", "3", "2", "1", "0", "0"]
        assert (answer.status, answer.headers["Via"], answer.headers["Retry-After"]) == (429, "1.1 loopback", "5")
        clock.time += 5
        async with session.post(url, json={"content": "a"}, headers={"Authorization": f"Bot {TOKEN}"}) as answer:
            assert answer.status == 200


async def test_the_limit_of_threads_is_shared_and_lasts_for_minutes(clock: Clock) -> None:
    async with Discord(now=clock, limits=True) as discord, aiohttp.ClientSession(headers=AS_BOT) as session:
        dots, general = (discord.channels[name] for name in ("dots", "general"))

        async def open_thread(channel: Channel) -> tuple[int, str, float]:
            url = f"{discord.api}/channels/{channel.id}/threads"
            async with session.post(url, json={"name": "A match", "type": 11}) as answer:
                wait = (await answer.json()).get("retry_after", 0.0)
                return answer.status, answer.headers.get("X-RateLimit-Scope", ""), wait

        for number in range(20):
            discord.people["Ola"].open_thread(dots, f"Talk {number}")
        assert [(await open_thread(dots))[0] for _ in range(30)] == [200] * 30
        clock.time += 20
        assert await open_thread(dots) == (429, "shared", 280.0)
        assert (await open_thread(general))[0] == 200
        clock.time += 280
        assert (await open_thread(dots))[0] == 200


async def test_three_old_messages_of_a_channel_are_edited_in_six_seconds(clock: Clock) -> None:
    async with (
        Discord(now=clock, limits=True) as discord,
        aiohttp.ClientSession(headers={**NAMED, "Authorization": f"Bot {TOKEN}"}) as session,
    ):
        dots, general = (discord.channels[name] for name in ("dots", "general"))

        async def edit(channel: Channel) -> tuple[int, dict[str, Any]]:
            message = discord.messages(channel)[0]
            url = f"{discord.api}/channels/{channel.id}/messages/{message.id}"
            async with session.patch(url, json={"content": "b"}) as answer:
                return answer.status, await answer.json()

        for channel in (dots, general):
            async with session.post(f"{discord.api}/channels/{channel.id}/messages", json={"content": "a"}) as answer:
                assert answer.status == 200
        assert [(await edit(dots))[0] for _ in range(5)] == [200] * 5
        clock.time += 3601
        assert [(await edit(dots))[0] for _ in range(3)] == [200] * 3
        status, body = await edit(dots)
        assert (status, body["code"], body["retry_after"], body["global"]) == (429, 30046, 6.0, False)
        assert (await edit(general))[0] == 200
        clock.time += 6
        assert (await edit(dots))[0] == 200


async def test_an_unknown_route_is_named(bot: Bot, discord: Discord) -> None:
    with pytest.raises(library.NotFound):
        await bot.http.request(library.http.Route("GET", "/sticker-packs"))
    assert discord.problems == ["unknown route: GET /api/v10/sticker-packs"]
    discord.problems.clear()


def row(*parts: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"type": 1, "components": list(parts)}]


def button(custom_id: str) -> dict[str, Any]:
    return {"type": 2, "style": 1, "label": "Play", "custom_id": custom_id}


TEXT = {"type": 10, "content": "your turn"}


@pytest.mark.parametrize(
    ("body", "named"),
    [
        ({"content": "a" * 2001}, "content"),
        ({"content": ["a"]}, "content"),
        ({"content": "a", "colour": "red"}, "colour"),
        ({"content": "a", "components": row(button("a"), button("a"))}, "components: custom_id must be unique"),
        ({"content": "a", "components": row(button("a" * 101))}, "components.0.components.0.custom_id"),
        ({"content": "a", "components": row(*(button(str(i)) for i in range(6)))}, "components.0"),
        ({"content": "a", "components": 6 * row(button("a"))}, "components"),
        ({"content": "a", "components": [TEXT]}, "components.0.type"),
        ({"content": "a", "components": [TEXT], "flags": 32768}, "content: cannot stand beside"),
        ({"components": [TEXT] * 41, "flags": 32768}, "components"),
        ({"components": [{"type": 10, "content": "a" * 2001}] * 2, "flags": 32768}, "4002 characters of text"),
        ({"components": [{"type": 12, "items": [{"media": {"url": "attachment://a.png"}}]}], "flags": 32768}, "a.png"),
        ({"content": "a", "attachments": [{"id": 0}]}, "attachments.0.id"),
        ({"content": "a", "embeds": [{"title": "a" * 257}]}, "embeds.0.title"),
        ({}, "Cannot send an empty message"),
    ],
)
async def test_a_malformed_message_is_refused_and_named(
    bot: Bot, discord: Discord, dots: Channel, body: dict[str, Any], named: str
) -> None:
    with pytest.raises(library.HTTPException) as caught:
        await bot.http.request(library.http.Route("POST", MESSAGES, channel_id=dots.id), json=body)
    assert caught.value.status == 400
    (problem,) = discord.problems
    assert problem.startswith(f"POST {MESSAGES}: ")
    assert named in problem
    discord.problems.clear()
    assert discord.messages(dots) == []


async def test_a_body_that_breaks_the_api_description_is_refused_and_named(
    bot: Bot, discord: Discord, dots: Channel
) -> None:
    body = {"content": "a", "components": row({**button("a"), "style": "red"})}
    with pytest.raises(library.HTTPException):
        await bot.http.request(library.http.Route("POST", MESSAGES, channel_id=dots.id), json=body)
    assert 'components.0.components.0.style: "red" is not' in discord.problems.pop()


async def test_a_file_over_ten_mebibytes_is_too_large(discord: Discord, channel: library.PartialMessageable) -> None:
    with pytest.raises(library.HTTPException) as caught:
        await channel.send(file=library.File(io.BytesIO(bytes(10 * 1024 * 1024 + 1)), "big.bin"))
    assert caught.value.code == 40005


async def test_eleven_files_are_too_many(discord: Discord, channel: library.PartialMessageable) -> None:
    with pytest.raises((library.HTTPException, ValueError)):
        await channel.send(files=[board(f"{number}.png") for number in range(11)])
    discord.problems.clear()


async def test_a_command_with_a_bad_name_is_refused_and_named(bot: Bot, discord: Discord) -> None:
    assert bot.application_id is not None
    with pytest.raises(library.HTTPException):
        await bot.http.bulk_upsert_global_commands(bot.application_id, [{"name": "", "description": "a"}])
    assert "0.name" in discord.problems.pop()


async def test_permissions_in_one_channel_leave_the_other_alone(bot: Bot, discord: Discord, dots: Channel) -> None:
    discord.deny(dots, Permission.SEND_MESSAGES)
    sent = await bot.get_partial_messageable(discord.channels["general"].id).send("hello")
    assert discord.message(sent.id) is not None
