"""When a chat platform was out of reach: nobody there could play, so no clock of theirs counts it."""

import logging
from collections import defaultdict
from typing import Final

from play.clock.schedule import Span
from play.ids import DAY, Millis, Platform, UserId, platform_of
from play.match.match import Match
from storage import Database
from use_cases.match_writer import retry_on_conflict

log = logging.getLogger(__name__)

KEPT_MILLIS: Final = Millis(90 * DAY)
"""How long outages are remembered: longer than any turn."""


class Outages:
    """The outages of platforms whose adapters tell them. One process reads each of those.

    The store keeps them, so that a restart forgets none.
    """

    def __init__(self, store: Database) -> None:
        self._store = store
        self._known: defaultdict[Platform, list[Span]] = defaultdict(list)

    async def load(self) -> None:
        """Reads what is stored."""
        async with self._store.read() as reader:
            since = Millis(await reader.clock.now() - KEPT_MILLIS)
            found = await reader.platforms.outages(since)
        self._known.clear()
        for platform, outage in found:
            self._known[platform].append(outage)

    async def note(self, platform: Platform, start: Millis) -> Millis:
        """Notes that a platform has been out of reach since a moment, and still is; returns how long."""

        async def attempt() -> Span:
            async with self._store.write() as tx:
                outage = Span(start, max(await tx.clock.now(), start))
                await tx.platforms.keep_outage(platform, outage)
            return outage

        outage = await retry_on_conflict(attempt)
        known = self._known[platform]
        if known and known[-1].start == start:
            known.pop()
        known.append(outage)
        return Millis(outage.millis)

    def lost(self, match: Match, now: Millis) -> Millis:
        """Returns how much of the turn that goes on in a match its player could not use."""
        if match.to_act is None:
            return Millis(0)
        since, spans = match.clock.since, self._known.get(platform_of(match.players[match.to_act]), ())
        return Millis(sum(max(0, min(each.end, now) - max(each.start, since)) for each in spans))

    def lost_by(self, user: UserId, match: Match, now: Millis) -> Millis:
        """Returns the same for a user, who may not be the one to play."""
        waits = match.to_act is not None and match.players[match.to_act] == user
        return self.lost(match, now) if waits else Millis(0)
