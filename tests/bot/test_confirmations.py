"""Questions before what cannot be undone, on every surface.

Each use case that ends or removes something says where it is defined whether it can be undone. One that cannot be is
called by a Confirmation alone, and a Confirmation is shown by a question alone.
"""

from __future__ import annotations

import ast
import re
from importlib import import_module
from typing import Final

import discord

from bot.features.registry import FEATURES
from bot.interactions.components import Confirmation
from play.match.choices import ASKED_FIRST
from tests.bot.use_case_calls import SERVICES, Use, modules, uses

ENDS: Final = re.compile(
    "(?:abort|adjudge|annul|ban|cancel|clear|decline|delete|drop|end|erase|expel|forget|leave|remove|resign|revoke"
    "|stop|take_.*_off|unplan|void|withdraw)(?:_|$)"
)
"""The names of use cases that end or remove something."""

PRESSED_TWICE: Final = frozenset({"web.own.boards", "web.studies.acts", "web.studies.deeds"})
"""Modules of pages whose buttons ask by their new label, and are pressed once more (`sure` in their scripts)."""

ASKING: Final = frozenset({"confirm", "Question"})


def is_confirmation(use: Use) -> bool:
    holder = use.holder and getattr(import_module(use.module), use.holder)
    return isinstance(holder, type) and issubclass(holder, Confirmation)


def confirmations() -> list[type[Confirmation]]:
    return [each for feature in FEATURES for each in feature.components if issubclass(each, Confirmation)]


def test_what_ends_or_removes_something_says_whether_it_can_be_undone() -> None:
    ending = [use for use in uses() if ENDS.match(use.name)]
    assert len({(use.service, use.name) for use in ending}) > 20
    assert [use.place for use in ending if not hasattr(use.use_case, "undone_by")] == []


def test_what_undoes_a_use_case_is_there() -> None:
    inverses = {
        (service, use_case.undone_by)
        for service, kind in SERVICES.items()
        for use_case in vars(kind).values()
        if getattr(use_case, "undone_by", None)
    }
    assert [each for each in inverses if not hasattr(SERVICES[each[0]], each[1])] == []


def test_what_cannot_be_undone_is_done_by_a_confirmation_alone() -> None:
    final = [use for use in uses() if getattr(use.use_case, "undone_by", "") is None]
    unasked = [use for use in final if not is_confirmation(use)]
    assert len(final) - len(unasked) > 10
    # The web board's page asks before each action of this list, as the server tells it (`asks`).
    asked = [use for use in unasked if use.module != "web.live.turns" or use.key not in ASKED_FIRST]
    assert [use.place for use in asked if use.module not in PRESSED_TWICE] == []


def test_a_confirmation_is_shown_by_a_question_alone() -> None:
    names = {each.__name__ for each in confirmations()}
    assert len(names) > 8
    seen = set()
    for module, tree in modules():
        for function in ast.walk(tree):
            if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            made = {
                node.value.id
                for node in ast.walk(function)
                if isinstance(node, ast.Attribute)
                and isinstance(node.value, ast.Name)
                and node.value.id in names
                and node.attr in ("make", "to", "at", "of")
            }
            called = {
                node.func.id
                for node in ast.walk(function)
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
            }
            assert not made or called & ASKING, f"{module}.{function.name} shows {made} without a question"
            seen |= made
    assert seen == names


def test_a_confirmation_looks_dangerous() -> None:
    assert {each.style for each in confirmations()} == {discord.ButtonStyle.danger}
