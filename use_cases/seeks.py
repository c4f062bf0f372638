"""The use cases of strangers: look for one, say that one is there, see how it goes on, report and block."""

from dataclasses import replace
from statistics import median
from typing import Final, NamedTuple

from play.challenge.pool import Pool, pool_of
from play.challenge.terms import Terms
from play.clock import Speed
from play.community.conduct import Level
from play.community.operator import RestrictionKind
from play.community.seek import Seek, SeekId, SeekState, answer, end
from play.ids import DAY, HOUR, ChannelId, GuildId, MatchId, Millis, UserId
from play.match.events import Notice, NoticeKind
from play.match.match import Match
from play.ratings.glicko import Rating
from play.refusal import Reason, Refused
from storage import Database
from storage.errors import Stale
from storage.unit_of_work import Reader
from use_cases.barriers import Blocks, check_may_enter, check_open
from use_cases.events import Events
from use_cases.limits import Capacity, check_rated_match_limits
from use_cases.match_writer import load_match, retry_on_conflict, undone_by

WAITS_MILLIS, MAX_WAITS = Millis(28 * DAY), 400
"""The searches of the last weeks by which a wait is foretold."""

MIN_WAITS: Final = 5
"""Fewer searches of an hour of the day tell nothing."""

MAX_EXPIRED = 50
"""Searches that expire in one go."""


class Outlook(NamedTuple):
    """A search, how many `others` of its speed look as well, and how long one `usually` takes at this hour, if that is
    known."""

    seek: Seek
    others: int
    usually: Millis | None


class Seeks:
    """What players do who would meet a stranger. All methods raise Refused."""

    def __init__(self, store: Database, events: Events, capacity: Capacity) -> None:
        self._store = store
        self._events = events
        self._capacity = capacity

    async def look(
        self,
        user: UserId,
        guild: GuildId | None,
        channel: ChannelId,
        terms: Terms,
        at: Millis,
        *,
        flexible: bool = False,
        weekly: bool = False,
    ) -> Seek:
        """Begins a search, whose game comes into the channel; one of the same speed ends by that. A weekly one is for a
        game over days. Raises Refused (`old_button` for a made-up one that is not)."""
        if weekly and terms.control.speed is not Speed.DAYS:
            raise Refused(Reason.OLD_BUTTON)
        wanted = replace(terms, level=None)
        seek = Seek(SeekId(0), user, guild, channel, wanted, made=at, since=at, flexible=flexible, weekly=weekly)

        async def attempt() -> Seek:
            async with self._store.write() as tx:
                await tx.seeks.lock()
                await self.check(tx, seek, at)
                for other in await tx.seeks.open_of(user):
                    if other.speed is seek.speed:
                        if other.state is SeekState.CALLED:
                            return other
                        await tx.seeks.save(end(other, SeekState.LEFT))
                return await tx.seeks.add(seek)

        added = await retry_on_conflict(attempt)
        self._events.seeks_changed()
        return added

    @undone_by("look")
    async def leave(self, seek: SeekId, user: UserId) -> Seek:
        """Ends a search of the user. Once a partner is found it goes on: they are being called."""
        return await self._change(seek, user, SeekState.LEFT)

    async def answer(self, seek: SeekId, user: UserId, at: Millis) -> Seek:
        """Notes that the user is there, who was called to a live game. Raises Refused (`seek_over`)."""

        async def attempt() -> Seek:
            async with self._store.write() as tx:
                stored = await _load_own(tx, seek, user)
                if stored.ready:
                    return stored
                answered = answer(stored, user, at)
                await tx.seeks.save(answered)
            return answered

        answered = await retry_on_conflict(attempt)
        self._events.seeks_changed()
        return answered

    async def play_meanwhile(self, seek: SeekId, user: UserId, match: MatchId) -> None:
        """Lets a match of the user against the computer end without a trace once the game of their search begins."""

        async def attempt() -> None:
            async with self._store.write() as tx:
                stored = await _load_own(tx, seek, user)
                await tx.seeks.save(replace(stored, meanwhile=match, version=stored.version + 1))

        await retry_on_conflict(attempt)

    async def load(self, seek: SeekId, user: UserId) -> Seek:
        """Returns a search of the user. Raises Refused (`seek_over`)."""
        async with self._store.read() as reader:
            return await _load_own(reader, seek, user)

    async def outlooks(self, user: UserId) -> list[Outlook]:
        """Returns how the searches of the user go on."""
        return (await self.outlooks_at(user))[0]

    async def outlooks_at(self, user: UserId) -> tuple[list[Outlook], Millis]:
        """Returns the same, and the present time."""
        async with self._store.read() as reader:
            now = await reader.clock.now()
            found = await reader.seeks.open_of(user)
            return [await _outlook(reader, seek, now) for seek in found], now

    async def expire(self, now: Millis) -> int:
        """Ends the searches that have found nobody in their time, MAX_EXPIRED at most; returns the count. What has
        stayed of those who deleted their data is deleted after its time."""
        async with self._store.read() as reader:
            late = await reader.seeks.expired(now, MAX_EXPIRED)
            is_past_over = await reader.seeks.is_past_conduct_over(now)
        if is_past_over:
            async with self._store.write() as tx:
                await tx.seeks.drop_past_conduct(now)
        for seek in late:
            async with self._store.write() as tx:
                try:
                    await tx.seeks.save(end(seek, SeekState.EXPIRED))
                except Stale:  # it has found a partner at this moment
                    continue
        return len(late)

    async def stranger(self, match: MatchId, user: UserId) -> tuple[Match, UserId]:
        """Returns a match and the stranger whom the user has met in it. Raises Refused (`no_stranger_game`)."""
        async with self._store.read() as reader:
            played, seeks = await load_match(reader, match), await reader.seeks.of_match(match)
        others = [seek.user for seek in seeks if seek.user != user]
        if len(seeks) - len(others) != 1 or len(others) != 1:
            raise Refused(Reason.NO_STRANGER_GAME)
        return played, others[0]

    async def say(self, match: MatchId, user: UserId, phrase: NoticeKind, at: Millis) -> None:
        """Sends the stranger of a match a phrase. Raises Refused (`no_stranger_game`, `no_phrase`)."""
        played, other = await self.stranger(match, user)

        async def attempt() -> None:
            async with self._store.write() as tx:
                if await tx.blocks.among({user, other}):
                    raise Refused(Reason.NO_PHRASE)
                await tx.outbox.add_notice(Notice(match, played.version, other, phrase, at=at))

        await retry_on_conflict(attempt)
        self._events.match_changed(played)

    async def report(self, match: MatchId, user: UserId, at: Millis) -> None:
        """Reports the stranger of a match to the operator, and blocks them: the two do not meet again. A second time
        changes nothing. Raises Refused (`no_stranger_game`; `too_many_blocks`, with the report made)."""
        played, other = await self.stranger(match, user)
        guild = played.at_home_of(played.seat_of(user)).guild

        async def attempt() -> None:
            async with self._store.write() as tx:
                if not await tx.seeks.is_reported(match, user):
                    await tx.seeks.report(match, other, user, guild, at)

        await retry_on_conflict(attempt)
        await Blocks(self._store).block(user, other, at)

    async def check(self, reader: Reader, seek: Seek, at: Millis) -> None:
        """Raises Refused if the player of a search may not meet strangers there at present."""
        await check_may_enter(reader, seek.guild, seek.user, at)
        if await reader.operator.restriction(RestrictionKind.STRANGERS, 0, at):
            raise Refused(Reason.STRANGERS_CLOSED)
        if seek.guild is not None and not (await reader.servers.get(seek.guild)).strangers:
            raise Refused(Reason.NO_STRANGERS)
        played = await reader.matches.in_channel(seek.channel) if seek.guild is None else None
        if played is not None and not played.outcome and played.id != seek.meanwhile:
            raise Refused(Reason.CHANNEL_BUSY)
        if (await reader.seeks.conduct([seek.user], at))[seek.user].level is Level.OUT:
            raise Refused(Reason.SEEK_OUT)
        if seek.terms.pool is not None:
            await check_rated_match_limits(reader.careers, seek.user, at)
        if await reader.matches.count_open(user=seek.user) >= self._capacity.max_of_player:
            raise Refused(Reason.TOO_MANY_MATCHES, user=seek.user, count=self._capacity.max_of_player)

    async def _change(self, seek: SeekId, user: UserId, state: SeekState) -> Seek:
        async def attempt() -> Seek:
            async with self._store.write() as tx:
                stored = await _load_own(tx, seek, user)
                ended = stored if stored.state is SeekState.CALLED else end(stored, state)
                if ended is not stored:
                    await tx.seeks.save(ended)
            return ended

        return await retry_on_conflict(attempt)


