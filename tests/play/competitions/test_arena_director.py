"""A whole arena with a clock that stops: full hours, joining, pairs, results, pauses, the end, and what goes wrong."""

from __future__ import annotations

from dataclasses import replace
from itertools import count, pairwise
from typing import Any

import pytest

from play.challenge.terms import Terms
from play.clock import Speed, parse_control
from play.community.full_hours import MIN_MET, spans
from play.community.operator import RestrictionKind
from play.community.seek import Seek, SeekCall, SeekId, SeekState
from play.competitions.arena import FIRST_MOVE_MILLIS, MIN_PLAYERS, Arena, ArenaId, Follower, Stage, arena_of, standing
from play.ids import EPOCH, HOUR, MINUTE, SECOND, ChannelId, GuildId, MessageId, Millis, Platform, UserId, ids_since
from play.match.match import Match
from play.people.settings import Block
from play.posts import PostProblem
from play.refusal import Reason, Refused
from rules.registry import GAMES
from storage import Database
from tests.clock import StoppedClock
from tests.director import called_games
from tests.keepers import NotingKeepers, kept_posts
from tests.matches import load_match
from use_cases import UseCases
from use_cases.competitions.arena_director import ArenaDirector
from use_cases.competitions.arena_posts import ArenaPosts
from use_cases.limits import Capacity
from use_cases.match_writer import automatic_key
from use_cases.worker import Undeliverable
from use_cases.workers.matchmaker import Matchmaker, Posted

USERS = [UserId(101 + number) for number in range(8)]
LIVE = Terms(GAMES["zagram"], parse_control("10m+10s"))


class Calls:
    """Calls players; a `gone` channel takes no call."""

    def __init__(self) -> None:
        self.gone: set[ChannelId] = set()
        self._messages = count(5000)

    async def call(self, seek: Seek, opponent: UserId) -> list[Posted]:
        if seek.channel in self.gone:
            raise Undeliverable("404")
        return [Posted(seek.channel, MessageId(next(self._messages)))]

    async def open_place(self, seek: Seek, opponent: UserId) -> ChannelId | None:
        assert seek.call is not None, "its player was called"
        return ChannelId(seek.call)

    async def settle(self, call: SeekCall) -> None:
        pass


class World:
    """The workers of an arena, one or two processes of them."""

    def __init__(self, store: Database, use_cases: UseCases, clock: StoppedClock) -> None:
        self.store, self.use_cases, self.clock, self.calls = store, use_cases, clock, Calls()
        self.director, self.other = self._director(), self._director()
        self.matchmaker = Matchmaker(
            store, use_cases.seeks, use_cases.events, Capacity(), self.calls, seeds=lambda: next(self._seeds)
        )
        self._seeds = count(4)

    def _director(self) -> ArenaDirector:
        uses = self.use_cases
        return ArenaDirector(self.store, uses.seeks, called_games(uses), uses.events)

    async def fill(self, id: ArenaId, met: int = MIN_MET) -> None:  # noqa: A002 - the field's name
        """Lets so many players have met in this hour of each of the last weeks."""
        async with self.store.write() as tx:
            for start, _ in spans(id):
                for number in range(met):
                    user = UserId(9000 + number)
                    seek = Seek(SeekId(0), user, GuildId(1), ChannelId(1), LIVE, start, start, state=SeekState.PLAYED)
                    await tx.seeks.add(replace(seek, met=Millis(start + MINUTE)))

    async def open(self) -> Arena:
        """Passes time until the next hour gathers, which is a full one; returns its arena."""
        id = ArenaId(arena_of(self.clock()) + 1)  # noqa: A001 - the field's name
        await self.fill(id)
        self.clock.advance(id * HOUR - 10 * MINUTE - self.clock())
        await self.look()
        return await self.arena()

    async def join(self, *users: UserId) -> None:
        for user in users:
            await self.use_cases.arenas.join(user, GuildId(user), ChannelId(user * 10), self.clock())

    async def begin(self, *users: UserId) -> Arena:
        """Opens an arena, lets the users join, and passes time until it has begun."""
        arena = await self.open()
        await self.join(*users)
        self.clock.advance(arena.starts - self.clock())
        await self.look()
        return await self.arena()

    async def look(self) -> None:
        """Lets director and matchmaker look, until the games of this moment have begun and are known."""
        for _ in range(2):
            for key in await self.director.pending(50):
                await self.director.process(key)
            for pair in await self.matchmaker.pending(50):
                await self.matchmaker.process(pair)

    async def arena(self) -> Arena:
        arena = await self.use_cases.arenas.newest()
        assert arena is not None
        return arena

    async def going(self) -> list[Match]:
        return await self.use_cases.arenas.boards(await self.arena())

    async def play(self, match: Match, loser: UserId, moves: int = 2) -> None:
        """Plays a game: each makes a move, and one resigns."""
        for _ in range(moves):
            assert match.to_act is not None
            user, turn = match.players[match.to_act], str(next(iter(match.position.moves())))
            match = await self.use_cases.matches.move(match.id, user, turn, self.clock(), automatic_key(match))
        await self.use_cases.matches.resign(match.id, loser, self.clock(), automatic_key(match))

    async def waiting(self) -> set[UserId]:
        async with self.store.read() as reader:
            return {seek.user for seek in await reader.seeks.of_arena((await self.arena()).id)}


