"""The computer player: plays its turns and answers offers, in every match in which it has a seat."""

import logging
from typing import NamedTuple, Protocol

from play.ids import MatchId, Millis, UserId
from play.match.events import EventKind, OfferKind
from play.match.match import Match
from play.refusal import Refused
from rules.game import Seat
from storage import Database
from use_cases.match_actions import MatchActions
from use_cases.match_writer import automatic_key
from use_cases.matches import Matches
from use_cases.worker import Timing, Worker

log = logging.getLogger(__name__)


class Action(NamedTuple):
    """What the computer does: `MOVE` with its notation, or `RESIGN`."""

    kind: EventKind
    text: str = ""


class Engine(Protocol):
    """Decides for the computer, at the agreed level if there is one; bot/ implements it. What it raises is tried again
    later."""

    async def choose_action(self, match: Match, level: int | None) -> Action:
        """Returns what the player to act should do."""

    async def agrees(self, match: Match, seat: Seat, kind: OfferKind, level: int | None) -> bool:
        """Whether `seat` should accept what was offered to it."""


class ComputerPlayer(Worker[MatchId]):
    """Plays as `user`, each match in a task of its own.

    A move takes at least `pace`, as it would take people, but no more than half of the time that there is.
    """

    def __init__(
        self,
        store: Database,
        matches: Matches,
        actions: MatchActions,
        engine: Engine,
        user: UserId,
        *,
        pace: Millis = Millis(0),  # noqa: B008 - a number
        timing: Timing = Timing().for_play,  # noqa: B008 - frozen
    ) -> None:
        super().__init__(timing, concurrent=True)
        self._store = store
        self._matches = matches
        self._actions = actions
        self._engine = engine
        self._user = user
        self._pace = pace
        self._has_polled = False

    def note_match(self, match: Match) -> None:
        """Wakes the computer for a new version of a match in which it plays."""
        if self._user in match.players and not match.outcome:
            self.wake(match.id)

    async def pending(self, limit: int) -> list[MatchId]:
        """Returns matches where it is the computer's turn, or where it has failed to answer an offer.

        The first time it returns all its matches: an offer made while it was away may wait in any.
        """
        async with self._store.read() as reader:
            entries = await reader.matches.open_of(self._user)
        first, self._has_polled = not self._has_polled, True
        found = [entry.id for entry in entries if first or entry.players[entry.to_act] == self._user]
        return [*found, *(self._retries.keys() - set(found))]

    async def process(self, key: MatchId) -> bool:
        try:
            return await self._act(key)
        except Refused as refused:
            log.info("match %d has changed while the computer thought: %s", key, refused.key)
            return False

    async def _act(self, id: MatchId) -> bool:  # noqa: A002 - the field's name
        """Does what is due next; returns False if that is nothing.

        Each action names the version that the computer saw, and its key follows from that. So it happens once, however
        often the computer decides on it.
        """
        async with self._store.read() as reader:
            match = await reader.matches.get(id)
            challenge = await reader.challenges.of_match(id)
        if match is None or match.outcome:
            return False
        seat = match.seat_of(self._user)
        level = challenge.terms.level if challenge else None
        kind = _waiting_offer(match, seat)
        if kind is not None:
            agrees = await self._engine.agrees(match, seat, kind, level)
            answer = self._actions.agree if agrees else self._actions.disagree
            await answer(id, self._user, kind, await self._now(), automatic_key(match), version=match.version)
        elif match.to_act == seat:
            action = await self._engine.choose_action(match, level)
            await self._keep_pace(match)
            await self._play(match, action)
        else:
            return False
        return True

    async def _play(self, match: Match, action: Action) -> None:
        at, key, version = await self._now(), automatic_key(match), match.version
        if action.kind is EventKind.RESIGN:
            await self._matches.resign(match.id, self._user, at, key, version=version)
        else:
            await self._matches.move(match.id, self._user, action.text, at, key, version=version)

    async def _keep_pace(self, match: Match) -> None:
        """Waits until the turn has taken as long as the pace asks for."""
        since, deadline = match.clock.since, match.clock.deadline
        pace = self._pace if deadline is None else min(self._pace, (deadline - since) // 2)
        missing = since + pace - await self._now()
        if missing > 0:
            await self._timing.sleep(missing / 1000)

    async def _now(self) -> Millis:
        async with self._store.read() as reader:
            return await reader.clock.now()


def _waiting_offer(match: Match, seat: Seat) -> OfferKind | None:
    """Returns the kind of an offer that waits for the answer of `seat`."""
    waiting = (offer.kind for offer in match.offers if not offer.declined and seat not in offer.agreed)
    return next(waiting, None)
