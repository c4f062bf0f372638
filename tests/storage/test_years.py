"""A year in dots is what a second, naive program counts from the rows: of a player, and of a server."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from play.challenge.pool import Pool
from play.clock import Speed, parse_control
from play.community.exercises import exercises
from play.community.year import OwnYear, ServerYear, Year, told_year
from play.ids import ChannelId, GuildId, MatchId, Millis, UserId
from play.match.match import Match
from play.people.career import Annulment
from play.people.settings import PlayerSettings
from play.ratings.settlement import RatedGame, rate
from play.refusal import Refused
from rules.game import Outcome
from rules.registry import make_game
from storage import Database, schema
from tests.clock import DAY, NOON
from tests.matches import ANNA, BORIS, CLARA, GUILD, a_match
from tests.people import person, server
from tests.storage.test_own_figures import Naive, add_history, all_rows, play
from use_cases.exercises import rate_first_answer
from use_cases.years import ServerYears, load_own_year

AUCKLAND, HONOLULU = ZoneInfo("Pacific/Auckland"), ZoneInfo("Pacific/Honolulu")
COMPUTER, GONE = person(900), person(901)
FIRST, LAST = Year.at(NOON).number, Year.at(NOON).number + 2
HIDDEN, THREAD = ChannelId(505), 5
"""A channel that not all members see, and its thread."""
DOTS = Pool.parse("dots-days")


class OpenChannels:
    """Channels of which one is hidden."""

    async def server_name(self, guild: GuildId) -> str | None:
        return "Dots"

    async def is_open(self, guild: GuildId, channel: ChannelId) -> bool:
        return channel != HIDDEN

    async def shows(self, guild: GuildId, here: ChannelId, channel: ChannelId) -> bool:
        return True


async def in_zone(store: Database, zone: ZoneInfo | None) -> None:
    async with store.write() as tx:
        await tx.people.save(PlayerSettings(ANNA, zone=zone))


def naive_year(naive: Naive, year: int, zone: ZoneInfo) -> dict[str, Any]:
    """Counts a year of a player game by game, the latest first."""
    found: dict[str, Any] = {"won": 0, "drawn": 0, "lost": 0, "capture": 0, "best": None, "live": 0}
    rules, met, runs = Counter[str](), Counter[UserId](), [0]
    for match, row in naive.match.items():
        letter = naive.letter(match)
        if letter is None or datetime.fromtimestamp(row.ended / 1000, zone).year != year:
            continue
        found[letter] += 1
        rules[row.game] += 1
        seats = [each for each in naive.tables["seat"] if each.match == match]
        for each in seats:
            if each.user == naive.user:
                found["capture"] = max(found["capture"], each.capture)
            else:
                met[each.user] += 1
        runs = [*runs, 0] if letter != "won" else [*runs[:-1], runs[-1] + 1]
        values = [e.before_value for e in naive.tables["change"] if e.match == match and e.user != naive.user]
        if letter == "won" and values:
            found["best"] = max(found["best"] or 0, *values)
        if parse_control(row.control).speed is Speed.LIVE:
            found["live"] += row.ended - row.started
    return {**found, "rules": rules, "met": met, "longest": max(runs)}


def told(year: OwnYear) -> dict[str, Any]:
    tally = year.tally
    return {
        "won": tally.won,
        "drawn": tally.drawn,
        "lost": tally.lost,
        "capture": year.capture,
        "best": year.best,
        "live": year.live,
        "longest": year.longest,
    }


@pytest.mark.parametrize("zone", [None, AUCKLAND, HONOLULU], ids=str)
@pytest.mark.parametrize("seed", range(3))
async def test_a_year_is_what_the_naive_program_counts(store: Database, seed: int, zone: ZoneInfo | None) -> None:
    await in_zone(store, zone)
    await add_history(store, seed)
    naive = await Naive.read(store, ANNA)
    counted = 0
    for number in range(FIRST - 1, LAST + 1):
        year = (await load_own_year(store, ANNA, number, None)).year
        expected = naive_year(naive, number, zone or ZoneInfo("UTC"))
        rules, met = expected.pop("rules"), expected.pop("met")
        assert told(year) == expected
        assert dict(year.rules) == dict(rules.most_common(2))
        assert (year.friend[1] if year.friend else 0) == max(met.values(), default=0)
        counted += year.tally.games
    assert counted == sum(naive.letter(each) is not None for each in naive.match)


async def test_the_computer_is_nobodys_friend(store: Database) -> None:
    await add_history(store, 1)
    year = (await load_own_year(store, ANNA, FIRST, None)).year
    assert year.friend is not None
    without = (await load_own_year(store, ANNA, FIRST, year.friend[0])).year
    assert without.friend is None or without.friend[0] != year.friend[0]


async def test_a_player_without_games_has_an_empty_year(store: Database) -> None:
    year = await load_own_year(store, ANNA, None, None)
    assert (year.year.is_empty, year.before, year.after) == (True, None, None)


async def test_a_year_leads_to_the_one_before_that_has_games(store: Database) -> None:
    await add_history(store, 0)
    later = await load_own_year(store, ANNA, FIRST + 1, None)
    assert later.before == FIRST
    assert (await load_own_year(store, ANNA, FIRST, None)).before is None


@pytest.mark.parametrize("number", [0, 1, 2014, 3000, 10**9])
async def test_a_year_without_players_is_refused(store: Database, number: int) -> None:
    with pytest.raises(Refused):
        await load_own_year(store, ANNA, number, None)


async def test_exercises_that_are_solved_at_the_first_try_count_for_their_year(store: Database) -> None:
    tasks = [exercises()[each] for each in list(exercises())[:4]]
    moments = [NOON, NOON, Millis(NOON + 400 * DAY), NOON]
    async with store.write() as tx:
        for task, at, right in zip(tasks, moments, (True, True, True, False), strict=True):
            await rate_first_answer(tx, ANNA, task, at, right=right, choices=2)
    async with store.read() as reader:
        first = await reader.puzzles.solved_in(ANNA, Year.at(NOON).number)
        later = await reader.puzzles.solved_in(ANNA, Year.at(moments[2]).number)
    assert (first, later) == (2, 1)


@pytest.mark.parametrize(
    ("date", "year"), [("2026-11-30", None), ("2026-12-19", None), ("2026-12-20", 2026), ("2026-12-31", 2026)]
)
def test_servers_are_told_in_the_last_days_of_december(date: str, year: int | None) -> None:
    found = told_year(Millis(int(datetime.fromisoformat(f"{date}T12:00:00+00:00").timestamp()) * 1000))
    assert (found and found.number) == year


async def add_server(store: Database, seed: int) -> None:
    """Stores games of a server and of another one: of people, of one who has left, and of the computer."""
    chance = Random(seed)
    people = [ANNA, BORIS, CLARA, GONE, COMPUTER]
    async with store.write() as tx:
        await tx.absences.add(GUILD, GONE)
    for number in range(30):
        players = tuple(chance.sample(people, 2))
        started = Millis(NOON + chance.randrange(300) * DAY)
        size = chance.choice(("5x5", "6x6"))
        game = make_game("zagram", {"size": size, "start": "cross"})
        channel = chance.choice((100 + number, THREAD)) if number % 9 == 0 else 100 + number
        match = await play(store, a_match(channel, players, "3m+2s", started, game=game), chance, length=14)
        async with store.write() as tx:
            if chance.random() < 0.1:
                await tx.careers.annul(Annulment(match.id, BORIS, NOON), match.players)


def naive_server(tables: Mapping[str, list[Any]], year: int) -> dict[str, Any]:
    """Counts a year of the server row by row."""
    annulled = {row.match for row in tables["annulment"]}
    seats: dict[MatchId, list[Any]] = {}
    for row in tables["seat"]:
        seats.setdefault(row.match, []).append(row)
    games, players, days, captures, pairs = 0, set[UserId](), Counter[Any](), list[Any](), Counter[Any]()
    for row in tables["match"]:
        if row.guild != GUILD or row.ended is None or not row.winners or row.id in annulled:
            continue
        ended = datetime.fromtimestamp(row.ended / 1000, ZoneInfo("UTC"))
        if ended.year != year:
            continue
        games += 1
        days[ended.date()] += 1
        people = [each for each in seats[row.id] if each.user not in (COMPUTER,)]
        players |= {each.user for each in people}
        there = [each for each in people if each.user != GONE]
        captures += [each.capture for each in there if row.parent != HIDDEN]
        if len(there) == 2:
            pairs[frozenset(each.user for each in there)] += 1
    return {"games": games, "players": len(players), "days": days, "capture": max(captures, default=0), "pairs": pairs}


@pytest.mark.parametrize("seed", range(4))
async def test_the_year_of_a_server_is_what_the_naive_program_counts(store: Database, seed: int) -> None:
    await add_server(store, seed)
    async with store.read() as reader:
        asked = schema.match, schema.seat, schema.annulment
        tables = {each.name: await reader.sql.all(all_rows(each)) for each in asked}
    years, total = ServerYears(store, OpenChannels()), 0
    for number in (FIRST, FIRST + 1):
        year, expected = (await years.load(GUILD, number, COMPUTER)).year, naive_server(tables, number)
        total += year.games
        assert (year.games, year.players) == (expected["games"], expected["players"])
        assert (year.busiest[1] if year.busiest else 0) == max(expected["days"].values(), default=0)
        assert year.busiest is None or expected["days"][year.busiest[0]] == year.busiest[1]
        assert (year.capture[1] if year.capture else 0) == expected["capture"]
        assert [each.games for each in year.pairs] == [count for _, count in expected["pairs"].most_common(2)]
        for pair in year.pairs:
            assert expected["pairs"][frozenset((pair.one, pair.other))] == pair.games
    assert total > 20


async def test_a_server_without_games_has_an_empty_year(store: Database) -> None:
    told = await ServerYears(store, OpenChannels()).load(server(77), FIRST, None)
    assert (told.year, told.name, told.before) == (ServerYear(FIRST), "Dots", None)


async def captured(store: Database, channel: int) -> Match:
    """Plays a game in which Anna captures a dot, and Boris resigns."""
    game = make_game("zagram", {"size": "5x5", "start": "empty"})
    chance = Random(1)
    dots = ("C2", "C3", "B3", "A1", "C4", "A5", "D3")
    return await play(store, a_match(channel, (ANNA, BORIS), "3m+2s", game=game), chance, dots, len(dots))


async def test_the_biggest_capture_is_one_that_all_members_can_see(store: Database) -> None:
    await captured(store, THREAD)
    years = ServerYears(store, OpenChannels())
    year = (await years.load(GUILD, FIRST, None)).year
    assert (year.games, year.capture) == (1, None)
    await captured(store, 9)
    assert (await years.load(GUILD, FIRST, None)).year.capture == (ANNA, 1)


async def test_the_best_win_is_the_one_over_the_strongest(store: Database) -> None:
    match = await captured(store, 9)
    async with store.write() as tx:
        assert match.outcome is not None
        game = RatedGame(match.id, DOTS, match.players, Outcome(match.outcome.winners, "score"), match.score, (), NOON)
        await tx.ratings.add_changes(rate(game, await tx.ratings.get(DOTS, match.players)))
    winner = match.players[match.outcome.winners[0]]
    loser = match.players[1 - match.outcome.winners[0]]
    assert (await load_own_year(store, winner, FIRST, None)).year.best == 1500
    assert (await load_own_year(store, loser, FIRST, None)).year.best is None
