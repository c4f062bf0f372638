"""The rating points that attacks gain. The numbers are in docs/ratings-lab.md."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.play.ratings.attacks import ATTACKS, Attack, table


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.what)
async def test_an_attack_brings_no_more_than_the_table_says(attack: Attack) -> None:
    assert round(await attack.play()) == attack.now


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.what)
def test_no_bound_makes_an_attack_worth_more(attack: Attack) -> None:
    assert attack.now <= attack.before


def test_the_page_shows_the_table_that_is_tested() -> None:
    page = Path(__file__).parents[3] / "docs" / "ratings-lab.md"
    assert table() in page.read_text(encoding="utf-8")
