"""Forty days of a contest on ten boards: 300 members on two servers, who sign up late, block, are banned, delete their
data, leave, do not come or stop coming; and processes that are killed. On PostgreSQL two processes direct.

The test counts for itself, from the games, what the table should say.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import func, select

from play.challenge.terms import Terms
from play.clock import parse_control
from play.community.ban import Ban
from play.competitions.contest import Board, Contest, ContestId, Side, Stage
from play.ids import IdempotencyKey, MatchId, Millis, UserId
from play.match.match import Match
from play.match.points import DRAWN, LOST, WON
from play.refusal import Reason, Refused
from storage import Database, schema
from tests.clock import DAY, HOUR, NOON, StoppedClock
from tests.director import post_boards
from tests.matches import GAME, pass_time
from tests.play.competitions.contests import GUEST, GUEST_TEAM, HOME, LETTERS, SIGN_UP, invitation, member_of
from tests.storage.contest_process import Servers, make_director
from tests.storage.interruption import run_until_killed
from use_cases import UseCases

DAYS, MEMBERS, SIGNED_UP, BOARDS = 40, 150, 24, 10
TICK = Millis(6 * HOUR)
BEGIN = SIGN_UP // TICK
"""The tick at which the sign-up is over."""

AT_BEGIN = (("before", 1), ("after", 3), ("match", 1), ("after", 4), ("match", 2))
"""The kills while the games begin."""

LATER = (("before", 1), ("after", 1), ("after", 2), ("before", 2), ("after", 1))
"""Those while results come in."""

GUILDS = {Side.HOME: HOME, Side.GUEST: GUEST}
MODERATOR = UserId(99)
CONTEST = ContestId(1)


@dataclass
class World:
    """The members, and what they mean to do."""

    clock: StoppedClock
    chance: Random = field(default_factory=lambda: Random(45))
    servers: Servers = field(default_factory=Servers)
    absent: set[UserId] = field(default_factory=set)
    """Those who never move."""
    weary: set[UserId] = field(default_factory=set)
    """Those who stop after three moves."""
    gone: set[UserId] = field(default_factory=set)
    blocked: set[frozenset[UserId]] = field(default_factory=set)
    seen: dict[MatchId, tuple[int, tuple[UserId, ...], bool]] = field(default_factory=dict)
    """Each game of a board: its number, its players, and whether it came under way."""
    refused: Counter[str] = field(default_factory=Counter)
    keys: Iterator[int] = field(default_factory=lambda: iter(range(1, 10**6)))

    def members(self, side: Side) -> list[UserId]:
        return [UserId(1000 * (side + 1) + number) for number in range(MEMBERS)]

    async def sign_up(self, use_cases: UseCases) -> None:
        """Signs members up, with blocks between some of them; a few go to both servers."""
        for side in Side:
            for user in self.chance.sample(self.members(side), SIGNED_UP):
                await use_cases.contests.sign_up(CONTEST, member_of(user, GUILDS[side]), self.clock())
                self.absent |= {user} if self.chance.random() < 0.2 else set()
                self.weary |= {user} if self.chance.random() < 0.15 else set()
                if self.chance.random() < 0.2:
                    await self.try_to_sign_up(use_cases, user, side.other)
        contest = await use_cases.contests.load(CONTEST)
        home, guest = ([player.user for _, player in contest.of_side(side)] for side in Side)
        for user in home[:12]:
            for other in self.chance.sample(guest, 3):
                await use_cases.blocks.block(user, other, self.clock())
                self.blocked.add(frozenset({user, other}))

    async def try_to_sign_up(self, use_cases: UseCases, user: UserId, side: Side) -> None:
        try:
            await use_cases.contests.sign_up(CONTEST, member_of(user, GUILDS[side]), self.clock())
        except Refused as refused:
            self.refused[refused.key] += 1

    async def live(self, lives: list[UseCases], tick: int) -> None:
        """Lets the players of running games move, and now and then one leave in one way or another."""
        contest = await lives[0].contests.load(CONTEST)
        for board in contest.boards:
            match = await self.look(lives[0], board)
            if match is not None and not match.outcome and self.chance.random() < 0.5:
                await self.move(self.chance.choice(lives), match)
        players = [each for each in contest.players if each.user > 0 and not each.left]
        if contest.stage is Stage.RUNNING and tick % 9 == 4 and players:
            player = self.chance.choice(players)
            self.gone.add(player.user)
            way = tick // 9 % 3
            if way == 0:
                await lives[0].bans.ban(Ban(GUILDS[player.side], player.user, MODERATOR, self.clock()))
            elif way == 1:
                await lives[0].contests.leave(CONTEST, player.user)
            else:
                async with lives[0].store.write() as tx:
                    await tx.privacy.forget(player.user)
        if tick > BEGIN and tick % 20 == 0:
            await self.try_to_sign_up(lives[-1], UserId(5000 + tick), Side.HOME)

    async def look(self, use_cases: UseCases, board: Board) -> Match | None:
        """Returns the present game of a board, and notes it."""
        if board.match is None:
            return None
        match = await use_cases.matches.load(board.match)
        _, players, _ = self.seen.get(match.id, (0, match.players, False))
        self.seen[match.id] = board.number, players, match.all_have_moved
        return match

    async def move(self, use_cases: UseCases, match: Match) -> None:
        user = match.players[match.position.to_act]
        moves = sum(event.seat == match.position.to_act for event in match.moves)
        if user < 0 or user in self.absent or (user in self.weary and moves >= 3):
            return
        move = str(self.chance.choice([*match.position.moves()]))
        with suppress(Refused):
            await use_cases.matches.move(match.id, user, move, self.clock(), IdempotencyKey(next(self.keys)))

    def kill(self, url: str, state: Path, moment: tuple[str, int]) -> None:
        """Starts a process that directs, and dies of SIGKILL at that moment."""
        self.servers.save(state)
        assert run_until_killed("tests.storage.contest_process", url, state, self.clock(), *moment, "SIGKILL")
        self.servers = Servers.load(state)


async def begin(use_cases: UseCases, clock: StoppedClock) -> None:
    terms = Terms(GAME, parse_control("3d"), rated=True)
    await use_cases.contests.challenge(replace(invitation(size=BOARDS), terms=terms))
    await use_cases.contests.accept(LETTERS, GUEST_TEAM, clock())


async def direct(world: World, lives: list[UseCases]) -> None:
    """Lets all processes do what is due, at once."""
    directors = [make_director(life, world.servers) for life in lives]
    for _ in range(3):
        await asyncio.gather(*(director.poll() for director in directors))
        await post_boards(lives[0])
        await lives[0].clocks.flag_overdue()


@pytest.mark.process
@pytest.mark.contest
async def test_each_board_counts_once_and_the_table_is_what_was_played(
    url: str, clock: StoppedClock, tmp_path: Path
) -> None:
    world, tick = World(clock), 0
    at_begin, later = list(AT_BEGIN), list(LATER)
    while clock() < NOON + DAYS * DAY:
        kill = None
        async with AsyncExitStack() as stack:
            processes = 2 if url.startswith("postgres") else 1
            stores = [await stack.enter_async_context(Database.open(url, now=clock)) for _ in range(processes)]
            lives = [UseCases.over(store, seeds=lambda: 4) for store in stores]
            if tick == 0:
                await begin(lives[0], clock)
                await world.sign_up(lives[0])
            while kill is None and clock() < NOON + DAYS * DAY:
                async with stores[0].read() as reader:
                    waiting = await reader.contests.to_update(clock(), 1)
                if tick >= BEGIN and at_begin:
                    kill = at_begin.pop(0)
                elif later and waiting and tick > BEGIN + 10 * (len(LATER) - len(later)) + 8:
                    contest = await lives[0].contests.load(CONTEST)
                    if contest.version > max(contest.team(side).shown for side in Side):
                        kill = later.pop(0)
                if kill is None:
                    await direct(world, lives)
                    await world.live(lives, tick)
                    await pass_time(stores[0], clock, TICK)
                    tick += 1
        if kill is not None:
            world.kill(url, tmp_path / "servers", kill)
    assert (at_begin, later) == ([], [])
    async with Database.open(url, now=clock) as store:
        use_cases = UseCases.over(store, seeds=lambda: 4)
        await direct(world, [use_cases])
        await check(world, use_cases, store)


async def check(world: World, use_cases: UseCases, store: Database) -> None:
    """Compares the contest with its games."""
    contest = await use_cases.contests.load(CONTEST)
    assert (contest.stage, len(contest.boards)) == (Stage.ENDED, BOARDS)
    assert world.servers.told.count((Side.HOME, "ended")) == world.servers.told.count((Side.GUEST, "ended")) == 1
    for board in contest.boards:
        await check_board(world, use_cases, contest, board)
    async with store.read() as reader:
        every = select(func.count()).select_from(schema.match).where(schema.match.c.id > 0)
        stored = (await reader.connection.execute(every)).scalar_one()
        (played,) = await reader.contests.played(NOON, Millis(world.clock() + 1), 9)
    games = sum(board.tries + (board.match is not None) for board in contest.boards)
    assert stored == games == len(world.seen)
    assert played.score.boards == contest.score.boards
    assert played.score.dots == contest.score.dots
    calls = [nonce for (_, nonce) in world.servers.posts if nonce[0].isdigit()]
    assert Counter(Counter(calls).values()).keys() == {2}
    assert (
        {Reason.TEAM_OTHER_SIDE, Reason.TEAM_IS_RUNNING}
        <= set(world.refused)
        <= {
            Reason.TEAM_OTHER_SIDE,
            Reason.TEAM_IS_RUNNING,
            Reason.TEAM_OVER,
        }
    )
    assert sum(board.tries for board in contest.boards) > 3, "substitutes have played"


async def check_board(world: World, use_cases: UseCases, contest: Contest, board: Board) -> None:
    """Compares a board with its games: only the last one counts, and none before it was under way."""
    games = [game for _, game in sorted(world.seen.items()) if game[0] == board.number]
    assert not any(begun for _, _, begun in games[:-1])
    assert not any(frozenset(players) in world.blocked for _, players, _ in games)
    assert board.match is not None
    assert board.points is not None
    match = await use_cases.matches.load(board.match)
    assert match.outcome is not None
    home = 0 if board.first is Side.HOME else 1
    if match.outcome.winners:
        won = [seat in match.outcome.winners for seat in (home, 1 - home)]
        assert board.points == (DRAWN if won[0] == won[1] else WON if won[0] else LOST)
        assert board.dots == (match.score[home], match.score[1 - home])
    else:
        assert board.unplayed
        assert board.dots == (0, 0)
        assert board.points in (WON, LOST, DRAWN, (0.0, 0.0))
