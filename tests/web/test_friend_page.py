"""The page of a game that a player offers a friend by a code: who reads it, and how they accept there."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable
from html import unescape
from typing import Any

import pytest
import yarl

from bot.markup import spoken
from loopback import Discord
from play.ids import ChannelId, UserId
from presentation.terms import rules_name
from tests.bot.border import Border
from tests.bot.features.test_friends import invite
from tests.bot.room import Room
from tests.clock import StoppedClock
from tests.play.test_seeks import DAYS
from tests.web.home_visit import AtHome, room_with_activity
from tests.web.test_sign_in import sign_in, ways_of
from tests.web.visit import Visit
from use_cases.player_settings import change_player

Visits = Callable[..., Visit]

MADE_UP = "0000-0000-0000"


@pytest.fixture
async def room(discord: Discord, url: str, clock: StoppedClock, run_options: dict[str, Any]) -> AsyncIterator[Room]:
    async with room_with_activity(discord, url, clock, run_options) as room:
        yield room


@pytest.fixture
async def border(room: Room) -> AsyncIterator[Border]:
    border = Border(room)
    yield border
    assert border.wall.violations == []


@pytest.fixture
async def page(border: Border) -> str:
    """Returns the path of the page of what Jadwiga offers."""
    code, panel = await invite(border)
    found = re.search(r"https?://\S+/friend/\S+", panel.text)
    assert found
    assert found[0].endswith(f"/friend/{code}")
    return yarl.URL(found[0]).path


@pytest.mark.parametrize("language", spoken().names)
async def test_one_without_a_session_reads_who_asks_and_on_which_terms(page: str, visit: Visits, language: str) -> None:
    status, text = await visit().get(page, {"Accept-Language": language})
    told, words = unescape(text), spoken().of(language).plain
    assert status == 200
    assert words("web.friend.title", name="Jadwiga") in told
    assert rules_name("zagram", None, words) in told
    assert page.removeprefix("/friend/") in told
    assert "Zagroda" not in told


async def test_the_name_is_the_one_for_strangers(border: Border, page: str, visit: Visits) -> None:
    user = UserId(border.jadwiga.id)
    await change_player(border.room.services.store, user, {"alias": "<b>Sowa</b>"})
    border.room.services.names.forget(user)
    _, text = await visit().get(page)
    assert "&lt;b&gt;Sowa&lt;/b&gt; asks you to a game" in text
    assert "Jadwiga" not in text


async def test_a_friend_signs_in_comes_back_to_the_page_and_accepts(border: Border, page: str, visit: Visits) -> None:
    browser = visit()
    _, text = await browser.get(page)
    way = re.search(r'href="(/sign-in[^"]+)"', text)
    assert way
    to = await sign_in(browser, border.ola, way[1])
    assert to.path == page.replace("-", "")
    _, text = await browser.get(str(to.with_fragment(None)))
    assert "Signed in as Ola" in unescape(text)
    found = re.search(r'data-deed="([^"]+)" data-code="([^"]+)"', text)
    assert found
    status, told = await browser.post(unescape(found[1]), {"do": "friend", "code": found[2]})
    assert (status, told["line"]) == (200, "✅ Accepted. I'm calling you both.")
    border.room.bot.workers.matchmaker.wake()
    at_home = AtHome(browser)

    async def begun() -> int | None:
        return (await at_home.must("seeks", of=told["seek"])).get("match")

    match = await border.room.until(begun)
    assert await browser.status(f"/board/{match}") == 200
    await border.settle()


async def test_one_who_declines_at_discord_is_led_to_the_same_offer_again(room: Room, visit: Visits) -> None:
    browser = visit()
    consent = await browser.leads_to("/sign-in?friend=7K3M9ABCDEFG")
    _, text = await browser.get(str(yarl.URL(room.ola.consent(consent, allow=False)).relative()))
    assert ways_of(text)[0] == ("Sign in with Discord", "/sign-in?friend=7K3M9ABCDEFG")


@pytest.mark.parametrize("made_up", ["//evil.example", "7K3M", "7K3M9ABCDEFG%0d%0aX-Y", "../home"])
async def test_the_sign_in_carries_no_other_place(room: Room, visit: Visits, made_up: str) -> None:
    assert await visit().status(f"/sign-in?friend={made_up}", {"Accept": "application/json"}) == 404


async def test_a_code_that_is_wrong_used_or_withdrawn_says_the_same(border: Border, visit: Visits) -> None:
    friends, here = border.room.use_cases.friends, ChannelId(border.here.id)
    used, _ = await invite(border)
    await friends.accept(UserId(border.ola.id), used, None, here)
    withdrawn = await friends.invite(UserId(border.moderator.id), None, here, DAYS)
    await friends.withdraw(withdrawn.seek.id, UserId(border.moderator.id))
    said = [await visit().get(f"/friend/{code}") for code in (used, withdrawn.code, MADE_UP, "nonsense")]
    assert {status for status, _ in said} == {404}
    assert len({text for _, text in said}) == 1
    assert "No game is offered by this code" in unescape(said[0][1])


async def test_guesses_of_a_network_are_slowed_down_and_those_of_a_session_apart(
    border: Border, page: str, visit: Visits
) -> None:
    stranger, known = visit(network="8.8.8.8"), visit(network="8.8.8.8")
    await AtHome.enter(border.room, border.ola, known)
    statuses = [await stranger.status(f"/friend/{number:012}") for number in range(22)]
    assert (statuses[0], statuses[-1]) == (404, 429)
    status, said = await stranger.get(page)
    assert status == 429
    assert "too many codes were tried" in unescape(said)
    assert await known.status(page) == 200


async def test_guesses_at_home_are_slowed_down(border: Border, visit: Visits) -> None:
    ola = await AtHome.enter(border.room, border.ola, visit())
    said = [(await ola.do("friend", code=f"{number:012}"))[1]["line"] for number in range(7)]
    assert said[0].startswith("No game is offered by this code")
    assert not said[-1].startswith("No game is offered by this code")


async def test_a_code_is_typed_at_home_and_shows_who_asks_before_it_is_taken(
    border: Border, page: str, visit: Visits
) -> None:
    ola, code = await AtHome.enter(border.room, border.ola, visit()), page.removeprefix("/friend/")
    told = await ola.must("code", code=code.lower())
    assert told["asked"].startswith("Jadwiga asks you to a game: Zagram")
    assert (told["accept"], told["code"]) == ("Accept", code.lower())
    assert (await ola.must("friend", code=told["code"]))["seek"]


async def test_looks_at_codes_count_as_tries(border: Border, page: str, visit: Visits) -> None:
    ola = await AtHome.enter(border.room, border.ola, visit())
    said = [(await ola.do("code", code=f"{number:012}"))[1]["line"] for number in range(7)]
    assert said[0].startswith("No game is offered by this code")
    assert said[-1].startswith("Too many codes")


async def test_readers_of_the_page_use_nothing_up(border: Border, page: str, visit: Visits) -> None:
    browser = visit()
    assert [await browser.status(page) for _ in range(30)] == [200] * 30
    ola = await AtHome.enter(border.room, border.ola, visit())
    assert (await ola.must("friend", code=page.removeprefix("/friend/")))["seek"]


async def test_one_s_own_offer_is_for_a_friend(border: Border, page: str, visit: Visits) -> None:
    jadwiga = await AtHome.enter(border.room, border.jadwiga, visit())
    status, _ = await jadwiga.do("friend", code=page.removeprefix("/friend/"))
    assert status == 403


async def test_robots_do_not_list_the_page(page: str, visit: Visits) -> None:
    assert (await visit().headers(page))["X-Robots-Tag"] == "noindex"
