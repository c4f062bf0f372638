"""The programs that fit the models of moves: their games, and the network that they write."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from base64 import b85decode
from pathlib import Path

import numpy as np
import pytest

from opponent.dots.field import empty, place
from opponent.dots.policy import WEIGHTS
from opponent.dots.policy_planes import CROSSING, MINE, THEIR_BASE
from opponent.dots.tables import TAKEN
from opponent.dots.tree import Tree
from tests.opponent.dots.test_policy import expected_logits
from tools.model_games import Taught, main, play, read
from tools.policy_lessons import UNIT, positions

pytestmark = pytest.mark.contest

GAMES = 11


@pytest.fixture(scope="module")
def games() -> list[Taught]:
    tree = Tree(100_000)
    return [play(tree, seed, (10, 10)) for seed in range(GAMES)]


def test_a_game_is_played_to_its_end_and_depends_on_its_number_alone(games: list[Taught]) -> None:
    assert play(Tree(100_000), 3, (10, 10)) == games[3]
    assert games[3] != games[4]
    for game in games:
        field = empty(game.width, game.height)
        for turn, cell in enumerate(game.dots):
            assert not field[cell] & TAKEN
            assert all(not field[seen] & TAKEN for seen in game.lessons.get(turn, {}))
            place(field, turn % 2, cell)
        assert len(game.dots) > 40
    assert 5 < sum(len(game.lessons) for game in games) / GAMES < 15  # one move in eight


@pytest.mark.smoke
def test_games_go_on_where_they_were_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["model_games", str(tmp_path), "28", "2"])  # on 12x12
    main()
    (path,) = tmp_path.glob("*.jsonl")
    whole = path.read_text(encoding="utf-8")
    first, second = whole.splitlines(keepends=True)
    path.write_text(first + second[:20], encoding="utf-8")
    main()
    assert path.read_text(encoding="utf-8") == whole
    assert [(game.width, game.height) for game in read(tmp_path)] == [(12, 12), (12, 12)]


def test_the_network_is_written_as_the_program_reads_it(games: list[Taught], tmp_path: Path) -> None:
    """Fits a network to a few games, in a process of its own, and has numpy repeat its answers about the game that was
    held out."""
    folder, file = tmp_path / "lessons", tmp_path / "weights.py"
    folder.mkdir()
    lines = [
        (game.width, game.height, game.dots, [(t, [*v.items()]) for t, v in game.lessons.items()]) for game in games
    ]
    (folder / "0.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    command = [sys.executable, "-m", "tools.policy_model", str(folder), str(file)]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout  # noqa: S603
    names: dict[str, str] = {}
    exec(file.read_text(encoding="utf-8"), names)  # noqa: S102 - what the program has just written
    weights = np.frombuffer(b85decode(names["CODED"]), "<f2").astype(np.float32)
    assert weights.shape == WEIGHTS.shape

    lessons, surprises = positions(games[:1]), []
    for each, shares in zip(lessons.planes, lessons.shares, strict=True):
        planes = each[:, :10, :10].astype(np.float32) / UNIT
        free = (planes[CROSSING] > 0) & (planes[MINE : THEIR_BASE + 1].sum(0) == 0)
        logits = expected_logits(planes, weights)[free]
        chances = np.exp(logits - logits.max())
        surprises.append(-(shares[:10, :10][free] @ np.log(chances / chances.sum())))
    (before, after) = (float(number) for number in re.findall(r"surprise (\d\.\d+)", told))
    assert np.mean(surprises) == pytest.approx(after, abs=0.01)
    assert before != after
