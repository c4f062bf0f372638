"""A game that is over on the web board: its moves, and its review, for all who see it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from bot.cli.tryout import mount_site
from bot.settings import Hosting
from loopback import Channel, Discord
from tests.bot.conftest import running_room
from tests.bot.features.coach.missed_capture import MOVES, MissedCaptureEngine, finish_match
from tests.bot.room import Room
from tests.clock import StoppedClock
from tests.web.visit import Board, Visit, link_for

Visits = Callable[[], Visit]


@pytest.fixture
def engine() -> MissedCaptureEngine:
    return MissedCaptureEngine()


@pytest.fixture
async def room(
    discord: Discord, url: str, clock: StoppedClock, run_options: dict[str, Any], engine: MissedCaptureEngine
) -> AsyncIterator[Room]:
    """A channel with a running bot that has a site, and a computer whose moves are known."""
    options = {"hosting": Hosting(web=discord.address.rstrip("/")), "thinkers": lambda: engine, **run_options}
    async with running_room(discord, url, clock, options) as room, mount_site(discord, room.bot.website):
        yield room


@pytest.fixture
async def over(room: Room, visit: Visits) -> Board:
    """Ola's board of a game in which she missed a capture."""
    thread = await finish_match(room)
    await room.wait_for_outbox()
    return await visit().open(await link_for(room, room.ola, room.boards(thread)[-1]))


async def test_a_replay_has_every_position_with_its_score(over: Board) -> None:
    game = await over.ask("replay")
    assert game["is"] == "replay"
    assert (len(game["game"]["plies"]), len(game["moves"]), len(game["scores"])) == (12, 12, 13)
    assert game["moves"][0] == "Ola: E5"
    assert len(game["game"]["first"].get("stones", [])) < len(over.board["picture"]["stones"])


async def test_a_review_has_the_turning_points_with_the_better_moves(over: Board) -> None:
    review = await over.ask("review")
    assert review["line"] == "Review. The game has 1 turning point."
    (turn,) = review["turns"]
    assert (turn["number"], turn["label"]) == (11, "11 · A1")
    assert turn["line"].startswith("Move 11: Ola played A1. F3 would have captured E4, F4.")
    assert turn["picture"]["numbers"][0] == {"point": [5, 2], "value": 1}


async def test_a_second_review_costs_no_thought(over: Board, room: Room, engine: MissedCaptureEngine) -> None:
    await over.ask("review")
    thoughts = engine.thoughts
    await over.ask("review")
    assert engine.thoughts == thoughts > 0


async def test_who_sees_the_game_may_look_back_as_well(room: Room, visit: Visits) -> None:
    thread = await finish_match(room)
    await room.wait_for_outbox()
    kasia = await visit().open(await link_for(room, room.kasia, room.boards(thread)[-1]))
    assert (await kasia.ask("replay"))["is"] == "replay"
    assert (await kasia.ask("review"))["is"] == "review"
    assert [each["key"] for each in kasia.board["view"]["actions"]] == ["review", "rules"]


async def test_a_game_that_goes_on_is_not_looked_back_at(room: Room, thread: Channel, visit: Visits) -> None:
    await room.play(thread, *MOVES[:4])
    board = await visit().open(await link_for(room, room.ola, room.boards(thread)[-1]))
    for name in ("replay", "review"):
        assert (await board.ask(name))["line"] == "This game isn't over yet. Try again when it has ended."
