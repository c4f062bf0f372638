"""Matches are rated once, listed in order, and corrected as if an annulled match had never been."""

from __future__ import annotations

import random
from itertools import count

import pytest

from play.challenge.pool import Pool
from play.challenge.terms import Terms
from play.clock import parse_control
from play.ids import GuildId, MatchId, Millis, Platform, UserId, ids_since
from play.ratings.glicko import Rating
from play.ratings.leaderboard import QUALIFYING_GAMES, STRANGER_SERVERS, STRANGERS, Leader, Season, World
from play.ratings.settlement import YOUNG_AGE, YOUNG_WEIGHT, RatedGame, rate, young_ids
from rules.game import Outcome, Seat
from rules.registry import make_game
from storage import Database
from storage.errors import Stale
from tests.clock import DAY, NOON, StoppedClock
from tests.league import LEAGUE_ROUNDS, POOL, add_league, add_rated_match, add_rating
from tests.matches import GUILD, a_match, add_match
from tests.people import person, server
from use_cases.ratings import load_ratings, void_match

ELSEWHERE = server(8)
ANNA, BORIS, CLARA, DORA, EMIL = (person(101 + n) for n in range(5))
_channels = count(1000)


async def a_league(url: str) -> None:
    async with Database.open(url, now=StoppedClock()) as store:
        await add_league(store)


LEAGUE = pytest.mark.parametrize("fill", [a_league], ids=["league"])
"""Marks a test that begins with a league."""


async def ratings(store: Database, *users: UserId) -> dict[UserId, Rating]:
    async with store.read() as reader:
        return await reader.ratings.get(POOL, users)


async def leaders(store: Database, guild: GuildId | None = None, start: int = 0, limit: int = 10) -> list[Leader]:
    async with store.read() as reader:
        return await reader.leaderboards.leaders(POOL, guild, start, limit)


async def test_a_newcomer_has_a_newcomers_rating(store: Database) -> None:
    assert await ratings(store, ANNA) == {ANNA: Rating()}


async def test_a_rating_comes_back_as_it_was_entered(store: Database) -> None:
    won, lost = await add_rated_match(store, ANNA, BORIS, day=0)
    assert await ratings(store, ANNA, BORIS) == {ANNA: won.after, BORIS: lost.after}


async def test_a_change_comes_back_as_it_was_entered(store: Database) -> None:
    changes = await add_rated_match(store, ANNA, BORIS, day=0)
    async with store.read() as reader:
        assert await reader.ratings.changes_of(changes[0].match) == changes


async def test_the_offset_of_a_handicap_comes_back_with_the_change(store: Database) -> None:
    match = await add_match(store, a_match(next(_channels)))
    players = (ANNA, BORIS)
    game = RatedGame(match.id, POOL, players, Outcome((Seat(0),), "full"), (1.0, 0.0), (), Millis(NOON), handicap=393.0)
    changes = rate(game, dict.fromkeys(players, Rating()))
    async with store.write() as tx:
        await tx.ratings.add_changes(changes)
    async with store.read() as reader:
        assert await reader.ratings.changes_of(match.id) == changes
    assert [change.offset for change in changes] == [393.0, -393.0]


async def test_the_same_match_is_not_entered_twice(store: Database) -> None:
    changes = await add_rated_match(store, ANNA, BORIS, day=0)
    with pytest.raises(Stale):
        async with store.write() as tx:
            await tx.ratings.add_changes(changes)
    assert await ratings(store, ANNA) == {ANNA: changes[0].after}


async def test_of_two_matches_rated_from_the_same_rating_only_one_is_entered(store: Database) -> None:
    first = await add_rated_match(store, ANNA, BORIS, day=0)
    other = await add_match(store, a_match(next(_channels)))
    game = RatedGame(other.id, POOL, (ANNA, CLARA), Outcome((Seat(0),), "full"), (1.0, 0.0), (), Millis(NOON + DAY))
    late = rate(game, {ANNA: Rating(), CLARA: Rating()})
    with pytest.raises(Stale):
        async with store.write() as tx:
            await tx.ratings.add_changes(late)
    assert await ratings(store, ANNA, CLARA) == {ANNA: first[0].after, CLARA: Rating()}


