"""The rating points that attacks gain: each has its own in `ATTACKS`."""

from __future__ import annotations

import pytest

from tests.play.ratings.attacks import ATTACKS, Attack


@pytest.mark.sample(6)
@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.what)
async def test_an_attack_brings_what_it_says(attack: Attack) -> None:
    assert round(await attack.play()) == attack.now


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.what)
def test_no_bound_makes_an_attack_worth_more(attack: Attack) -> None:
    assert attack.now <= attack.before
