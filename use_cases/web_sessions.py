"""The use cases of sessions of browsers: to open one by a link, to know whose it is, and to end it."""

import secrets
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from play.ids import ChannelId, MatchId, Millis, UserId
from play.match.match import Match
from play.people.web_session import (
    FRAME_MILLIS,
    LAUNCH_MILLIS,
    MAX_SESSIONS,
    SESSION_MILLIS,
    WebLink,
    WebSession,
    WebWatch,
)
from play.refusal import Reason, Refused
from rules.game import Seat
from storage import Database
from storage.unit_of_work import Transaction
from use_cases.channel_rights import ChannelRights
from use_cases.events import Events
from use_cases.match_writer import load_match, retry_on_conflict, undone_by

_KEY_BYTES = 8


class Place(NamedTuple):
    """A user at a match. Without a `seat` they watch."""

    match: Match
    seat: Seat | None


class Launch(NamedTuple):
    """The match that an Activity opens, or (None) the home page. One who watches has `seen` the match there."""

    match: MatchId | None
    seen: ChannelId | None


class WebSessions:
    """What browsers may do in the name of users. All methods raise Refused."""

    def __init__(
        self,
        store: Database,
        events: Events,
        rights: ChannelRights,
        make_key: Callable[[], str] = lambda: secrets.token_hex(_KEY_BYTES),
    ) -> None:
        """`make_key` makes the keys of users' links."""
        self._store = store
        self._events = events
        self._rights = rights
        self._make_key = make_key

    async def now(self) -> Millis:
        """Returns the time."""
        async with self._store.read() as reader:
            return await reader.clock.now()

    async def link_key(self, user: UserId) -> str:
        """Returns the key of a user's links, made for the first one. Raises Refused (`busy`)."""
        async with self._store.read() as reader:
            if (known := await reader.web.key(user)) is not None:
                return known

        async def attempt() -> str:
            async with self._store.write() as tx:
                key = await tx.web.key(user)
                if key is None:
                    key = self._make_key()
                    await tx.web.add_key(user, key)
            return key

        return await retry_on_conflict(attempt)

    async def exchange(self, link: WebLink, digest: str, present: Collection[str] = ()) -> str:
        """Opens a session for the user of a link, and uses the link up; returns the session's digest.

        It is one of `present`, which the browser has, if that is the user's own, and else the new one of `digest`. A
        browser with a session of the user needs no link: one that has expired or was used leads on, and gives nothing.
        """

        async def attempt() -> str:
            async with self._store.write() as tx:
                now = await tx.clock.now()
                own = await _own_session(tx, link.user, present, now)
                is_valid = now < link.until and await tx.web.holds(link.user, link.key)
                if not is_valid or not await tx.web.use(link):
                    if own is None:
                        raise Refused(Reason.USED_LINK if is_valid else Reason.EXPIRED_LINK)
                    return own
                if link.match is not None and link.seen is not None:
                    await _allow_watching(tx, link.user, link.match, link.seen, now)
                if own is None:
                    await _add(tx, WebSession(digest, link.user, Millis(now + SESSION_MILLIS)), now)
                return own or digest

        return await retry_on_conflict(attempt)

    async def sign_in(self, user: UserId, digest: str, present: Collection[str] = ()) -> str:
        """Opens a session for a user whom the chat has just named; returns its digest, as `exchange` does."""

        async def attempt() -> str:
            async with self._store.write() as tx:
                now = await tx.clock.now()
                own = await _own_session(tx, user, present, now)
                if own is None:
                    await _add(tx, WebSession(digest, user, Millis(now + SESSION_MILLIS)), now)
                return own or digest

        return await retry_on_conflict(attempt)

    async def open_app(self, link: WebLink, digest: str) -> MatchId | None:
        """Opens the session of `digest`, for `FRAME_MILLIS`, for the user of data that a chat has signed, once; returns
        the match of the link if they play in it or may watch it. Raises Refused (`launch_not_taken`)."""

        async def attempt() -> None:
            async with self._store.write() as tx:
                now = await tx.clock.now()
                if now >= link.until or not await tx.web.use(link):
                    raise Refused(Reason.LAUNCH_NOT_TAKEN)
                await _add(tx, WebSession(digest, link.user, Millis(now + FRAME_MILLIS)), now)

        await retry_on_conflict(attempt)
        if link.match is None:
            return None
        try:
            await self.arrive(link.user, link.match)
        except Refused:
            return None  # the home page says what there is
        return link.match

    async def prepare_launch(self, user: UserId, match: Match) -> None:
        """Has the Activity that a user launches next open a match, which they play or see where they launch it."""

        async def attempt() -> None:
            async with self._store.write() as tx:
                now = await tx.clock.now()
                if user not in match.players:
                    await _allow_watching(tx, user, match.id, match.channel, now)
                await tx.web.add_launch(user, match.id, Millis(now + LAUNCH_MILLIS))

        await retry_on_conflict(attempt)

    async def launch(self, user: UserId, channel: ChannelId, digest: str, wanted: MatchId | None = None) -> Launch:
        """Opens the session of `digest`, for `FRAME_MILLIS`, for a user whom the chat has just seen in a channel.

        It opens the `wanted` match, or that for which they have just launched it, if they play in it or may watch it;
        else that of the channel, which they may watch from then on; else the home page.
        """
        async with self._store.write() as tx:
            now = await tx.clock.now()
            found = await self._find_launched(tx, user, channel, (wanted, await tx.web.take_launch(user, now)), now)
            if found.match is not None and found.seen is not None:
                await _allow_watching(tx, user, found.match, found.seen, now)
            await _add(tx, WebSession(digest, user, Millis(now + FRAME_MILLIS)), now)
            return found

    async def _find_launched(
        self, tx: Transaction, user: UserId, channel: ChannelId, wanted: Sequence[MatchId | None], now: Millis
    ) -> Launch:
        for number in wanted:
            named = None if number is None else await tx.matches.get(number)
            if named is None:
                continue
            if user in named.players:
                return Launch(named.id, None)
            if named.in_channel(channel).channel == channel:
                return Launch(named.id, channel)
            if await tx.web.watch(user, named.id, now) is not None:
                return Launch(named.id, None)
        here = await tx.matches.in_channel(channel)
        if here is None:
            return Launch(None, None)
        return Launch(here.id, None if user in here.players else channel)

    async def identify(self, digest: str) -> UserId:
        """Returns the user of a session. Raises Refused (`no_session`)."""
        async with self._store.read() as reader:
            session = await reader.web.session(digest, await reader.clock.now())
        if session is None:
            raise Refused(Reason.NO_SESSION)
        return session.user

    async def enter(self, user: UserId, match: MatchId) -> Place:
        """Returns a user at a match that they play or may still watch.

        Raises Refused (`no_match`, `not_your_board`, and what `ChannelRights.check_watching` says).
        """
        async with self._store.read() as reader:
            stored = await load_match(reader, match)
            if user in stored.players:
                seat = stored.seat_of(user)
                return Place(stored.at_home_of(seat), seat)
            now = await reader.clock.now()
            watch = await reader.web.watch(user, match, now)
        if watch is None:
            raise Refused(Reason.NOT_YOUR_BOARD)
        stored = stored.in_channel(watch.seen)
        await self._rights.check_watching(stored, watch, now)
        return Place(stored, None)

    async def arrive(self, user: UserId, match: MatchId) -> Place:
        """Returns a user at a match whose address they have: as `enter` does, but one who sees it in a channel of a
        server now may watch it from then on. Raises Refused, as `enter` does."""
        try:
            return await self.enter(user, match)
        except Refused as refused:
            if refused.key not in (Reason.NOT_YOUR_BOARD, Reason.WATCH_OVER):
                raise
            try:
                await self._begin_watching(user, match)
            except Refused as unseen:
                if unseen.key in (Reason.NO_MATCH, Reason.WATCH_OVER):
                    raise refused from None
                raise
        return await self.enter(user, match)

    async def watch(self, user: UserId, match: MatchId) -> None:
        """Lets a user watch a match that goes on in a channel of a server, if they see it there now.

        Raises Refused (`no_match`, and what `ChannelRights.check_watching` says).
        """
        async with self._store.read() as reader:
            if (await load_match(reader, match)).outcome is not None:
                raise Refused(Reason.NO_MATCH)
        await self._begin_watching(user, match)

    async def _begin_watching(self, user: UserId, match: MatchId) -> None:
        async with self._store.read() as reader:
            stored, now = await load_match(reader, match), await reader.clock.now()
        if user in stored.players:
            return
        if stored.guild is None:
            raise Refused(Reason.NO_MATCH)
        if stored.away is not None and not await self._rights.sees(stored.guild, stored.channel, user):
            stored = stored.turn_around()
        assert stored.guild is not None, "a second place is on a server"
        watch = WebWatch(user, match, Millis(now + SESSION_MILLIS), stored.channel)
        if not await self._rights.sees(stored.guild, stored.channel, user):
            raise Refused(Reason.NO_MATCH)
        await self._rights.check_watching(stored, watch, now)
        async with self._store.write() as tx:
            await tx.web.allow_watching(watch)

    async def check_posting(self, user: UserId, match: MatchId) -> None:
        """Raises Refused, as `ChannelRights.check_posting` does, unless a user may post in the channel of a match."""
        async with self._store.read() as reader:
            stored = await load_match(reader, match)
        await self._rights.check_posting(stored.for_reader(user, None), user)

    async def current(self, digests: Collection[str]) -> frozenset[str]:
        """Returns those of the sessions that have not ended."""
        async with self._store.read() as reader:
            return await reader.web.current(digests, await reader.clock.now())

    @undone_by("exchange")
    async def leave(self, digest: str) -> None:
        """Ends a session, if there is one: what a stranger sends is not worth a transaction that writes."""
        if not await self.current([digest]):
            return
        async with self._store.write() as tx:
            await tx.web.end(digest)
        self._events.session_ended(digest)

    @undone_by("exchange")
    async def leave_all(self, user: UserId) -> None:
        """Ends all sessions of a user, and makes the links void that they have."""
        async with self._store.write() as tx:
            await tx.web.end_all(user)
        self._events.sessions_ended(user)


async def _allow_watching(tx: Transaction, user: UserId, match: MatchId, seen: ChannelId, now: Millis) -> None:
    await tx.web.allow_watching(WebWatch(user, match, Millis(now + SESSION_MILLIS), seen))


async def _own_session(tx: Transaction, user: UserId, present: Collection[str], now: Millis) -> str | None:
    """Returns that of the `present` sessions which is the user's."""
    for known in present:
        session = await tx.web.session(known, now)
        if session is not None and session.user == user:
            return known
    return None


async def _add(tx: Transaction, session: WebSession, now: Millis) -> None:
    await tx.web.delete_expired(now)
    await tx.web.add(session, MAX_SESSIONS)
