"""The computer on every chat platform: practice against it at each level, hints, and reviews."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from opponent.choice import DEFAULT_LEVEL, LEVELS
from play.match.match import Match
from storage import Database
from tests.chat.conftest import PLATFORMS, open_on_matrix, open_world
from tests.chat.driving import Who
from tests.chat.thinking import Thinking, let_play
from tests.chat.world import World
from tests.clock import StoppedClock


@pytest.fixture
def thinking() -> Thinking:
    return Thinking()


@pytest.fixture(params=PLATFORMS)
async def world(
    request: pytest.FixtureRequest, store: Database, clock: StoppedClock, thinking: Thinking
) -> AsyncIterator[World]:
    """A group with a bot that thinks, on each platform in turn."""
    if request.param == "matrix":
        opened = open_on_matrix(request.getfixturevalue("synapse"), store, clock, thinking)
    else:
        opened = open_world(request.param, store, clock, thinking)
    async with opened as world:
        yield world


async def begin(world: World, ola: Who, line: str) -> Match:
    """Lets a person begin a game against the computer in the direct chat."""
    await world.say(ola, line, direct=True)
    return await world.match(ola)


async def test_a_game_against_the_computer_is_played_in_the_direct_chat(world: World, thinking: Thinking) -> None:
    ola = await world.join("ola")
    match = await begin(world, ola, "/challenge computer 1, 9x9, first")
    assert world.parts.platform.own_id in match.players
    await world.say(ola, "C3", direct=True)
    await let_play(world, thinking)
    match = await world.match(ola)
    assert [move.seat for move in match.moves] == [0, 1]
    assert match.moves[1].text in world.driver.seen()[-1].text or match.moves[1].text in _texts(world)


def _texts(world: World) -> str:
    return "\n".join(each.text for each in world.driver.seen())


@pytest.mark.parametrize("level", [level.number for level in LEVELS])
async def test_it_plays_at_each_level(world: World, thinking: Thinking, level: int) -> None:
    ola = await world.join("ola")
    await begin(world, ola, f"/challenge computer {level}, 9x9, first")
    await world.say(ola, "C3", direct=True)
    await let_play(world, thinking)
    assert thinking.levels == [level]


async def test_one_who_challenges_the_bot_in_a_group_plays_it_there(world: World, thinking: Thinking) -> None:
    ola = await world.join("ola")
    await world.say(ola, "/challenge computer 3, 9x9, first")
    await world.say(ola, "C3")
    await let_play(world, thinking)
    assert len((await world.match(ola)).moves) == 2
    assert thinking.levels == [3]


async def test_the_short_choice_begins_a_game_against_the_computer(world: World, thinking: Thinking) -> None:
    ola = await world.join("ola")
    (choice,) = await world.say(ola, "/challenge", direct=True)
    (choice,) = await world.press(ola, choice, "Play the computer")
    level = choice.labels[DEFAULT_LEVEL - 1]
    (choice,) = await world.press(ola, choice, level)
    await world.press(ola, choice, choice.labels[-1])
    assert world.parts.platform.own_id in (await world.match(ola)).players


async def test_a_hint_shows_one_player_a_move_that_a_button_plays(world: World) -> None:
    ola, bob = await world.join("ola"), await world.join("bob")
    await world.begin(ola, bob, "9x9, first")
    (hint,) = await world.say(ola, "/hint")
    assert (hint.reader, hint.picture is not None) == ("ola", True)
    await world.press(ola, hint, hint.labels[0])
    assert len((await world.match(ola)).moves) == 1


async def test_a_hint_is_for_the_player_whose_turn_it_is(world: World) -> None:
    ola, bob = await world.join("ola"), await world.join("bob")
    await world.begin(ola, bob, "9x9, first")
    (told,) = await world.say(bob, "/hint")
    assert "ola" in told.text
    assert told.picture is None


async def test_a_rated_game_has_no_hints(world: World) -> None:
    ola, bob = await world.join("ola"), await world.join("bob")
    await world.begin(ola, bob, "20x20, 3d, first, rated")
    (told,) = await world.say(ola, "/hint")
    assert "rated" in told.text
    assert told.picture is None


async def test_the_menu_of_practice_has_a_hint(world: World) -> None:
    ola = await world.join("ola")
    await begin(world, ola, "/challenge computer 1, 9x9, first")
    board = world.driver.seen()[-1]
    assert "Hint" in board.labels
    shown = await world.press(ola, board, "Hint")
    assert any(each.picture is not None for each in shown)


async def test_a_finished_game_is_reviewed_in_words(world: World) -> None:
    ola, bob = await world.join("ola"), await world.join("bob")
    await world.begin(ola, bob, "9x9, first")
    for number in range(12):
        await world.say((ola, bob)[number % 2], f"{'CD'[number % 2]}{number // 2 + 2}")
    await world.press(ola, (await world.say(ola, "/resign"))[-1], "Yes, resign")
    shown = await world.press(ola, world.board(), "Review")
    assert shown
    assert all("incident" not in each.text for each in shown)
