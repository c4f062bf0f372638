"""Open seats: the searches that anyone may take, and what a player does who sits down."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from play.challenge.pool import Pool
from play.clock import Speed
from play.community.conduct import LATER_MILLIS, Level
from play.community.seek import AGAIN_MILLIS, Seek, SeekId, SeekState, end, meet, sit_down
from play.community.seek_pairing import accepts
from play.ids import ChannelId, GuildId, Millis, UserId
from play.ratings.glicko import Rating
from play.refusal import Reason, Refused
from storage import Database
from storage.unit_of_work import Reader
from use_cases.barriers import check_may_meet
from use_cases.events import Events
from use_cases.match_writer import retry_on_conflict
from use_cases.seeks import Seeks, is_closed, is_free, pool_of_seek, rating_of

Ratings = dict[Pool | None, dict[UserId, Rating]]

MAX_LISTED = 25
"""Seats of a speed that are looked through for a list, the newest: more than any list shows."""


class OpenSeat(NamedTuple):
    """A search that anyone may take, and the rating of its player in the pool of its terms."""

    seek: Seek
    rating: Rating


class OpenSeats:
    """What is open to anyone, and to one player."""

    def __init__(self, store: Database, events: Events, seeks: Seeks) -> None:
        self._store = store
        self._events = events
        self._seeks = seeks

    async def everywhere(self) -> list[OpenSeat]:
        """Returns the open seats of the world: those of live games first, and of these the newest."""
        async with self._store.read() as reader:
            return await _load(reader, await reader.clock.now())

    async def for_user(self, user: UserId, limit: int) -> list[OpenSeat]:
        """Returns the open seats that a player may take, the nearest first."""
        return await self.near(await self.everywhere(), user, limit)

    async def near(self, seats: Sequence[OpenSeat], user: UserId, limit: int) -> list[OpenSeat]:
        """Returns those of `seats` that a player may take, the nearest first: those of the speed that they look for
        themselves, and then by rating."""
        others = [seat for seat in seats if seat.seek.user != user]
        if not others:
            return []
        async with self._store.read() as reader:
            now, own = await reader.clock.now(), await reader.seeks.open_of(user)
            free = await _without_barred(reader, user, others, now)
            ratings = await _ratings_of(reader, [seat.seek for seat in free], user)
        wanted = {seek.speed for seek in own}
        near = []
        for seat in free:
            rating = ratings[pool_of_seek(seat.seek)][user].value
            if accepts(seat.seek, rating):
                near.append((seat.seek.speed not in wanted, abs(seat.rating.value - rating), seat))
        return [seat for *_, seat in sorted(near, key=lambda each: each[:2])[:limit]]

    async def sit(self, seek: SeekId, user: UserId, guild: GuildId | None, channel: ChannelId) -> Seek:
        """Takes an open seat, on the terms of its search; returns the search of the user, whose partner is found.

        A second time changes nothing. Raises Refused (`seat_taken` and all others of seats, and what keeps a player
        from a search).
        """

        async def attempt() -> Seek:
            async with self._store.write() as tx:
                await tx.seeks.lock()
                now, seat = await tx.clock.now(), await tx.seeks.get(seek)
                own = await tx.seeks.open_of(user)
                if seat is not None and (again := next((each for each in own if each.partner == seat.id), None)):
                    return again
                if seat is None or not is_free(seat, now):
                    raise Refused(Reason.SEAT_TAKEN)
                sitting = sit_down(seat, user, guild, channel, now)
                await self._check(tx, seat, sitting, now)
                for other in own:
                    if other.speed is sitting.speed:
                        await tx.seeks.save(_give_up(other))
                added = await tx.seeks.add(sitting)
                met = meet(added, seat.id, now, ready=True)
                await tx.seeks.save(meet(seat, added.id, now))
                await tx.seeks.save(met)
            return met

        met = await retry_on_conflict(attempt)
        self._events.seeks_changed()
        return met

    async def _check(self, reader: Reader, seat: Seek, sitting: Seek, now: Millis) -> None:
        """Raises Refused unless the two may meet as strangers now."""
        await check_pair(reader, self._seeks, seat, sitting, now)
        window = seat.terms.window
        if window is not None and not accepts(seat, (await rating_of(reader, sitting)).value):
            raise Refused(Reason.OUTSIDE_WINDOW, least=window.least, most=window.most)
        if await reader.seeks.partners({seat.user, sitting.user}, Millis(now - AGAIN_MILLIS[seat.speed])):
            raise Refused(Reason.SEAT_AGAIN)
        level = (await reader.seeks.conduct([sitting.user], now))[sitting.user].level
        if level is not Level.FINE and now < seat.since + LATER_MILLIS[seat.speed]:
            raise Refused(Reason.SEAT_LATER)


async def check_pair(reader: Reader, seeks: Seeks, seat: Seek, sitting: Seek, now: Millis) -> None:
    """Raises Refused unless two may meet outside of their servers. Nobody learns what keeps the other one from it."""
    if seat.user in await reader.own_accounts.of_user(sitting.user):
        raise Refused(Reason.SEAT_OWN)
    await seeks.check(reader, sitting, now)
    try:
        await seeks.check(reader, seat, now)
        for one, other in ((seat, sitting), (sitting, seat)):
            await check_may_meet(reader, one.guild, one.user, [other.user], now)
    except Refused as refused:
        raise Refused(Reason.SEAT_CLOSED) from refused


def _give_up(own: Seek) -> Seek:
    """Returns the player's own search as it ends for the seat. Raises Refused (`seat_called`, `seat_weekly`)."""
    if own.state is SeekState.CALLED:
        raise Refused(Reason.SEAT_CALLED)
    if own.weekly:
        raise Refused(Reason.SEAT_WEEKLY)
    return end(own, SeekState.LEFT)


