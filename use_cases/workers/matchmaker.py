"""The matchmaker: pairs those who look for a stranger, calls both, and begins their games."""

import asyncio
import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple, Protocol

from play.challenge.challenge import Challenge, ChallengeState
from play.challenge.pool import Pool
from play.clock import Speed
from play.community.conduct import Conduct, Level
from play.community.seek import (
    AGAIN_MILLIS,
    RATED_AGAIN_MILLIS,
    Seek,
    SeekCall,
    SeekId,
    SeekState,
    agree,
    begin,
    end,
    look_on,
    meet,
    renewed,
)
from play.community.seek_pairing import Seeker, pair
from play.ids import DAY, MINUTE, SECOND, ChallengeId, ChannelId, MessageId, Millis, UserId
from play.match.events import Event, EventKind
from play.match.match import AwayPlace, Match
from play.ratings.glicko import INITIAL_RATING
from play.refusal import Refused
from rules.game import Seat
from storage import Database
from storage.errors import ChannelTaken, Stale
from storage.unit_of_work import Reader, Transaction
from use_cases.barriers import check_may_meet
from use_cases.challenges import build_match
from use_cases.events import Events
from use_cases.limits import Capacity, give_way
from use_cases.match_writer import automatic_key, save
from use_cases.seeks import Seeks, is_closed, pool_of_seek
from use_cases.worker import ChannelClosed, RetryLater, Timing, Undeliverable, Unsendable, Unshowable, Worker

log = logging.getLogger(__name__)

MAX_SEEKS = 500
"""Searches of a speed that are looked at in a round, those that have waited longest."""

SEEK_POLL_SECONDS = 5.0
"""Between two looks at those who wait: with each, ratings may differ by more."""

MAX_CALL_MILLIS = {Speed.LIVE: MINUTE, Speed.DAYS: DAY}
"""After so long a player whom no call reaches is given up."""

LATE_MILLIS = Millis(10 * SECOND)
"""A call that ended so long ago has waited for a process to run. Its buttons did nothing then, so nobody is blamed."""

MAX_PAIR_MILLIS = {Speed.LIVE: Millis(3 * MINUTE), Speed.DAYS: Millis(2 * DAY)}
"""After so long a pair that has no game parts, with both looking on: their answers are of another time."""


class Posted(NamedTuple):
    """A message, and where it is."""

    channel: ChannelId
    message: MessageId


class SeekDisplay(Protocol):
    """What those who look are told; chat/ and bot/ implement it. Posting the same twice makes one message, where the
    platform promises that. Raises Undeliverable if the channel is gone, ChannelClosed while the bot may not post there;
    anything else is tried again."""

    async def call(self, seek: Seek, opponent: UserId) -> Sequence[Posted]:
        """Posts the messages that call a player to their game, the one in the place of the search first."""

    async def open_place(self, seek: Seek, opponent: UserId) -> ChannelId | None:
        """Opens the place of the game in that of the search; None where it is played in that itself."""

    async def settle(self, call: SeekCall) -> None:
        """Says in the message of a call what has come of it."""


