"""Challenges in SQL: one row each."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sqlalchemy import insert, literal_column, or_, select, update

from play.challenge import Challenge, ChallengeState
from play.ids import ChallengeId, MatchId, MessageId, Millis
from play.store import RematchOffered
from storage import schema
from storage.refusal import refused_as
from storage.statements import AnyRow, Statements
from storage.terms import of_terms, terms

_challenge = schema.challenge.c


class ChallengeReader(Statements):
    """The part of a `play.store.Reader` that knows challenges."""

    async def challenge(self, challenge: ChallengeId) -> Challenge | None:
        row = await self._first(select(schema.challenge).where(_challenge.id == challenge))
        return None if row is None else _read(row)

    async def outdated_cards(self, limit: int) -> list[Challenge]:
        outdated = select(schema.challenge).where(_challenge.shown < _challenge.version)
        return [_read(row) for row in await self._all(outdated.order_by(_challenge.id).limit(limit))]

    async def expired_challenges(self, now: Millis, limit: int) -> list[ChallengeId]:
        # The literal is that of the index: with a parameter in its place SQLite would not see that it fits.
        is_open = _challenge.state == literal_column(f"'{ChallengeState.OPEN}'")
        expired = select(_challenge.id).where(is_open, _challenge.expires <= now).order_by(_challenge.expires)
        return [row.id for row in await self._all(expired.limit(limit))]

    async def challenge_of(self, match: MatchId) -> Challenge | None:
        row = await self._first(select(schema.challenge).where(_challenge.match == match))
        return None if row is None else _read(row)


class ChallengeTransaction(ChallengeReader):
    """The part of a `play.store.Transaction` that writes challenges."""

    async def add_challenge(self, challenge: Challenge) -> Challenge:
        added = insert(schema.challenge).values(_values(challenge)).returning(_challenge.id)
        with refused_as(RematchOffered):
            return replace(challenge, id=await self._value(added))

    async def save_challenge(self, challenge: Challenge) -> None:
        await self._change(
            update(schema.challenge)
            .where(_challenge.id == challenge.id, _challenge.version == challenge.version - 1)
            .values(_values(challenge))
        )

    async def card_shown(self, challenge: ChallengeId, version: int, message: MessageId) -> None:
        news = or_(_challenge.shown.is_(None), _challenge.shown < version)
        await self._connection.execute(
            update(schema.challenge).where(_challenge.id == challenge, news).values(message=message, shown=version)
        )


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
        "joined": list(challenge.joined),
        "by": challenge.by,
        "first": of_terms(challenge.first),
        "changes": challenge.changes,
        "instead": challenge.instead,
        "rematch": challenge.rematch,
        "match": challenge.match,
        "version": challenge.version,
    }


def _read(row: AnyRow) -> Challenge:
    return Challenge(
        row.id,
        row.guild,
        row.channel,
        row.challenger,
        row.opponent,
        terms(row.terms),
        row.made,
        ChallengeState(row.state),
        tuple(row.joined),
        row.by,
        row.first and terms(row.first),
        row.changes,
        row.instead,
        row.rematch,
        row.message,
        row.match,
        row.version,
    )
