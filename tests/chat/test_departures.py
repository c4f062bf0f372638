"""A stranger's game whose player leaves the group, or whose group loses the bot: it goes on in their direct chat."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from play.match.match import Match
from storage import Database
from tests.chat.conftest import open_on_matrix, open_world
from tests.chat.driving import Seen, Who
from tests.chat.meeting import Meeting
from tests.chat.world import World
from tests.clock import StoppedClock


@pytest.fixture(params=["telegram", "matrix"])
async def meeting(request: pytest.FixtureRequest, store: Database, clock: StoppedClock) -> AsyncIterator[Meeting]:
    """A group that people leave, on each real platform, and one on another."""
    if request.param == "matrix":
        left, other = open_on_matrix(request.getfixturevalue("synapse"), store, clock), "telegram"
    else:
        left, other = open_world("telegram", store, clock), "memory"
    async with left as one, open_world(other, store, clock) as two:
        yield Meeting(one, two)


async def begin(meeting: Meeting, label: str = "Game over days") -> tuple[Who, Who]:
    """Lets one person of each group look for a game; returns both, the one who leaves first."""
    people = []
    for world, name in zip(meeting.worlds, ("ivan", "ola"), strict=True):
        people.append(await world.join(name))
        await meeting.look(world, people[-1], label)
    await meeting.settle()
    return people[0], people[1]


def direct_boards(world: World, who: Who) -> list[Seen]:
    return [each for each in world.driver.seen() if each.reader == who.name and each.picture]


async def move(meeting: Meeting, match: Match, ivan: Who, ola: Who, point: str) -> None:
    """Makes the move of the player to act: Ivan in a direct chat."""
    here, there = meeting.worlds
    stored = await here.use_cases.matches.load(match.id)
    if stored.players[stored.position.to_act] == ivan.user:
        await here.say(ivan, point, direct=True)
    else:
        await there.say(ola, point)


async def goes_on_directly(meeting: Meeting, match: Match, ivan: Who, ola: Who) -> None:
    here, there = meeting.worlds
    told = [each for each in here.driver.seen() if "It goes on here" in each.text]
    assert [each.reader for each in told] == ["ivan"]
    assert direct_boards(here, ivan)
    assert not [each for each in there.driver.seen() if "goes on here" in each.text], "the opponent learns nothing"
    for point in ("C3", "D5"):
        await move(meeting, match, ivan, ola, point)
        assert point in direct_boards(here, ivan)[-1].text
        assert point in there.board().text


async def test_who_leaves_the_group_goes_on_in_their_direct_chat(meeting: Meeting) -> None:
    ivan, ola = await begin(meeting)
    here, _ = meeting.worlds
    match = await here.match(ivan)
    await here.driver.remove(ivan)
    await here.settle()
    await goes_on_directly(meeting, match, ivan, ola)


async def test_a_group_that_removes_the_bot_has_its_player_go_on_directly(meeting: Meeting) -> None:
    ivan, ola = await begin(meeting)
    here, _ = meeting.worlds
    match = await here.match(ivan)
    await here.driver.remove_bot()
    await here.settle()
    await goes_on_directly(meeting, match, ivan, ola)


async def test_the_clock_runs_as_before(meeting: Meeting) -> None:
    ivan, _ = await begin(meeting)
    here, _ = meeting.worlds
    before = (await here.match(ivan)).clock.deadline
    await here.driver.remove(ivan)
    await here.settle()
    assert (await here.match(ivan)).clock.deadline == before


async def test_searches_in_the_group_end_with_it(meeting: Meeting) -> None:
    here, _ = meeting.worlds
    ivan = await here.join("ivan")
    await meeting.look(here, ivan, "Game over days")
    await here.driver.remove(ivan)
    assert await here.use_cases.seeks.outlooks(ivan.user) == []


async def test_an_offer_for_a_friend_ends_with_the_group(meeting: Meeting) -> None:
    here, _ = meeting.worlds
    ivan = await here.join("ivan")
    await meeting.look(here, ivan, "Game over days")
    seek = (await here.use_cases.seeks.outlooks(ivan.user))[0].seek
    await here.use_cases.friends.invite(ivan.user, seek.guild, seek.channel, seek.terms)
    await here.driver.remove(ivan)
    await here.settle()
    assert await here.use_cases.friends.of_user(ivan.user) is None


async def test_a_game_of_the_group_itself_stays_there(meeting: Meeting) -> None:
    here, _ = meeting.worlds
    ivan, bob = await here.join("ivan"), await here.join("bob")
    await here.begin(ivan, bob)
    before = (await here.match(ivan)).channel
    await here.driver.remove(ivan)
    await here.settle()
    assert (await here.match(ivan)).channel == before
    assert not [each for each in here.driver.seen() if "goes on here" in each.text]
