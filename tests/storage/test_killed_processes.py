"""Processes that are killed by SIGKILL at one step of their work after the other, each a little later: a league and the
events of a server come out as if none had been."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest
from sqlalchemy import func, select

from play.community.happening import Happening, HappeningKind, Phase
from play.competitions import league as leagues
from play.competitions.league import League, NoticeKind
from play.competitions.season import SEASON_MILLIS, Season
from play.ids import ChannelId, Millis, UserId
from storage import Database, schema
from tests.clock import DAY, NOON, StoppedClock
from tests.league_director import open_league
from tests.matches import GUILD, load_match, play_turn, save_match
from tests.storage.happening_process import Calendar
from tests.storage.interruption import run_until_killed
from tests.storage.league_process import BEGINS, Server
from use_cases import UseCases
from use_cases.match_writer import automatic_key
from use_cases.workers.happening_sync import HELD_MILLIS

pytestmark = [pytest.mark.process, pytest.mark.contest]

PLAYERS = range(101, 118)
"""Enough for two divisions."""

MOMENTS = "before", "after", "commit"


async def league_of(store: Database) -> League:
    async with store.read() as reader:
        league = await reader.leagues.get(GUILD)
    assert league is not None
    return league


def season_of(league: League) -> Season:
    assert league.season is not None
    return league.season


def direct_and_die(url: str, state: Path, now: Millis) -> int:
    """Starts processes that direct the league, of which each is killed a little later than the one before, until one
    finds its way to the end; returns how many were killed."""
    for kills in count():
        step = MOMENTS[kills % 3], kills // 3 + 1 if kills % 3 == 2 else kills // 3 % 2 + 1
        if not run_until_killed("tests.storage.league_process", url, state, now, *step, "SIGKILL"):
            return kills
    raise AssertionError


async def lose_running(use_cases: UseCases, season: Season, now: Millis) -> int:
    """Lets the first players of all running games but one resign; returns how many games were running."""
    running = [game for game in season.games if game.is_running]
    for game in running[1:]:
        assert game.match is not None
        match = await load_match(use_cases.store, game.match)
        for _ in range(2):
            match = play_turn(match, at_once=True)
            await save_match(use_cases.store, match)
        await use_cases.matches.resign(match.id, game.first, now, automatic_key(match))
    return len(running)


async def test_each_season_forms_its_divisions_and_promotes_once(url: str, clock: StoppedClock, tmp_path: Path) -> None:
    state = tmp_path / "server"
    Server().save(state)
    async with Database.open(url, now=clock) as store:
        await open_league(UseCases.over(store, seeds=lambda: 4), *PLAYERS)
        opened = await league_of(store)
    clock.advance(BEGINS + DAY - NOON)
    kills = direct_and_die(url, state, clock())
    ratings = {UserId(user): 1500.0 for user in PLAYERS}
    async with Database.open(url, now=clock) as store:
        league = await league_of(store)
        expected = leagues.begin_season(opened, ratings, clock(), computer=True)
        assert [each.users for each in season_of(league).divisions] == [
            each.users for each in season_of(expected).divisions
        ]
        assert len(season_of(league).divisions) == 2
        running = await lose_running(UseCases.over(store, seeds=lambda: 4), season_of(league), clock())
        assert running > 2
        league = await league_of(store)
    clock.advance(SEASON_MILLIS - DAY)
    kills += direct_and_die(url, state, clock())
    async with Database.open(url, now=clock) as store:
        after = await league_of(store)
        async with store.read() as reader:
            past = await reader.leagues.season(GUILD, 1)
            every = select(func.count()).select_from(schema.match).where(schema.match.c.id > 0)
            stored = (await reader.connection.execute(every)).scalar_one()
        assert past is not None
        ended = leagues.end_season(replace(league, season=past))
        expected = leagues.begin_season(ended, ratings, clock(), computer=True)
        assert after.members == expected.members
        assert [each.users for each in season_of(after).divisions] == [
            each.users for each in season_of(expected).divisions
        ]
        assert after.seasons == 2
        assert after.pending_notices == ()
        begun = [game.match for season in (past, season_of(after)) for game in season.games if game.match]
        assert stored == len(begun) == len(set(begun))
    posts = Counter(nonce.partition(",")[0] for nonce in Server.load(state).posts)
    notices = {f"{NoticeKind.BEGUN} 1": 1, f"{NoticeKind.ENDED} 1": 1, f"{NoticeKind.BEGUN} 2": 1}
    calls = sum(times for post, times in posts.items() if post.startswith("call "))
    assert {post: times for post, times in posts.items() if not post.startswith(("call ", "lg:"))} == notices
    assert calls == len(begun)
    assert kills > 10


KINDS = HappeningKind.ROUND, HappeningKind.VOTE


def happening(kind: HappeningKind, *, phase: Phase = Phase.AHEAD, later: int = 0) -> Happening:
    return Happening(kind, 7, GUILD, ChannelId(5), "", Millis(NOON + 3 * DAY + later), phase=phase)


async def test_each_event_is_made_once_and_goes_when_it_is_over(url: str, clock: StoppedClock, tmp_path: Path) -> None:
    state = tmp_path / "calendar"
    Calendar().save(state)
    steps = [
        [happening(kind) for kind in KINDS],
        [happening(kind, later=DAY) for kind in KINDS],
        [happening(kind, phase=Phase.CANCELLED) for kind in KINDS],
    ]
    kills = 0
    for step, planned in enumerate(steps):
        async with Database.open(url, now=clock) as store, store.write() as tx:
            await tx.servers.save(replace(await tx.servers.get(GUILD), events=True))
            for each in planned:
                await tx.happenings.plan(each, clock())
        for number in count():
            arguments = url, state, clock(), MOMENTS[number % 3], number // 3 + 1, "SIGKILL"
            was_killed = run_until_killed("tests.storage.happening_process", *arguments)
            clock.advance(HELD_MILLIS)
            kills += was_killed
            async with Database.open(url, now=clock) as store, store.read() as reader:
                if not was_killed and not await reader.happenings.due(clock(), 9):
                    break
        shown = Calendar.load(state).there
        assert sorted(shown.values(), key=str) == sorted(planned if step < 2 else [], key=str)
    assert Counter(Calendar.load(state).made) == dict.fromkeys((each.mark for each in steps[0]), 1)
    assert kills > 6
