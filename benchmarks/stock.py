"""Fills a database with matches, copied from two real ones by SQL, so that a million take a minute."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from sqlalchemy import Table, text
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from play.challenge.challenge import Challenge, ChallengeState
from play.challenge.terms import Terms
from play.ids import ChallengeId, MatchId
from play.match.match import Match
from storage import Database, address
from storage.schema import challenge, event, joiner, match, rating, seat, standing
from tests.matches import a_match, add_match, play_turn, resign, save_match

MATCHES_PER_PLAYER, MATCHES_PER_SERVER = 10, 50

MATCHES_PER_OPEN_ONE = 10
"""One match in ten is open."""

FIRST_ID = 1000
"""The ids of copied rows begin above it."""

KEYS = {match: "id", challenge: "match", joiner: "challenge", seat: "match", event: "match"}
"""The column with the match of a row; a challenge has the id of its match."""


async def fill(url: str, matches: int, *, all_open: bool = False, moves: int = 6) -> None:
    """Fills an empty database; the ids of players and servers begin at 1."""
    async with Database.open(url) as store:
        going = await _play(store, a_match(1), moves)
        over = await save_match(store, resign(await _play(store, a_match(2), moves)))
        for each in (going, over):
            await _add_challenge(store, each)
    open_share = "1 = 1" if all_open else f"n.i % {MATCHES_PER_OPEN_ONE} = 0"
    players, servers = max(2, matches // MATCHES_PER_PLAYER), max(1, matches // MATCHES_PER_SERVER)
    engine = create_async_engine(address(url))
    async with engine.begin() as connection:
        numbers = _up_to(matches)
        for template, where in ((going, open_share), (over, f"NOT ({open_share})")):
            copy = f"{FIRST_ID} + n.i"
            ended = {} if template is going else {"ended": "t.ended + n.i"}
            await _copy(connection, numbers, match, template.id, where, {
                "id": copy, "channel": copy, "parent": f"{copy} + 500", "guild": f"1 + n.i % {servers}",
                "deadline": "t.deadline + n.i * 1000", **ended,
            })  # fmt: skip
            users = [f"1 + (n.i * {(1, 7919)[number]} + {number}) % {players}" for number in (0, 1)]
            for number, user in enumerate(users):
                own = f"{where} AND t.seat = {number}"
                await _copy(connection, numbers, seat, template.id, own, {"match": copy, "user": user, **ended})
            await _copy(connection, numbers, challenge, template.id, where, {
                "id": copy, "match": copy, "challenger": users[0], "opponent": users[1],
            })  # fmt: skip
            await _copy(connection, numbers, joiner, template.id, where, {"challenge": copy, "user": users[1]})
            await _copy(connection, numbers, event, template.id, where, {
                "match": copy, "source": f"({copy}) * 1000 + t.seq",
            })  # fmt: skip
        await _add_ratings(connection, players, servers)
        await _move_sequences(connection, FIRST_ID + matches)
    if engine.dialect.name == "postgresql":
        async with engine.connect() as connection:  # PostgreSQL does so itself within a minute, SQLite never
            await (await connection.execution_options(isolation_level="AUTOCOMMIT")).execute(text("VACUUM ANALYZE"))
    await engine.dispose()


async def _play(store: Database, match: Match, moves: int) -> Match:
    match = await add_match(store, match)
    for _ in range(moves):
        match = await save_match(store, play_turn(match))
    async with store.write() as tx:
        while (waiting := await tx.outbox.next_entry(match.id)) is not None:
            await tx.outbox.mark_posted(waiting, None)
    return match


async def _add_challenge(store: Database, begun: Match) -> None:
    """Stores the challenge that became a match, with the match's id."""
    one, other = begun.players
    terms = Terms(begun.game, begun.clock.control)
    offer = Challenge(ChallengeId(0), begun.guild, begun.channel, one, other, terms, made=begun.started)
    offer = replace(offer, state=ChallengeState.ACCEPTED, joined=(other,), match=begun.id)
    async with store.write() as tx:
        stored = await tx.challenges.add(offer)
    assert int(stored.id) == begun.id


async def _copy(
    connection: AsyncConnection, numbers: str, table: Table, template: MatchId, where: str, changes: Mapping[str, str]
) -> None:
    """Copies each row of the template once a number, with other values in some columns.

    A second seat of the same player in a match is left out.
    """
    names = [column.name for column in table.columns]
    values = ", ".join(changes.get(name, f't."{name}"') for name in names)
    again = " ON CONFLICT DO NOTHING" if table is seat else ""
    await connection.execute(
        text(
            f'INSERT INTO "{table.name}" ({_quoted(names)}) {numbers} SELECT {values} FROM n, "{table.name}" t'  # noqa: S608
            f' WHERE t."{KEYS[table]}" = {template} AND {where}{again}'
        )
    )


async def _add_ratings(connection: AsyncConnection, players: int, servers: int) -> None:
    """Adds a rating for every player, and their places on the leaderboards of all servers and of one."""
    numbers = _up_to(players)
    value = "1500 + (n.i * 7919) % 1000"
    rated = {"user": "n.i", "pool": "'dots-live'", "value": value, "deviation": "80", "volatility": "0.06"}
    rated |= {"at": "1750000000000", "games": "20"}
    await _insert(connection, numbers, rating, rated)
    for guild in ("0", f"1 + n.i % {servers}"):
        standing_ = {"guild": guild, "pool": "'dots-live'", "user": "n.i", "value": value, "listed": "1 = 1"}
        await _insert(connection, numbers, standing, standing_)


async def _insert(connection: AsyncConnection, numbers: str, table: Table, values: Mapping[str, str]) -> None:
    statement = (
        f'INSERT INTO "{table.name}" ({_quoted(list(values))}) {numbers} SELECT {", ".join(values.values())} FROM n'  # noqa: S608
    )
    await connection.execute(text(statement))


async def _move_sequences(connection: AsyncConnection, last: int) -> None:
    if connection.dialect.name == "postgresql":
        counted = text("SELECT setval(pg_get_serial_sequence(:table, 'id'), :last)")
        for table in (match, challenge):
            await connection.execute(counted, {"table": table.name, "last": last})


def _up_to(number: int) -> str:
    return f"WITH RECURSIVE n(i) AS (SELECT CAST(1 AS bigint) UNION ALL SELECT i + 1 FROM n WHERE i < {number})"  # noqa: S608


def _quoted(names: Sequence[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)
