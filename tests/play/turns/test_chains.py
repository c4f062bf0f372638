"""Chains as codes with a letter a dot."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from play.turns.step import LINKS, read_chain, write_chain
from rules.game import BadNotation, Point


def test_a_chain_takes_a_letter_a_step() -> None:
    assert write_chain((Point(0, 0), Point(1, 0), Point(2, 1), Point(4, 2))) == "A1abi"


def test_a_step_that_no_chain_has_cannot_be_written() -> None:
    assert write_chain((Point(0, 0), Point(3, 0))) is None


@pytest.mark.parametrize("code", ["", "a1", "A1z", "A", "1", "A1a-"])
def test_what_is_no_chain_is_refused(code: str) -> None:
    with pytest.raises(BadNotation):
        read_chain(code)


@given(st.builds(Point, st.integers(0, 59), st.integers(0, 59)), st.lists(st.sampled_from([*LINKS])))
def test_a_chain_is_read_as_it_was_written(start: Point, steps: list[tuple[int, int]]) -> None:
    chain = [start]
    for dx, dy in steps:
        chain.append(Point(chain[-1].x + dx, chain[-1].y + dy))
    code = write_chain(tuple(chain))
    assert code is not None
    assert read_chain(code) == tuple(chain)
