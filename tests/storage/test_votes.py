"""Sides and votes are stored, counted and closed alike on every engine."""

from __future__ import annotations

import asyncio
from contextlib import nullcontext

import pytest

from play.community.ban import Ban
from play.ids import GuildId, IdempotencyKey, MatchId, Millis, SideId, UserId
from play.match.match import Match
from play.refusal import Refused
from play.votes import Choice, Count, Side, Vote
from storage import Database
from storage.errors import Stale
from storage.sqlite_reader import SqliteReader
from storage.sqlite_writer import SqliteWriter
from storage.votes import MAX_DECIDED_CHOICES, DecidedCounts
from tests.clock import DAY, NOON, StoppedClock
from tests.matches import ANNA, BORIS, GUILD
from tests.votes import AWAY, a_game, a_side, begin, cast
from use_cases import UseCases


@pytest.fixture
def use_cases(store: Database) -> UseCases:
    return UseCases.over(store, seeds=lambda: 4)


def a_vote(side: Side, user: int, text: str, at: int = 0, version: int = 0) -> Vote:
    return Vote(side.id, version, UserId(user), Choice.MOVE, text, Millis(NOON + at), IdempotencyKey(user + at))


async def put(store: Database, *votes: Vote) -> None:
    async with store.write() as tx:
        for vote in votes:
            await tx.votes.put(vote)


async def counts(store: Database, side: Side, version: int = 0, at: int = 0) -> dict[str, int]:
    async with store.read() as reader:
        return {each.text: each.votes for each in await reader.votes.counts(side, version, Millis(NOON + at))}


async def test_a_side_is_read_back_as_it_was_stored(use_cases: UseCases, store: Database) -> None:
    match, (first, second) = await begin(use_cases, a_game(a_side(role=5, quorum=3), a_side(AWAY)))
    assert (first.guild, first.role, first.quorum, first.match) == (GUILD, 5, 3, match.id)
    assert (second.guild, second.role, second.quorum, second.seat) == (AWAY, None, 1, 1)
    async with store.read() as reader:
        assert await reader.votes.side(second.id) == second
        assert await reader.votes.side(SideId(99)) is None
        assert await reader.votes.of_match(MatchId(99)) == ()


async def test_the_open_sides_of_a_server_are_listed(use_cases: UseCases, store: Database) -> None:
    match, (first, _) = await begin(use_cases, a_game(a_side(role=5), a_side(AWAY)))
    async with store.read() as reader:
        assert await reader.votes.open_of_guild(GUILD, 10) == [first]
        assert await reader.votes.open_of_guild(GuildId(99), 10) == []
    async with store.write() as tx:
        await tx.votes.end(match.id)
        assert await tx.votes.open_of_guild(GUILD, 10) == []


async def test_a_user_has_one_vote_about_a_turn(use_cases: UseCases, store: Database) -> None:
    _, (side,) = await begin(use_cases)
    await put(store, a_vote(side, ANNA, "A1"), a_vote(side, BORIS, "A1", 1))
    changed = a_vote(side, ANNA, "A2", 2)
    await put(store, changed, a_vote(side, ANNA, "A3", 3, version=4))
    assert await counts(store, side) == {"A1": 1, "A2": 1}
    assert await counts(store, side, 4) == {"A3": 1}
    async with store.read() as reader:
        assert await reader.votes.newest_of(ANNA, [side]) == a_vote(side, ANNA, "A3", 3, version=4)
        assert await reader.votes.newest_of(UserId(5), [side]) is None
        assert await reader.votes.newest_of(ANNA, []) is None


async def test_the_first_vote_for_a_choice_is_kept(use_cases: UseCases, store: Database) -> None:
    _, (side,) = await begin(use_cases)
    await put(store, a_vote(side, 1, "A1", 9), a_vote(side, 2, "A1", 5), a_vote(side, 3, "A2", 7))
    async with store.read() as reader:
        found = {each.text: each for each in await reader.votes.counts(side, 0, NOON)}
    assert {text: each.first[0] for text, each in found.items()} == {"A1": NOON + 5, "A2": NOON + 7}
    assert isinstance(found["A1"], Count)


