"""Posts that are kept in channels, in SQL: what they show, whose they are, and their troubles."""

from dataclasses import replace

from sqlalchemy import BigInteger, ColumnElement, and_, bindparam, case, select, update

from play.ids import MessageId, Millis, UserId
from play.posts import KeptPost, PostKey, PostKind, PostProblem, PostTrouble
from storage import schema
from storage.statements import Repository, Values

_post = schema.kept_post.c
_OF_KEY = and_(
    _post.kind == bindparam("of_kind"), _post.number == bindparam("of_number"), _post.side == bindparam("of_side")
)
_GET = select(_post.keeper, _post.problem, _post.since, _post.ended).where(_OF_KEY)
_CHANGE = update(schema.kept_post).where(_OF_KEY)
_NO_TROUBLE: Values = {"problem": None, "since": None, "ended": False}
_HEAL = _CHANGE.where(_post.problem.is_not(None)).values(_NO_TROUBLE)
_waits_for_nothing = (_post.wanted > bindparam("version")) & (_post.edits == 0)
_SHOWN = _CHANGE.where(_post.shown < bindparam("version")).values(
    shown=bindparam("version"),
    edits=case((_waits_for_nothing, _post.edits), else_=bindparam("may_edit", type_=BigInteger)),
)
_ANNOUNCED = _CHANGE.where(_post.announced < bindparam("version")).values(announced=bindparam("version"))


def of_server(kind: PostKind, guild: ColumnElement[int]) -> ColumnElement[bool]:
    """Returns the condition that a post is the home, the daily or the arena of a server."""
    return and_(_post.kind == kind.value, _post.number == guild)


class KeptPostReader(Repository):
    """Posts, as reads see them."""

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
    """Posts, as a transaction writes them."""

    __slots__ = ()

    async def mark_shown(
        self,
        key: PostKey,
        version: int,
        message: MessageId | None,
        edits: Millis = Millis(0),  # noqa: B008 - a number
        *,
        pinned: MessageId | None = None,
        told: str = "",
    ) -> None:
        """Notes that `message` shows a version, or (None) that there is nothing to show it; which message is `pinned`,
        and which notice was `told`.

        It may be edited again at `edits`, or at once if a newer version is to be shown at once. Nothing changes where
        another process has shown a later version.
        """
        values = {"message": message, "pinned": pinned, "told": told}
        await self._sql.execute(_SHOWN, {**_named(key), "version": version, "may_edit": edits, **values})

    async def mark_announced(self, key: PostKey, version: int) -> None:
        """Notes that the notice of a version is posted, and all before it."""
        await self._sql.execute(_ANNOUNCED, {**_named(key), "version": version})

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
        changed = await self._sql.execute(_CHANGE, {**_named(key), **values})
        if changed.rowcount == 0:  # the home, the daily or the arena of a server
            new = {"kind": key.kind.value, "number": key.number, "side": key.side, "guild": key.number}
            await self._sql.add(schema.kept_post, new | values)


def _named(key: PostKey) -> Values:
    return {"of_kind": key.kind.value, "of_number": key.number, "of_side": key.side}
