"""Links that were stolen, are old, were used or forged, sessions that have ended, and foreign pages."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any
from unittest.mock import AsyncMock

import aiohttp
import pytest
import yarl

from loopback import Channel, Permission
from play.ids import MatchId, UserId
from play.people.web_session import LINK_MILLIS, MAX_SESSIONS, SESSION_MILLIS
from tests.bot.room import Room, private_message
from tests.clock import MINUTE
from tests.web.visit import Board, Visit, link_for
from web.access.links import LinkSigner

Visits = Callable[..., Visit]


async def test_a_link_works_once(room: Room, thread: Channel, visit: Visits) -> None:
    link = await link_for(room, room.ola, room.boards(thread)[-1])
    assert (await visit().enter(link))[0] == 200
    status, answer = await visit().enter(link)
    assert status == 403
    assert answer["line"].startswith("This link was used already")


async def test_a_used_link_leads_on_in_a_browser_that_its_user_is_signed_in_with(
    room: Room, thread: Channel, visit: Visits
) -> None:
    link, browser = await link_for(room, room.ola, room.boards(thread)[-1]), visit()
    first, second = await browser.enter(link), await browser.enter(link)
    assert first[0] == second[0] == 200
    assert first[1] == second[1]
    assert len(browser.cookies) == 1
    await browser.live(second[1]["to"])


async def test_a_used_link_leads_nobody_else_on(room: Room, thread: Channel, visit: Visits) -> None:
    board = room.boards(thread)[-1]
    used, other = await link_for(room, room.ola, board), visit()
    assert (await visit().enter(used))[0] == 200
    assert (await other.enter(await link_for(room, room.maksim, board)))[0] == 200
    assert (await other.enter(used))[0] == 403


async def test_a_link_that_has_expired_leads_on_where_its_user_is_signed_in_and_not_after_signing_out(
    room: Room, thread: Channel, visit: Visits
) -> None:
    link, browser = await link_for(room, room.ola, room.boards(thread)[-1]), visit()
    assert (await browser.enter(link))[0] == 200
    unused = await link_for(room, room.ola, room.boards(thread)[-1])
    await room.pass_time(LINK_MILLIS)
    for late in (link, unused):
        status, told = await browser.enter(late)
        assert status == 200
        await browser.live(told["to"])
    assert (await visit().enter(unused))[0] == 403
    await room.services.web_sessions.leave_all(UserId(room.ola.id))
    status, told = await browser.enter(link)
    assert status == 403
    assert told["line"].startswith("This link has expired.")


async def test_of_two_browsers_at_once_one_gets_in(room: Room, thread: Channel, visit: Visits) -> None:
    link = await link_for(room, room.ola, room.boards(thread)[-1])
    answers = await asyncio.gather(*(visit().enter(link) for _ in range(5)))
    assert sorted(status for status, _ in answers) == [200, 403, 403, 403, 403]


async def test_a_link_expires(room: Room, thread: Channel, visit: Visits) -> None:
    link = await link_for(room, room.ola, room.boards(thread)[-1])
    await room.pass_time(LINK_MILLIS)
    status, answer = await visit().enter(link)
    assert status == 403
    assert answer["line"].startswith("This link has expired.")


@pytest.mark.sample(3)
@pytest.mark.parametrize("change", ["user", "signature", "nothing", "words", "secret"])
async def test_a_forged_link_is_refused(room: Room, thread: Channel, visit: Visits, change: str) -> None:
    link = await link_for(room, room.ola, room.boards(thread)[-1])
    body, _, signature = yarl.URL(link).fragment.partition(".")
    other = LinkSigner(b"another bot").make(UserId(room.maksim.id), MatchId(1), room.clock())
    forged = {
        "user": f"{other.partition('.')[0]}.{signature}",
        "signature": f"{body}.{signature[:-4]}AAAA",
        "nothing": "",
        "words": "ключ.!!!",
        "secret": other,
    }[change]
    status, answer = await visit().post("/enter", {"token": forged})
    assert status == 403
    assert answer["line"].startswith("This link isn't valid.")


@pytest.mark.parametrize("body", [None, [], {}, {"token": 5}, {"token": None}, "x"])
async def test_a_body_that_is_no_link_is_refused(room: Room, visit: Visits, body: object) -> None:
    assert (await visit().post("/enter", body))[0] == 400


@pytest.mark.parametrize("kind", ["application/json; charset=UTF-8", "text/html", ""])
async def test_a_body_is_read_by_what_it_is_and_not_by_what_it_says(
    room: Room, thread: Channel, visit: Visits, kind: str
) -> None:
    link = await link_for(room, room.ola, room.boards(thread)[-1])
    body = json.dumps({"token": yarl.URL(link).fragment}).encode()
    assert (await visit().send("/enter", body, {"Content-Type": kind}))[0] == 200


async def test_a_link_is_told_in_the_language_of_its_user(room: Room, thread: Channel, visit: Visits) -> None:
    link = await link_for(room, room.ola, room.boards(thread)[-1])
    await room.change_settings(room.ola, language="pl")
    await visit().enter(link)
    assert "Ten link został już użyty," in (await visit().enter(link))[1]["line"]


async def test_a_browser_that_knows_its_user_keeps_its_session(room: Room, thread: Channel, visit: Visits) -> None:
    browser, message = visit(), room.boards(thread)[-1]
    addresses = [(await browser.enter(await link_for(room, room.ola, message)))[1]["to"] for _ in range(2)]
    assert addresses[0] == addresses[1]
    assert len(browser.cookies) == 1


async def test_no_script_can_read_the_cookie(room: Room, thread: Channel, visit: Visits) -> None:
    browser = visit()
    await browser.enter(await link_for(room, room.ola, room.boards(thread)[-1]))
    (cookie,) = browser.cookies
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"


async def test_a_board_needs_a_session(room: Room, thread: Channel, visit: Visits) -> None:
    status, page = await visit().get("/board/1")
    assert status == 401
    assert "This is the board of a game of Dots on Discord." in page
    socket = await visit().live("/board/1")
    assert await socket.closed() == 4401
    assert socket.line.startswith("You aren't signed in here.")


async def test_a_game_of_others_is_closed(room: Room, thread: Channel, board: Board, visit: Visits) -> None:
    other = await room.start_match(size="9x9")
    browser = visit()
    status, answer = await browser.enter(await link_for(room, room.kasia, room.boards(other)[-1]))
    assert status == 200
    room.discord.deny(room.channel, Permission.VIEW_CHANNEL, room.kasia)
    foreign = str(yarl.URL(answer["to"]).with_path("/board/1"))
    status, page = await browser.get(foreign)
    assert status == 403
    assert "You don&#x27;t see this game&#x27;s channel" in page
    socket = await browser.live(foreign)
    assert await socket.closed() == 4404
    assert (await browser.get(str(yarl.URL(answer["to"]).with_path("/board/999"))))[0] == 404
    assert (await browser.get("/board/%D1%84"))[0] == 404
    assert (await browser.get("/board/99999999999999999999"))[0] == 404


async def test_one_who_watches_sees_all_and_plays_nothing(room: Room, thread: Channel, visit: Visits) -> None:
    watcher = await visit().open(await link_for(room, room.kasia, room.boards(thread)[-1]))
    assert watcher.board["view"]["you"] is None
    assert [each["key"] for each in watcher.board["view"]["actions"]] == ["rules"]
    assert watcher.board["view"]["notes"] == ["You're watching this game."]
    await room.play(thread, "e5")
    await watcher.version(1)
    for message in (
        await watcher.play("A1"),
        await watcher.ask("try", version=1, steps=["A1"]),
        await watcher.ask("act", version=1, action="resign"),
        await watcher.ask("ask", version=1, action="resign"),
    ):
        assert message["is"] == "refused"
        assert message["line"].startswith("You're watching this game.")
    assert await room.version() == 1
    assert (await watcher.ask("describe", what="at E5"))["line"] == "E5: Ola."


async def test_a_page_of_another_origin_opens_no_socket_and_ends_no_session(
    room: Room, thread: Channel, visit: Visits
) -> None:
    browser = visit()
    _, answer = await browser.enter(await link_for(room, room.ola, room.boards(thread)[-1]))
    for origin in ("https://evil.example", "null", "http://127.0.0.1:1"):
        browser.origin = origin
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            await browser.live(answer["to"])
        assert refused.value.status == 403
        assert (await browser.post("/leave"))[0] == 403
    browser.origin = str(browser.address.origin())
    assert (await (await browser.live(answer["to"])).read())["is"] == "board"


async def test_signing_out_in_the_browser_ends_its_session(
    room: Room, thread: Channel, visit: Visits, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert room.bot.website is not None
    monkeypatch.setattr(room.bot.website.hub, "check_sessions", AsyncMock())  # which ends it half a minute later
    browser = visit()
    _, answer = await browser.enter(await link_for(room, room.ola, room.boards(thread)[-1]))
    board, elsewhere = (
        await browser.live(answer["to"]),
        await visit().open(await link_for(room, room.ola, room.boards(thread)[-1])),
    )
    assert (await browser.get(answer["to"]))[0] == 200
    assert (await browser.post(f"/leave?{yarl.URL(answer['to']).query_string}"))[0] == 204
    assert (await browser.get(answer["to"]))[0] == 401
    assert await board.closed() == 4401
    assert board.line.startswith("You aren't signed in here.")
    assert (await elsewhere.play("E5"))["is"] == "done"


async def test_signing_out_everywhere_closes_the_open_boards(room: Room, thread: Channel, board: Board) -> None:
    panel = await private_message(room.ola.click(room.boards(thread)[-1], "Browser"))
    await room.ola.click(panel, "Sign out everywhere").answered()
    assert await board.closed() == 4401
    assert board.line.startswith("You aren't signed in here.")


@pytest.mark.parametrize(
    ("do", "fields"),
    [
        ("play", {"version": 0, "turn": "E5"}),
        ("plan", {"version": 0, "turn": 3}),
        ("lay", {"turn": None, "after": 0, "text": "E5"}),
    ],
)
async def test_a_session_that_another_process_has_ended_does_nothing(
    room: Room, board: Board, do: str, fields: dict[str, Any]
) -> None:
    for number, text in enumerate(("E5", "E6", "D6")):
        await board.ask("lay", turn=number or None, after=0, text=text)
    async with room.services.store.write() as tx:
        await tx.web.end_all(UserId(room.ola.id))
    refused = await board.ask(do, **fields)
    assert refused["is"] == "refused"
    assert refused["line"].startswith("You aren't signed in here.")
    assert await board.closed() == 4401
    assert await room.version() == 0


async def test_deleting_the_own_data_ends_sessions_and_closes_boards(
    room: Room, thread: Channel, visit: Visits
) -> None:
    browser = visit()
    _, answer = await browser.enter(await link_for(room, room.ola, room.boards(thread)[-1]))
    board = await browser.live(answer["to"])
    await room.services.privacy.forget(UserId(room.ola.id), room.clock())
    assert await board.closed() == 4401
    assert (await browser.get(answer["to"]))[0] == 401


async def test_a_session_lasts_thirty_days(room: Room, thread: Channel, visit: Visits) -> None:
    browser = visit()
    _, answer = await browser.enter(await link_for(room, room.ola, room.boards(thread)[-1]))
    board = await browser.live(answer["to"])
    room.clock.advance(SESSION_MILLIS - MINUTE)
    assert (await browser.get(answer["to"]))[0] == 200
    room.clock.advance(MINUTE)
    assert (await browser.get(answer["to"]))[0] == 401
    assert room.bot.website is not None
    await room.bot.website.hub.check_sessions()
    assert await board.closed() == 4401


async def test_a_user_has_a_limited_number_of_sessions(room: Room, thread: Channel, visit: Visits) -> None:
    signer, ola, browsers = LinkSigner.of("x"), UserId(room.ola.id), []
    key = await room.services.web_sessions.link_key(ola)
    for number in range(MAX_SESSIONS + 1):
        room.clock.advance(1)
        link = signer.read(signer.make(ola, MatchId(1), room.clock(), key=key))
        browsers.append(await room.services.web_sessions.exchange(link, f"{number:064}"))
    assert len(await room.services.web_sessions.current(browsers)) == MAX_SESSIONS
    assert browsers[0] not in await room.services.web_sessions.current(browsers)