async def test_meetings_count_both_seats_within_the_window(store: Database) -> None:
    await add_rated_match(store, ANNA, BORIS, day=0)
    await add_rated_match(store, BORIS, ANNA, day=1)
    await add_rated_match(store, ANNA, CLARA, day=1)
    async with store.read() as reader:
        assert await reader.ratings.count_meetings(POOL, ANNA, BORIS, Millis(NOON - 1)) == 2
        assert await reader.ratings.count_meetings(POOL, ANNA, BORIS, Millis(NOON)) == 1
        assert await reader.ratings.count_meetings(POOL, BORIS, CLARA, Millis(0)) == 0


@pytest.mark.parametrize("platform", Platform)
async def test_meetings_with_young_accounts_are_counted_by_their_ids(store: Database, platform: Platform) -> None:
    old, young = (UserId(ids_since(platform, Millis(NOON - age))[0]) for age in (YOUNG_AGE, DAY))
    await add_rated_match(store, ANNA, old, day=0)
    await add_rated_match(store, young, ANNA, day=1)
    await add_rated_match(store, old, young, day=1)
    async with store.read() as reader:
        count = reader.ratings.count_meetings_with_new
        assert await count(POOL, ANNA, young_ids(NOON), Millis(0)) == 1
        assert await count(POOL, ANNA, young_ids(Millis(NOON - 1)), Millis(0)) == 2
        assert await count(POOL, ANNA, young_ids(Millis(NOON - 1)), Millis(NOON)) == 1


async def test_an_old_account_of_one_platform_is_not_young_beside_one_of_another(store: Database) -> None:
    for platform in Platform:
        for age in (YOUNG_AGE, DAY):
            await add_rated_match(store, ANNA, UserId(ids_since(platform, Millis(NOON - age))[0]), day=0)
    async with store.read() as reader:
        met = await reader.ratings.count_meetings_with_new(POOL, ANNA, young_ids(NOON), Millis(0))
    assert met == len(Platform)


async def test_the_history_of_a_rating_is_its_latest_changes_in_their_order(store: Database) -> None:
    for day in range(4):
        await add_rated_match(store, ANNA, BORIS, day=day)
    async with store.read() as reader:
        history = await reader.ratings.history(ANNA, POOL, 3)
    assert [change.at for change in history] == [NOON + day * DAY for day in (1, 2, 3)]
    assert history[0].after == history[1].before


async def test_users_are_on_the_leaderboard_from_their_first_rated_game_without_a_place(store: Database) -> None:
    await add_rated_match(store, ANNA, BORIS, day=0)
    assert [(line.user, line.place, line.provisional) for line in await leaders(store, GUILD)] == [
        (ANNA, None, True),
        (BORIS, None, True),
    ]


async def test_eight_whole_games_bring_a_place(store: Database) -> None:
    for day in range(int(QUALIFYING_GAMES)):
        assert all(line.provisional for line in await leaders(store, GUILD))
        await add_rated_match(store, ANNA, BORIS, day=day)
    assert [(line.place, line.provisional) for line in await leaders(store, GUILD)] == [(1, False), (2, False)]


async def test_a_place_everywhere_needs_games_against_strangers_of_several_servers(store: Database) -> None:
    for day in range(int(QUALIFYING_GAMES)):
        await add_rated_match(store, ANNA, BORIS, day=day)
    for game in range(STRANGERS):
        assert all(line.provisional for line in await leaders(store))
        where = (GUILD, server(20 + game % STRANGER_SERVERS))
        await add_rated_match(store, ANNA, person(200 + game), day=game, strangers=where)
    assert next((line.user, line.place) for line in await leaders(store)) == (ANNA, 1)
    async with store.read() as reader:
        assert await reader.leaderboards.world(ANNA, POOL) == World(STRANGERS, STRANGER_SERVERS)


