"""Keepers of posts, and the troubles of these, in SQL."""

from __future__ import annotations

from sqlalchemy import and_, bindparam, insert, select, update

from play.ids import UserId
from play.posts import PostKey, PostProblem, PostTrouble
from storage import schema
from storage.statements import Repository, Values

_post = schema.kept_post.c
_OF_KEY = and_(
    _post.kind == bindparam("of_kind"), _post.number == bindparam("of_number"), _post.side == bindparam("of_side")
)
_GET = select(schema.kept_post).where(_OF_KEY)
_HEAL = update(schema.kept_post).where(_OF_KEY, _post.problem.is_not(None)).values(problem=None, since=None)


class KeptPostReader(Repository):
    """Keepers and troubles, as reads see them."""

    __slots__ = ()

    async def keeper(self, key: PostKey) -> UserId | None:
        """Returns who has chosen the channel; None if nobody is known."""
        row = await self._sql.first(_GET, **_named(key))
        return None if row is None else row.keeper

    async def trouble(self, key: PostKey) -> PostTrouble | None:
        """Returns what keeps the bot from posting; None if nothing does."""
        row = await self._sql.first(_GET, **_named(key))
        return None if row is None or row.problem is None else PostTrouble(PostProblem(row.problem), row.since)


class KeptPostRepository(KeptPostReader):
    """Keepers and troubles, as a transaction writes them."""

    __slots__ = ()

    async def place(self, key: PostKey, keeper: UserId) -> None:
        """Notes who has chosen the channel, which ends all trouble."""
        await self._change(key, {"keeper": keeper, "problem": None, "since": None})

    async def note(self, key: PostKey, trouble: PostTrouble) -> None:
        """Notes the trouble, of which the keeper was told."""
        await self._change(key, {"problem": trouble.problem.value, "since": trouble.since})

    async def heal(self, key: PostKey) -> None:
        """Notes that the bot has posted."""
        await self._sql.execute(_HEAL, _named(key))

    async def _change(self, key: PostKey, values: Values) -> None:
        changed = await self._sql.execute(update(schema.kept_post).where(_OF_KEY).values(values), _named(key))
        if changed.rowcount == 0:
            new = {"kind": key.kind.value, "number": key.number, "side": key.side}
            await self._sql.execute(insert(schema.kept_post).values(new | values))


def _named(key: PostKey) -> Values:
    return {"of_kind": key.kind.value, "of_number": key.number, "of_side": key.side}
