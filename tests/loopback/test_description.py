"""The page about the stand-in names what it has."""

import re
from pathlib import Path

import pytest

from loopback import errors
from loopback.rest.router import TABLES

PAGE = (Path(__file__).parents[2] / "docs" / "stand-in.md").read_text(encoding="utf-8")
PLAIN = {10003, 10004, 10007, 10008, 10011, 10013, 10063, 40005, 50001, 50005, 50006, 50028}
"""The codes of wrong ids, of missing permissions and of bodies that no correct bot sends, which need no line."""


def test_each_route_is_on_the_page_and_no_other() -> None:
    routes = {endpoint for table in TABLES for endpoint in table}
    assert set(re.findall(r"`([A-Z]+ /[^`]*)`", PAGE)) == routes


@pytest.mark.parametrize("code", sorted(errors.REFUSALS.keys() - PLAIN))
def test_each_refusal_is_on_the_page(code: int) -> None:
    assert str(code) in PAGE
