"""The arena on chats: joined and left by the panel, its standing, the calls to its games, and groups that follow it."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from chat.routing import RoutedArenas, RoutedKeepers
from play.competitions.arena import Arena, ArenaId, Stage, arena_of
from play.ids import MINUTE, ChannelId, UserId
from storage import Database
from tests.chat.conftest import open_on_matrix, open_world
from tests.chat.driving import Seen, Who
from tests.chat.meeting import Meeting
from tests.chat.world import EAGER, World
from tests.clock import StoppedClock
from tests.director import called_games
from tests.telegram.driver import TelegramDriver
from use_cases.competitions.arena_director import ArenaDirector
from use_cases.competitions.arena_posts import ArenaPosts
from use_cases.post_keeper import PostKeeper
from use_cases.worker import RetryLater


class Hall:
    """Two groups with the workers of arenas. One gathers from the beginning on."""

    def __init__(self, meeting: Meeting) -> None:
        self.meeting, self.worlds = meeting, meeting.worlds
        one, parts = meeting.worlds[0], meeting.parts
        self.cases, self.store, self.clock = one.use_cases, one.store, one.clock
        arenas = RoutedArenas({kind: each.arenas for kind, each in parts.items()})
        keepers = RoutedKeepers({kind: each.keepers for kind, each in parts.items()})
        games = called_games(self.cases)
        self.director = ArenaDirector(one.store, self.cases.seeks, games, self.cases.events, EAGER)
        self.posts = ArenaPosts(one.store, PostKeeper(one.store, keepers), arenas, EAGER)

    async def gather(self) -> None:
        id = ArenaId(arena_of(self.clock()) + 1)  # noqa: A001 - the field's name
        self.clock.advance(Arena(id).starts - 5 * MINUTE - self.clock())
        async with self.store.write() as tx:
            await tx.arenas.add(Arena(id))
            await tx.arenas.outdate(self.clock())

    async def look(self) -> None:
        """Has the workers do what is due."""
        for _ in range(2):
            for key in await self.director.pending(9):
                await self.director.process(key)
            await self.meeting.settle()

    async def show(self) -> None:
        """Has groups that follow shown the arena."""
        for guild in await self.posts.pending(9):
            await self.posts.process(guild)

    async def arena(self) -> Arena:
        found = await self.cases.arenas.newest()
        assert found is not None
        return found

    async def join(self, world: World, name: str, **more: bool) -> tuple[Who, Seen]:
        """Lets a new person join by the panel; returns the panel as it is then."""
        who = await world.join(name)
        (panel,) = await world.say(who, "/play", **more)
        shown = await world.press(who, panel, "Join the arena")
        return who, next(each for each in shown if each.key == panel.key)

    async def fill(self, players: int = 2) -> None:
        """Lets so many more join, who meet neither of the first two."""
        for user in range(7_000_001, 7_000_001 + players):
            for other in (await self.arena()).users[:2]:
                await self.cases.blocks.block(UserId(user), other, self.clock())
            await self.cases.arenas.join(
                UserId(user), None, ChannelId(await self.worlds[0].driver.place()), self.clock()
            )

    async def follow(self, world: World, who: Who) -> Seen:
        """Lets a manager have the group follow the arenas; returns the panel."""
        await world.driver.make_manager(who)
        (panel,) = await world.say(who, "/play")
        return (await world.press(who, panel, "Arenas here: off"))[-1]

    def messages(self, world: World) -> list[Seen]:
        """Returns the messages of arenas in a group."""
        return [each for each in world.driver.seen() if each.text.startswith("🏟️")]


@pytest.fixture(params=["memory", "matrix"])
async def hall(request: pytest.FixtureRequest, store: Database, clock: StoppedClock) -> AsyncIterator[Hall]:
    """A group on a platform in memory or on Synapse, and one on Telegram's stand-in."""
    if request.param == "matrix":
        first = open_on_matrix(request.getfixturevalue("synapse"), store, clock)
    else:
        first = open_world("memory", store, clock)
    async with first as one, open_world("telegram", store, clock) as other:
        hall = Hall(Meeting(one, other))
        await hall.gather()
        yield hall


