"""`kropka replay`: a line of output for each record."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from bot.__main__ import main, make_parser
from bot.cli.replay import replay
from play.records.sgf import read, write
from play.records.transcript import transcript
from rules.registry import DEFAULT
from tests.facts import recorded_game, recorded_games
from tests.play.walks import NAMES, played, random_match, walk
from tests.rules.brute_force import Field

AUTOMATIC = ("zagram352562", "zagram86223", "zagram191639")
"""Records that automatic closing replays whole."""


def run_replay(
    paths: Sequence[Path], *, as_json: bool = True, at_risk: bool = False, png: Path | None = None
) -> tuple[int, list[str]]:
    """Replays records; returns the exit status and the lines of output."""
    out = io.StringIO()
    status = replay(paths, DEFAULT, as_json=as_json, at_risk=at_risk, png=png, out=out)
    return status, out.getvalue().splitlines()


def replayed(path: Path, *, at_risk: bool = False) -> dict[str, Any]:
    """Returns the JSON object of a record that is replayed."""
    _, (line,) = run_replay([path], at_risk=at_risk)
    answer: dict[str, Any] = json.loads(line)
    return answer


def fault(path: Path) -> str:
    """Returns the error of a record that cannot be replayed."""
    status, (line,) = run_replay([path])
    answer: dict[str, str] = json.loads(line)
    assert status == 2
    assert list(answer) == ["file", "error"]
    return answer["error"]


class Records:
    """A folder into which records are written."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, body: str, name: str = "game", size: str = "5") -> Path:
        path = self.folder / f"{name}.sgf"
        path.write_text(f"(;FF[4]GM[40]SZ[{size}]{body})")
        return path


@pytest.fixture
def sgf(tmp_path: Path) -> Records:
    return Records(tmp_path)


def test_a_record_is_told_as_one_object_in_the_order_of_the_page(sgf: Records) -> None:
    path = sgf(";B[ba];W[bb];B[ab];W[ee];B[cb];W[de];B[bc]", size="5:6")
    status, (line,) = run_replay([path], at_risk=True)
    assert status == 0
    assert list(json.loads(line).items()) == [
        ("file", str(path)),
        ("width", 5),
        ("height", 6),
        ("moves", 7),
        ("scores", [[0, 0], [0, 0], [0, 0], [0, 0], [0, 0], [0, 0], [1, 0]]),
        ("board", [".R...", "RbR..", ".R...", ".....", "...BB", "....."]),
        ("free", 23),
        ("at_risk", [0, 0]),
    ]


def test_captured_empty_crossings_bear_the_number_of_their_owner(sgf: Records) -> None:
    path = sgf(";B[bb];W[ba];B[ee];W[ab];B[ae];W[bd];B[ea];W[ac];B[ed];W[cb];B[ec];W[cc]")
    assert replayed(path)["board"] == [".B..R", "BrB..", "B2B.R", ".B..R", "R...R"]


def test_dots_of_the_set_up_are_no_moves_and_have_no_scores(sgf: Records) -> None:
    answer = replayed(sgf("AW[bb]AB[ba][ab][cb];B[bc]"))
    assert (answer["moves"], answer["scores"]) == (1, [[1, 0]])


def test_dots_of_the_set_up_close_automatically(sgf: Records) -> None:
    assert replayed(sgf("AW[bb]AB[ba][ab][cb][bc]"))["board"][:3] == [".R...", "RbR..", ".R..."]


def test_a_record_with_set_up_has_no_opening_zone(sgf: Records) -> None:
    assert replayed(sgf(";B[aa];W[ee]"))["free"] == 23


def test_a_record_without_dots_is_an_empty_field(sgf: Records) -> None:
    answer = replayed(sgf("", size="2:1"))
    assert (answer["moves"], answer["scores"], answer["board"], answer["free"]) == (0, [], [".."], 2)


def test_the_first_mover_is_red_whatever_their_colour(sgf: Records) -> None:
    assert replayed(sgf(";W[aa];B[ba]", size="2:1"))["board"] == ["RB"]


