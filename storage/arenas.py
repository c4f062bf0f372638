"""Arenas in SQL, and the channels that follow them."""

from dataclasses import replace

from sqlalchemy import bindparam, select, update

from play.competitions.arena import Arena, ArenaId, Bout, Fighter, Follower, Stage
from play.ids import MINUTE, ChannelId, GuildId, Millis
from play.posts import PostKind
from storage import schema
from storage.competition_rows import OF_KIND, Found, Rows, add_rows, competition, find_rows, points_values, read_points
from storage.competitions import DUE, CompetitionReader, CompetitionRepository, select_to_update
from storage.statements import Values

_post = schema.kept_post.c
_follows = _post.kind == PostKind.ARENA.value, _post.channel.is_not(None)
_of_guild = _post.kind == PostKind.ARENA.value, _post.number == bindparam("of")
_FOLLOWER = select(schema.kept_post).where(*_of_guild, _post.channel.is_not(None))
_BEHIND = (
    select(_post.number)
    .where(*_follows, _post.shown < _post.wanted, _post.edits <= bindparam("now"))
    .order_by(_post.edits)
    .limit(bindparam("limit"))
)
_CHANGE = update(schema.kept_post).where(*_of_guild)
_SHOWN = _CHANGE.where(_post.channel == bindparam("there"))
_OUTDATE = (
    update(schema.kept_post).where(*_follows, _post.wanted < bindparam("minute")).values(wanted=bindparam("minute"))
)
_NEWEST = select(competition.number).where(competition.kind == OF_KIND).order_by(competition.number.desc()).limit(1)


class ArenaReader(CompetitionReader[ArenaId, Arena]):
    """Arenas, as reads see them. They belong to no server."""

    __slots__ = ()

    kind = "world"
    selects_to_update = select_to_update(due=DUE)

    def read(self, found: Found) -> Arena:
        row = found.row
        fighters = tuple(Fighter(each.user, each.rating, each.left is not None) for each in found.entrants)
        users = [each.user for each in fighters]
        bouts = (
            Bout(users[each.first], users[each.second], each.match, read_points(each), each.unplayed)
            for each in found.games
        )
        return Arena(row.number, Stage(row.head["stage"]), fighters, tuple(bouts), row.version)

    async def get(self, number: ArenaId) -> Arena | None:
        found = await find_rows(self._sql, self.kind, number, posted=False)
        return None if found is None else self.read(found)

    async def newest(self) -> Arena | None:
        """Returns the arena that goes on or gathers, else the last one; None before the first."""
        return await self._first(_NEWEST)

    async def follower(self, guild: GuildId) -> Follower | None:
        """Returns the channel of a server that follows the arenas."""
        row = await self._sql.first(_FOLLOWER, of=guild)
        if row is None:
            return None
        shown = ArenaId(int(row.told)) if row.told else None
        return Follower(GuildId(row.number), row.channel, row.message, shown)

    async def behind(self, now: Millis, limit: int) -> list[GuildId]:
        """Returns the servers whose channel shows an arena as it was, and may be edited."""
        return [row.number for row in await self._sql.all(_BEHIND, now=now, limit=limit)]


class ArenaRepository(ArenaReader, CompetitionRepository[ArenaId, Arena]):
    """Arenas, as a transaction writes them."""

    __slots__ = ()

    def write(self, value: Arena) -> Rows:
        places = {user: place for place, user in enumerate(value.users)}
        fighters: list[Values] = [
            {"user": each.user, "rating": each.rating, "left": 1 if each.paused else None} for each in value.fighters
        ]
        bouts: list[Values] = [
            {"first": places[each.first], "second": places[each.second], "match": each.match}
            | {"unplayed": each.unplayed, **points_values(each.points)}
            for each in value.bouts
        ]
        row = {"version": value.version, "head": {"stage": value.stage}, "open": value.stage.is_open, "due": value.due}
        return Rows(row, [], fighters, bouts)

    async def add(self, value: Arena) -> Arena:
        """Stores a new arena. Raises Stale if there is one of that hour."""
        added = replace(value, version=0)
        await add_rows(self._sql, self.kind, added.id, self.write(added))
        return added

    async def follow(self, guild: GuildId, channel: ChannelId | None) -> None:
        """Lets a channel follow the arenas from now on, or (None) no channel of the server. `KeptPostRepository.place`
        has made the row."""
        values = {"channel": channel, "message": None, "told": "", "wanted": 1, "shown": 0, "edits": 0}
        await self._sql.execute(_CHANGE, {"of": guild, **values})

    async def outdate(self, now: Millis) -> None:
        """Notes that the arenas have changed: what channels show is edited in the next minute at the latest."""
        await self._sql.execute(_OUTDATE, {"minute": now // MINUTE + 1})

    async def mark_shown(self, follower: Follower, now: Millis) -> None:
        """Notes which message shows which arena. It is edited again a minute later at the earliest;
        nothing changes where another channel was chosen meanwhile."""
        minute = now // MINUTE
        told = "" if follower.arena is None else str(follower.arena)
        values = {"message": follower.message, "told": told, "shown": minute, "edits": (minute + 1) * MINUTE}
        await self._sql.execute(_SHOWN, {"of": follower.guild, "there": follower.channel, **values})