async def test_votes_of_banned_members_do_not_count_while_the_ban_holds(use_cases: UseCases, store: Database) -> None:
    _, (side,) = await begin(use_cases)
    await put(store, a_vote(side, 1, "A1"), a_vote(side, 2, "A2"), a_vote(side, 3, "A3"))
    bans = (
        Ban(GUILD, UserId(1), BORIS, NOON),
        Ban(GUILD, UserId(2), BORIS, NOON, Millis(NOON + DAY)),
        Ban(GuildId(99), UserId(3), BORIS, NOON),
    )
    for ban in bans:
        await use_cases.bans.ban(ban)
    assert await counts(store, side) == {"A3": 1}
    assert await counts(store, side, at=DAY) == {"A2": 1, "A3": 1}


async def test_a_ban_after_the_count_changes_no_count(use_cases: UseCases, store: Database) -> None:
    match, (side,) = await begin(use_cases)
    await put(store, a_vote(side, 1, "A1"), a_vote(side, 2, "A2"))
    await use_cases.bans.ban(Ban(GUILD, UserId(1), BORIS, NOON))
    assert await use_cases.votes.settle(match, side)
    await use_cases.bans.ban(Ban(GUILD, UserId(2), BORIS, NOON))
    (closed,) = await use_cases.votes.sides_of(match.id)
    assert await counts(store, closed) == {"A2": 1}


async def test_a_deleted_voter_leaves_counted_votes_and_takes_the_others(use_cases: UseCases, store: Database) -> None:
    _, (side,) = await begin(use_cases)
    await put(store, a_vote(side, ANNA, "A1"), a_vote(side, BORIS, "A1"), a_vote(side, ANNA, "A2", version=4))
    async with store.write() as tx:
        await tx.votes.close(side, 0, NOON)
        for user in (ANNA, BORIS):
            await tx.privacy.forget(user)
    assert await counts(store, side) == {"A1": 2}
    assert await counts(store, side, 4) == {}
    async with store.read() as reader:
        assert await reader.privacy.export(ANNA) == {}


async def test_a_turn_is_closed_and_prolonged_once(use_cases: UseCases, store: Database) -> None:
    match, (side,) = await begin(use_cases)
    for version, is_stale in ((0, False), (0, True), (3, False), (2, True)):
        with pytest.raises(Stale) if is_stale else nullcontext():
            async with store.write() as tx:
                await tx.votes.close(side, version, NOON)
        with pytest.raises(Stale) if is_stale else nullcontext():
            async with store.write() as tx:
                await tx.votes.prolong(side, version)
    async with store.read() as reader:
        (stored,) = await reader.votes.of_match(match.id)
    assert (stored.closed, stored.prolonged) == (3, 3)


async def looked_at(store: Database, at: int = 0) -> list[int]:
    async with store.read() as reader:
        return list(await reader.votes.to_look_at(Millis(NOON + at), 50))


async def test_the_counter_finds_changed_and_due_matches(use_cases: UseCases, store: Database) -> None:
    match, _ = await begin(use_cases, a_game(second=a_side(AWAY)))
    other, _ = await begin(use_cases, a_game(channel=2))
    assert sorted(await looked_at(store)) == [match.id, other.id]
    async with store.write() as tx:
        await tx.votes.mark_looked(match.id, 0, Millis(NOON + 5))
        await tx.votes.mark_looked(other.id, 0, None)
    async with store.read() as reader:
        assert await reader.votes.next_look() == NOON + 5
    assert (await looked_at(store, 4), await looked_at(store, 5)) == ([], [match.id])
    await use_cases.matches.move(other.id, other.players[0], "a1", NOON, IdempotencyKey(8))
    assert await looked_at(store) == [other.id]
    async with store.write() as tx:
        await tx.votes.end(other.id)
    assert await looked_at(store) == []
    async with store.read() as reader:
        assert (await reader.votes.count_open(GUILD), await reader.votes.count_open(AWAY)) == (1, 1)


async def test_no_vote_is_stored_after_the_turn_was_closed(use_cases: UseCases, store: Database) -> None:
    """Votes that are cast while their turn is closed are counted, or refused: none is stored and forgotten."""
    match, (side,) = await begin(use_cases)
    await cast(use_cases, match.id, user=500)
    results = await asyncio.gather(
        *(_try(use_cases, match, 600 + n) for n in range(10)),
        use_cases.votes.settle(match, side),
        *(_try(use_cases, match, 700 + n) for n in range(10)),
        return_exceptions=True,
    )
    assert results.pop(10) is True
    refused = [result for result in results if result is not True]
    assert all(isinstance(result, Refused) for result in refused)
    async with store.read() as reader:
        (closed,) = await reader.votes.of_match(match.id)
    assert closed.closed == 0
    assert await counts(store, side) == {"A1": 21 - len(refused)}


