"""Games with a friend of another platform, by a code: given and taken in chats."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator

import pytest

from storage import Database
from tests.chat.conftest import open_world
from tests.chat.driving import Seen, Who
from tests.chat.meeting import Meeting
from tests.clock import StoppedClock


@pytest.fixture
async def meeting(store: Database, clock: StoppedClock) -> AsyncIterator[Meeting]:
    """A group on a platform in memory, and one on Telegram's stand-in."""
    async with open_world("memory", store, clock) as one, open_world("telegram", store, clock) as other:
        yield Meeting(one, other)


async def offered(meeting: Meeting, who: Who) -> tuple[str, Seen]:
    """Lets a person of the first group offer a game; returns the code, and the message that tells it."""
    one, _ = meeting.worlds
    (panel,) = await one.say(who, "/play")
    door = (await one.press(who, panel, "A friend elsewhere"))[-1]
    told = (await one.press(who, door, "Game over days"))[-1]
    found = re.search(r"[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}", told.text)
    assert found
    return found[0], told


async def test_a_code_of_one_platform_is_taken_on_another(meeting: Meeting) -> None:
    code, _ = await offered(meeting, await meeting.worlds[0].join("ola"))
    other = meeting.worlds[1]
    ivan = await other.join("ivan")
    asked = (await other.say(ivan, f"/challenge {code.lower()}", direct=True))[-1]
    assert "ola" in asked.text
    taken = await other.press(ivan, asked, "Accept")
    assert "calling you both" in taken[-1].text
    await meeting.settle()
    assert (await other.match(ivan)).strangers


async def test_only_who_offers_reads_the_code(meeting: Meeting) -> None:
    code, told = await offered(meeting, await meeting.worlds[0].join("ola"))
    assert [each.reader for each in meeting.worlds[0].driver.seen() if code in each.text] == [told.reader]
    assert told.reader is not None


async def test_a_made_up_code_is_refused_and_terms_are_no_code(meeting: Meeting) -> None:
    other = meeting.worlds[1]
    ivan = await other.join("ivan")
    said = (await other.say(ivan, "/challenge 0000-0000-0000"))[-1].text
    assert "No game is offered by this code" in said
    said = (await other.say(ivan, "/challenge zagram 20x20, 3d"))[-1].text
    assert "No game is offered by this code" not in said


async def test_a_withdrawn_offer_is_over(meeting: Meeting) -> None:
    one, other = meeting.worlds
    ola, ivan = await one.join("ola"), await other.join("ivan")
    code, told = await offered(meeting, ola)
    assert "Nobody can use the code" in (await one.press(ola, told, "Withdraw"))[-1].text
    assert "No game is offered by this code" in (await other.say(ivan, f"/challenge {code}"))[-1].text
