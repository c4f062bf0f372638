"""The steps from the tables of earlier versions to those of storage/schema/.

From the first release on a step only adds: two versions of the program overlap in a deploy.
"""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect
from sqlalchemy.schema import CreateIndex, CreateTable

from storage.errors import Broken
from storage.schema import metadata


def is_foreign(connection: Connection) -> bool:
    """Returns whether a database has tables, but none of Kropka."""
    names = inspect(connection).get_table_names()
    return bool(names) and "alembic_version" not in names


def are_all(done: Sequence[str]) -> bool:
    """Returns whether these steps, which no other follows, are the last ones."""
    return tuple(done) == _read_steps().last


def upgrade(connection: Connection) -> None:
    """Brings the tables up to date in the connection's own transaction, all or nothing. A new database gets them at
    once.

    Raises Broken if they are newer than the program, or too old for it.
    """
    context = MigrationContext.configure(connection)
    done = context.get_current_heads()
    require_known(done)
    if not done:
        _create_tables(connection)
        context.stamp(ScriptDirectory.from_config(_config()), "head")
    elif not are_all(done):
        command.upgrade(_config(connection=connection), "head")


def _create_tables(connection: Connection) -> None:
    """Creates all tables and their indexes, always in the same order: SQLite chooses among equal indexes by it."""
    for table in metadata.sorted_tables:
        connection.execute(CreateTable(table))
        for index in sorted(table.indexes, key=lambda index: str(index.name)):
            connection.execute(CreateIndex(index))


def require_known(done: Sequence[str]) -> None:
    """Raises Broken if one of these steps is none of this program's: the tables are newer, or from before the first
    step."""
    steps = _read_steps()
    for step in done:
        if step in steps.known:
            continue
        if step < min(steps.known):
            raise Broken(
                f"The database is from before the first release of Kropka (step {step} of its tables), and this version"
                " can't bring it up to date. Run `kropka migrate` of commit c3713417 first, or begin with a new one."
            )
        raise Broken(
            f"The database is newer than this Kropka, which does not know step {step} of its tables."
            " Install the newer version again, or restore a copy from before the update."
        )


class _Steps(NamedTuple):
    """The names of all steps that are `known`, and of the `last` ones, which no other follows."""

    known: frozenset[str]
    last: tuple[str, ...]


@cache
def _read_steps() -> _Steps:
    """Reads the folder of steps. They are files, which are compiled each time that Alembic reads them."""
    script = ScriptDirectory.from_config(_config())
    return _Steps(frozenset(step.revision for step in script.walk_revisions()), tuple(script.get_heads()))


def _config(**attributes: object) -> Config:
    config = Config(attributes=attributes)
    config.set_main_option("script_location", "storage:migrations")
    config.set_main_option("path_separator", "os")
    return config
