"""Help for players on the web board: the rules, a hint where it is allowed, and the last move taken back."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from bot.cli.tryout import mount_site
from bot.settings import Hosting
from loopback import Channel, Discord
from tests.bot.conftest import running_room
from tests.bot.features.coach.missed_capture import MOVES, MissedCaptureEngine, play_moves
from tests.bot.room import Room
from tests.clock import SECOND, StoppedClock
from tests.web.visit import Board, Visit, link_for

Visits = Callable[[], Visit]


@pytest.fixture
async def room(discord: Discord, url: str, clock: StoppedClock, run_options: dict[str, Any]) -> AsyncIterator[Room]:
    """A channel with a running bot that has a site, and a computer whose moves are known."""
    options = {"hosting": Hosting(web=discord.address.rstrip("/")), "thinkers": MissedCaptureEngine, **run_options}
    async with running_room(discord, url, clock, options) as room, mount_site(discord, room.bot.website):
        yield room


def keys(board: Board) -> list[str]:
    return [each["key"] for each in board.board["view"]["actions"]]


async def test_the_rules_are_told_to_players_and_to_those_who_watch(
    room: Room, thread: Channel, board: Board, visit: Visits
) -> None:
    kasia = await visit().open(await link_for(room, room.kasia, room.boards(thread)[-1]))
    for each in (board, kasia):
        assert "rules" in keys(each)
        asked = await each.ask("ask", version=0, action="rules")
        assert asked["line"].startswith("Rules: ")
        assert "9×9" in asked["line"]
        assert asked["sure"] == ""


async def test_a_hint_is_a_turn_that_can_be_played(room: Room, visit: Visits) -> None:
    thread = await play_moves(room, MOVES[:10])
    board = await visit().open(await link_for(room, room.ola, room.boards(thread)[-1]))
    assert keys(board)[0] == "hint"
    asked = await board.ask("hint", version=10)
    assert asked["is"] == "asked"
    assert (asked["line"], asked["sure"]) == ("I'd play F3. It captures 2 dots: E4, F4.", "Play it")
    assert asked["picture"]["ghost"]["point"] == [5, 2]
    assert (await board.play(asked["turn"]))["is"] == "done"


async def test_a_rated_game_has_no_hints(room: Room, visit: Visits) -> None:
    thread = await room.start_match(size="20x20", rated=True)
    board = await visit().open(await link_for(room, room.ola, room.boards(thread)[-1]))
    assert "hint" not in keys(board)
    assert (await board.ask("hint", version=0))["is"] == "refused"


async def test_who_is_not_to_move_gets_no_hint(room: Room, thread: Channel, visit: Visits) -> None:
    for person in (room.maksim, room.kasia):
        board = await visit().open(await link_for(room, person, room.boards(thread)[-1]))
        assert "hint" not in keys(board)
        assert (await board.ask("hint", version=0))["is"] == "refused"


async def test_the_last_move_can_be_taken_back_for_ten_seconds(room: Room, thread: Channel, board: Board) -> None:
    assert board.board["view"]["undo"] is None
    await board.play("E5")
    await board.version(1)
    assert board.board["view"]["undo"] == {"label": "Undo", "ms": 10_000}
    await board.ask("act", version=1, action="takeback")
    await board.version(2)
    assert board.board["picture"].get("stones", []) == []


async def test_after_ten_seconds_it_is_an_offer(room: Room, thread: Channel, board: Board, visit: Visits) -> None:
    await board.play("E5")
    await board.version(1)
    await room.pass_time(11 * SECOND)
    again = await visit().open(await link_for(room, room.ola, room.boards(thread)[-1]))
    assert again.board["view"]["undo"] is None
    await board.ask("act", version=1, action="takeback")
    assert [each["key"] for each in (await board.version(2))["view"]["offers"]] == ["takeback"]