@pytest.mark.parametrize("place", [server(20), None], ids=["one server", "direct messages"])
async def test_strangers_of_one_place_bring_no_place_everywhere(store: Database, place: GuildId | None) -> None:
    for day in range(STRANGERS):
        await add_rated_match(store, ANNA, person(200 + day), day=day, strangers=(GUILD, place))
    assert [line.provisional for line in await leaders(store) if line.user == ANNA] == [True]
    assert [line.provisional for line in await leaders(store, GUILD) if line.user == ANNA] == [False]


@pytest.mark.parametrize("weight", [0.0, YOUNG_WEIGHT], ids=["nothing", "a quarter"])
async def test_games_with_strangers_that_count_for_little_bring_no_place_everywhere(
    store: Database, weight: float
) -> None:
    for day in range(int(QUALIFYING_GAMES)):
        await add_rated_match(store, ANNA, BORIS, day=day)
    for day in range(STRANGERS):
        where = (GUILD, server(20 + day))
        await add_rated_match(store, ANNA, person(200 + day), day=day, weight=weight, strangers=where)
    assert all(line.provisional for line in await leaders(store))


async def test_few_strangers_bring_no_place_everywhere_however_often_they_are_met(store: Database) -> None:
    for day in range(3 * STRANGERS):
        where = (GUILD, server(20 + day % 4))
        await add_rated_match(store, ANNA, person(200 + day % 4), day=day, strangers=where)
    assert [line.provisional for line in await leaders(store) if line.user == ANNA] == [True]


async def test_games_that_count_in_part_bring_a_place_by_their_parts(store: Database) -> None:
    for day in range(int(QUALIFYING_GAMES) - 1):
        await add_rated_match(store, ANNA, BORIS, day=day)
    for part in range(4):
        await add_rated_match(store, ANNA, BORIS, day=20 + part, weight=0.25)
        async with store.read() as reader:
            own = await reader.leaderboards.leader(ANNA, POOL, GUILD)
            assert await reader.leaderboards.full_games(ANNA, POOL) == QUALIFYING_GAMES - 1 + (part + 1) / 4
        assert (own and own.provisional) == (part < 3)


async def test_games_that_count_for_nothing_bring_no_place(store: Database) -> None:
    for day in range(int(QUALIFYING_GAMES) + 1):
        await add_rated_match(store, ANNA, BORIS, day=day, weight=0.0)
    assert all(line.provisional for line in await leaders(store))


@LEAGUE
async def test_users_without_a_place_follow_those_with_one_by_rating(store: Database) -> None:
    await add_rated_match(store, DORA, EMIL, day=20)
    lines = [(line.place, line.user) for line in await leaders(store, GUILD)]
    assert lines == [(1, ANNA), (2, BORIS), (3, CLARA), (None, DORA), (None, EMIL)]
    assert [line.user for line in await leaders(store, GUILD, start=4)] == [EMIL]
    async with store.read() as reader:
        numbers = [await reader.leaderboards.line_number(user, POOL, GUILD, None) for _, user in lines]
        own = await reader.leaderboards.leader(DORA, POOL, GUILD)
    assert numbers == [0, 1, 2, 3, 4]
    assert own is not None
    assert (own.place, own.provisional, own.rating.value > 1500) == (None, True, True)


async def test_an_annulled_game_can_cost_a_place(store: Database) -> None:
    matches = [await add_rated_match(store, ANNA, BORIS, day=day) for day in range(int(QUALIFYING_GAMES))]
    await struck(store, matches[0][0].match)
    assert all(line.provisional for line in await leaders(store))


