"""The time that players lose because the bot turned them away: no clock charges it, and no flag falls meanwhile."""

from __future__ import annotations

import time
from collections.abc import Callable

from cachetools import LRUCache

from play.ids import MINUTE, Millis, UserId
from play.match.match import Match
from storage import Database
from use_cases.events import Event
from use_cases.match_writer import retry_on_conflict

CACHE_SIZE = 20_000
"""Players who were turned away."""

MAX_GAP_MILLIS = Millis(10_000)
"""Between being turned away and the next try: who takes longer than that has done something else."""

HOLD_MILLIS = Millis(10_000)
"""How long no flag of a user falls after that: as long as the next try may take."""

MAX_LOST_MILLIS = Millis(10 * MINUTE)
"""The most that one turn is given back."""


class LostTime:
    """What each player has lost since their last move, from each click that was turned away to their next one.

    It is kept in memory: a restart is a downtime, which no clock charges either. `clock` is in seconds.
    """

    def __init__(self, store: Database, clock: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._clock = clock
        self._since: LRUCache[UserId, float] = LRUCache(CACHE_SIZE)
        self._lost: LRUCache[UserId, float] = LRUCache(CACHE_SIZE)
        self._held: set[UserId] = set()
        self.flags_held = Event[[]]()
        """The first user was turned away since `hold_flags` was called."""

    def note_turned_away(self, user: UserId) -> None:
        """Notes that a click of a user was not worked on."""
        self._end_gap(user)
        self._since[user] = self._clock()
        self.hold(user)

    def hold(self, user: UserId) -> None:
        """Keeps the flags of a user from falling for a while."""
        if not self._held:
            self.flags_held()
        self._held.add(user)

    def note_let_in(self, user: UserId) -> None:
        """Notes that a click of a user is worked on."""
        if user in self._since:
            self._end_gap(user)

    def note_wait(self, user: UserId, seconds: float) -> None:
        """Notes that a user waited for the bot so long."""
        self._lost[user] = self._lost.get(user, 0.0) + seconds

    def of(self, user: UserId) -> Millis:
        """Returns what a user has lost since their last move."""
        return Millis(min(round(1000 * self._lost.get(user, 0.0)), MAX_LOST_MILLIS))

    def note_match(self, match: Match) -> None:
        """Begins anew with the players of a match in which one has moved."""
        if match.events and match.events[-1].is_move:
            for player in match.players:
                self._lost.pop(player, None)

    async def hold_flags(self) -> None:
        """Has every process look later at the deadlines of those who were turned away since the last call."""
        held, self._held = self._held, set()

        async def attempt() -> None:
            async with self._store.write() as tx:
                await tx.deadlines.hold(held, Millis(await tx.clock.now() + HOLD_MILLIS))

        if held:
            await retry_on_conflict(attempt)

    def _end_gap(self, user: UserId) -> None:
        since = self._since.pop(user, None)
        if since is not None:
            gap = min(self._clock() - since, MAX_GAP_MILLIS / 1000)
            self.note_wait(user, gap)
