"""Properties of the count: each vote once, the most votes win, ties go to the earlier, two thirds end a game."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from play.ids import ChannelId, MatchId, Millis, SideId, UserId
from play.match import moves as turns
from play.match import offers
from play.match.events import OfferKind
from play.votes import (
    Choice,
    Count,
    Poll,
    Side,
    Tally,
    Verdict,
    decide,
    enough_to_end,
    is_new,
    last_turns,
    rank,
    tally,
    turn_of,
    turn_of_move,
)
from rules.game import RuleError, Seat
from rules.registry import make_game
from tests.clock import DAY, HOUR, NOON
from tests.examples import examples
from tests.matches import ANNA, BORIS, GUILD, a_match, play_turn
from tests.votes import legal_moves, new_key

MATCH = a_match()
SIDE = Side(SideId(1), MatchId(1), Seat(0), GUILD, ChannelId(1), None, Millis(DAY), 1, NOON)
BALLOTS = [
    *((Choice.MOVE, text) for text in ("A1", "A2", "A3", "B3", "C4", "stop")),
    (Choice.RESIGN, ""),
    (Choice.DRAW, ""),
]
"""Votes, of which those for B3 and C4 are not legal, and neither is a STOP, by these rules."""

VOTES = st.lists(st.tuples(st.sampled_from(BALLOTS), st.integers(0, 3)), max_size=30)
"""Choices of users, and when they made them: several at the same time."""


def counted(votes: list[tuple[tuple[Choice, str], int]]) -> list[Count]:
    found = []
    for ballot, total in Counter(ballot for ballot, _ in votes).items():
        first = min((Millis(at), number) for number, (voted, at) in enumerate(votes) if voted == ballot)
        found.append(Count(*ballot, total, first))
    return found


def is_legal(text: str) -> bool:
    try:
        MATCH.position.play(MATCH.game.parse(text))
    except RuleError:
        return False
    return True


@examples(2000)
@given(VOTES)
def test_the_turn_has_the_most_votes_of_what_is_legal_and_ties_go_to_the_earlier(
    votes: list[tuple[tuple[Choice, str], int]],
) -> None:
    counts = counted(votes)
    verdict = decide(MATCH, Seat(0), Poll(counts, 1))
    ends = {each.choice for each in counts if each.may_end and 3 * each.votes >= 2 * len(votes)}
    legal = [each for each in counts if each.choice is Choice.MOVE and is_legal(each.text)]
    if Choice.RESIGN in ends:
        assert verdict == Verdict(Choice.RESIGN)
    elif legal:
        best = min(legal, key=lambda each: (-each.votes, each.first))
        assert verdict == Verdict(Choice.MOVE, best.text, offers_draw=Choice.DRAW in ends)
    else:
        assert verdict == (Verdict(Choice.DRAW) if Choice.DRAW in ends else None)


@examples(2000)
@given(VOTES.filter(bool))
def test_each_vote_counts_once_and_equal_votes_are_equal_percents(votes: list[tuple[tuple[Choice, str], int]]) -> None:
    shown = tally(SIDE, 0, counted(votes))
    numbers = [count.votes for count in shown.counts]
    assert shown.total == len(votes) == sum(numbers)
    assert all(abs(shown.percent(number) - 100 * number / shown.total) <= 0.5 for number in numbers)
    assert numbers == sorted(numbers, reverse=True)


@pytest.mark.parametrize(
    ("resigning", "staying", "resigns"), [(2, 1, True), (1, 1, False), (66, 34, False), (67, 33, True)]
)
def test_a_side_resigns_by_two_thirds(resigning: int, staying: int, *, resigns: bool) -> None:
    counts = [Count(Choice.RESIGN, "", resigning, (NOON, 1)), Count(Choice.MOVE, "A1", staying, (NOON, 2))]
    verdict = decide(MATCH, Seat(0), Poll(counts, 1))
    assert verdict is not None
    assert (verdict.choice is Choice.RESIGN) == resigns


def test_a_draw_that_was_offered_needs_two_thirds_and_else_a_move_is_played() -> None:
    offered = offers.offer(MATCH, BORIS, OfferKind.DRAW, NOON, new_key())
    counts = [Count(Choice.DRAW, "", 2, (NOON, 1)), Count(Choice.MOVE, "A1", 1, (NOON, 2))]
    assert decide(offered, Seat(0), Poll(counts, 1)) == Verdict(Choice.DRAW)
    counts[0] = replace(counts[0], votes=1)
    assert decide(offered, Seat(0), Poll(counts, 1)) == Verdict(Choice.MOVE, "A1")


@pytest.mark.parametrize("offerer", [BORIS, ANNA])
def test_a_draw_that_was_declined_or_is_ones_own_is_not_agreed_to(offerer: UserId) -> None:
    match = offers.offer(MATCH, offerer, OfferKind.DRAW, NOON, new_key())
    if offerer == BORIS:
        match = offers.decline(match, ANNA, OfferKind.DRAW, NOON, new_key())
    counts = [Count(Choice.DRAW, "", 2, (NOON, 1)), Count(Choice.MOVE, "A1", 1, (NOON, 2))]
    assert decide(match, Seat(0), Poll(counts, 1)) == Verdict(Choice.MOVE, "A1", offers_draw=True)
    assert decide(match, Seat(0), Poll(counts[:1], 1)) is None


def test_a_stop_needs_two_thirds() -> None:
    match = a_match(game=make_game("classic", {"size": "5x5"}))
    counts = [Count(Choice.MOVE, "stop", 3, (NOON, 1)), Count(Choice.MOVE, "A1", 2, (NOON, 2))]
    assert decide(match, Seat(0), Poll(counts, 1)) == Verdict(Choice.MOVE, "A1")
    counts[0] = replace(counts[0], votes=4)
    assert decide(match, Seat(0), Poll(counts, 1)) == Verdict(Choice.MOVE, "stop")


def test_without_votes_nothing_is_decided() -> None:
    assert decide(MATCH, Seat(0), Poll([], 1)) is None
    assert tally(SIDE, 0, []) == Tally(SIDE, 0, 0, ())


def test_the_likely_moves_are_those_on_the_board() -> None:
    counts = [Count(choice, text, 1, (NOON, n)) for n, (choice, text) in enumerate(BALLOTS)]
    assert [count.text for count in tally(SIDE, 0, counts).likely] == ["A1", "A2", "A3", "B3", "C4"]


def test_one_vote_each_of_seven_is_the_same_part() -> None:
    counts = [Count(Choice.MOVE, f"A{n}", 1, (NOON, n)) for n in range(1, 8)]
    shown = tally(SIDE, 0, counts)
    assert rank(counts) == counts == [*shown.counts]
    assert {shown.percent(count.votes) for count in shown.counts} == {14}


def test_an_offer_begins_no_other_turn_and_a_move_does() -> None:
    assert turn_of(MATCH) == 0
    offered = offers.offer(MATCH, BORIS, OfferKind.DRAW, NOON, new_key())
    assert turn_of(offered) == 0
    moved = play_turn(offered, "a1")
    assert turn_of(moved) == moved.version == 2
    assert UserId(0) not in moved.players


@examples(500)
@given(VOTES, st.integers(1, 10), st.lists(st.integers(1, 30), max_size=3))
def test_what_ends_a_game_never_needs_less_than_the_quorum_and_half_of_the_best_turnout(
    votes: list[tuple[tuple[Choice, str], int]], quorum: int, turnouts: list[int]
) -> None:
    enough = enough_to_end(quorum, turnouts)
    assert enough >= quorum
    assert 2 * enough >= max(turnouts, default=inf)
    verdict = decide(MATCH, Seat(0), Poll(counted(votes), enough))
    if len(votes) < enough:
        assert verdict is None or (verdict.choice is Choice.MOVE and not verdict.offers_draw)


def test_a_night_of_short_votes_makes_nobody_forget_the_day() -> None:
    """The turns of a whole day count, and always three."""
    match, made = a_match(control="30d", game=make_game("zagram", {"size": "10x10"})), NOON
    for hours in (*range(1, 9), 40, 80, 120):
        for seat in range(2):
            match = turns.move(
                match, match.players[seat], legal_moves(match)[0], Millis(made + hours * HOUR), new_key()
            )
    side = replace(SIDE, made=made)
    versions = [turn_of_move(match, number) for number in range(1, len(match.moves), 2)]
    assert last_turns(match, side, versions[7]) == versions[6::-1]
    assert last_turns(match, side, versions[-1]) == versions[-2:-5:-1]
    assert [is_new(match, side, turn) for turn in versions] == [True] * 9 + [False] * 2
