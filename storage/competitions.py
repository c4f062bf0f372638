"""Competitions in SQL, of whatever kind.

A kind says what its values are as rows, and what they are made of again.
"""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar, Final, Generic, TypeVar

from sqlalchemy import CompoundSelect, Select, bindparam, exists, literal_column, or_, select, union, update

from play.clock.schedule import Span
from play.ids import ChannelId, IdempotencyKey, MatchId, Millis, UserId
from storage import schema
from storage.competition_rows import (
    IS_UNDECIDED,
    OF_KIND,
    Found,
    Rows,
    add_rows,
    change_rows,
    competition,
    entrant,
    find_rows,
    game,
    match,
    of_one,
    post,
    with_competition,
)
from storage.statements import Repository

K = TypeVar("K", bound=int)
V = TypeVar("V", bound=Any)

_LASTING = ("source", "code", "league")
_SAVE = update(schema.competition).where(of_one(schema.competition), competition.version == bindparam("as_read"))
_NUMBERS = select(competition.number).where(competition.kind == OF_KIND)
_TIMED = _NUMBERS.where(competition.due.is_not(None))
_BY_KEY = _NUMBERS.where(competition.source == bindparam("key"))
_OPEN_OF = (
    select(entrant.number)
    .join_from(schema.entrant, schema.competition, with_competition(schema.entrant))
    .where(entrant.user == bindparam("user"), entrant.kind == OF_KIND, entrant.left.is_(None), competition.open)
)
_IN_CHANNEL = (
    select(post.number)
    .join_from(schema.kept_post, schema.competition, with_competition(schema.kept_post))
    .where(post.channel == bindparam("channel"), post.kind == OF_KIND)
    .order_by(post.number.desc())
)
_OPEN_IN_CHANNEL = _IN_CHANNEL.where(competition.open)
_NEWEST_IN_CHANNEL = _IN_CHANNEL.limit(1)
OF_MATCH: Final = (
    select(entrant.number)
    .join_from(schema.entrant, schema.game, (game.kind == entrant.kind) & (game.number == entrant.number))
    .where(or_(entrant.user == bindparam("one"), entrant.user == bindparam("other")), entrant.kind == OF_KIND)
    .where(game.match == bindparam("match"))
    .limit(1)
)
"""Selects the competition of a match by its players: games are found by their matches only while they go on."""

_PLACES = [
    select(match.id, channel.label("channel"))
    .join_from(schema.game, schema.match, match.id == game.match)
    .where(of_one(schema.game))
    for channel in (match.channel, match.away_channel)
]
"""The channels of the games on each side."""

DUE: Final = _NUMBERS.where(competition.due <= bindparam("now"))
_BEHIND = select(post.number).where(
    post.kind == OF_KIND, literal_column("shown < wanted"), post.edits <= bindparam("now")
)
IS_OF_OPEN: Final = exists().where(with_competition(schema.game), competition.open)
"""Whether a game is of an open competition. As a join, SQLite would begin with all competitions of the kind."""

_TO_BEGIN = select(game.number).where(game.kind == OF_KIND, game.match.is_(None), IS_UNDECIDED, IS_OF_OPEN)
_OVER = (
    select(game.number)
    .join_from(schema.game, schema.match, match.id == game.match)
    .where(game.kind == OF_KIND, game.match.is_not(None), IS_UNDECIDED, match.ended.is_not(None), IS_OF_OPEN)
)


GAMES: Final = (_TO_BEGIN, _OVER)
"""Select competitions with games to begin, and those with games that are over and not counted yet."""


def select_to_update(*reasons: Select[Any], due: Select[Any] = DUE) -> CompoundSelect[Any]:
    """Returns what selects the competitions that are due, those with a post that is behind and may be edited, and those
    that have other `reasons`."""
    return union(*reasons, due, _BEHIND).limit(bindparam("limit"))


