"""Role rewards: each user gets their role once, from any process and over any failure."""

from __future__ import annotations

import pytest

from play.community.roles import GrantProblem, RoleGrant, RoleRewards
from play.ids import GuildId, Millis, RoleId, UserId
from storage import Database
from tests.clock import DAY, StoppedClock
from tests.league import POOL, add_leaderboard, add_rated_match
from tests.matches import ANNA, BORIS, CLARA, GUILD
from tests.people import person
from use_cases.absences import Absences
from use_cases.events import Events
from use_cases.ratings import void_match
from use_cases.worker import Timing
from use_cases.workers.role_sync import MemberAbsent, RoleNotChanged, RoleSync

FIRST, SECOND, THIRD = RoleId(31), RoleId(32), RoleId(33)
ALL = (FIRST, SECOND, THIRD)
DORA = person(104)
LATER = 60


class Cloakroom:
    """A role gateway in memory: `worn` are the roles that users have, `done` counts the requests."""

    def __init__(self) -> None:
        self.worn: set[RoleGrant] = set()
        self.done = 0
        self.faults: dict[RoleId, Exception] = {}
        self.absent: set[UserId] = set()

    async def held(self, guild: GuildId, user: UserId) -> set[RoleId]:
        assert guild == GUILD
        if user in self.absent:
            raise MemberAbsent
        return {honour.role for honour in self.worn if honour.user == user}

    async def give(self, guild: GuildId, honour: RoleGrant) -> None:
        self._check(guild, honour)
        self.worn.add(honour)

    async def take(self, guild: GuildId, honour: RoleGrant) -> None:
        self._check(guild, honour)
        self.worn.discard(honour)

    def _check(self, guild: GuildId, honour: RoleGrant) -> None:
        assert guild == GUILD
        self.done += 1
        if honour.user in self.absent:
            raise MemberAbsent
        if honour.role in self.faults:
            raise self.faults[honour.role]


class Watch:
    """A clock in seconds that only tests move."""

    def __init__(self) -> None:
        self.time = 0.0

    def __call__(self) -> float:
        return self.time


@pytest.fixture
def room() -> Cloakroom:
    return Cloakroom()


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
async def steward(store: Database, room: Cloakroom, watch: Watch) -> RoleSync:
    """The rewards of a server on which Anna leads, Boris is second and Clara third."""
    await add_leaderboard(store, ANNA, BORIS, CLARA)
    return RoleSync(store, room, Timing(clock=watch))


async def set_up(store: Database, *roles: RoleId | None, seasonal: bool = False) -> None:
    async with store.write() as tx:
        await tx.role_rewards.save(RoleRewards(GUILD, POOL, seasonal, roles))


async def trouble(store: Database) -> GrantProblem | None:
    async with store.read() as reader:
        podium = await reader.role_rewards.get(GUILD)
    assert podium is not None
    return podium.trouble


async def test_the_roles_go_with_the_places(store: Database, steward: RoleSync, room: Cloakroom) -> None:
    await set_up(store, *ALL)
    await steward.poll()
    assert room.worn == {(ANNA, FIRST), (BORIS, SECOND), (CLARA, SECOND)}
    await add_rated_match(store, CLARA, ANNA, day=LATER)
    await steward.poll()
    assert room.worn == {(CLARA, FIRST), (BORIS, SECOND), (ANNA, SECOND)}


async def test_what_has_not_changed_is_not_asked_for(store: Database, steward: RoleSync, room: Cloakroom) -> None:
    await set_up(store, *ALL)
    await steward.poll()
    await add_rated_match(store, ANNA, CLARA, day=LATER)
    for same in (steward, RoleSync(store, room)):
        await same.poll()
    assert room.done == 3


async def test_an_annulment_gives_the_place_back(store: Database, steward: RoleSync, room: Cloakroom) -> None:
    await set_up(store, FIRST, None, None)
    (change, _) = await add_rated_match(store, CLARA, ANNA, day=LATER)
    await steward.poll()
    assert room.worn == {(CLARA, FIRST)}
    async with store.write() as tx:
        await void_match(tx.ratings, change.match)
    await steward.poll()
    assert (CLARA, FIRST) not in room.worn