class Matchmaker(Worker[SeekId]):
    """Pairs searches, and brings pairs to their games. A key is the earlier search of a pair."""

    def __init__(
        self,
        store: Database,
        seeks: Seeks,
        events: Events,
        capacity: Capacity,
        display: SeekDisplay,
        seeds: Callable[[], int],
        timing: Timing = Timing(),  # noqa: B008 - frozen
    ) -> None:
        super().__init__(timing, concurrent=True)
        self._store = store
        self._seeks = seeks
        self._events = events
        self._capacity = capacity
        self._display = display
        self._seeds = seeds

    async def pending(self, limit: int) -> list[SeekId]:
        """Pairs those who wait; returns the pairs that have no game yet."""
        async with self._store.read() as reader:
            now = await reader.clock.now()
        await self._seeks.expire(now)
        for speed in Speed:
            await self._pair(speed, now)
        async with self._store.read() as reader:
            return await reader.seeks.called(now, limit)

    async def process(self, key: SeekId) -> None:
        async with self._store.read() as reader:
            now = await reader.clock.now()
            pair = await _load_pair(reader, key)
        with suppress(Stale):  # another process is faster
            if len(pair) == 2:
                await self._bring_together(pair, now)
            elif pair:  # the other one has deleted their data
                await self._change(*((seek, look_on(seek)) for seek in pair))

    async def _bring_together(self, pair: list[Seek], now: Millis) -> None:
        if now >= (pair[0].met or now) + MAX_PAIR_MILLIS[pair[0].speed]:
            await self._part(pair, [])
            return
        if barred := await self._barred(pair, now):
            await self._part(pair, barred)
            return
        if any(seek.call is None for seek in pair):
            if (called := await self._call_both(pair, now)) is None:
                return
            pair, now = called
        ends = pair[0].call_ends
        if ends is None or all(seek.ready for seek in pair):
            await self._begin(pair, now)
        elif now >= ends + LATE_MILLIS:
            await self._part(pair, [])
        elif now >= ends:
            await self._give_up(pair)
        else:
            self._poll_by(self._timing.clock() + (ends - now) / 1000)

    # Pairs

    async def _pair(self, speed: Speed, now: Millis) -> None:
        """Pairs those who wait at a speed: no two who are one person, have a block between them or have met lately."""
        async with self._store.read() as reader:
            waiting = await reader.seeks.waiting(speed, now, MAX_SEEKS)
            if len(waiting) < 2 or await is_closed(reader, now):
                return
            users = {seek.user for seek in waiting}
            conduct = await reader.seeks.conduct(users, now)
            apart = {frozenset(block) for block in await reader.blocks.among(users)}
            for own in (await reader.own_accounts.of_all(users)).values():
                apart |= set(map(frozenset, combinations(own, 2)))
            apart |= await reader.seeks.partners(users, Millis(now - AGAIN_MILLIS[speed]))
            strengths = await _strengths(reader, waiting)
            seekers = [
                Seeker(seek, strengths[seek.id], conduct[seek.user].level is not Level.FINE)
                for seek in waiting
                if conduct[seek.user].level is not Level.OUT
            ]
        for one, other in await asyncio.to_thread(pair, seekers, now, apart):
            try:
                async with self._store.write() as tx:
                    await tx.seeks.save(meet(one.seek, other.seek.id, now))
                    await tx.seeks.save(meet(other.seek, one.seek.id, now))
            except Stale:  # one has left, or another process has paired them
                continue

    async def _barred(self, pair: list[Seek], now: Millis) -> list[Seek]:
        """Returns those of a pair who may not meet strangers any more, as one who was banned meanwhile."""
        barred = []
        async with self._store.read() as reader:
            for seek in pair:
                try:
                    await self._seeks.check(reader, seek, now)
                except Refused as refused:
                    log.info("search %d: no game: %s", seek.id, refused)
                    barred.append(seek)
        return barred

    async def _part(self, pair: list[Seek], barred: Collection[Seek]) -> None:
        """Ends the searches of those who are barred; the others look on."""
        await self._change(*((seek, end(seek, SeekState.LEFT) if seek in barred else look_on(seek)) for seek in pair))

    async def _call_both(self, pair: list[Seek], now: Millis) -> tuple[list[Seek], Millis] | None:
        """Calls those who are not called yet, and returns both with the moment from which they have time to answer;
        None if one can't be called, who looks no further."""
        for place, seek in enumerate(pair):
            if seek.call is not None:
                continue
            try:
                posted = await self._display.call(seek, pair[1 - place].user)
            except (RetryLater, Undeliverable, Unsendable, Unshowable) as error:
                if self._may_still_be_called(seek, now, error):
                    raise
                log.warning("search %d: its player can't be called: %s", seek.id, error)
                await self._part(pair, [seek])
                return None
            async with self._store.write() as tx:
                await tx.seeks.note_calls(seek, [_call_of(seek, each) for each in posted])
            pair[place] = replace(seek, call=posted[0].message)
        async with self._store.write() as tx:
            met = await tx.clock.now()
            await tx.seeks.note_met(pair, met)
        return [replace(seek, met=met) for seek in pair], met

    @staticmethod
    def _may_still_be_called(seek: Seek, now: Millis, error: Exception) -> bool:
        if not isinstance(error, RetryLater) or isinstance(error, ChannelClosed):
            return False
        return seek.met is None or now < seek.met + MAX_CALL_MILLIS[seek.speed]

    async def _give_up(self, pair: list[Seek]) -> None:
        """Ends the search of those who were called and not there; the other one looks on, and so does each for a
        friend."""
        patient = [seek for seek in pair if seek.ready or seek.private]
        await self._change(
            *((seek, look_on(seek) if seek in patient else end(seek, SeekState.MISSED)) for seek in pair)
        )

    async def _change(self, *changes: tuple[Seek, Seek]) -> None:
        async with self._store.write() as tx:
            now = await tx.clock.now()
            for _, changed in changes:
                await tx.seeks.save(changed)
                await tx.seeks.answer_calls(changed.id, changed.state, None, now)
        self._events.calls_answered()
        self.wake()

    # Games

    async def _begin(self, pair: list[Seek], now: Millis) -> None:
        """Begins the game of a pair. If something keeps the two from each other by now, both searches end; that of one
        alone if their place is gone, or they may not meet strangers any more."""
        places: list[ChannelId | None] = [None, None]
        for number, seek in enumerate(pair[:1] if _is_together(*pair) else pair):
            try:
                places[number] = await self._display.open_place(seek, pair[1 - number].user)
            except (Undeliverable, Unsendable) as error:
                log.info("search %d: no place for the game: %s", seek.id, error)
                await self._part(pair, [seek])
                return
        try:
            match, ended = await self._store_match(pair, places, now)
        except (Refused, ChannelTaken) as refused:
            log.info("searches %d and %d: no game: %s", pair[0].id, pair[1].id, refused)
            await self._part(pair, await self._barred(pair, now) or pair)
            return
        for changed in (match, *ended):
            self._events.match_changed(changed)
        self._events.calls_answered()

    async def _store_match(
        self, pair: list[Seek], places: Sequence[ChannelId | None], now: Millis
    ) -> tuple[Match, list[Match]]:
        """Stores the match of a pair; returns it, and those against the computer that end by that."""
        home, guest = pair
        async with self._store.write() as tx:
            await tx.challenges.lock()
            for one, other in ((home, guest), (guest, home)):
                await check_may_meet(tx, one.guild, one.user, [other.user], now)
            ended = [
                saved for seek in pair for saved in await _end_meanwhile(tx, seek, now)
            ]  # may be in the place of one
            conduct = await tx.seeks.conduct({home.user, guest.user}, now)
            challenge = await self._challenge(tx, home, guest, conduct, now)
            built = await _build(tx, challenge, home, guest, places, self._seeds(), now)
            await self._capacity.check_match(tx, challenge, built.players, home.user)
            match = await tx.matches.add(built)
            added = await tx.challenges.add(replace(challenge, match=match.id))
            assert home.call is not None, "both are called"
            await tx.challenges.mark_card_posted(added.id, added.version, home.call)
            await give_way(tx, added, match)
            for seek in pair:
                await tx.seeks.save(begin(seek, match.id))
                await tx.seeks.answer_calls(seek.id, SeekState.PLAYED, match.id, now)
                next_one = renewed(seek, now)
                if next_one is not None and conduct[seek.user].level is Level.FINE:
                    await tx.seeks.add(next_one)
        return match, ended

    async def _challenge(
        self, tx: Transaction, home: Seek, guest: Seek, conduct: Mapping[UserId, Conduct], now: Millis
    ) -> Challenge:
        """Returns the challenge, accepted, of two who have found each other. That of a player who has left others too
        often is unrated, and that of two who have met lately."""
        terms = agree(home, guest)
        assert terms is not None, "they are a pair"
        is_unrated = any(each.level is Level.UNRATED for each in conduct.values())
        if is_unrated or await tx.seeks.partners(conduct.keys(), Millis(now - RATED_AGAIN_MILLIS)):
            terms = replace(terms, rated=False)
        return Challenge(
            *(ChallengeId(0), home.guild, home.channel, home.user, guest.user, terms, now),
            state=ChallengeState.ACCEPTED,
            joined=(guest.user,),
            message=home.call,
        )


