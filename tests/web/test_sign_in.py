"""The sign-in with Discord, and the ways on from what is refused: each visitor gets to what they wanted, or home."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from typing import Any

import pytest
import yarl

from loopback import Channel, Discord, Permission, Person
from play.ids import UserId
from rules.registry import GAMES
from tests.bot.room import Room
from tests.clock import MINUTE, SECOND, StoppedClock
from tests.web.finished import store_game
from tests.web.visit import Visit, link_for, signed_link, with_client_secret

Visits = Callable[..., Visit]


@pytest.fixture
def run_options(discord: Discord) -> dict[str, Any]:
    return with_client_secret(discord)


def ways_of(page: str) -> list[tuple[str, str]]:
    """Returns the buttons of a page: their labels, and where they lead."""
    return [(label, url.replace("&amp;", "&")) for url, label in re.findall(r'<a href="([^"]+)">([^<]+)</a>', page)]


async def sign_in(browser: Visit, person: Person, way: str) -> yarl.URL:
    """Signs in as a person by the button of a page; returns where the browser is led to."""
    consent = await browser.leads_to(way)
    assert yarl.URL(consent).query["scope"] == "identify"
    return yarl.URL(await browser.leads_to(str(yarl.URL(person.consent(consent)).relative())))


async def test_a_friend_with_the_address_of_a_game_signs_in_and_watches_it(
    room: Room, thread: Channel, visit: Visits
) -> None:
    owner, friend = visit(), visit()
    _, told = await owner.enter(await signed_link(room, room.ola))
    status, page = await friend.get(told["to"])  # with the owner's session in it
    assert status == 401
    (label, way), *others = ways_of(page)
    assert (label, [name for name, _ in others]) == ("Sign in with Discord", ["Open Discord", "What is Kropka?"])
    to = await sign_in(friend, room.kasia, way)
    assert (to.path, to.fragment) == ("/board/1", "in")
    assert await friend.status(str(to.with_fragment(None))) == 200
    board = await friend.live(str(to))
    assert (await board.read())["view"]["notes"] == ["You're watching this game."]


@pytest.mark.parametrize(("method", "path"), [("POST", "/oauth2/token"), ("GET", "/users/@me")])
async def test_what_discord_refuses_of_a_sign_in_is_logged_with_its_code(
    room: Room, visit: Visits, caplog: pytest.LogCaptureFixture, method: str, path: str
) -> None:
    caplog.set_level(logging.INFO)
    browser = visit()
    back = room.kasia.consent(await browser.leads_to("/sign-in?match=1"))
    room.discord.fault(method, path, 400, code=50083)
    assert (await browser.get(str(yarl.URL(back).relative())))[0] == 403
    assert "code 50083: Thread is archived" in caplog.text


async def test_one_who_does_not_see_the_channel_signs_in_and_sees_no_game(
    room: Room, thread: Channel, visit: Visits
) -> None:
    room.discord.deny(room.channel, Permission.VIEW_CHANNEL, room.kasia)
    browser = visit()
    to = await sign_in(browser, room.kasia, "/sign-in?match=1")
    status, page = await browser.get(str(to.with_fragment(None)))
    assert status == 403
    assert "You don&#x27;t see this game&#x27;s channel" in page
    assert [label for label, _ in ways_of(page)] == ["Home", "Open Discord", "What is Kropka?"]
    assert await browser.status(ways_of(page)[0][1]) == 200
    assert await (await browser.live(str(to))).closed() == 4404


async def test_the_address_of_a_game_outside_of_servers_lets_nobody_watch(room: Room, visit: Visits) -> None:
    game = GAMES["zagram"].with_options({"size": "9x9", "start": "empty"})
    await store_game(room, room.channel, game, ("E5",), guild=None)
    browser = visit()
    to = await sign_in(browser, room.kasia, "/sign-in?match=1")
    assert await browser.status(str(to.with_fragment(None))) == 403


async def test_a_blocked_one_reads_what_a_stranger_reads(room: Room, thread: Channel, visit: Visits) -> None:
    blocks = room.services.use_cases.blocks
    await blocks.block(UserId(room.ola.id), UserId(room.kasia.id), room.clock())
    browser = visit()
    to = await sign_in(browser, room.kasia, "/sign-in?match=1")
    status, page = await browser.get(str(to.with_fragment(None)))
    assert (status, "You don&#x27;t see this game&#x27;s channel" in page) == (403, True)


async def test_a_right_to_watch_that_began_by_an_address_ends_as_all_others(
    room: Room, thread: Channel, visit: Visits
) -> None:
    browser = visit()
    to = str((await sign_in(browser, room.kasia, "/sign-in?match=1")).with_fragment(None))
    assert await browser.status(to) == 200
    room.discord.deny(room.channel, Permission.VIEW_CHANNEL, room.kasia)
    await room.pass_time(MINUTE)
    assert await browser.status(to) == 403


async def test_a_friend_who_is_signed_in_lands_on_the_board_at_once(room: Room, thread: Channel, visit: Visits) -> None:
    owner, friend = visit(), visit()
    _, told = await owner.enter(await signed_link(room, room.ola))
    _, own = await friend.enter(await signed_link(room, room.maksim))
    assert await friend.leads_to(told["to"]) == own["to"]
    assert await friend.leads_to(f"/home?{yarl.URL(told['to']).query_string}") == own["to"].replace("board/1", "home")


async def test_of_two_people_in_a_browser_the_one_who_plays_gets_the_board(
    room: Room, thread: Channel, visit: Visits
) -> None:
    browser = visit()
    await sign_in(browser, room.kasia, "/sign-in")
    _, told = await browser.enter(await signed_link(room, room.ola))
    assert await browser.leads_to("/board/1") == told["to"]


async def test_a_link_that_a_scanner_has_used_leads_to_its_board_by_the_sign_in(
    room: Room, thread: Channel, visit: Visits
) -> None:
    link, browser = await link_for(room, room.ola, room.boards(thread)[-1]), visit()
    assert (await visit().enter(link))[0] == 200
    status, told = await browser.enter(link)
    assert (status, told["ways"][0]) == (403, {"label": "Sign in with Discord", "url": "/sign-in?match=1"})
    to = await sign_in(browser, room.ola, told["ways"][0]["url"])
    assert (await (await browser.live(str(to))).read())["view"]["you"] == 0


async def test_the_home_without_a_session_leads_there_by_the_sign_in(room: Room, visit: Visits) -> None:
    browser = visit()
    status, page = await browser.get("/home")
    assert (status, ways_of(page)[0]) == (401, ("Sign in with Discord", "/sign-in"))
    to = await sign_in(browser, room.ola, "/sign-in")
    assert to.path == "/home"
    told = await browser.get(f"/home.json?{to.query_string}")
    assert '"who": "Signed in as Ola"' in told[1]


async def test_signing_in_again_keeps_the_session(room: Room, visit: Visits) -> None:
    browser = visit()
    first, second = [await sign_in(browser, room.ola, "/sign-in") for _ in range(2)]
    assert first == second
    assert len([each for each in browser.cookies if each.key.startswith("kropka-") and "signing" not in each.key]) == 1


async def test_a_browser_without_cookies_reads_about_them(room: Room, visit: Visits) -> None:
    consent = await visit().leads_to("/sign-in?match=1")
    status, page = await visit().get(str(yarl.URL(room.ola.consent(consent)).relative()))
    assert status == 403
    assert "Allow cookies here" in page
    assert ways_of(page)[0][0] == "Sign in with Discord"


async def test_one_who_declines_at_discord_can_try_again(room: Room, visit: Visits) -> None:
    browser = visit()
    consent = await browser.leads_to("/sign-in?match=1")
    status, page = await browser.get(str(yarl.URL(room.ola.consent(consent, allow=False)).relative()))
    assert status == 403
    assert "Discord didn&#x27;t confirm your name." in page
    assert ways_of(page)[0] == ("Sign in with Discord", "/sign-in?match=1")


@pytest.mark.parametrize(
    ("query", "status"),
    [("match=1%0d%0aX", 404), ("match=//evil.example", 404), ("match=-1", 404), ("match=", 303), ("", 303)],
)
async def test_the_sign_in_leads_to_no_other_place(room: Room, visit: Visits, query: str, status: int) -> None:
    headers = {"Accept": "application/json"}
    got = await visit().status(f"/sign-in?{query}", headers) if status != 303 else None
    if got is None:
        await visit().leads_to(f"/sign-in?{query}")
    else:
        assert got == status


async def test_a_state_of_another_browser_signs_nobody_in(room: Room, visit: Visits) -> None:
    thief, victim = visit(), visit()
    consent = await thief.leads_to("/sign-in")
    await victim.leads_to("/sign-in")
    status, _ = await victim.get(str(yarl.URL(room.kasia.consent(consent)).relative()))
    assert status == 403
    assert await victim.status("/home") == 401


async def test_codes_that_are_made_up_are_counted(room: Room, visit: Visits) -> None:
    browser = visit(network="8.8.8.8")
    state = yarl.URL(await browser.leads_to("/sign-in")).query["state"]
    statuses = [await browser.status(f"/sign-in/return?code=made-up-{number}&state={state}") for number in range(22)]
    assert statuses[0] == 403
    assert statuses[-1] == 429


async def spend_tries(stranger: Visit, clock: StoppedClock, way: str) -> None:
    """Comes back from Discord with made-up codes, one a second, until the network may try no more."""
    state = yarl.URL(await stranger.leads_to(way)).query["state"]
    back = yarl.URL(way).path.replace("begin", "").rstrip("/") + "/return"
    while await stranger.status(f"{back}?code=made-up&state={state}") != 429:
        clock.advance(SECOND)


@pytest.mark.parametrize("way", ["/sign-in", "/linked-roles/begin"])
async def test_a_browser_with_a_session_comes_back_beside_made_up_codes_of_its_network(
    room: Room, clock: StoppedClock, visit: Visits, way: str
) -> None:
    stranger, known = visit(network="8.8.8.8"), visit(network="8.8.8.8")
    await known.enter(await signed_link(room, room.ola))
    await spend_tries(stranger, clock, way)
    consent = await known.leads_to(way)
    assert await known.leads_to(str(yarl.URL(room.ola.consent(consent)).relative()))


async def test_made_up_codes_at_one_door_close_no_other(room: Room, clock: StoppedClock, visit: Visits) -> None:
    await spend_tries(visit(network="8.8.8.8"), clock, "/linked-roles/begin")
    to = await sign_in(visit(network="8.8.8.8"), room.ola, "/sign-in")
    assert to.path == "/home"


async def test_a_page_that_is_not_there_leads_home(room: Room, thread: Channel, visit: Visits) -> None:
    browser = visit()
    await browser.enter(await signed_link(room, room.ola))
    for path in ("/nothing", "/board/999", "/server/unknown"):
        _, page = await browser.get(path)
        assert [label for label, _ in ways_of(page)] == ["Home", "What is Kropka?"], path
    assert [label for label, _ in ways_of((await visit().get("/nothing"))[1])] == ["What is Kropka?"]
