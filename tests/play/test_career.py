"""Summaries of finished matches."""

from __future__ import annotations

from dataclasses import replace

import pytest

from play.ids import ChannelId, IdempotencyKey, MatchId, Millis, UserId
from play.match import moves, offers
from play.people.career import Career, FinishedMatch, Result, Tally, biggest_captures, quitters, summarize
from rules.game import Seat
from tests.bot.table import a_match
from tests.clock import NOON
from tests.matches import ANNA, BORIS, CLARA, resign

WON, DRAWN, LOST = (Seat(0),), (Seat(0), Seat(1)), (Seat(1),)
NOTHING: tuple[Seat, ...] = ()


def finished(
    number: int, *winners: Seat, players: tuple[UserId, ...] = (ANNA, BORIS), rules: str = "zagram", capture: int = 0
) -> FinishedMatch:
    """Returns a match in which ANNA moved first, unless `players` say otherwise."""
    return FinishedMatch(
        MatchId(number),
        guild=None,
        channel=ChannelId(1),
        board=None,
        rules=rules,
        players=players,
        winners=winners,
        reason="full",
        ended=Millis(NOON + number),
        scores=(1.0, 0.0),
        captures=(capture, 9),
    )


def career(*outcomes: tuple[Seat, ...]) -> Career:
    """Returns the career of ANNA from matches, the latest first."""
    return summarize(ANNA, [finished(len(outcomes) - number, *winners) for number, winners in enumerate(outcomes)])


@pytest.mark.parametrize(("winners", "result"), [(WON, Result.WON), (DRAWN, Result.DRAWN), (LOST, Result.LOST)])
def test_a_result_is_seen_from_ones_own_seat(winners: tuple[Seat, ...], result: Result) -> None:
    assert finished(1, *winners).result(ANNA) is result


def test_nothing_comes_of_an_undecided_match() -> None:
    assert finished(1).result(ANNA) is None


def test_nothing_comes_of_an_annulled_match() -> None:
    assert replace(finished(1, *WON), annulled=True).result(ANNA) is None


def test_a_career_counts_what_was_decided() -> None:
    assert career(WON, DRAWN, NOTHING, LOST, WON).all == Tally(won=2, drawn=1, lost=1)


def test_the_streak_is_of_the_latest_matches() -> None:
    assert (career(WON, WON, LOST, WON, WON, WON).streak, career(LOST, WON).streak) == (2, 0)


def test_the_longest_streak_is_remembered() -> None:
    assert career(WON, LOST, WON, WON, WON, DRAWN, WON).longest == 3


def test_first_and_later_moves_are_told_apart() -> None:
    second = finished(2, Seat(1), players=(BORIS, ANNA))
    told = summarize(ANNA, [second, finished(1, *LOST)])
    assert (told.first, told.later) == (Tally(lost=1), Tally(won=1))


def test_rules_and_opponents_are_in_the_order_of_matches() -> None:
    matches = [
        finished(3, *WON, rules="quick", players=(ANNA, CLARA)),
        finished(2, *WON),
        finished(1, *LOST),
    ]
    told = summarize(ANNA, matches)
    assert [key for key, _ in told.rules] == ["zagram", "quick"]
    assert told.opponents == ((BORIS, Tally(won=1, lost=1)), (CLARA, Tally(won=1)))


def test_the_biggest_capture_is_ones_own() -> None:
    told = summarize(ANNA, [finished(2, *WON, capture=3), finished(1, *LOST, capture=5)])
    assert told.capture == (5, MatchId(1))


def test_who_never_played_has_an_empty_career() -> None:
    assert summarize(ANNA, []) == Career(Tally(), Tally(), Tally(), (), (), 0, 0, None)


def test_a_capture_is_what_one_turn_won() -> None:
    match = a_match("zagram", "e5", "f5", "f6", "a1", "g5", "a2", "f4")
    assert match.score == (1, 0)
    assert biggest_captures(match) == (1, 0)


def test_a_capture_that_was_taken_back_does_not_count() -> None:
    match = a_match("zagram", "e5", "f5", "f6", "a1", "g5", "a2", "f4")
    match = offers.take_back(match, match.players[0], match.moves[-1].at, IdempotencyKey(99), practice=False)
    assert biggest_captures(match) == (0, 0)


def test_who_calls_a_match_off_has_quit() -> None:
    match = moves.abort(a_match("zagram", "e5"), UserId(102), NOON, IdempotencyKey(9))
    assert quitters(match) == (Seat(1),)


def test_who_resigns_has_not_quit() -> None:
    assert quitters(resign(a_match("zagram", "e5", "f5"), UserId(101))) == ()
