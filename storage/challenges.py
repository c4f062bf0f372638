"""Challenges in SQL: one row, and one for each user who has joined."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from dataclasses import replace
from typing import Any

from sqlalchemy import (
    ColumnElement,
    CompoundSelect,
    Select,
    bindparam,
    delete,
    func,
    insert,
    literal_column,
    or_,
    select,
    union,
    update,
)

from play.challenge.challenge import LIFETIME, Challenge, ChallengeState
from play.clock.schedule import Span
from play.ids import MINUTE, ChallengeId, ChannelId, GuildId, IdempotencyKey, MatchId, MessageId, Millis, UserId
from storage import schema
from storage.conflicts import raises_on_conflict
from storage.errors import RematchOffered
from storage.statements import AnyRow, Repository, Statements, Values
from storage.terms import read_terms, terms_values

_challenge = schema.challenge.c
_joiner = schema.joiner.c
# The literal is that of the indexes: with a parameter in its place SQLite would not see that they fit.
_is_open = _challenge.state == literal_column(f"'{ChallengeState.OPEN}'")

_LANGUAGE = select(_challenge.language).where(_challenge.id == bindparam("challenge"))
_ONE = select(schema.challenge).where(_challenge.id == bindparam("challenge"))
_CARDS_TO_UPDATE = (
    select(schema.challenge)
    .where(_challenge.shown < _challenge.version)
    .order_by(_challenge.id)
    .limit(bindparam("limit"))
)
_EXPIRED = (
    select(_challenge.id)
    .where(_is_open, _challenge.expires <= bindparam("now"))
    .order_by(_challenge.expires)
    .limit(bindparam("limit"))
)
_CARD_POSTED = update(schema.challenge).where(
    _challenge.id == bindparam("of_challenge"), or_(_challenge.shown.is_(None), _challenge.shown < bindparam("as_of"))
)
_JOINERS = (
    select(schema.joiner)
    .where(_joiner.challenge.in_(bindparam("challenges", expanding=True)))
    .order_by(_joiner.challenge, _joiner.number)
)

MAX_EXTENSION_MILLIS = 30 * MINUTE
"""The most that one downtime extends a challenge by; after a longer one the challenger may be gone."""

VISIBLE_MILLIS = MINUTE
"""A card shows the remaining time in minutes or longer units."""


class ChallengeReader(Repository):
    """Challenges, as reads see them."""

    __slots__ = ()

    async def get(self, challenge: ChallengeId) -> Challenge | None:
        found = await self._challenges(_ONE, challenge=challenge)
        return found[0] if found else None

    async def by_key(self, key: IdempotencyKey | None) -> Challenge | None:
        """Returns the challenge that an interaction has made; None if it has made none."""
        return None if key is None else await self._only(_challenge.source == key)

    async def count_open(self, *, challenger: UserId | None = None, channel: ChannelId | None = None) -> int:
        """Counts the open challenges: of a user, or in a channel."""
        counted = select(func.count()).select_from(schema.challenge).where(*_open_ones(challenger, channel))
        count: int = await self._sql.value(counted)
        return count

    async def list_open(self, *, challenger: UserId | None = None, channel: ChannelId | None = None) -> list[Challenge]:
        """Returns the open challenges of a user, or in a channel, the newest first."""
        found = select(schema.challenge).where(*_open_ones(challenger, channel))
        return await self._challenges(found.order_by(_challenge.id.desc()))

    async def open_to_all(
        self, guild: GuildId, limit: int, channels: Collection[ChannelId] | None = None
    ) -> list[Challenge]:
        """Returns the open challenges of a server, or of these channels of it, with cards that anyone may accept, the
        newest first."""
        offered = _is_open, _challenge.guild == guild, _challenge.opponent.is_(None), _challenge.message.is_not(None)
        newest = select(schema.challenge).where(*offered).order_by(_challenge.id.desc())
        if channels is not None:
            newest = newest.where(_challenge.channel.in_(channels))
        return await self._challenges(newest.limit(limit))

    async def of_cards(self, channel: ChannelId, messages: Collection[MessageId]) -> list[ChallengeId]:
        """Returns the open challenges of a channel whose cards are among these messages."""
        found = select(_challenge.id).where(_is_open, _challenge.channel == channel, _challenge.message.in_(messages))
        return [row.id for row in await self._sql.all(found)]

    async def challengers_of(self, opponent: UserId, since: Millis) -> list[UserId]:
        """Returns the users who have challenged `opponent`, once for each challenge that is open, or that was made
        after `since` and became no match."""
        found = select(_challenge.challenger).where(
            _challenge.opponent == opponent,
            _challenge.match.is_(None),
            _challenge.made > since - max(LIFETIME.values()),  # nothing older is open
            or_(_is_open, _challenge.made > since),
        )
        return [row.challenger for row in await self._sql.all(found)]

    async def cards_to_update(self, limit: int) -> list[Challenge]:
        """Returns the challenges that have changed since their cards were written."""
        return await self._challenges(_CARDS_TO_UPDATE, limit=limit)

    async def expired(self, now: Millis, limit: int) -> list[ChallengeId]:
        """Returns the open challenges whose time is over, the oldest first."""
        return [row.id for row in await self._sql.all(_EXPIRED, now=now, limit=limit)]

    async def of_match(self, match: MatchId) -> Challenge | None:
        """Returns the challenge that became this match."""
        return await self._only(_challenge.match == match)

    async def of_matches(self, matches: Collection[MatchId]) -> dict[MatchId, Challenge]:
        """Returns the challenges that became these matches, by match."""
        found = await self._challenges(select(schema.challenge).where(_challenge.match.in_(matches))) if matches else ()
        return {challenge.match: challenge for challenge in found if challenge.match is not None}

    async def language(self, challenge: ChallengeId) -> str | None:
        """Returns the language of a challenge's card where its server has none; None if that is not settled."""
        row = await self._sql.first(_LANGUAGE, challenge=challenge)
        return row and row.language

    async def rematch_of(self, match: MatchId) -> Challenge | None:
        """Returns the open challenge that offers another match after this one."""
        return await self._only(_challenge.rematch == match, _is_open)

    async def running_rematch_of(self, match: MatchId) -> Challenge | None:
        """Returns the newest challenge that offered another match after this one and became one that goes on."""
        begun = select(schema.challenge).join(schema.match, schema.match.c.id == _challenge.match)
        running = begun.where(_challenge.rematch == match, schema.match.c.ended.is_(None))
        found = await self._challenges(running.order_by(_challenge.id.desc()).limit(1))
        return found[0] if found else None

    async def open_of(self, user: UserId) -> list[ChallengeId]:
        """Returns the open challenges that this user has made, is asked to take, or has joined."""
        return [row.id for row in await self._sql.all(_open_of(user))]

    async def involving(self, user: UserId, limit: int) -> list[Challenge]:
        """Returns the newest of the challenges of `open_of`."""
        theirs = select(schema.challenge).where(_challenge.id.in_(_open_of(user)))
        return await self._challenges(theirs.order_by(_challenge.id.desc()).limit(limit))

    async def _only(self, *which: ColumnElement[bool]) -> Challenge | None:
        found = await self._challenges(select(schema.challenge).where(*which))
        return found[0] if found else None

    async def _challenges(self, asked: Select[Any], **values: Any) -> list[Challenge]:
        rows = await self._sql.all(asked, **values)
        joined: dict[ChallengeId, list[UserId]] = defaultdict(list)
        for each in await self._sql.all(_JOINERS, challenges=[row.id for row in rows]) if rows else ():
            joined[each.challenge].append(each.user)
        return [_read(row, tuple(joined[row.id])) for row in rows]


