"""The cause of a mistake is the kind of exercise that trains it."""

from __future__ import annotations

from collections.abc import Sequence

from play.community.exercise import Kind
from play.match.match import Match
from play.people.past_mistake import Finding
from rules.registry import make_game
from tests.bot.features.coach.missed_capture import MOVES
from tests.matches import a_match, play_turn
from use_cases.causes import cause_of, causes_of

GAME = make_game("zagram", {"size": "7x7", "start": "empty"})


def played(moves: Sequence[str]) -> Match:
    """Returns a game with these moves; in MOVES the first player leaves two dots that F3 would capture."""
    match = a_match(game=GAME)
    for move in moves:
        match = play_turn(match, move)
    return match


def found(number: int, *line: str, lost: float = 2.0) -> Finding:
    return Finding(number, line, line[:1], 0.0, lost)


def test_dots_that_the_better_dot_takes_at_once_are_a_capture() -> None:
    assert cause_of(played(MOVES), found(11, "F3", "B7")) is Kind.CAPTURE


def test_a_threat_that_leads_to_a_capture_is_a_capture_too() -> None:
    assert cause_of(played(MOVES), found(9, "F3", "B7", "E3")) is Kind.CAPTURE


def test_a_capture_that_begins_without_a_threat_is_a_net() -> None:
    assert cause_of(played(MOVES[:9]), found(7, "E3", "B7", "G4", "B6", "F3")) is Kind.NET


def test_a_few_dots_that_fall_at_once_could_have_escaped() -> None:
    assert cause_of(played((*MOVES[:10], "F3")), found(10, "F3")) is Kind.ESCAPE


def test_a_call_is_stop() -> None:
    assert cause_of(played(MOVES), found(11, "stop")) is Kind.STOP


def test_a_mistake_without_dots_has_no_kind() -> None:
    assert cause_of(played(MOVES), found(1, "D5")) is None


def test_costs_of_a_kind_are_added_up() -> None:
    match = played(MOVES)
    findings = [found(11, "F3", lost=3.0), found(9, "F3", "B7", "E3", lost=1.5), found(1, "D5", lost=1.0)]
    assert causes_of(match, findings) == {Kind.CAPTURE: 4.5, None: 1.0}
