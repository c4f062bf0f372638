"""Runs, streaks and posts of the daily are stored; old ones are swept."""

from __future__ import annotations

from dataclasses import replace

import pytest

from play.community.daily import SHOWN, DailyPlace, DailyPost, Run, ServerResult, Tally
from play.community.streak import Streak, day_start
from play.ids import ChannelId, GuildId, MessageId, Millis, UserId
from storage import Database
from storage.errors import Stale
from tests.clock import DAY
from tests.matches import ANNA, BORIS, CLARA, GUILD

TODAY, TOMORROW = "2026-11-26", "2026-11-27"
MORNING = Millis(day_start(TODAY) + 1000)


async def store_run(store: Database, run: Run, *guilds: int) -> None:
    async with store.write() as tx:
        await tx.dailies.add_run(run)
        for guild in guilds:
            await tx.dailies.add_member(run.day, GuildId(guild), run.user)


async def test_a_run_is_read_back_as_it_was_stored(store: Database) -> None:
    run = Run(TODAY, ANNA, MORNING)
    await store_run(store, run)
    later = replace(run, moves=("C3", "D4"), missed=2, results=(0, -1), tries=7, ended=Millis(MORNING + 5))
    async with store.write() as tx:
        await tx.dailies.save_run(later, run.tries)
    async with store.read() as reader:
        assert await reader.dailies.run(TODAY, ANNA) == later
        assert await reader.dailies.run(TOMORROW, ANNA) is None
        assert await reader.dailies.run(TODAY, BORIS) is None


async def test_a_user_has_one_run_a_day_and_each_try_counts_once(store: Database) -> None:
    run = Run(TODAY, ANNA, MORNING)
    await store_run(store, run)
    with pytest.raises(Stale):
        await store_run(store, run)
    await store_run(store, replace(run, day=TOMORROW))
    async with store.write() as tx:
        await tx.dailies.save_run(run.miss(), 0)
    with pytest.raises(Stale):
        async with store.write() as tx:
            await tx.dailies.save_run(run.miss(), 0)


async def test_a_daily_counts_where_its_user_has_opened_it(store: Database) -> None:
    run = Run(TODAY, ANNA, MORNING, results=(0, 0, 1), ended=Millis(MORNING + 5))
    await store_run(store, run, GUILD, 8)
    await store_run(store, replace(run, user=BORIS), GUILD)
    await store_run(store, replace(run, user=CLARA))
    await store_run(store, replace(run, user=CLARA, day=TOMORROW), GUILD)
    async with store.write() as tx:
        assert not await tx.dailies.add_member(TODAY, GUILD, ANNA)
    async with store.read() as reader:
        assert [await reader.dailies.count_solvers(TODAY, GuildId(guild)) for guild in (GUILD, 8, 9)] == [2, 1, 0]
        assert await reader.dailies.guilds(TODAY, ANNA) == sorted([GUILD, GuildId(8)])
        assert await reader.dailies.guilds(TODAY, CLARA) == []


async def test_a_streak_is_replaced(store: Database) -> None:
    for days in (1, 2):
        async with store.write() as tx:
            await tx.dailies.save_streak(Streak(ANNA, days, 5, TODAY))
    async with store.read() as reader:
        assert await reader.dailies.streak(ANNA) == Streak(ANNA, 2, 5, TODAY)
        assert await reader.dailies.streak(BORIS) is None


async def test_places_are_due_in_their_order(store: Database) -> None:
    first = DailyPlace(GUILD, ChannelId(5), 9, "Europe/Warsaw", choices=True, compared=True, due=Millis(20))
    others = (DailyPlace(GuildId(8), ChannelId(6), due=Millis(10)), DailyPlace(GuildId(9), compared=True))
    async with store.write() as tx:
        for place in (first, *others):
            await tx.dailies.save_place(place)
    async with store.read() as reader:
        assert await reader.dailies.due(Millis(20), 5) == [8, GUILD]
        assert await reader.dailies.due(Millis(19), 5) == [8]
        assert await reader.dailies.place(GUILD) == first
        assert await reader.dailies.place(GuildId(10)) is None


async def test_what_a_worker_notes_of_a_place_leaves_its_settings_alone(store: Database) -> None:
    place = DailyPlace(GUILD, ChannelId(5), due=Millis(20))
    async with store.write() as tx:
        await tx.dailies.save_place(replace(place, hour=11))
        failed = replace(place, due=Millis(30))
        await tx.dailies.note_due(failed)
    async with store.read() as reader:
        assert await reader.dailies.place(GUILD) == replace(failed, hour=11)
    async with store.write() as tx:
        await tx.dailies.save_place(replace(place, channel=ChannelId(6)))
        await tx.dailies.note_due(failed)
    async with store.read() as reader:
        assert await reader.dailies.place(GUILD) == replace(place, channel=ChannelId(6))


