"""Turns without a move of a player: calling off, random moves, playing out after a STOP, and downtimes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from play.clock import Speed
from play.clock.agreement import DEFAULT_PLAY_OUT, NO_AGREEMENT, NO_LIMIT, TimeAgreement
from play.clock.schedule import ClockSchedule, Span
from play.ids import IdempotencyKey, Millis
from play.match import moves, offers
from play.match.endings import stopped_seat
from play.match.events import Event, EventKind, OfferKind
from play.match.match import Match
from play.match.moves import FLAG_GRACE, MAX_RANDOM_MOVES
from play.refusal import Refused
from rules.game import IllegalMove, Outcome, Seat
from rules.registry import make_game
from tests.clock import DAY, HOUR, MINUTE, NOON, SECOND
from tests.matches import ANNA, BORIS, CLARA, a_match, play_turn

SOURCE = IdempotencyKey(1)
CLASSIC = make_game("classic", {"size": "5x5"})
FOUR_MINUTES = DEFAULT_PLAY_OUT[Speed.LIVE]


def blitz() -> Match:
    """Returns a blitz in which both have moved."""
    match = a_match(control="5s random")
    for text, at in (("A1", NOON), ("E5", NOON + SECOND)):
        assert match.to_act is not None
        match = moves.move(match, match.players[match.to_act], text, Millis(at), SOURCE)
    return match


def late(match: Match) -> Match:
    """Returns the match at the first moment at which the flag falls."""
    assert match.clock.deadline is not None
    return moves.flag(match, Millis(match.clock.deadline + FLAG_GRACE + 1))


def stopped(control: str = "10m+30s", agreement: TimeAgreement = NO_AGREEMENT) -> Match:
    """Returns a match in which Anna has stopped and Boris plays out."""
    return play_turn(play_turn(play_turn(a_match(control=control, game=CLASSIC, agreement=agreement)), "E5"), "stop")


@pytest.mark.parametrize("user", [ANNA, BORIS])
@pytest.mark.parametrize("made", [0, 1])
def test_anybody_calls_a_match_off_in_which_not_everybody_has_moved(user: int, made: int) -> None:
    match = a_match()
    for _ in range(made):
        match = play_turn(match)
    off = moves.abort(match, match.players[user - ANNA], NOON, SOURCE)
    assert (off.outcome, off.clock.deadline) == (Outcome((), "called_off"), None)


def test_a_match_in_which_everybody_has_moved_is_not_called_off() -> None:
    with pytest.raises(Refused, match="too_late_to_abort"):
        moves.abort(play_turn(play_turn(a_match())), ANNA, NOON, SOURCE)


def test_a_stranger_does_not_call_a_match_off() -> None:
    with pytest.raises(Refused, match="not_your_match"):
        moves.abort(a_match(), CLARA, NOON, SOURCE)


def test_in_a_blitz_chance_plays_for_a_player_who_is_late() -> None:
    before = blitz()
    match = late(before)
    event = match.events[-1]
    assert (event.kind, event.seat, event.key) == (EventKind.RANDOM, 0, None)
    assert event.text in map(str, before.position.moves())
    assert (match.moves[-1], match.to_act, match.outcome) == (event, 1, None)


def test_the_next_player_has_his_whole_time_from_the_random_dot_on() -> None:
    match = late(blitz())
    assert match.clock.deadline == match.events[-1].at + 5 * SECOND


def test_chance_plays_the_same_wherever_it_is_asked() -> None:
    assert late(blitz()).events == late(blitz()).events


def test_chance_plays_differently_in_another_match_and_in_another_turn() -> None:
    match = blitz()
    dots = {late(replace(match, seed=seed)).events[-1].text for seed in range(40)}
    assert len(dots) > 10
    played = late(late(match)).moves
    assert played[-1].text != played[-2].text


@pytest.mark.parametrize("made", [0, 1])
def test_in_a_blitz_chance_plays_the_first_move_too(made: int) -> None:
    match = a_match(control="5s random")
    for _ in range(made):
        match = play_turn(match, at_once=True)
    match = late(match)
    assert (match.events[-1].kind, match.events[-1].seat, match.outcome) == (EventKind.RANDOM, made, None)


def test_grace_lengthens_no_turn_of_a_blitz() -> None:
    match = a_match(control="5s random")
    assert moves.move(match, ANNA, "A1", Millis(NOON + 5 * SECOND), SOURCE).version == 1
    with pytest.raises(Refused, match="turn_over"):
        moves.move(match, ANNA, "A1", Millis(NOON + 5 * SECOND + 1), SOURCE)


def test_grace_delays_the_random_dot_so_that_a_click_in_time_may_arrive() -> None:
    match = a_match(control="5s random")
    assert moves.flag(match, Millis(NOON + 5 * SECOND + FLAG_GRACE)) is match


def test_grace_lengthens_no_turn_of_another_clock() -> None:
    match = a_match(control="10m+5s")
    with pytest.raises(Refused, match="time_over"):
        moves.move(match, ANNA, "A1", Millis(NOON + 10 * MINUTE + 1), SOURCE)


def test_in_a_blitz_a_move_is_not_taken_back_after_the_time_of_its_turn() -> None:
    match = moves.move(blitz(), ANNA, "A5", Millis(NOON + 5 * SECOND), SOURCE)
    with pytest.raises(Refused, match="time_over"):
        offers.take_back(match, ANNA, Millis(NOON + 6 * SECOND + 1), SOURCE, practice=False)


def test_chance_does_not_set_up_dot_dash_which_has_millions_of_ways() -> None:
    assert late(a_match(control="5s random", game=make_game("dot-dash", {}))).outcome == Outcome((), "abort")


def test_a_blitz_in_which_nobody_ever_moves_is_called_off_after_three_dots_of_chance_for_each() -> None:
    match = a_match(control="5s random")
    for _ in range(2 * MAX_RANDOM_MOVES):
        match = late(match)
        assert not match.outcome
    assert late(match).outcome == Outcome((), "abandoned")


def test_where_chance_alone_has_been_playing_the_match_is_called_off() -> None:
    match = blitz()
    for _ in range(2 * MAX_RANDOM_MOVES):
        match = late(match)
        assert not match.outcome
    assert late(match).outcome == Outcome((), "abandoned")


def test_one_dot_of_a_player_shows_that_somebody_is_there() -> None:
    match = blitz()
    for _ in range(2 * MAX_RANDOM_MOVES - 1):
        match = late(match)
    match = late(play_turn(match, at_once=True))
    assert match.outcome is None


def test_a_random_dot_is_not_taken_back_without_asking() -> None:
    match = late(late(blitz()))  # for Anna, then for Boris
    asked = offers.take_back(match, BORIS, match.events[-1].at, SOURCE, practice=False)
    assert asked.events[-1].kind is EventKind.OFFER


def test_after_a_stop_the_other_has_four_minutes_whatever_his_clock_says() -> None:
    match = stopped("1h+0s")
    assert match.clock.deadline == match.clock.since + FOUR_MINUTES
    assert match.clock.remaining[1] == HOUR - MINUTE


def test_while_he_plays_out_his_time_only_shrinks() -> None:
    match = play_turn(stopped("10m/30s"))
    assert (match.to_act, match.clock.deadline) == (1, match.clock.since + FOUR_MINUTES - MINUTE)


def test_when_the_time_to_play_out_is_over_the_game_ends_as_if_he_had_stopped() -> None:
    match = late(play_turn(stopped()))
    assert match.events[-1].kind is EventKind.TIME
    assert match.outcome is not None
    assert match.outcome.reason == "stop"


def test_in_a_game_over_days_playing_out_takes_days() -> None:
    assert stopped("2d").clock.deadline == NOON + 3 * MINUTE + DEFAULT_PLAY_OUT[Speed.DAYS]


def test_the_time_to_play_out_may_be_agreed() -> None:
    match = stopped("2d", agreement=TimeAgreement(play_out=Millis(10 * MINUTE)))
    assert match.clock.deadline == match.clock.since + 10 * MINUTE


def test_without_a_clock_one_plays_out_as_long_as_one_likes() -> None:
    assert stopped("none").clock.deadline is None


def test_a_stop_that_was_taken_back_gives_the_clocks_back() -> None:
    match = stopped("1h+0s")
    undone = offers.take_back(match, ANNA, Millis(match.events[-1].at + SECOND), SOURCE, practice=False)
    assert (undone.to_act, undone.clock.deadline) == (0, NOON + 2 * MINUTE + HOUR - MINUTE)
    asked = offers.offer(play_turn(match), ANNA, OfferKind.TAKEBACK, Millis(match.clock.since + 2 * MINUTE), SOURCE)
    undone = offers.agree(asked, BORIS, OfferKind.TAKEBACK, Millis(match.clock.since + 3 * MINUTE), SOURCE)
    assert (undone.to_act, undone.clock.remaining[1]) == (0, HOUR - MINUTE)


def stopped_waiting(control: str = "1h+0s", **options: Any) -> Match:
    """Returns a match in which Anna stops, a minute after Boris's turn has begun."""
    match = play_turn(a_match(control=control, game=CLASSIC, **options))
    return moves.move(match, ANNA, "stop", Millis(match.clock.since + MINUTE), SOURCE)


