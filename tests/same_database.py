"""A database by the connections of another, for tests that get between the program and what it reads and writes."""

from __future__ import annotations

from storage import Database


class SameDatabase(Database):
    """The database that another one is. A test overrides how it reads or writes."""

    def __init__(self, other: Database) -> None:
        vars(self).update(vars(other))