class ChallengeRepository(ChallengeReader):
    """Challenges, as a transaction writes them."""

    __slots__ = ()

    async def lock(self) -> None:
        """Lets no other transaction make a challenge until this one ends, so that its counts stay true.

        It has to come before everything else in a transaction, which otherwise sees the state before the wait.
        """
        await self._sql.lock(schema.challenge)

    async def add(self, challenge: Challenge) -> Challenge:
        """Stores a new challenge and gives it its id in place of the one it has. Raises RematchOffered, also if its
        interaction has made one already."""
        added = insert(schema.challenge).values(_values(challenge)).returning(_challenge.id)
        with raises_on_conflict(RematchOffered):
            stored = replace(challenge, id=await self._sql.value(added))
        await self._join(stored)
        return stored

    async def save(self, challenge: Challenge) -> None:
        """Stores a changed challenge. Raises Stale if it has changed otherwise since it was read."""
        await self._sql.change(
            update(schema.challenge)
            .where(_challenge.id == challenge.id, _challenge.version == challenge.version - 1)
            .values(_values(challenge))
        )
        await self._sql.execute(delete(schema.joiner).where(_joiner.challenge == challenge.id))
        await self._join(challenge)

    async def settle_language(self, challenge: ChallengeId, language: str) -> None:
        """Stores the language of a challenge's card, unless it has one."""
        unsettled = update(schema.challenge).where(_challenge.id == challenge, _challenge.language.is_(None))
        await self._sql.execute(unsettled.values(language=language))

    async def mark_card_posted(self, challenge: ChallengeId, version: int, message: MessageId) -> None:
        """Notes that the card in `message` shows this version of a challenge, or a later one."""
        values = {"of_challenge": challenge, "as_of": version, "message": message, "shown": version}
        await self._sql.execute(_CARD_POSTED, values)

    async def _join(self, challenge: Challenge) -> None:
        rows = [
            {"challenge": challenge.id, "number": number, "user": user} for number, user in enumerate(challenge.joined)
        ]
        if rows:
            await self._sql.execute(insert(schema.joiner), rows)


