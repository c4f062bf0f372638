"""The way of every decision about a match: load, decide, save; announce it after the commit.

Whether a use case can be undone is said where it is defined. Surfaces ask before one that cannot be.
"""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

from play.ids import ChannelId, IdempotencyKey, MatchId, Millis
from play.match.conditional_moves import apply_reply
from play.match.match import Match, MatchPlace
from play.refusal import Reason, Refused
from storage import Database
from storage.errors import Stale
from storage.unit_of_work import Reader, Transaction
from use_cases.events import Events
from use_cases.ratings import rate_match, rate_matches

UseCase = TypeVar("UseCase", bound=Callable[..., Any])

Decision = Callable[[Match], Match]
Check = Callable[[Transaction, Match], Awaitable[None]]
"""Raises Refused where the store knows a reason against the decision."""
T = TypeVar("T")

MAX_ATTEMPTS = 3
"""Attempts at a write that other writers keep overtaking."""

ANSWERABLE_MILLIS = Millis(5000)
"""How long the answer to a click may bring a board: the chat takes answers for 3 s, and they travel for a while."""

MAX_CLICK_AGE_MILLIS = Millis(1500)
"""The age of a click when its turn is stored. The answer to an older one may come too late for the chat."""

VERSION_BITS = 20
"""Bits for the version in an automatic key."""


def irreversible(use_case: UseCase) -> UseCase:
    """Marks a use case that no other one undoes. A surface calls it only once its user has answered a question."""
    use_case.undone_by = None  # type: ignore[attr-defined]
    return use_case


def undone_by(other: str) -> Callable[[UseCase], UseCase]:
    """Marks a use case that ends or removes something, which the `other` one of its class brings back."""

    def mark(use_case: UseCase) -> UseCase:
        use_case.undone_by = other  # type: ignore[attr-defined]
        return use_case

    return mark


class Late(Exception):
    """The click may be too old to be answered; nothing was written."""


@dataclass(frozen=True, slots=True)
class InChannel:
    """The match of a channel, for commands and replies that name no match."""

    channel: ChannelId


MatchRef = MatchId | MatchPlace | InChannel


class MatchWriter:
    """Applies decisions to stored matches and publishes the new versions."""

    def __init__(self, store: Database, events: Events) -> None:
        self.store = store
        self.events = events

    async def apply(
        self,
        ref: MatchRef,
        key: IdempotencyKey,
        version: int | None,
        decision: Decision,
        check: Check | None = None,
        *,
        clicked: Millis | None = None,
    ) -> Match:
        """Returns the match after the decision.

        A decision counts once for each `key`, with a `version` only if the match still has it, and with a `check`
        only if that passes.

        If the caller delivers the board itself (`OutboxRelay.reserve`), `clicked` is the time of the player's click.
        Raises Refused, and Late if that click is too old.
        """

        async def attempt() -> list[Match]:
            async with self.store.write() as tx:
                match = await load_match(tx, ref)
                if any(event.key == key for event in match.events):
                    return [match]  # a twin process, or the chat's second delivery, has done it
                if version is not None and version != match.version:
                    raise Refused(Reason.STALE)
                if check is not None:
                    await check(tx, match)
                until = None if clicked is None else _answerable_until(await tx.clock.now(), clicked)
                return [match, *await save(tx, decision(match), until)]

        before, *after = await retry_on_conflict(attempt)
        self.publish(*after)
        return after[0] if after else before

    def publish(self, *matches: Match) -> None:
        """Announces committed versions."""
        for match in matches:
            self.events.match_changed(match)


def automatic_key(match: Match) -> IdempotencyKey:
    """Returns the key of what the program itself does at this version of a match: below zero, where the chat has no
    ids."""
    return IdempotencyKey(-((match.id << VERSION_BITS) + match.version + 1))


async def save(tx: Transaction, match: Match, answer_until: Millis | None = None) -> list[Match]:
    """Saves the match's last event with its ratings, and the conditional move that answers it as the next version.

    Returns the saved versions.
    """
    await _save_version(tx, match, answer_until)
    if not (match.outcome or match.events[-1].changes_position):
        return [match]
    plans = await tx.plans.take_all(match.id)
    plan = next((plan for plan in plans if plan.seat == match.to_act), None)
    reply = apply_reply(match, plan) if plan else None
    if plan is None or reply is None:
        return [match]
    await _save_version(tx, reply)
    if plan.replies[1:] and not reply.outcome:
        await tx.plans.save(plan.rest())
    return [match, reply]


async def save_all(tx: Transaction, matches: Sequence[Match]) -> list[Match]:
    """Saves the last event of each of several matches as `save` does one after the other, with few statements for all.

    They were read in this transaction. Returns the saved versions. Raises Stale.
    """
    await _save_versions(tx, matches)
    plans = await tx.plans.take_of([each.id for each in matches if each.outcome or each.events[-1].changes_position])
    planned = {(plan.match, plan.seat): plan for plan in plans}
    replies = []
    for match in matches:
        plan = None if match.to_act is None else planned.get((match.id, match.to_act))
        reply = apply_reply(match, plan) if plan else None
        if plan is None or reply is None:
            continue
        replies.append(reply)
        if plan.replies[1:] and not reply.outcome:
            await tx.plans.save(plan.rest())
    if replies:
        await _save_versions(tx, replies)
    return [*matches, *replies]


async def retry_on_conflict(attempt: Callable[[], Awaitable[T]]) -> T:
    """Repeats an attempt that another writer has overtaken. Raises Refused (`busy`) after `MAX_ATTEMPTS`."""
    for _ in range(MAX_ATTEMPTS):
        with suppress(Stale):
            return await attempt()
    raise Refused(Reason.BUSY)


async def load_match(reader: Reader, ref: MatchRef) -> Match:
    """Loads a match, looked at from the place of `ref`, if that is one. Raises Refused (`no_match_here`,
    `no_match`)."""
    if isinstance(ref, InChannel):
        stored = await reader.matches.in_channel(ref.channel)
        if stored is None:
            raise Refused(Reason.NO_MATCH_HERE)
        return stored
    place = ref if isinstance(ref, MatchPlace) else MatchPlace(ref)
    stored = await reader.matches.get(place.match)
    if stored is None:
        raise Refused(Reason.NO_MATCH)
    return stored.look_from(away=place.away)


async def _save_version(tx: Transaction, match: Match, answer_until: Millis | None = None) -> None:
    await tx.matches.save(match, answer_until)
    if match.outcome:
        challenge = await tx.challenges.of_match(match.id)
        if challenge is not None:
            await rate_match(tx.ratings, tx.careers, match, challenge)


async def _save_versions(tx: Transaction, matches: Sequence[Match]) -> None:
    await tx.matches.save_all(matches)
    challenges = await tx.challenges.of_matches([match.id for match in matches if match.outcome])
    ended = [(match, challenges[match.id]) for match in matches if match.id in challenges]
    if ended:
        await rate_matches(tx.ratings, tx.careers, ended)


def _answerable_until(now: Millis, clicked: Millis) -> Millis:
    if now - clicked > MAX_CLICK_AGE_MILLIS:
        raise Late
    return Millis(now + ANSWERABLE_MILLIS)