def test_several_dots_of_one_colour_may_follow_each_other(sgf: Records) -> None:
    assert replayed(sgf(";B[aa];B[ba];W[ca]", size="3:1"))["board"] == ["RRB"]


def test_the_swing_counts_dots_and_prisoners_off_the_edge(sgf: Records) -> None:
    assert replayed(sgf(";W[cc];B[cb];B[bc];B[cd];B[dc];W[bb]"), at_risk=True)["at_risk"] == [1, 5]
    assert replayed(sgf(";B[cb];W[cc];B[bc];B[cd];B[dc]"), at_risk=True)["at_risk"] == [5, 0]


def test_the_swing_is_told_only_if_asked_for(sgf: Records) -> None:
    assert "at_risk" not in replayed(sgf(";B[aa]"))


@pytest.mark.parametrize(
    ("body", "error"),
    [
        (";B[cc];W[cc]", "move 2, W[cc] (C3): there is a dot already"),
        (";B[cc];W[fa]", "move 2, W[fa]: this is outside the field"),
        (";B[cc.ab1]", "move 1, B[cc]: the chain behind this move is not written in points of two letters each"),
        (
            ";B[cc];W[];B[dd]",
            "move 2, W[]: this is no crossing: it takes two letters, and only a last turn may be without a dot",
        ),
        (";W[bb];B[ba];B[ab];B[ac];B[cb];B[cc];B[bd];W[bc.bc]", "move 8, W[bc] (B3): this is inside a base"),
        ("AB[aa][aa];B[cc]", "AB[aa] (A5): there is a dot already"),
        ("AB[zz];B[cc]", "AB[zz]: this is outside the field"),
        (";B[cc];AE[cc]", "AE[cc]: in Dots nothing is ever taken off the field"),
        (";B[cc];AW[bb]", "AW[bb]: dots can only be set up before the first move"),
    ],
)
def test_an_error_names_the_move_by_number_and_crossing(sgf: Records, body: str, error: str) -> None:
    assert fault(sgf(body)) == error


def test_a_dot_on_a_prisoner_is_on_a_dot(sgf: Records) -> None:
    assert fault(sgf(";W[bb];B[ba];B[ab];B[cb];B[bc];W[bb]")) == "move 6, W[bb] (B4): there is a dot already"


def test_a_move_on_a_full_field_is_on_a_dot_or_has_nowhere_to_go(sgf: Records) -> None:
    assert fault(sgf(";B[aa];W[aa]", size="1")).startswith("move 2, W[aa] (A1): ")


def test_a_recorded_chain_that_the_rules_do_not_make_is_told_with_its_move(sgf: Records) -> None:
    path = sgf("AW[bb]AB[ba][ab][cb];B[bc.baabbccb];W[ee.ddedee]")
    assert replayed(path)["chains_not_made"] == [{"move": 2, "chain": "D2-E2-E1"}]
    _, (line,) = run_replay([path], as_json=False)
    assert line.endswith(", move 2: the rules do not make the chain D2-E2-E1")


def test_chains_are_not_spoken_of_if_the_rules_make_them_all(sgf: Records) -> None:
    assert "chains_not_made" not in replayed(sgf("AW[bb]AB[ba][ab][cb];B[bc.baabbccb]"))


def test_a_pointsxt_record_is_read_by_the_end_of_its_name(tmp_path: Path) -> None:
    path = tmp_path / "game.SAV"
    path.write_bytes(bytes(58) + bytes([0, 0, 1, 255, 255]) + bytes(8) + bytes([38, 31, 1, 0, 0]) + bytes(8))
    answer = replayed(path)
    assert (answer["width"], answer["height"], answer["moves"]) == (39, 32, 2)
    assert (answer["board"][0][0], answer["board"][-1][-1]) == ("R", "B")


def test_a_damaged_pointsxt_record_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "game.sav"
    path.write_bytes(bytes(58) + bytes([39, 0, 1, 255, 255]))
    assert fault(path) == "move 1, 39,0: this is outside the field"
    path.write_bytes(b"short")
    assert fault(path) == "this is no PointsXT record, or it is cut off"


