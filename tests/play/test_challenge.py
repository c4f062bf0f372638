"""Accepting, declining, changing and withdrawing a challenge: by which players, and until when."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import pytest

from play.challenge.challenge import Challenge, ChallengeState, accept, change, counter, decline, expire, leave
from play.challenge.terms import Order, Terms, Window, parse_window
from play.clock import parse_control
from play.clock.agreement import NO_AGREEMENT, NO_LIMIT, TimeAgreement
from play.ids import ChallengeId, ChannelId, Millis, UserId
from play.refusal import Refused
from rules.registry import GAMES
from tests.clock import DAY, HOUR, MINUTE, NOON
from tests.matches import ANNA, BORIS, CLARA, GAME, GUILD

TO_BORIS = Challenge(ChallengeId(1), GUILD, ChannelId(1), ANNA, BORIS, Terms(GAME, parse_control("3d")), NOON)
TO_ALL = replace(TO_BORIS, opponent=None)
WEEK = 7 * DAY
OTHER = Terms(GAME, parse_control("1d"))
DAVID = UserId(104)
OF_THREE = replace(TO_ALL, terms=Terms(GAMES["three"], parse_control("3d")))
OF_THREE_WITH_BORIS = replace(OF_THREE, opponent=BORIS)
Answer = Callable[[Challenge, UserId, Millis], Challenge]


@pytest.mark.parametrize(
    ("challenge", "user"), [(TO_BORIS, BORIS), (TO_ALL, BORIS), (TO_ALL, CLARA)], ids=["asked", "anybody", "else"]
)
def test_a_challenge_is_taken_by_who_may(challenge: Challenge, user: UserId) -> None:
    accepted = accept(challenge, user, NOON)
    assert accepted == replace(challenge, joined=(user,), state=ChallengeState.ACCEPTED, version=1)


def test_who_was_asked_declines() -> None:
    assert decline(TO_BORIS, BORIS, NOON).state is ChallengeState.DECLINED


@pytest.mark.parametrize("challenge", [TO_BORIS, TO_ALL], ids=["to one", "to all"])
def test_who_made_a_challenge_takes_it_back(challenge: Challenge) -> None:
    assert decline(challenge, ANNA, NOON).state is ChallengeState.WITHDRAWN


@pytest.mark.parametrize(
    ("answer", "challenge", "user", "key"),
    [
        (accept, TO_BORIS, ANNA, "own_challenge"),
        (accept, TO_ALL, ANNA, "own_challenge"),
        (accept, TO_BORIS, CLARA, "not_your_challenge"),
        (decline, TO_BORIS, CLARA, "not_your_challenge"),
        (decline, TO_ALL, CLARA, "open_challenge_stays"),
    ],
)
def test_a_challenge_is_refused_to_who_may_not(answer: Answer, challenge: Challenge, user: UserId, key: str) -> None:
    with pytest.raises(Refused, match=key):
        answer(challenge, user, NOON)


@pytest.mark.parametrize("answer", [accept, decline])
@pytest.mark.parametrize("state", [state for state in ChallengeState if state is not ChallengeState.OPEN])
def test_a_challenge_that_has_ended_says_how(answer: Answer, state: ChallengeState) -> None:
    with pytest.raises(Refused, match=f"challenge_{state}"):
        answer(replace(TO_BORIS, state=state), BORIS, NOON)


def test_a_challenge_lives_for_a_week() -> None:
    assert accept(TO_BORIS, BORIS, Millis(NOON + WEEK - 1)).state is ChallengeState.ACCEPTED


@pytest.mark.parametrize("answer", [accept, decline])
def test_a_challenge_older_than_a_week_is_over(answer: Answer) -> None:
    with pytest.raises(Refused, match="challenge_expired"):
        answer(TO_BORIS, BORIS, Millis(NOON + WEEK))


def test_a_challenge_to_play_at_once_lives_for_two_hours() -> None:
    live = replace(TO_BORIS, terms=Terms(GAME, parse_control("5m+10s")))
    assert live.expires == NOON + 2 * HOUR


def test_ten_minutes_for_each_move_are_rated_live() -> None:
    challenge = replace(TO_BORIS, terms=Terms(GAMES["zagram"], parse_control("10m"), rated=True))
    assert str(challenge.pool) == "dots-live"


def test_a_challenge_of_before_is_rated_at_the_speed_that_its_card_named() -> None:
    """Until 10 minutes for each move counted as live, such a challenge stayed open for a week."""
    terms = Terms(GAMES["zagram"], parse_control("10m"), rated=True)
    challenge = replace(TO_BORIS, terms=terms, delay=Millis(WEEK - 2 * HOUR))
    assert (challenge.expires, str(challenge.pool)) == (NOON + WEEK, "dots-days")


def test_a_challenge_that_is_not_rated_has_no_pool() -> None:
    assert TO_BORIS.pool is None


def test_the_last_seat_of_three_begins_the_match() -> None:
    one = accept(OF_THREE, BORIS, NOON)
    assert (one.state, one.free_seats) == (ChallengeState.OPEN, 1)
    both = accept(one, CLARA, NOON)
    assert (both.state, both.joined) == (ChallengeState.ACCEPTED, (BORIS, CLARA))


def test_a_seat_is_kept_for_who_was_asked() -> None:
    one = accept(OF_THREE_WITH_BORIS, CLARA, NOON)
    with pytest.raises(Refused, match="not_your_challenge"):
        accept(one, DAVID, NOON)
    assert accept(one, BORIS, NOON).state is ChallengeState.ACCEPTED


def test_nobody_takes_two_seats() -> None:
    with pytest.raises(Refused, match="joined_already"):
        accept(accept(OF_THREE, BORIS, NOON), BORIS, NOON)


def test_a_seat_can_be_given_back_before_the_match_begins() -> None:
    assert leave(accept(OF_THREE, BORIS, NOON), BORIS, NOON).joined == ()
    with pytest.raises(Refused, match="not_joined"):
        leave(OF_THREE, BORIS, NOON)


def test_the_seat_of_an_opponent_who_declines_is_anybodys_among_three() -> None:
    without = decline(OF_THREE_WITH_BORIS, BORIS, NOON)
    assert (without.state, without.free_seats) == (ChallengeState.OPEN, 2)


@pytest.mark.parametrize(
    ("order", "players"),
    [(Order.FIRST, (ANNA, BORIS, CLARA)), (Order.LAST, (BORIS, CLARA, ANNA))],
)
def test_the_order_is_as_it_was_chosen(order: Order, players: tuple[UserId, ...]) -> None:
    challenge = replace(OF_THREE, terms=replace(OF_THREE.terms, order=order), joined=(BORIS, CLARA))
    assert challenge.players(random.Random(0)) == players


def test_an_order_that_is_drawn_has_everybody_in_any_place() -> None:
    challenge = replace(OF_THREE, joined=(BORIS, CLARA))
    assert {challenge.players(random.Random(seed)) for seed in range(100)} == {
        *((ANNA, BORIS, CLARA), (ANNA, CLARA, BORIS), (BORIS, ANNA, CLARA)),
        *((BORIS, CLARA, ANNA), (CLARA, ANNA, BORIS), (CLARA, BORIS, ANNA)),
    }


def test_a_counter_offer_waits_for_the_challenger() -> None:
    counter = change(TO_BORIS, BORIS, OTHER, NOON, changes=0)
    assert (counter.terms, counter.original_terms, counter.countered_by, counter.changes) == (
        OTHER,
        TO_BORIS.terms,
        BORIS,
        1,
    )
    with pytest.raises(Refused, match="own_challenge"):
        accept(counter, BORIS, NOON)
    with pytest.raises(Refused, match="not_your_challenge"):
        accept(counter, CLARA, NOON)
    accepted = accept(counter, ANNA, NOON)
    assert (accepted.state, accepted.joined) == (ChallengeState.ACCEPTED, (BORIS,))


def test_terms_may_go_to_and_fro() -> None:
    counter = change(TO_BORIS, BORIS, OTHER, NOON, changes=0)
    third = Terms(GAME, parse_control("7d"))
    again = change(counter, ANNA, third, NOON, changes=1)
    assert (again.countered_by, again.original_terms, again.changes) == (None, TO_BORIS.terms, 2)
    assert accept(again, BORIS, NOON, changes=2).state is ChallengeState.ACCEPTED


def test_terms_that_are_the_first_ones_again_are_no_change() -> None:
    counter = change(TO_BORIS, BORIS, OTHER, NOON, changes=0)
    assert change(counter, ANNA, TO_BORIS.terms, NOON, changes=1).original_terms is None


def test_nobody_accepts_terms_that_have_changed_meanwhile() -> None:
    mended = change(TO_BORIS, ANNA, OTHER, NOON, changes=0)
    with pytest.raises(Refused, match="challenge_changed"):
        accept(mended, BORIS, NOON, changes=0)
    with pytest.raises(Refused, match="challenge_changed"):
        change(mended, BORIS, TO_BORIS.terms, NOON, changes=0)


def test_new_terms_ask_everybody_anew() -> None:
    one = accept(OF_THREE, BORIS, NOON)
    assert change(one, ANNA, replace(one.terms, order=Order.FIRST), NOON, changes=0).joined == ()


@pytest.mark.parametrize(
    ("challenge", "user", "terms", "key"),
    [
        (TO_BORIS, CLARA, OTHER, "not_your_terms"),
        (OF_THREE_WITH_BORIS, BORIS, replace(OF_THREE.terms, order=Order.LAST), "not_your_terms"),
        (TO_BORIS, ANNA, TO_BORIS.terms, "nothing_changed"),
        (TO_BORIS, ANNA, OF_THREE.terms, "seats_stay"),
        (replace(TO_BORIS, state=ChallengeState.EXPIRED), ANNA, OTHER, "challenge_expired"),
    ],
)
def test_a_change_that_may_not_be_is_refused(challenge: Challenge, user: UserId, terms: Terms, key: str) -> None:
    with pytest.raises(Refused, match=key):
        change(challenge, user, terms, NOON, changes=0)


def test_other_terms_for_an_open_challenge_are_a_challenge_to_who_made_it() -> None:
    answer = counter(replace(TO_ALL, terms=replace(TO_ALL.terms, window=Window(1, 2))), CLARA, OTHER, NOON, changes=0)
    assert (answer.challenger, answer.opponent, answer.terms) == (CLARA, ANNA, OTHER)
    assert (answer.counters, answer.original_terms) == (TO_ALL.id, replace(TO_ALL.terms, window=Window(1, 2)))


@pytest.mark.parametrize(
    ("challenge", "terms", "key"),
    [
        (TO_ALL, TO_ALL.terms, "nothing_changed"),
        (OF_THREE, OTHER, "not_your_terms"),
        (TO_ALL, OF_THREE.terms, "seats_stay"),
    ],
)
def test_an_answer_that_may_not_be_is_refused(challenge: Challenge, terms: Terms, key: str) -> None:
    with pytest.raises(Refused, match=key):
        counter(challenge, CLARA, terms, NOON, changes=0)


@pytest.mark.parametrize(("rating", "may"), [(1400, True), (1600, True), (1399.9, False), (1601, False), (None, True)])
def test_an_open_challenge_may_be_for_some_ratings_only(rating: float | None, *, may: bool) -> None:
    challenge = replace(TO_ALL, terms=replace(TO_ALL.terms, window=Window(1400, 1600)))
    if may:
        assert accept(challenge, CLARA, NOON, rating=rating).state is ChallengeState.ACCEPTED
    else:
        with pytest.raises(Refused, match="outside_window"):
            accept(challenge, CLARA, NOON, rating=rating)


def test_a_challenge_expires_if_it_is_open_then() -> None:
    assert expire(TO_BORIS, Millis(NOON + WEEK)).state is ChallengeState.EXPIRED
    assert expire(TO_BORIS, Millis(NOON + WEEK - 1)) is TO_BORIS
    accepted = accept(TO_BORIS, BORIS, NOON)
    assert expire(accepted, Millis(NOON + WEEK)) is accepted


@pytest.mark.parametrize("text", ["1400-1700", " 1400 – 1700 "])
def test_a_window_is_written_as_two_ratings(text: str) -> None:
    assert parse_window(text) == Window(1400, 1700)


@pytest.mark.parametrize("text", ["", "1400", "1700-1400", "a-b", "10000-20000"])
def test_other_windows_are_refused(text: str) -> None:
    with pytest.raises(Refused, match="bad_window"):
        parse_window(text)


@pytest.mark.parametrize(
    ("key", "control", "agreement", "time"),
    [
        ("zagram-no-territory", "10m+30s", NO_AGREEMENT, 4 * MINUTE),
        ("zagram-no-territory", "3d", NO_AGREEMENT, 3 * DAY),
        ("zagram-no-territory", "10m+30s", TimeAgreement(play_out=Millis(9 * MINUTE)), 9 * MINUTE),
        ("zagram-no-territory", "10m+30s", TimeAgreement(play_out=NO_LIMIT), NO_LIMIT),
        ("classic", "10m+30s", NO_AGREEMENT, NO_LIMIT),
        ("classic", "3d", TimeAgreement(play_out=Millis(9 * MINUTE)), 9 * MINUTE),
    ],
)
def test_playing_out_has_four_minutes_on_zagram_and_in_classic_only_the_games_clock(
    key: str, control: str, agreement: TimeAgreement, time: int
) -> None:
    terms = Terms(GAMES[key], parse_control(control), agreement=agreement)
    assert terms.settled_agreement == replace(agreement, play_out=Millis(time))
