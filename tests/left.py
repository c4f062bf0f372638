"""The chat and the database that commit c3713417 has left (tests/data/c3713417), also as a database of PostgreSQL."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, MetaData, create_engine, insert, select, text
from sqlalchemy.ext.asyncio import create_async_engine

from tests.bot.reopened import DATABASE, read_sql

LEFT: Final = Path(__file__).parent / "data" / "c3713417"


def restore_file(folder: Path) -> str:
    """Makes the database as a file, and returns its address."""
    file = folder / f"{DATABASE}.db"
    read_sql(LEFT / f"{DATABASE}.sql.gz", file)
    return f"sqlite+aiosqlite:///{file}"


async def restore_server(url: str, folder: Path) -> None:
    """Makes the same database on a server, where none is: the tables as that commit made them, with the same rows."""
    file = create_engine(restore_file(folder).replace("+aiosqlite", ""))
    engine = create_async_engine(url)
    async with engine.begin() as connection:
        for statement in gzip.decompress((LEFT / "postgres.sql.gz").read_bytes()).decode().split(";\n"):
            if statement:
                await connection.execute(text(statement))
        with file.connect() as source:
            await connection.run_sync(_copy, source)
    await engine.dispose()
    file.dispose()


def _copy(target: Connection, source: Connection) -> None:
    here, there = MetaData(), MetaData()
    here.reflect(source)
    there.reflect(target)
    for table in there.sorted_tables:
        rows = [row._asdict() for row in source.execute(select(here.tables[table.name]))]
        if rows and table.name != "alembic_version":
            target.execute(insert(table), rows)
