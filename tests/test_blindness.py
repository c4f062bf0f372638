"""A player who misses nets is told nets by the page of their figures, and one who sees them is not."""

from __future__ import annotations

from random import Random

import pytest

from benchmarks.blindness import KINDS, Player, School
from play.community.exercise import Kind
from play.ids import UserId
from storage import Database
from tests.clock import StoppedClock

GAMES_WITH_NETS = range(0, 4 * len(KINDS), len(KINDS))
"""Games that begin with a net."""


async def told(store: Database, clock: StoppedClock, blind: float) -> Kind | None:
    """Returns what the page names first to a player after these games."""
    school, player = School(store, clock), Player(UserId(2), blind, Random(5))
    for number in GAMES_WITH_NETS:
        await school.play(player, number)
    return await school.first_cause(player.user)


@pytest.mark.contest
async def test_a_player_who_misses_nets_is_told_nets(store: Database, clock: StoppedClock) -> None:
    assert await told(store, clock, 1.0) is Kind.NET


@pytest.mark.contest
async def test_a_player_who_sees_nets_is_not_told_nets(store: Database, clock: StoppedClock) -> None:
    assert await told(store, clock, 0.0) is not Kind.NET


@pytest.mark.contest
async def test_who_trains_what_the_page_names_misses_fewer_nets(store: Database, clock: StoppedClock) -> None:
    school, player = School(store, clock), Player(UserId(2), 1.0, Random(5))
    for _ in range(3):
        await school.train(player, Kind.NET)
    assert player.blind < 1.0
