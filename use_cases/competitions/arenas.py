"""The use cases of arenas: join, pause, look on, and let a channel follow them."""

from play.community.news import LogEntry, channel_value, setting_changed
from play.community.operator import RestrictionKind
from play.community.seek import Seek, SeekId, SeekState, end
from play.competitions.arena import RATED_TERMS, Arena, Follower, join, set_paused
from play.ids import ChannelId, GuildId, Millis, UserId
from play.match.match import Match
from play.refusal import Reason, Refused
from storage import Database
from storage.unit_of_work import Reader, Transaction
from use_cases.barriers import check_other_people
from use_cases.events import Events, log_entry, logged
from use_cases.match_writer import retry_on_conflict, undone_by
from use_cases.ratings import load_ratings
from use_cases.seeks import Seeks


class Arenas:
    """What players and managers do. All methods raise Refused."""

    def __init__(self, store: Database, events: Events, seeks: Seeks) -> None:
        self._store = store
        self._events = events
        self._seeks = seeks

    async def newest(self) -> Arena | None:
        """Returns the arena that goes on or gathers, else the last one."""
        async with self._store.read() as reader:
            return await reader.arenas.newest()

    async def newest_at(self) -> tuple[Arena | None, Millis]:
        """Returns the same, and the present time."""
        async with self._store.read() as reader:
            return await reader.arenas.newest(), await reader.clock.now()

    async def boards(self, arena: Arena) -> list[Match]:
        """Returns the games of an arena that go on, in the order in which they began."""
        async with self._store.read() as reader:
            found = await reader.matches.of_ids(arena.going)
        return [match for match in found.values() if not match.outcome]

    async def join(self, user: UserId, guild: GuildId | None, channel: ChannelId, at: Millis) -> Arena:
        """Lets a user play in the arena, whose boards come into the channel; one who had paused goes on. A search of
        theirs for a live game ends by that. Raises Refused (`arena_over`, `arena_full`, `arena_called`,
        `own_account`)."""

        async def attempt() -> Arena:
            async with self._store.write() as tx:
                await tx.seeks.lock()
                stored = await _load(tx)
                seek = search_in(stored, user, guild, channel, at)
                await self._seeks.check(tx, seek, at)
                await check_other_people(tx, user, set(stored.users) - {user})
                ratings = await load_ratings(tx, RATED_TERMS, [user])
                joined = join(stored, user, ratings[user])
                if not await _is_playing(tx, stored, user):
                    await _begin_search(tx, seek)
                return stored if joined == stored else await tx.arenas.save(joined, stored)

        joined = await retry_on_conflict(attempt)
        self._events.arena_changed()
        return joined

    @undone_by("join")
    async def pause(self, user: UserId) -> Arena:
        """Lets a user be paired no more until they join again; a game that goes on counts."""

        async def attempt() -> Arena:
            async with self._store.write() as tx:
                stored = await _load(tx)
                for seek in await tx.seeks.open_of(user):
                    if seek.arena == stored.id and seek.state is SeekState.WAITING:
                        await tx.seeks.save(end(seek, SeekState.LEFT))
                paused = set_paused(stored, {user}, paused=True)
                return stored if paused == stored else await tx.arenas.save(paused, stored)

        paused = await retry_on_conflict(attempt)
        self._events.arena_changed()
        return paused

    # Channels that follow

    async def follower(self, guild: GuildId) -> Follower | None:
        """Returns the channel of a server that follows the arenas."""
        async with self._store.read() as reader:
            return await reader.arenas.follower(guild)

    @logged
    async def follow(self, guild: GuildId, channel: ChannelId | None, by: UserId) -> None:
        """Lets a channel of a server follow the arenas, of whose troubles `by` is told; None for no channel."""

        async def attempt() -> None:
            async with self._store.write() as tx:
                before = await tx.arenas.follower(guild)
                await tx.kept_posts.place(Follower(guild, channel or ChannelId(0)).post.key, by)
                await tx.arenas.follow(guild, channel)
                former = None if before is None else before.channel
                if former != channel:
                    entry: LogEntry = setting_changed(by, "arena", channel_value(former), channel_value(channel))
                    await log_entry(tx, guild, entry)

        await retry_on_conflict(attempt)
        self._events.arena_changed()
        self._events.news_added()


def search_in(arena: Arena, user: UserId, guild: GuildId | None, channel: ChannelId, at: Millis) -> Seek:
    """Returns the search of a player of an arena, whose director finds the partner."""
    return Seek(SeekId(0), user, guild, channel, arena.terms, made=at, since=at, arena=arena.id)


async def is_closed(reader: Reader, now: Millis) -> bool:
    """Returns whether the operator lets no arena go on."""
    return await reader.operator.restriction(RestrictionKind.STRANGERS, 0, now) is not None


async def may_go_on(reader: Reader, seeks: Seeks, seek: Seek, now: Millis) -> bool:
    """Returns whether a player may be paired again on the terms of their last search."""
    try:
        await seeks.check(reader, seek, now)
    except Refused:
        return False
    return True


async def _load(reader: Reader) -> Arena:
    arena = await reader.arenas.newest()
    if arena is None or not arena.stage.is_open:
        raise Refused(Reason.ARENA_OVER)
    return arena


async def _is_playing(reader: Reader, arena: Arena, user: UserId) -> bool:
    """Returns whether a game of a player goes on in the arena, or has just begun and is not noted there yet."""
    last = (await reader.seeks.newest_in_arena(arena.id, [user])).get(user)
    is_noted = last is None or last.match is None or any(bout.match == last.match for bout in arena.bouts)
    return user in arena.playing or not is_noted


async def _begin_search(tx: Transaction, seek: Seek) -> None:
    """Stores the search of a player of an arena; another one for a live game ends. Raises Refused (`arena_called`)."""
    for other in await tx.seeks.open_of(seek.user):
        if other.speed is not seek.speed:
            continue
        if other.arena == seek.arena:
            return
        if other.state is SeekState.CALLED:
            raise Refused(Reason.ARENA_CALLED)
        await tx.seeks.save(end(other, SeekState.LEFT))
    await tx.seeks.add(seek)