def _open_of(user: UserId) -> CompoundSelect[Any]:
    """Returns the query for the open challenges that a user has made, is asked to take, or has joined."""
    standing = select(_challenge.id).where(_challenge.state == ChallengeState.OPEN.value)
    theirs = or_(_challenge.challenger == user, _challenge.opponent == user)
    joined = standing.join(schema.joiner, _joiner.challenge == _challenge.id).where(_joiner.user == user)
    return union(standing.where(theirs), joined)


def _open_ones(challenger: UserId | None, channel: ChannelId | None) -> list[ColumnElement[bool]]:
    """Returns the conditions of open challenges: of a user, or in a channel."""
    wanted = {_challenge.challenger: challenger, _challenge.channel: channel}
    return [_is_open, *(column == value for column, value in wanted.items() if value is not None)]


async def postpone_challenges(sql: Statements, downtime: Span) -> None:
    """Extends the open challenges by a downtime, in which players could not accept them.

    Cards are updated if the change is visible on them.
    """
    gap = min(downtime.end - downtime.start, MAX_EXTENSION_MILLIS)
    is_visible = int(gap >= VISIBLE_MILLIS)
    extended = {"expires": _challenge.expires + gap, "version": _challenge.version + is_visible}
    waiting = update(schema.challenge).where(_is_open, _challenge.expires > downtime.start)
    await sql.execute(waiting.values(extended))


def _values(challenge: Challenge) -> Values:
    return {
        "guild": challenge.guild,
        "channel": challenge.channel,
        "challenger": challenge.challenger,
        "opponent": challenge.opponent,
        "terms": terms_values(challenge.terms),
        "made": challenge.made,
        "expires": challenge.expires,
        "state": challenge.state.value,
        "by": challenge.countered_by,
        "first": terms_values(challenge.original_terms),
        "changes": challenge.changes,
        "instead": challenge.counters,
        "rematch": challenge.rematch_of,
        "match": challenge.match,
        "version": challenge.version,
        "source": challenge.key,
    }


def _read(row: AnyRow, joined: tuple[UserId, ...]) -> Challenge:
    agreed = read_terms(row.terms)
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
        row.first and read_terms(row.first),
        row.changes,
        row.instead,
        row.rematch,
        row.message,
        row.match,
        row.version,
        row.source,
        Millis(row.expires - row.made - LIFETIME[agreed.control.speed]),
    )
