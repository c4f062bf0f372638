"""The use cases of friends who share no server: one gives a code, and the other plays by it."""

import secrets
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from play.challenge.terms import Terms
from play.codes import digest_of, make_code, name_of, read_code
from play.community.friend_code import FriendCode
from play.community.seek import Seek, SeekId, SeekState, end, meet, sit_down
from play.ids import ChannelId, GuildId, UserId
from play.refusal import Reason, Refused
from storage import Database
from storage.unit_of_work import Transaction
from use_cases.events import Events
from use_cases.match_writer import retry_on_conflict, undone_by
from use_cases.open_seats import check_pair
from use_cases.seeks import Seeks


class Invitation(NamedTuple):
    """A search for a friend, and the code by which they take it. Only its player ever sees the code."""

    seek: Seek
    code: str


class Friends:
    """What players do who would meet a certain person. All methods raise Refused."""

    def __init__(
        self,
        store: Database,
        events: Events,
        seeks: Seeks,
        choose: Callable[[Sequence[str]], str] = secrets.choice,
    ) -> None:
        """`choose` draws the letters of codes."""
        self._store = store
        self._events = events
        self._seeks = seeks
        self._choose = choose

    async def invite(self, user: UserId, guild: GuildId | None, channel: ChannelId, terms: Terms) -> Invitation:
        """Offers a friend a game, which comes into the channel; the invitation before is withdrawn."""

        async def attempt() -> Invitation:
            code = make_code(self._choose)
            async with self._store.write() as tx:
                await tx.seeks.lock()
                now = await tx.clock.now()
                own = replace(terms, level=None, window=None)
                seek = Seek(SeekId(0), user, guild, channel, own, now, now, state=SeekState.OFFERED, private=True)
                await self._seeks.check(tx, seek, now)
                for former in await tx.seeks.private_of(user):
                    await tx.seeks.save(end(_not_called(former), SeekState.LEFT))
                added = await tx.seeks.add(seek)
                assert added.ends is not None, "only those for a game a week have no end"
                letters = _letters(code)
                stored = FriendCode(name_of(letters), digest_of(letters), added.ends, user=user, seek=added.id)
                await tx.friend_codes.put(stored, now)
            return Invitation(added, code)

        return await retry_on_conflict(attempt)

    async def of_user(self, user: UserId) -> Seek | None:
        """Returns the user's game with a friend that is offered, or for which both are called."""
        async with self._store.read() as reader:
            return next(iter(await reader.seeks.private_of(user)), None)

    @undone_by("invite")
    async def withdraw(self, seek: SeekId, user: UserId) -> None:
        """Withdraws an invitation of the user. Once the friend has accepted it goes on."""
        await self._seeks.leave(seek, user)

    async def show(self, typed: str) -> Seek:
        """Returns what a code offers, to one who may have no account. Raises Refused (`no_friend_code`)."""
        return await self._use(typed, self._offered)

    async def look_up(self, user: UserId, typed: str) -> Seek:
        """Returns what a code offers the user. Raises Refused (`no_friend_code`, and what keeps the two apart)."""
        return await self._use(typed, lambda tx, number: self._take(tx, number, user, None))

    async def accept(self, user: UserId, typed: str, guild: GuildId | None, channel: ChannelId) -> Seek:
        """Takes what a code offers; returns the search of the user, who plays in the channel. The code is used then.

        A second time changes nothing. Raises Refused as `look_up` does.
        """
        place = guild, channel
        taken = await self._use(typed, lambda tx, number: self._take(tx, number, user, place))
        self._events.seeks_changed()
        return taken

    async def _use(self, typed: str, find: Callable[[Transaction, SeekId], Awaitable[Seek | None]]) -> Seek:
        """Returns what is found of a code's offer; nothing is refused as wrong letters are, which stay counted."""
        letters = read_code(typed)
        if letters is None:
            raise Refused(Reason.NO_FRIEND_CODE)

        async def attempt() -> Seek | None:
            async with self._store.write() as tx:
                await tx.seeks.lock()
                code = await tx.friend_codes.get(name_of(letters))
                if code is None or not code.holds(await tx.clock.now()):
                    return None
                if not code.fits(letters):
                    await tx.friend_codes.count_try(code)
                    return None
                return await find(tx, code.seek)

        found = await retry_on_conflict(attempt)
        if found is None:
            raise Refused(Reason.NO_FRIEND_CODE)
        return found

    async def _offered(self, tx: Transaction, number: SeekId) -> Seek | None:
        """Returns the offer, or None if it is over."""
        offered = await tx.seeks.get(number)
        return offered if offered is not None and offered.state is SeekState.OFFERED else None

    async def _take(
        self, tx: Transaction, number: SeekId, user: UserId, place: tuple[GuildId | None, ChannelId] | None
    ) -> Seek | None:
        """Returns the offer, or None if it is over; in a `place` it is taken."""
        offered, now = await tx.seeks.get(number), await tx.clock.now()
        own = await tx.seeks.private_of(user)
        if offered is not None and (again := next((each for each in own if each.partner == offered.id), None)):
            return again if place else offered
        if offered is None or offered.state is not SeekState.OFFERED:
            return None
        guild, channel = place or (None, offered.channel)
        sitting = replace(sit_down(offered, user, guild, channel, now), private=True)
        await check_pair(tx, self._seeks, offered, sitting, now)
        if place is None:
            return offered
        for other in own:
            if other.speed is sitting.speed:
                await tx.seeks.save(end(_not_called(other), SeekState.LEFT))
        added = await tx.seeks.add(sitting)
        met = meet(added, offered.id, now, ready=True)
        await tx.seeks.save(meet(offered, added.id, now))
        await tx.seeks.save(met)
        return met


def _not_called(own: Seek) -> Seek:
    """Returns a search that may end for another one. Raises Refused (`seat_called`)."""
    if own.state is SeekState.CALLED:
        raise Refused(Reason.SEAT_CALLED)
    return own


def _letters(code: str) -> str:
    letters = read_code(code)
    assert letters is not None, "it was just made"
    return letters
