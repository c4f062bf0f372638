"""Judges the plans of a store's statements by SQLite's EXPLAIN QUERY PLAN."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable
from typing import Any

from storage import Database
from storage.sqlite_reader import SqliteReader
from storage.sqlite_writer import SqliteWriter

BOUNDED = {
    "heartbeat": "one row",
    "CONSTANT": "no table",
    "json_each": "a list among the values",
    "outbox": "boards that wait to be posted",
    "away_outbox": "boards that wait to be posted in second places",
    "notice": "notices that wait to be posted",
    "news": "news that wait to be posted",
    "ix_greeting_joined_unposted": "greetings that wait to be posted",
    "ix_game_challenge": "duels, one for two users on a ladder, until it is decided",
    "ix_challenge_id_outdated": "cards that wait to be written anew",
    "ix_podium_guild_behind": "servers whose roles wait to be given",
    "ix_side_match_open": "sides of open vote games",
    "uq_match_away_open": "matches in two places that go on",
    "ix_seek_speed_since": "searches for a stranger that go on",
    "uq_seek_user_speed": "the same",
    "uq_seek_user_speed_private": "the same",
    "ix_prediction_unsettled": "predictions of the finals that go on",
    "contest_listing": "servers that want to be seen in the table of a season",
    "restriction": "servers and users whom the operator has blocked, and the pause",
    "operator_act": "acts of the operator, typed by hand; the newest hundred are read",
    "announcement": "the same; the newest one is read",
    "identity": "ids of a platform, when a room of it is replaced",
    "learner": "people who have opened their mistakes, every ten minutes",
}
"""Tables and partial indexes that may be read as a whole, since they do not grow with the matches played."""

_SCAN = re.compile(r"SCAN (?P<table>\S+)(?: USING (?:COVERING )?INDEX (?P<index>\S+))?")


def scans(steps: Iterable[str]) -> list[str]:
    """Returns the steps of a plan that take longer with every match played."""
    return [
        step for step in steps if "AUTOMATIC" in step or ((read := _SCAN.match(step)) and _grows(**read.groupdict()))
    ]


def _grows(table: str, index: str | None) -> bool:
    """Returns whether a table grows. A subquery, which SQLAlchemy calls anon, has steps of its own in the plan."""
    return not (table.startswith("anon_") or table in BOUNDED or index in BOUNDED)


class Judge:
    """Notes in `found` the statements that a store sends to SQLite and that have scans in their plans."""

    seen: set[str] = set()  # noqa: RUF012 - of all tests: a statement's plan is always the same

    def __init__(self) -> None:
        self.found: list[tuple[str, list[str]]] = []

    def watch(self, store: Database) -> None:
        for engine in (store._writer, store._reader):
            if isinstance(engine, SqliteWriter | SqliteReader):
                engine.watchers.append(self._judge)

    def _judge(self, connection: sqlite3.Connection, statement: str, values: Any) -> None:
        """Judges a statement. Insertions are exempt: the steps for their foreign keys run only after a violation."""
        if statement in self.seen or not statement.startswith(("SELECT", "UPDATE", "DELETE")):
            return
        self.seen.add(statement)
        plan = connection.execute(f"EXPLAIN QUERY PLAN {statement}", values)
        if found := scans(detail for *_, detail in plan):
            self.found.append((statement, found))
