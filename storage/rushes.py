"""Rushes in SQL."""

from sqlalchemy import bindparam, delete, select

from play.community.rush import BestRush, Rush
from play.ids import GuildId, UserId
from storage import schema
from storage.conflicts import raises_on_conflict
from storage.errors import Stale
from storage.statements import Repository

_rush = schema.rush.c
_best = schema.best_rush.c
_RUSH = select(schema.rush).where(_rush.user == bindparam("user"))


class RushReader(Repository):
    """Rushes, as reads see them."""

    __slots__ = ()

    async def of_user(self, user: UserId) -> Rush | None:
        """Returns the last rush that a user has begun."""
        row = await self._sql.first(_RUSH, user=user)
        if row is None:
            return None
        tasks, answers, right = tuple(row.tasks), tuple(row.answers), tuple(row.right)
        return Rush(row.user, row.guild, row.begun, tasks, row.before, answers, right)

    async def best(self, guild: GuildId, week: str, limit: int) -> list[BestRush]:
        """Returns the best rushes of a week on a server, one of each member."""
        found = select(_best.user, _best.solved).where(_best.guild == guild, _best.week == week)
        rows = await self._sql.all(found.order_by(_best.solved.desc(), _best.user).limit(limit))
        return [BestRush(row.user, row.solved) for row in rows]


class RushRepository(RushReader):
    """Rushes, as a transaction writes them."""

    __slots__ = ()

    async def save(self, rush: Rush) -> None:
        """Stores a rush in the place of its user's former one."""
        values = {"guild": rush.guild, "begun": rush.begun, "tasks": list(rush.tasks), "before": rush.before}
        given = {"answers": list(rush.answers), "right": list(rush.right)}
        await self._sql.execute(delete(schema.rush).where(_rush.user == rush.user))
        with raises_on_conflict(Stale):
            await self._sql.add(schema.rush, {"user": rush.user, **values, **given})

    async def note_best(self, rush: Rush, guild: GuildId, week: str) -> None:
        """Stores the result of a rush, unless its user has a better one of that week on that server."""
        own = _best.guild == guild, _best.user == rush.user
        known = await self._sql.first(select(_best.week, _best.solved).where(*own))
        if known is not None and known.week == week and known.solved >= rush.solved:
            return
        await self._sql.execute(delete(schema.best_rush).where(*own))
        values = {"guild": guild, "user": rush.user, "week": week, "solved": rush.solved}
        with raises_on_conflict(Stale):
            await self._sql.add(schema.best_rush, values)
