"""Ids of all platforms in one number: each tells its platform and its time."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from play.ids import (
    EPOCH,
    OWN_IDS,
    WEB_SOURCE,
    Millis,
    Platform,
    SideId,
    creation_time,
    ids_at,
    ids_since,
    platform_of,
    request_key,
    side_account,
)
from tests.examples import examples

OTHERS = st.sampled_from([platform for platform in Platform if platform is not Platform.DISCORD])
MOMENTS = st.integers(EPOCH, EPOCH + (1 << 41) - 1).map(Millis)
SNOWFLAKES = st.integers(1, OWN_IDS - 1)


@examples(2000)
@given(OTHERS, MOMENTS, st.integers(0, (1 << 17) - 1))
def test_an_id_of_ours_tells_its_platform_and_when_it_was_taken(platform: Platform, now: Millis, count: int) -> None:
    taken = ids_at(platform, now)[count]
    assert (platform_of(taken), creation_time(taken)) == (platform, now)


@examples(2000)
@given(OTHERS, MOMENTS)
def test_an_id_of_ours_has_63_bits_and_is_no_snowflake(platform: Platform, now: Millis) -> None:
    assert OWN_IDS <= ids_at(platform, now)[0] <= ids_at(platform, now)[-1] < 1 << 63


@examples(2000)
@given(SNOWFLAKES)
def test_a_snowflake_is_of_discord_and_tells_its_time(snowflake: int) -> None:
    assert platform_of(snowflake) is Platform.DISCORD
    assert creation_time(snowflake) == EPOCH + (snowflake >> 22)


def test_snowflakes_are_below_ours_until_november_2049() -> None:
    assert creation_time(OWN_IDS - 1) == 2_519_582_027_775  # 3 November 2049


@examples(2000)
@given(st.sampled_from(Platform), MOMENTS, st.integers(1, (1 << 63) - 1))
def test_the_ids_since_a_moment_are_those_of_the_platform_that_were_made_then_or_later(
    platform: Platform, moment: Millis, any_id: int
) -> None:
    try:
        own = platform_of(any_id)
    except ValueError:
        own = None
    assert (any_id in ids_since(platform, moment)) == (own is platform and creation_time(any_id) >= moment)


def test_a_moment_before_the_epoch_has_all_ids_of_a_platform() -> None:
    assert ids_since(Platform.MATRIX, Millis(0)) == ids_since(Platform.MATRIX, EPOCH)


@pytest.mark.parametrize("nobody", [0, -1, side_account(SideId(5))])
def test_an_id_of_no_person_breaks_nothing(nobody: int) -> None:
    assert platform_of(nobody) is Platform.DISCORD


def test_no_two_sources_of_requests_share_a_key() -> None:
    sources = [*(each for each in Platform if each is not Platform.DISCORD), WEB_SOURCE]
    keys = {source: [request_key(source, str(number)) for number in range(500)] for source in sources}
    top = {source: {key >> 58 for key in found} for source, found in keys.items()}
    assert top == {source: {16 + source} for source in sources}
    assert all(len({*found}) == 500 for found in keys.values())


def test_no_platform_has_the_number_of_browsers() -> None:
    assert WEB_SOURCE not in {*Platform}
    assert max(request_key(WEB_SOURCE, str(number)) for number in range(500)) < 1 << 63
