"""Posts of open seats in SQL."""

from sqlalchemy import and_, bindparam, exists, select, update

from play.community.seats_post import SeatsPost
from play.ids import ChannelId, GuildId, Millis
from play.posts import PostKind
from storage import schema
from storage.statements import Repository

_post = schema.kept_post.c
_KIND = PostKind.SEATS.value
_SHOWN = and_(_post.kind == _KIND, _post.channel.is_not(None))
_OF_GUILD = and_(_post.kind == _KIND, _post.number == bindparam("of_guild"))
_GET = select(_post.guild, _post.channel, _post.message, _post.told, _post.shown).where(
    _OF_GUILD, _post.channel.is_not(None)
)
_differs = _post.told != bindparam("fingerprint")
_ANY = select(exists().where(_SHOWN))
_DUE = (
    select(_post.number)
    .where(_SHOWN, _differs | _post.problem.is_not(None), _post.edits <= bindparam("now"))
    .order_by(_post.edits, _post.number)
    .limit(bindparam("limit"))
)
_MOVE = update(schema.kept_post).where(_OF_GUILD).values(message=None, told="", shown=_post.shown + 1, edits=0)


class SeatsPostReader(Repository):
    """Posts of open seats, as reads see them."""

    __slots__ = ()

    async def get(self, guild: GuildId) -> SeatsPost | None:
        """Returns the post of a server."""
        row = await self._sql.first(_GET, of_guild=guild)
        return None if row is None else SeatsPost(row.guild, row.channel, row.message, row.told, row.shown)

    async def is_any(self) -> bool:
        """Returns whether a server has one."""
        return bool(await self._sql.value(_ANY))

    async def due(self, fingerprint: str, now: Millis, limit: int) -> list[GuildId]:
        """Returns the servers whose posts show something else, or are in trouble, and may be edited now."""
        return [row.number for row in await self._sql.all(_DUE, fingerprint=fingerprint, now=now, limit=limit)]


class SeatsPostRepository(SeatsPostReader):
    """Posts of open seats, as a transaction writes them."""

    __slots__ = ()

    async def move(self, guild: GuildId, channel: ChannelId | None) -> None:
        """Puts the post of a server into a channel, or (None) ends it; its former message stays."""
        moved = await self._sql.execute(_MOVE.values(channel=channel), {"of_guild": guild})
        if moved.rowcount == 0:
            new = {"kind": _KIND, "number": guild, "side": 0, "guild": guild, "channel": channel}
            await self._sql.add(schema.kept_post, new)