async def test_the_seasons_with_a_table_are_found_among_those_asked_for(store: Database) -> None:
    await add_rated_match(store, ANNA, BORIS, day=0)
    await add_rated_match(store, ANNA, BORIS, day=200)
    first, last = Season.at(NOON), Season.at(Millis(NOON + 200 * DAY))
    asked = [last, Season.at(Millis(NOON + 100 * DAY)), first]
    async with store.read() as reader:
        assert await reader.leaderboards.seasons(asked, POOL, GUILD) == [last, first]
        assert await reader.leaderboards.seasons(asked, None, None) == [last, first]
        assert await reader.leaderboards.seasons(asked, Pool.parse("dots-live"), GUILD) == []
        assert await reader.leaderboards.seasons(asked, None, ELSEWHERE) == []


@LEAGUE
async def test_a_leaderboard_has_the_best_first(store: Database) -> None:
    lines = await leaders(store, GUILD)
    assert [(line.place, line.user, line.games) for line in lines] == [(1, ANNA, 18), (2, BORIS, 18), (3, CLARA, 18)]
    assert {line.user: line.rating for line in lines} == await ratings(store, ANNA, BORIS, CLARA)


@LEAGUE
async def test_a_later_page_goes_on_counting(store: Database) -> None:
    assert [(line.place, line.user) for line in await leaders(store, GUILD, start=1, limit=1)] == [(2, BORIS)]
    assert await leaders(store, GUILD, start=3) == []


@LEAGUE
async def test_every_user_is_on_the_leaderboard_of_the_server_they_were_rated_on(store: Database) -> None:
    assert [line.user for line in await leaders(store, GUILD)] == [ANNA, BORIS, CLARA]
    assert await leaders(store, ELSEWHERE) == []


@LEAGUE
async def test_a_rating_earned_elsewhere_counts_on_every_server_of_a_person(store: Database) -> None:
    await add_rated_match(store, CLARA, ANNA, day=30, guild=ELSEWHERE)
    assert [line.user for line in await leaders(store, ELSEWHERE)] == [ANNA, CLARA]
    assert [line.rating for line in await leaders(store, GUILD)] == [line.rating for line in await leaders(store)]


@LEAGUE
async def test_a_leaderboard_counts_the_games_of_its_server_alone(store: Database) -> None:
    await add_rated_match(store, CLARA, ANNA, day=30, guild=ELSEWHERE)
    counts = {guild: {line.user: line.games for line in await leaders(store, guild)} for guild in (GUILD, ELSEWHERE)}
    assert counts == {GUILD: {ANNA: 18, BORIS: 18, CLARA: 18}, ELSEWHERE: {ANNA: 1, CLARA: 1}}
    async with store.read() as reader:
        own = await reader.leaderboards.leader(ANNA, POOL, ELSEWHERE)
    assert own is not None
    assert own.games == 1


async def test_of_a_server_a_person_has_the_ratings_with_which_they_left_its_games(store: Database) -> None:
    (here, _), _ = [
        await add_rated_match(store, ANNA, BORIS, day=day, guild=guild) for day, guild in enumerate((GUILD, None))
    ]
    async with store.read() as reader:
        assert await reader.ratings.of_user(ANNA, GUILD) == {POOL: Leader(None, ANNA, here.after, 1)}
        assert (await reader.ratings.of_user(ANNA))[POOL].games == 2


async def test_without_rated_games_no_user_has_a_rating(store: Database) -> None:
    await add_rated_match(store, ANNA, BORIS, day=0)
    async with store.read() as reader:
        assert await reader.ratings.of_user(ANNA, ELSEWHERE) == {}
        assert await reader.ratings.history(ANNA, POOL, 9, ELSEWHERE) == []


async def test_the_history_of_a_rating_on_a_server_has_its_games_alone(store: Database) -> None:
    for day, guild in enumerate((GUILD, ELSEWHERE, GUILD, None)):
        await add_rated_match(store, ANNA, BORIS, day=day, guild=guild)
    async with store.read() as reader:
        history = await reader.ratings.history(ANNA, POOL, 9, GUILD)
    assert [change.at for change in history] == [NOON, NOON + 2 * DAY]