def test_a_player_may_stop_on_the_opponents_turn_and_gives_it_the_usual_limit() -> None:
    match = stopped_waiting()
    assert (match.to_act, stopped_seat(match.position), match.events[-1].seat) == (1, 0, 0)
    assert match.clock.deadline == match.events[-1].at + FOUR_MINUTES
    assert match.clock.remaining == (HOUR - MINUTE, HOUR - MINUTE)


def test_who_has_stopped_on_the_opponents_turn_plays_no_more() -> None:
    match = stopped_waiting()
    for text in ("stop", "A5"):
        with pytest.raises(Refused, match="not_your_turn"):
            moves.move(match, ANNA, text, Millis(match.clock.since + MINUTE), SOURCE)
    assert play_turn(play_turn(match)).to_act == 1


def test_a_dot_is_not_placed_on_the_opponents_turn_and_stop_only_where_it_is_played_out() -> None:
    for game in (CLASSIC, make_game("zagram", {"size": "5x5"}), make_game("paper", {"size": "5x5"})):
        match = play_turn(a_match(game=game), "C3" if game.key == "paper" else None)
        for text in ("A5", "nonsense", "land") + (() if game is CLASSIC else ("stop", "stop-waiting")):
            with pytest.raises(Refused, match="not_your_turn"):
                moves.move(match, ANNA, text, match.clock.since, SOURCE)


