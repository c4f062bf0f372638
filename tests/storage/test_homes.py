"""Homes in the database: which are due, what they show, and yesterday's places."""

from __future__ import annotations

from dataclasses import replace

import pytest

from play.challenge.terms import Terms
from play.clock import parse_control
from play.community.home import MIN_EDIT_MILLIS, Home
from play.competitions.tournament import Format, Tournament, TournamentId
from play.ids import ChannelId, GuildId, MessageId, Millis, RoleId, UserId
from play.posts import PostProblem, PostTrouble
from storage import Database
from storage.errors import Stale
from tests.clock import DAY, NOON, StoppedClock
from tests.league import add_league, add_rated_match
from tests.matches import ANNA, BORIS, CLARA, GAME, GUILD, a_match, add_match, resign
from tests.open_channels import OPEN, StoredChannels
from use_cases.homes import load_home_content

CHANNEL = ChannelId(70)
HOME = Home(
    GUILD,
    CHANNEL,
    "Europe/Warsaw",
    RoleId(5),
    MessageId(1),
    MessageId(2),
    CHANNEL,
    3,
    NOON,
    NOON,
    "abc",
    Millis(NOON + 1),
    MessageId(4),
    NOON,
    6,
)


@pytest.fixture
async def store(url: str, clock: StoppedClock):  # type: ignore[no-untyped-def]
    """A store on each engine."""
    async with Database.open(url, now=clock) as store:
        yield store


async def save(store: Database, home: Home) -> Home:
    async with store.write() as tx:
        return await tx.homes.save(home)


async def test_a_home_is_read_as_it_was_saved(store: Database) -> None:
    saved = await save(store, HOME)
    async with store.read() as reader:
        assert await reader.homes.get(GUILD) == saved == replace(HOME, version=1)
        assert await reader.homes.get(GuildId(1)) is None


async def test_a_home_has_the_trouble_of_its_post(store: Database) -> None:
    saved = await save(store, HOME)
    async with store.write() as tx:
        await tx.kept_posts.note(HOME.post.key, PostTrouble(PostProblem.KIND, NOON))
        assert await tx.homes.get(GUILD) == replace(saved, trouble=PostProblem.KIND, failing=NOON)
        await tx.kept_posts.heal(HOME.post.key)
        assert await tx.homes.get(GUILD) == saved


async def test_of_two_changes_at_once_one_is_stale(store: Database) -> None:
    saved = await save(store, HOME)
    await save(store, replace(saved, posts=4))
    with pytest.raises(Stale):
        await save(store, replace(saved, posts=5))
    with pytest.raises(Stale):
        await save(store, HOME)


async def test_a_change_makes_a_healthy_home_due_when_it_may_be_edited(store: Database) -> None:
    late = Millis(NOON + 10 * MIN_EDIT_MILLIS)
    await save(store, replace(HOME, due=late))
    closed = await save(store, replace(HOME, guild=GuildId(8), due=late))
    async with store.write() as tx:
        await tx.kept_posts.note(closed.post.key, PostTrouble(PostProblem.KIND, NOON))
        await tx.homes.mark_changed({GUILD, GuildId(8), GuildId(9)}, NOON)
        assert await tx.homes.due(Millis(NOON + MIN_EDIT_MILLIS - 1), 9) == []
        assert await tx.homes.due(Millis(NOON + MIN_EDIT_MILLIS), 9) == [GUILD]
        await tx.homes.mark_changed({GUILD}, late)  # a due home is not put off
        assert await tx.homes.due(Millis(NOON + MIN_EDIT_MILLIS), 9) == [GUILD]


async def test_the_places_of_two_days_are_kept(store: Database) -> None:
    async with store.write() as tx:
        for day in range(3):
            await tx.homes.keep_places(GUILD, {UserId(user): user + day for user in range(1, 4)})
        assert await tx.homes.places(GUILD, latest=True) == {1: 3, 2: 4, 3: 5}
        assert await tx.homes.places(GUILD, latest=False) == {1: 2, 2: 3, 3: 4}
        await tx.homes.remove(GUILD)
        assert await tx.homes.places(GUILD, latest=True) == {}


