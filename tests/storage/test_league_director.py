"""A league runs by itself: seasons begin and end on their days, with players who drop out and posts that fail."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager
from itertools import count

import pytest

from play.community.ban import Ban
from play.competitions.league import League, NoticeKind, Presence, first_season
from play.competitions.season import SEASON_MILLIS, LeagueGame, Season
from play.ids import GuildId, Millis, UserId
from play.match.match import Match
from play.match.points import DRAWN, LOST, WON
from play.posts import PostProblem
from storage import Database
from storage.unit_of_work import Transaction
from tests.clock import DAY, HOUR, NOON, StoppedClock
from tests.director import PROGRAM, post_boards
from tests.league_director import KEEPER, NotingDisplay, direct_league, make_league_director, open_league
from tests.matches import GUILD, load_match, pass_time, play_turn, save_match
from tests.same_database import SameDatabase
from tests.workers import process_side_by_side
from use_cases import UseCases
from use_cases.competitions.league_director import EDIT_MILLIS, JOINING_MILLIS
from use_cases.match_writer import automatic_key
from use_cases.worker import ChannelClosed, RetryLater, Undeliverable

BEGINS = first_season(NOON)
ENDS = Millis(BEGINS + SEASON_MILLIS)


@pytest.fixture
def use_cases(store: Database) -> UseCases:
    return UseCases.over(store, seeds=lambda: 4)


@pytest.fixture
def display() -> NotingDisplay:
    return NotingDisplay()


def season_of(league: League) -> Season:
    assert league.season is not None
    return league.season


async def at(clock: StoppedClock, use_cases: UseCases, display: NotingDisplay, moment: int) -> League:
    """Lets time pass until a moment; returns the league after all that is due then."""
    clock.advance(moment - clock())
    return await direct_league(make_league_director(use_cases, display), use_cases)


async def match_of(use_cases: UseCases, game: LeagueGame) -> Match:
    assert game.match is not None
    return await load_match(use_cases.store, game.match)


async def lose(use_cases: UseCases, game: LeagueGame, user: UserId, now: Millis) -> None:
    """Lets `user` resign a game in which both have moved."""
    match = await match_of(use_cases, game)
    for _ in range(2):
        match = play_turn(match, at_once=True)
        await save_match(use_cases.store, match)
    await use_cases.matches.resign(match.id, user, now, automatic_key(match))


def running_games(league: League) -> list[LeagueGame]:
    return [game for game in season_of(league).games if game.is_running]


async def test_a_season_begins_on_its_day_and_its_first_games_with_it(
    clock: StoppedClock, use_cases: UseCases, display: NotingDisplay
) -> None:
    await open_league(use_cases, *range(101, 109))
    league = await at(clock, use_cases, display, BEGINS - 1)
    assert league.season is None
    league = await at(clock, use_cases, display, BEGINS)
    assert season_of(league).ends == ENDS
    assert display.told == [(NoticeKind.BEGUN, 1)]
    games = running_games(league)
    assert len(games) == len(display.calls) == 1
    match = await match_of(use_cases, games[0])
    assert match.players == games[0].users
    assert str(match.clock.control) == "3d"
    league = await at(clock, use_cases, display, season_of(league).due)
    assert len(running_games(league)) == 2


async def test_results_are_counted_and_a_new_season_follows_on_the_day(
    clock: StoppedClock, use_cases: UseCases, display: NotingDisplay
) -> None:
    await open_league(use_cases, 101, 102, 103)
    league = await at(clock, use_cases, display, BEGINS)
    for _ in range(3):
        league = await at(clock, use_cases, display, season_of(league).due if not running_games(league) else clock())
        [game] = running_games(league)
        await lose(use_cases, game, game.second, clock())
        league = await at(clock, use_cases, display, clock())
    assert {game.points for game in season_of(league).games} == {WON}
    league = await at(clock, use_cases, display, ENDS)
    assert [kind for kind, _ in display.told] == [NoticeKind.BEGUN, NoticeKind.ENDED, NoticeKind.BEGUN]
    assert season_of(league).number == 2
    assert season_of(league).begins == ENDS


async def test_a_game_that_goes_on_at_the_end_is_judged(
    clock: StoppedClock, use_cases: UseCases, display: NotingDisplay
) -> None:
    await open_league(use_cases, 101, 102, 103)
    league = await at(clock, use_cases, display, BEGINS)
    [game] = running_games(league)
    match = play_turn(await match_of(use_cases, game), at_once=True)
    await save_match(use_cases.store, match)
    league = await at(clock, use_cases, display, ENDS)
    async with use_cases.store.read() as reader:
        season = await reader.leagues.season(GUILD, 1)
    assert season is not None
    judged = next(each for each in season.games if each.match == match.id)
    assert judged.points == WON  # the second player has kept the other waiting
    assert {each.points for each in season.games if each.match is None} <= {DRAWN}
    assert league.seasons == 2


async def let_time_run_out(clock: StoppedClock, use_cases: UseCases, display: NotingDisplay) -> League:
    """Lets the time run out in all games that go on; returns the league after that."""
    await post_boards(use_cases)
    await pass_time(use_cases.store, clock, 4 * DAY)
    await use_cases.clocks.flag_overdue()
    return await at(clock, use_cases, display, clock())


def missed(display: NotingDisplay) -> int:
    return [kind for kind, _ in display.told].count(NoticeKind.MISSED)


async def miss_twice(clock: StoppedClock, use_cases: UseCases, display: NotingDisplay) -> tuple[League, UserId]:
    """Lets a player miss two games of their own; returns the league then, and the player."""
    await open_league(use_cases, *range(101, 109))
    league = await at(clock, use_cases, display, BEGINS)
    missing = running_games(league)[0].first
    league = await let_time_run_out(clock, use_cases, display)
    while not league.season or missing not in league.season.divisions[0].gone:
        league = await at(clock, use_cases, display, max(clock(), season_of(league).due))
        for game in running_games(league):
            match = await match_of(use_cases, game)
            if missing in game.users and match.players[0] != missing:
                await save_match(use_cases.store, play_turn(match, at_once=True))
            elif missing not in game.users:
                await lose(use_cases, game, game.first, clock())
        league = await let_time_run_out(clock, use_cases, display)
        assert clock() < ENDS
    return league, missing


async def test_one_missed_first_move_is_a_loss_that_the_player_is_told(
    clock: StoppedClock, use_cases: UseCases, display: NotingDisplay
) -> None:
    await open_league(use_cases, *range(101, 109))
    league = await at(clock, use_cases, display, BEGINS)
    game = running_games(league)[0]
    league = await let_time_run_out(clock, use_cases, display)
    counted = next(each for each in season_of(league).games if each.match == game.match)
    assert (counted.points, counted.unplayed) == (LOST, True)
    assert league.member(game.first).presence is Presence.PLAYING
    assert season_of(league).divisions[0].gone == frozenset()
    assert missed(display) == 1


async def test_after_a_second_one_the_player_is_out_and_the_computer_plays_for_them(
    clock: StoppedClock, use_cases: UseCases, display: NotingDisplay
) -> None:
    league, missing = await miss_twice(clock, use_cases, display)
    assert league.member(missing).presence is Presence.AWAY
    own = [each for each in season_of(league).games if missing in each.users]
    assert [each.points[each.users.index(missing)] for each in own if each.points and each.taken is None] == [0.0] * 2
    assert missed(display) == 2
    assert len(own) == 7
    league = await at(clock, use_cases, display, season_of(league).last_call + 2 * DAY)
    begun = [each for each in season_of(league).games if each.taken == missing and each.match]
    assert len(begun) == 5
    for each in begun:
        match = await match_of(use_cases, each)
        seat = each.users.index(missing)
        assert match.players[seat] == PROGRAM
        assert match.players[1 - seat] == each.users[1 - seat]
        async with use_cases.store.read() as reader:
            challenge = await reader.challenges.of_match(match.id)
        assert challenge is not None
        assert challenge.terms.level == season_of(league).divisions[0].level


async def test_who_is_out_may_join_again(clock: StoppedClock, use_cases: UseCases, display: NotingDisplay) -> None:
    _, missing = await miss_twice(clock, use_cases, display)
    await use_cases.leagues.join(GUILD, missing, clock())
    league = await at(clock, use_cases, display, ENDS)
    assert missing in season_of(league).users


async def test_players_of_whom_one_blocks_the_other_have_half_a_point_each_without_a_game(
    clock: StoppedClock, use_cases: UseCases, display: NotingDisplay
) -> None:
    await open_league(use_cases, 101, 102, 103)
    await use_cases.blocks.block(UserId(101), UserId(102), NOON)
    league = await at(clock, use_cases, display, BEGINS)
    for _ in range(2):
        league = await at(clock, use_cases, display, max(clock(), season_of(league).due))
        for game in running_games(league):
            await lose(use_cases, game, game.first, clock())
        league = await at(clock, use_cases, display, clock())
    [apart] = [each for each in season_of(league).games if {*each.users} == {101, 102}]
    assert (apart.match, apart.points, apart.unplayed) == (None, DRAWN, True)
    assert apart not in display.calls
    assert [kind for kind, _ in display.told] == [NoticeKind.BEGUN, NoticeKind.UNPLAYED]


async def test_who_has_left_the_server_is_neither_paired_nor_called(
    clock: StoppedClock, use_cases: UseCases, display: NotingDisplay
) -> None:
    away: set[UserId] = {UserId(104)}

    async def left(guild: GuildId, users: Collection[UserId]) -> frozenset[UserId]:
        return frozenset(away.intersection(users))

    director = make_league_director(use_cases, display, left=left)
    await open_league(use_cases, *range(101, 109))
    clock.advance(BEGINS - NOON)
    league = await direct_league(director, use_cases)
    assert UserId(104) not in season_of(league).users
    assert league.member(UserId(104)).presence is Presence.AWAY
    away.add(UserId(105))
    for _ in range(30):
        clock.advance(max(0, season_of(league).due - clock()))
        if clock() >= ENDS:
            break
        league = await direct_league(director, use_cases)
        for game in running_games(league):
            await lose(use_cases, game, game.people[0], clock())
    assert all(UserId(105) not in call.people for call in display.calls)
    assert season_of(league).divisions[0].gone == {105}
    away.clear()
    await use_cases.leagues.join(GUILD, UserId(105), clock())
    assert {104, 105} <= {*(await use_cases.leagues.load(GUILD)).users}


async def test_a_banned_player_leaves_the_league(
    clock: StoppedClock, use_cases: UseCases, display: NotingDisplay
) -> None:
    await open_league(use_cases, *range(101, 109))
    await at(clock, use_cases, display, BEGINS)
    await use_cases.bans.ban(Ban(GUILD, UserId(103), KEEPER, clock()))
    league = await at(clock, use_cases, display, clock())
    assert UserId(103) not in league.users
    assert season_of(league).divisions[0].gone == {UserId(103)}


async def test_after_days_of_downtime_the_season_ends_with_its_date(
    clock: StoppedClock, use_cases: UseCases, display: NotingDisplay
) -> None:
    await open_league(use_cases, 101, 102, 103)
    await at(clock, use_cases, display, BEGINS)
    league = await at(clock, use_cases, display, ENDS + 3 * DAY)
    assert season_of(league).number == 2
    assert season_of(league).begins == ENDS
    assert season_of(league).ends == ENDS + SEASON_MILLIS


async def test_a_closed_channel_stops_no_season_and_its_keeper_is_told_once(
    clock: StoppedClock, use_cases: UseCases, display: NotingDisplay
) -> None:
    await open_league(use_cases, 101, 102, 103)
    director = make_league_director(use_cases, display)
    display.fails = ChannelClosed("no rights")
    clock.advance(BEGINS - NOON)
    for moment in (BEGINS, BEGINS + HOUR, ENDS, ENDS + HOUR):
        clock.advance(moment - clock())
        with pytest.raises(RetryLater):
            await director.process(GUILD)
    assert display.keepers.told == [(KEEPER, PostProblem.PERMISSION)]
    async with use_cases.store.read() as reader:
        season = await reader.leagues.season(GUILD, 1)
        league = await reader.leagues.get(GUILD)
    assert season is not None
    assert {game.points for game in season.games} == {DRAWN}
    assert league is not None
    assert season_of(league).number == 2
    display.fails = None
    league = await at(clock, use_cases, display, ENDS + 2 * HOUR)
    assert len(running_games(league)) == 1
    assert league.pending_notices == ()
    display.fails = ChannelClosed("no rights again")
    clock.advance(season_of(league).due - clock())
    with pytest.raises(RetryLater):
        await director.process(GUILD)
    assert display.keepers.told == [(KEEPER, PostProblem.PERMISSION)] * 2


async def test_a_league_whose_channel_is_gone_moves_where_its_manager_opens_it(
    clock: StoppedClock, use_cases: UseCases, display: NotingDisplay
) -> None:
    league = await open_league(use_cases, 101, 102, 103)
    display.fails = Undeliverable("gone")
    with pytest.raises(RetryLater):
        await make_league_director(use_cases, display).process(GUILD)
    assert display.keepers.told == [(KEEPER, PostProblem.CHANNEL)]
    display.fails = None
    moved = League(GUILD, type(league.channel)(4002), KEEPER, league.terms, league.begins)
    await use_cases.leagues.move(GUILD, moved.channel, moved.keeper)
    league = await at(clock, use_cases, display, BEGINS)
    assert league.users == (101, 102, 103)
    assert league.channel == 4002
    assert len(running_games(league)) == 1


async def test_two_directors_begin_each_game_once(clock: StoppedClock, use_cases: UseCases) -> None:
    await open_league(use_cases, *range(101, 118))
    clock.advance(BEGINS + DAY - NOON)
    displays = NotingDisplay(), NotingDisplay()
    directors = [make_league_director(use_cases, display) for display in displays]
    for _ in range(12):
        await process_side_by_side(GUILD, *directors)
    league = await direct_league(directors[0], use_cases)
    begun = [game.match for game in season_of(league).games if game.match]
    assert len(begun) == len(set(begun)) == 4  # of 64, in the first of 21 days
    async with use_cases.store.read() as reader:
        assert await reader.matches.count_open() == 4


class Overtaken(SameDatabase):
    """The store of a process that is overtaken by another one after its first transaction."""

    def __init__(self, store: Database, overtake: Callable[[], Awaitable[object]]) -> None:
        super().__init__(store)
        self._overtake, self._writes = overtake, count()

    @asynccontextmanager
    async def write(self) -> AsyncIterator[Transaction]:
        async with super().write() as tx:
            yield tx
        if next(self._writes) == 0:
            await self._overtake()


async def test_a_director_that_is_overtaken_does_not_end_the_next_season(
    clock: StoppedClock, store: Database, use_cases: UseCases, display: NotingDisplay
) -> None:
    await open_league(use_cases, *range(101, 118))
    await at(clock, use_cases, display, BEGINS)
    clock.advance(ENDS - clock())
    fast = make_league_director(use_cases, display)
    slow = UseCases.over(Overtaken(store, lambda: direct_league(fast, use_cases)), seeds=lambda: 4)
    await make_league_director(slow, display).process(GUILD)
    league = await use_cases.leagues.load(GUILD)
    assert (league.seasons, season_of(league).number) == (2, 2)
    assert [kind for kind, _ in display.told] == [NoticeKind.BEGUN, NoticeKind.ENDED, NoticeKind.BEGUN]


@pytest.mark.parametrize(("start", "pause"), [(NOON, JOINING_MILLIS), (BEGINS, EDIT_MILLIS)])
async def test_the_table_is_edited_seldom_in_a_season_and_soon_before_one(
    clock: StoppedClock, use_cases: UseCases, display: NotingDisplay, start: int, pause: int
) -> None:
    await open_league(use_cases, 101, 102, 103)
    await at(clock, use_cases, display, start)
    edits = len(display.shown)
    for number in range(8):
        await use_cases.leagues.join(GUILD, UserId(200 + number), clock())
        await at(clock, use_cases, display, start + (number + 1) * pause // 4)
    assert len(display.shown) - edits == 2


async def test_the_table_is_pinned_as_long_as_the_manager_wishes(
    clock: StoppedClock, use_cases: UseCases, display: NotingDisplay
) -> None:
    await open_league(use_cases, 101, 102, 103)
    await use_cases.leagues.set_pins(GUILD, KEEPER, pins=True)
    league = await at(clock, use_cases, display, NOON)
    assert league.message is not None
    assert display.pins == [(league.message, True)]
    await use_cases.leagues.set_pins(GUILD, KEEPER, pins=False)
    league = await at(clock, use_cases, display, NOON)
    assert display.pins == [(league.message, True), (league.message, False)]
    assert league.pinned is None


async def test_a_league_of_two_waits_and_says_so_once(
    clock: StoppedClock, use_cases: UseCases, display: NotingDisplay
) -> None:
    await open_league(use_cases, 101, 102)
    for week in range(3):
        await at(clock, use_cases, display, BEGINS + week * 7 * DAY)
    assert display.told == [(NoticeKind.WAITING, 0)]
    await use_cases.leagues.join(GUILD, UserId(103), clock())
    league = await at(clock, use_cases, display, BEGINS + 3 * 7 * DAY)
    assert season_of(league).number == 1
    assert season_of(league).begins == BEGINS + 3 * 7 * DAY


async def test_thirty_clicks_on_join_make_one_member(use_cases: UseCases) -> None:
    await open_league(use_cases, 101)
    clicks = [use_cases.leagues.join(GUILD, UserId(102), NOON) for _ in range(30)]
    done = await asyncio.gather(*clicks, return_exceptions=True)
    refusals = Counter(str(each) for each in done if isinstance(each, Exception))
    assert sum(refusals.values()) == 29
    assert (await use_cases.leagues.load(GUILD)).users == (101, 102)


async def test_who_leaves_in_mid_season_still_plays_or_loses_what_has_begun(
    clock: StoppedClock, use_cases: UseCases, display: NotingDisplay
) -> None:
    await open_league(use_cases, *range(101, 109))
    league = await at(clock, use_cases, display, BEGINS)
    game = running_games(league)[0]
    await use_cases.leagues.leave(GUILD, game.first, clock())
    league = await at(clock, use_cases, display, clock())
    assert game in running_games(league)
    match = await match_of(use_cases, game)
    assert not match.outcome
    assert match.players == game.users
    await lose(use_cases, game, game.first, clock())
    league = await at(clock, use_cases, display, clock())
    assert next(each for each in season_of(league).games if each.match == game.match).points == LOST


@pytest.mark.contest
async def test_a_league_runs_for_seasons_without_a_manual_act(clock: StoppedClock, use_cases: UseCases) -> None:
    """Lives through three seasons of 24 players: 30 % drop out of each, and directors are killed all the time."""
    chance, display, users = random.Random(7), NotingDisplay(), iter(range(1000, 2000))
    await open_league(use_cases, *range(101, 125))
    for number in range(1, 4):
        begins = Millis(BEGINS + (number - 1) * SEASON_MILLIS)
        league = await at(clock, use_cases, display, begins)
        season = season_of(league)
        assert (season.number, season.begins, season.ends) == (number, begins, begins + SEASON_MILLIS)
        leaving = {user for user in season.users if chance.random() < 0.3}
        while clock() < season.ends:
            for game in running_games(league):
                if chance.random() < 0.6:
                    await lose(use_cases, game, chance.choice(game.people), clock())
            for user in [user for user in leaving if chance.random() < 0.1]:
                leaving.discard(user)
                await use_cases.leagues.leave(GUILD, user, clock())
            moment = min(season.ends - 1, max(season_of(league).due, clock() + 6 * HOUR))
            league = await at(clock, use_cases, display, moment)
            if moment == season.ends - 1:
                break
        while len(league.users) < 24:
            await use_cases.leagues.join(GUILD, UserId(next(users)), clock())
            league = await use_cases.leagues.load(GUILD)
    await at(clock, use_cases, display, BEGINS + 3 * SEASON_MILLIS)
    async with use_cases.store.read() as reader:
        for number in range(1, 4):
            past = await reader.leagues.season(GUILD, number)
            assert past is not None
            assert all(game.points is not None for game in past.games)
            assert any(game.taken is not None and game.match is not None for game in past.games)
    assert [notice for notice in display.told if notice[0] is NoticeKind.ENDED] == [
        (NoticeKind.ENDED, number) for number in range(1, 4)
    ]
    assert display.keepers.told == []