async def _build(
    reader: Reader,
    challenge: Challenge,
    home: Seek,
    guest: Seek,
    places: Sequence[ChannelId | None],
    seed: int,
    now: Millis,
) -> Match:
    """Returns the match in the places of both; in that of the first, if they are on one server."""
    built = replace(await build_match(reader, challenge, seed, now, places[0]), strangers=True)
    if _is_together(home, guest):
        return built
    seat = Seat(built.players.index(guest.user))
    away = AwayPlace(guest.guild, places[1] or guest.channel, guest.channel if places[1] else None, seat)
    return replace(built, away=away)


async def _end_meanwhile(tx: Transaction, seek: Seek, now: Millis) -> list[Match]:
    """Lets the computer leave the game that it has played with a player meanwhile; nothing counts of it."""
    match = None if seek.meanwhile is None else await tx.matches.get(seek.meanwhile)
    if match is None or match.outcome is not None or seek.user not in match.players:
        return []
    computer = next(seat for seat in match.seats if match.players[seat] != seek.user)
    return await save(tx, match.after(Event(EventKind.ABORT, computer, "", now, automatic_key(match))))


def _is_together(home: Seek, guest: Seek) -> bool:
    return home.guild is not None and home.guild == guest.guild


def _call_of(seek: Seek, posted: Posted) -> SeekCall:
    return SeekCall(posted.message, posted.channel, seek.id, seek.user, seek.guild)


async def _load_pair(reader: Reader, key: SeekId) -> list[Seek]:
    """Returns the searches of a pair: of one that waits for nobody any more the rest, which may be none."""
    one = await reader.seeks.get(key)
    if one is None or one.state is not SeekState.CALLED or one.partner is None:
        return []
    other = await reader.seeks.get(one.partner)
    return [one] if other is None or other.partner != one.id else [one, other]


async def _strengths(reader: Reader, seeks: Collection[Seek]) -> dict[SeekId, float]:
    """Returns the rating of each player in the pool of their terms, rated or not."""
    by_pool: dict[Pool | None, list[Seek]] = {}
    for seek in seeks:
        by_pool.setdefault(pool_of_seek(seek), []).append(seek)
    found = {seek.id: INITIAL_RATING for seek in by_pool.pop(None, [])}
    for pool, own in by_pool.items():
        assert pool is not None, "those without one are taken out"
        ratings = await reader.ratings.get(pool, [seek.user for seek in own])
        found |= {seek.id: ratings[seek.user].value for seek in own}
    return found
