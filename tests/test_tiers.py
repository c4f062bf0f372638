"""The sample of a matrix that `make test` runs."""

from __future__ import annotations

from collections import Counter

import pytest

from tests import tiers

pytest_plugins = ["pytester"]

MATRIX = """
import pytest

@pytest.mark.sample(3)
@pytest.mark.parametrize("language", ["cs", "de", "en"])
@pytest.mark.parametrize("row", range(6))
def test_each(row, language): ...

def test_alone(): ...
"""

BOTS = """
import pytest

@pytest.fixture
def room(): ...

@pytest.mark.parametrize("number", range(6))
def test_with_a_bot(room, number): ...

@pytest.mark.smoke
def test_that_has_to_run(room): ...

def test_without_one(): ...
"""

SETTINGS = """
[pytest]
addopts = -p no:asyncio -p no:faulthandler
markers =
    contest
    sample(n)
    smoke
"""


@pytest.fixture
def matrix(pytester: pytest.Pytester) -> pytest.Pytester:
    pytester.makeini(SETTINGS)
    pytester.makeconftest("from tests.tiers import *")
    pytester.makepyfile(MATRIX)
    return pytester


def test_a_sample_has_each_row_once_and_each_language_as_often(matrix: pytest.Pytester) -> None:
    lines = matrix.runpytest_inprocess("--quick", "-v").stdout.lines
    ran = [line.split("[")[1].split("]")[0].split("-") for line in lines if "test_each[" in line]
    assert [row for row, _ in ran] == list("012345")
    assert Counter(language for _, language in ran) == {"cs": 2, "de": 2, "en": 2}


def test_a_sample_has_a_case_of_a_test_that_has_fewer(matrix: pytest.Pytester) -> None:
    matrix.runpytest_inprocess("--quick", "-k", "0-cs or 0-de or 5-en").assert_outcomes(passed=1, deselected=18)


def test_the_cases_beyond_the_sample_are_counted_in_the_last_lines(matrix: pytest.Pytester) -> None:
    matrix.runpytest_inprocess("--quick").stdout.fnmatch_lines(["left out by tier: 12 contest;*"])


def test_without_quick_every_case_runs(matrix: pytest.Pytester) -> None:
    matrix.runpytest_inprocess().assert_outcomes(passed=19)


def test_of_the_bots_of_a_file_its_share_starts(matrix: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiers, "BOTS", {matrix.path: 3})
    matrix.makepyfile(test_bots=BOTS)
    matrix.runpytest_inprocess("--quick", "test_bots.py").assert_outcomes(passed=4, deselected=4)


def test_a_part_has_its_share_of_the_cases_beyond_the_sample(matrix: pytest.Pytester) -> None:
    matrix.runpytest_inprocess("--part", "1/4").assert_outcomes(passed=3, deselected=16)
