"""Every use case of a match: load, decide, save; then whoever listens is told, after the commit."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeVar

from play.ids import ChannelId, MatchId, Millis, SourceId
from play.match.conditional_moves import answered
from play.match.match import Match
from play.refusal import Refused
from play.services.ratings import rate_match
from play.store import Reader, Stale, Store, Transaction

Listener = Callable[[Match], None]
Decision = Callable[[Match], Match]
Check = Callable[[Transaction, Match], Awaitable[None]]
"""Raises Refused where the store knows a reason against it."""
T = TypeVar("T")

ATTEMPTS = 3

ANSWERABLE = Millis(5000)
"""How long the answer to a click may bring a board: Discord takes answers for 3 s, and they travel for a while."""

LATE = Millis(1500)
"""A click that is older when its turn would be stored may get no answer any more."""


class Late(Exception):
    """The click may be too old to be answered; nothing was written."""


@dataclass(frozen=True, slots=True)
class Here:
    """The match of a channel: what a command or a reply means when it names none."""

    channel: ChannelId


Table = MatchId | Here


class Deciding:
    """What the use cases have in common."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.listeners: list[Listener] = []
        self.news_listeners: list[Callable[[], None]] = []

    async def _decide(
        self,
        table: Table,
        source: SourceId,
        version: int | None,
        decision: Decision,
        check: Check | None = None,
        *,
        clicked: Millis | None = None,
    ) -> Match:
        """The match after the decision, which counts once for each source, with a `version` only if that is the
        present one, and with a `check` only if that passes.

        If the caller delivers the board itself (Herald.reserve), `clicked` is when the player asked for the
        turn. Raises Late if that is too long ago.
        """

        async def attempt() -> list[Match]:
            async with self._store.write() as tx:
                match = await match_at(tx, table)
                if any(event.source == source for event in match.events):
                    return [match]  # a twin process, or Discord's second try, has done it
                if version is not None and version != match.version:
                    raise Refused("stale")
                if check is not None:
                    await check(tx, match)
                until = None if clicked is None else _answerable_until(await tx.clock.now(), clicked)
                return [match, *await saved(tx, decision(match), until)]

        before, *after = await undisturbed(attempt)
        self._tell(*after)
        return after[0] if after else before

    def announce(self, match: Match) -> None:
        """Tells the listeners of a match that began elsewhere."""
        self._tell(match)

    def _tell(self, *matches: Match) -> None:
        for match in matches:
            for listener in self.listeners:
                listener(match)


def _answerable_until(now: Millis, clicked: Millis) -> Millis:
    if now - clicked > LATE:
        raise Late
    return Millis(now + ANSWERABLE)


async def saved(tx: Transaction, match: Match, answer_until: Millis | None = None) -> list[Match]:
    """Saves the match's last event, what it does to ratings, and the conditional move that answers it as the version
    after it."""
    await _save(tx, match, answer_until)
    if not (match.outcome or match.events[-1].changes_position):
        return [match]
    plans = await tx.plans.take_all(match.id)
    plan = next((plan for plan in plans if plan.seat == match.to_act), None)
    reply = answered(match, plan) if plan else None
    if plan is None or reply is None:
        return [match]
    await _save(tx, reply)
    if plan.line[1:] and not reply.outcome:
        await tx.plans.save(plan.next())
    return [match, reply]


async def _save(tx: Transaction, match: Match, answer_until: Millis | None = None) -> None:
    await tx.matches.save(match, answer_until)
    if match.outcome:
        challenge = await tx.challenges.of_match(match.id)
        if challenge is not None:
            await rate_match(tx.ratings, match, challenge)


async def undisturbed(attempt: Callable[[], Awaitable[T]]) -> T:
    """Repeats an attempt that somebody else was faster than, on what is there by then."""
    for _ in range(ATTEMPTS):
        with suppress(Stale):
            return await attempt()
    raise Refused("busy")


async def match_at(reader: Reader, table: Table) -> Match:
    """Raises Refused (`no_match_here`, `no_match`)."""
    if isinstance(table, Here):
        stored = await reader.matches.in_channel(table.channel)
        if stored is None:
            raise Refused("no_match_here")
    else:
        stored = await reader.matches.get(table)
        if stored is None:
            raise Refused("no_match")
    return stored