def test_a_record_of_four_players_is_replayed_by_four(tmp_path: Path) -> None:
    chance = random.Random(8)
    match = walk(random_match("four", chance, size="6"), chance, 20)
    path = tmp_path / "four.sgf"
    path.write_bytes(write(transcript(match, NAMES)))
    answer = replayed(path, at_risk=True)
    assert tuple(answer["scores"][-1]) == match.position.score
    assert len(answer["at_risk"]) == 4


def test_a_record_of_another_game_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "go.sgf"
    path.write_text("(;FF[4]GM[1]SZ[19];B[aa])")
    assert fault(path) == "this is no record of Dots, which have GM[40]"


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    assert fault(tmp_path / "none.sgf") == "No such file or directory"


def test_a_folder_is_an_error(tmp_path: Path) -> None:
    assert fault(tmp_path) == "Is a directory"


def test_a_picture_that_cannot_be_written_is_an_error_of_its_record(sgf: Records, tmp_path: Path) -> None:
    (tmp_path / "board.png").mkdir()
    (tmp_path / "board.png" / "game.png").mkdir()
    status, (line,) = run_replay([sgf(";B[aa]")], png=tmp_path / "board.png")
    assert status == 2
    assert json.loads(line)["error"] == f"{tmp_path / 'board.png' / 'game.png'}: Is a directory"


def test_a_bad_record_does_not_stop_the_others_nor_change_their_order(sgf: Records) -> None:
    paths = [sgf(";B[aa]", "a"), sgf(";B[zz]", "b"), sgf(";B[bb]", "c")]
    status, lines = run_replay(paths)
    assert status == 2
    assert [(answer["file"], "error" in answer) for answer in map(json.loads, lines)] == [
        (str(path), path == paths[1]) for path in paths
    ]


def test_without_json_each_record_is_a_line_for_people(sgf: Records) -> None:
    path = sgf("PB[Ann]PW[Bob]RE[B+1];W[cc];B[cb];B[bc];B[cd];B[dc]")
    status, lines = run_replay([path, sgf(";B[zz]", "bad")], as_json=False, at_risk=True)
    assert status == 2
    assert lines == [
        f"{path}: Bob - Ann, 5x5, 5 moves, score 0:1, 20 crossings free, "
        "the record says B+1: Ann won by 1, 0:5 at risk",
        f"{path.parent / 'bad.sgf'}: error: move 1, B[zz]: this is outside the field",
    ]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("PB[Ann]RE[B+R];B[cc]", ", the record says B+R: Ann won by resignation"),
        ("RE[W+T];B[cc]", ", the record says W+T: Red won on time"),
        ("RE[B+F];W[cc]", ", the record says B+F: Blue won by forfeit"),
        ("RE[B+G];B[cc]", ", the record says B+G: Blue won by grounding"),
        ("RE[B+];B[cc]", ", the record says B+: Blue won"),
        ("RE[0];B[cc]", ", the record says 0: a draw"),
        ("RE[W+2];B[cc]", ", the record says W+2: Red won by 2, unlike the board"),
        ("RE[1-0];B[cc]", ", the record says 1-0"),
        (";B[cc];W[resign]", ", 24 crossings free, Blue won by resignation"),
        (";B[bb];B[]", ", 2 moves, score 0:1, 24 crossings free"),
        ("RE[B+Resignation];B[cc]", ", the record says B+Resignation: Blue won by resignation"),
        ("KTV1[x];B[cc])(;GM[40]SZ[9]", ", skipped: KTV1, the file has more games"),
        (";B[cc]\n> ;W[dd](;B[aa])(;B[bb]", ", skipped: >, the last bracket is missing"),
    ],
)
def test_the_result_of_a_record_is_told_in_words_and_so_is_what_is_odd(sgf: Records, body: str, said: str) -> None:
    _, (line,) = run_replay([sgf(body)], as_json=False)
    assert line.endswith(said)


