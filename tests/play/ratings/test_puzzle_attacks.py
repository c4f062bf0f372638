"""Attacks on puzzle ratings: docs/ratings-lab.md has the table that the simulation makes."""

from __future__ import annotations

from pathlib import Path

from benchmarks.puzzle_attacks import ATTACKS, DAYS, simulate, table

PAGE = Path(__file__).parents[3] / "docs/ratings-lab.md"


def test_the_page_has_the_table_of_attacks() -> None:
    shown = PAGE.read_text("utf-8")
    assert [line for line in table() if line not in shown] == []


def test_who_only_guesses_falls_to_the_floor() -> None:
    on_board, to_choose = (
        simulate(attack, 1) for attack in ATTACKS if attack.name.startswith("guesses") and "not" not in attack.name
    )
    assert on_board[DAYS - 1] < 500
    assert to_choose[DAYS - 1] < 600
