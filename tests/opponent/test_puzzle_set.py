"""The command that makes the built-in exercises: its file depends on the games alone."""

from __future__ import annotations

import json
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tools.puzzle_set import FILE, SWAPPED, Found, Set, canonical, exercises_of_game, keys_of, make

STORED = json.loads(FILE.read_text())
ROWS = STORED["exercises"]
GAMES = sorted({row["seed"] for row in ROWS})[:12]


def unnumbered(row: dict[str, object]) -> dict[str, object]:
    return {key: value for key, value in row.items() if key != "number"}


def given(seed: int) -> Found:
    """Returns what a game has given to the stored set, in place of a game that is played."""
    game = GAMES[(seed - 1) % len(GAMES)]
    rows = tuple(unnumbered(row) for row in ROWS if row["seed"] == game)
    return Found(rows, Counter(games=1, positions=seed))


def made(file: Path, games: int, processes: int = 1) -> Path:
    with ThreadPoolExecutor(processes) as pool:
        make(file, 1000, games, pool, play=given)
    return file


def test_the_file_is_the_same_whatever_the_processes_and_wherever_it_was_stopped(tmp_path: Path) -> None:
    at_once = made(tmp_path / "once.json", 9)
    in_parts = tmp_path / "parts.json"
    for games, processes in ((2, 1), (3, 4), (9, 3)):
        made(in_parts, games, processes)
    assert at_once.read_bytes() == in_parts.read_bytes()
    assert [row["number"] for row in json.loads(at_once.read_text())["exercises"]][:3] == [101, 102, 103]


def test_a_set_only_grows_at_its_end(tmp_path: Path) -> None:
    some = json.loads(made(tmp_path / "set.json", 4).read_text())
    more = json.loads(made(tmp_path / "set.json", 8).read_text())
    assert more["exercises"][: len(some["exercises"])] == some["exercises"]
    assert more["counts"]["games"] == more["games"] == 8


def test_what_is_there_already_is_left_out_and_counted(tmp_path: Path) -> None:
    once = json.loads(made(tmp_path / "set.json", len(GAMES)).read_text())
    twice = json.loads(made(tmp_path / "set.json", 2 * len(GAMES)).read_text())
    assert twice["exercises"] == once["exercises"]
    assert twice["counts"]["refused: like another exercise"] >= len(once["exercises"])


def test_the_making_ends_when_it_is_told_to(tmp_path: Path) -> None:
    with ThreadPoolExecutor(1) as pool:
        make(tmp_path / "set.json", 1000, None, pool, lambda: True, given)
    assert not (tmp_path / "set.json").exists()


def test_positions_are_alike_when_turned_reflected_and_with_colours_exchanged() -> None:
    rows = ["RB..", ".r1.", "....", "...B"]
    quarter = ["".join(column) for column in zip(*rows[::-1], strict=True)]
    exchanged = [row.translate(SWAPPED) for row in rows]
    assert canonical(rows) == canonical(quarter) == canonical(rows[::-1]) == canonical([row[::-1] for row in rows])
    assert canonical(exchanged) != canonical(rows) == canonical([row.translate(SWAPPED) for row in exchanged])
    assert canonical(["R...", *rows[1:]]) != canonical(rows)


@pytest.mark.contest
def test_no_two_exercises_are_alike() -> None:
    keys = [keys_of(row) for row in ROWS]
    assert len(set().union(*keys)) == sum(map(len, keys))
    assert len(Set.read(FILE).rows) == len(ROWS)


@pytest.mark.contest
def test_the_command_gives_the_stored_exercises_of_a_game_again() -> None:
    stored = [unnumbered(row) for row in ROWS if row["seed"] == GAMES[0]]
    again = [dict(row) for row in exercises_of_game(GAMES[0]).rows]
    assert stored
    assert all(row in again for row in stored)
