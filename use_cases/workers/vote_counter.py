"""The counter of votes: closes votes when their time is over, and plays what most are for."""

import logging
from math import inf

from play.community.happening import vote_happening
from play.ids import MatchId, Millis
from play.match.events import EventKind, OfferKind
from play.match.match import Match
from play.refusal import Refused
from play.votes import (
    ARRIVAL_MILLIS,
    MAX_MISSED,
    Choice,
    Poll,
    Side,
    Verdict,
    closing,
    decide,
    has_side,
    missed,
    turn_of,
)
from storage import Database
from storage.errors import Stale
from use_cases.match_actions import MatchActions
from use_cases.match_writer import automatic_key
from use_cases.matches import Matches
from use_cases.votes import Votes, read_poll
from use_cases.worker import RetryLater, Timing, Worker

MAX_SLEEP_SECONDS = 5.0
"""Another process may have begun a vote that this one has not heard of."""

LATE_MILLIS = Millis(5000)
"""Between two looks at a vote that has ended without a vote: one that was cast in time may still arrive."""

log = logging.getLogger(__name__)


class VoteCounter(Worker[MatchId]):
    """Plays as the sides of vote games, in as many processes as there are: each turn is played once.

    A vote is closed in one transaction and counted in another. So each vote that was stored is counted, and whatever
    process counts again after a failure reads the same votes.
    """

    def __init__(
        self,
        store: Database,
        votes: Votes,
        matches: Matches,
        actions: MatchActions,
        timing: Timing = Timing(poll_seconds=MAX_SLEEP_SECONDS).for_play,  # noqa: B008 - frozen
    ) -> None:
        super().__init__(timing)
        self._store = store
        self._votes = votes
        self._matches = matches
        self._actions = actions
        self._until_next = inf

    def note_match(self, match: Match) -> None:
        """Wakes the counter for a new version of a match with a side."""
        if has_side(match):
            self.wake()

    async def poll(self) -> None:
        await super().poll()
        async with self._store.read() as reader:
            now, due = await reader.clock.now(), await reader.votes.next_look()
        self._until_next = inf if due is None else (due - now) / 1000

    def pause(self) -> float:
        return min(super().pause(), max(self._until_next, self._timing.backoff.min_seconds))

    async def pending(self, limit: int) -> list[MatchId]:
        async with self._store.read() as reader:
            return await reader.votes.to_look_at(await reader.clock.now(), limit)

    async def process(self, key: MatchId) -> bool:
        """Does what is due next in a match; returns False when that is nothing until the moment that is noted."""
        async with self._store.read() as reader:
            match, now = await reader.matches.get(key), await reader.clock.now()
            sides = await reader.votes.of_match(key)
        assert match is not None, "a side has a match"
        if match.outcome:
            async with self._store.write() as tx:
                await tx.votes.end(key)
                await tx.happenings.plan(vote_happening(match), now)
            return False
        try:
            return await self._act(match, sides, now)
        except (Refused, Stale) as overtaken:
            raise RetryLater(f"match {key} has changed while its votes were counted: {overtaken!r}") from overtaken

    async def _act(self, match: Match, sides: tuple[Side, ...], now: Millis) -> bool:
        if await self._offer_draw(match, sides, now):
            return True
        side = next((side for side in sides if side.seat == match.to_act), None)
        if side is None:
            return await self._note(match, None)
        turn = turn_of(match)
        if side.closed >= turn:
            return await self._play(match, side, now)
        due = Millis(closing(match, side) + ARRIVAL_MILLIS)
        is_early = now < due
        early = await self._votes.early_closing(match, side) if is_early else None
        if is_early and (early is None or now < early):
            return await self._note(match, due if early is None else min(due, early))
        if await self._votes.settle(match, side, is_early=is_early):
            return True
        if is_early:
            return await self._note(match, due)
        return not side.is_prolonged(turn) or await self._go_on(match, side, now)

    async def _go_on(self, match: Match, side: Side, now: Millis) -> bool:
        """Gives a side that hasn't decided anything a longer vote, and offers its opponent a draw with the last one.
        After that the flag falls; a vote that was cast in time may still arrive."""
        count = missed(match, side.seat)
        if count == MAX_MISSED:
            return await self._note(match, Millis(now + LATE_MILLIS))
        key, version = automatic_key(match), match.version
        longer = await self._actions.go_on_voting(match.id, side, now, key, version=version)
        if missed(longer, side.seat) == MAX_MISSED and longer.offer(OfferKind.DRAW) is None:
            key, version = automatic_key(longer), longer.version
            await self._actions.propose(match.id, side.account, OfferKind.DRAW, now, key, version=version)
        return True

    async def _play(self, match: Match, side: Side, now: Millis) -> bool:
        """Plays what the closed vote about the present turn has decided. If that is nothing now, the flag falls."""
        verdict = decide(match, side.seat, await self._count(match, side, side.closed, now))
        user, key, version = side.account, automatic_key(match), match.version
        if verdict is None:
            return await self._note(match, None)
        if verdict.choice is Choice.RESIGN:
            await self._matches.resign(match.id, user, now, key, version=version)
        elif verdict.choice is Choice.DRAW:
            await self._actions.agree(match.id, user, OfferKind.DRAW, now, key, version=version)
        else:
            await self._matches.move(match.id, user, verdict.text, now, key, version=version)
        return True

    async def _offer_draw(self, match: Match, sides: tuple[Side, ...], now: Millis) -> bool:
        """Offers a draw for a side that has voted for one: after its move or, without one, when its vote goes on."""
        if match.offer(OfferKind.DRAW) is not None:
            return False
        last = match.events[-1] if match.events else None
        for side in sides:
            if last is not None and last.kind is EventKind.MOVE and last.seat == side.seat:
                poll = await self._count(match, side, side.closed, now)
                verdict = decide(match.before_move(len(match.moves)), side.seat, poll)
                wants_draw = verdict is not None and verdict.offers_draw
            elif match.to_act == side.seat and side.is_prolonged(turn_of(match)):
                poll = await self._count(match, side, side.prolonged, now)
                wants_draw = decide(match, side.seat, poll) == Verdict(Choice.DRAW)
            else:
                continue
            if wants_draw:
                key, version = automatic_key(match), match.version
                await self._actions.propose(match.id, side.account, OfferKind.DRAW, now, key, version=version)
                return True
        return False

    async def _count(self, match: Match, side: Side, turn: int, now: Millis) -> Poll:
        async with self._store.read() as reader:
            return await read_poll(reader, match, side, turn, now)

    async def _note(self, match: Match, due: Millis | None) -> bool:
        async with self._store.write() as tx:
            await tx.votes.mark_looked(match.id, match.version, due)
        return False