def test_with_json_the_result_and_what_is_odd_are_fields(sgf: Records) -> None:
    answer = replayed(sgf("RE[B+2]KTV1[x];B[cc])(;GM[40]SZ[9]"))
    fields = [answer[name] for name in ("result", "contradicts", "skipped", "more_games")]
    assert fields == ["B+2", True, ["KTV1"], True]


def test_a_damaged_record_does_not_keep_the_next_one_from_being_replayed(sgf: Records) -> None:
    heading = "[rules three][size 5x5][opening 12@2 D4|D4][seed 5][clock 1h][started 0]"
    status, (damaged, whole) = run_replay([sgf(f"KP[kropka 2]{heading}", "a"), sgf(";B[cc]", "b")], as_json=False)
    assert status == 2
    assert damaged.endswith("error: what KP says of the match cannot be read")
    assert "1 moves" in whole


@pytest.mark.parametrize(("preset", "stops"), [("paper", ["stop"]), ("zagram-no-territory", ["stop", "stop"])])
def test_a_match_of_this_program_is_replayed_by_its_own_rules_with_its_stop(
    preset: str, stops: list[str], tmp_path: Path
) -> None:
    match = played("C4", "A1", "C3", "A2", *stops, game=preset)
    path = tmp_path / "own.sgf"
    path.write_bytes(write(transcript(match, ("Ann", "Bob"))))
    _, (line,) = run_replay([path], as_json=False)
    assert "score 0:2" in line
    assert line.endswith("the record says B+2: Bob won by 2")


def test_the_last_position_of_a_record_is_drawn_into_a_file(sgf: Records, tmp_path: Path) -> None:
    assert run_replay([sgf(";B[cc]")], png=tmp_path / "new" / "board.png")[0] == 0
    with Image.open(tmp_path / "new" / "board.png") as picture:
        assert picture.format == "PNG"


def test_several_records_are_drawn_into_a_folder_each_under_its_own_name(sgf: Records, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    paths = [sgf(";B[cc]", "a"), sgf(";B[cc]", "b"), sgf(";B[bb]", "other/a"), sgf(";B[zz]", "bad")]
    run_replay(paths, png=tmp_path / "out")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["a-2.png", "a.png", "b.png"]


def test_the_command_line_reads_its_options_and_returns_the_status(
    sgf: Records, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", str(sgf(";B[aa]")), "--json", "--at-risk", "--rules", DEFAULT]) == 0
    assert json.loads(capsys.readouterr().out)["at_risk"] == [0, 0]


def test_records_are_replayed_by_the_default_rules_unless_told_otherwise() -> None:
    assert make_parser().parse_args(["replay", "game.sgf"]).rules == DEFAULT


def test_an_unknown_rule_set_is_refused_by_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["replay", "game.sgf", "--rules", "chess"])
    assert DEFAULT in capsys.readouterr().err


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", AUTOMATIC)
def test_recorded_games_that_automatic_closing_replays_agree_with_the_brute_force(name: str) -> None:
    path = recorded_game(name)
    record = read(path.read_bytes())
    field = Field(record.width, record.height)
    for dot in record.stones:
        field.set_up(dot.seat, dot.point.x, record.height - 1 - dot.point.y)
    scores = []
    for dot in record.moves:
        field.place(dot.seat, dot.point.x, record.height - 1 - dot.point.y)
        scores.append(list(field.scores))
    answer = replayed(path, at_risk=True)
    assert answer["scores"] == scores
    assert answer["board"] == field.rows()
    assert answer["free"] == field.free
    assert answer["at_risk"] == [field.at_risk(0), field.at_risk(1)]


def test_recorded_games_with_drawn_chains_replay_or_stop_inside_a_base() -> None:
    _, lines = run_replay(recorded_games())
    answers = {Path(answer["file"]).stem: answer for answer in map(json.loads, lines)}
    errors = {name: answer["error"] for name, answer in answers.items() if "error" in answer}
    assert not errors.keys() & set(AUTOMATIC)
    assert all(error.endswith(": this is inside a base") for error in errors.values())
