"""How the tables came about, step by step. A step only adds: two versions of the program overlap in a deploy."""

from __future__ import annotations

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect

from play.store import Broken


def is_foreign(connection: Connection) -> bool:
    """Returns whether a database has tables, but none of Kropka."""
    names = inspect(connection).get_table_names()
    return bool(names) and "alembic_version" not in names


def upgrade(connection: Connection) -> None:
    """Brings the tables up to date in the connection's own transaction, all or nothing.

    Raises Broken if they are newer than the program.
    """
    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", "storage:migrations")
    config.set_main_option("path_separator", "os")
    known = {step.revision for step in ScriptDirectory.from_config(config).walk_revisions()}
    for step in MigrationContext.configure(connection).get_current_heads():
        if step not in known:
            raise Broken(
                f"The database is newer than this Kropka, which does not know step {step} of its tables."
                " Install the newer version again, or restore a copy from before the update."
            )
    command.upgrade(config, "head")