async def _load(reader: Reader, now: Millis) -> list[OpenSeat]:
    """Returns the open seats, without those of players who come later for how they have treated others."""
    if await is_closed(reader, now):
        return []
    found = [seek for speed in Speed for seek in await reader.seeks.open_seats(speed, now, MAX_LISTED)]
    conduct = await reader.seeks.conduct({seek.user for seek in found}, now)
    ratings = await _ratings_of(reader, found)
    shown = []
    for seek in found:
        level = conduct[seek.user].level
        waits = level is Level.OUT or (level is not Level.FINE and now < seek.since + LATER_MILLIS[seek.speed])
        if not waits:
            shown.append(OpenSeat(seek, ratings[pool_of_seek(seek)][seek.user]))
    return shown


async def _ratings_of(reader: Reader, seeks: Sequence[Seek], *more: UserId) -> Ratings:
    """Returns the ratings of the players of searches, and of `more`, by the pools of these."""
    users: dict[Pool | None, set[UserId]] = {}
    for seek in seeks:
        users.setdefault(pool_of_seek(seek), {*more}).add(seek.user)
    return {
        pool: dict.fromkeys(own, Rating()) if pool is None else await reader.ratings.get(pool, own)
        for pool, own in users.items()
    }


async def _without_barred(reader: Reader, user: UserId, seats: Sequence[OpenSeat], now: Millis) -> list[OpenSeat]:
    """Returns the seats without those of the user, of players with a block between them, and of those met lately."""
    users = {user, *(seat.seek.user for seat in seats)}
    barred = {other for block in await reader.blocks.among(users) for other in block if user in block}
    barred |= {user, *await reader.own_accounts.of_user(user)}
    for speed in Speed:
        barred |= await _met(reader, user, [seat for seat in seats if seat.seek.speed is speed], speed, now)
    return [seat for seat in seats if seat.seek.user not in barred]


async def _met(reader: Reader, user: UserId, seats: Collection[OpenSeat], speed: Speed, now: Millis) -> set[UserId]:
    if not seats:
        return set()
    pairs = await reader.seeks.partners({user, *(seat.seek.user for seat in seats)}, Millis(now - AGAIN_MILLIS[speed]))
    return {other for pair in pairs if user in pair for other in pair}
