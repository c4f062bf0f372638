"""Forty days of a game of server against server: 300 voters, votes in the last second, changes, members who leave or
are banned, downtimes, and processes that are killed. On PostgreSQL two processes count.

The test counts for itself what was acknowledged. Each turn that is played has the most of those votes.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from random import Random

import pytest

from play.community.ban import Ban
from play.ids import GuildId, Millis, RoleId, UserId
from play.match.match import Match
from play.people.membership import Member
from play.refusal import Reason, Refused
from play.votes import ARRIVAL_MILLIS, Choice, Side, Vote, closing, turn_of
from rules.registry import make_game
from storage import Database
from tests.clock import DAY, HOUR, MINUTE, NOON, SECOND, StoppedClock
from tests.matches import GUILD, discard_boards, pass_time
from tests.storage.interruption import run_until_killed
from tests.storage.vote_process import GHOST
from tests.votes import AWAY, a_counter, a_game, a_side, new_key, with_terms
from use_cases import UseCases

DAYS, VOTERS, TURNOUT = 40, 300, 30
PERIOD = Millis(12 * HOUR)
MEMBER = RoleId(5)
QUORUM = 12
KILLS = dict(zip(range(2, 62, 6), ("counting", "played", "casting", "counting", "played") * 2, strict=True))
"""The turns in which a process is killed, and where in its count."""

DOWNTIMES = range(4, 80, 9)
"""The turns during which no process runs for some hours."""

MODERATOR = UserId(99)


@dataclass
class World:
    """The voters, and the newest acknowledged vote of each about the present turn."""

    clock: StoppedClock
    chance: Random = field(default_factory=lambda: Random(45))
    acknowledged: dict[UserId, Vote] = field(default_factory=dict)
    banned: set[UserId] = field(default_factory=set)
    gone: set[UserId] = field(default_factory=set)
    casts: int = 0
    refused: Counter[str] = field(default_factory=Counter)

    def voters_of(self, side: Side) -> list[UserId]:
        return [UserId(1000 + n) for n in range(VOTERS) if (GUILD, AWAY)[n % 2] == side.guild]

    def winner(self) -> str:
        """Returns the move with the most votes of members who are not banned; of several, the one that has the earliest
        of the votes for it."""
        votes = [vote for user, vote in self.acknowledged.items() if user not in self.banned]
        counts = Counter(vote.text for vote in votes)
        first = {text: min(vote.at for vote in votes if vote.text == text) for text in counts}
        return min(counts, key=lambda text: (-counts[text], first[text]))

    async def try_to_vote(self, use_cases: UseCases, match: Match, voter: Member, text: str) -> None:
        """Votes once, or twice with the same click in two processes; notes what was acknowledged, or refused."""
        key = new_key()
        try:
            ballot = await use_cases.votes.cast(match.id, voter, Choice.MOVE, text, self.clock(), key, match.version)
            self.acknowledged[voter.user] = ballot.vote
            self.casts += 1
        except Refused as refused:
            self.refused[refused.key] += 1


def a_member(world: World, user: UserId, guild: GuildId) -> Member:
    roles = frozenset[RoleId]() if user in world.gone else frozenset({MEMBER})
    return Member(user, guild, roles, Millis(NOON - DAY))


async def vote_about_turn(world: World, lives: list[UseCases], match: Match, side: Side, number: int) -> None:
    """Lets members vote over the period, some of them again and in the last second; and others, who may not."""
    chance, clock = world.chance, world.clock
    world.acknowledged.clear()
    moves = [str(move) for move in match.position.moves()]
    likely = chance.sample(moves, min(4, len(moves)))
    members = world.voters_of(side)
    turnout = chance.sample(members, TURNOUT if number % 7 or number in KILLS else QUORUM // 2)
    steps = sorted(chance.randrange(HOUR, PERIOD - MINUTE) for _ in turnout)
    for user, step in zip(turnout, steps, strict=True):
        await pass_time(lives[0].store, clock, match.clock.since + step - clock())
        life = chance.choice(lives)
        text = chance.choices(likely, [8, 4, 2, 1][: len(likely)])[0]
        await world.try_to_vote(life, match, a_member(world, user, side.guild), text)
        if chance.random() < 0.15:
            clock.advance(1)
            await world.try_to_vote(life, match, a_member(world, user, side.guild), chance.choice(likely))
        if chance.random() < 0.05:
            stranger = a_member(world, user, GuildId(77))
            await world.try_to_vote(life, match, stranger, likely[0])
    if chance.random() < 0.3:
        banned = chance.choice(turnout)
        await lives[0].bans.ban(Ban(side.guild, banned, MODERATOR, clock()))
        world.banned.add(banned)
    if chance.random() < 0.3:
        world.gone.add(chance.choice(members))


async def end_vote(world: World, lives: list[UseCases], match: Match, side: Side) -> None:
    """Lets time pass until the vote closes, with more votes in its last second, at once in all processes."""
    clock, chance = world.clock, world.chance
    closes = closing(match, side)
    await pass_time(lives[0].store, clock, closes - clock() - SECOND)
    late = [user for user in chance.sample(world.voters_of(side), 4) if user not in world.acknowledged]
    move = chance.choice([str(move) for move in match.position.moves()])
    for user in late:
        clock.advance(SECOND // 5)
        voter = a_member(world, user, side.guild)
        await asyncio.gather(*(world.try_to_vote(life, match, voter, move) for life in lives))
    await pass_time(lives[0].store, clock, closes + ARRIVAL_MILLIS - clock())


async def begin(use_cases: UseCases, clock: StoppedClock, channel: int) -> Match:
    """Begins a game of both servers, each by a role of its own."""
    game = replace(
        a_game(a_side(role=MEMBER, quorum=QUORUM), a_side(AWAY, role=MEMBER, quorum=QUORUM), channel), period=PERIOD
    )
    board = with_terms(game, game=make_game("zagram", {"size": "10x10"}))
    match = await use_cases.votes.begin(board, clock(), new_key())
    async with use_cases.store.write() as tx:
        await discard_boards(tx, match.id)
    return match


@pytest.mark.process
@pytest.mark.contest
async def test_each_turn_has_the_most_of_the_acknowledged_votes(url: str, clock: StoppedClock) -> None:
    world, kills, turns, prolonged = World(clock), 0, 0, 0
    match: Match | None = None
    channels = iter(range(1, 99))
    while clock() < NOON + DAYS * DAY:
        async with AsyncExitStack() as stack:
            processes = 2 if url.startswith("postgres") else 1
            stores = [await stack.enter_async_context(Database.open(url, now=clock)) for _ in range(processes)]
            lives = [UseCases.over(store, seeds=lambda: 4) for store in stores]
            counters = [a_counter(life) for life in lives]
            for turn in range(turns, turns + 6):
                if match is None or match.outcome:
                    match = await begin(lives[0], clock, next(channels))
                side = next(side for side in await lives[0].votes.sides_of(match.id) if side.seat == match.to_act)
                await vote_about_turn(world, lives, match, side, turn)
                if turn in DOWNTIMES:
                    await lives[0].clocks.record_heartbeat()
                    clock.advance(5 * HOUR)
                    await lives[0].clocks.record_heartbeat()
                    match = await lives[0].matches.load(match.id)
                await end_vote(world, lives, match, side)
                if turn in KILLS:
                    break
                while True:
                    await asyncio.gather(*(counter.poll() for counter in counters))
                    await lives[0].clocks.flag_overdue()
                    played = await lives[0].matches.load(match.id)
                    if played.version > match.version:
                        break
                    (side,) = [each for each in await lives[0].votes.sides_of(match.id) if each.id == side.id]
                    assert side.prolonged == turn_of(match)
                    assert len([user for user in world.acknowledged if user not in world.banned]) < QUORUM
                    prolonged += 1
                    await end_vote(world, lives, match, side)
                check_turn(world, match, played)
                await check_counts(world, lives[-1], side, turn_of(match))
                match = played
        turns = turn + 1
        if turn in KILLS:
            assert match is not None
            assert run_until_killed("tests.storage.vote_process", url, clock(), KILLS[turn], "SIGKILL")
            kills += 1
            async with Database.open(url, now=clock) as store:
                life = UseCases.over(store, seeds=lambda: 4)
                await a_counter(life).poll()
                played = await life.matches.load(match.id)
                check_turn(world, match, played)
                await check_counts(world, life, side, turn_of(match))
                match = played
    assert kills == len(KILLS)
    assert turns > 60
    assert prolonged > 2
    assert world.casts > 1500
    assert {Reason.NOT_A_VOTER, Reason.BANNED} <= set(world.refused) <= {*map(str, Reason)}


def check_turn(world: World, before: Match, after: Match) -> None:
    assert after.version == before.version + 1
    assert after.events[-1].is_move
    assert after.events[-1].text == world.winner()


async def check_counts(world: World, use_cases: UseCases, side: Side, turn: int) -> None:
    """Compares the votes that the store counts with those that were acknowledged."""
    async with use_cases.store.read() as reader:
        found = await reader.votes.counts(side, turn, world.clock())
        assert await reader.votes.newest_of(GHOST, [side]) is None
    expected = Counter(vote.text for user, vote in world.acknowledged.items() if user not in world.banned)
    assert {count.text: count.votes for count in found} == dict(expected)
