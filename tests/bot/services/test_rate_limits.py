"""No user and no server can keep the others waiting."""

from __future__ import annotations

import pytest

from bot.services.rate_limits import CACHE_SIZE, POSTS, Pace, Rate, RateLimiter, RateLimits
from play.refusal import Refused


def test_a_burst_is_granted_and_one_more_is_not() -> None:
    limit = RateLimiter(Rate(3, 1.0))
    assert [limit.wait(1, 100.0) for _ in range(4)] == [0.0, 0.0, 0.0, 1.0]


def test_after_a_while_one_more_is_granted() -> None:
    limit = RateLimiter(Rate(3, 1.0))
    for _ in range(3):
        limit.wait(1, 100.0)
    assert [limit.wait(1, 101.0), limit.wait(1, 101.0)] == [0.0, 1.0]


def test_a_long_silence_earns_no_more_than_the_burst() -> None:
    limit = RateLimiter(Rate(2, 1.0))
    limit.wait(1, 0.0)
    assert [bool(limit.wait(1, 1e6)) for _ in range(3)] == [False, False, True]


def test_what_was_refused_does_not_count() -> None:
    limit = RateLimiter(Rate(1, 1.0))
    limit.wait(1, 100.0)
    for _ in range(50):
        limit.wait(1, 100.5)
    assert limit.wait(1, 101.0) == 0.0


def test_each_key_has_an_allowance_of_its_own() -> None:
    limit = RateLimiter(Rate(1, 1.0))
    assert [limit.wait(who, 100.0) for who in (1, 2, 1)] == [0.0, 0.0, 1.0]


def test_the_key_that_asked_the_longest_ago_is_evicted_first() -> None:
    limit = RateLimiter(Rate(1, 1e9))
    for who in range(CACHE_SIZE + 1):
        limit.wait(who, 0.0)
    assert limit.wait(1, 0.0) > 0
    assert limit.wait(0, 0.0) == 0.0


def test_a_person_who_clicks_on_and_on_is_told_how_long_to_wait() -> None:
    limits = RateLimits(person=Rate(2, 1.5))
    for _ in range(2):
        limits.count_request(1, None, 50.0)
    with pytest.raises(Refused) as refused:
        limits.count_request(1, None, 50.0)
    assert (refused.value.key, refused.value.details) == ("too_fast", {"count": 2})


def test_many_people_of_one_server_are_told_that_it_is_all_of_them() -> None:
    limits = RateLimits(server=Rate(2, 1.0))
    for user in (1, 2):
        limits.count_request(user, 7, 50.0)
    with pytest.raises(Refused) as refused:
        limits.count_request(3, 7, 50.0)
    assert refused.value.key == "server_too_fast"
    limits.count_request(3, 8, 50.0)


def test_codes_that_others_try_outside_of_servers_count_for_nobody_else() -> None:
    limits = RateLimits()
    for user in range(50):
        limits.count_code(user, None, 50.0)
    for user in range(10):
        limits.count_code(user, 7, 50.0)
    with pytest.raises(Refused):
        limits.count_code(60, 7, 50.0)


def test_suggestions_are_counted_apart() -> None:
    limits = RateLimits(person=Rate(1, 1.0), typing=Rate(2, 1.0))
    limits.count_request(1, None, 50.0)
    assert [limits.allows_suggestion(1, 50.0) for _ in range(3)] == [True, True, False]


@pytest.mark.parametrize(("requests", "people"), [(60, 300), (120, 300), (240, 600)])
def test_a_server_may_ask_for_more_where_everybody_may_and_never_for_less(requests: int, people: int) -> None:
    limits = RateLimits.per_minute(requests)
    for user in range(people):
        limits.count_request(user, 1, 0.0)
    with pytest.raises(Refused, match="server_too_fast"):
        limits.count_request(people, 1, 0.0)


class SleepingClock:
    """A clock that every sleep moves on; it records the times of requests."""

    def __init__(self) -> None:
        self.now = 100.0
        self.made: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.now += seconds


async def test_requests_after_a_burst_keep_their_distance() -> None:
    clock = SleepingClock()
    pace = Pace(Rate(2, 0.5), lambda: clock.now, clock.sleep)
    for _ in range(5):
        await pace.wait_turn()
        clock.made.append(clock.now)
    assert clock.made == [100.0, 100.0, 100.5, 101.0, 101.5]


async def test_a_flood_of_boards_stays_below_what_discord_refuses() -> None:
    clock = SleepingClock()
    pace = Pace(POSTS, lambda: clock.now, clock.sleep)
    for _ in range(500):
        await pace.wait_turn()
        clock.made.append(clock.now)
    assert max(sum(start <= each < start + 1 for each in clock.made) for start in clock.made) < 50
