"""The use cases: load, decide, save; then whoever listens is told, after the commit."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TypeVar

from play import challenge as challenges
from play import match as matches
from play.challenge import Challenge, Terms
from play.ids import ChallengeId, ChannelId, GuildId, MatchId, Millis, SourceId, UserId
from play.match import Match
from play.refused import Refused
from play.store import ChannelTaken, Entry, Reader, Stale, Store

Listener = Callable[[Match], None]
Decision = Callable[[Match], Match]
T = TypeVar("T")

FLAGS_AT_ONCE = 50
ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class Here:
    """The match of a channel: what a command or a reply means when it names none."""

    channel: ChannelId


Table = MatchId | Here


class Tables:
    """Everything that people, and the clock, can do. Raises Refused for what cannot be done.

    `seeds` draws what a match leaves to chance: whole numbers of 63 bits, which every store can hold.
    """

    def __init__(self, store: Store, seeds: Callable[[], int]) -> None:
        self._store = store
        self._seeds = seeds
        self.listeners: list[Listener] = []

    async def challenge(
        self,
        user: UserId,
        opponent: UserId | None,
        guild: GuildId | None,
        channel: ChannelId,
        terms: Terms,
        at: Millis,
    ) -> Challenge:
        """`user` offers a match to `opponent`, or to anybody (None)."""
        if user == opponent:
            raise Refused("challenge_self")
        async with self._store.write() as transaction:
            return await transaction.add_challenge(
                Challenge(ChallengeId(0), guild, channel, user, opponent, terms, made=at)
            )

    async def accept(
        self, challenge: ChallengeId, user: UserId, at: Millis, *, thread: ChannelId | None = None
    ) -> tuple[Challenge, Match]:
        """`user` takes a challenge: the match begins, in `thread` if one can be opened, else in the card's channel.

        Who moves first is drawn.
        """
        seed = self._seeds()

        async def attempt() -> tuple[Challenge, Match]:
            async with self._store.write() as transaction:
                accepted = challenges.taken(await _challenge(transaction, challenge), user, at)
                players = [accepted.challenger, user]
                random.Random(seed).shuffle(players)  # noqa: S311 - who begins is no secret
                match = await transaction.add_match(
                    Match.begun(
                        MatchId(0),
                        guild=accepted.guild,
                        channel=thread or accepted.channel,
                        parent=accepted.channel if thread else None,
                        game=accepted.terms.game,
                        seed=seed,
                        players=tuple(players),
                        control=accepted.terms.control,
                        at=at,
                    )
                )
                accepted = replace(accepted, match=match.id)
                await transaction.save_challenge(accepted)
            return accepted, match

        try:
            accepted, match = await _undisturbed(attempt)
        except ChannelTaken as taken:
            raise Refused("channel_busy") from taken
        self._tell(match)
        return accepted, match

    async def decline(self, challenge: ChallengeId, user: UserId, at: Millis) -> Challenge:
        """`user` turns a challenge down, or takes his own back."""

        async def attempt() -> Challenge:
            async with self._store.write() as transaction:
                declined = challenges.declined(await _challenge(transaction, challenge), user, at)
                await transaction.save_challenge(declined)
            return declined

        return await _undisturbed(attempt)

    async def move(
        self, table: Table, user: UserId, text: str, at: Millis, source: SourceId, *, version: int | None = None
    ) -> Match:
        """`user` plays. With `version` (a button's), only if nothing has happened since."""
        return await self._decide(table, source, version, lambda match: matches.move(match, user, text, at, source))

    async def resign(
        self, table: Table, user: UserId, at: Millis, source: SourceId, *, version: int | None = None
    ) -> Match:
        """`user` gives up."""
        return await self._decide(table, source, version, lambda match: matches.resign(match, user, at, source))

    async def board(self, table: Table) -> Match:
        """The match of a table, as it stands."""
        async with self._store.read() as reader:
            return await _match(reader, table)

    async def games(self, user: UserId) -> list[Entry]:
        """The open matches of a person, the most urgent first."""
        async with self._store.read() as reader:
            return await reader.open_matches(user)

    async def flag(self) -> int:
        """Ends the matches whose time is over, a bounded number at once; says how many.

        One match that cannot be ended keeps no other from its end: what went wrong is raised when all have had
        their turn, as an ExceptionGroup.
        """
        async with self._store.read() as reader:
            now = await reader.now()
            overdue = await reader.overdue(Millis(now - matches.GRACE), FLAGS_AT_ONCE)
        failures = []
        for match in overdue:
            try:
                await self._flag(match, now)
            except Exception as failure:
                failure.add_note(f"match {match}")
                failures.append(failure)
        if failures:
            raise ExceptionGroup("flags that did not fall", failures)
        return len(overdue)

    async def _flag(self, match: MatchId, now: Millis) -> None:
        try:
            async with self._store.write() as transaction:
                stored = await _match(transaction, match)
                flagged = matches.flag(stored, now)
                if flagged is stored:
                    return
                await transaction.save(flagged)
        except Stale:
            return  # a move was first
        self._tell(flagged)

    async def _decide(self, table: Table, source: SourceId, version: int | None, decision: Decision) -> Match:
        async def attempt() -> tuple[Match, bool]:
            async with self._store.write() as transaction:
                match = await _match(transaction, table)
                if any(event.source == source for event in match.events):
                    return match, False  # a twin process, or Discord's second try, has done it
                if version is not None and version != match.version:
                    raise Refused("stale")
                decided = decision(match)
                await transaction.save(decided)
            return decided, True

        match, news = await _undisturbed(attempt)
        if news:
            self._tell(match)
        return match

    def _tell(self, match: Match) -> None:
        for listener in self.listeners:
            listener(match)


async def _undisturbed(attempt: Callable[[], Awaitable[T]]) -> T:
    """Repeats an attempt that somebody else was faster than, on what is there by then."""
    for _ in range(ATTEMPTS):
        with suppress(Stale):
            return await attempt()
    raise Refused("busy")


async def _challenge(reader: Reader, challenge: ChallengeId) -> Challenge:
    stored = await reader.challenge(challenge)
    if stored is None:
        raise Refused("no_challenge")
    return stored


async def _match(reader: Reader, table: Table) -> Match:
    if isinstance(table, Here):
        stored = await reader.match_in(table.channel)
        if stored is None:
            raise Refused("no_match_here")
    else:
        stored = await reader.match(table)
        if stored is None:
            raise Refused("no_match")
    return stored
