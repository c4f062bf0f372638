"""Damaged records are read or refused, whatever the damage."""

from __future__ import annotations

from collections import Counter
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tests.play.damaged_records import damage, try_record

seeds = st.integers(0, 2**32).map(Random)


@given(seeds)
@examples(2000)
def test_a_damaged_record_is_read_as_it_is_written_or_refused_but_never_fails_otherwise(chance: Random) -> None:
    try_record(damage(chance), opened=False)


@given(seeds)
@examples(200)
def test_a_damaged_record_is_opened_or_refused(chance: Random) -> None:
    try_record(damage(chance), opened=True)


def test_damaged_records_are_of_all_kinds() -> None:
    came = Counter(try_record(damage(Random(seed)), opened=False) for seed in range(150))
    assert min(came[kind] for kind in ("read", "whole", "refused")) >= 10