@pytest.fixture
def world(store: Database, use_cases: UseCases, clock: StoppedClock) -> World:
    return World(store, use_cases, clock)


async def test_eight_players_play_a_whole_arena(world: World) -> None:
    arena = await world.begin(*USERS)
    assert arena.stage is Stage.RUNNING
    pairs: list[frozenset[UserId]] = []
    while world.clock() < arena.ends:
        for match in await world.going():
            pairs.append(frozenset(match.players))
            await world.play(match, max(match.players))
        world.clock.advance(4 * MINUTE)
        await world.look()
    ended = await world.arena()
    lines = standing(ended)
    assert ended.stage is Stage.ENDED
    assert lines[0].user == USERS[0]
    assert lines[0].wins == lines[0].games >= 8
    assert lines[0].points == 2 * 2 + 4 * (lines[0].wins - 2)
    assert lines[-1].user == USERS[-1]
    for user in USERS:
        own = [pair for pair in pairs if user in pair]
        assert all(one != other for one, other in pairwise(own))
    assert await world.waiting() == set()


async def test_games_begin_at_once_without_a_question(world: World) -> None:
    await world.begin(*USERS)
    assert len(await world.going()) == 4


async def test_each_player_has_the_board_in_their_own_place(world: World) -> None:
    await world.begin(*USERS[:4])
    for match in await world.going():
        assert match.away is not None
        assert {match.guild, match.away.guild} == {GuildId(user) for user in match.players}


async def test_an_hour_that_is_not_full_has_no_arena(world: World) -> None:
    id = ArenaId(arena_of(world.clock()) + 1)  # noqa: A001 - the field's name
    await world.fill(id, MIN_MET - 1)
    world.clock.advance(id * HOUR - 10 * MINUTE - world.clock())
    await world.look()
    assert await world.use_cases.arenas.newest() is None


async def test_with_fewer_than_four_it_does_not_begin(world: World) -> None:
    arena = await world.begin(*USERS[: MIN_PLAYERS - 1])
    assert arena.stage is Stage.TOO_FEW
    assert await world.waiting() == set()


async def test_two_processes_open_one_arena(world: World) -> None:
    id = ArenaId(arena_of(world.clock()) + 1)  # noqa: A001 - the field's name
    await world.fill(id)
    world.clock.advance(id * HOUR - 10 * MINUTE - world.clock())
    assert await world.director.pending(50) == await world.other.pending(50) == []
    await world.join(*USERS[:4])
    world.clock.advance(10 * MINUTE)
    for director in (world.director, world.other):
        for key in await director.pending(50):
            await director.process(key)
    await world.look()
    assert len(await world.going()) == 2


async def test_a_restart_in_the_middle_loses_nothing(world: World, store: Database, use_cases: UseCases) -> None:
    await world.begin(*USERS[:4])
    match, *_ = await world.going()
    await world.play(match, match.players[0])
    again = World(store, use_cases, world.clock)
    again.calls = world.calls
    await again.look()
    assert {line.user: line.points for line in standing(await again.arena())}[match.players[1]] == 2
    assert (await again.arena()).stage is Stage.RUNNING


async def test_a_process_that_was_frozen_over_the_end_counts_what_ended_before(world: World) -> None:
    arena = await world.open()
    await world.join(USERS[0])
    world.clock.advance(arena.ends - 2 * MINUTE - world.clock())
    await world.join(*USERS[1:4])
    async with world.store.write() as tx:
        await tx.arenas.save(replace(await world.arena(), stage=Stage.RUNNING), await world.arena())
    await world.look()
    match, _ = await world.going()
    await world.play(match, match.players[0])
    world.clock.advance(10 * MINUTE)
    await world.look()
    ended = await world.arena()
    assert ended.stage is Stage.ENDED
    assert [line.points for line in standing(ended)] == [2, 0, 0, 0]


async def test_a_process_that_was_frozen_at_the_beginning_begins_late(world: World) -> None:
    arena = await world.open()
    await world.join(*USERS[:4])
    world.clock.advance(arena.starts + 9 * MINUTE - world.clock())
    await world.look()
    assert (await world.arena()).stage is Stage.RUNNING


