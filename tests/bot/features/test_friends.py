"""Friends who share no server: `/challenge` with a code, and the doors of `/play`."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from typing import Any

import pytest

from loopback import Message
from play.ids import MatchId, UserId
from tests.bot.border import Border
from tests.bot.features.test_strangers import threads
from tests.bot.room import Room, private_message, private_words
from tests.opponent.quick import Inside


@pytest.fixture
def run_options() -> dict[str, Any]:
    return {"thinkers": Inside}


@pytest.fixture
async def border(room: Room) -> AsyncIterator[Border]:
    border = Border(room)
    yield border
    assert border.wall.violations == []


async def invite(border: Border, way: str = "Game over days") -> tuple[str, Message]:
    """Has Jadwiga offer a game to a friend; returns the code and her panel."""
    panel = await private_message(border.jadwiga.command(border.there, "play"))
    friends = await border.jadwiga.click(panel, "A friend elsewhere").followed()
    assert "needs no server in common" in friends.text
    offered = await border.jadwiga.click(friends, way).followed()
    found = re.search(r"[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}", offered.text)
    assert found
    return found[0], offered


async def test_a_friend_of_another_server_plays_by_the_code(border: Border) -> None:
    code, _ = await invite(border)
    asked = await private_message(border.ola.command(border.here, "challenge", code=code))
    assert asked.text.startswith("**Jadwiga** asks you to a game")
    taken = await border.ola.click(asked, "Accept").followed()
    assert "I'm calling you both" in taken.text
    there, here = await threads(border)
    await border.settle()
    assert [len(border.boards(each)) for each in (there, here)] == [1, 1]


async def test_a_code_is_shown_once_and_can_be_withdrawn(border: Border) -> None:
    code, panel = await invite(border)
    back = await border.jadwiga.click(panel, "Back").followed()
    again = await border.jadwiga.click(back, "A friend elsewhere").followed()
    assert code not in again.text
    assert "Your offer" in again.text
    withdrawn = await border.jadwiga.click(again, "Withdraw").followed()
    assert "Nobody can use the code any more" in withdrawn.text
    told = await private_words(border.ola.command(border.here, "challenge", code=code))
    assert "No game is offered by this code" in told


async def test_guesses_are_slowed_down(border: Border) -> None:
    await invite(border)
    said = [
        await private_words(border.ola.command(border.here, "challenge", code=f"0000-0000-00{number:02}"))
        for number in range(12)
    ]
    assert "No game is offered by this code" in said[0]
    assert "No game is offered by this code" not in said[-1]


async def test_anyone_is_one_door_with_play(border: Border) -> None:
    panel = await private_message(border.ola.command(border.here, "challenge", anyone=True))
    assert "By any rules" in panel.text
    assert {"Live game", "A friend elsewhere", "Daily puzzles"} <= {*panel.labels}


async def test_the_computer_plays_until_the_opponent_is_there(border: Border) -> None:
    panel = await private_message(border.ola.command(border.here, "play"))
    searching = await border.ola.click(panel, "Live game").followed()
    assert "ends without a trace" in searching.text
    await border.ola.click(searching, "Computer meanwhile").followed()
    [outlook] = await border.room.use_cases.seeks.outlooks(UserId(border.ola.id))
    assert outlook.seek.meanwhile == MatchId(1)
