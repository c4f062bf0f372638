"""Challenges in SQL: one row, and one for each user who has joined."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import replace
from functools import cache
from typing import Any

from sqlalchemy import (
    BindParameter,
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
from storage.lists import is_among
from storage.statements import AnyRow, Repository, Statements, Values
from storage.terms import read_terms, terms_values

_challenge = schema.challenge.c
_joiner = schema.joiner.c
# The literal is that of the indexes: with a parameter in its place SQLite would not see that they fit.
_is_open = _challenge.state == literal_column(f"'{ChallengeState.OPEN}'")

_LANGUAGE = select(_challenge.language).where(_challenge.id == bindparam("challenge"))
_ONE = select(schema.challenge).where(_challenge.id == bindparam("challenge"))
_BY_KEY = select(schema.challenge).where(_challenge.source == bindparam("key"))
_OF_MATCH = select(schema.challenge).where(_challenge.match == bindparam("match"))
_OF_MATCHES = select(schema.challenge).where(is_among(_challenge.match, "matches"))
_REMATCH = select(schema.challenge).where(_challenge.rematch == bindparam("match"), _is_open)
_NEWEST_REMATCH = (
    select(schema.challenge).where(_challenge.rematch == bindparam("match")).order_by(_challenge.id.desc()).limit(1)
)
_RUNNING_REMATCH = (
    select(schema.challenge)
    .join(schema.match, schema.match.c.id == _challenge.match)
    .where(_challenge.rematch == bindparam("match"), schema.match.c.ended.is_(None))
    .order_by(_challenge.id.desc())
    .limit(1)
)
_CHALLENGERS = select(_challenge.challenger).where(
    _challenge.opponent == bindparam("opponent"),
    _challenge.match.is_(None),
    _challenge.made > bindparam("oldest"),
    or_(_is_open, _challenge.made > bindparam("since")),
)
_standing = select(_challenge.id).where(_challenge.state == ChallengeState.OPEN.value)
_user: BindParameter[Any] = bindparam("user")
_OPEN_OF = union(
    _standing.where(or_(_challenge.challenger == _user, _challenge.opponent == _user)),
    _standing.join(schema.joiner, _joiner.challenge == _challenge.id).where(_joiner.user == _user),
)
_INVOLVING = (
    select(schema.challenge).where(_challenge.id.in_(_OPEN_OF)).order_by(_challenge.id.desc()).limit(bindparam("limit"))
)
_ADD = insert(schema.challenge).returning(_challenge.id)
_CHANGE = update(schema.challenge).where(
    _challenge.id == bindparam("of_challenge"), _challenge.version == bindparam("as_read")
)
_LEAVE = delete(schema.joiner).where(_joiner.challenge == bindparam("of_challenge"))
_UNSETTLED = update(schema.challenge).where(_challenge.id == bindparam("of_challenge"), _challenge.language.is_(None))
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
    select(schema.joiner).where(is_among(_joiner.challenge, "challenges")).order_by(_joiner.challenge, _joiner.number)
)

MAX_EXTENSION_MILLIS = 30 * MINUTE
"""The most that one downtime extends a challenge by; after a longer one the challenger may be gone."""

VISIBLE_MILLIS = MINUTE
"""A card shows the remaining time in minutes or longer units."""


class ChallengeReader(Repository):
    """Challenges, as reads see them."""

    __slots__ = ()

    async def get(self, challenge: ChallengeId) -> Challenge | None:
        return await self._first(_ONE, challenge=challenge)

    async def by_key(self, key: IdempotencyKey | None) -> Challenge | None:
        """Returns the challenge that an interaction has made; None if it has made none."""
        return None if key is None else await self._first(_BY_KEY, key=key)

    async def count_open(self, *, challenger: UserId | None = None, channel: ChannelId | None = None) -> int:
        """Counts the open challenges: of a user, or in a channel."""
        wanted = _wanted(challenger, channel)
        count: int = await self._sql.value(_count_open(*wanted), **wanted)
        return count

    async def list_open(self, *, challenger: UserId | None = None, channel: ChannelId | None = None) -> list[Challenge]:
        """Returns the open challenges of a user, or in a channel, the newest first."""
        wanted = _wanted(challenger, channel)
        return await self._challenges(_list_open(*wanted), **wanted)

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
        oldest = since - max(LIFETIME.values())  # nothing older is open
        found = await self._sql.all(_CHALLENGERS, opponent=opponent, oldest=oldest, since=since)
        return [row.challenger for row in found]

    async def cards_to_update(self, limit: int) -> list[Challenge]:
        """Returns the challenges that have changed since their cards were written."""
        return await self._challenges(_CARDS_TO_UPDATE, limit=limit)

    async def expired(self, now: Millis, limit: int) -> list[ChallengeId]:
        """Returns the open challenges whose time is over, the oldest first."""
        return [row.id for row in await self._sql.all(_EXPIRED, now=now, limit=limit)]

    async def of_match(self, match: MatchId) -> Challenge | None:
        """Returns the challenge that became this match."""
        return await self._first(_OF_MATCH, match=match)

    async def of_matches(self, matches: Collection[MatchId]) -> dict[MatchId, Challenge]:
        """Returns the challenges that became these matches, by match."""
        found = await self._challenges(_OF_MATCHES, matches=[*matches]) if matches else ()
        return {challenge.match: challenge for challenge in found if challenge.match is not None}

    async def language(self, challenge: ChallengeId) -> str | None:
        """Returns the language of a challenge's card where its server has none; None if that is not settled."""
        row = await self._sql.first(_LANGUAGE, challenge=challenge)
        return row and row.language

    async def rematch_of(self, match: MatchId) -> Challenge | None:
        """Returns the open challenge that offers another match after this one."""
        return await self._first(_REMATCH, match=match)

    async def newest_rematch_of(self, match: MatchId) -> Challenge | None:
        """Returns the challenge that offered another match after this one last, whatever has become of it."""
        return await self._first(_NEWEST_REMATCH, match=match)

    async def running_rematch_of(self, match: MatchId) -> Challenge | None:
        """Returns the newest challenge that offered another match after this one and became one that goes on."""
        return await self._first(_RUNNING_REMATCH, match=match)

    async def open_of(self, user: UserId) -> list[ChallengeId]:
        """Returns the open challenges that this user has made, is asked to take, or has joined."""
        return [row.id for row in await self._sql.all(_OPEN_OF, user=user)]

    async def involving(self, user: UserId, limit: int) -> list[Challenge]:
        """Returns the newest of the challenges of `open_of`."""
        return await self._challenges(_INVOLVING, user=user, limit=limit)

    async def _first(self, asked: Select[Any], **values: Any) -> Challenge | None:
        found = await self._challenges(asked, **values)
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
        with raises_on_conflict(RematchOffered):
            stored = replace(challenge, id=await self._sql.value(_ADD, **_values(challenge)))
        await self._join(stored)
        return stored

    async def save(self, challenge: Challenge) -> None:
        """Stores a changed challenge. Raises Stale if it has changed otherwise since it was read."""
        known = {"of_challenge": challenge.id, "as_read": challenge.version - 1}
        await self._sql.change(_CHANGE, **known, **_values(challenge))
        await self._sql.execute(_LEAVE, {"of_challenge": challenge.id})
        await self._join(challenge)

    async def settle_language(self, challenge: ChallengeId, language: str) -> None:
        """Stores the language of a challenge's card, unless it has one."""
        await self._sql.execute(_UNSETTLED, {"of_challenge": challenge, "language": language})

    async def mark_card_posted(self, challenge: ChallengeId, version: int, message: MessageId) -> None:
        """Notes that the card in `message` shows this version of a challenge, or a later one."""
        values = {"of_challenge": challenge, "as_of": version, "message": message, "shown": version}
        await self._sql.execute(_CARD_POSTED, values)

    async def _join(self, challenge: Challenge) -> None:
        rows = [
            {"challenge": challenge.id, "number": number, "user": user} for number, user in enumerate(challenge.joined)
        ]
        if rows:
            await self._sql.add(schema.joiner, rows)


def _wanted(challenger: UserId | None, channel: ChannelId | None) -> Values:
    """Returns what open challenges are to have: a user, or a channel."""
    wanted = {"challenger": challenger, "channel": channel}
    return {name: value for name, value in wanted.items() if value is not None}


@cache
def _list_open(*names: str) -> Select[Any]:
    """Returns the query for the open challenges with given values in these columns, the newest first."""
    wanted = (_challenge[name] == bindparam(name) for name in names)
    return select(schema.challenge).where(_is_open, *wanted).order_by(_challenge.id.desc())


@cache
def _count_open(*names: str) -> Select[Any]:
    return _list_open(*names).order_by(None).with_only_columns(func.count())


async def postpone_challenges(sql: Statements, downtime: Span) -> None:
    """Extends the open challenges by a downtime, in which players could not accept them.

    Cards are updated if the change is visible on them.
    """
    gap = min(downtime.millis, MAX_EXTENSION_MILLIS)
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
