"""The computer at the table: it plays its turns and answers offers, in every match in which it has a seat."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import NamedTuple, Protocol

from play.ids import MatchId, Millis, SourceId, UserId
from play.match.events import EventKind, OfferKind
from play.match.match import Match
from play.refusal import Refused
from play.services.matches import Tables
from play.store.store import Store
from play.workers.worker import Attending
from rules.game import Seat

log = logging.getLogger(__name__)

_VERSIONS = 20
"""Bits for the version in the source of what it does."""


class Deed(NamedTuple):
    """What the computer does: `MOVE` with its notation, or `RESIGN`."""

    kind: EventKind
    text: str = ""


class Mind(Protocol):
    """Thinks, at the level that was agreed on, if one was; bot/ implements it. What it raises is tried again later."""

    async def deed(self, match: Match, level: int | None) -> Deed:
        """What the player to act should do."""

    async def agrees(self, match: Match, seat: Seat, kind: OfferKind, level: int | None) -> bool:
        """Whether `seat` should accept what was offered to it."""


class Robot(Attending):
    """Plays as `user`.

    `pace` is the time that it takes for a move at least, as people do.
    """

    def __init__(
        self,
        store: Store,
        tables: Tables,
        mind: Mind,
        user: UserId,
        *,
        pace: Millis = Millis(0),  # noqa: B008 - a number
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        super().__init__(sleep)
        self._store = store
        self._tables = tables
        self._mind = mind
        self._user = user
        self._pace = pace
        self._begun = False

    def wake(self, match: Match) -> None:
        """Something has happened in `match`. While nothing runs it waits in the store."""
        if self._user in match.players and not match.outcome:
            self._start(match.id)

    async def waiting(self) -> list[MatchId]:
        """Where it is its turn; at first all its matches, since an offer made while it was away waits in any."""
        async with self._store.read() as reader:
            entries = await reader.open_matches(self._user)
        first, self._begun = not self._begun, True
        return [entry.id for entry in entries if first or entry.players[entry.to_act] == self._user]

    async def attend(self, match: MatchId) -> bool:
        try:
            return await self._acted(match)
        except Refused as refused:
            log.info("match %d has changed while the computer thought: %s", match, refused.key)
            return False

    async def _acted(self, id: MatchId) -> bool:  # noqa: A002 - the field's name
        """Does what is to be done next; False if that is nothing.

        What it does names the version that it saw, and its source follows from that: so it happens once, however often
        it is thought out.
        """
        async with self._store.read() as reader:
            match = await reader.match(id)
            challenge = await reader.challenge_of(id)
        if match is None or match.outcome:
            return False
        seat = match.seat_of(self._user)
        level = challenge.terms.level if challenge else None
        kind = _asked(match, seat)
        if kind is not None:
            agrees = await self._mind.agrees(match, seat, kind, level)
            answer = self._tables.agree if agrees else self._tables.disagree
            await answer(id, self._user, kind, await self._now(), source_of(match), version=match.version)
        elif match.to_act == seat:
            deed = await self._mind.deed(match, level)
            await self._linger(match)
            await self._do(match, deed)
        else:
            return False
        return True

    async def _do(self, match: Match, deed: Deed) -> None:
        at, source, version = await self._now(), source_of(match), match.version
        if deed.kind is EventKind.RESIGN:
            await self._tables.resign(match.id, self._user, at, source, version=version)
        else:
            await self._tables.move(match.id, self._user, deed.text, at, source, version=version)

    async def _linger(self, match: Match) -> None:
        """Waits until as much time has passed since its turn began as its pace asks for."""
        missing = match.clock.since + self._pace - await self._now()
        if missing > 0:
            await self._sleep(missing / 1000)

    async def _now(self) -> Millis:
        async with self._store.read() as reader:
            return await reader.now()


def source_of(match: Match) -> SourceId:
    """What the computer's deed at this version of a match is known by: below zero, where Discord has no ids."""
    return SourceId(-((match.id << _VERSIONS) + match.version + 1))


def _asked(match: Match, seat: Seat) -> OfferKind | None:
    """An offer that waits for the answer of `seat`."""
    waiting = (offer.kind for offer in match.offers if not offer.declined and seat not in offer.agreed)
    return next(waiting, None)
