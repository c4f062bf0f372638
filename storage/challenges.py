"""Challenges in SQL: one row, and one for each who has joined."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import Any

from sqlalchemy import ColumnElement, Select, delete, func, insert, literal_column, or_, select, update

from play.challenge.challenge import LIFETIME, Challenge, ChallengeState
from play.clock.calendar import Span
from play.ids import ChallengeId, ChannelId, MatchId, MessageId, Millis, SourceId, UserId
from play.store import RematchOffered
from storage import schema
from storage.conflicts import refused_as
from storage.statements import AnyRow, Statements
from storage.terms import of_terms, terms

_challenge = schema.challenge.c
_joiner = schema.joiner.c
# The literal is that of the indexes: with a parameter in its place SQLite would not see that they fit.
_is_open = _challenge.state == literal_column(f"'{ChallengeState.OPEN}'")

MAX_PUT_OFF = 30 * 60_000
"""Milliseconds by which one downtime puts challenges off; after a longer one those who made them may be gone."""

SEEN = 60_000
"""Milliseconds; a card tells the time that is left in minutes or more."""


class ChallengeReader(Statements):
    """The part of a `play.store.Reader` that knows challenges."""

    async def challenge(self, challenge: ChallengeId) -> Challenge | None:
        return await self._only(_challenge.id == challenge)

    async def challenge_by(self, source: SourceId | None) -> Challenge | None:
        return None if source is None else await self._only(_challenge.source == source)

    async def count_open_challenges(self, *, challenger: UserId | None = None, channel: ChannelId | None = None) -> int:
        counted = select(func.count()).select_from(schema.challenge).where(_is_open)
        if challenger is not None:
            counted = counted.where(_challenge.challenger == challenger)
        if channel is not None:
            counted = counted.where(_challenge.channel == channel)
        count: int = await self._value(counted)
        return count

    async def callers(self, opponent: UserId, since: Millis) -> list[UserId]:
        found = select(_challenge.challenger).where(
            _challenge.opponent == opponent,
            _challenge.match.is_(None),
            _challenge.made > since - max(LIFETIME.values()),  # nothing older is open
            or_(_is_open, _challenge.made > since),
        )
        return [row.challenger for row in await self._all(found)]

    async def outdated_cards(self, limit: int) -> list[Challenge]:
        outdated = select(schema.challenge).where(_challenge.shown < _challenge.version)
        return await self._challenges(outdated.order_by(_challenge.id).limit(limit))

    async def expired_challenges(self, now: Millis, limit: int) -> list[ChallengeId]:
        expired = select(_challenge.id).where(_is_open, _challenge.expires <= now).order_by(_challenge.expires)
        return [row.id for row in await self._all(expired.limit(limit))]

    async def challenge_of(self, match: MatchId) -> Challenge | None:
        return await self._only(_challenge.match == match)

    async def rematch_of(self, match: MatchId) -> Challenge | None:
        return await self._only(_challenge.rematch == match, _is_open)

    async def _only(self, *which: ColumnElement[bool]) -> Challenge | None:
        found = await self._challenges(select(schema.challenge).where(*which))
        return found[0] if found else None

    async def _challenges(self, asked: Select[Any]) -> list[Challenge]:
        rows = await self._all(asked)
        of_these = select(schema.joiner).where(_joiner.challenge.in_([row.id for row in rows]))
        joined: dict[ChallengeId, list[UserId]] = defaultdict(list)
        for each in await self._all(of_these.order_by(_joiner.challenge, _joiner.number)) if rows else ():
            joined[each.challenge].append(each.user)
        return [_read(row, tuple(joined[row.id])) for row in rows]


class ChallengeTransaction(ChallengeReader):
    """The part of a `play.store.Transaction` that writes challenges."""

    async def lock_challenges(self) -> None:
        await self._lock(schema.challenge)

    async def add_challenge(self, challenge: Challenge) -> Challenge:
        added = insert(schema.challenge).values(_values(challenge)).returning(_challenge.id)
        with refused_as(RematchOffered):
            stored = replace(challenge, id=await self._value(added))
        await self._join(stored)
        return stored

    async def save_challenge(self, challenge: Challenge) -> None:
        await self._change(
            update(schema.challenge)
            .where(_challenge.id == challenge.id, _challenge.version == challenge.version - 1)
            .values(_values(challenge))
        )
        await self._connection.execute(delete(schema.joiner).where(_joiner.challenge == challenge.id))
        await self._join(challenge)

    async def card_shown(self, challenge: ChallengeId, version: int, message: MessageId) -> None:
        news = or_(_challenge.shown.is_(None), _challenge.shown < version)
        await self._connection.execute(
            update(schema.challenge).where(_challenge.id == challenge, news).values(message=message, shown=version)
        )

    async def _put_challenges_off(self, downtime: Span) -> None:
        """Nobody could take a challenge while the bot was away. A card is written anew for what can be seen on it."""
        gap = min(downtime.end - downtime.start, MAX_PUT_OFF)
        seen = int(gap >= SEEN)
        put_off = {"expires": _challenge.expires + gap, "version": _challenge.version + seen}
        standing = update(schema.challenge).where(_is_open, _challenge.expires > downtime.start)
        await self._connection.execute(standing.values(put_off))

    async def _join(self, challenge: Challenge) -> None:
        rows = [
            {"challenge": challenge.id, "number": number, "user": user} for number, user in enumerate(challenge.joined)
        ]
        if rows:
            await self._connection.execute(insert(schema.joiner), rows)


def _values(challenge: Challenge) -> dict[str, Any]:
    return {
        "guild": challenge.guild,
        "channel": challenge.channel,
        "challenger": challenge.challenger,
        "opponent": challenge.opponent,
        "terms": of_terms(challenge.terms),
        "made": challenge.made,
        "expires": challenge.expires,
        "state": challenge.state.value,
        "by": challenge.by,
        "first": of_terms(challenge.first),
        "changes": challenge.changes,
        "instead": challenge.instead,
        "rematch": challenge.rematch,
        "match": challenge.match,
        "version": challenge.version,
        "source": challenge.source,
    }


def _read(row: AnyRow, joined: tuple[UserId, ...]) -> Challenge:
    agreed = terms(row.terms)
    return Challenge(
        row.id,
        row.guild,
        row.channel,
        row.challenger,
        row.opponent,
        agreed,
        row.made,
        ChallengeState(row.state),
        joined,
        row.by,
        row.first and terms(row.first),
        row.changes,
        row.instead,
        row.rematch,
        row.message,
        row.match,
        row.version,
        row.source,
        Millis(row.expires - row.made - LIFETIME[agreed.control.speed]),
    )
