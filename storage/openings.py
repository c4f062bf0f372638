"""Positions in the first moves of finished games, in SQL."""

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Select, select

from play.ids import ChannelId, GuildId, MatchId, UserId
from play.match.match import AwayPlace, Match
from play.records.openings import openings_of
from rules.dots import Dots
from rules.game import Seat
from storage import schema
from storage.lists import is_among
from storage.match_rows import read_away
from storage.statements import Repository, Statements, Values

_opening, _match, _seat = schema.opening.c, schema.match.c, schema.seat.c
_annulment, _server = schema.annulment.c, schema.server.c

_is_annulled = select(_annulment.match).where(_annulment.match == _match.id, _annulment.seat == 0).exists()


class OpenedGame(NamedTuple):
    """A game that had a position, where it was played, and the `place` of the dot that followed."""

    id: MatchId
    place: int | None
    winners: tuple[Seat, ...]
    guild: GuildId | None
    channel: ChannelId
    parent: ChannelId | None
    away: AwayPlace | None
    players: tuple[UserId, ...]


class OpeningReader(Repository):
    """Positions of finished games. Annulled games are left out."""

    __slots__ = ()

    async def own(self, user: UserId, position: int, limit: int) -> list[OpenedGame]:
        """Returns those of a player's latest games that had a position, the latest first."""
        own = select(_seat.match).where(_seat.user == user, _seat.ended.is_not(None))
        return await self._read(own.order_by(_seat.ended.desc(), _seat.match.desc()).limit(limit), position)

    async def of_guild(self, guild: GuildId, position: int, limit: int) -> list[OpenedGame]:
        """Returns those of a server's latest games that had a position, the latest first."""
        there = select(_match.id.label("match")).where(_match.guild == guild, _match.ended.is_not(None))
        return await self._read(there.order_by(_match.ended.desc()).limit(limit), position)

    async def public(self, position: int, limit: int) -> list[OpenedGame]:
        """Returns those of the newest games with a position that were played on servers with pages, the newest
        first."""
        newest = select(_opening.match).where(_opening.position == position)
        listed = select(_server.guild).where(_server.guild == _match.guild, _server.pages).exists()
        return await self._read(newest.order_by(_opening.match.desc()).limit(limit), position, listed)

    async def _read(self, latest: Select[Any], position: int, *which: Any) -> list[OpenedGame]:
        games = latest.subquery()
        asked = (
            select(
                *(_match.id, _opening.next, _match.winners, _match.guild, _match.channel, _match.parent),
                *(_match.away_guild, _match.away_channel, _match.away_parent, _match.away_seat),
            )
            .join_from(games, schema.opening, (_opening.match == games.c.match) & (_opening.position == position))
            .join(schema.match, _match.id == _opening.match)
            .where(~_is_annulled, *which)
            .order_by(_match.id.desc())
        )
        rows = await self._sql.all(asked)
        players = await self._players([row.id for row in rows])
        return [
            OpenedGame(
                *(row.id, row.next, tuple(row.winners or ()), row.guild, row.channel, row.parent, read_away(row)),
                players[row.id],
            )
            for row in rows
        ]

    async def _players(self, matches: Collection[MatchId]) -> dict[MatchId, tuple[UserId, ...]]:
        asked = select(_seat.match, _seat.user).where(is_among(_seat.match, "matches"))
        found: dict[MatchId, tuple[UserId, ...]] = {}
        for row in await self._sql.all(asked.order_by(_seat.match, _seat.seat), matches=[*matches]):
            found[row.match] = (*found.get(row.match, ()), row.user)
        return found


async def add_openings(sql: Statements, *matches: Match) -> None:
    """Stores the positions in the first moves of finished games. Takes 1 ms for each."""
    rows = [row for match in matches for row in opening_rows(match)]
    if rows:
        await sql.add(schema.opening, rows)


def opening_rows(match: Match) -> Sequence[Values]:
    """Returns the rows of a finished game: none for a game other than Dots, or without a move."""
    if not isinstance(match.game, Dots) or not match.moves:
        return []
    moves = [(move.seat, move.text) for move in match.moves]
    return [
        {
            "position": opening.key(match.game.key),
            "match": match.id,
            "next": None if dot is None else opening.place_of(dot),
        }
        for opening, dot in openings_of(match.game, match.seed, moves)
    ]