async def _load_own(reader: Reader, seek: SeekId, user: UserId) -> Seek:
    stored = await reader.seeks.get(seek)
    if stored is None or stored.user != user:
        raise Refused(Reason.SEEK_OVER)
    return stored


async def _outlook(reader: Reader, seek: Seek, now: Millis) -> Outlook:
    waits = await reader.seeks.waits(seek.speed, Millis(now - WAITS_MILLIS), MAX_WAITS)
    waiting = await reader.seeks.count_waiting(seek.speed, now)
    is_counted = is_free(seek, now) and seek.arena is None
    return Outlook(seek, waiting - is_counted, usual_wait(waits, now))


async def rating_of(reader: Reader, seek: Seek) -> Rating:
    """Returns the rating of a player in the pool of their terms, rated or not."""
    pool = pool_of_seek(seek)
    return Rating() if pool is None else (await reader.ratings.get(pool, [seek.user]))[seek.user]


def pool_of_seek(seek: Seek) -> Pool | None:
    """Returns the pool by which the players of a search are compared; None for rules that have none."""
    try:
        return pool_of(seek.terms.game, seek.terms.control)
    except Refused:
        return None


async def is_closed(reader: Reader, now: Millis) -> bool:
    """Returns whether the operator lets no strangers meet."""
    try:
        await check_open(reader, now)
    except Refused:
        return True
    return await reader.operator.restriction(RestrictionKind.STRANGERS, 0, now) is not None


def is_free(seek: Seek, now: Millis) -> bool:
    """Returns whether a search looks for a partner at `now`."""
    is_over = seek.ends is not None and seek.ends <= now
    return seek.state is SeekState.WAITING and seek.since <= now and not is_over


def usual_wait(waits: list[tuple[Millis, Millis]], now: Millis) -> Millis | None:
    """Returns the median of how long searches took that began at this hour of the day, or an hour before or after it;
    None if they are too few. `waits` are when each began and how long it took."""
    hour = now % DAY // HOUR
    near = [took for began, took in waits if (began % DAY // HOUR - hour) % 24 in (23, 0, 1)]
    return Millis(int(median(near))) if len(near) >= MIN_WAITS else None
