"""Studies of servers in browsers and in the Activity: who is let in, who draws, and when that ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from loopback import Discord, Permission
from tests.bot.room import Room
from tests.clock import MINUTE
from tests.opponent.quick import Inside
from tests.web import pen
from tests.web.home_visit import AtHome
from tests.web.pen import Pen
from tests.web.visit import Board, Visit, with_client_secret

Visits = Callable[..., Visit]


@pytest.fixture
def run_options(discord: Discord) -> dict[str, Any]:
    return {**with_client_secret(discord), "thinkers": Inside}


@pytest.fixture
async def ola(room: Room, visit: Visits) -> Pen:
    """A study that Ola has begun for the server, which she moderates."""
    room.ola.add_role(room.discord.make_role("Moderators", permissions=Permission.MANAGE_MESSAGES).id)
    browser = (await AtHome.enter(room, room.ola, visit())).visit
    server = str(room.discord.guild.id)
    status, answer = await pen.ask(browser, "begin", name="Club", rules="zagram", size="10x10", server=server)
    assert status == 200, answer
    _, opened = await pen.ask(browser, "open", study=answer["study"])
    return Pen(browser, answer["study"], opened["study"]["chapters"][0]["chapter"])


@pytest.fixture
async def maksim(room: Room, visit: Visits, ola: Pen) -> Pen:
    """The browser of another member."""
    browser = (await AtHome.enter(room, room.maksim, visit())).visit
    return Pen(browser, ola.study, ola.chapter)


async def role_of(who: Pen) -> str:
    status, answer = await pen.ask(who.visit, "open", study=who.study)
    return str(answer["study"]["role"]) if status == 200 else "none"


async def test_a_member_reads_and_draws_once_their_role_is_named(room: Room, ola: Pen, maksim: Pen) -> None:
    coaches = room.discord.make_role("Coaches")
    room.maksim.add_role(coaches.id)
    await room.pass_time(MINUTE)
    assert await role_of(maksim) == "reader"
    _, opened = await pen.ask(ola.visit, "drawers", study=ola.study, drawers=str(coaches.id))
    assert "Coaches" in [each["name"] for each in opened["study"]["roles"]]
    assert await role_of(maksim) == "drawer"


async def test_a_member_who_draws_names_no_role(ola: Pen, maksim: Pen) -> None:
    await pen.ask(ola.visit, "drawers", study=ola.study, drawers="0")
    status, answer = await pen.ask(maksim.visit, "drawers", study=maksim.study, drawers=None)
    assert status >= 400
    assert "Manage Messages" in answer["line"]


async def test_one_who_has_left_the_server_is_let_in_no_more_a_minute_later(room: Room, ola: Pen, maksim: Pen) -> None:
    assert await role_of(maksim) == "reader"
    room.maksim.leave()
    await room.pass_time(MINUTE)
    assert await role_of(maksim) == "none"
    socket = await maksim.visit.socket(f"/study/{ola.study}/{ola.chapter}/live")
    assert await socket.closed() == 4404


async def test_a_member_does_not_begin_a_study_of_the_server(room: Room, maksim: Pen) -> None:
    server = str(room.discord.guild.id)
    status, answer = await pen.ask(maksim.visit, "begin", name="Mine", rules="zagram", size="10x10", server=server)
    assert status >= 400
    assert "Manage Messages" in answer["line"]


async def test_a_server_that_nobody_knows_has_no_studies_to_begin(ola: Pen) -> None:
    status, _ = await pen.ask(ola.visit, "begin", name="Mine", rules="zagram", size="10x10", server="12345")
    assert status >= 400


class InActivity:
    """A frame of the Activity, which has the token of its session."""

    def __init__(self, home: AtHome) -> None:
        assert home.told is not None
        self.visit, self.told = home.visit, home.told

    async def ask(self, do: str, **fields: Any) -> dict[str, Any]:
        body = {"do": do, "token": self.told["token"], "here": self.told["here"], **fields}
        status, answer = await self.visit.post("/activity/study", body)
        assert status == 200, answer
        return answer

    async def sit(self, study: Pen) -> Board:
        board = await self.visit.socket(f"/activity/study/{study.study}/{study.chapter}/live")
        await board.socket.send_json({"do": "enter", "token": self.told["token"]})
        return board


@pytest.fixture
async def framed(room: Room, visit: Visits, ola: Pen) -> InActivity:
    """Maksim's Activity in a channel of the server."""
    return InActivity(await AtHome.launch(room, room.maksim, room.channel, visit()))


async def test_the_activity_lists_the_studies_of_its_server(framed: InActivity) -> None:
    (server,) = (await framed.ask("list"))["servers"]
    assert [each["name"] for each in server["studies"]] == ["Club"]
    assert not server["hosts"]


async def test_the_page_in_the_activity_is_told_what_it_needs(framed: InActivity) -> None:
    told = await framed.ask("tell")
    assert told["says"]["title"] == "Studies"
    assert told["player"]


async def test_who_draws_in_the_activity_is_named_in_a_browser(framed: InActivity, ola: Pen) -> None:
    await pen.ask(ola.visit, "drawers", study=ola.study, drawers="0")
    await ola.connect()
    board = await framed.sit(ola)
    assert (await board.read())["is"] in {"board", "people"}
    await board.socket.send_json({"do": "lay", "id": "key-of-a-stroke", "text": "A1", "turn": None, "seat": None})
    drawn = await ola.until(**{"is": "drawn"})
    names = {each["who"]: each["name"] for each in ola.people["people"]}
    assert names[drawn["who"]] == "Максим"


async def test_a_frame_without_a_session_is_turned_away(visit: Visits, ola: Pen) -> None:
    stranger = visit()
    stranger.origin = "null"
    board = await stranger.socket(f"/activity/study/{ola.study}/{ola.chapter}/live")
    await board.socket.send_json({"do": "enter", "token": "nobody-s"})
    assert await board.closed() == 4401
