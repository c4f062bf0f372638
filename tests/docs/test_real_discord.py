"""The page about the real Discord: each difference has a row, and each test that a row names exists."""

from __future__ import annotations

import re

from tests.docs.pages import ROOT, read_page

ROWS = re.findall(r"^\| ([AK]\d+) \|.*\| ([^|]+) \|$", read_page("docs/real-discord.md"), re.MULTILINE)
NAMED = re.compile(r"`(tests/[\w/]+\.py)`: ((?:`test_\w+`(?:, )?)+)")


def test_each_difference_has_a_row_with_tests() -> None:
    assert {row for row, _ in ROWS} == {f"A{number}" for number in range(1, 16)} | {f"K{n}" for n in range(1, 14)}
    assert not [row for row, tests in ROWS if not NAMED.search(tests)]


def test_each_test_that_is_named_exists() -> None:
    named = [
        (file, test)
        for _, tests in ROWS
        for file, names in NAMED.findall(tests)
        for test in re.findall(r"test_\w+", names)
    ]
    assert len(named) > 50
    assert not [(file, test) for file, test in named if f"def {test}(" not in (ROOT / file).read_text(encoding="utf-8")]
