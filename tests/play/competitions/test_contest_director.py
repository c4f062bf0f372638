"""The director of contests: games on both servers, substitutes, results, the end, and what is told to whom."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from itertools import count
from zoneinfo import ZoneInfo

import pytest

from play.challenge.pool import pool_of
from play.clock.schedule import ClockSchedule
from play.competitions.contest import (
    CANCEL_MILLIS,
    CODE_MILLIS,
    NO_SHOW_MILLIS,
    Board,
    Cause,
    Contest,
    ContestId,
    Kind,
    Side,
    Stage,
)
from play.ids import ChannelId, GuildId, IdempotencyKey, MatchId, MessageId, Millis, UserId
from play.match.match import Match
from play.match.points import LOST, WON
from play.posts import MAX_GONE_MILLIS, PostProblem
from play.ratings.leaderboard import Season
from play.votes import USUAL_NIGHT
from rules.game import AnyGame
from rules.registry import make_game
from storage import Database
from tests import votes
from tests.clock import DAY, HOUR, StoppedClock
from tests.director import called_games, nobody_left, post_boards
from tests.keepers import NotingKeepers, kept_posts
from tests.matches import BORIS, GAME, load_match, pass_time
from tests.play.competitions.contests import (
    BEGINS,
    GUEST,
    GUEST_TEAM,
    HOME,
    LETTERS,
    SIGN_UP,
    TIME,
    invitation,
    member_of,
    members,
)
from tests.workers import process_side_by_side
from use_cases import UseCases
from use_cases.channel_rights import MembersLeft
from use_cases.competitions.contest_director import ContestDirector
from use_cases.limits import MAX_VOTE_GAMES
from use_cases.worker import ChannelClosed, RetryLater, Undeliverable

_keys = count(1)


@dataclass
class Display:
    """A display that notes what each side is sent, and whose channels can be closed or gone."""

    shown: list[tuple[Side, int]] = field(default_factory=list)
    called: list[tuple[Side, int, int]] = field(default_factory=list)
    told: list[tuple[Side, str]] = field(default_factory=list)
    keepers: NotingKeepers = field(default_factory=NotingKeepers)
    closed: set[Side] = field(default_factory=set)
    gone: set[Side] = field(default_factory=set)
    messages: count[int] = field(default_factory=lambda: count(10_000))

    async def show(self, contest: Contest, side: Side) -> MessageId:
        self._reach(side)
        self.shown.append((side, contest.version))
        return contest.team(side).message or MessageId(next(self.messages))

    async def call(self, contest: Contest, board: Board, side: Side) -> MessageId:
        self._reach(side)
        self.called.append((side, board.number, board.tries))
        return MessageId(next(self.messages))

    async def tell(self, contest: Contest, side: Side, notice: str) -> None:
        self._reach(side)
        self.told.append((side, notice))

    def _reach(self, side: Side) -> None:
        if side in self.gone:
            raise Undeliverable("unknown channel")
        if side in self.closed:
            raise ChannelClosed("missing access")


@dataclass
class Arena:
    """A contest with its director."""

    store: Database
    clock: StoppedClock
    use_cases: UseCases
    display: Display
    director: ContestDirector

    async def direct(self) -> Contest:
        """Does what is due, until nothing is; returns the contest."""
        for _ in range(5):
            for contest in await self.director.pending(10):
                await self.director.process(contest)
            await post_boards(self.use_cases)
        assert await self.director.pending(10) == []
        return await self.contest()

    async def contest(self) -> Contest:
        return await self.use_cases.contests.load(ContestId(1))

    async def sign_up(self, home: int, guest: int, game: AnyGame = GAME) -> Contest:
        """Has the contest accepted, and so many players of each side signed up."""
        await self.use_cases.contests.challenge(invitation(size=4, game=game))
        accepted = await self.use_cases.contests.accept(LETTERS, GUEST_TEAM, self.clock())
        for side, guild, number in ((Side.HOME, HOME, home), (Side.GUEST, GUEST, guest)):
            for user in members(side, number):
                await self.use_cases.contests.sign_up(accepted.id, member_of(user, guild), self.clock())
        return await self.direct()

    async def begin(self, home: int = 4, guest: int = 4, game: AnyGame = GAME) -> Contest:
        await self.sign_up(home, guest, game)
        return await self.wait(SIGN_UP)

    async def wait(self, span: int) -> Contest:
        await pass_time(self.store, self.clock, span)
        return await self.direct()

    async def match(self, board: Board) -> Match:
        assert board.match is not None
        return await load_match(self.store, board.match)

    async def move(self, number: MatchId | None) -> None:
        """Plays the first legal move of a game."""
        assert number is not None
        match = await load_match(self.store, number)
        user = match.players[match.position.to_act]
        move = str(next(iter(match.position.moves())))
        await self.use_cases.matches.move(number, user, move, self.clock(), IdempotencyKey(next(_keys)))

    async def play(self, board: Board, loser: Side) -> None:
        """Brings a game under way, and lets the player of a side resign."""
        for _ in range(2):
            await self.move(board.match)
        user = (await self.contest()).users_of(board)[loser]
        assert board.match is not None
        await self.use_cases.matches.resign(board.match, user, self.clock(), IdempotencyKey(next(_keys)))


@pytest.fixture
async def arena(store: Database, clock: StoppedClock) -> Arena:
    use_cases = UseCases.over(store, seeds=lambda: 4)
    display = Display()
    return Arena(store, clock, use_cases, display, make_team_director(use_cases, display))


def make_team_director(use_cases: UseCases, display: Display, left: MembersLeft = nobody_left) -> ContestDirector:
    return ContestDirector(
        use_cases.store,
        kept_posts(use_cases.store, display.keepers),
        called_games(use_cases, left),
        use_cases.capacity,
        use_cases.votes,
        display,
    )


async def test_each_game_is_played_on_both_servers_by_the_players_of_its_pair(arena: Arena) -> None:
    contest = await arena.begin()
    assert (contest.stage, len(contest.boards)) == (Stage.RUNNING, 4)
    for board in contest.boards:
        match = await arena.match(board)
        assert match.away is not None
        assert (match.guild, match.away.guild) == (HOME, GUEST)
        assert (match.parent, match.away.parent) == (contest.home.channel, GUEST_TEAM.channel)
        assert [int(match.channel), int(match.away.channel)] == [each and int(each) for each in board.calls]
        home, guest = contest.users_of(board)
        assert match.players == ((home, guest) if board.first is Side.HOME else (guest, home))
        assert match.players[match.away.seat] == guest
    assert sorted(arena.display.called) == sorted((side, n, 0) for side in Side for n in range(1, 5))


async def test_too_few_players_call_it_off_with_words(arena: Arena) -> None:
    contest = await arena.begin(4, 2)
    assert contest.cause is Cause.TOO_FEW
    assert arena.display.told == [(side, "cancelled.too-few") for side in Side]


async def test_who_has_left_their_server_by_the_end_of_the_sign_up_is_not_paired(arena: Arena) -> None:
    away, other = members(Side.GUEST, 1)[0], members(Side.HOME, 1)[0]

    async def left(guild: GuildId, users: Collection[UserId]) -> frozenset[UserId]:
        return frozenset({away, other}.intersection(users) if guild == GUEST else ())

    arena.director = make_team_director(arena.use_cases, arena.display, left)
    contest = await arena.begin(4, 4)
    assert len(contest.boards) == 3
    playing = {user for board in contest.boards for user in contest.users_of(board)}
    assert away not in playing


async def test_nobody_plays_a_code_that_has_expired(arena: Arena) -> None:
    await arena.use_cases.contests.challenge(invitation())
    contest = await arena.wait(CODE_MILLIS)
    assert contest.cause is Cause.EXPIRED
    assert (arena.display.told, arena.display.shown) == ([(Side.HOME, "cancelled.expired")], [])


async def test_a_contest_ends_with_its_last_game_and_both_are_told_once(arena: Arena) -> None:
    contest = await arena.begin(3, 3)
    for board, loser in zip(contest.boards, (Side.GUEST, Side.HOME, Side.GUEST), strict=True):
        await arena.play(board, loser)
    contest = await arena.wait(0)
    assert [board.points for board in contest.boards] == [WON, LOST, WON]
    assert (contest.stage, contest.score.winner) == (Stage.ENDED, Side.HOME)
    await arena.wait(DAY)
    assert arena.display.told == [(side, "ended") for side in Side]


async def test_a_message_is_edited_once_a_minute(arena: Arena) -> None:
    contest = await arena.begin(4, 4)
    before = len(arena.display.shown)
    for board in contest.boards[:3]:
        await arena.play(board, Side.GUEST)
        await arena.wait(1000)
    assert len(arena.display.shown) == before
    await arena.wait(60_000)
    assert len(arena.display.shown) == before + 2


async def test_a_substitute_takes_the_seat_of_one_who_does_not_come(arena: Arena) -> None:
    contest = await arena.begin(5, 5)
    board = contest.boards[0]
    late = contest.users_of(board)[board.first]
    contest = await arena.wait(NO_SHOW_MILLIS - HOUR)
    assert contest.users_of(contest.boards[0])[board.first] == late
    contest = await arena.wait(HOUR)
    again = contest.boards[0]
    substitute = members(board.first, 5)[4]
    assert contest.users_of(again)[board.first] == substitute
    assert (again.tries, again.match != board.match, again.came) == (1, True, (board.first,))
    assert (await arena.match(board)).outcome is not None
    assert substitute in (await arena.match(again)).players


async def test_the_second_player_has_two_days_from_their_own_turn(arena: Arena) -> None:
    contest = await arena.begin(5, 5)
    board = contest.boards[0]
    for other in contest.boards[1:]:
        for _ in range(2):
            await arena.move(other.match)
    await arena.wait(DAY)
    await arena.move(board.match)
    contest = await arena.wait(NO_SHOW_MILLIS - HOUR)
    assert contest.boards[0].match == board.match
    contest = await arena.wait(HOUR)
    assert contest.boards[0].tries == 1
    assert contest.users_of(contest.boards[0])[board.first] == contest.users_of(board)[board.first]


async def test_a_game_under_way_has_no_substitutes(arena: Arena) -> None:
    contest = await arena.begin(5, 5)
    board = contest.boards[0]
    for _ in range(2):
        await arena.move(board.match)
    user = contest.users_of(board)[Side.HOME]
    await arena.use_cases.contests.leave(contest.id, user)
    contest = await arena.wait(NO_SHOW_MILLIS + HOUR)
    assert (contest.boards[0].match, contest.boards[0].tries) == (board.match, 0)


async def test_without_a_substitute_the_clock_decides_and_then_the_one_who_came_has_the_point(arena: Arena) -> None:
    contest = await arena.begin(3, 3)
    board = contest.boards[0]
    contest = await arena.wait(NO_SHOW_MILLIS)
    assert contest.boards[0].match == board.match
    await pass_time(arena.store, arena.clock, DAY + HOUR)
    await arena.use_cases.clocks.flag_overdue()
    contest = await arena.direct()
    assert contest.boards[0].points == (LOST if board.first is Side.HOME else WON)
    assert contest.boards[0].unplayed


async def test_one_who_leaves_is_replaced_within_a_minute(arena: Arena) -> None:
    contest = await arena.begin(4, 5)
    board = contest.boards[1]
    guest = contest.users_of(board)[Side.GUEST]
    await arena.use_cases.contests.leave(contest.id, guest)
    contest = await arena.wait(60_000)
    assert contest.users_of(contest.boards[1])[Side.GUEST] == members(Side.GUEST, 5)[4]
    assert contest.number_of(guest) is None


async def test_a_deleted_player_is_replaced(arena: Arena) -> None:
    contest = await arena.begin(4, 5)
    guest = contest.users_of(contest.boards[1])[Side.GUEST]
    async with arena.store.write() as tx:
        await tx.privacy.forget(guest)
    contest = await arena.wait(60_000)
    assert contest.users_of(contest.boards[1])[Side.GUEST] == members(Side.GUEST, 5)[4]


async def test_both_servers_cancel_together_and_the_games_go_on(arena: Arena) -> None:
    contest = await arena.begin()
    await arena.use_cases.contests.withdraw(contest.id, HOME, UserId(1), arena.clock())
    await arena.wait(60_000)
    assert arena.display.told == [(Side.GUEST, f"proposed:{BEGINS}")]
    await arena.use_cases.contests.withdraw(contest.id, GUEST, UserId(1), arena.clock())
    contest = await arena.wait(0)
    assert contest.cause is Cause.AGREED
    assert (await arena.match(contest.boards[0])).outcome is None


async def test_a_proposal_that_nobody_confirms_is_forgotten(arena: Arena) -> None:
    contest = await arena.begin()
    for board in contest.boards:
        for _ in range(2):
            await arena.move(board.match)
    await arena.use_cases.contests.withdraw(contest.id, HOME, UserId(1), arena.clock())
    contest = await arena.wait(CANCEL_MILLIS)
    assert (contest.proposed_by, contest.stage) == (None, Stage.RUNNING)


async def test_a_server_that_is_closed_to_the_bot_holds_up_no_message_of_the_other(arena: Arena) -> None:
    await arena.sign_up(4, 4)
    arena.display.closed.add(Side.HOME)
    await pass_time(arena.store, arena.clock, SIGN_UP)
    with pytest.raises(RetryLater):
        await arena.direct()
    contest = await arena.contest()
    assert (Side.GUEST, contest.version) in arena.display.shown
    with pytest.raises(RetryLater):
        await arena.direct()
    assert arena.display.keepers.told == [(contest.home.manager, PostProblem.PERMISSION)]
    arena.display.closed.clear()
    contest = await arena.wait(60_000)
    assert all(board.match for board in contest.boards)
    assert len(arena.display.called) == 8


async def wait_in_vain(arena: Arena, span: int) -> None:
    """Lets time pass, after which a side cannot be reached."""
    await pass_time(arena.store, arena.clock, span)
    with pytest.raises(RetryLater):
        await arena.direct()


async def test_a_server_without_a_channel_for_a_month_loses_the_pairs_that_have_not_begun(arena: Arena) -> None:
    await arena.sign_up(4, 4)
    arena.display.gone.add(Side.GUEST)
    await wait_in_vain(arena, SIGN_UP)
    assert arena.display.keepers.told == [(GUEST_TEAM.manager, PostProblem.CHANNEL)]
    contest = await arena.wait(MAX_GONE_MILLIS + 1)
    assert contest.stage is Stage.ENDED
    assert (Side.HOME, "ended") in arena.display.told
    [post] = arena.display.keepers.ended
    assert (post.key.side, sorted(post.players)) == (Side.GUEST, sorted(members(Side.GUEST, 4)))


async def test_a_contest_goes_on_in_the_channel_that_its_manager_chooses(arena: Arena) -> None:
    contest = await arena.sign_up(4, 4)
    arena.display.gone.add(Side.GUEST)
    await wait_in_vain(arena, SIGN_UP)
    arena.display.gone.clear()
    key = contest.post(Side.GUEST).key
    await arena.use_cases.places.move(key, ChannelId(78), BORIS, arena.clock())
    contest = await arena.wait(60_000)
    assert contest.team(Side.GUEST).channel == 78
    assert all(board.match for board in contest.boards)
    assert (await arena.use_cases.places.find(key)).keeper == BORIS


async def test_two_processes_begin_each_game_once(store: Database, clock: StoppedClock) -> None:
    use_cases, display = UseCases.over(store, seeds=lambda: 4), Display()
    directors = [make_team_director(use_cases, display) for _ in range(2)]
    arena = Arena(store, clock, use_cases, display, directors[0])
    contest = await arena.sign_up(4, 4)
    await pass_time(store, clock, SIGN_UP)
    for _ in range(6):
        await process_side_by_side(contest.id, *directors)
    contest = await arena.direct()
    assert all(board.match for board in contest.boards)
    async with store.read() as reader:
        assert await reader.matches.count_open() == 4


async def test_slow_pairs_are_judged_when_the_time_of_the_contest_is_over(arena: Arena) -> None:
    """Judges equal scores as a draw, and who lets the other wait for a first move as the loser."""
    contest = await arena.begin()
    assert contest.ends == BEGINS + TIME
    for board in contest.boards[:2]:
        for _ in range(3):
            await arena.move(board.match)
    over = await arena.wait(TIME)
    assert over.stage is Stage.ENDED
    assert [board.points for board in over.boards[:2]] == [(0.5, 0.5)] * 2
    assert all(board.points in {WON, LOST} for board in over.boards[2:])
    assert over.score.decided == 4


async def test_a_game_of_two_servers_counts_for_each_player_on_their_own_server(arena: Arena) -> None:
    contest = await arena.begin(game=make_game("zagram", {"size": "10x10"}))
    for board, loser in zip(contest.boards, (Side.HOME, Side.GUEST, Side.GUEST, Side.HOME), strict=True):
        await arena.play(board, loser)
    pool = pool_of(contest.terms.game, contest.terms.control)
    async with arena.store.read() as reader:
        for guild, side in ((HOME, Side.HOME), (GUEST, Side.GUEST)):
            listed = await reader.leaderboards.leaders(pool, guild, 0, 20)
            scored = await reader.leaderboards.scorers(Season.at(arena.clock()), pool, guild, 0, 20)
            assert sorted(each.user for each in listed) == members(side, 4)
            assert {each.user for each in scored} <= set(members(side, 4))
        assert len(await reader.leaderboards.leaders(pool, None, 0, 20)) == 8


async def test_the_games_of_a_contest_are_rated_by_its_terms(arena: Arena) -> None:
    contest = await arena.begin(3, 3)
    board = contest.boards[0]
    match = await arena.match(board)
    async with arena.store.read() as reader:
        challenge = await reader.challenges.of_match(match.id)
    assert challenge is not None
    assert (challenge.terms.rated, challenge.guild) == (True, HOME)


async def test_a_server_that_removes_the_bot_loses_what_has_not_begun_and_its_games_go_on(arena: Arena) -> None:
    contest = await arena.begin(4, 4)
    await arena.use_cases.forget_guild(GUEST)
    contest = await arena.wait(60_000)
    assert (contest.stage, contest.team(Side.GUEST).gone) == (Stage.RUNNING, True)
    before = len(arena.display.shown)
    await arena.wait(NO_SHOW_MILLIS + DAY + HOUR)
    await arena.use_cases.clocks.flag_overdue()
    contest = await arena.wait(60_000)
    assert contest.stage is Stage.ENDED
    assert {side for side, _ in arena.display.shown[before:]} == {Side.HOME}
    assert arena.display.told == [(Side.HOME, "ended")]


async def test_a_server_that_removes_the_bot_before_the_games_cancels_them(arena: Arena) -> None:
    await arena.sign_up(4, 4)
    await arena.use_cases.forget_guild(HOME)
    contest = await arena.wait(60_000)
    assert contest.cause is Cause.CHANNEL
    assert arena.display.told == [(Side.GUEST, "cancelled.channel")]


async def begin_votes(arena: Arena) -> None:
    """Has a vote game of both servers accepted."""
    invited = replace(invitation(Kind.VOTE, key=77), sign_up=None, period=Millis(DAY), quorum=5)
    await arena.use_cases.contests.challenge(invited)
    await arena.use_cases.contests.accept(LETTERS, GUEST_TEAM, arena.clock())


async def test_a_vote_game_begins_once_for_both_servers_and_its_result_is_that_of_the_contest(arena: Arena) -> None:
    await begin_votes(arena)
    contest = await arena.direct()
    (board,) = contest.boards
    match = await arena.match(board)
    assert match.away is not None
    assert (match.guild, match.away.guild, match.position.to_act) == (HOME, GUEST, match.away.seat)
    for move in ("a1", "a2"):
        user = (await arena.match(board)).players[(await arena.match(board)).position.to_act]
        await arena.use_cases.matches.move(match.id, user, move, arena.clock(), IdempotencyKey(next(_keys)))
    account = match.players[match.away.seat]
    await arena.use_cases.matches.resign(match.id, account, arena.clock(), IdempotencyKey(next(_keys)))
    contest = await arena.direct()
    assert (contest.stage, contest.score.winner) == (Stage.ENDED, Side.HOME)
    async with arena.store.read() as reader:
        assert await reader.matches.count_begun() == 1


async def test_each_server_has_the_quorum_of_the_contest_and_nights_of_its_own(arena: Arena) -> None:
    await arena.use_cases.homes.settle(GUEST, ChannelId(81), "Asia/Kolkata", UserId(2))
    await begin_votes(arena)
    (board,) = (await arena.direct()).boards
    match = await arena.match(board)
    sides = {side.guild: side for side in await arena.use_cases.votes.sides_of(match.id)}
    assert {side.quorum for side in sides.values()} == {5}
    nights = {guild: match.clock.schedules[side.seat] for guild, side in sides.items()}
    assert nights == {HOME: ClockSchedule(), GUEST: ClockSchedule(ZoneInfo("Asia/Kolkata"), USUAL_NIGHT)}


async def test_a_vote_game_waits_where_a_server_has_too_many_and_both_see_the_contest(arena: Arena) -> None:
    games = [await votes.begin(arena.use_cases, votes.a_game(channel=n)) for n in range(1, MAX_VOTE_GAMES + 1)]
    await begin_votes(arena)
    with pytest.raises(RetryLater):
        await arena.direct()
    assert {side for side, _ in arena.display.shown} == {*Side}
    await arena.use_cases.matches.resign(games[0][0].id, BORIS, arena.clock(), IdempotencyKey(next(_keys)))
    await votes.a_counter(arena.use_cases).poll()
    contest = await arena.direct()
    assert contest.boards[0].match is not None
    assert len(arena.display.called) == 2