async def test_the_games_of_a_server_are_listed_with_those_that_wait_longest_first(store: Database) -> None:
    late, early = [await add_match(store, a_match(number, at=Millis(NOON - number))) for number in (1, 2)]
    over, there = await add_match(store, a_match(3)), [ChannelId(501), ChannelId(502)]
    async with store.write() as tx:
        await tx.matches.save(resign(over))
        games = await tx.homes.games(GUILD, there, 8)
        assert [game.id for game in games] == [early.id, late.id]
        assert games[0].players == (ANNA, BORIS)
        assert len(await tx.homes.games(GUILD, there, 1)) == 1
        assert await tx.homes.games(GuildId(8), there, 8) == []
        assert await tx.homes.count_games(GUILD, there) == 2
        assert await tx.homes.count_games(GUILD, there[:1]) == 1
        assert [game.id for game in await tx.homes.games(GUILD, there[:1], 8)] == [late.id]


async def test_what_is_shown_has_the_same_fingerprint_until_something_changes(store: Database) -> None:
    home = replace(HOME, trouble=None)
    await add_rated_match(store, ANNA, BORIS, day=0)
    first = await load_home_content(store, OPEN, home, NOON)
    assert first.fingerprint == (await load_home_content(store, OPEN, home, NOON)).fingerprint
    await add_match(store, a_match(9))
    content = await load_home_content(store, OPEN, home, NOON)
    assert content.fingerprint != first.fingerprint
    assert not content.is_quiet
    assert replace(content, games=(), challenges=(), tournaments=()).is_quiet


async def test_a_thread_of_the_bot_is_shown_where_its_channel_is(store: Database) -> None:
    inside = await add_match(store, a_match(1))
    assert inside.parent is not None
    async with store.read() as reader:
        assert await reader.homes.channels(GUILD, NOON, 9) == [inside.parent]
        assert [game.id for game in await reader.homes.games(GUILD, [inside.parent], 8)] == [inside.id]
        assert await reader.homes.games(GUILD, [inside.channel], 8) == []


async def test_nothing_of_a_closed_channel_is_shown(store: Database) -> None:
    home = replace(HOME, trouble=None)
    for each in (a_match(1), a_match(2)):
        stored = await add_match(store, each)
    async with store.write() as tx:
        await tx.matches.save(resign(stored))
    content = await load_home_content(store, StoredChannels({ChannelId(501), ChannelId(502)}), home, NOON)
    assert (content.games, content.games_count, content.record, content.is_quiet) == ((), 0, None, True)


async def test_a_tournament_is_listed_with_its_beginning(store: Database) -> None:
    cup = Tournament(
        TournamentId(0),
        GUILD,
        CHANNEL,
        ANNA,
        "Cup",
        Format.SWISS,
        Terms(GAME, parse_control("3d")),
        NOON,
        rounds=3,
        begins=Millis(NOON + 7),
    )
    async with store.write() as tx:
        for each in (cup, replace(cup, channel=ChannelId(71), begins=None)):
            await tx.tournaments.add(each)
        listed = await tx.homes.tournaments(GUILD, [CHANNEL, ChannelId(71)], 3)
        assert len(await tx.homes.tournaments(GUILD, [CHANNEL], 3)) == 1
        assert await tx.homes.channels(GUILD, NOON, 9) == [CHANNEL, 71]
        assert await tx.homes.channels(GUILD, NOON, 1) == [CHANNEL]
    assert [(each.round, each.begins, each.ends) for each in listed] == [(0, None, None), (0, NOON + 7, None)]


async def test_players_whose_place_is_provisional_are_left_out(store: Database) -> None:
    newcomer = UserId(104)
    await add_league(store)
    await add_rated_match(store, newcomer, ANNA, day=9)
    content = await load_home_content(store, OPEN, replace(HOME, trouble=None), Millis(NOON + 10 * DAY))
    assert {line.user for line in content.leaders} == {ANNA, BORIS, CLARA}
    assert [line.place for line in content.leaders] == [1, 2, 3]
