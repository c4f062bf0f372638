"""The facts of Discord's API are complete and up to date."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from loopback.client import LOCALES
from tests.api_facts import api_facts, as_text
from tests.facts import API, DESCRIPTIONS


@pytest.mark.parametrize("path", DESCRIPTIONS, ids=lambda path: path.stem)
def test_the_facts_are_what_the_command_makes_of_a_description(path: Path) -> None:
    """Makes of the facts themselves the same again: they have each route of the stand-in, and nothing else."""
    made, kept = as_text(api_facts(json.loads(path.read_text(encoding="utf-8")))), API.read_text(encoding="utf-8")
    changed = {line.partition(":")[0] for line in {*made.splitlines()} ^ {*kept.splitlines()}}
    assert not changed, f"other than `python -m tests.api_facts {path}` makes them"


def test_the_languages_of_clients_are_those_of_the_facts() -> None:
    known = json.loads(API.read_text(encoding="utf-8"))["components"]["schemas"]["AvailableLocalesEnum"]["oneOf"]
    assert set(LOCALES) == {each["const"] for each in known}


def test_a_field_with_the_name_of_an_unchecked_word_is_kept() -> None:
    embed = json.loads(API.read_text(encoding="utf-8"))["components"]["schemas"]["RichEmbed"]
    assert embed["properties"]["description"]["maxLength"] == 4096
    assert "description" not in embed