async def test_a_clock_that_jumps_over_the_beginning_cancels_it(world: World) -> None:
    await world.open()
    await world.join(*USERS[:4])
    world.clock.advance(5 * HOUR)
    await world.look()
    assert (await world.arena()).stage is Stage.CANCELLED
    assert await world.waiting() == set()


async def test_a_pair_that_no_process_has_called_before_the_end_plays_no_game_and_looks_no_further(
    world: World, store: Database
) -> None:
    await world.open()
    await world.join(*USERS[:4])
    world.clock.advance((await world.arena()).starts - world.clock())
    [key] = await world.director.pending(50)
    await world.director.process(key)
    world.clock.advance(9 * HOUR)
    for _ in range(2):
        await world.look()
    assert await world.waiting() == set()
    async with store.read() as reader:
        assert not [match for user in USERS[:4] for match in await reader.matches.open_of(user)]


async def test_who_lets_the_first_move_wait_pauses_and_the_other_is_paired_again(world: World) -> None:
    await world.begin(*USERS[:4])
    idle = {match.players[0] for match in await world.going()}
    world.clock.advance(FIRST_MOVE_MILLIS + SECOND)
    await world.look()
    arena = await world.arena()
    assert set(arena.present) == set(USERS[:4]) - idle
    [match] = await world.going()
    assert set(match.players) == set(arena.present)
    assert all(line.games == 0 for line in standing(arena))


async def test_who_resigns_before_the_other_one_has_moved_pauses_and_not_the_other_one(world: World) -> None:
    await world.begin(*USERS[:4])
    match, _ = await world.going()
    await world.play(match, match.players[0], moves=1)
    await world.look()
    assert set(USERS[:4]) - set((await world.arena()).present) == {match.players[0]}


async def test_the_games_of_an_arena_are_read_together(world: World, store: Any) -> None:
    await world.begin(*USERS)
    read: list[str] = []
    for engine in (store._reader, store._writer):
        engine.watchers.append(lambda _, statement, __: read.append(statement))
    [key] = await world.director.pending(50)
    await world.director.process(key)
    assert sum('FROM "match"' in each for each in read) == 2  # in the transaction, and for first moves


async def test_who_has_paused_is_paired_no_more_until_they_join_again(world: World) -> None:
    await world.begin(*USERS[:4])
    await world.use_cases.arenas.pause(USERS[0])
    [match] = [each for each in await world.going() if USERS[0] in each.players]
    await world.play(match, match.players[1])
    await world.look()
    assert USERS[0] not in await world.waiting()
    await world.join(USERS[0])
    assert USERS[0] in await world.waiting()


async def test_who_joins_again_as_their_game_begins_plays_no_second_one(world: World) -> None:
    arena = await world.open()
    await world.join(*USERS[:4])
    world.clock.advance(arena.starts - world.clock())
    for key in await world.director.pending(50):
        await world.director.process(key)
    for pair in await world.matchmaker.pending(50):
        await world.matchmaker.process(pair)
    await world.join(USERS[0])
    assert await world.waiting() == set()


async def test_a_player_joins_in_the_middle(world: World) -> None:
    await world.begin(*USERS[:4])
    await world.join(USERS[4], USERS[5])
    await world.look()
    assert len(await world.going()) == 3


async def test_blocked_players_never_meet(world: World, store: Database) -> None:
    async with store.write() as tx:
        for other in USERS[1:3]:
            await tx.blocks.add(Block(USERS[0], other), world.clock())
    await world.begin(*USERS[:4])
    [match] = [each for each in await world.going() if USERS[0] in each.players]
    assert set(match.players) == {USERS[0], USERS[3]}


async def test_accounts_of_one_person_do_not_both_enter(world: World, store: Database) -> None:
    other = UserId(ids_since(Platform.MATRIX, EPOCH)[5])
    await world.open()
    await world.join(USERS[0])
    async with store.write() as tx:
        await tx.own_accounts.join("person", [USERS[0], other])
    with pytest.raises(Refused, match="own_account"):
        await world.join(other)


async def test_a_search_for_a_live_game_ends_with_joining(world: World, store: Database) -> None:
    await world.open()
    seek = await world.use_cases.seeks.look(USERS[0], GuildId(1), ChannelId(1), LIVE, world.clock())
    await world.join(USERS[0])
    async with store.read() as reader:
        left = await reader.seeks.get(seek.id)
    assert left is not None
    assert left.state is SeekState.LEFT


async def test_a_search_elsewhere_pauses_a_player(world: World) -> None:
    arena = await world.open()
    await world.join(*USERS[:5])
    await world.use_cases.seeks.look(USERS[0], GuildId(1), ChannelId(1), LIVE, world.clock())
    world.clock.advance(arena.starts - world.clock())
    await world.look()
    assert USERS[0] not in (await world.arena()).present