async def test_equal_ratings_share_a_place(store: Database) -> None:
    for day in range(int(QUALIFYING_GAMES)):
        await add_rated_match(store, ANNA, BORIS, day=day, drawn=True)
    assert [line.place for line in await leaders(store, GUILD)] == [1, 1]
    assert [line.place for line in await leaders(store, GUILD, start=1)] == [1]


@LEAGUE
async def test_a_person_finds_his_own_line(store: Database) -> None:
    async with store.read() as reader:
        own = await reader.leaderboards.leader(BORIS, POOL, GUILD)
        assert (own and (own.place, own.user)) == (2, BORIS)
        assert await reader.leaderboards.leader(DORA, POOL, GUILD) is None


async def test_a_season_counts_points_from_nothing(store: Database) -> None:
    season = Season.at(NOON)
    await add_rated_match(store, ANNA, BORIS, day=0)
    await add_rated_match(store, ANNA, CLARA, day=0, drawn=True)
    await add_rated_match(store, ANNA, BORIS, day=100)
    async with store.read() as reader:
        table = await reader.leaderboards.scorers(season, POOL, GUILD, 0, 10)
        later = await reader.leaderboards.scorers(Season.at(Millis(NOON + 100 * DAY)), POOL, None, 0, 10)
    assert [(row.place, row.user, row.points, row.games) for row in table] == [
        (1, ANNA, 4, 2),
        (2, CLARA, 1, 1),
        (None, BORIS, 0, 1),
    ]
    assert [(row.user, row.points) for row in later] == [(ANNA, 3), (BORIS, 0)]


async def test_who_has_no_points_has_no_place_and_comes_in_the_order_of_wins(store: Database) -> None:
    for day in range(2):
        await add_rated_match(store, ANNA, BORIS, day=day, weight=0.0)
    await add_rated_match(store, CLARA, DORA, day=2, weight=0.0)
    won = [(ANNA, 2), (CLARA, 1), (DORA, 0), (BORIS, 0)]
    for guild in (GUILD, None):
        async with store.read() as reader:
            table = await reader.leaderboards.scorers(Season.at(NOON), POOL, guild, 0, 10)
            second = await reader.leaderboards.scorers(Season.at(NOON), POOL, guild, 1, 10)
            numbers = [await reader.leaderboards.line_number(user, POOL, guild, Season.at(NOON)) for user, _ in won]
        assert [(row.place, row.user, row.wins) for row in table] == [(None, *each) for each in won]
        assert second == table[1:]
        assert numbers == [0, 1, 2, 3]


async def test_equal_points_share_a_place_and_more_wins_come_first(store: Database) -> None:
    for day in range(3):
        await add_rated_match(store, ANNA, CLARA, day=day, drawn=True)
    await add_rated_match(store, BORIS, DORA, day=4)
    async with store.read() as reader:
        table = await reader.leaderboards.scorers(Season.at(NOON), POOL, GUILD, 0, 10)
        second = await reader.leaderboards.scorers(Season.at(NOON), POOL, GUILD, 1, 10)
    assert [(row.place, row.points, row.wins) for row in table] == [(1, 3, 1), (1, 3, 0), (1, 3, 0), (None, 0, 0)]
    assert table[0].user == BORIS
    assert second == table[1:]


async def struck(store: Database, match: MatchId) -> int:
    async with store.write() as tx:
        return await void_match(tx.ratings, match)


