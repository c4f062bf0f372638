"""Limits of what browsers ask for: each kind has its own, and one network closes nothing to others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pydantic import SecretStr

from bot.services.rate_limits import FAILED_ENTRIES, LOADS, NETWORK_LOADS, VISITS
from bot.settings import Hosting
from loopback import Channel, Discord
from tests.bot.room import Room
from tests.web.visit import Visit, signed_link

PAGE, WORDS = f"/game/1-{'x' * 16}", "/words.json?for=board"


@pytest.fixture
def run_options(discord: Discord) -> dict[str, Any]:
    secret = SecretStr(discord.client_secret)
    return {"hosting": Hosting(web=discord.address.rstrip("/"), client_secret=secret)}


async def test_a_user_opens_so_much_at_once_and_slows_no_other(
    room: Room, thread: Channel, visit: Callable[..., Visit]
) -> None:
    ola, maksim = visit(network="8.8.8.8"), visit(network="8.8.8.8")
    for browser, person in ((ola, room.ola), (maksim, room.maksim)):
        await browser.enter(await signed_link(room, person))
    statuses = [await ola.status(WORDS) for _ in range(LOADS.burst + 5)]
    assert statuses == [200] * LOADS.burst + [429] * 5
    assert await maksim.status(WORDS) == 200
    board = await ola.live("/board/1")
    assert await board.closed() == 1013
    assert board.line.startswith("Too many clicks. Try again in ")


async def test_made_up_sessions_of_a_network_are_counted_and_its_players_are_not(
    room: Room, thread: Channel, visit: Callable[..., Visit]
) -> None:
    player, stranger = visit(network="8.8.8.8"), visit(network="8.8.8.8")
    await player.enter(await signed_link(room, room.maksim))
    made_up = {"Cookie": f"kropka-{'0' * 12}=made-up"}
    statuses = [
        await stranger.status(("/board/1", WORDS)[number % 2], made_up) for number in range(NETWORK_LOADS.burst + 6)
    ]
    assert statuses == [401] * NETWORK_LOADS.burst + [429] * 6
    assert (await stranger.enter("http://127.0.0.1/enter#made-up"))[0] == 429
    assert await player.status(WORDS) == 200
    assert (await visit(network="8.8.8.8").enter(await signed_link(room, room.ola)))[0] == 200


async def test_a_link_that_is_sent_again_and_again_closes_the_entrance_to_itself_alone(
    room: Room, thread: Channel, visit: Callable[..., Visit]
) -> None:
    link, stranger = await signed_link(room, room.kasia), visit(network="8.8.8.8")
    assert (await visit().enter(link))[0] == 200
    statuses = [(await stranger.enter(link))[0] for _ in range(FAILED_ENTRIES.burst + 2)]
    assert statuses == [403] * FAILED_ENTRIES.burst + [429] * 2
    assert (await visit(network="8.8.8.8").enter(await signed_link(room, room.ola)))[0] == 200


async def test_readers_of_public_pages_close_neither_the_activity_nor_the_board(
    room: Room, thread: Channel, visit: Callable[..., Visit]
) -> None:
    browser = visit(network="8.8.8.8")
    assert [await browser.status(PAGE) for _ in range(VISITS.burst + 1)][-1] == 429
    assert (await browser.post("/activity/enter", {"code": "made-up", "instance": "made-up"}))[0] == 403
    assert (await browser.enter(await signed_link(room, room.ola)))[0] == 200
    assert await browser.status("/board/1") == 200


async def test_eight_networks_close_public_pages_to_no_other(room: Room, visit: Callable[..., Visit]) -> None:
    attackers, reader = visit(), visit(network="8.8.8.8")
    for number in range(8 * VISITS.burst):
        await attackers.status(PAGE, {"X-Forwarded-For": f"9.9.9.{number % 8}"})
    assert [await reader.status(PAGE) for _ in range(VISITS.burst)] == [404] * VISITS.burst


async def test_one_site_of_ipv6_closes_public_pages_to_no_other(room: Room, visit: Callable[..., Visit]) -> None:
    attacker = visit()
    last = 0
    for number in range(VISITS.burst + 24):
        last = await attacker.status(PAGE, {"X-Forwarded-For": f"2a00:1:2:{number:x}::1"})
    assert last == 429
    assert await visit(network="8.8.8.8").status(PAGE) == 404


async def test_a_stranger_who_signs_out_opens_no_transaction_that_writes(
    room: Room, thread: Channel, visit: Callable[..., Visit], monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = visit()
    await browser.enter(await signed_link(room, room.ola))
    write, opened = room.services.store.write, list[None]()

    def note() -> Any:
        opened.append(None)
        return write()

    monkeypatch.setattr(room.services.store, "write", note)
    stranger = visit()
    made_up = {"Cookie": f"kropka-{'0' * 12}=made-up"}
    assert (await stranger.send("/leave", b"", made_up))[0] == 204
    assert opened == []
    assert (await browser.send("/leave", b"", {}))[0] == 204
    assert len(opened) == 1
    assert await browser.status("/board/1") == 401