class CompetitionReader(Repository, Generic[K, V]):
    """Competitions of a `kind`, as reads see them."""

    __slots__ = ()

    kind: ClassVar[str]
    selects_to_update: ClassVar[CompoundSelect[Any]] = select_to_update(*GAMES)

    @abstractmethod
    def read(self, found: Found) -> V:
        """Returns the competition that rows are of."""

    async def get(self, number: K) -> V | None:
        found = await find_rows(self._sql, self.kind, number)
        return None if found is None else self.read(found)

    async def by_key(self, key: IdempotencyKey | None) -> V | None:
        """Returns the competition that an interaction has made; None if it has made none."""
        return None if key is None else await self._first(_BY_KEY, key=key)

    async def open_of(self, user: UserId) -> list[K]:
        """Returns the open competitions that a user has entered and not left."""
        return await self._all(_OPEN_OF, user=user)

    async def in_channel(self, channel: ChannelId) -> V | None:
        """Returns the newest competition of a channel, also one that is over."""
        return await self._first(_NEWEST_IN_CHANNEL, channel=channel)

    async def open_in(self, channel: ChannelId) -> list[K]:
        """Returns the open competitions of which a channel reads."""
        return await self._all(_OPEN_IN_CHANNEL, channel=channel)

    async def of_match(self, match: MatchId, players: Sequence[UserId]) -> V | None:
        """Returns the competition that a match of these players is a game of, also one that is over."""
        return await self._first(OF_MATCH, match=match, one=players[0], other=players[-1])

    async def channels_of(self, number: K, side: int = 0) -> dict[MatchId, ChannelId]:
        """Returns the channels of the present games, on one of the servers."""
        rows = await self._sql.all(_PLACES[side], of_kind=self.kind, of_number=number)
        return {row.id: row.channel for row in rows}

    async def to_update(self, now: Millis, limit: int) -> list[K]:
        """Returns the competitions that their director has work in: time brings a change, a game is to begin or is
        over, or a post is behind and may be edited."""
        return await self._all(self.selects_to_update, now=now, limit=limit)

    async def _all(self, statement: Any, **values: Any) -> list[K]:
        """Returns the numbers that a statement finds."""
        return [row[0] for row in await self._sql.all(statement, of_kind=self.kind, **values)]

    async def _first(self, statement: Select[Any], **values: Any) -> V | None:
        """Returns the competition whose number a statement finds first."""
        found = await self._all(statement, **values)
        return await self.get(found[0]) if found else None


class CompetitionRepository(CompetitionReader[K, V]):
    """Competitions of a kind, as a transaction writes them."""

    __slots__ = ()

    @abstractmethod
    def write(self, value: V) -> Rows:
        """Returns a competition as rows."""

    def number_of(self, value: V) -> int:
        """Returns the number of a competition within its kind."""
        number: int = value.id
        return number

    async def lock(self) -> None:
        """Lets no other transaction make a competition until this one ends. It has to come before everything else."""
        await self._sql.lock(schema.competition)

    async def add(self, value: V) -> V:
        """Stores a new competition and gives it its id."""
        added: V = replace(value, version=0)
        return replace(added, id=await add_rows(self._sql, self.kind, None, self.write(added)))

    async def save(self, changed: V, before: V) -> V:
        """Stores a changed competition as its next version; `before` is what is stored. Raises Stale if it has changed
        otherwise."""
        saved: V = replace(changed, version=before.version + 1)
        number, rows = self.number_of(saved), self.write(saved)
        as_read = {"of_kind": self.kind, "of_number": number, "as_read": before.version}
        changes = {name: value for name, value in rows.head.items() if name not in _LASTING}
        await self._sql.change(_SAVE, **as_read, **changes)
        await change_rows(self._sql, self.kind, number, rows, self.write(before))
        return saved

    async def postpone(self, downtime: Span) -> None:
        """Gives whatever time ends as much more time as there was none to play in."""
        for number in await self._all(_TIMED):
            stored = await self.get(number)
            assert stored is not None, "it was found a moment ago"
            later: V = stored.prolonged(downtime)
            if later != stored:
                await self.save(later, stored)