async def test_a_deleted_user_makes_room_for_the_next(store: Database, steward: RoleSync, room: Cloakroom) -> None:
    await set_up(store, FIRST, None, None)
    await steward.poll()
    await steward.revoke(ANNA)
    assert room.worn == set()
    async with store.write() as tx:
        await tx.privacy.forget(ANNA)
    await steward.poll()
    assert room.worn == {(BORIS, FIRST)}


@pytest.mark.parametrize("deleted", [ANNA, CLARA])
async def test_a_player_who_is_deleted_while_roles_are_given_is_remembered_nowhere(
    store: Database, watch: Watch, deleted: UserId
) -> None:
    """Anna's role is given first, and Clara's is about to be."""

    class Deleting(Cloakroom):
        async def give(self, guild: GuildId, honour: RoleGrant) -> None:
            await super().give(guild, honour)
            if honour.user == ANNA:
                async with store.write() as tx:
                    await tx.privacy.forget(deleted)

    await add_leaderboard(store, ANNA, BORIS, CLARA)
    await set_up(store, *ALL)
    room = Deleting()
    steward = RoleSync(store, room, Timing(clock=watch))
    await steward.poll()
    async with store.read() as reader:
        assert await reader.role_rewards.grants_of(deleted) == []
    await steward.poll()
    assert deleted not in {honour.user for honour in room.worn}
    assert len(room.worn) == 2


async def test_other_settings_are_other_roles(store: Database, steward: RoleSync, room: Cloakroom) -> None:
    await set_up(store, *ALL)
    await steward.poll()
    await set_up(store, THIRD, None, None)
    await steward.poll()
    assert room.worn == {(ANNA, THIRD)}
    await set_up(store, None, None, None)
    await steward.poll()
    assert room.worn == set()


async def test_a_season_ends_with_its_roles(
    store: Database, steward: RoleSync, room: Cloakroom, clock: StoppedClock
) -> None:
    await set_up(store, FIRST, None, None, seasonal=True)
    await steward.poll()
    assert room.worn == set()
    await add_rated_match(store, CLARA, BORIS, day=0)
    await steward.poll()
    assert room.worn == {(CLARA, FIRST)}
    clock.advance(100 * DAY)
    await steward.poll()
    assert room.worn == set()


async def test_equals_share_a_place(store: Database, steward: RoleSync, room: Cloakroom) -> None:
    await set_up(store, FIRST, SECOND, None, seasonal=True)
    await add_rated_match(store, CLARA, BORIS, day=0)
    await add_rated_match(store, ANNA, DORA, day=0)
    await steward.poll()
    assert room.worn == {(CLARA, FIRST), (ANNA, FIRST)}, "who has no point has no place to be proud of"


async def test_a_leader_who_leaves_makes_room_within_a_day_though_nobody_plays(
    store: Database, steward: RoleSync, room: Cloakroom, clock: StoppedClock
) -> None:
    await set_up(store, *ALL)
    await steward.poll()
    room.absent, room.worn = {ANNA}, {honour for honour in room.worn if honour.user != ANNA}
    clock.advance(DAY)
    for _ in range(2):
        await steward.poll()
    assert room.worn == {(BORIS, FIRST), (CLARA, SECOND)}


async def test_who_left_and_came_back_unseen_has_the_role_again_within_a_day(
    store: Database, steward: RoleSync, room: Cloakroom, clock: StoppedClock
) -> None:
    await set_up(store, *ALL)
    await steward.poll()
    room.worn = {honour for honour in room.worn if honour.user != BORIS}
    clock.advance(DAY)
    await steward.poll()
    assert (BORIS, SECOND) in room.worn


