"""Attacks on puzzle ratings, as docs/ratings-lab.md tells of them."""

from __future__ import annotations

from benchmarks.puzzle_attacks import ATTACKS, DAYS, simulate


def test_new_accounts_that_miss_a_puzzle_first_help_nobody() -> None:
    alone, helped = (simulate(attack, 1) for attack in ATTACKS if attack.name.startswith("knows"))
    assert helped == alone


def test_who_knows_all_answers_rises_by_no_more_than_500_in_60_days() -> None:
    knows = next(attack for attack in ATTACKS if attack.name.startswith("knows"))
    assert 1500 < simulate(knows, 1)[DAYS - 1] < 2000


def test_who_only_guesses_falls_to_the_floor() -> None:
    on_board, to_choose = (
        simulate(attack, 1) for attack in ATTACKS if attack.name.startswith("guesses") and "not" not in attack.name
    )
    assert on_board[DAYS - 1] < 500
    assert to_choose[DAYS - 1] < 600
