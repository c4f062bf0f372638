"""`kropka engine`: the answers to its lines."""

from __future__ import annotations

import io

import pytest

from opponent.engine import Engine, serve


@pytest.fixture
def engine() -> Engine:
    engine = Engine()
    engine.answer("new 9 7")
    return engine


def test_rows_count_from_the_top(engine: Engine) -> None:
    for line in ("play 0 1 0", "play 1 1 1", "play 0 0 1", "play 0 2 1"):
        assert engine.answer(line) == "="
    assert engine.answer("score") == "= 0 0"
    assert engine.answer("play 0 1 2") == "="
    assert engine.answer("score") == "= 1 0"


def test_undo_takes_a_capture_back(engine: Engine) -> None:
    for line in ("play 0 1 0", "play 1 1 1", "play 0 0 1", "play 0 2 1", "play 0 1 2", "undo"):
        engine.answer(line)
    assert engine.answer("score") == "= 0 0"
    assert engine.answer("play 1 1 2") == "="


def test_genmove_captures_and_its_dot_lies_on_the_field(engine: Engine) -> None:
    for line in ("play 0 4 2", "play 1 4 3", "play 0 3 3", "play 1 7 5", "play 0 5 3", "play 1 1 5"):
        engine.answer(line)
    assert engine.answer("genmove 0 100") == "= 4 4"
    assert engine.answer("score") == "= 1 0"
    assert engine.answer("play 1 4 4") == "? there is a dot on it already"


def test_after_genmove_its_player_says_what_they_expect(engine: Engine) -> None:
    for line in ("play 0 4 2", "play 1 4 3", "play 0 3 3", "play 1 7 5", "play 0 5 3", "play 1 1 5", "genmove 0 100"):
        engine.answer(line)
    sign, win, points = engine.answer("expect").split()
    assert sign == "="
    assert 0.5 < float(win) <= 1
    assert float(points) > 0
    engine.answer("new 9 7")
    assert engine.answer("expect") == "? genmove comes first"


def test_a_generated_dot_may_be_repeated_once(engine: Engine) -> None:
    _, x, y = engine.answer("genmove 1 10").split()
    assert engine.answer(f"play 1 {x} {y}") == "="
    assert engine.answer(f"play 1 {x} {y}").startswith("?")


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("play 0 9 0", "? there is no such crossing"),
        ("play 0 0 -1", "? there is no such crossing"),
        ("play 2 0 0", "? seats are 0 and 1"),
        ("play 0 a 0", "? no number: a"),
        ("play 0 0", "? play takes 3 numbers"),
        ("undo", "? there is nothing to take back"),
        ("expect", "? genmove comes first"),
        ("dance", "? unknown command: dance"),
        ("new 61 5", "? the field has 1 to 60 crossings a side"),
    ],
)
def test_a_line_that_is_no_command_is_refused(engine: Engine, line: str, answer: str) -> None:
    assert engine.answer(line) == answer


def test_nothing_is_played_before_there_is_a_game() -> None:
    assert Engine().answer("play 0 0 0") == "? there is no game yet"


def test_a_base_takes_no_dot(engine: Engine) -> None:
    for line in ("play 0 1 0", "play 1 1 1", "play 0 0 1", "play 0 3 1", "play 0 2 0", "play 0 1 2", "play 0 2 2"):
        engine.answer(line)
    assert engine.answer("score") == "= 1 0"
    assert engine.answer("play 1 2 1") == "? it lies in a base"


def test_a_full_field_has_no_move(engine: Engine) -> None:
    engine.answer("new 1 1")
    engine.answer("play 0 0 0")
    assert engine.answer("genmove 1 10") == "? the field is full"


def test_it_answers_line_by_line_until_quit() -> None:
    output = io.StringIO()
    serve(["new 5 5\n", "\n", "score\n", "quit\n", "score\n"], output)
    assert output.getvalue() == "=\n= 0 0\n=\n"
