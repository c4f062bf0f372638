"""When a chat platform was out of reach: nobody there could play, so no clock of theirs counts it."""

import logging
from collections import defaultdict
from typing import Final

from play.clock.schedule import Span
from play.ids import DAY, Millis, Platform, UserId, platform_of
from play.match.match import Match
from play.refusal import Refused
from storage import Database
from storage.errors import Unavailable
from use_cases.match_writer import retry_on_conflict

log = logging.getLogger(__name__)

OUTAGE_MILLIS: Final = Millis(10_000)
"""A shorter time without an answer costs no player anything, and is no outage."""

KEPT_MILLIS: Final = Millis(90 * DAY)
"""How long outages are remembered: longer than any turn."""


class Outages:
    """The outages of platforms whose adapters tell them. One process reads each of those.

    The store keeps them, so that a restart forgets none.
    """

    def __init__(self, store: Database) -> None:
        self._store = store
        self._known: defaultdict[Platform, list[Span]] = defaultdict(list)
        self._going_on = set[Platform]()

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
        self._going_on.add(platform)
        return Millis(outage.millis)

    def end(self, platform: Platform) -> None:
        """Has the newest outage of a platform end where it was noted last; until then it grows by itself."""
        self._going_on.discard(platform)

    def lost(self, match: Match, now: Millis) -> Millis:
        """Returns how much of the turn that goes on in a match its player could not use."""
        if match.to_act is None:
            return Millis(0)
        since, platform = match.clock.since, platform_of(match.players[match.to_act])
        spans = [*self._known.get(platform, ())]
        if platform in self._going_on:
            spans[-1] = Span(spans[-1].start, max(spans[-1].end, now))
        return Millis(sum(max(0, min(each.end, now) - max(each.start, since)) for each in spans))

    def told(self, match: Match, now: Millis) -> Match:
        """Returns a match with the deadline by which its flag will be judged, as far as outages are known."""
        return match.excused(self.lost(match, now))

    def lost_by(self, user: UserId, match: Match, now: Millis) -> Millis:
        """Returns the same for a user, who may not be the one to play."""
        waits = match.to_act is not None and match.players[match.to_act] == user
        return self.lost(match, now) if waits else Millis(0)


class Reach:
    """Whether one platform answers whom the bot asks there, and since when it doesn't."""

    def __init__(self, store: Database, outages: Outages, platform: Platform) -> None:
        self._store = store
        self._outages = outages
        self._platform = platform
        self._heard_at = Millis(0)
        self.is_out = False

    async def begin(self) -> None:
        """Counts from now on, unless it does already. Raises Unavailable."""
        self._heard_at = self._heard_at or await self._now()

    async def note_answer(self) -> Span:
        """Notes that the platform answers; returns the time since it last did. Raises Unavailable."""
        if self.is_out:
            await self.note_silence()
            self._outages.end(self._platform)
        heard = Span(self._heard_at, await self._now())
        self._heard_at, self.is_out = heard.end, False
        return heard

    async def note_silence(self) -> None:
        """Stores that nobody there can play, if that has lasted."""
        try:
            if self.is_out or (self._heard_at and await self._now() - self._heard_at >= OUTAGE_MILLIS):
                self.is_out = True
                await self._outages.note(self._platform, self._heard_at)
        except (Unavailable, Refused) as error:
            log.warning("an outage of %s is not noted yet: %s", self._platform.name, error)

    async def _now(self) -> Millis:
        async with self._store.read() as reader:
            return await reader.clock.now()
