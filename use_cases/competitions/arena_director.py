"""The director of arenas: begins them at full hours, pairs who is free, counts results, and ends them."""

import logging
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace

from play.clock import Speed
from play.community.full_hours import is_full, spans
from play.community.seek import Seek, SeekState, end, meet
from play.competitions.arena import (
    FIRST_MOVE_MILLIS,
    Arena,
    ArenaId,
    Bout,
    Stage,
    arena_of,
    begin_when_due,
    end_when_due,
    pair_free,
    set_paused,
)
from play.ids import MatchId, Millis, UserId
from play.match.events import EventKind
from play.match.match import Match
from play.match.points import FORFEITED
from play.refusal import Refused
from storage import Database
from storage.errors import Stale
from storage.unit_of_work import Reader, Transaction
from use_cases.competitions.arenas import is_closed, may_go_on, search_in
from use_cases.competitions.called_match import CalledGames
from use_cases.events import Events
from use_cases.seeks import Seeks
from use_cases.verdicts import match_points
from use_cases.worker import Timing, Worker

log = logging.getLogger(__name__)

ARENA_POLL_SECONDS = 5.0
"""Between two looks at an arena: first moves are waited for, and another process may have let a game end."""


class ArenaDirector(Worker[ArenaId]):
    """Runs the arenas of the world. A player who is free there has a search, which only this director pairs."""

    def __init__(
        self,
        store: Database,
        seeks: Seeks,
        games: CalledGames,
        events: Events,
        timing: Timing = Timing(),  # noqa: B008 - frozen
    ) -> None:
        super().__init__(timing)
        self._store = store
        self._seeks = seeks
        self._games = games
        self._events = events
        self._asked: ArenaId | None = None

    async def pending(self, limit: int) -> list[ArenaId]:
        async with self._store.read() as reader:
            now = await reader.clock.now()
        await self._announce(arena_of(now), now)
        async with self._store.read() as reader:
            return await reader.arenas.to_update(now, limit)

    async def process(self, key: ArenaId) -> None:
        async with self._store.read() as reader:
            now = await reader.clock.now()
        try:
            arena = await self._advance(key, now)
            if await self._end_unattended(arena, now):
                arena = await self._advance(key, now)
            await self._pair(arena, now)
        except Stale:
            log.info("arena %d has changed meanwhile", key)
            self.wake()

    async def _announce(self, id: ArenaId, now: Millis) -> None:  # noqa: A002 - the field's name
        """Opens the arena of the next hour, if that is a full one: each is asked about once."""
        if id == self._asked:
            return
        async with self._store.read() as reader:
            met = [await reader.seeks.count_met(Speed.LIVE, *span) for span in spans(id)]
            newest = await reader.arenas.newest()
            is_new = now < Arena(id).starts and (newest is None or newest.id < id)
            is_wanted = is_new and is_full(met) and not await is_closed(reader, now)
        if is_wanted:
            with suppress(Stale):  # another process has opened it
                async with self._store.write() as tx:
                    await tx.arenas.add(Arena(id))
                    await tx.arenas.outdate(now)
            self._events.arena_changed()
        self._asked = id

    # What time and games bring

    async def _advance(self, id: ArenaId, now: Millis) -> Arena:  # noqa: A002 - the field's name
        """Stores what time and games have brought: the beginning, games that have begun or ended, the end."""
        async with self._store.write() as tx:
            await tx.seeks.lock()
            stored = await tx.arenas.get(id)
            assert stored is not None, "it was found a moment ago"
            arena = end_when_due(await self._count(tx, stored, now), now)
            open_seeks = await tx.seeks.of_arena(id)
            waiting = [seek for seek in open_seeks if seek.state is SeekState.WAITING]
            arena = begin_when_due(arena, now, len(waiting))
            if arena.stage.is_open and await is_closed(tx, now):
                arena = replace(arena, stage=Stage.CANCELLED)
            if arena.stage.is_open:
                free = set(arena.present) - arena.playing - {seek.user for seek in open_seeks}
                arena = set_paused(arena, free, paused=True)  # they look elsewhere, or are kept from playing
            else:
                for seek in waiting:
                    await tx.seeks.save(end(seek, SeekState.LEFT))
            if arena != stored:
                arena = await tx.arenas.save(arena, stored)
                await tx.arenas.outdate(now)
        if arena != stored:
            self._events.arena_changed()
        return arena

    async def _count(self, tx: Transaction, arena: Arena, now: Millis) -> Arena:
        """Returns an arena that goes on with the games that have begun, and the results of those that are over; who has
        played one looks for the next."""
        if arena.stage is not Stage.RUNNING:
            return arena
        arena = replace(arena, bouts=(*arena.bouts, *await _begun(tx, arena)))
        going, decided = await tx.matches.of_ids(arena.going), dict[MatchId, Bout]()
        for bout in arena.bouts:
            match = going.get(bout.match)
            if match is not None and match.outcome and match.events[-1].at <= arena.ends:
                decided[bout.match] = _decided(bout, match)
        arena = replace(arena, bouts=tuple(decided.get(bout.match, bout) for bout in arena.bouts))
        played = {user for bout in decided.values() for user in bout.users} & {*arena.present}
        gone = {user for bout in decided.values() if bout.unplayed for user in _idle(going[bout.match])}
        arena = set_paused(arena, gone & played, paused=True)
        last = await tx.seeks.newest_in_arena(arena.id, played - gone)
        for seek in last.values():
            fresh = search_in(arena, seek.user, seek.guild, seek.channel, now)
            if not await tx.seeks.open_of(seek.user) and await may_go_on(tx, self._seeks, fresh, now):
                await tx.seeks.add(fresh)
        return arena

    async def _end_unattended(self, arena: Arena, now: Millis) -> bool:
        """Ends the games in which a player lets the first move wait; returns whether there were any."""
        ended = False
        async with self._store.read() as reader:
            going = await reader.matches.of_ids(arena.going if arena.stage is Stage.RUNNING else ())
        for match in going.values():
            if match.outcome or match.all_have_moved:
                continue
            if now >= match.clock.since + FIRST_MOVE_MILLIS:
                ended = True
                with suppress(Refused):  # the player has moved at this moment
                    await self._games.moderation.end_unattended(match, self._games.user(), now)
        return ended

    # Pairs

    async def _pair(self, arena: Arena, now: Millis) -> None:
        """Pairs who is free; the matchmaker calls them, and begins their games."""
        if not arena.takes_pairs(now):
            return
        async with self._store.read() as reader:
            waiting = await _waiting(reader, arena)
            blocked = {frozenset(block) for block in await reader.blocks.among(waiting)}
        for one, other in pair_free(arena, waiting.keys(), blocked):
            with suppress(Stale):  # one has paused, or another process has paired them
                async with self._store.write() as tx:
                    await tx.seeks.save(meet(waiting[one], waiting[other].id, now))
                    await tx.seeks.save(meet(waiting[other], waiting[one].id, now))
                self._events.seeks_changed()


