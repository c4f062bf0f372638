"""The places in which the bot shows sentences: buttons, forms, menus; and the sentences with durations and spans."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from functools import cache

from tests.presentation.words.test_words import ROOT, SAYING, called, key_pattern, keys_of
from tests.python_texts import parsed

BUTTON_MAKERS = {"button", "make", "of", "to", "Button"}
"""Functions that take the label of a button."""


@cache
def shown() -> dict[str, set[str]]:
    """Returns the keys of the sentences that the bot shows in each of the places with a limit."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for path in sorted((ROOT / "bot").rglob("*.py")):
        for node in ast.walk(parsed(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                for place, value in _placed(node):
                    if isinstance(value, ast.Subscript):
                        value = value.value
                    if isinstance(value, ast.Call) and called(value.func) in SAYING and value.args:
                        found[place].update(keys_of(key_pattern(value.args[0]) or "-"))
    found["label"] -= {key for key in found["label"] if ".description" in key} | found["description"]  # same pattern
    return found


def _placed(call: ast.Call) -> Iterator[tuple[str, ast.expr]]:
    """Yields the arguments of a call that Discord shows, each with its place."""
    name = called(call.func)
    named = {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg}
    if name in BUTTON_MAKERS:
        yield from (("button", value) for value in [*call.args, *named.values()])
    if name == "make_form":
        yield from (("title", value) for value in call.args[1:2])
    if name == "Label":
        yield "label", named["text"]
    if name in ("Label", "add_option") and "description" in named:
        yield "description", named["description"]
    if "placeholder" in named:
        yield "hint", named["placeholder"]
    if name == "showing":
        yield "hint", call.args[1]
    if name == "SelectField" and isinstance(call.args[1], ast.Lambda):
        yield "hint", call.args[1].body


def durations() -> set[tuple[str, str]]:
    """Returns each key with a detail of it that the code fills in with a duration."""
    return _filled("duration")


def spans() -> set[tuple[str, str]]:
    """Returns each key with a detail of it that says how far away a moment is: `in 3 hours`."""
    return _filled("until")


@cache
def _filled(by: str) -> set[tuple[str, str]]:
    """Returns each key with a detail of it that is what a function returns, also by way of a variable."""
    found: set[tuple[str, str]] = set()
    for folder in ("bot", "web", "presentation"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            for function in ast.walk(parsed(path.read_text(encoding="utf-8"))):
                if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                    found.update(_filled_in(function, by))
    return found


def _filled_in(function: ast.AST, by: str) -> Iterator[tuple[str, str]]:
    names = {
        target.id
        for node in ast.walk(function)
        if isinstance(node, ast.Assign)
        for target, value in _assigned(node)
        if isinstance(target, ast.Name) and _calls(value, by)
    }
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and node.args and called(node.func) in SAYING | {"Refused"}:
            key = key_pattern(node.args[0])
            if key is not None and called(node.func) == "Refused":
                key = f"refused\\.(?:{key})"
            for detail in node.keywords:
                named = isinstance(detail.value, ast.Name) and detail.value.id in names
                if named or _calls(detail.value, by):
                    yield from ((each, detail.arg or "") for each in keys_of(key or "-"))


def _assigned(node: ast.Assign) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Yields each name of an assignment with its value, also where several are assigned at once."""
    for target in node.targets:
        if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
            yield from zip(target.elts, node.value.elts, strict=True)
        else:
            yield target, node.value


def _calls(value: ast.expr, function: str) -> bool:
    """Whether a value is what a function returns, on a condition or not."""
    if isinstance(value, ast.IfExp):
        return _calls(value.body, function) or _calls(value.orelse, function)
    return isinstance(value, ast.Call) and called(value.func).startswith(function)
