"""Custom ids: all forms are in one module, they are read as they were built, and old ones are read as ever."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.interactions import custom_ids
from bot.interactions.custom_ids import MAX_LENGTH, CustomId, Field, number, one_of
from tests.bot.templates import COMPONENTS, FORMS
from tests.examples import examples
from tests.python_texts import parsed

ROOT = Path(__file__).parents[3]
IDS = {name: form for name, form in vars(custom_ids).items() if isinstance(form, CustomId)} | {
    f"{name}.{verb}": form
    for name, forms in vars(custom_ids).items()
    if isinstance(forms, custom_ids.QuizIds)
    for verb, form in forms._asdict().items()
}

OLD: list[dict[str, Any]] = orjson.loads((ROOT / "tests/data/old-custom-ids.json").read_bytes())
"""The regular expressions before ids were values, each with the class that it was of and the names of its forms now. A
form that has grown since has a second one for what is new."""


def of(pattern: str | re.Pattern[str]) -> st.SearchStrategy[str]:
    return st.from_regex(pattern, fullmatch=True)


@pytest.mark.sample(6)
@pytest.mark.parametrize("old", OLD, ids=[each["class"] for each in OLD])
@examples(100)
@given(data=st.data())
def test_a_form_has_the_ids_that_it_has_had(old: dict[str, Any], data: st.DataObject) -> None:
    patterns = [IDS[name].pattern for name in old["now"]]
    before = data.draw(of(old["pattern"]))
    assert any(pattern.fullmatch(before) for pattern in patterns)
    now = data.draw(st.one_of(*map(of, patterns)))
    assert re.fullmatch(old["pattern"], now) or re.fullmatch(old.get("grown", ""), now)


@pytest.mark.sample(8)
@pytest.mark.parametrize("name", IDS)
@examples(100)
@given(data=st.data())
def test_values_are_read_as_they_were_built(name: str, data: st.DataObject) -> None:
    form = IDS[name]
    values = form.read(data.draw(of(form.pattern).filter(lambda text: len(text) <= MAX_LENGTH)))
    assert values is not None
    assert form.read(form(**values)) == values


def test_every_component_and_every_form_has_its_ids_from_there() -> None:
    used = {each.id_form for each in COMPONENTS} | {each.id_form for each in FORMS}
    assert used <= {*IDS.values()}
    unanswered = {name for name, form in IDS.items() if form not in used}
    assert unanswered == {"OF_MATCH", "TAKEN", "NOWHERE", "FULL", "CLOSED"}


def literals(node: ast.AST) -> Iterator[tuple[int, str]]:
    """Yields the strings of a module but for docstrings, with their lines; f-strings have `{}` for their values."""
    match node:
        case ast.Expr(value=ast.Constant()):
            return
        case ast.Constant(value=str(text)):
            yield node.lineno, text
        case ast.JoinedStr(values=parts):
            yield node.lineno, "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in parts)
            inner = (part.value for part in parts if isinstance(part, ast.FormattedValue))
            for each in inner:
                yield from literals(each)
        case _:
            for child in ast.iter_child_nodes(node):
                yield from literals(child)


NONCES = {"arena:{}", "challenge:{}", "ladder:{}", "puzzle:{}"}
"""Names of posts, by which Discord knows one that is sent again."""

BEGINNING = re.compile(rf"(?:{'|'.join({form.subject for form in IDS.values() if ':' in form.template})}):\S")


def test_no_id_is_written_out_elsewhere() -> None:
    found = [
        f"{file.relative_to(ROOT)}:{line}: {text}"
        for file in (ROOT / "bot").rglob("*.py")
        if file.name != "custom_ids.py"
        for line, text in literals(parsed(file.read_text("utf-8")))
        if BEGINNING.match(text) and text not in NONCES
    ]
    assert found == []


@pytest.mark.parametrize("text", ['"me:shown"', 'f"match:{x}:{y}:go"', "[f'{a(f\"sets:{x}:new\")}']"])
def test_an_id_that_is_written_out_is_found(text: str) -> None:
    assert any(BEGINNING.match(each) for _, each in literals(ast.parse(text, mode="eval")))


TASK = CustomId("task:{task}[:{point}]", task=number(2), point=Field("[A-E][1-5]"))


def test_what_is_in_brackets_may_be_missing() -> None:
    assert TASK(task=1) == TASK(task=1, point="") == "task:1"
    assert TASK.read("task:1") == {"task": 1, "point": ""}
    assert TASK.read(TASK(task=1, point="C3")) == {"task": 1, "point": "C3"}


def test_another_id_is_not_read() -> None:
    assert [TASK.read(text) for text in ("task:1:", "task:100", "task:1:C9", " task:1", "task:1\n")] == [None] * 5


def test_an_id_is_not_built_of_values_that_do_not_fit() -> None:
    with pytest.raises(AssertionError, match="is no task"):
        TASK(task=100)
    with pytest.raises(AssertionError, match="too long"):
        CustomId("a:{text}", text=Field(".+"))(text="x" * 99)


def test_a_form_is_known_by_its_words() -> None:
    form = CustomId("match:{match}:go:{way}", match=number(9), way=one_of("a", "b"))
    assert (form.subject, form.action) == ("match", "go")
