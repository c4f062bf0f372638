"""Lessons and puzzles that hosts make of a chapter: what the solver says, who may, and how members solve them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from loopback import Discord, Permission
from play.ids import GuildId
from tests.bot.room import Room
from tests.opponent.quick import Inside
from tests.positions import AT_ONCE, TOO_MANY
from tests.web import pen
from tests.web.home_visit import AtHome
from tests.web.pen import Pen
from tests.web.visit import Visit, with_client_secret

Visits = Callable[..., Visit]


@pytest.fixture
def run_options(discord: Discord) -> dict[str, Any]:
    return {**with_client_secret(discord), "thinkers": Inside}


class Desk:
    """A study of Ola's, who moderates the server; each text is the set-up of its chapter."""

    def __init__(self, room: Room, ola: AtHome, study: Pen) -> None:
        self.room, self.ola, self.study = room, ola, study
        self.server = str(room.discord.guild.id)

    async def set_up(self, text: str, begins: int = 0) -> None:
        rows = [row.strip() for row in text.split()]
        stones = [
            ["RB".index(sign), x, len(rows) - 1 - y]
            for y, row in enumerate(rows)
            for x, sign in enumerate(row)
            if sign in "RB"
        ]
        named = [[seat, f"{'ABCDEFGHIJ'[x]}{y + 1}"] for seat, x, y in stones]
        size, version = f"{len(rows[0])}x{len(rows)}", (await self.study.ask("load"))["board"]["version"]
        fields = {"rules": "zagram", "size": size, "stones": named, "areas": [], "begins": begins}
        await self.study.ask("set", id=f"key-of-set-{version}", version=version, **fields)

    async def examine(self, goal: str = "capture") -> tuple[int, dict[str, Any]]:
        place = {"study": self.study.study, "chapter": self.study.chapter, "turn": None}
        return await pen.ask(self.study.visit, "examine", goal=goal, **place)

    async def make(self, visit: Visit | None = None, **fields: Any) -> tuple[int, dict[str, Any]]:
        what = {
            "goal": "capture",
            "turn": None,
            "server": self.server,
            "lesson": True,
            "name": "Close it",
            "text": "D3!",
        }
        place = {"study": self.study.study, "chapter": self.study.chapter}
        return await pen.ask(visit or self.study.visit, "make", **{**what, **fields}, **place)


@pytest.fixture
async def desk(room: Room, visit: Visits) -> Desk:
    room.ola.add_role(room.discord.make_role("Moderators", permissions=Permission.MANAGE_MESSAGES).id)
    ola = await AtHome.enter(room, room.ola, visit())
    made = Desk(room, ola, await pen.begin(ola.visit, size="7x7"))
    await made.set_up(AT_ONCE)
    return made


async def test_the_solver_says_what_is_to_be_done_and_how(desk: Desk) -> None:
    status, answer = await desk.examine()
    assert status == 200
    goal, solution, unique = answer["lines"]
    assert "Capture at least 4 dots" in goal
    assert solution == "Solution: D3"
    assert unique == "One move is right at each step."


@pytest.mark.parametrize(
    ("text", "begins", "goal", "said"),
    [
        (AT_ONCE, 1, "capture", "can't reach that here"),
        (AT_ONCE, 0, "ending", "too much for the computer"),
        (AT_ONCE, 0, "stop", "another goal"),
        (TOO_MANY, 0, "capture", "Too many moves are right here: A1, B1"),
    ],
)
async def test_the_solver_says_why_a_position_is_none(desk: Desk, text: str, begins: int, goal: str, said: str) -> None:
    await desk.set_up(text, begins)
    status, answer = await desk.examine(goal)
    assert status >= 400
    assert said in answer["line"]


async def test_a_position_is_mended_and_tried_again(desk: Desk) -> None:
    await desk.set_up(AT_ONCE, begins=1)
    assert (await desk.make())[0] >= 400
    await desk.set_up(AT_ONCE)
    assert (await desk.make())[0] == 200


async def test_a_member_solves_the_lesson_on_the_home_page(room: Room, visit: Visits, desk: Desk) -> None:
    await desk.make()
    maksim = await AtHome.launch(room, room.maksim, room.channel, visit())
    path = await maksim.must("quiz", quiz="lessons")
    (lesson,) = path["chapters"][-1]["lessons"]
    assert lesson["text"] == "Close it"
    solved = await maksim.must("solve", quiz=lesson["to"], move="D3")
    assert "D3!" in solved["verdict"]["text"]


async def test_one_who_is_on_no_such_server_opens_no_lesson(room: Room, visit: Visits, desk: Desk) -> None:
    await desk.make()
    maksim = await AtHome.enter(room, room.maksim, visit())
    room.maksim.leave()
    status, answer = await maksim.do("quiz", quiz="taught:1")
    assert status >= 400
    assert "lesson is gone" in answer["line"]


async def test_one_who_moderates_nothing_makes_nothing(room: Room, visit: Visits, desk: Desk) -> None:
    browser = (await AtHome.enter(room, room.maksim, visit())).visit
    await pen.join(browser, desk.study)
    status, answer = await desk.make(browser)
    assert status >= 400
    assert "Manage Messages" in answer["line"]
    assert not await room.use_cases.lessons.of_server(GuildId(room.discord.guild.id))


async def test_nothing_is_made_for_a_server_of_others(desk: Desk) -> None:
    status, answer = await desk.make(server="123456")
    assert status >= 400
    assert "Manage Messages" in answer["line"]


async def test_a_stranger_makes_nothing_of_a_study(room: Room, visit: Visits, desk: Desk) -> None:
    browser = (await AtHome.enter(room, room.kasia, visit())).visit
    status, answer = await desk.make(browser)
    assert status >= 400
    assert "study is gone" in answer["line"]


async def test_a_lesson_is_deleted_on_the_page(desk: Desk) -> None:
    _, made = await desk.make()
    (server,) = made["servers"]
    (lesson,) = server["lessons"]
    _, left = await pen.ask(desk.study.visit, "unmake", study=desk.study.study, server=desk.server, made=lesson["made"])
    assert left["servers"][0]["lessons"] == []
