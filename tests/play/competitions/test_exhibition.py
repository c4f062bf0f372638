"""An exhibition: the host plays all who sign up, at once, with time for all boards."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from play.challenge.terms import Terms
from play.clock import parse_control
from play.community.ban import Ban
from play.competitions import entries, hosting, rounds
from play.competitions.pairing import exhibition
from play.competitions.tournament import MAX_BOARDS, Format, NoticeKind, Stage, Tournament, TournamentId
from play.ids import ChannelId, GuildId, IdempotencyKey, Millis, UserId
from play.refusal import Refused
from rules.registry import make_game
from storage import Database
from tests.clock import NOON
from tests.director import direct, make_director
from tests.matches import GUILD, load_match
from use_cases import UseCases

HOST, OTHERS = UserId(500), tuple(map(UserId, (1, 2, 3, 4)))
GAME = make_game("zagram", {"size": "5x5"})


def an_exhibition(clock: str = "1d", **changes: object) -> Tournament:
    terms = Terms(GAME, parse_control(clock))
    new = Tournament(
        TournamentId(0), GUILD, ChannelId(9), HOST, "All against one", Format.EXHIBITION, terms, NOON, rounds=5
    )
    return replace(new, **changes)  # type: ignore[arg-type]


def signed_up(*users: UserId, clock: str = "1d") -> Tournament:
    tournament = an_exhibition(clock)
    for user in users:
        tournament = entries.sign_up(tournament, user)
    return tournament


def started(*users: UserId, clock: str = "1d") -> Tournament:
    return rounds.start(signed_up(*users, clock=clock), dict.fromkeys((HOST, *users), 1500.0), 4, NOON)


@given(st.integers(3, MAX_BOARDS))
def test_the_host_meets_each_once_and_moves_first_on_every_other_board(number: int) -> None:
    users = tuple(map(UserId, range(1, number + 1)))
    pairs = exhibition((HOST, *users))
    assert {first if second == HOST else second for first, second in pairs} == {*users}
    assert len(pairs) == number
    assert [first == HOST for first, _ in pairs] == [board % 2 == 0 for board in range(number)]


def test_the_only_round_ends_it() -> None:
    tournament = started(*OTHERS)
    for pair in tournament.pairings:
        tournament = rounds.enter_result(tournament, pair, (1.0, 0.0) if pair.first == HOST else (0.5, 0.5))
    over = rounds.advance(tournament, NOON)
    assert (over.stage, over.round) == (Stage.ENDED, 1)
    assert over.table[0].user == HOST
    assert over.table[0].points == 3.0
    assert not any(rounds.is_deciding(over, pair) for pair in over.pairings)


def test_the_host_does_not_sign_up() -> None:
    with pytest.raises(Refused, match="tournament_signed_up"):
        signed_up(HOST)


def test_it_has_twenty_boards_at_most() -> None:
    full = signed_up(*map(UserId, range(1, MAX_BOARDS + 1)))
    with pytest.raises(Refused, match="tournament_full"):
        entries.sign_up(full, UserId(99))


def test_it_needs_three_who_sign_up() -> None:
    with pytest.raises(Refused, match="tournament_too_few"):
        started(*OTHERS[:2])


def test_without_its_host_it_does_not_begin_and_is_cancelled_when_it_should() -> None:
    headless = replace(signed_up(*OTHERS), host=UserId(-1), begins=NOON, postponed=True)
    with pytest.raises(Refused, match="tournament_too_few"):
        rounds.start(headless, dict.fromkeys((UserId(-1), *OTHERS), 1500.0), 4, NOON)
    ended = rounds.start_when_due(headless, {}, 4, NOON)
    assert (ended.stage, ended.notices[-1].kind) == (Stage.CANCELLED, NoticeKind.TOO_FEW)


def test_a_host_who_withdraws_loses_all_boards() -> None:
    left = entries.withdraw(started(*OTHERS), HOST)
    assert {pair.points[pair.second == HOST] for pair in left.pairings if pair.points} == {0.0}
    assert all(pair.points for pair in left.pairings)


@pytest.mark.parametrize("clock", ["1m", "5s random"])
def test_the_host_does_not_think_on_twenty_boards_in_a_minute(clock: str) -> None:
    with pytest.raises(Refused, match="exhibition_clock"):
        hosting.change(cup := an_exhibition(), replace(cup, terms=Terms(GAME, parse_control(clock))))


@pytest.mark.parametrize(("clock", "minutes"), [("10m+30s", 30), ("10m/30s", 30), ("1d", 0), ("none", 0)])
def test_on_a_live_clock_the_host_has_the_time_of_all_boards(clock: str, minutes: int) -> None:
    assert rounds.host_time(started(*OTHERS, clock=clock)) == minutes * 60_000


async def running(use_cases: UseCases, clock: str = "10m+30s") -> Tournament:
    tournament = await use_cases.tournaments.make(an_exhibition(clock))
    for user in OTHERS:
        await use_cases.tournaments.sign_up(tournament.id, user)
    await use_cases.tournaments.begin(tournament.id, NOON)
    return await direct(make_director(use_cases), use_cases, tournament.id)


async def test_all_games_begin_with_the_time_of_their_players(store: Database, use_cases: UseCases) -> None:
    tournament = await running(use_cases)
    matches = [await load_match(store, pair.match) for pair in tournament.pairings if pair.match]
    assert len(matches) == len(OTHERS)
    minute = 60_000
    for match in matches:
        given = dict(zip(match.players, match.clock.remaining, strict=True))
        assert given.pop(HOST) == 40 * minute
        assert [*given.values()] == [10 * minute]
        assert not match.predictable


async def test_results_are_counted_and_the_host_has_the_points(use_cases: UseCases) -> None:
    tournament = await running(use_cases)
    for number, pair in enumerate(tournament.pairings):
        assert pair.match is not None
        loser = pair.opponent(HOST) if number else HOST
        assert loser is not None
        await use_cases.matches.resign(pair.match, loser, NOON, IdempotencyKey(900 + number))
    over = await direct(make_director(use_cases), use_cases, tournament.id)
    assert over.stage is Stage.ENDED
    assert {row.user: row.points for row in over.table}[HOST] == 3.0


async def test_a_host_who_withdraws_resigns_all_games(store: Database, use_cases: UseCases) -> None:
    tournament = await running(use_cases)
    await use_cases.tournaments.withdraw(tournament.id, HOST, NOON)
    for pair in tournament.pairings:
        assert pair.match is not None
        assert (await load_match(store, pair.match)).outcome is not None


async def test_a_banned_host_makes_none(use_cases: UseCases) -> None:
    await use_cases.bans.ban(Ban(GUILD, HOST, UserId(600), NOON))
    with pytest.raises(Refused, match="banned"):
        await use_cases.tournaments.make(an_exhibition())


async def test_a_player_blocked_by_the_host_does_not_sign_up(use_cases: UseCases) -> None:
    tournament = await use_cases.tournaments.make(an_exhibition())
    await use_cases.blocks.block(HOST, OTHERS[0], NOON)
    with pytest.raises(Refused, match="no_game_with"):
        await use_cases.tournaments.sign_up(tournament.id, OTHERS[0])


async def test_other_formats_do_not_ask_whom_the_host_has_blocked(use_cases: UseCases) -> None:
    tournament = await use_cases.tournaments.make(an_exhibition(format=Format.SWISS))
    await use_cases.blocks.block(HOST, OTHERS[0], NOON)
    assert (await use_cases.tournaments.sign_up(tournament.id, OTHERS[0])).users == OTHERS[:1]
    assert Millis(0) == rounds.host_time(tournament)
    assert tournament.guild == GuildId(GUILD)
