"""PRIVACY.md names everything that is stored."""

from __future__ import annotations

import re
from pathlib import Path

from storage import schema
from storage.privacy import USER_COLUMNS

TABLES = Path(__file__).parents[2].joinpath("PRIVACY.md").read_text(encoding="utf-8").partition("**The tables.**")[2]
OF_USERS = {table.name for table in USER_COLUMNS} | {"plan"}
OF_SERVERS = {table.name for table in schema.metadata.tables.values() if "guild" in table.c}


def named(group: str) -> set[str]:
    """Returns the tables that the page lists in a group."""
    lines = next(each for each in TABLES.split("\n- ") if each.startswith(group))
    return set(re.findall(r"`(\w+)`", lines))


def test_every_table_that_is_stored_is_named() -> None:
    assert set(schema.metadata.tables) <= named("Of you") | named("Of servers") | named("Of the bot")


def test_every_table_with_players_is_named_as_one_of_them() -> None:
    assert named("Of you") == OF_USERS


def test_every_table_with_servers_is_named_as_one_of_them() -> None:
    assert named("Of servers") >= OF_SERVERS


def test_nothing_of_players_or_servers_is_called_the_bots_own() -> None:
    assert not named("Of the bot") & (OF_USERS | OF_SERVERS)
