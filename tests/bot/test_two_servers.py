"""A game of two servers: each has it in its own words, both can play it, and neither learns of the other."""

from __future__ import annotations

import pytest

from loopback import Message
from tests.bot.border import Border
from tests.bot.room import Room


@pytest.fixture
def border(room: Room) -> Border:
    return Border(room)


def told(border: Border, message: Message) -> set[int]:
    """Returns whom a message mentions."""
    return {*message.mentions}


@pytest.mark.parametrize("threads", [False, True], ids=["channels", "threads"])
async def test_both_servers_have_each_board_in_their_own_words(border: Border, *, threads: bool) -> None:
    match = await border.begin(threads=threads)
    assert match.away is not None
    here, there = match.channel, match.away.channel
    await border.move(border.ola, here, "C3")
    await border.move(border.jadwiga, there, "D3")
    assert [len(border.boards(each)) for each in (here, there)] == [3, 3]
    english, polish = border.boards(here)[-1], border.boards(there)[-1]
    assert "turn" in english.content
    assert "tura" in polish.content.lower() or "ruch" in polish.content.lower()
    assert all(name in each.content for each in (english, polish) for name in ("Jadwiga",))
    assert (told(border, english), told(border, polish)) == ({border.ola.id}, set())
    assert border.wall.violations == []
    assert border.wall.seen["Zagroda"] > 2


async def test_a_click_answers_in_its_own_place_and_the_other_gets_the_board(border: Border) -> None:
    match = await border.begin(control="10m+30s")
    by_click = border.ola.command(border.here, "move", point="C3")
    answer = (await border.done(by_click)).messages[-1]
    assert not answer.ephemeral
    assert answer.channel_id == border.here.id
    assert [len(border.boards(each)) for each in (border.here, border.there)] == [2, 2]
    by_click = border.jadwiga.command(border.there, "move", point="D3")
    answer = (await border.done(by_click)).messages[-1]
    assert (answer.ephemeral, answer.channel_id) == (False, border.there.id)
    assert [len(border.boards(each)) for each in (border.here, border.there)] == [3, 3]
    assert (await border.stored(match)).version == 2
    assert border.wall.violations == []