async def test_searches_of_an_arena_are_not_paired_with_others(world: World) -> None:
    await world.open()
    await world.join(USERS[0])
    await world.use_cases.seeks.look(USERS[1], GuildId(1), ChannelId(1), LIVE, world.clock(), flexible=True)
    await world.look()
    async with world.store.read() as reader:
        assert await reader.seeks.count_waiting(Speed.LIVE, world.clock()) == 1
        assert await reader.seeks.called(world.clock(), 9) == []


async def test_a_player_whose_channel_is_gone_pauses(world: World) -> None:
    world.calls.gone.add(ChannelId(USERS[0] * 10))
    await world.begin(*USERS[:6])
    for _ in range(3):
        await world.look()
    assert USERS[0] not in (await world.arena()).present
    assert len(await world.going()) == 2


async def test_the_operator_closes_arenas_with_strangers(world: World) -> None:
    await world.begin(*USERS[:4])
    await world.use_cases.operator.close_strangers("operator")
    await world.look()
    assert (await world.arena()).stage is Stage.CANCELLED
    assert len(await world.going()) == 2
    async with world.store.read() as reader:
        assert await reader.operator.restriction(RestrictionKind.STRANGERS, 0, world.clock()) is not None


async def test_a_player_who_deletes_their_data_is_paired_no_more(world: World, store: Database) -> None:
    await world.open()
    await world.join(*USERS[:5])
    async with store.write() as tx:
        await tx.privacy.forget(USERS[0])
    world.clock.advance(10 * MINUTE)
    await world.look()
    assert len(await world.going()) == 2


# Channels that follow


class Board:
    """Notes what is shown; the channel may be gone."""

    def __init__(self) -> None:
        self.shown: list[tuple[MessageId | None, Stage]] = []
        self.gone = False

    async def show(self, follower: Follower, arena: Arena, now: Millis) -> MessageId:
        if self.gone:
            raise Undeliverable("404")
        self.shown.append((follower.message, arena.stage))
        return follower.message or MessageId(arena.id)


async def show(posts: ArenaPosts) -> None:
    for key in await posts.pending(50):
        await posts.process(key)


async def test_a_channel_that_follows_has_a_message_for_each_arena_edited_once_a_minute(
    world: World, store: Database
) -> None:
    board = Board()
    posts = ArenaPosts(store, kept_posts(store), board)
    await world.use_cases.arenas.follow(GuildId(7), ChannelId(70), USERS[0])
    await show(posts)
    assert board.shown == []
    arena = await world.open()
    await show(posts)
    await world.join(*USERS[:4])
    await show(posts)
    assert board.shown == [(None, Stage.GATHERING)]
    world.clock.advance(arena.starts - world.clock())
    await world.look()
    await show(posts)
    assert board.shown[1:] == [(MessageId(arena.id), Stage.RUNNING)]
    world.clock.advance(arena.ends - world.clock())
    await world.look()
    await show(posts)
    assert board.shown[-1] == (MessageId(arena.id), Stage.ENDED)
    world.clock.advance(2 * MINUTE)
    shown = len(board.shown)
    await show(posts)
    await show(posts)
    assert len(board.shown) <= shown + 1
    following = await world.open()
    await show(posts)
    assert following.id > arena.id
    assert board.shown[-1] == (None, Stage.GATHERING)  # type: ignore[comparison-overlap]


async def test_the_keeper_is_told_that_a_channel_is_gone(world: World, store: Database) -> None:
    board, keepers = Board(), NotingKeepers()
    board.gone = True
    posts = ArenaPosts(store, kept_posts(store, keepers), board)
    await world.use_cases.arenas.follow(GuildId(7), ChannelId(70), USERS[0])
    await world.open()
    for key in await posts.pending(50):
        with pytest.raises(Exception, match="404"):
            await posts.process(key)
    assert keepers.told == [(USERS[0], PostProblem.CHANNEL)]


async def test_a_server_that_follows_no_more_is_shown_nothing(world: World, store: Database) -> None:
    board = Board()
    posts = ArenaPosts(store, kept_posts(store), board)
    await world.use_cases.arenas.follow(GuildId(7), ChannelId(70), USERS[0])
    await world.use_cases.arenas.follow(GuildId(7), None, USERS[0])
    await world.open()
    await show(posts)
    assert board.shown == []
    assert await world.use_cases.arenas.follower(GuildId(7)) is None


async def test_nobody_joins_while_no_arena_is_open(world: World) -> None:
    with pytest.raises(Refused) as refused:
        await world.join(USERS[0])
    assert refused.value.key == Reason.ARENA_OVER


async def test_a_match_of_an_arena_is_one_of_strangers(world: World, store: Database) -> None:
    await world.begin(*USERS[:4])
    match, *_ = await world.going()
    played, other = await world.use_cases.seeks.stranger(match.id, match.players[0])
    assert (played.id, other) == (match.id, match.players[1])
    assert (await load_match(store, match.id)).away is not None
