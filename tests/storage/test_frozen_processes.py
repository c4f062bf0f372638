"""A process that is frozen by SIGSTOP at any moment of its work, while another one goes on, and wakes when all is done:
what it does then changes nothing, in a vote, a contest and a league."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest
from sqlalchemy import text

from play.competitions.contest import Contest, ContestId, Side, Stage
from play.competitions.league import League
from play.competitions.season import SEASON_MILLIS
from play.ids import IdempotencyKey, Millis
from play.match.match import Match
from play.votes import ARRIVAL_MILLIS, closing
from storage import Database
from tests.clock import StoppedClock
from tests.director import post_boards
from tests.league_director import open_league
from tests.matches import GUILD, discard_boards, pass_time
from tests.play.competitions.contests import GUEST, GUEST_TEAM, HOME, LETTERS, SIGN_UP, invitation, member_of, members
from tests.storage.contest_process import Servers, make_director
from tests.storage.interruption import frozen
from tests.storage.league_process import BEGINS, Server, direct
from tests.storage.league_process import make_director as make_league_director
from tests.storage.vote_process import GHOST
from tests.votes import a_counter, begin, cast
from use_cases import UseCases

pytestmark = pytest.mark.process

POST_MOMENTS = [("before", 1), ("after", 1), ("before", 2), ("after", 3)]


@dataclass
class Polls:
    """A vote game of one side, in which three have voted about the first turn, two of them for the same move."""

    use_cases: UseCases
    clock: StoppedClock
    match: Match = field(init=False)

    async def prepare(self) -> None:
        self.match, (side,) = await begin(self.use_cases)
        async with self.use_cases.store.write() as tx:
            await discard_boards(tx, self.match.id)
        for user, move in ((201, "a1"), (202, "b2"), (203, "b2")):
            await cast(self.use_cases, self.match.id, move, user, at=self.clock())
        over = closing(self.match, side) + ARRIVAL_MILLIS - self.clock()
        await pass_time(self.use_cases.store, self.clock, over)

    async def count(self) -> Match:
        await a_counter(self.use_cases).poll()
        return await self.use_cases.matches.load(self.match.id)


@pytest.mark.parametrize("moment", ["closing", "counting", "played"])
async def test_a_turn_that_was_voted_for_is_played_once(postgres_url: str, clock: StoppedClock, moment: str) -> None:
    async with Database.open(postgres_url, now=clock) as store:
        polls = Polls(UseCases.over(store, seeds=lambda: 4), clock)
        await polls.prepare()
        with frozen("tests.storage.vote_process", postgres_url, clock(), moment, "SIGSTOP"):
            played = await polls.count()
            assert [event.text for event in played.events] == ["B2"]
            next_turn = await polls.use_cases.matches.move(
                played.id, played.players[1], "c1", clock(), IdempotencyKey(9), version=1
            )
        assert await polls.use_cases.matches.load(played.id) == next_turn


async def test_a_vote_that_was_never_acknowledged_holds_up_no_count(postgres_url: str, clock: StoppedClock) -> None:
    """The database ends the session of the frozen process, and with it the lock on the side."""
    async with Database.open(postgres_url, now=clock) as store:
        polls = Polls(UseCases.over(store, seeds=lambda: 4), clock)
        await polls.prepare()
        with frozen("tests.storage.vote_process", postgres_url, clock(), "casting", "SIGSTOP", status=1):
            async with store.write() as tx:
                await tx.connection.execute(text("SET LOCAL lock_timeout = 0"))
                await tx.connection.execute(text("SELECT 1 FROM side FOR UPDATE"))
            assert [event.text for event in (await polls.count()).events] == ["B2"]
        (side,) = await polls.use_cases.votes.sides_of(polls.match.id)
        async with store.read() as reader:
            assert await reader.votes.newest_of(GHOST, [side]) is None


async def begin_contest(use_cases: UseCases, clock: StoppedClock) -> None:
    """Lets four players of each server sign up; the time for that is over."""
    await use_cases.contests.challenge(invitation(size=4))
    contest = await use_cases.contests.accept(LETTERS, GUEST_TEAM, clock())
    for side, guild in ((Side.HOME, HOME), (Side.GUEST, GUEST)):
        for user in members(side, 4):
            await use_cases.contests.sign_up(contest.id, member_of(user, guild), clock())
    await pass_time(use_cases.store, clock, SIGN_UP)


async def direct_contest(use_cases: UseCases, servers: Servers) -> Contest:
    """Lets the director do all that is due."""
    director = make_director(use_cases, servers)
    for _ in range(9):
        await director.poll()
        await post_boards(use_cases)
    assert await director.pending(1) == []
    return await use_cases.contests.load(ContestId(1))


async def resign_all(use_cases: UseCases, contest: Contest, now: Millis) -> None:
    """Brings all games of a contest under way and to an end, each lost by the player who moved first."""
    for board in contest.boards:
        assert board.match is not None
        for key in range(2):
            match = await use_cases.matches.load(board.match)
            move = str(next(iter(match.position.moves())))
            await use_cases.matches.move(
                match.id, match.players[match.position.to_act], move, now, IdempotencyKey(100 * board.number + key)
            )
        await use_cases.matches.resign(match.id, match.players[0], now, IdempotencyKey(100 * board.number + 9))


@pytest.mark.parametrize(("moment", "number"), [*POST_MOMENTS, ("match", 1), ("match", 2)])
async def test_each_board_of_a_contest_begins_once(
    postgres_url: str, clock: StoppedClock, tmp_path: Path, moment: str, number: int
) -> None:
    async with Database.open(postgres_url, now=clock) as store:
        use_cases = UseCases.over(store, seeds=lambda: 4)
        await begin_contest(use_cases, clock)
        state, servers = tmp_path / "servers", Servers()
        servers.save(state)
        with frozen("tests.storage.contest_process", postgres_url, state, clock(), moment, number, "SIGSTOP"):
            contest = await direct_contest(use_cases, servers := Servers.load(state))
            assert all(board.match for board in contest.boards)
        assert await use_cases.contests.load(contest.id) == contest
        async with store.read() as reader:
            assert await reader.matches.count_open() == len(contest.boards) == 4
        assert Servers.load(state).posts.keys() <= servers.posts.keys()


@pytest.mark.parametrize(("moment", "number"), POST_MOMENTS)
async def test_each_result_of_a_contest_counts_once_and_stays_told(
    postgres_url: str, clock: StoppedClock, tmp_path: Path, moment: str, number: int
) -> None:
    async with Database.open(postgres_url, now=clock) as store:
        use_cases = UseCases.over(store, seeds=lambda: 4)
        await begin_contest(use_cases, clock)
        state, servers = tmp_path / "servers", Servers()
        contest = await direct_contest(use_cases, servers)
        await resign_all(use_cases, contest, clock())
        servers.save(state)
        with frozen("tests.storage.contest_process", postgres_url, state, clock(), moment, number, "SIGSTOP"):
            contest = await direct_contest(use_cases, servers := Servers.load(state))
            assert (contest.stage, contest.score.boards) == (Stage.ENDED, (2.0, 2.0))
        assert await use_cases.contests.load(contest.id) == contest
        assert Servers.load(state).posts.keys() <= servers.posts.keys()


async def league_of(store: Database) -> League:
    async with store.read() as reader:
        league = await reader.leagues.get(GUILD)
    assert league is not None
    return league


@pytest.mark.parametrize(("moment", "number"), [*POST_MOMENTS, *(("commit", number) for number in range(1, 9))])
async def test_each_season_of_a_league_ends_and_begins_once(
    postgres_url: str, clock: StoppedClock, tmp_path: Path, moment: str, number: int
) -> None:
    async with Database.open(postgres_url, now=clock) as store:
        use_cases = UseCases.over(store, seeds=lambda: 4)
        await open_league(use_cases, *range(101, 118))
        state, server = tmp_path / "server", Server()
        clock.advance(BEGINS - clock())
        await direct(make_league_director(store, use_cases, server))
        clock.advance(SEASON_MILLIS)
        server.save(state)
        with frozen("tests.storage.league_process", postgres_url, state, clock(), moment, number, "SIGSTOP"):
            server = Server.load(state)
            await direct(make_league_director(store, use_cases, server))
            league = await league_of(store)
            assert league.seasons == 2
        assert await league_of(store) == league
        assert Server.load(state).posts.keys() <= server.posts.keys()
