"""Copies everything from one database into another, empty one: from the file that a bot began with to a server."""

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import zip_longest
from typing import Any

from sqlalchemy import URL, Column, Row, Table, func, insert, select, text

from storage.engines import ENGINES, ReadEngine, WriteEngine, address, translates_errors
from storage.schema import metadata
from storage.statements import Connection

BATCH_ROWS = 1000


class NotEmpty(Exception):
    """The target database has rows already; nothing was written."""


class Mismatch(Exception):
    """A copied row differs from its original; nothing was written."""


async def transfer(
    source: str,
    target: str,
    report: Callable[[str, int], None] = lambda table, rows: None,
    *,
    batch_rows: int = BATCH_ROWS,
) -> None:
    """Copies every row, compares it with the target's, and commits.

    It holds no more than `batch_rows` in memory, and calls `report` with the name and the rows of each table that is
    done. Raises NotEmpty, Mismatch, CannotOpen, Unavailable, and InUse while a bot works on a file.
    """
    old, new = address(source), address(target)
    async with (
        _opened(old) as (_, source_reader, _),
        _opened(new) as (target_writer, _, _),
        source_reader.connect() as here,
        target_writer.begin() as there,
    ):
        for table in metadata.sorted_tables:
            if await _count(there, table):
                raise NotEmpty(f"{new.database} has rows in {table.name} already; give an empty database")
        for table in metadata.sorted_tables:
            async for rows in _batches(here, table, batch_rows):
                await there.execute(insert(table), [row._asdict() for row in rows])
            await _compare(here, there, table, batch_rows)
            await _continue_ids(here, there, table)
            report(table.name, await _count(there, table))


@asynccontextmanager
async def _opened(url: URL) -> AsyncIterator[tuple[WriteEngine, ReadEngine, WriteEngine]]:
    """Yields the engines of a database, its tables up to date."""
    engine = ENGINES[url.drivername]
    async with AsyncExitStack() as stack:
        with translates_errors(engine, url):
            engines = await stack.enter_async_context(engine.engines(url))
        yield engines


async def _count(connection: Connection, table: Table) -> int:
    counted: int = (await connection.execute(select(func.count()).select_from(table))).scalar_one()
    return counted


async def _batches(connection: Connection, table: Table, batch_rows: int) -> AsyncIterator[list[Row[Any]]]:
    """Yields the rows in the order of their keys, with no more than one batch in memory."""
    key: list[Column[Any]] = list(table.primary_key.columns)
    ordered = select(table).order_by(*key).limit(batch_rows)
    rows = (await connection.execute(ordered)).all()
    while rows:
        yield list(rows)
        last = tuple(getattr(rows[-1], column.name) for column in key)
        rows = (await connection.execute(ordered.where(_after(key, last)))).all()


def _after(key: list[Column[Any]], last: tuple[Any, ...]) -> Any:
    """Returns (a, b) > (x, y), spelled out: not every engine uses an index for the short form."""
    column, value = key[0], last[0]
    if len(key) == 1:
        return column > value
    return (column > value) | ((column == value) & _after(key[1:], last[1:]))


async def _compare(here: Connection, there: Connection, table: Table, batch_rows: int) -> None:
    copies = _batches(there, table, batch_rows)
    async for rows in _batches(here, table, batch_rows):
        for row, copy in zip_longest(rows, await anext(copies, [])):
            if row != copy:
                raise Mismatch(f"{table.name}: {row} came back as {copy}")
    async for rows in copies:
        raise Mismatch(f"{table.name}: {rows[0]} is not in the source")


async def _continue_ids(here: Connection, there: Connection, table: Table) -> None:
    """Continues the ids where they were, so that an old button never meets a new match."""
    column = table.autoincrement_column
    if column is None or there.dialect.name != "postgresql":
        return  # SQLite counts on from the highest id that it was given
    if here.dialect.name == "sqlite":
        asked = text("SELECT seq FROM sqlite_sequence WHERE name = :table")
    else:
        asked = text("SELECT last_value FROM pg_sequences WHERE sequencename = :table || '_id_seq'")
    last = (await here.execute(asked, {"table": table.name})).scalar_one_or_none()
    if last:  # a table that was rebuilt while it was empty has 0, which is no number of a sequence
        sequence = text("SELECT setval(pg_get_serial_sequence(:table, :column), :last)")
        name = there.dialect.identifier_preparer.quote(table.name)
        await there.execute(sequence, {"table": name, "column": column.name, "last": last})
