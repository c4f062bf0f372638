"""Flags that fall in one transaction are as if they had fallen one after the other."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import count, pairwise
from pathlib import Path
from shutil import copyfile
from typing import Any

import pytest
from sqlalchemy import select

from play.challenge.challenge import Challenge, ChallengeState
from play.challenge.terms import Terms
from play.clock import parse_control
from play.ids import ChallengeId, ChannelId, IdempotencyKey, MatchId, Millis, UserId
from play.match import moves
from play.match.conditional_moves import ConditionalLine, ConditionalReply
from play.match.events import EventKind
from play.match.match import Match
from play.ratings.settlement import young_ids
from rules.game import Seat
from rules.registry import make_game
from storage import Database, schema
from storage.unit_of_work import Transaction
from tests.clock import HOUR, MINUTE, NOON, StoppedClock
from tests.matches import ANNA, BORIS, CLARA, GUILD, a_match, discard_boards, load_match
from tests.same_database import SameDatabase
from use_cases.clock_service import BATCH_SIZE, ClockService
from use_cases.events import Events
from use_cases.match_writer import MatchWriter
from use_cases.outages import Outages

GAMES = BATCH_SIZE
NEWCOMER = UserId(young_ids(NOON)[0][1])
PLAYERS = (ANNA, BORIS, CLARA, NEWCOMER)

_sources = count(1)


async def fill(store: Database, chance: random.Random) -> None:
    """Stores games of few players, whose time is over in another order than that in which they began."""
    for channel in range(1, GAMES + 1):
        control, size = chance.choice(["1h"] * 5 + ["10s random"] * 2), chance.choice(["10x10"] * 4 + ["5x5"])
        one, other = chance.sample(PLAYERS, 2)
        started, game = Millis(NOON - chance.randrange(HOUR)), make_game("zagram", {"size": size})
        terms = Terms(game, parse_control(control), rated=chance.random() < 0.8)
        offer = Challenge(ChallengeId(0), GUILD, ChannelId(channel), one, other, terms, made=started)
        async with store.write() as tx:
            match = await tx.matches.add(a_match(channel, (one, other), control, started, game=game))
            accepted = replace(offer, state=ChallengeState.ACCEPTED, joined=(other,), match=match.id)
            await tx.challenges.add(accepted)
            for _ in range(chance.choice([0, 1, 2, 7, 12] if size == "5x5" else [2, 3, 7, 30])):
                match = play_next(match)
                await tx.matches.save(match)
            if chance.random() < 0.8:
                await tx.plans.save(plan_reply(match))
            await discard_boards(tx, match.id)


def play_next(match: Match) -> Match:
    assert match.to_act is not None
    text = str(next(iter(match.position.moves())))
    return moves.move(match, match.players[match.to_act], text, match.clock.since, IdempotencyKey(next(_sources)))


def plan_reply(match: Match) -> ConditionalLine:
    """Returns a reply to what chance will play, should the clock let it."""
    flagged = moves.flag(match, Millis(NOON + 2 * HOUR))
    asked = flagged.events[-1].text or "A1"
    reply = next(str(move) for move in match.position.moves() if str(move) != asked)
    return ConditionalLine(match.id, Seat(1 - (match.to_act or 0)), (ConditionalReply(asked, reply),))


async def dump(store: Database) -> dict[str, list[Any]]:
    """Returns the rows of all tables that a flag changes."""
    tables = (
        schema.match, schema.seat, schema.event, schema.outbox, schema.plan,
        schema.rating, schema.change, schema.standing, schema.season,
    )  # fmt: skip
    async with store.write() as tx:
        found = [await tx.connection.execute(select(table).order_by(*table.primary_key.columns)) for table in tables]
        return {table.name: [*rows] for table, rows in zip(tables, found, strict=True)}


class Transactions(SameDatabase):
    """A store that counts the transactions that write."""

    def __init__(self, store: Database) -> None:
        super().__init__(store)
        self.count = 0

    @asynccontextmanager
    async def write(self) -> AsyncIterator[Transaction]:
        self.count += 1
        async with super().write() as tx:
            yield tx


async def flag_each(store: Database, clock: StoppedClock) -> None:
    """Lets the flags fall by the way of all other decisions, one after the other."""
    writer = MatchWriter(store, Events())
    for number in range(1, GAMES + 1):
        if moves.is_flag_due(await load_match(store, MatchId(number)), clock()):
            key = IdempotencyKey(-number)
            await writer.apply(MatchId(number), key, None, lambda match: moves.flag(match, clock()))


@pytest.mark.sample(3)
@pytest.mark.parametrize("seed", range(4))
async def test_a_batch_leaves_what_one_after_the_other_would(
    url: str, tmp_path: Path, clock: StoppedClock, seed: int
) -> None:
    file, other = tmp_path / "kropka.db", tmp_path / "other.db"
    async with Database.open(url, now=clock) as store:
        await fill(store, random.Random(seed))
    copyfile(file, other)
    clock.advance(HOUR + MINUTE)
    async with Database.open(url, now=clock) as store, Database.open(f"sqlite+aiosqlite:///{other}", now=clock) as same:
        flagged = ClockService(MatchWriter(store, Events()), Outages(store), seconds=lambda: 0.0)
        assert await flagged.flag_overdue() == GAMES
        await flag_each(same, clock)
        batch = await dump(store)
        assert batch == await dump(same)
        assert len(batch["change"]) > 2 * len(PLAYERS)
        assert any(row.kind == EventKind.PLANNED for row in batch["event"])  # a planned reply


async def test_games_that_end_in_one_moment_are_rated_in_the_order_in_which_their_changes_are_read(
    store: Database, clock: StoppedClock
) -> None:
    """Annulling a game rates those after it anew, in the order of time and id."""
    await fill(store, random.Random(5))
    clock.advance(HOUR + MINUTE)
    await ClockService(MatchWriter(store, Events()), Outages(store)).flag_overdue()
    changes = sorted((await dump(store))["change"], key=lambda row: (row.pool, row.user, row.at, row.match))
    later = [pair for pair in pairwise(changes) if (pair[0].pool, pair[0].user) == (pair[1].pool, pair[1].user)]
    assert len(later) > 2 * len(PLAYERS)
    assert all(before.after_value == after.before_value for before, after in later)


async def test_a_transaction_judges_no_further_match_once_its_time_is_over(
    store: Database, clock: StoppedClock
) -> None:
    await fill(store, random.Random(1))
    clock.advance(HOUR + MINUTE)
    written = Transactions(store)
    slow = ClockService(MatchWriter(written, Events()), Outages(written), seconds=count().__next__)
    assert await slow.flag_overdue() == GAMES
    assert written.count == GAMES
