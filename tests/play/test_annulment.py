"""An annulled game counts nowhere: what goes on is counted anew, and the question before it names what is over."""

from __future__ import annotations

from dataclasses import replace

import pytest

from play.competitions.annulment import Trace
from play.competitions.ladder import Ladder
from play.competitions.season import SEASON_MILLIS
from play.competitions.tournament import Format, Stage, Tournament, TournamentId
from play.ids import MatchId, UserId
from play.match.points import DRAWN, WON
from storage import Database
from tests.clock import NOON, StoppedClock
from tests.director import make_director
from tests.league_director import CHANNEL, TERMS, direct_league, make_league_director, open_league
from tests.matches import GUILD, load_match, play_turn, save_match
from use_cases import UseCases
from use_cases.competitions.ladder_referee import LadderReferee
from use_cases.match_writer import automatic_key

MODERATOR = UserId(900)
PLAYERS = tuple(map(UserId, range(101, 105)))


async def lose(use_cases: UseCases, number: MatchId, user: UserId) -> None:
    """Lets `user` resign a game in which both have moved."""
    match = await load_match(use_cases.store, number)
    for _ in range(2):
        match = await save_match(use_cases.store, play_turn(match, at_once=True))
    await use_cases.matches.resign(number, user, NOON, automatic_key(match))


async def void(use_cases: UseCases, number: MatchId) -> list[Trace]:
    """Annuls a finished game; returns what the question says that it leaves behind."""
    _, traces = await use_cases.moderation.check_annulment(number, MODERATOR, GUILD)
    await use_cases.moderation.void(number, MODERATOR, GUILD, NOON)
    return traces


async def begin_season(clock: StoppedClock, use_cases: UseCases) -> MatchId:
    """Begins a season; returns its first game."""
    opened = await open_league(use_cases, *PLAYERS)
    clock.advance(opened.begins - NOON)
    league = await direct_league(make_league_director(use_cases), use_cases)
    assert league.season is not None
    [number] = (game.match for game in league.season.games if game.match)
    return number


async def league_points(use_cases: UseCases, number: MatchId) -> tuple[tuple[float, float] | None, bool, float]:
    """Returns the points of a game of season 1, whether it is unplayed, and all points in the table."""
    async with use_cases.store.read() as reader:
        season = await reader.leagues.season(GUILD, 1)
    assert season is not None
    [game] = (game for game in season.games if game.match == number)
    return game.points, game.unplayed, sum(row.points for row in season.divisions[0].table)


@pytest.mark.parametrize("counted", [True, False])
async def test_a_running_season_has_it_as_a_draw_without_a_game(
    clock: StoppedClock, use_cases: UseCases, counted: bool
) -> None:
    number = await begin_season(clock, use_cases)
    match = await load_match(use_cases.store, number)
    await lose(use_cases, number, match.players[1])
    director = make_league_director(use_cases)
    if counted:
        await direct_league(director, use_cases)
        assert (await league_points(use_cases, number))[1:] == (False, 1.0)
    assert await void(use_cases, number) == [Trace.LEAGUE]
    await direct_league(director, use_cases)
    assert await league_points(use_cases, number) == (DRAWN, True, 1.0)


async def test_a_season_that_is_over_keeps_its_table_and_the_question_says_so(
    clock: StoppedClock, use_cases: UseCases
) -> None:
    number = await begin_season(clock, use_cases)
    match = await load_match(use_cases.store, number)
    await lose(use_cases, number, match.players[1])
    await direct_league(make_league_director(use_cases), use_cases)
    before = await league_points(use_cases, number)
    clock.advance(SEASON_MILLIS)
    await direct_league(make_league_director(use_cases), use_cases)
    assert await void(use_cases, number) == [Trace.LEAGUE_STAYS]
    assert (await league_points(use_cases, number))[:2] == before[:2]


async def begin_cup(use_cases: UseCases, cup_format: Format) -> Tournament:
    """Begins a tournament; returns it with the games of its first round."""
    made = await use_cases.tournaments.make(
        Tournament(TournamentId(0), GUILD, CHANNEL, PLAYERS[0], "Cup", cup_format, TERMS, NOON, 3)
    )
    for user in PLAYERS:
        await use_cases.tournaments.sign_up(made.id, user)
    await use_cases.tournaments.begin(made.id, NOON)
    await make_director(use_cases).process(made.id)
    return await use_cases.tournaments.load(made.id)


