"""Leagues come back as they were stored, and are found when they need an update."""

from __future__ import annotations

from dataclasses import replace

import pytest

from play.competitions import league as leagues
from play.competitions.league import League, NoticeKind, first_season
from play.competitions.season import Season, enter_result, set_match
from play.ids import ChannelId, GuildId, MatchId, MessageId, Millis, UserId
from play.match.points import WON
from storage import Database
from storage.errors import Stale
from tests.clock import DAY, HOUR, NOON
from tests.league_director import CHANNEL, KEEPER, TERMS
from tests.matches import GUILD, a_match, add_match, resign, save_match
from tests.people import person

USERS = tuple(person(101 + number) for number in range(17))
BEGINS = first_season(NOON)


def a_league(guild: GuildId = GUILD) -> League:
    return League(guild, CHANNEL, KEEPER, TERMS, BEGINS)


async def opened(store: Database, guild: GuildId = GUILD) -> League:
    async with store.write() as tx:
        return await tx.leagues.add(a_league(guild))


async def changed(store: Database, league: League, before: League) -> League:
    async with store.write() as tx:
        return await tx.leagues.save(league, before)


async def joined(store: Database, count: int = 17) -> League:
    before = league = await opened(store)
    for user in USERS[:count]:
        league = leagues.join(league, user, NOON)
    return await changed(store, league, before)


def season_of(league: League) -> Season:
    assert league.season is not None
    return league.season


async def running(store: Database, count: int = 17) -> League:
    league = await joined(store, count)
    begun = leagues.begin_season(league, dict.fromkeys(league.users, 1500.0), BEGINS, computer=True)
    return await changed(store, begun, league)


async def found(store: Database, guild: GuildId = GUILD) -> League | None:
    async with store.read() as reader:
        return await reader.leagues.get(guild)


async def stirring(store: Database, now: Millis) -> list[GuildId]:
    async with store.read() as reader:
        return await reader.leagues.to_update(now, 10)


async def shown(store: Database, league: League, edits: int = 0) -> None:
    async with store.write() as tx:
        key, message = league.post.key, MessageId(77)
        await tx.kept_posts.mark_shown(key, league.version, message, Millis(edits), pinned=message)


async def test_a_league_comes_back_as_it_was_stored(store: Database) -> None:
    assert await found(store) is None
    league = await running(store)
    assert await found(store) == league
    assert [len(each.users) for each in season_of(league).divisions] == [8, 9]
    for act in (leagues.miss, leagues.leave):
        before, league = league, act(league, league.users[3], BEGINS)
        league = await changed(store, league, before)
        assert await found(store) == league
    before = league
    league = await changed(store, leagues.pause(league, league.users[0]), before)
    assert await found(store) == league


async def test_a_season_stays_after_its_end(store: Database) -> None:
    league = await running(store, 3)
    season = season_of(league)
    for game in season.games:
        season = enter_result(season, 0, game, WON)
    league = await changed(store, replace(league, season=season), league)
    league = await changed(store, leagues.end_season(league), league)
    async with store.read() as reader:
        assert await reader.leagues.season(GUILD, 1) == season
        assert await reader.leagues.season(GUILD, 2) is None
    assert await found(store) == league
    assert league.season is None


async def test_of_two_changes_only_one_counts(store: Database) -> None:
    league = await joined(store, 3)
    await changed(store, leagues.leave(league, USERS[0], NOON), league)
    with pytest.raises(Stale):
        await changed(store, leagues.leave(league, USERS[1], NOON), league)


async def test_a_server_has_one_league_and_another_after_it_is_closed(store: Database) -> None:
    league = await running(store, 3)
    with pytest.raises(Stale):
        await opened(store)
    await changed(store, leagues.close(league), league)
    again = await opened(store)
    assert again == await found(store)
    assert (again.seasons, again.members, again.season, again.closed) == (1, (), None, False)
    async with store.read() as reader:
        assert await reader.leagues.season(GUILD, 1) == season_of(league)


async def test_the_one_who_has_moved_a_league_last_is_its_keeper(store: Database) -> None:
    league = await opened(store)
    async with store.write() as tx:
        await tx.kept_posts.place(league.post.key, UserId(5))
        assert (await tx.kept_posts.with_keeper(league.post)).keeper == 5
        moved = await tx.leagues.save(leagues.move(league, ChannelId(6), UserId(7)), league)
        assert (await tx.kept_posts.with_keeper(moved.post)).keeper == 7


async def test_a_users_leagues_are_found(store: Database) -> None:
    await joined(store, 3)
    async with store.read() as reader:
        assert await reader.leagues.open_of(USERS[0]) == [GUILD]
        assert await reader.leagues.open_of(USERS[3]) == []


