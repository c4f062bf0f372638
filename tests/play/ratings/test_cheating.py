"""Plans of `benchmarks.cheating.ratings`: what takes no skill brings nothing against the computer, else little."""

from __future__ import annotations

import pytest

from benchmarks.cheating.ratings import MAX_DAILY_GAIN, End, Other, Place, Plan, plans, play_plan, reason_for, search
from tests.conftest import Files

WAITING = Plan(Place.SWISS, Other.STRONGEST, "even", End.ROUND, 10, settled=False)
LANDING = Plan(Place.CHALLENGE, Other.STRONGEST, "komi taken, landing", End.LAND, 10, settled=True)


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    "plan",
    [
        WAITING,
        Plan(Place.ROUND_ROBIN, Other.STRONGEST, "komi taken", End.ROUND, 10, settled=True),
        Plan(Place.SWISS, Other.STRONGEST, "even", End.AWARD, 10, settled=False),
        Plan(Place.CHALLENGE, Other.STRONGEST, "even", End.LEVEL, 10, settled=False),
        Plan(Place.CHALLENGE, Other.STRONGEST, "even", End.TIME, 10, settled=False),
        LANDING,
        Plan(Place.CHALLENGE, Other.STRONGEST, "komi taken, STOP", End.STOP, 10, settled=True),
        Plan(Place.CHALLENGE, Other.STRONG, "extra dots", End.RESIGN, 10, settled=False),
        Plan(Place.SWISS, Other.STRONG, "even", End.WITHDRAW, 1, settled=False),
        Plan(Place.LADDER, Other.STRONG, "even", End.ABORT, 0, settled=False),
    ],
    ids=str,
)
async def test_an_end_without_skill_brings_nothing(files: Files, plan: Plan) -> None:
    assert await play_plan(files(None), plan) == 0


@pytest.mark.sample(3)
@pytest.mark.parametrize("place", Place)
async def test_a_game_that_an_own_account_loses_counts_the_same_everywhere(files: Files, place: Place) -> None:
    gain = await play_plan(files(None), Plan(place, Other.SETTLED, "even", End.RESIGN, 10, settled=True))
    assert 5 < gain < MAX_DAILY_GAIN


async def test_the_search_finds_what_gains_most(files: Files) -> None:
    honest = Plan(Place.CHALLENGE, Other.NEW, "even", End.RESIGN, 10, settled=True)
    other = Plan(Place.LADDER, Other.NEW, "even", End.RESIGN, 10, settled=True)
    ((gain, best),) = await search(files(None), [WAITING, honest, other])
    assert (best, round(gain)) == (honest, 7)


def test_every_plan_against_the_computer_is_closed_by_a_rule_and_not_named() -> None:
    against = [plan for plan in plans() if plan.other.level is not None]
    assert {plan.end for plan in against} >= {End.ROUND, End.AWARD, End.LAND, End.STOP, End.TIME}
    assert not any(map(reason_for, against))