async def test_a_turn_is_closed_when_the_votes_at_hand_are_stored(use_cases: UseCases, store: Database) -> None:
    match, (side,) = await begin(use_cases)
    await put(store, a_vote(side, 1, "A1"))
    async with store.write() as tx:
        await tx.votes.open_of_match(match.id)
        closing = asyncio.create_task(use_cases.votes.settle(match, side))
        done, _ = await asyncio.wait([closing], timeout=0.2)
        assert not done
        await tx.votes.put(a_vote(side, 2, "A2"))
    assert await closing
    (closed,) = await use_cases.votes.sides_of(match.id)
    assert (closed.closed, await counts(store, closed)) == (0, {"A1": 1, "A2": 1})


async def _try(use_cases: UseCases, match: Match, user: int) -> bool:
    await cast(use_cases, match.id, user=user)
    return True


def watched(store: Database) -> list[str]:
    """Returns a list to which a SQLite store adds each statement that it sends from now on."""
    sent: list[str] = []
    for engine in (store._writer, store._reader):
        assert isinstance(engine, SqliteWriter | SqliteReader)
        engine.watchers.append(lambda _, statement, __: sent.append(statement))
    return sent


async def test_a_vote_costs_few_statements(sqlite_url: str) -> None:
    """The match, its sides, the voter's last vote, a ban, a new voter's prediction; the vote, changed or else added."""
    async with Database.open(sqlite_url, now=StoppedClock()) as store:
        use_cases = UseCases.over(store, seeds=lambda: 4)
        match, _ = await begin(use_cases, a_game(second=a_side(AWAY)))
        await cast(use_cases, match.id)
        sent = watched(store)
        for user, count in ((104, 7), (101, 5)):
            sent.clear()
            await cast(use_cases, match.id, "a2", user, at=Millis(NOON + 1))
            assert len(sent) == count, sent
        sent.clear()
        await use_cases.votes.tally(match.id, ANNA)
        assert len(sent) == 4, sent


async def test_a_decided_turn_is_counted_once(sqlite_url: str) -> None:
    """Its sides are read each time: who looks at a game of many voters moves through their turns again and again."""
    async with Database.open(sqlite_url, now=StoppedClock()) as store:
        use_cases = UseCases.over(store, seeds=lambda: 4)
        match, (side,) = await begin(use_cases)
        await put(store, *(a_vote(side, user, "A1") for user in range(1, 9)))
        async with store.write() as tx:
            await tx.votes.close(side, 0, NOON)
        decided = await use_cases.matches.move(match.id, side.account, "a1", NOON, IdempotencyKey(99))
        sent = watched(store)
        for statements in (2, 1, 1):
            sent.clear()
            tally = await use_cases.votes.tally_of_move(decided, 1)
            assert (tally and tally.total, len(sent)) == (8, statements), sent


async def test_an_open_turn_is_counted_each_time(use_cases: UseCases, store: Database) -> None:
    _, (side,) = await begin(use_cases)
    for user in (1, 2):
        await put(store, a_vote(side, user, "A1"))
        assert await counts(store, side) == {"A1": user}


async def test_counts_of_a_turn_whose_end_is_undone_are_not_kept(use_cases: UseCases, store: Database) -> None:
    match, (side,) = await begin(use_cases)
    await put(store, a_vote(side, 1, "A1"))

    async def close_in_vain() -> None:
        async with store.write() as tx:
            await tx.votes.close(side, 0, NOON)
            (closed,) = await tx.votes.of_match(match.id)
            assert sum(each.votes for each in await tx.votes.counts(closed, 0, NOON)) == 1
            raise Stale

    with pytest.raises(Stale):
        await close_in_vain()
    await put(store, a_vote(side, 2, "A1"))
    async with store.write() as tx:
        await tx.votes.close(side, 0, NOON)
    (decided,) = await use_cases.votes.sides_of(match.id)
    assert await counts(store, decided) == {"A1": 2}


@pytest.mark.parametrize("kept", [True, False])
def test_a_turn_with_very_many_choices_is_not_kept(kept: bool) -> None:
    decided = DecidedCounts()
    counted = [Count(Choice.MOVE, "A1", 1, (NOON, 1))] * (MAX_DECIDED_CHOICES + (not kept))
    decided.keep(SideId(1), 0, counted)
    assert (decided.of(SideId(1), 0) is not None) == kept