async def test_a_server_has_one_post_a_day_which_is_stored_before_it_is_sent(store: Database) -> None:
    post = DailyPost(GUILD, TODAY, ChannelId(5), streak=3)
    async with store.write() as tx:
        await tx.dailies.add_post(post)
    with pytest.raises(Stale):
        async with store.write() as tx:
            await tx.dailies.add_post(post)
    async with store.write() as tx:
        await tx.dailies.mark_posted(GUILD, TODAY, MessageId(77))
        await tx.dailies.mark_recapped(GUILD, TODAY)
    async with store.read() as reader:
        known = replace(post, message=MessageId(77), recapped=True)
        assert await reader.dailies.post(GUILD, TODAY) == known
        assert await reader.dailies.last_post(GUILD, TOMORROW) == known
        assert await reader.dailies.last_post(GUILD, TODAY) is None
        assert await reader.dailies.last_post(GuildId(8), TOMORROW) is None


async def test_only_servers_that_want_to_are_compared_and_only_what_was_solved_in_time(store: Database) -> None:
    async with store.write() as tx:
        for guild, compared in ((GUILD, True), (8, False)):
            await tx.dailies.save_place(DailyPlace(GuildId(guild), compared=compared))
    solved, late = Millis(MORNING + 5), Millis(day_start(TOMORROW))
    await store_run(store, Run(TODAY, ANNA, MORNING, results=(0, 1, 0), ended=solved), GUILD, 8)
    await store_run(store, Run(TODAY, BORIS, MORNING, results=(0, 0, 0), ended=late), GUILD)
    await store_run(store, Run(TODAY, CLARA, MORNING, results=(0, 0)), GUILD)
    await store_run(store, Run(TODAY, UserId(44), MORNING, results=(0, 0, 0), ended=solved, first=1), GUILD)
    async with store.read() as reader:
        assert await reader.dailies.results(TODAY, 1) == [ServerResult(GUILD, 1, 8)]
        assert await reader.dailies.results(TODAY, 2) == []


async def test_a_tally_names_the_fastest_without_a_wrong_move(store: Database) -> None:
    async def ends(user: int, results: tuple[int, ...], took: int | None, began: Millis = MORNING) -> None:
        ended = None if took is None else Millis(began + took)
        await store_run(store, Run(TODAY, UserId(user), began, results=results, ended=ended), GUILD)

    await ends(4, (SHOWN, SHOWN, SHOWN), 5)
    await ends(5, (0, 0, 0), DAY)
    await ends(6, (0, 0), None)
    async with store.read() as reader:
        assert await reader.dailies.tally(TODAY, GUILD) == Tally(0, 0, None, None)
        assert not await reader.dailies.has_solver(TODAY, GUILD)
    await ends(3, (0, 1, 0), 10)
    async with store.read() as reader:
        assert await reader.dailies.tally(TODAY, GUILD) == Tally(1, 0, None, None)
        assert await reader.dailies.has_solver(TODAY, GUILD)
    await ends(1, (0, 0, 0), 90)
    await ends(2, (0, 0, 0), 61, Millis(MORNING + 30))
    async with store.read() as reader:
        assert await reader.dailies.tally(TODAY, GUILD) == Tally(3, 2, UserId(2), Millis(61))


async def test_who_had_the_puzzles_of_first_days_has_solved_them_and_is_not_the_fastest(store: Database) -> None:
    first = Run(TODAY, ANNA, MORNING, results=(0, 0, 0), ended=Millis(MORNING + 5), first=2, plain=True)
    await store_run(store, first, GUILD)
    async with store.read() as reader:
        assert await reader.dailies.run(TODAY, ANNA) == first
        assert await reader.dailies.tally(TODAY, GUILD) == Tally(1, 0, None, None)
        assert await reader.dailies.count_solvers(TODAY, GUILD) == 1
        assert await reader.dailies.count_runs(ANNA) == 1


async def test_of_two_who_took_the_same_time_the_older_account_is_named(store: Database) -> None:
    run = Run(TODAY, ANNA, MORNING, results=(0, 0, 0), ended=Millis(MORNING + 5))
    for user in (CLARA, ANNA, BORIS):
        await store_run(store, replace(run, user=user), GUILD)
    async with store.read() as reader:
        assert (await reader.dailies.tally(TODAY, GUILD)).fastest == min(ANNA, BORIS, CLARA)


async def test_old_days_are_swept_a_part_at_a_time(store: Database) -> None:
    for user in (ANNA, BORIS, CLARA):
        await store_run(store, Run(TODAY, user, MORNING), GUILD)
    await store_run(store, Run(TOMORROW, ANNA, MORNING), GUILD)
    async with store.write() as tx:
        await tx.dailies.add_post(DailyPost(GUILD, TODAY, ChannelId(5)))
        assert await tx.dailies.sweep(TOMORROW, 2) == 5
        assert await tx.dailies.sweep(TOMORROW, 2) == 2
        assert await tx.dailies.sweep(TOMORROW, 2) == 0
    async with store.read() as reader:
        assert [await reader.dailies.run(day, ANNA) is None for day in (TODAY, TOMORROW)] == [True, False]
        assert [await reader.dailies.guilds(day, ANNA) for day in (TODAY, TOMORROW)] == [[], [GUILD]]
        assert await reader.dailies.post(GUILD, TODAY) is None
