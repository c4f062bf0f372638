"""Conditional moves in SQL."""

from collections.abc import Collection

from sqlalchemy import bindparam, delete, select

from play.ids import MatchId
from play.match.conditional_moves import ConditionalLine, ConditionalReply
from rules.game import Seat
from storage import schema
from storage.statements import AnyRow, Repository

_plan = schema.plan.c
_TAKE_PLANS = delete(schema.plan).where(_plan.match == bindparam("match")).returning(*_plan)


class PlanReader(Repository):
    """Plans, as reads see them."""

    __slots__ = ()

    async def get(self, match: MatchId, seat: Seat) -> ConditionalLine | None:
        """Returns the plan of a player."""
        row = await self._sql.first(select(schema.plan).where(_plan.match == match, _plan.seat == seat))
        return None if row is None else _read(row)


class PlanRepository(PlanReader):
    """Plans, as a transaction writes them."""

    __slots__ = ()

    async def save(self, plan: ConditionalLine) -> None:
        """Stores a player's plan in place of the one before."""
        await self.delete(plan.match, plan.seat)
        line = [list(answer) for answer in plan.replies]
        await self._sql.add(schema.plan, {"match": plan.match, "seat": plan.seat, "line": line})

    async def delete(self, match: MatchId, seat: Seat) -> None:
        """Deletes a player's plan, if there is one."""
        await self._sql.execute(delete(schema.plan).where(_plan.match == match, _plan.seat == seat))

    async def take_all(self, match: MatchId) -> list[ConditionalLine]:
        """Deletes the plans of a match, and returns them."""
        return [_read(row) for row in await self._sql.all(_TAKE_PLANS, match=match)]

    async def take_of(self, matches: Collection[MatchId]) -> list[ConditionalLine]:
        """Deletes the plans of several matches, and returns them."""
        taken = delete(schema.plan).where(_plan.match.in_(matches)).returning(*_plan)
        return [_read(row) for row in await self._sql.all(taken)] if matches else []


def _read(row: AnyRow) -> ConditionalLine:
    return ConditionalLine(row.match, row.seat, tuple(ConditionalReply(*answer) for answer in row.line))
