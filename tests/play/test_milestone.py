"""Milestones: which a player has reached, and of which they are told."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from play.community.milestone import Milestone, Progress, news
from tests.examples import examples

PROGRESS = st.builds(Progress, st.integers(0, 1000), st.integers(0, 50), st.booleans(), st.booleans())


@given(PROGRESS)
@examples(200)
def test_of_each_kind_the_furthest_one_is_told(progress: Progress) -> None:
    told = news(progress.reached)
    assert {each.kind for each in told} == {each.kind for each in progress.reached}
    assert len({each.kind for each in told}) == len(told)
    assert all(max(each.number for each in progress.reached if each.kind == one.kind) == one.number for one in told)


@given(PROGRESS, PROGRESS)
@examples(200)
def test_who_has_come_further_has_reached_as_much(one: Progress, other: Progress) -> None:
    both = Progress(
        max(one.games, other.games),
        max(one.streak, other.streak),
        one.won_rated or other.won_rated,
        one.beat_high_level or other.beat_high_level,
    )
    assert both.reached == one.reached | other.reached


def test_each_milestone_is_reached_at_its_number_and_not_before() -> None:
    assert Progress().reached == frozenset()
    assert Progress(9, 9).reached == frozenset()
    assert Progress(10, 10).reached == {Milestone.GAMES_10, Milestone.STREAK_10}
    assert Progress(500).reached == {each for each in Milestone if each.kind == "games"}
    assert Progress(0, 0, won_rated=True, beat_high_level=True).reached == {Milestone.RATED_WIN, Milestone.HIGH_LEVEL}
