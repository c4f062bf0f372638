"""How the tables came about, step by step. A step only adds: two versions of the program overlap in a deploy."""

from __future__ import annotations

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection


def upgrade(connection: Connection) -> None:
    """Brings the tables up to date in the connection's own transaction, all or nothing."""
    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", "storage:migrations")
    config.set_main_option("path_separator", "os")
    command.upgrade(config, "head")
