"""Every reason of a refusal is listed once: the list, the code and the catalogues of all languages are equal."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from copy import copy
from pathlib import Path

import pytest

from play.challenge.challenge import ChallengeState
from play.competitions.contest import OPEN
from play.competitions.tournament import Stage
from play.refusal import Reason, Refused
from rules.dash.turn import Phase
from rules.game import IllegalMove
from tests.python_texts import PROGRAM, parsed, python_files

ROOT = Path(__file__).parents[2]
CATALOGUES = sorted((ROOT / "presentation/words/locale").glob("*/LC_MESSAGES/kropka.po"))
RULE_ERRORS = {"IllegalMove", "BadNotation", "BadOption"}

COMPUTED = {
    *(f"challenge_{state}" for state in set(ChallengeState) - {ChallengeState.OPEN}),
    *(f"tournament_is_{stage.name.lower()}" for stage in (Stage.SIGN_UP, Stage.RUNNING)),
    *(f"team_is_{stage.name.lower()}" for stage in OPEN),
    *(f"{phase}_due" for phase in Phase),
    *(f"bad_{option}" for option in ("crosses", "closing", "chain", "links", "reuse", "scoring", "ending")),
}
"""Reasons that the code puts together."""


def used() -> Iterator[str]:
    """The reasons that the code names."""
    for path in python_files(*PROGRAM):
        if path != ROOT / "play/refusal.py":
            for node in ast.walk(parsed(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "Reason":
                    yield Reason[node.attr]
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in RULE_ERRORS:
                    yield from (
                        each.value
                        for each in _alternatives(node.args[0])
                        if isinstance(each, ast.Constant) and isinstance(each.value, str)
                    )


def _alternatives(node: ast.expr) -> list[ast.expr]:
    return [node.body, node.orelse] if isinstance(node, ast.IfExp) else [node]


def test_the_list_and_the_code_are_equal() -> None:
    assert {*used(), *COMPUTED} == set(Reason)


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.parts[-3])
def test_the_list_and_a_catalogue_are_equal(path: Path) -> None:
    keys = re.findall(r'^msgid "refused\.(\w+)"', path.read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(keys) == sorted(Reason)


def test_every_reason_has_its_value_as_its_name_and_a_comment() -> None:
    lines = (ROOT / "play/refusal.py").read_text(encoding="utf-8").splitlines()
    listed = [line for line in lines if re.match(r"    [A-Z_]+ = ", line)]
    assert len(listed) == len(Reason)
    for line in listed:
        assert re.fullmatch(r'    ([A-Z_]+) = "(\w+)"  # [A-Z`].*\.', line), line
    assert all(reason.name == reason.value.upper() for reason in Reason)


def test_a_refusal_by_the_rules_has_their_reason() -> None:
    refused = Refused.by_rules(IllegalMove("occupied", point="K12"))
    assert (refused.key, refused.details) == (Reason.OCCUPIED, {"point": "K12"})


def test_a_refusal_comes_from_another_process_whole() -> None:
    refused = copy(Refused(Reason.BAD_DIAGRAM, line=3))  # by what pickle uses
    assert (refused.key, refused.details) == (Reason.BAD_DIAGRAM, {"line": 3})
