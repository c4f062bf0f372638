"""Imported records on boards of one's own: the computer looks at each format in all rule sets; broken files."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

from loopback import Discord
from play.boards.own_board import MAX_TURNS
from play.records.pointsxt import BLUE, RED
from play.records.record import MAX_RECORD_BYTES
from presentation.records import PRESETS
from tests.bot.room import Room
from tests.opponent.quick import Inside
from tests.play.test_sav import sav
from tests.web.home_visit import AtHome
from tests.web.test_own_boards import Desk
from tests.web.visit import Visit, with_client_secret

Visits = Callable[..., Visit]

GAMES: Final = Path(__file__).parents[1] / "data" / "games"

CAPTURE: Final = ";B[ee];W[ff];B[fe];W[ef];B[gf];W[aa];B[fg];W[bb];B[de];W[cc]"
"""A line of ten moves round the middle of a board."""

BRANCHED: Final = f"(;GM[40]SZ[11]C[start]{CAPTURE}C[end](;B[dg]LB[dg:x];W[gg])(;B[gg]C[why];W[dg];B[ad])(;B[ij]))"

FOREIGN: Final = (
    "(;FF[4]GM[40]AP[dots-game:1]SZ[11]AB[ee][ff]AW[fe][ef]PL[W];W[gg];B[hh];W[ii];B[cc](;W[dd])(;W[bb];B[aa]))"
)
"""A record of another program, with a set-up and the second player first."""

REVIEWED: Final = 40
"""The turn of a real game to which it is reviewed: the search of the tests takes a minute for a whole one."""

LETTERS: Final = "R..B.\n.....\n..R..\n.....\nB....\n"


@pytest.fixture
def run_options(discord: Discord) -> dict[str, Any]:
    return {**with_client_secret(discord), "thinkers": Inside}


@pytest.fixture
async def ola(room: Room, visit: Visits) -> Desk:
    return Desk((await AtHome.enter(room, room.ola, visit())).visit)


async def open_file(desk: Desk, data: bytes, name: str, rules: str | None = None) -> None:
    await desk.must("import", file=base64.b64encode(data).decode(), name=name, rules=rules)


def leaves(board: dict[str, Any]) -> list[int]:
    """Returns the turns with which the lines of a board end."""
    parents = {turn["parent"] for turn in board["turns"]}
    return [turn["id"] for turn in board["turns"] if turn["id"] not in parents]


async def look_everywhere(desk: Desk) -> None:
    """Asks for the computer's view and the turning points at the end of each line."""
    for turn in leaves(desk.board):
        scene = await desk.must("scene", turn=turn)
        if scene["enter"]:
            assert "%" in (await desk.must("weigh", turn=turn))["line"]
        assert (await desk.must("review", turn=turn))["line"]


@pytest.mark.sample(4)
@pytest.mark.parametrize("rules", PRESETS)
async def test_the_computer_looks_at_each_branch_in_every_rule_set(ola: Desk, rules: str) -> None:
    await open_file(ola, BRANCHED.encode(), "branched.sgf", rules)
    assert (ola.board["rules"], len(leaves(ola.board))) == (rules, 3)
    await look_everywhere(ola)


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (BRANCHED.encode(), "a.sgf"),
        (FOREIGN.encode(), "b.sgf"),
        (sav((5, 5, RED), (6, 6, BLUE), (7, 7, RED), (8, 8, BLUE), (5, 6, RED)), "c.sav"),
        (BRANCHED.encode("utf-16"), "d.sgf"),
    ],
    ids=["zagram", "another program", "PointsXT", "UTF-16"],
)
async def test_the_computer_looks_at_records_of_each_format(ola: Desk, data: bytes, name: str) -> None:
    await open_file(ola, data, name)
    await look_everywhere(ola)


async def test_the_computer_looks_at_a_board_in_letters(ola: Desk) -> None:
    await ola.must("import", text=LETTERS, name="", rules=None)
    assert "%" in (await ola.must("weigh", turn=None))["line"]


async def test_what_kropka_has_written_is_looked_at_again(ola: Desk) -> None:
    await open_file(ola, BRANCHED.encode(), "branched.sgf", "zagram-territory")
    before = ola.board["turns"]
    await open_file(ola, (await ola.must("sgf"))["sgf"].encode(), "again.sgf")
    assert (ola.board["turns"], ola.board["rules"]) == (before, "zagram-territory")
    await look_everywhere(ola)


@pytest.mark.contest
@pytest.mark.parametrize("name", sorted(file.name for file in GAMES.glob("*.sgf")))
async def test_the_computer_looks_at_a_real_game(ola: Desk, name: str) -> None:
    await open_file(ola, await asyncio.to_thread((GAMES / name).read_bytes), name)
    assert "%" in (await ola.must("weigh", turn=leaves(ola.board)[0]))["line"]
    assert (await ola.must("review", turn=REVIEWED))["line"]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"(",
        b"(;GM[40]",
        b"(;GM[1]SZ[19];B[aa])",
        b"(;GM[40]SZ[10];B[zz])",
        b"(;GM[40]SZ[99];B[aa])",
        b"(;GM[40]SZ[10];B[ee];W[ee])",
        b"(;GM[40]SZ[10];B[ee]C[no end)",
        b"\x00\xff\xfe" * 50,
        b"(" * 30_000,
        b"(;GM[40]SZ[10]" + b";" * 60_000 + b")",
        (";B[aa]" * 10_000).encode(),
    ],
    ids=range(12),
)
async def test_a_broken_file_is_refused_in_words(ola: Desk, data: bytes) -> None:
    line = await ola.refused("import", file=base64.b64encode(data).decode(), name="broken.sgf", rules=None)
    assert line.endswith(".")


async def test_an_empty_record_is_not_taken_for_a_board_in_letters(ola: Desk) -> None:
    line = await ola.refused("import", file="", name="empty.sgf", rules=None)
    assert line.startswith("I can't read this file.")


async def test_the_heaviest_file_opens_or_says_why(ola: Desk) -> None:
    branches = "".join(f"(;B[{'abcdefghij'[k % 10]}{'abcdefghij'[k // 10 % 10]}]C[{k}])" for k in range(100))
    text = f"(;GM[40]SZ[10]{branches})"
    await ola.must("import", text=text, name="", rules=None)
    assert len(ola.board["turns"]) <= MAX_TURNS
    heaviest = f"(;GM[40]SZ[60]{'(;B[aa])' * (MAX_RECORD_BYTES // 9)})"
    assert (await ola.ask("import", text=heaviest, name="", rules=None))[0] in (200, 403)