async def play_round(use_cases: UseCases, cup: Tournament, games: int) -> Tournament:
    """Lets the second player lose the first `games` of the round."""
    for pair in cup.current_pairings[:games]:
        assert pair.match is not None
        assert pair.second is not None
        await lose(use_cases, pair.match, pair.second)
    for _ in range(3):
        await make_director(use_cases).process(cup.id)
    return await use_cases.tournaments.load(cup.id)


@pytest.mark.parametrize("cup_format", [Format.ROUND_ROBIN, Format.SWISS])
async def test_a_running_table_has_it_as_a_draw_without_a_game(use_cases: UseCases, cup_format: Format) -> None:
    cup = await begin_cup(use_cases, cup_format)
    number = cup.pairings[0].match
    assert number is not None
    later = await play_round(use_cases, cup, 2)
    assert (later.round, later.pairings[0].points) == (2, WON)
    assert await void(use_cases, number) == [Trace.TOURNAMENT]
    await make_director(use_cases).process(cup.id)
    now = await use_cases.tournaments.load(cup.id)
    assert (now.pairings[0].points, now.pairings[0].unplayed) == (DRAWN, True)
    assert {row.user: row.points for row in now.table} == {
        user: sum(
            pair.points[(pair.first, pair.second).index(user)]
            for pair in now.pairings
            if pair.points and user in (pair.first, pair.second)
        )
        for user in now.users
    }


async def test_a_knock_out_plays_it_anew_in_its_round(use_cases: UseCases) -> None:
    cup = await play_round(use_cases, before := await begin_cup(use_cases, Format.KNOCK_OUT), 1)
    number = before.pairings[0].match
    assert number is not None
    assert cup.pairings[0].points == WON
    assert await void(use_cases, number) == [Trace.TOURNAMENT]
    await make_director(use_cases).process(cup.id)
    again = (await use_cases.tournaments.load(cup.id)).pairings[0]
    assert (again.points, again.replays) == (None, 1)
    assert again.match not in (None, number)


async def test_a_knock_out_keeps_it_once_its_winner_plays_on(use_cases: UseCases) -> None:
    before = await begin_cup(use_cases, Format.KNOCK_OUT)
    cup = await play_round(use_cases, before, 2)
    number = cup.pairings[0].match
    assert number is not None
    assert cup.round == 2
    assert await void(use_cases, number) == [Trace.TOURNAMENT_STAYS]
    assert (await use_cases.tournaments.load(cup.id)).pairings[0].points == WON


async def test_a_tournament_that_is_over_keeps_it_and_is_shown_anew(use_cases: UseCases) -> None:
    cup = await begin_cup(use_cases, Format.KNOCK_OUT)
    for games in (2, 1):
        cup = await play_round(use_cases, cup, games)
    assert cup.stage is Stage.ENDED
    number = cup.pairings[0].match
    assert number is not None
    assert await void(use_cases, number) == [Trace.TOURNAMENT_STAYS]
    assert await make_director(use_cases).pending(5) == [cup.id]


async def duel(store: Database, use_cases: UseCases) -> MatchId:
    """Returns a finished game for places on the ladder, which is not decided yet."""
    terms = replace(TERMS, rated=False)
    await use_cases.ladders.make(Ladder(GUILD, CHANNEL, terms), MODERATOR)
    for user in PLAYERS[:2]:
        await use_cases.ladders.join(GUILD, user, NOON)
    challenge = await use_cases.ladders.challenge(GUILD, PLAYERS[1], PLAYERS[0], NOON)
    _, match = await use_cases.challenges.accept(challenge.id, PLAYERS[0], NOON)
    assert match is not None
    await lose(use_cases, match.id, PLAYERS[0])
    return match.id


async def places(use_cases: UseCases) -> tuple[tuple[UserId, ...], int]:
    ladder = await use_cases.ladders.load(GUILD)
    return ladder.users, len(ladder.duels)


async def decide(use_cases: UseCases) -> None:
    referee = LadderReferee(use_cases.store, use_cases.events)
    for key in await referee.pending(5):
        await referee.process(key)


async def test_a_duel_that_is_not_decided_yet_decides_nothing(store: Database, use_cases: UseCases) -> None:
    number = await duel(store, use_cases)
    assert await void(use_cases, number) == []
    await decide(use_cases)
    assert await places(use_cases) == (PLAYERS[:2], 0)


async def test_places_on_the_ladder_stay_and_the_question_says_so(store: Database, use_cases: UseCases) -> None:
    number = await duel(store, use_cases)
    await decide(use_cases)
    taken = await places(use_cases)
    assert taken == (PLAYERS[1::-1], 0)
    assert await void(use_cases, number) == [Trace.LADDER_STAYS]
    assert await places(use_cases) == taken