async def test_a_person_joins_and_pauses_by_the_panel(hall: Hall) -> None:
    for world in hall.worlds:
        who, panel = await hall.join(world, "ola")
        assert "You're in" in panel.text
        assert who.user in (await hall.arena()).present
        (paused,) = await world.press(who, panel, "Pause")
        assert "Your points stay" in paused.text
        assert who.user not in (await hall.arena()).present


async def test_without_an_arena_the_panel_has_none(hall: Hall) -> None:
    hall.clock.advance(90 * MINUTE)
    await hall.look()
    one, _ = hall.worlds
    (panel,) = await one.say(await one.join("ola"), "/play")
    assert "Join the arena" not in panel.labels


async def test_nobody_else_presses_the_panel(hall: Hall) -> None:
    one, _ = hall.worlds
    (panel,) = await one.say(await one.join("ola"), "/play")
    await one.press(await one.join("eve"), panel, "Join the arena")
    assert (await hall.arena()).users == ()


async def test_two_are_called_and_play_without_a_question(hall: Hall) -> None:
    people = [(await hall.join(world, name))[0] for world, name in zip(hall.worlds, ("ola", "ivan"), strict=True)]
    await hall.fill()
    hall.clock.advance(6 * MINUTE)
    await hall.look()
    for world, who in zip(hall.worlds, people, strict=True):
        match = await world.match(who)
        assert {*match.players} == {each.user for each in people}
        assert world.board()
        calls = [each for each in world.driver.seen() if "The game has begun" in each.text]
        assert who.name in [each.reader for each in calls]
        assert not [each for each in world.driver.seen() if "I'm here" in each.labels]


async def test_the_standing_is_told_to_who_asks(hall: Hall) -> None:
    one, _ = hall.worlds
    who, panel = await hall.join(one, "ola")
    await hall.fill(3)
    hall.clock.advance(6 * MINUTE)
    await hall.look()
    shown = (await one.press(who, panel, "Standings"))[-1]
    assert "ola" in shown.text
    assert "It ends" in shown.text


async def test_a_group_that_follows_has_a_message_for_each_arena_which_is_kept_true(hall: Hall) -> None:
    for world in hall.worlds:
        await hall.follow(world, await world.join("boss"))
    await hall.show()
    for world in hall.worlds:
        (message,) = hall.messages(world)
        assert "Join the arena" in message.labels
    hall.clock.advance(6 * MINUTE)
    await hall.look()
    await hall.show()
    assert (await hall.arena()).stage is Stage.TOO_FEW
    for world in hall.worlds:
        (message,) = hall.messages(world)
        assert "fewer than four players" in message.text
        assert "Join the arena" not in message.labels


async def test_one_who_reads_the_message_of_a_group_may_join_there(hall: Hall) -> None:
    _, group = hall.worlds
    await hall.follow(group, await group.join("boss"))
    await hall.show()
    bob = await group.join("bob")
    shown = await group.press(bob, hall.messages(group)[0], "Join the arena")
    assert any("You're in" in each.text for each in shown)
    assert (await hall.arena()).users == (bob.user,)


async def test_a_group_that_follows_no_more_has_no_new_message(hall: Hall) -> None:
    _, group = hall.worlds
    boss = await group.join("boss")
    panel = await hall.follow(group, boss)
    await group.press(boss, panel, "Arenas here: on")
    await hall.show()
    assert hall.messages(group) == []


async def test_only_managers_let_a_group_follow(hall: Hall) -> None:
    _, group = hall.worlds
    (panel,) = await group.say(await group.join("bob"), "/play")
    assert not [label for label in panel.labels if label.startswith("Arenas here")]


async def test_a_keeper_is_told_once_that_their_group_takes_nothing_more(store: Database, clock: StoppedClock) -> None:
    async with open_world("memory", store, clock) as one, open_world("telegram", store, clock) as other:
        hall = Hall(Meeting(one, other))
        await hall.gather()
        boss = await other.join("boss")
        await hall.follow(other, boss)
        driver = other.driver
        assert isinstance(driver, TelegramDriver)
        driver.telegram.closed.add(driver.group)
        for _ in range(2):
            with pytest.raises(RetryLater):
                await hall.show()
        told = [each for each in driver.seen() if "I can't write there any more" in each.text]
        assert [each.reader for each in told] == ["boss"]
