"""Pairs of players who look: the nearest by rating, on terms that both want, and none who are kept apart."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from play.challenge.terms import Order, Terms, Window
from play.clock import parse_control
from play.community.conduct import MAX_STRIKES, MIN_REPORTING, Conduct, Level
from play.community.seek import Seek, SeekId, agree
from play.community.seek_pairing import FIRST_REACH, Seeker, pair
from play.ids import DAY, HOUR, MINUTE, ChannelId, GuildId, Millis, UserId
from rules.registry import GAMES

LIVE = Terms(GAMES["zagram"], parse_control("10m+10s"))
DAYS = Terms(GAMES["zagram"], parse_control("3d"))
OTHER = Terms(GAMES["sport"], parse_control("10m+10s"))
NOW = Millis(100 * DAY)


def a_seeker(
    number: int, rating: float = 1500.0, terms: Terms = LIVE, waited: int = 0, *, flexible: bool = False, **more: bool
) -> Seeker:
    since = Millis(NOW - waited)
    seek = Seek(SeekId(number), UserId(number), GuildId(number), ChannelId(number), terms, since, since, flexible)
    return Seeker(seek, rating, **more)


def numbers(*seekers: Seeker, apart: frozenset[frozenset[UserId]] = frozenset()) -> list[tuple[int, int]]:
    return [(one.seek.id, other.seek.id) for one, other in pair(seekers, NOW, apart)]


def test_who_has_waited_longest_gets_the_nearest_partner() -> None:
    assert numbers(a_seeker(1, 1500, waited=5), a_seeker(2, 1600), a_seeker(3, 1420)) == [(1, 3)]


def test_a_far_rating_is_met_only_after_a_while() -> None:
    far = FIRST_REACH + 200
    assert numbers(a_seeker(1, 1500), a_seeker(2, 1500 + far)) == []
    assert numbers(a_seeker(1, 1500, waited=2 * MINUTE), a_seeker(2, 1500 + far)) == [(1, 2)]


def test_over_days_the_reach_grows_by_days() -> None:
    far = FIRST_REACH + 200
    assert numbers(a_seeker(1, 1500, DAYS, 2 * HOUR), a_seeker(2, 1500 + far, DAYS)) == []
    assert numbers(a_seeker(1, 1500, DAYS, DAY), a_seeker(2, 1500 + far, DAYS)) == [(1, 2)]


def test_a_window_holds_however_long_the_wait() -> None:
    strict = replace(LIVE, window=Window(1400, 1500))
    assert numbers(a_seeker(1, 1450, strict, 10 * MINUTE), a_seeker(2, 1501)) == []
    assert numbers(a_seeker(1, 1450, strict, 10 * MINUTE), a_seeker(2, 1500)) == [(1, 2)]


def test_other_terms_fit_only_who_takes_any_of_that_speed() -> None:
    assert numbers(a_seeker(1, terms=LIVE), a_seeker(2, terms=OTHER)) == []
    assert numbers(a_seeker(1, terms=LIVE), a_seeker(2, terms=OTHER, flexible=True)) == [(1, 2)]
    assert numbers(a_seeker(1, terms=LIVE), a_seeker(2, terms=DAYS, flexible=True)) == []


def test_the_game_is_on_the_terms_of_the_one_who_is_not_flexible() -> None:
    mine, any_terms = a_seeker(1, terms=replace(LIVE, rated=True, order=Order.FIRST)), a_seeker(2, terms=OTHER)
    flexible = replace(any_terms.seek, flexible=True, since=Millis(0))
    agreed = agree(mine.seek, flexible)
    assert agreed == replace(LIVE, rated=False, order=Order.DRAWN)


def test_who_comes_later_waits_for_those_who_behave() -> None:
    late = a_seeker(1, waited=MINUTE, later=True)
    assert numbers(late, a_seeker(2)) == []
    assert numbers(a_seeker(1, waited=3 * MINUTE, later=True), a_seeker(2)) == [(1, 2)]


def test_who_is_kept_apart_does_not_meet() -> None:
    apart = frozenset([frozenset([UserId(1), UserId(2)])])
    assert numbers(a_seeker(1), a_seeker(2), apart=apart) == []
    assert numbers(a_seeker(1, waited=1), a_seeker(2), a_seeker(3), apart=apart) == [(1, 3)]


@given(
    st.lists(
        st.tuples(st.integers(800, 2200), st.integers(0, 20), st.booleans(), st.sampled_from((LIVE, DAYS, OTHER))),
        max_size=24,
    ),
    st.sets(st.tuples(st.integers(0, 23), st.integers(0, 23)), max_size=40),
)
def test_nobody_is_paired_twice_and_no_two_who_fit_at_once_are_left(
    people: list[tuple[int, int, bool, Terms]], kept: set[tuple[int, int]]
) -> None:
    seekers = [
        a_seeker(number, rating, terms, minutes * MINUTE, flexible=flexible)
        for number, (rating, minutes, flexible, terms) in enumerate(people)
    ]
    apart = frozenset(frozenset((UserId(one), UserId(other))) for one, other in kept)
    pairs = pair(seekers, NOW, apart)
    taken = [each.seek.id for both in pairs for each in both]
    assert len(taken) == len(set(taken))
    for one, other in pairs:
        assert frozenset((one.seek.user, other.seek.user)) not in apart
        assert abs(one.rating - other.rating) <= max(one.reach(NOW), other.reach(NOW))
        assert agree(one.seek, other.seek) is not None
    free = [each for each in seekers if each.seek.id not in taken]
    for one, other in combinations(free, 2):
        fits = (
            frozenset((one.seek.user, other.seek.user)) not in apart
            and agree(one.seek, other.seek) is not None
            and abs(one.rating - other.rating) <= max(one.reach(NOW), other.reach(NOW))
        )
        assert not fits


def test_a_level_follows_from_strikes_and_their_share() -> None:
    assert Conduct().level is Level.FINE
    assert Conduct(games=20, strikes=3, strikes_of_week=3).level is Level.FINE
    assert Conduct(games=4, strikes=2, strikes_of_week=2).level is Level.LATER
    assert Conduct(games=4, strikes=4, strikes_of_week=0).level is Level.UNRATED
    assert Conduct(games=50, strikes=6, strikes_of_week=MAX_STRIKES).level is Level.OUT
    assert Conduct(games=50, reported=MIN_REPORTING).level is Level.OUT
    assert Conduct(games=50, reported=MIN_REPORTING - 1).level is Level.FINE


def test_who_plays_seldom_and_leaves_a_third_of_the_games_plays_no_strangers_for_a_week() -> None:
    assert Conduct(games=12, strikes=6, strikes_of_week=1).level is Level.OUT
    assert Conduct(games=12, strikes=6, strikes_of_week=0).level is Level.UNRATED
    assert Conduct(games=13, strikes=6, strikes_of_week=1).level is Level.UNRATED
