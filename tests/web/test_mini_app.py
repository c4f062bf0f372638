"""The Mini App: signed data for a session, once, and what the session then shows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from bot.settings import Hosting
from loopback import Channel, Discord, Permission
from play.ids import UserId
from tests.bot.room import Room
from tests.web.mini_app import chat_with_app, data_of
from tests.web.visit import Visit


@pytest.fixture
def run_options(discord: Discord) -> dict[str, Any]:
    """A site with a Mini App, and without an Activity."""
    return {"chats": [chat_with_app], "hosting": Hosting(web=discord.address.rstrip("/"))}


async def test_a_player_plays_by_signed_data(room: Room, thread: Channel, visit: Callable[[], Visit]) -> None:
    browser = visit()
    status, told = await browser.post("/app/enter", {"data": data_of(room.ola, room.clock()), "wanted": "1"})
    assert (status, told["match"]) == (200, "1")
    board = await browser.live_by_token(told)
    assert (await board.read())["view"]["you"] == 0
    assert (await board.play((await board.attempt("D4"))["turn"]))["is"] == "done"
    assert browser.cookies == []


async def test_a_move_that_is_sent_again_in_another_session_counts_once(
    room: Room, thread: Channel, visit: Callable[[], Visit]
) -> None:
    for query in ("one", "two"):
        browser = visit()
        data = data_of(room.ola, room.clock(), query_id=query)
        _, told = await browser.post("/app/enter", {"data": data, "wanted": "1"})
        board = await browser.live_by_token(told)
        await board.read()
        done = await board.ask("play", id="the-key-of-the-page", version=0, turn="D4")
        assert (done["is"], done["version"]) == ("done", 1)
    assert await room.version() == 1


async def test_the_home_comes_by_the_same_token(room: Room, thread: Channel, visit: Callable[[], Visit]) -> None:
    browser = visit()
    _, told = await browser.post("/app/enter", {"data": data_of(room.ola, room.clock())})
    assert told["match"] is None
    status, home = await browser.post("/activity/home", {"token": told["token"]})
    assert (status, len(home["games"])) == (200, 1)


async def test_one_who_sees_the_game_in_the_chat_watches_it(
    room: Room, thread: Channel, visit: Callable[[], Visit]
) -> None:
    browser = visit()
    _, told = await browser.post("/app/enter", {"data": data_of(room.kasia, room.clock(), start_param="1")})
    board = await browser.live_by_token(told)
    assert (await board.read())["view"]["you"] is None


async def test_one_who_sees_no_such_game_comes_home(room: Room, thread: Channel, visit: Callable[[], Visit]) -> None:
    room.discord.deny(room.channel, Permission.VIEW_CHANNEL, room.kasia)
    data = data_of(room.kasia, room.clock(), start_param="1")
    assert (await visit().post("/app/enter", {"data": data}))[1]["match"] is None


async def test_signing_out_everywhere_ends_the_session(room: Room, thread: Channel, visit: Callable[[], Visit]) -> None:
    browser = visit()
    _, told = await browser.post("/app/enter", {"data": data_of(room.ola, room.clock())})
    await room.services.web_sessions.leave_all(UserId(room.ola.id))
    assert (await browser.post("/activity/home", {"token": told["token"]}))[0] == 401


async def test_only_the_web_client_frames_the_page_and_no_other_page_is_framed(
    room: Room, visit: Callable[[], Visit]
) -> None:
    framing = {
        path: (await visit().headers(path))["Content-Security-Policy"].partition("frame-ancestors ")[2]
        for path in ("/app", "/front", "/enter")
    }
    assert framing == {"/app": "https://web.telegram.org", "/front": "'none'", "/enter": "'none'"}


async def test_a_site_without_the_activity_has_none(room: Room, visit: Callable[[], Visit]) -> None:
    assert await visit().status("/activity") == 404