async def test_who_is_back_has_the_place_and_its_role_again(
    store: Database, steward: RoleSync, room: Cloakroom
) -> None:
    await set_up(store, FIRST, SECOND, None)
    room.absent = {ANNA}
    for _ in range(2):
        await steward.poll()
    assert room.worn == {(BORIS, FIRST), (CLARA, SECOND)}
    room.absent = set()
    await Absences(store, Events()).note(GUILD, ANNA, is_member=True)
    await steward.poll()
    assert room.worn == {(ANNA, FIRST), (BORIS, SECOND), (CLARA, SECOND)}


async def test_one_role_that_cannot_be_given_holds_up_no_other(
    store: Database, steward: RoleSync, room: Cloakroom, watch: Watch
) -> None:
    await set_up(store, *ALL)
    room.faults = {SECOND: RoleNotChanged(GrantProblem.PERMISSION)}
    await steward.poll()
    assert room.worn == {(ANNA, FIRST)}
    assert room.done == 2, "the second of two is not even tried"
    assert await trouble(store) is GrantProblem.PERMISSION
    room.faults = {}
    watch.time += 1
    await steward.poll()
    assert room.worn == {(ANNA, FIRST), (BORIS, SECOND), (CLARA, SECOND)}
    assert await trouble(store) is None


async def test_it_is_tried_ever_more_seldom(store: Database, steward: RoleSync, room: Cloakroom, watch: Watch) -> None:
    await set_up(store, FIRST, None, None)
    room.faults = {FIRST: RoleNotChanged(GrantProblem.PERMISSION)}
    tried = []
    for second in range(20):
        watch.time = second
        before = room.done
        await steward.poll()
        tried += [second] * (room.done - before)
    assert tried == [0, 1, 3, 7, 15]


@pytest.mark.parametrize("reason", [GrantProblem.ROLE, GrantProblem.AWAY])
async def test_what_no_try_will_mend_waits_for_a_change(
    store: Database, steward: RoleSync, room: Cloakroom, watch: Watch, reason: GrantProblem
) -> None:
    await set_up(store, FIRST, None, None)
    room.faults = {FIRST: RoleNotChanged(reason)}
    for _ in range(2):
        await steward.poll()
        watch.time += 1000
    assert (room.done, await trouble(store)) == (1, reason)
    room.faults = {}
    await set_up(store, FIRST, None, None)
    await steward.poll()
    assert room.worn == {(ANNA, FIRST)}


async def test_a_role_that_was_given_before_the_process_died_is_known(store: Database, steward: RoleSync) -> None:
    class Dying(Cloakroom):
        async def give(self, guild: GuildId, honour: RoleGrant) -> None:
            await super().give(guild, honour)
            raise ConnectionError

    dying = Dying()
    await set_up(store, FIRST, None, None)
    await RoleSync(store, dying).poll()
    assert dying.worn == {(ANNA, FIRST)}
    await set_up(store, None, None, None)
    after = Cloakroom()
    after.worn = dying.worn
    await RoleSync(store, after).poll()
    assert after.worn == set()


async def test_who_gives_by_what_has_changed_meanwhile_looks_again(store: Database, room: Cloakroom) -> None:
    await add_leaderboard(store, ANNA, BORIS, CLARA)

    class Slow(Cloakroom):
        """Gives a role, while another process updates newer places."""

        async def give(self, guild: GuildId, honour: RoleGrant) -> None:
            if not self.done:
                await add_rated_match(store, CLARA, ANNA, day=LATER)
                await RoleSync(store, room).poll()
            await super().give(guild, honour)

    slow = Slow()
    slow.worn = room.worn
    await set_up(store, FIRST, None, None)
    steward = RoleSync(store, slow)
    await steward.poll()
    await steward.poll()
    assert room.worn == {(CLARA, FIRST)}


async def test_a_server_without_role_rewards_has_none(store: Database, steward: RoleSync) -> None:
    async with store.read() as reader:
        assert await reader.role_rewards.get(GUILD) is None
        assert await reader.role_rewards.to_update(Millis(0), 5) == []
