"""Offers between players: draws, take-backs, pauses, an agreed end, time; and when each lapses."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from play.clock import MAX_DURATION, Speed
from play.clock.agreement import TimeAgreement
from play.ids import IdempotencyKey, Millis, UserId
from play.match import endings, moves, offers
from play.match.events import Event, EventKind, OfferKind
from play.match.match import Match
from play.match.offers import DEFAULT_PAUSE, TAKEBACK_GRACE
from play.refusal import Refused
from rules.game import IllegalMove, Outcome, Seat
from rules.registry import make_game
from tests.clock import DAY, HOUR, MINUTE, NOON, SECOND
from tests.matches import ANNA, BORIS, CLARA, a_match, play_turn, resign
from use_cases.match_writer import automatic_key

SOURCE = IdempotencyKey(1)
DRAW, TAKEBACK, PAUSED, END = OfferKind
BOTH = (Seat(0), Seat(1))


def offered(match: Match, kind: OfferKind = DRAW, user: UserId = ANNA, at: int = 0) -> Match:
    return offers.offer(match, user, kind, Millis(at or match.clock.since), SOURCE)


def agreed(match: Match, kind: OfferKind = DRAW, user: UserId = BORIS, at: int = 0) -> Match:
    return offers.agree(match, user, kind, Millis(at or match.clock.since), SOURCE)


def declined(match: Match, kind: OfferKind = DRAW, user: UserId = BORIS) -> Match:
    return offers.decline(match, user, kind, match.clock.since, SOURCE)


def refused(doing: Callable[..., object], *arguments: object, **options: object) -> str:
    with pytest.raises(Refused) as refusal:
        doing(*arguments, **options)
    return refusal.value.key


def two_moves(control: str = "1h") -> Match:
    return play_turn(play_turn(a_match(control=control), "A1"), "E5")


def three() -> Match:
    game = make_game("three", {"size": "9x9"})
    return play_turn(a_match(players=(ANNA, BORIS, CLARA), game=game))


def test_a_draw_that_both_want_is_one() -> None:
    match = agreed(offered(two_moves()))
    assert (match.outcome, match.clock.deadline) == (Outcome(BOTH, "draw"), None)


def test_who_offers_what_was_offered_to_him_agrees() -> None:
    assert offered(offered(two_moves()), user=BORIS).outcome == Outcome(BOTH, "draw")


def test_an_offer_changes_nothing_but_the_version() -> None:
    match = two_moves()
    after = offered(match)
    assert (after.version, after.to_act, after.clock) == (match.version + 1, match.to_act, match.clock)


def test_three_players_have_all_to_agree() -> None:
    match = agreed(offered(three()))
    assert match.outcome is None
    assert refused(agreed, match, DRAW, BORIS) == "own_offer"
    assert agreed(match, user=CLARA).outcome == Outcome((Seat(0), Seat(1), Seat(2)), "draw")


def test_one_of_three_who_declines_is_enough() -> None:
    match = declined(agreed(offered(three())), user=CLARA)
    assert refused(agreed, match, DRAW, CLARA) == "no_offer"


def test_nobody_accepts_their_own_offer() -> None:
    match = offered(two_moves())
    assert refused(agreed, match, DRAW, ANNA) == "own_offer"


@pytest.mark.parametrize("kind", [DRAW, PAUSED, TAKEBACK, END])
def test_an_offer_is_taken_back_by_its_player_until_it_is_answered(kind: OfferKind) -> None:
    match = declined(offered(two_moves(), kind), kind, ANNA)
    assert refused(agreed, match, kind) == refused(declined, match, kind, ANNA) == "no_offer"
    assert refused(offered, match, kind) == "declined_already"
    assert agreed(offered(match, kind, BORIS), kind, ANNA).offer(kind) is None


def test_an_offer_that_was_answered_is_not_taken_back() -> None:
    assert refused(declined, declined(offered(two_moves())), DRAW, ANNA) == "no_offer"


def test_what_was_not_offered_is_not_answered() -> None:
    assert refused(agreed, two_moves()) == refused(declined, two_moves()) == "no_offer"
    assert refused(agreed, offered(two_moves()), PAUSED) == "no_offer"


def test_the_same_offer_is_not_made_twice() -> None:
    assert refused(offered, offered(two_moves())) == "offered_already"


def test_what_was_declined_is_not_offered_again_before_the_next_move() -> None:
    match = declined(offered(two_moves()))
    assert refused(agreed, match) == "no_offer"
    assert refused(offered, match) == "declined_already"
    assert offered(play_turn(match)).offer(DRAW) is not None


def test_who_declined_may_offer_the_same_himself() -> None:
    match = offered(declined(offered(two_moves())), user=BORIS)
    assert agreed(match, user=ANNA).outcome == Outcome(BOTH, "draw")


@pytest.mark.parametrize("kind", [DRAW, PAUSED])
def test_an_offer_lapses_with_the_offerers_next_move(kind: OfferKind) -> None:
    match = play_turn(offered(two_moves(), kind, ANNA))
    assert refused(agreed, match, kind) == "no_offer"


@pytest.mark.parametrize("kind", [DRAW, PAUSED])
def test_an_offer_outlives_the_others_move(kind: OfferKind) -> None:
    match = play_turn(offered(two_moves(), kind, BORIS))
    assert agreed(match, kind, ANNA).offer(kind) is None


@pytest.mark.parametrize("kind", [TAKEBACK, END])
@pytest.mark.parametrize("user", [ANNA, BORIS])
def test_what_is_about_this_position_lapses_with_any_move(kind: OfferKind, user: UserId) -> None:
    assert play_turn(offered(two_moves(), kind, user)).offers == ()


@pytest.mark.parametrize("doing", [offered, agreed, declined, lambda match: offers.resume(match, ANNA, NOON, SOURCE)])
def test_nothing_is_offered_when_the_match_is_over(doing: Callable[[Match], Match]) -> None:
    assert refused(doing, resign(two_moves())) == "match_over"


def test_strangers_offer_nothing() -> None:
    assert refused(offered, two_moves(), DRAW, CLARA) == "not_your_match"


def test_an_agreed_end_ends_by_the_rules_for_that() -> None:
    match = two_moves()
    match = agreed(offered(match, END), END)
    assert match.outcome is not None
    assert match.outcome.reason == "agreed"
    ending = endings.agreed_ending(two_moves().position)
    assert ending is not None
    assert match.score == ending.scores


def test_a_game_without_such_rules_is_not_ended_by_agreement() -> None:
    assert refused(offered, three(), END) == "no_agreed_end"


def test_ones_last_move_is_taken_back_at_once_if_nothing_has_happened() -> None:
    match = play_turn(two_moves(), "E1")
    undone = offers.take_back(match, ANNA, Millis(match.events[-1].at + TAKEBACK_GRACE), SOURCE, practice=False)
    assert (undone.events[-1].kind, undone.to_act, undone.version) == (EventKind.TAKEBACK, 0, 4)
    assert undone.moves == two_moves().moves
    assert undone.position.picture() == two_moves().position.picture()


def test_a_move_that_was_taken_back_has_cost_its_time() -> None:
    match = play_turn(two_moves("1h+30s"), "E1")
    undone = offers.take_back(match, ANNA, Millis(match.events[-1].at + 5 * SECOND), SOURCE, practice=False)
    assert undone.clock == two_moves("1h+30s").clock


def test_another_dot_takes_the_place_of_the_one_that_was_taken_back() -> None:
    match = play_turn(two_moves(), "E1")
    undone = offers.take_back(match, ANNA, Millis(match.events[-1].at + SECOND), SOURCE, practice=False)
    assert [event.text for event in play_turn(undone, "E1").moves] == ["A1", "E5", "E1"]


def test_a_move_whose_time_is_over_since_is_not_taken_back() -> None:
    match = play_turn(a_match(control="1m+0s"), "A1")  # in the last moment
    assert (
        refused(offers.take_back, match, ANNA, Millis(match.events[-1].at + 3 * SECOND), SOURCE, practice=False)
        == "time_over"
    )


@pytest.mark.parametrize(
    "later",
    [
        lambda match: play_turn(match),
        lambda match: offered(match, DRAW, BORIS),
        lambda match: offered(match, DRAW, ANNA),
    ],
    ids=["a move", "an offer", "an own offer"],
)
def test_after_anything_else_one_has_to_ask(later: Callable[[Match], Match]) -> None:
    match = later(play_turn(two_moves()))
    asked = offers.take_back(match, ANNA, match.events[-1].at, SOURCE, practice=False)
    assert (asked.events[-1].kind, asked.events[-1].offer) == (EventKind.OFFER, TAKEBACK)


def answered(match: Match, *, automatic: bool = True) -> Match:
    """Plays a move of Anna and a reply to it, by the computer or a person."""
    match = play_turn(match, "E1")
    key = automatic_key(match) if automatic else IdempotencyKey(7)
    return moves.move(match, BORIS, "A5", Millis(match.events[-1].at + SECOND), key)


def test_in_practice_the_computers_reply_is_taken_back_with_the_move() -> None:
    match = answered(two_moves("1h+30s"))
    at = Millis(match.events[-1].at + TAKEBACK_GRACE)
    undone = offers.take_back(match, ANNA, at, SOURCE, practice=True)
    assert undone.moves == two_moves("1h+30s").moves
    assert undone.position.picture() == two_moves().position.picture()
    assert (undone.to_act, undone.clock) == (0, two_moves("1h+30s").clock)


@pytest.mark.parametrize(
    ("automatic", "practice", "late"),
    [(True, False, 0), (False, True, 0), (True, True, 1)],
    ids=["a rated game", "a reply of a person", "after ten seconds"],
)
def test_otherwise_a_move_that_was_answered_is_taken_back_by_asking(automatic: bool, practice: bool, late: int) -> None:
    match = answered(two_moves(), automatic=automatic)
    at = Millis(match.events[-1].at + TAKEBACK_GRACE + late)
    asked = offers.take_back(match, ANNA, at, SOURCE, practice=practice)
    assert (asked.events[-1].kind, asked.events[-1].offer) == (EventKind.OFFER, TAKEBACK)


def test_the_move_before_is_not_undone_after_the_last_one() -> None:
    match = answered(answered_elsewhere(two_moves()))
    once = offers.take_back(match, ANNA, match.events[-1].at, SOURCE, practice=True)
    again = offers.take_back(once, ANNA, once.events[-1].at, SOURCE, practice=True)
    assert again.events[-1].kind is EventKind.OFFER


def answered_elsewhere(match: Match) -> Match:
    match = play_turn(match, "C1")
    return moves.move(match, BORIS, "C5", match.events[-1].at, automatic_key(match))


def test_after_ten_seconds_one_has_to_ask() -> None:
    match = play_turn(two_moves())
    asked = offers.take_back(match, ANNA, Millis(match.events[-1].at + TAKEBACK_GRACE + 1), SOURCE, practice=False)
    assert asked.events[-1].kind is EventKind.OFFER


@pytest.mark.parametrize(("more", "left"), [(1, 2), (2, 2)], ids=["the last move", "and the answer to it"])
def test_an_agreed_take_back_goes_back_to_before_the_askers_last_move(more: int, left: int) -> None:
    match = two_moves()
    for _ in range(more):
        match = play_turn(match)
    match = agreed(offered(match, TAKEBACK, ANNA), TAKEBACK, BORIS)
    assert (len(match.moves), match.to_act) == (left, 0)
    assert match.position.picture() == two_moves().position.picture()


def test_time_that_was_used_stays_used_after_an_agreed_take_back() -> None:
    match = play_turn(play_turn(two_moves("1h+30s")))
    match = agreed(offered(match, TAKEBACK, BORIS), TAKEBACK, ANNA, match.clock.since + MINUTE)
    assert list(match.clock.remaining) == [HOUR - 3 * MINUTE + 60 * SECOND, HOUR - 2 * MINUTE + 60 * SECOND]
    assert match.to_act == 1


def test_who_has_not_moved_has_nothing_to_take_back() -> None:
    assert refused(offers.take_back, play_turn(a_match()), BORIS, NOON, SOURCE, practice=False) == "nothing_to_undo"


def test_moves_taken_back_one_after_the_other() -> None:
    match = two_moves()
    for user, other in ((BORIS, ANNA), (ANNA, BORIS)):
        match = agreed(offered(match, TAKEBACK, user), TAKEBACK, other)
    assert (match.moves, match.to_act, match.version) == ((), 0, 6)


def test_an_agreed_pause_stops_both_clocks() -> None:
    match = agreed(offered(two_moves(), PAUSED), PAUSED, at=NOON + 3 * MINUTE)
    assert match.clock.deadline == NOON + 2 * MINUTE + HOUR + DEFAULT_PAUSE[Speed.DAYS]
    assert match.clock.current_pause(Millis(NOON + DAY)) is not None


def test_a_pause_is_as_long_as_was_asked() -> None:
    match = offers.offer(two_moves(), ANNA, PAUSED, NOON, SOURCE, pause=DAY)
    assert match.offers[0].pause == DAY
    assert agreed(match, PAUSED, at=NOON + 3 * MINUTE).clock.deadline == NOON + 2 * MINUTE + HOUR + DAY


@pytest.mark.parametrize(("control", "length"), [("5s random", 15 * MINUTE), ("10m", 15 * MINUTE), ("3d", 7 * DAY)])
def test_without_a_length_a_pause_fits_the_clock(control: str, length: int) -> None:
    assert offered(a_match(control=control), PAUSED).offers[0].pause == length


@pytest.mark.parametrize(
    ("control", "length", "least", "most"),
    [
        ("10m+30s", MINUTE - 1, "1m", "1d"),
        ("10m+30s", DAY + 1, "1m", "1d"),
        ("3d", MINUTE - 1, "1m", "30d"),
        ("3d", MAX_DURATION + 1, "1m", "30d"),
    ],
)
def test_a_pause_is_neither_too_short_nor_too_long_for_the_clock(
    control: str, length: int, least: str, most: str
) -> None:
    with pytest.raises(Refused) as refusal:
        offers.offer(a_match(control=control), ANNA, PAUSED, NOON, SOURCE, pause=Millis(length))
    assert (refusal.value.key, refusal.value.details) == ("bad_pause", {"least": least, "most": most})


@pytest.mark.parametrize("user", [ANNA, BORIS])
def test_either_ends_a_pause(user: UserId) -> None:
    match = agreed(offered(two_moves(), PAUSED), PAUSED, at=NOON + 3 * MINUTE)
    match = offers.resume(match, user, Millis(NOON + 5 * MINUTE), SOURCE)
    assert match.clock.deadline == NOON + 4 * MINUTE + HOUR
    assert refused(offers.resume, match, user, Millis(NOON + 6 * MINUTE), SOURCE) == "not_paused"


def test_a_pause_lapses_by_itself() -> None:
    match = agreed(offered(two_moves(), PAUSED), PAUSED)
    assert refused(offers.resume, match, ANNA, Millis(NOON + 8 * DAY), SOURCE) == "not_paused"


def test_what_is_paused_is_not_paused_again() -> None:
    match = agreed(offered(two_moves(), PAUSED), PAUSED)
    assert refused(offered, match, PAUSED) == "paused_already"
    assert offered(match, PAUSED, at=NOON + 9 * DAY).offer(PAUSED) is not None


def test_without_a_clock_there_is_nothing_to_pause_or_to_give() -> None:
    match = a_match(control="none")
    assert refused(offered, match, PAUSED) == "nothing_to_pause"
    assert refused(offers.give_time, match, ANNA, HOUR, NOON, SOURCE) == "no_time_to_give"


def test_a_gift_goes_to_everybody_else() -> None:
    match = offers.give_time(three(), ANNA, MINUTE, NOON, SOURCE)
    assert list(match.clock.remaining) == [HOUR, HOUR + MINUTE, HOUR + MINUTE]


@pytest.mark.parametrize("time", [0, -1, MAX_DURATION + 1])
def test_a_gift_has_a_sensible_size(time: int) -> None:
    assert refused(offers.give_time, a_match(), ANNA, Millis(time), NOON, SOURCE) == "too_much_time"


def test_gifts_end_when_there_is_more_time_than_anybody_needs() -> None:
    match = offers.give_time(a_match(control="20d"), ANNA, MAX_DURATION, NOON, SOURCE)
    assert refused(offers.give_time, match, ANNA, MAX_DURATION, NOON, SOURCE) == "too_much_time"


def test_a_vacation_stops_ones_own_clock_if_that_was_agreed() -> None:
    match = offers.start_vacation(a_match(agreement=TimeAgreement(vacation=True)), ANNA, Millis(NOON + 3 * DAY), NOON)
    assert match.clock.deadline == NOON + 3 * DAY + HOUR
    assert offers.end_vacation(match, ANNA, Millis(NOON + DAY)).clock.deadline == NOON + DAY + HOUR


def test_without_agreement_there_is_no_vacation() -> None:
    assert refused(offers.start_vacation, a_match(), ANNA, Millis(NOON + DAY), NOON) == "no_vacation"


def test_who_is_not_away_does_not_come_back() -> None:
    match = a_match(agreement=TimeAgreement(vacation=True))
    assert offers.end_vacation(match, ANNA, NOON) is match


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (EventKind.OFFER, "tea"),
        (EventKind.OFFER, "pause soon"),
        (EventKind.AGREE, "draw"),
        (EventKind.AGREE, "takeback"),
        (EventKind.DECLINE, "draw"),
        (EventKind.TAKEBACK, ""),
        (EventKind.RESUME, ""),
        (EventKind.GIVE, "-1"),
        (EventKind.GIVE, "9" * 16),
        (EventKind.AWAY, ""),
        (EventKind.BACK, ""),
        (EventKind.EXTEND, "²"),
    ],
)
def test_a_history_that_makes_no_sense_does_not_replay(kind: EventKind, text: str) -> None:
    with pytest.raises(IllegalMove, match="bad_event"):
        a_match().after(Event(kind, Seat(0), text, NOON, None))


def test_a_history_with_somebody_who_does_not_play_does_not_replay() -> None:
    with pytest.raises(IllegalMove, match="bad_event"):
        a_match().after(Event(EventKind.RESIGN, Seat(2), "", NOON, None))
