"""Records of real games, read from SGF and replayed with the chains that the players drew."""

from __future__ import annotations

import pytest

from play.records.record import Chain, Record
from play.records.sgf import read
from rules.dots import Dots
from rules.registry import GAMES
from tests.facts import recorded_game, recorded_games

RECORDS = {path.stem: read(path.read_bytes()) for path in recorded_games()}
AGREED = {name: record for name, record in RECORDS.items() if record.pools is not None}
"""The games that the players agreed to end."""


def preset(key: str) -> Dots:
    game = GAMES[key]
    assert isinstance(game, Dots)
    return game


@pytest.mark.sample(5)
@pytest.mark.parametrize("record", RECORDS.values(), ids=RECORDS)
def test_every_recorded_chain_can_be_drawn(record: Record) -> None:
    assert sum(len(dot.chains) for dot in record.moves) > 0
    assert not [moment.not_made for moment in record.moments(preset("zagram-territory")) if moment.not_made]


@pytest.mark.parametrize("record", AGREED.values(), ids=AGREED)
def test_an_agreed_end_has_the_recorded_result_and_pools(record: Record) -> None:
    assert record.pools is not None
    *_, last = record.replay(preset("zagram-territory"))
    agreed = last.agreed_end()
    assert record.outcome is not None
    assert agreed.outcome.winners == record.outcome.winners
    assert f"{abs(agreed.scores[0] - agreed.scores[1]):g}" == record.result.partition("+")[2] or record.result == "0"
    assert tuple(map(_dots, agreed.pools)) == tuple(map(_dots, record.pools))


def _dots(chains: tuple[Chain, ...]) -> set[frozenset[object]]:
    return set(map(frozenset, chains))


def test_automatic_closing_makes_every_chain_of_the_game_that_was_played_by_it() -> None:
    record = read(recorded_game("zagram352562").read_bytes())
    moments = list(record.moments(preset("zagram")))
    assert sum(len(dot.chains) for dot in record.moves) == 10
    assert not any(moment.not_made for moment in moments)


def test_the_shortest_chain_is_not_always_the_one_that_was_recorded() -> None:
    record = read(recorded_game("zagram352562").read_bytes())
    told = [number for number, moment in enumerate(record.moments(preset("sport"))) if moment.not_made]
    assert told == [244]
