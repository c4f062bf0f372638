"""A member has one prediction in each window of a match, and the table of a season adds their points."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from play.community.prediction import Foreteller, Prediction, Result, Tally
from play.ids import GuildId, MatchId, Millis, UserId
from play.match.match import Match
from play.ratings.leaderboard import Season
from storage import Database
from storage.errors import Stale
from tests.clock import NOON, StoppedClock
from tests.matches import ANNA, BORIS, CLARA, GUILD, a_match, add_match, load_match, resign, save_match
from tests.people import person

DORA = person(104)
NOW = Season.at(NOON)


async def a_final(store: Database, channel: int = 1) -> Match:
    return await add_match(store, replace(a_match(channel), predictable=True))


def said(match: MatchId, user: UserId = CLARA, pick: int = 1, window: int = 0, at: int = 0) -> Prediction:
    return Prediction(match, window, user, GUILD, pick, 0, Millis(NOON + at))


async def save(store: Database, *predictions: Prediction) -> None:
    async with store.write() as tx:
        for each in predictions:
            await tx.predictions.save(each)


async def settle(store: Database, match: MatchId, result: Result = Result(1, 4), season: Season = NOW) -> list[GuildId]:  # noqa: B008
    async with store.write() as tx:
        return await tx.predictions.settle(match, season, result)


async def test_whether_a_match_can_be_predicted_is_stored(store: Database) -> None:
    final, other = await a_final(store), await add_match(store, a_match(2))
    assert (await load_match(store, final.id)).predictable
    assert not (await load_match(store, other.id)).predictable


async def test_the_games_of_a_server_that_can_be_predicted_go_on(store: Database) -> None:
    over, first, second = [await a_final(store, channel) for channel in (1, 2, 3)]
    await add_match(store, a_match(4))
    await save_match(store, resign(over))
    async with store.read() as reader:
        assert await reader.predictions.open_games(GUILD, 5) == [second.id, first.id]
        assert await reader.predictions.open_games(GUILD, 1) == [second.id]
        assert await reader.predictions.open_games(GuildId(8), 5) == []


async def test_a_second_prediction_of_a_window_replaces_the_first(store: Database) -> None:
    match = (await a_final(store)).id
    last = [said(match, pick=-2), said(match, window=2)]
    await save(store, said(match), *last)
    async with store.read() as reader:
        assert await reader.predictions.of_user(match, CLARA) == last
        assert await reader.predictions.of_user(match, ANNA) == []


async def test_picks_are_counted_by_window(store: Database) -> None:
    match = (await a_final(store)).id
    await save(store, said(match), said(match, DORA), said(match, UserId(105), -1), said(match, window=1))
    await save(store, replace(said(match, UserId(106)), guild=GuildId(8)))
    async with store.read() as reader:
        assert await reader.predictions.tallies(match, GUILD, []) == []
        assert await reader.predictions.tallies(match, GUILD, [0]) == [Tally(0, 1, 2), Tally(0, -1, 1)]


async def test_a_finished_match_waits_until_its_predictions_are_settled(store: Database) -> None:
    match = await a_final(store)
    await save(store, said(match.id))
    async with store.read() as reader:
        assert await reader.predictions.unsettled(5) == []
    await save_match(store, resign(match))
    async with store.read() as reader:
        assert await reader.predictions.unsettled(5) == [match.id]
    assert await settle(store, match.id) == [GUILD]
    async with store.read() as reader:
        assert await reader.predictions.unsettled(5) == []
    assert await settle(store, match.id) == []  # nobody is told twice


async def test_the_table_adds_the_points_of_a_season(store: Database) -> None:
    one, other = (await a_final(store)).id, (await a_final(store, 2)).id
    await save(store, said(one), said(one, window=1), said(other, pick=-1), said(one, DORA), said(one, BORIS, -1))
    await settle(store, one)
    await settle(store, other)
    clara, dora = Foreteller(2, CLARA, 8 + 6 - 8, 2, 3), Foreteller(1, DORA, 8, 1, 1)
    async with store.read() as reader:
        assert await reader.predictions.table(GUILD, NOW, 5) == [dora, clara]
        assert await reader.predictions.table(GUILD, NOW, 1) == [dora]
        assert await reader.predictions.table(GUILD, NOW.previous, 5) == []
        assert await reader.predictions.table(GuildId(8), NOW, 5) == []
        assert await reader.predictions.line(GUILD, NOW, CLARA) == clara
        assert await reader.predictions.line(GUILD, NOW, BORIS) == Foreteller(0, BORIS, -8, 0, 1)
        assert await reader.predictions.line(GUILD, NOW, ANNA) is None


async def test_of_equals_the_one_who_said_it_first_is_the_best(store: Database) -> None:
    match = (await a_final(store)).id
    await save(store, said(match, ANNA, at=5), said(match, DORA, at=3), said(match, BORIS, -1))
    async with store.read() as reader:
        assert await reader.predictions.best(match, GUILD) is None
    await settle(store, match)
    async with store.read() as reader:
        assert await reader.predictions.best(match, GUILD) == (DORA, 8)
        assert await reader.predictions.best(match, GuildId(8)) is None


async def test_nobody_is_the_best_without_points(store: Database) -> None:
    match = (await a_final(store)).id
    await save(store, said(match, pick=0), said(match, DORA, -1))
    await settle(store, match)
    async with store.read() as reader:
        assert await reader.predictions.best(match, GUILD) is None


async def test_a_match_without_a_result_leaves_no_prediction(store: Database) -> None:
    match = (await a_final(store)).id
    await save(store, said(match), said(match, DORA))
    async with store.write() as tx:
        await tx.predictions.remove_all(match)
    async with store.read() as reader:
        assert await reader.predictions.of_user(match, CLARA) == []


@pytest.mark.parametrize("pick", [-4, 0, 4])
async def test_every_pick_can_be_stored(store: Database, pick: int) -> None:
    match = (await a_final(store)).id
    await save(store, said(match, pick=pick))
    async with store.read() as reader:
        assert await reader.predictions.of_user(match, CLARA) == [said(match, pick=pick)]


async def test_a_match_that_has_gone_on_takes_no_prediction_of_the_version_before(store: Database) -> None:
    match = await a_final(store)
    async with store.write() as tx:
        await tx.predictions.hold(match.id, match.version)
    await save_match(store, resign(match))
    with pytest.raises(Stale):
        async with store.write() as tx:
            await tx.predictions.hold(match.id, match.version)


async def test_the_last_move_waits_for_a_prediction_that_was_first(postgres_url: str) -> None:
    """In SQLite only one transaction writes at a time anyway."""
    async with Database.open(postgres_url, now=StoppedClock()) as store:
        match, done = await a_final(store), []

        async def end() -> None:
            await save_match(store, resign(match))
            done.append("end")

        async with store.write() as tx:
            await tx.predictions.hold(match.id, match.version)
            ending = asyncio.create_task(end())
            async with Database.open(postgres_url, now=StoppedClock()) as other:
                await load_match(other, match.id)  # the other transaction had its time
            await tx.predictions.save(said(match.id))
            done.append("prediction")
        await ending
        assert done == ["prediction", "end"]


async def test_after_the_last_move_no_prediction_is_held(postgres_url: str) -> None:
    async def predict_late(store: Database, match: MatchId) -> None:
        async with store.write() as tx:
            read = await tx.matches.get(match)
            assert read is not None
            await save_match(store, resign(read))
            await tx.predictions.hold(match, read.version)

    async with Database.open(postgres_url, now=StoppedClock()) as store:
        match = await a_final(store)
        with pytest.raises(Stale):
            await predict_late(store, match.id)
