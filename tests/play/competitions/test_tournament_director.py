"""The points that a game gives its pair, also if it is not over in time."""

from __future__ import annotations

import pytest

from play.competitions.tournament import Pairing
from play.ids import IdempotencyKey, UserId
from play.match import adjudication
from play.match import moves as turns
from play.match.match import Match
from play.match.points import DRAWN, LOST, WON
from tests.bot.table import a_match
from tests.clock import NOON
from tests.matches import resign
from use_cases.competitions.tournament_director import points
from use_cases.verdicts import leader

FIRST, SECOND, MODERATOR = UserId(101), UserId(102), UserId(900)
BOUT = Pairing(1, FIRST, SECOND)
MOVES = ("e5", "f5", "f6", "a1", "g5", "a2", "f4")
"""Moves, with the last of which the first player captures a dot."""


def test_a_win_is_worth_a_point() -> None:
    assert points(resign(a_match("zagram", *MOVES), SECOND), BOUT) == WON


def test_the_seats_of_the_game_do_not_matter() -> None:
    assert points(resign(a_match("zagram", *MOVES), SECOND), Pairing(1, SECOND, FIRST)) == LOST


@pytest.mark.parametrize(("user", "result"), [(FIRST, LOST), (SECOND, WON)])
def test_a_player_who_calls_a_game_off_has_lost_it(user: UserId, result: tuple[float, float]) -> None:
    match = turns.abort(a_match("zagram"), user, NOON, IdempotencyKey(9))
    assert points(match, BOUT) == result


def annulled(match: Match) -> Match:
    return adjudication.annul(match, MODERATOR, NOON, IdempotencyKey(9))


def test_a_game_that_a_moderator_annuls_is_drawn() -> None:
    assert points(annulled(a_match("zagram", *MOVES)), BOUT) == DRAWN


def test_the_leader_when_the_round_ends_has_won() -> None:
    assert leader(a_match("zagram", *MOVES)) == FIRST


def test_a_level_game_is_drawn_when_the_round_ends() -> None:
    assert leader(a_match("zagram", *MOVES[:6])) is None


@pytest.mark.parametrize(("moves", "winner"), [((), SECOND), (MOVES[:1], FIRST)])
def test_a_player_who_never_moved_has_lost_when_the_round_ends(moves: tuple[str, ...], winner: UserId) -> None:
    assert leader(a_match("zagram", *moves)) == winner
