"""Games that people of another chat than Discord begin on the home page: they come into their direct place there."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from bot.platforms import Chat
from bot.settings import Hosting
from loopback import Discord
from play.ids import IdempotencyKey, MatchId, UserId
from tests.bot.room import Room
from tests.chat.fake import FakePlatform
from tests.clock import StoppedClock
from tests.play.test_seeks import DAYS
from tests.telegram.signed import signed
from tests.web.home_visit import AtHome, room_with_activity
from tests.web.mini_app import chat_with_app
from tests.web.visit import Visit
from use_cases import UseCases

LIVE: dict[str, Any] = {"speed": "live", "weekly": False, "flexible": True}


class Side:
    """The other chat, as the bot has made it, and a person there."""

    def __init__(self) -> None:
        self.chats: list[Chat] = []

    def make(self, use_cases: UseCases) -> Chat:
        self.chats.append(chat_with_app(use_cases))
        return self.chats[-1]

    @property
    def platform(self) -> FakePlatform:
        platform = self.chats[-1].platform
        assert isinstance(platform, FakePlatform)
        return platform


@pytest.fixture
def side() -> Side:
    return Side()


@pytest.fixture
async def room(
    discord: Discord, url: str, clock: StoppedClock, run_options: dict[str, Any], side: Side
) -> AsyncIterator[Room]:
    hosting = Hosting(web=discord.address.rstrip("/"))
    options = {**run_options, "chats": [side.make], "hosting": hosting}
    async with room_with_activity(discord, url, clock, options) as room:
        yield room


@pytest.fixture
async def ivan(room: Room, side: Side) -> UserId:
    """Returns a person of the other chat."""
    side.platform.own_id = (await side.platform.join("kropka", is_bot=True)).id
    person = await side.platform.join("ivan")
    return person.id


@pytest.fixture
async def home(room: Room, ivan: UserId, visit: Callable[..., Visit]) -> AtHome:
    browser = visit()
    data = signed(room.clock(), user={"id": 777, "first_name": str(ivan)})
    status, told = await browser.post("/app/enter", {"data": data})
    assert status == 200, told
    return AtHome(browser, told)


async def test_the_computer_plays_in_the_direct_place(room: Room, side: Side, ivan: UserId, home: AtHome) -> None:
    match = await room.use_cases.matches.load(MatchId((await home.must("computer", level=3))["match"]))
    assert match.players[0] == ivan or match.players[1] == ivan
    assert match.guild is None
    assert side.platform.own_id in match.players


async def test_a_newcomer_s_game_is_begun_once(home: AtHome) -> None:
    assert len({(await home.must("computer", level=None))["match"] for _ in range(2)}) == 1


async def test_a_search_of_the_home_page_waits_in_the_direct_place(
    room: Room, side: Side, ivan: UserId, home: AtHome
) -> None:
    [search] = (await home.must("look", **LIVE))["seeks"]
    [outlook] = await room.use_cases.seeks.outlooks(ivan)
    assert (outlook.seek.id, outlook.seek.guild) == (search["seek"], None)
    assert outlook.seek.channel == await side.platform.direct(ivan)


async def test_a_friend_s_code_is_taken_on_another_platform(room: Room, ivan: UserId, home: AtHome) -> None:
    code = (await room.use_cases.friends.invite(UserId(room.ola.id), None, room.channel.id, DAYS)).code  # type: ignore[arg-type]
    taken = await home.must("friend", code=code)
    assert (await room.use_cases.seeks.load(taken["seek"], ivan)).user == ivan


async def test_a_challenge_to_a_friend_by_name_begins_in_the_chat(home: AtHome) -> None:
    status, answer = await home.do("draft", code=None, field="", values=[])
    assert (status, answer["line"][:24]) == (403, "Games begin in your chat")


async def test_a_chat_that_is_away_is_said_so(side: Side, home: AtHome) -> None:
    side.platform.down = True
    status, _ = await home.do("computer", level=3)
    assert status == 503


async def test_a_rematch_against_the_computer_begins_in_the_chat(room: Room, ivan: UserId, home: AtHome) -> None:
    match = MatchId((await home.must("computer", level=3))["match"])
    await room.use_cases.matches.resign(match, ivan, room.clock(), IdempotencyKey(5))
    again = (await home.must("rematch", match=match))["match"]
    assert again != match
    assert ivan in (await room.use_cases.matches.load(MatchId(again))).players
