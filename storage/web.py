"""Sessions of browsers in SQL."""

from collections.abc import Collection
from dataclasses import asdict

from sqlalchemy import bindparam, delete, select, update

from play.ids import MatchId, Millis, UserId
from play.people.web_session import USED_LINK_MILLIS, Watching, WebLink, WebSession, WebWatch
from storage import schema
from storage.conflicts import raises_on_conflict
from storage.errors import Stale
from storage.lists import is_among
from storage.statements import Repository

_session = schema.web_session.c
_watch = schema.web_watch.c
_key = schema.web_key.c
_launch = schema.web_launch.c
_SESSION = select(schema.web_session).where(_session.digest == bindparam("digest"), _session.until > bindparam("now"))
_WATCH = select(schema.web_watch).where(
    _watch.user == bindparam("user"), _watch.match == bindparam("match"), _watch.until > bindparam("now")
)
# `open` is named so that the partial index is used.
_WATCHING = (
    select(_watch.match, _watch.user)
    .where(is_among(_watch.match, "matches"), _watch.open.is_not(None), _watch.open > bindparam("now"))
    .order_by(_watch.match, _watch.user)
)
_LINK_KEY = select(_key.key).where(_key.user == bindparam("user"))
_EXPIRED = [
    delete(table).where(table.c.until <= bindparam("now"))
    for table in (schema.web_session, schema.web_link, schema.web_watch, schema.web_launch)
]

_OPEN = update(schema.web_watch).where(_watch.user == bindparam("who"), _watch.match == bindparam("what"))


class WebReader(Repository):
    """Sessions, as reads see them."""

    __slots__ = ()

    async def session(self, digest: str, now: Millis) -> WebSession | None:
        """Returns a session that has not ended."""
        row = await self._sql.first(_SESSION, digest=digest, now=now)
        return row and WebSession(row.digest, row.user, row.until)

    async def current(self, digests: Collection[str], now: Millis) -> frozenset[str]:
        """Returns those of the sessions that have not ended."""
        if not digests:
            return frozenset()  # SQLite scans for nothing
        alive = select(_session.digest).where(_session.digest.in_(digests), _session.until > now)
        return frozenset(row.digest for row in await self._sql.all(alive))

    async def watch(self, user: UserId, match: MatchId, now: Millis) -> WebWatch | None:
        """Returns the right of a user to watch a match, if a link has given it and it has not expired."""
        row = await self._sql.first(_WATCH, user=user, match=match, now=now)
        return row and WebWatch(row.user, row.match, row.until, row.seen)

    async def watching(self, matches: Collection[MatchId], now: Millis) -> dict[MatchId, list[UserId]]:
        """Returns the users who have boards of these matches open, in which they do not play; no match without any."""
        if not matches:
            return {}  # SQLite scans for nothing
        found: dict[MatchId, list[UserId]] = {}
        for row in await self._sql.all(_WATCHING, matches=[*matches], now=now):
            found.setdefault(row.match, []).append(row.user)
        return found

    async def key(self, user: UserId) -> str | None:
        """Returns the key of a user's links, if they have had any since their sessions were ended."""
        row = await self._sql.first(_LINK_KEY, user=user)
        return row and str(row.key)


class WebRepository(WebReader):
    """Sessions, as a transaction writes them."""

    __slots__ = ()

    async def add_key(self, user: UserId, key: str) -> None:
        """Stores the key of a user's links. Raises Stale if there is one."""
        with raises_on_conflict(Stale):
            await self._sql.add(schema.web_key, {"user": user, "key": key})

    async def holds(self, user: UserId, key: str) -> bool:
        """Returns whether the key is that of the user's links, and keeps it so until the transaction ends."""
        # The update locks the row: a deletion at the same time comes before it or after it.
        held = update(schema.web_key).where(_key.user == user, _key.key == key).values(key=key)
        return bool((await self._sql.execute(held)).rowcount)

    async def use(self, link: WebLink) -> bool:
        """Notes that a link was exchanged; returns False if it was already."""
        await self._sql.lock(schema.web_link)
        known = select(schema.web_link.c.id).where(schema.web_link.c.id == link.id)
        if await self._sql.first(known) is not None:
            return False
        await self._sql.add(schema.web_link, {"id": link.id, "until": link.until + USED_LINK_MILLIS})
        return True

    async def add(self, session: WebSession, most: int) -> None:
        """Stores a session; of its user's others, only the newest stay, so that there are `most`."""
        theirs = select(_session.digest).where(_session.user == session.user).order_by(_session.until.desc())
        rows = await self._sql.all(theirs)
        for row in rows[most - 1 :]:
            await self.end(row.digest)
        values = {"digest": session.digest, "user": session.user, "until": session.until}
        await self._sql.add(schema.web_session, values)

    async def allow_watching(self, watch: WebWatch) -> None:
        """Lets a user watch a match, in place of an earlier right."""
        earlier = _watch.user == watch.user, _watch.match == watch.match
        renewed = update(schema.web_watch).where(*earlier).values(until=watch.until, seen=watch.seen)
        if not (await self._sql.execute(renewed)).rowcount:
            await self._sql.add(schema.web_watch, asdict(watch))

    async def note_watching(self, watching: Collection[Watching], until: Millis | None) -> None:
        """Notes until when users count as watching, or (None) that they watch no more. Those without a right to watch
        are left out."""
        if watching:
            values = [{"who": each.user, "what": each.match, "open": until} for each in sorted(watching)]
            await self._sql.execute(_OPEN, values)

    async def add_launch(self, user: UserId, match: MatchId, until: Millis) -> None:
        """Notes for which game a user launches the Activity, in place of an earlier one. Raises Stale if it does so
        twice at once."""
        await self._sql.execute(delete(schema.web_launch).where(_launch.user == user))
        with raises_on_conflict(Stale):
            await self._sql.add(schema.web_launch, {"user": user, "match": match, "until": until})

    async def take_launch(self, user: UserId, now: Millis) -> MatchId | None:
        """Returns the game for which a user has launched the Activity, once."""
        row = await self._sql.first(select(_launch.match).where(_launch.user == user, _launch.until > now))
        if row is None:
            return None
        await self._sql.execute(delete(schema.web_launch).where(_launch.user == user))
        return MatchId(row.match)

    async def end(self, digest: str) -> None:
        """Ends a session."""
        await self._sql.execute(delete(schema.web_session).where(_session.digest == digest))

    async def end_all(self, user: UserId) -> None:
        """Ends all sessions of a user and the user's right to watch games, and makes all their links void."""
        for table in (schema.web_key, schema.web_launch, schema.web_session, schema.web_watch):
            await self._sql.execute(delete(table).where(table.c.user == user))

    async def delete_expired(self, now: Millis) -> None:
        """Deletes what has expired."""
        for expired in _EXPIRED:
            await self._sql.execute(expired, {"now": now})
