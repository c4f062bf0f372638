"""Milestones: each is told once, by whichever process, and not for games that do not count."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from play.community.milestone import Milestone, Progress
from play.community.streak import Streak
from play.ids import UserId
from storage import Database
from tests.league import add_rated_match
from tests.matches import ANNA, BORIS, add_match, play_turn, resign, save_match
from use_cases.milestones import Milestones

COMPUTER = UserId(900)


@pytest.fixture
def milestones(store: Database) -> Milestones:
    return Milestones(store)


async def solve(store: Database, longest: int) -> None:
    async with store.write() as tx:
        await tx.dailies.save_streak(Streak(ANNA, longest, longest, "2025-06-15"))


async def progress(store: Database, user: UserId) -> Progress:
    async with store.read() as reader:
        return await reader.milestones.progress(user, COMPUTER, ())


async def test_a_milestone_is_told_once(store: Database, milestones: Milestones) -> None:
    assert await milestones.notice(ANNA, COMPUTER) == ()
    await solve(store, 10)
    assert await milestones.notice(ANNA, COMPUTER) == (Milestone.STREAK_10,)
    assert await milestones.notice(ANNA, COMPUTER) == ()
    assert await Milestones(store).notice(ANNA, COMPUTER) == ()
    assert [*await milestones.of_user(ANNA)] == [Milestone.STREAK_10]
    assert await milestones.of_user(BORIS) == {}


async def test_who_wants_none_is_told_of_it_when_they_do(store: Database, milestones: Milestones) -> None:
    async def want(milestones: bool) -> None:
        async with store.write() as tx:
            await tx.people.save(replace(await tx.people.get(ANNA), milestones=milestones))

    await solve(store, 12)
    await want(False)
    assert await milestones.notice(ANNA, COMPUTER) == ()
    await want(True)
    assert await milestones.notice(ANNA, COMPUTER) == (Milestone.STREAK_10,)


async def test_the_winner_of_a_rated_game_has_won_one(store: Database) -> None:
    await add_rated_match(store, ANNA, BORIS, day=1)
    assert (await progress(store, ANNA)).won_rated
    assert not (await progress(store, BORIS)).won_rated


async def test_a_win_that_gains_nothing_is_no_first_rated_win(store: Database) -> None:
    await add_rated_match(store, ANNA, BORIS, day=1, weight=0.0)
    assert not (await progress(store, ANNA)).won_rated


async def test_a_finished_game_counts_for_both_and_a_running_one_for_nobody(store: Database) -> None:
    running = await save_match(store, play_turn(await add_match(store)))
    assert (await progress(store, ANNA)).games == 0
    await save_match(store, resign(running))
    assert [(await progress(store, each)).games for each in (ANNA, BORIS)] == [1, 1]


async def test_what_another_process_has_told_meanwhile_is_not_told_again(
    store: Database, milestones: Milestones
) -> None:
    await solve(store, 10)
    told = await asyncio.gather(*(Milestones(store).notice(ANNA, COMPUTER) for _ in range(4)))
    assert sorted(told) == [(), (), (), (Milestone.STREAK_10,)]