async def _waiting(reader: Reader, arena: Arena) -> Mapping[UserId, Seek]:
    """Returns the searches of those who are free."""
    found = await reader.seeks.of_arena(arena.id)
    return {seek.user: seek for seek in found if seek.state is SeekState.WAITING and seek.user in arena.present}


async def _begun(reader: Reader, arena: Arena) -> list[Bout]:
    """Returns the games of an arena that have begun and are not noted yet."""
    known = {bout.match for bout in arena.bouts}
    begun: dict[MatchId, list[UserId]] = {}
    for match, user in await reader.seeks.games_of_arena(arena.id):
        if match not in known and user in arena.users:
            begun.setdefault(match, []).append(user)
    return [Bout(users[0], users[1], match) for match, users in begun.items() if len(users) == 2]


def _decided(bout: Bout, match: Match) -> Bout:
    """Returns a game with its result. One in which not both have moved, or that was annulled, counts for nobody."""
    gained = match_points(match)
    if gained is None or not match.all_have_moved:
        return replace(bout, points=FORFEITED, unplayed=True)
    return replace(bout, points=gained if match.players[0] == bout.first else gained[::-1])


def _idle(match: Match) -> set[UserId]:
    """Returns the player who let a game wait, or left it, in which not both have moved."""
    if match.all_have_moved:
        return set()
    last = match.events[-1]
    return {match.players[last.seat if last.kind in (EventKind.RESIGN, EventKind.ABORT) else match.position.to_act]}
