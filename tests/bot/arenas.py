"""Arenas in tests of the bot: one that gathers without full hours, and players who need no Discord."""

from __future__ import annotations

import itertools

from play.competitions.arena import Arena, ArenaId, Bout, Fighter, Stage, arena_of
from play.ids import MINUTE, MatchId, UserId
from play.match.points import WON
from tests.bot.room import Room


async def gather(room: Room) -> Arena:
    """Opens the arena of the next hour, five minutes before it begins."""
    id = ArenaId(arena_of(room.clock()) + 1)  # noqa: A001 - the field's name
    await room.pass_time(Arena(id).starts - 5 * MINUTE - room.clock())
    async with room.services.store.write() as tx:
        arena = await tx.arenas.add(Arena(id))
        await tx.arenas.outdate(room.clock())
    room.use_cases.events.arena_changed()
    return arena


async def add_played(room: Room, match: MatchId, *users: UserId) -> Arena:
    """Stores an arena that runs, in which each of the users has beaten the next one in the same match."""
    id = arena_of(room.clock())  # noqa: A001 - the field's name
    fighters = tuple(Fighter(user, 1500.0, paused=user == users[-1]) for user in users)
    bouts = tuple(Bout(one, other, match, WON) for one, other in itertools.pairwise(users))
    async with room.services.store.write() as tx:
        return await tx.arenas.add(Arena(id, Stage.RUNNING, fighters, bouts))


async def begin(room: Room) -> None:
    """Passes time until the arena has begun, and lets the workers look."""
    await room.pass_time(6 * MINUTE)
    for worker in (room.bot.workers.arenas, room.bot.workers.matchmaker, room.bot.workers.arena_posts):
        worker.wake()
