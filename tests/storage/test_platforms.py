"""How far a chat platform was read, and that its outages cost nobody time."""

from __future__ import annotations

import pytest

from play.ids import IdempotencyKey, IdentityKind, Platform, UserId, ids_at
from play.match.match import Match
from storage import Database
from storage.errors import Stale
from tests.clock import HOUR, MINUTE, NOON, SECOND, StoppedClock
from tests.matches import ANNA, a_match, add_shown_match, load_match, pass_time
from use_cases import UseCases

MIRA = UserId(ids_at(Platform.MATRIX, NOON)[0])
"""A player on Matrix."""

TURN = IdempotencyKey(77)


@pytest.fixture
def use_cases(store: Database) -> UseCases:
    return UseCases.over(store, seeds=lambda: 4)


async def out_of_reach(use_cases: UseCases, clock: StoppedClock, duration: int) -> None:
    """Lets Matrix be out of reach for so long, which is noted time and again, and then answer."""
    since = clock()
    for _ in range(4):
        await pass_time(use_cases.store, clock, duration // 4)
        await use_cases.outages.note(Platform.MATRIX, since)
    use_cases.outages.end(Platform.MATRIX)


async def flag(use_cases: UseCases, match: Match) -> bool:
    await use_cases.clocks.flag_overdue()
    return (await load_match(use_cases.store, match.id)).outcome is not None


async def test_a_position_is_kept_for_its_account(store: Database) -> None:
    async with store.write() as tx:
        await tx.platforms.keep_position(Platform.MATRIX, "@kropka:a", "s1")
        await tx.platforms.keep_position(Platform.MATRIX, "@kropka:a", "s2")
    async with store.read() as reader:
        found = [await reader.platforms.position(Platform.MATRIX, f"@kropka:{server}") for server in "ab"]
    assert found == ["s2", None]


async def test_no_flag_falls_in_an_outage_longer_than_the_turn(use_cases: UseCases, clock: StoppedClock) -> None:
    match = await add_shown_match(use_cases.store, a_match(players=(MIRA, ANNA), control="10m"))
    await out_of_reach(use_cases, clock, HOUR)
    assert not await flag(use_cases, match)


async def test_a_flag_falls_as_much_later_as_the_outage_was_long(use_cases: UseCases, clock: StoppedClock) -> None:
    match = await add_shown_match(use_cases.store, a_match(players=(MIRA, ANNA), control="10m"))
    await out_of_reach(use_cases, clock, HOUR)
    fell = list[bool]()
    for minutes in (9, 2):
        await pass_time(use_cases.store, clock, minutes * MINUTE)
        fell.append(await flag(use_cases, match))
    assert fell == [False, True]


async def test_a_move_after_an_outage_is_charged_the_rest_alone(use_cases: UseCases, clock: StoppedClock) -> None:
    match = await add_shown_match(use_cases.store, a_match(players=(MIRA, ANNA), control="10m+30s"))
    await out_of_reach(use_cases, clock, HOUR)
    await pass_time(use_cases.store, clock, 3 * MINUTE)
    moved = await use_cases.matches.move(match.id, MIRA, "A1", clock(), TURN)
    assert moved.clock.remaining[0] == 7 * MINUTE + 30 * SECOND


async def test_a_player_elsewhere_loses_on_time_as_ever(use_cases: UseCases, clock: StoppedClock) -> None:
    match = await add_shown_match(use_cases.store, a_match(players=(ANNA, MIRA), control="10m"))
    await out_of_reach(use_cases, clock, HOUR)
    assert await flag(use_cases, match)


async def test_an_outage_is_known_after_a_restart(use_cases: UseCases, clock: StoppedClock) -> None:
    match = await add_shown_match(use_cases.store, a_match(players=(MIRA, ANNA), control="10m"))
    await out_of_reach(use_cases, clock, HOUR)
    anew = UseCases.over(use_cases.store, seeds=lambda: 4)
    await anew.outages.load()
    assert anew.outages.lost(match, clock()) == HOUR


async def test_an_id_can_mean_something_else_but_nothing_that_has_one(store: Database) -> None:
    async with store.write() as tx:
        threads = "!room#$old", "!room#$other"
        old, _ = [await tx.identities.take(Platform.MATRIX, IdentityKind.PLACE, name, NOON) for name in threads]
        await tx.identities.rename(old, "!room#$new")
        assert await tx.identities.native(old) == "!room#$new"
    with pytest.raises(Stale):
        async with store.write() as tx:
            await tx.identities.rename(old, "!room#$other")
