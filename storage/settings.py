"""Rows of settings, each with the number of its changes."""

from sqlalchemy import Table, update

from storage.conflicts import raises_on_conflict
from storage.errors import Stale
from storage.statements import Statements, Values


async def save_settings(sql: Statements, table: Table, key: dict[str, int], version: int, values: Values) -> None:
    """Stores settings as the version after `version`; the first change makes the row. Raises Stale."""
    if version == 0:
        with raises_on_conflict(Stale):
            await sql.add(table, {**key, **values, "version": 1})
        return
    ((name, number),) = key.items()
    unchanged = (table.c[name] == number, table.c.version == version)
    await sql.change(update(table).where(*unchanged).values(**values, version=version + 1))