async def test_a_league_is_due_when_its_season_begins(store: Database) -> None:
    await shown(store, await joined(store, 3))
    assert await stirring(store, Millis(BEGINS - 1)) == []
    assert await stirring(store, BEGINS) == [GUILD]


async def test_a_league_is_due_for_its_next_game_and_the_end_of_its_season(store: Database) -> None:
    league = await running(store, 3)
    await shown(store, league)
    for number, game in enumerate(season_of(league).games):
        assert await stirring(store, Millis(game.begins - 1)) == []
        assert await stirring(store, game.begins) == [GUILD]
        match = await add_match(store, a_match(10 + number, game.users))
        league = await changed(store, replace(league, season=set_match(season_of(league), 0, game, match.id)), league)
    assert await stirring(store, Millis(season_of(league).ends - 1)) == []
    assert await stirring(store, season_of(league).ends) == [GUILD]


async def test_a_match_that_has_ended_has_to_be_counted(store: Database) -> None:
    league = await running(store, 3)
    await shown(store, league)
    game = next(iter(season_of(league).games))
    match = await add_match(store, a_match(10, game.users))
    league = await changed(store, replace(league, season=set_match(season_of(league), 0, game, match.id)), league)
    before = Millis(season_of(league).due - 1)
    assert await stirring(store, before) == []
    async with store.read() as reader:
        assert await reader.leagues.places_of(GUILD, game.first) == {match.id: ChannelId(10)}
        assert await reader.leagues.ended(GUILD) == set()
    await save_match(store, resign(match, game.first))
    assert await stirring(store, before) == [GUILD]
    async with store.read() as reader:
        assert await reader.leagues.ended(GUILD) == {match.id}
    started = next(each for each in season_of(league).games if each.match == match.id)
    season = enter_result(season_of(league), 0, started, WON)
    await changed(store, replace(league, season=season), league)
    assert await stirring(store, before) == []
    async with store.read() as reader:
        assert await reader.leagues.places_of(GUILD, game.first) == {}


async def test_the_table_is_edited_after_a_pause_but_for_a_notice_at_once(store: Database) -> None:
    league = await joined(store, 3)
    assert await stirring(store, NOON) == [GUILD]
    await shown(store, league, Millis(NOON + 4 * HOUR))
    assert await stirring(store, NOON) == []
    stored = await found(store)
    assert stored is not None
    league = await changed(store, leagues.leave(stored, USERS[0], NOON), stored)
    assert await stirring(store, Millis(NOON + 4 * HOUR - 1)) == []
    assert not league.is_behind(Millis(NOON + 4 * HOUR - 1))
    assert await stirring(store, Millis(NOON + 4 * HOUR)) == [GUILD]
    assert league.is_behind(Millis(NOON + 4 * HOUR))
    league = await changed(store, league.with_notice(NoticeKind.WAITING), league)
    assert await stirring(store, NOON) == [GUILD]
    assert league.is_behind(NOON)


async def test_a_change_of_a_manager_during_an_edit_waits_for_no_pause(store: Database) -> None:
    league = await joined(store, 3)
    await changed(store, leagues.set_pins(league, pins=True), league)
    await shown(store, league, NOON + 4 * HOUR)
    assert await stirring(store, NOON) == [GUILD]


async def test_what_was_posted_is_noted(store: Database) -> None:
    league = await changed(store, (before := await joined(store, 3)).with_notice(NoticeKind.WAITING), before)
    async with store.write() as tx:
        await tx.kept_posts.mark_announced(league.post.key, league.notices[0].version)
    await shown(store, league, Millis(NOON + DAY))
    stored = await found(store)
    assert stored is not None
    assert stored.pending_notices == ()
    assert (stored.message, stored.pinned, stored.shown) == (77, 77, league.version)
    assert stored.edits == NOON + DAY
    assert MatchId(0) not in (await found_matches(store))


async def found_matches(store: Database) -> set[MatchId]:
    async with store.read() as reader:
        return await reader.leagues.ended(GUILD)


async def test_the_best_division_of_a_player_is_of_leagues_with_two_divisions_or_more(store: Database) -> None:
    async def best(user: UserId) -> int | None:
        async with store.read() as reader:
            return await reader.leagues.best_division(user)

    league = await running(store)
    by_division = {member.division: member.user for member in league.members}
    assert [await best(by_division[number]) for number in (0, 1)] == [0, 1]
    assert await best(UserId(77)) is None
    await changed(store, replace(league, closed=True), league)
    assert await best(by_division[0]) is None


async def test_a_league_of_a_few_makes_nobody_the_first_division(store: Database) -> None:
    await running(store, 5)
    async with store.read() as reader:
        assert await reader.leagues.best_division(USERS[0]) is None
