"""The use cases of sessions of browsers: to open one by a link, to know whose it is, and to end it."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from play.ids import ChannelId, MatchId, Millis, UserId
from play.match.match import Match
from play.people.web_session import MAX_SESSIONS, SESSION_MILLIS, WebLink, WebSession
from play.refusal import Reason, Refused
from play.services.events import Events
from play.services.match_writer import load_match
from play.store import Store, Transaction
from rules.point import Seat


class Place(NamedTuple):
    """A user at a match. Without a `seat` they watch."""

    match: Match
    seat: Seat | None


class WebSessions:
    """What browsers may do in the name of users. All methods raise Refused."""

    def __init__(self, store: Store, events: Events) -> None:
        self._store = store
        self._events = events

    async def now(self) -> Millis:
        """Returns the time."""
        async with self._store.read() as reader:
            return await reader.clock.now()

    async def exchange(self, link: WebLink, digest: str, present: Collection[str] = ()) -> str:
        """Opens a session for the user of a link, and uses the link up; returns the session's digest.

        It is one of `present`, which the browser has, if that is the user's own, and else the new one of `digest`.
        """
        async with self._store.write() as tx:
            now = await tx.clock.now()
            if now >= link.until:
                raise Refused(Reason.EXPIRED_LINK)
            if not await tx.web.use(link):
                raise Refused(Reason.USED_LINK)
            if link.watches:
                await tx.web.allow_watching(link.user, link.match, Millis(now + SESSION_MILLIS))
            for known in present:
                session = await tx.web.session(known, now)
                if session is not None and session.user == link.user:
                    return known
            await self._add(tx, link.user, digest, now)
        return digest

    async def open(self, user: UserId, digest: str) -> None:
        """Opens a session for a user whom Discord has identified."""
        async with self._store.write() as tx:
            await self._add(tx, user, digest, await tx.clock.now())

    async def identify(self, digest: str) -> UserId:
        """Returns the user of a session. Raises Refused (`no_session`)."""
        async with self._store.read() as reader:
            session = await reader.web.session(digest, await reader.clock.now())
        if session is None:
            raise Refused(Reason.NO_SESSION)
        return session.user

    async def enter(self, user: UserId, match: MatchId) -> Place:
        """Returns a user at a match that they play or watch. Raises Refused (`no_match`, `not_your_board`)."""
        async with self._store.read() as reader:
            stored = await load_match(reader, match)
            if user in stored.players:
                return Place(stored, stored.seat_of(user))
            if not await reader.web.may_watch(user, match, await reader.clock.now()):
                raise Refused(Reason.NOT_YOUR_BOARD)
        return Place(stored, None)

    async def board_for(self, user: UserId, channel: ChannelId) -> MatchId:
        """Returns the match of a channel that a user sees, who may watch it from then on, or else the most urgent of
        their own. Raises Refused (`no_match_here`)."""
        async with self._store.write() as tx:
            here = await tx.matches.in_channel(channel)
            if here is None:
                own = await tx.matches.open_of(user)
                if not own:
                    raise Refused(Reason.NO_MATCH_HERE)
                return own[0].id
            if user not in here.players:
                now = await tx.clock.now()
                await tx.web.allow_watching(user, here.id, Millis(now + SESSION_MILLIS))
        return here.id

    async def current(self, digests: Collection[str]) -> frozenset[str]:
        """Returns those of the sessions that have not ended."""
        async with self._store.read() as reader:
            return await reader.web.current(digests, await reader.clock.now())

    async def leave(self, digest: str) -> None:
        """Ends a session, if there is one: what a stranger sends is not worth a transaction that writes."""
        if not await self.current([digest]):
            return
        async with self._store.write() as tx:
            await tx.web.end(digest)
        self._events.session_ended(digest)

    async def leave_all(self, user: UserId) -> None:
        """Ends all sessions of a user."""
        async with self._store.write() as tx:
            await tx.web.end_all(user)
        self._events.sessions_ended(user)

    async def _add(self, tx: Transaction, user: UserId, digest: str, now: Millis) -> None:
        await tx.web.delete_expired(now)
        await tx.web.add(WebSession(digest, user, Millis(now + SESSION_MILLIS)), MAX_SESSIONS)
