"""The recorded games of real players replay by our rules, with every enclosure and result that was recorded."""

from __future__ import annotations

import re

import pytest

from rules.dots import Closing, DotsPosition, Turn
from rules.dots.turn import Chain
from tests.rules.dots.records import Recorded, records

RECORDS = records()
AGREED = [record for record in RECORDS if record.pools is not None]
AUTOMATIC = [record for record in RECORDS if record.name in ("zagram352562", "zagram86223", "zagram191639")]
"""Those in which nobody placed a dot where automatic closing had made a base."""


def drawn(record: Recorded) -> DotsPosition:
    """The last position, everything drawn as in the record; a chain that the rules refuse raises."""
    position: DotsPosition = record.game(Closing.DRAWN).start(0)
    for ply in record.plies:
        assert position.to_act == ply.seat
        position = position.play(Turn(ply.dot, chains=ply.chains))
    return position


def rings(chains: tuple[Chain, ...]) -> set[frozenset[tuple[int, int]]]:
    return {frozenset(chain) for chain in chains}


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.name)
def test_every_recorded_chain_may_be_drawn(record: Recorded) -> None:
    drawn(record)


@pytest.mark.parametrize("record", AGREED, ids=lambda record: record.name)
def test_a_recorded_agreement_gives_the_recorded_result(record: Recorded) -> None:
    first, second = drawn(record).agreed_end().scores
    result = re.fullmatch(r"(?:([BW])\+)?(\d+)", record.result)
    assert result is not None
    lead = int(result[2]) * (1 if result[1] == "B" else -1)
    assert first - second == lead


@pytest.mark.parametrize("record", AGREED, ids=lambda record: record.name)
def test_a_recorded_agreement_counts_the_recorded_pools(record: Recorded) -> None:
    assert record.pools is not None
    assert list(map(rings, drawn(record).agreed_end().pools)) == list(map(rings, record.pools))


@pytest.mark.parametrize("record", AUTOMATIC, ids=lambda record: record.name)
def test_automatic_closing_makes_every_recorded_enclosure(record: Recorded) -> None:
    position: DotsPosition = record.game(Closing.AUTOMATIC).start(0)
    made: set[frozenset[tuple[int, int]]] = set()
    for ply in record.plies:
        position = position.play(Turn(ply.dot))
        made |= rings(tuple(area.ring for area in position.picture().areas))
        assert rings(ply.chains) <= made
