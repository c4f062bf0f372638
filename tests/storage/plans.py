"""How SQLite finds the rows of what a store asks and writes: it says so beforehand (EXPLAIN QUERY PLAN)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection, event

from storage import Database
from storage.sqlite_reader import DirectEngine

BOUNDED = {
    "heartbeat": "one row",
    "outbox": "boards that were not posted yet",
    "notice": "what a person was not told yet",
    "news": "what a channel was not told yet",
    "duel": "one for two people on a ladder, until it is decided",
    "ix_challenge_id_outdated": "cards that were not written anew yet",
    "ix_podium_guild_behind": "podiums whose roles were not given yet",
    "ix_tournament_id_behind": "standings that were not written anew yet",
    "ix_bout_undecided": "pairs of the present rounds",
}
"""Tables and partial indexes that may be read from one end to the other: none grows with what has been played."""

_SCAN = re.compile(r"SCAN (?P<table>\S+)(?: USING (?:COVERING )?INDEX (?P<index>\S+))?")


def scans(steps: Iterable[str]) -> list[str]:
    """Those of a plan's steps that take the longer, the longer the bot has been at work."""
    return [
        step for step in steps if "AUTOMATIC" in step or ((read := _SCAN.match(step)) and _grows(**read.groupdict()))
    ]


def _grows(table: str, index: str | None) -> bool:
    """anon is what SQLAlchemy calls a subquery: a page, whose own steps stand in the plan as well."""
    return not (table.startswith("anon_") or table in BOUNDED or index in BOUNDED)


class Judge:
    """Notes in `found` what a store sends to SQLite that has scans in its plan."""

    seen: set[str] = set()  # noqa: RUF012 - of all tests: a statement's plan is always the same

    def __init__(self) -> None:
        self.found: list[tuple[str, list[str]]] = []

    def watch(self, store: Database) -> None:
        if isinstance(store._reader, DirectEngine):
            for engine in (store._writer.sync_engine, store._reader.sync_engine):
                event.listen(engine, "before_cursor_execute", self._judge)

    def _judge(self, connection: Connection, _: Any, statement: str, values: Any, __: Any, many: bool) -> None:
        """An insertion looks for nothing: what is planned for its foreign keys is done only if one was violated."""
        if statement in self.seen or not statement.startswith(("SELECT", "UPDATE", "DELETE")):
            return
        self.seen.add(statement)
        plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values[0] if many else values)
        if found := scans(row.detail for row in plan):
            self.found.append((statement, found))