async def test_an_annulled_match_leaves_the_ratings_as_if_it_had_never_been(store: Database) -> None:
    wrong = await add_rated_match(store, CLARA, ANNA, day=-1)
    await add_league(store)
    assert await struck(store, wrong[0].match) == 3 * LEAGUE_ROUNDS
    others = [UserId(201), UserId(202), UserId(203)]  # the same games, by users without the past
    await add_league(store, others)
    lines = {line.user: line for line in await leaders(store, GUILD)}
    for user, double in zip((ANNA, BORIS, CLARA), others, strict=True):
        assert lines[user].rating.value == pytest.approx(lines[double].rating.value)
        assert lines[user].rating.deviation == pytest.approx(lines[double].rating.deviation)
        assert lines[user].games == lines[double].games


async def test_a_correction_leaves_those_alone_whom_it_does_not_reach(store: Database) -> None:
    wrong = await add_rated_match(store, ANNA, BORIS, day=0)
    await add_rated_match(store, CLARA, DORA, day=1)
    before = await ratings(store, CLARA, DORA)
    assert await struck(store, wrong[0].match) == 0
    assert await ratings(store, CLARA, DORA) == before
    assert await ratings(store, ANNA, BORIS) == {ANNA: Rating(), BORIS: Rating()}


async def test_a_correction_takes_the_points_out_of_the_season(store: Database) -> None:
    wrong = await add_rated_match(store, ANNA, BORIS, day=0)
    await add_rated_match(store, ANNA, BORIS, day=1)
    await struck(store, wrong[0].match)
    async with store.read() as reader:
        table = await reader.leaderboards.scorers(Season.at(NOON), POOL, None, 0, 10)
    assert [(row.user, row.points, row.games, row.wins) for row in table] == [(ANNA, 3, 1, 1), (BORIS, 0, 1, 0)]


async def test_who_has_no_rated_game_left_on_a_server_leaves_its_leaderboard(store: Database) -> None:
    await add_league(store, guild=ELSEWHERE)
    only = await add_rated_match(store, ANNA, BORIS, day=30)
    assert [line.user for line in await leaders(store, GUILD)] == [ANNA, BORIS]
    await struck(store, only[0].match)
    assert await leaders(store, GUILD) == []
    assert len(await leaders(store, ELSEWHERE)) == 3


async def test_a_match_that_was_not_rated_is_struck_without_a_trace(store: Database) -> None:
    match = await add_match(store)
    assert await struck(store, match.id) == 0


async def test_striking_in_any_order_ends_the_same(store: Database) -> None:
    chance = random.Random(11)
    people = [ANNA, BORIS, CLARA, DORA]
    for copy in (0, 1000):
        chance.seed(11)
        games = []
        for day in range(12):
            one, other = chance.sample(people, 2)
            games.append((await add_rated_match(store, UserId(one + copy), UserId(other + copy), day=day))[0].match)
        for number in (3, 7, 5) if copy else (5, 3, 7):
            await struck(store, games[number])
    for user in people:
        pair = await ratings(store, user, UserId(user + 1000))
        assert pair[user].value == pytest.approx(pair[UserId(user + 1000)].value)


async def test_of_whom_nothing_is_known_is_seeded_below_those_who_have_played(store: Database) -> None:
    await add_rating(store, POOL, ANNA, 1390)
    await add_rating(store, POOL, BORIS, 1600, deviation=200)
    async with store.read() as reader:
        seeds = await load_ratings(reader, Terms(make_game("zagram", {}), parse_control("3d")), [ANNA, BORIS, CLARA])
    assert sorted(seeds, key=seeds.__getitem__) == [CLARA, BORIS, ANNA]


async def test_who_has_lost_the_only_game_is_seeded_above_those_of_whom_nothing_is_known(store: Database) -> None:
    """Two deviations below the value of such a player are less than below that of a newcomer."""
    await add_rated_match(store, ANNA, BORIS, day=0)
    async with store.read() as reader:
        seeds = await load_ratings(reader, Terms(make_game("zagram", {}), parse_control("3d")), [ANNA, BORIS, CLARA])
    assert seeds[ANNA] > seeds[BORIS] > seeds[CLARA]
