"""Keepers of posts, and the troubles of these, in SQL."""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy import and_, bindparam, insert, select, update

from play.ids import UserId
from play.posts import KeptPost, PostKey, PostProblem, PostTrouble
from storage import schema
from storage.statements import Repository, Values

_post = schema.kept_post.c
_OF_KEY = and_(
    _post.kind == bindparam("of_kind"), _post.number == bindparam("of_number"), _post.side == bindparam("of_side")
)
_GET = select(schema.kept_post).where(_OF_KEY)
_NO_TROUBLE: Values = {"problem": None, "since": None, "ended": False}
_HEAL = update(schema.kept_post).where(_OF_KEY, _post.problem.is_not(None)).values(_NO_TROUBLE)


class KeptPostReader(Repository):
    """Keepers and troubles, as reads see them."""

    __slots__ = ()

    async def with_keeper(self, post: KeptPost) -> KeptPost:
        """Returns a post with the one who has chosen its channel last."""
        row = await self._sql.first(_GET, **_named(post.key))
        return post if row is None or row.keeper is None else replace(post, keeper=row.keeper)

    async def trouble(self, key: PostKey) -> PostTrouble | None:
        """Returns what keeps the bot from posting; None if nothing does."""
        row = await self._sql.first(_GET, **_named(key))
        if row is None or row.problem is None:
            return None
        return PostTrouble(PostProblem(row.problem), row.since, row.ended)


class KeptPostRepository(KeptPostReader):
    """Keepers and troubles, as a transaction writes them."""

    __slots__ = ()

    async def place(self, key: PostKey, keeper: UserId) -> None:
        """Notes who has chosen the channel, which ends all trouble."""
        await self._change(key, {"keeper": keeper, **_NO_TROUBLE})

    async def note(self, key: PostKey, trouble: PostTrouble) -> None:
        """Notes the trouble, of which the keeper was told."""
        values = {"problem": trouble.problem.value, "since": trouble.since, "ended": trouble.ended}
        await self._change(key, values)

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
