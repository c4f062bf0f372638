"""The settings of people and servers as rows, each with the number of its changes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import Table, bindparam, insert, select, update
from sqlalchemy.exc import IntegrityError

from play.ids import GuildId, UserId
from play.people.person import Person, Reminders, parse_night
from play.people.server import Server
from play.store import Stale
from storage import schema
from storage.statements import Connection
from storage.terms import of_terms, terms

_PERSON = select(schema.person).where(schema.person.c.user == bindparam("user"))
_SERVER = select(schema.server).where(schema.server.c.guild == bindparam("guild"))


async def person(connection: Connection, user: UserId) -> Person:
    found = await connection.execute(_PERSON, {"user": user})
    row = found.one_or_none()
    if row is None:
        return Person(user)
    return Person(
        user,
        row.language,
        row.theme,
        row.confirm_live,
        row.confirm_days,
        Reminders(row.reminders),
        row.night and parse_night(row.night),
        row.zone and ZoneInfo(row.zone),
        row.terms and terms(row.terms),
        row.version,
    )


async def save_person(connection: Connection, person: Person) -> Person:
    values = {
        "language": person.language,
        "theme": person.theme,
        "confirm_live": person.confirm_live,
        "confirm_days": person.confirm_days,
        "reminders": person.reminders.value,
        "night": person.night and str(person.night),
        "zone": person.zone and person.zone.key,
        "terms": of_terms(person.terms),
    }
    await _save(connection, schema.person, {"user": person.id}, person.version, values)
    return replace(person, version=person.version + 1)


async def server(connection: Connection, guild: GuildId) -> Server:
    found = await connection.execute(_SERVER, {"guild": guild})
    row = found.one_or_none()
    if row is None:
        return Server(guild)
    return Server(
        guild,
        row.terms and terms(row.terms),
        frozenset(row.channels),
        frozenset(row.roles),
        row.threads,
        row.language,
        row.theme,
        row.rated,
        row.dot_dash,
        row.version,
    )


async def save_server(connection: Connection, server: Server) -> Server:
    values = {
        "terms": of_terms(server.terms),
        "channels": sorted(server.channels),
        "roles": sorted(server.roles),
        "threads": server.threads,
        "language": server.language,
        "theme": server.theme,
        "rated": server.rated,
        "dot_dash": server.dot_dash,
    }
    await _save(connection, schema.server, {"guild": server.id}, server.version, values)
    return replace(server, version=server.version + 1)


async def _save(
    connection: Connection, table: Table, key: dict[str, int], version: int, values: dict[str, Any]
) -> None:
    """The first change makes the row. Raises Stale."""
    if version == 0:
        try:
            await connection.execute(insert(table).values(**key, **values, version=1))
        except IntegrityError as error:
            raise Stale from error
        return
    ((name, number),) = key.items()
    unchanged = (table.c[name] == number, table.c.version == version)
    changed = update(table).where(*unchanged).values(**values, version=version + 1)
    if (await connection.execute(changed)).rowcount == 0:
        raise Stale
