"""Puzzles in SQL, and the answers to them."""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy import Integer, cast, func, insert, select, update

from play.community.puzzle import Attempt, Puzzle, PuzzleId, Solver
from play.ids import ChannelId, GuildId, MatchId, MessageId
from play.store import Stale
from storage import schema
from storage.conflicts import raises_on_conflict
from storage.statements import AnyRow, SqlRepository

_match = schema.match.c
_puzzle = schema.puzzle.c
_attempt = schema.attempt.c


class SqlPuzzleReader(SqlRepository):
    """A `play.store.puzzles.PuzzleReader`."""

    __slots__ = ()

    async def get(self, puzzle: PuzzleId) -> Puzzle | None:
        row = await self._sql.first(select(schema.puzzle).where(_puzzle.id == puzzle))
        return None if row is None else _read(row)

    async def of_day(self, guild: GuildId, day: str) -> Puzzle | None:
        row = await self._sql.first(select(schema.puzzle).where(_puzzle.guild == guild, _puzzle.day == day))
        return None if row is None else _read(row)

    async def unused_matches(self, guild: GuildId, limit: int) -> list[MatchId]:
        used = select(_puzzle.match).where(_puzzle.match == _match.id).exists()
        found = select(_match.id).where(_match.guild == guild, _match.ended.is_not(None), ~used)
        newest = found.order_by(_match.ended.desc(), _match.id.desc()).limit(limit)
        return [row.id for row in await self._sql.all(newest)]

    async def attempts(self, puzzle: PuzzleId) -> list[Attempt]:
        found = select(schema.attempt).where(_attempt.puzzle == puzzle).order_by(_attempt.at, _attempt.user)
        return [Attempt(row.puzzle, row.user, row.answer, row.right, row.at) for row in await self._sql.all(found)]

    async def solvers(self, guild: GuildId, limit: int) -> list[Solver]:
        solved, tried = func.sum(cast(_attempt.right, Integer)), func.count()
        found = (
            select(_attempt.user, solved.label("solved"), tried.label("tried"))
            .join_from(schema.attempt, schema.puzzle, _puzzle.id == _attempt.puzzle)
            .where(_puzzle.guild == guild)
            .group_by(_attempt.user)
            .having(solved > 0)
            .order_by(solved.desc(), tried, _attempt.user)
            .limit(limit)
        )
        return [Solver(row.user, row.solved, row.tried) for row in await self._sql.all(found)]


class SqlPuzzleRepository(SqlPuzzleReader):
    """A `play.store.puzzles.PuzzleRepository`."""

    __slots__ = ()

    async def add(self, puzzle: Puzzle) -> Puzzle:
        values = {
            "guild": puzzle.guild,
            "day": puzzle.day,
            "match": puzzle.match,
            "number": puzzle.number,
            "answers": list(puzzle.answers),
            "solution": list(puzzle.solution),
            "captures": puzzle.captures,
        }
        with raises_on_conflict(Stale):
            added = await self._sql.value(insert(schema.puzzle).values(values).returning(_puzzle.id))
        return replace(puzzle, id=added)

    async def mark_posted(self, puzzle: PuzzleId, channel: ChannelId, message: MessageId) -> None:
        await self._sql.change(
            update(schema.puzzle).where(_puzzle.id == puzzle).values(channel=channel, message=message)
        )

    async def add_attempt(self, attempt: Attempt) -> None:
        with raises_on_conflict(Stale):
            await self._sql.execute(insert(schema.attempt).values(attempt._asdict()))


def _read(row: AnyRow) -> Puzzle:
    return Puzzle(
        row.id,
        row.guild,
        row.day,
        row.match,
        row.number,
        tuple(row.answers),
        tuple(row.solution),
        row.captures,
        row.channel,
        row.message,
    )