def test_nobody_stops_for_the_other_by_its_inner_name() -> None:
    match = play_turn(a_match(game=CLASSIC), "stop-waiting")
    assert (match.events[-1].text, stopped_seat(match.position), match.to_act) == ("stop", 0, 1)


def test_a_stop_on_the_opponents_turn_comes_too_late_after_the_flag() -> None:
    match = play_turn(a_match(control="1m+0s", game=CLASSIC))
    with pytest.raises(Refused, match="time_over"):
        moves.move(match, ANNA, "stop", Millis(match.clock.since + HOUR), SOURCE)


def test_a_stop_on_the_opponents_turn_can_be_taken_back_at_once() -> None:
    match = stopped_waiting()
    undone = offers.take_back(match, ANNA, Millis(match.events[-1].at + SECOND), SOURCE, practice=False)
    assert (undone.to_act, stopped_seat(undone.position), undone.clock.countdown) == (1, None, None)
    assert undone.clock.deadline == match.events[-1].at - MINUTE + HOUR


def test_without_a_limit_playing_out_runs_on_the_games_clock() -> None:
    match = stopped_waiting("10m+30s", agreement=TimeAgreement(play_out=NO_LIMIT))
    began = match.events[0].at
    assert match.clock.deadline == began + 10 * MINUTE
    own = stopped("10m+30s", agreement=TimeAgreement(play_out=NO_LIMIT))
    assert own.clock.countdown is None
    after = late(own)
    assert after.outcome is not None
    assert after.outcome.reason == "stop"


def test_a_history_with_a_stop_out_of_place_does_not_load() -> None:
    match = play_turn(a_match(game=CLASSIC))
    for seat, text in ((1, "stop-waiting"), (0, "stop")):
        with pytest.raises(IllegalMove):
            match.after(Event(EventKind.MOVE, Seat(seat), text, match.clock.since, None))


def test_a_downtime_is_nobodys_time() -> None:
    match = a_match(control="1h").with_downtimes((Span(Millis(NOON + MINUTE), Millis(NOON + DAY)),))
    assert not moves.is_flag_due(match, Millis(NOON + DAY + 59 * MINUTE + FLAG_GRACE))
    assert moves.is_flag_due(match, Millis(NOON + DAY + 59 * MINUTE + FLAG_GRACE + 1))


def test_a_move_made_while_the_bot_was_away_counts_from_its_return() -> None:
    match = a_match(control="1h").with_downtimes((Span(Millis(NOON + MINUTE), Millis(NOON + DAY)),))
    match = moves.move(match, ANNA, "A1", Millis(NOON + 2 * HOUR), SOURCE)
    assert (match.events[-1].at, match.clock.deadline) == (NOON + DAY, NOON + DAY + HOUR)


def test_a_flag_does_not_fall_while_a_clock_is_stopped() -> None:
    away = ClockSchedule(spans=(Span(NOON, Millis(NOON + 7 * DAY)),))
    match = a_match(control="1h", schedules=(away, ClockSchedule()))
    assert moves.flag(match, Millis(NOON + 7 * DAY)) is match


def test_a_player_moves_while_their_clock_is_stopped() -> None:
    away = ClockSchedule(spans=(Span(NOON, Millis(NOON + 7 * DAY)),))
    match = play_turn(a_match(control="1h", schedules=(away, ClockSchedule())))
    assert (match.to_act, match.clock.deadline) == (Seat(1), NOON + MINUTE + HOUR)
