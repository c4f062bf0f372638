"""Tournaments in SQL: one row, and one for each entrant and each pair."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sqlalchemy import (
    ColumnElement,
    and_,
    bindparam,
    case,
    delete,
    exists,
    func,
    insert,
    literal_column,
    or_,
    select,
    union,
    update,
)

from play.clock.schedule import Span
from play.competitions.tournament import (
    Entrant,
    Format,
    Notice,
    NoticeKind,
    Pairing,
    Stage,
    Tournament,
    TournamentEntry,
    TournamentId,
)
from play.ids import ChannelId, GuildId, IdempotencyKey, MatchId, MessageId, Millis, UserId
from storage import schema
from storage.statements import AnyRow, Repository, Statements, Values
from storage.terms import read_terms, terms_values

_tournament = schema.tournament.c
_entrant = schema.entrant.c
_bout = schema.bout.c
_match = schema.match.c
_outbox = schema.outbox.c


def _has_unseen_games(tournament: Any) -> ColumnElement[bool]:
    first_board = exists().where(_outbox.match == _bout.match, _outbox.version == 0)
    undecided = _bout.tournament == tournament, _bout.first_points.is_(None)
    return exists().where(*undecided, or_(_bout.match.is_(None), first_board))


_is_running = _tournament.stage == Stage.RUNNING.value
_TO_UPDATE = union(
    select(_bout.tournament)
    .join_from(schema.bout, schema.tournament)
    .outerjoin(schema.match, _match.id == _bout.match)
    .where(_bout.first_points.is_(None), _is_running, or_(_bout.match.is_(None), _match.ended.is_not(None))),
    select(_tournament.id).where(_tournament.until <= bindparam("now")),
    select(_tournament.id).where(_tournament.due <= bindparam("now")),
    select(_tournament.id).where(literal_column("shown < version")),
    select(_tournament.id)
    .where(_is_running, _tournament.pace.is_not(None), _tournament.until.is_(None))
    .where(~_has_unseen_games(_tournament.id)),
).limit(bindparam("limit"))
"""Pairs to decide, late rounds, what is due, what is shown as it was, and rounds whose games are all there."""


class TournamentReader(Repository):
    """Tournaments, as reads see them."""

    __slots__ = ()

    async def get(self, tournament: TournamentId) -> Tournament | None:
        row = await self._sql.first(select(schema.tournament).where(_tournament.id == tournament))
        return None if row is None else await self._read(row)

    async def by_key(self, key: IdempotencyKey | None) -> Tournament | None:
        """Returns the tournament that an interaction has made; None if it has made none."""
        if key is None:
            return None
        row = await self._sql.first(select(schema.tournament).where(_tournament.source == key))
        return None if row is None else await self._read(row)

    async def in_channel(self, channel: ChannelId) -> Tournament | None:
        """Returns the newest tournament of a channel."""
        here = select(schema.tournament).where(_tournament.channel == channel)
        row = await self._sql.first(here.order_by(_tournament.id.desc()).limit(1))
        return None if row is None else await self._read(row)

    async def open_of(self, user: UserId) -> list[TournamentId]:
        """Returns the tournaments that this user has signed up to, which go on and which they have not left."""
        entered = select(_entrant.tournament).join_from(schema.entrant, schema.tournament)
        theirs = _entrant.user == user, _entrant.left.is_(None)
        found = await self._sql.all(entered.where(*theirs, _tournament.stage.in_((Stage.SIGN_UP, Stage.RUNNING))))
        return [row.tournament for row in found]

    async def of_guild(self, guild: GuildId, limit: int) -> list[TournamentEntry]:
        """Returns the tournaments of a server, the newest first."""
        players = select(func.count()).where(_entrant.tournament == _tournament.id).scalar_subquery()
        newest = select(schema.tournament, players.label("players")).where(_tournament.guild == guild)
        return [
            TournamentEntry(row.id, row.channel, row.name, Format(row.format), Stage(row.stage), row.made, row.players)
            for row in await self._sql.all(newest.order_by(_tournament.id.desc()).limit(limit))
        ]

    async def channels_of(self, tournament: TournamentId) -> dict[MatchId, ChannelId]:
        """Returns the channel of each match of a tournament."""
        played = select(_match.id, _match.channel).join_from(schema.bout, schema.match, _match.id == _bout.match)
        return {row.id: row.channel for row in await self._sql.all(played.where(_bout.tournament == tournament))}

    async def has_unseen_games(self, tournament: TournamentId) -> bool:
        """Returns whether an undecided pair of the present round waits for its match, or for its first board."""
        return bool(await self._sql.value(select(_has_unseen_games(tournament))))

    async def to_update(self, now: Millis, limit: int) -> list[TournamentId]:
        """Returns the tournaments that the director has work in: a match has ended or has to be opened, a round's time
        begins or is over, it begins or reminds its players, or the message shows an older version."""
        return [row[0] for row in await self._sql.all(_TO_UPDATE, now=now, limit=limit)]

    async def _read(self, row: AnyRow) -> Tournament:
        entrants = select(schema.entrant).where(_entrant.tournament == row.id).order_by(_entrant.number)
        pairings = select(schema.bout).where(_bout.tournament == row.id).order_by(_bout.number)
        return Tournament(
            row.id,
            row.guild,
            row.channel,
            row.host,
            row.name,
            Format(row.format),
            read_terms(row.terms),
            row.made,
            row.rounds,
            row.pace,
            Stage(row.stage),
            tuple(Entrant(each.user, each.rating, each.left) for each in await self._sql.all(entrants)),
            tuple(map(_read_pair, await self._sql.all(pairings))),
            row.until,
            row.message,
            row.version,
            row.source,
            row.begins,
            row.postponed,
            row.reminded,
            row.computer,
            tuple(Notice(NoticeKind(kind), version) for kind, version in row.notices or () if kind in set(NoticeKind)),
            row.announced,
        )


class TournamentRepository(TournamentReader):
    """Tournaments, as a transaction writes them."""

    __slots__ = ()

    async def lock(self) -> None:
        """Lets no other transaction make a tournament until this one ends. It has to come before everything else."""
        await self._sql.lock(schema.tournament)

    async def add(self, tournament: Tournament) -> Tournament:
        """Stores a new tournament and gives it its id."""
        values = {
            "guild": tournament.guild,
            "channel": tournament.channel,
            "host": tournament.host,
            "name": tournament.name,
            "format": tournament.format.value,
            "terms": terms_values(tournament.terms),
            "made": tournament.made,
            "rounds": tournament.rounds,
            "pace": tournament.pace,
            "stage": tournament.stage.value,
            "version": 0,
            "shown": -1,
            "source": tournament.key,
            "begins": tournament.begins,
            "computer": tournament.computer,
            "due": tournament.due,
        }
        added = insert(schema.tournament).values(values).returning(_tournament.id)
        return replace(tournament, id=await self._sql.value(added))

    async def save(self, tournament: Tournament) -> Tournament:
        """Stores a changed tournament as its next version. Raises Stale if it has changed otherwise."""
        saved = replace(tournament, version=tournament.version + 1)
        as_read = and_(_tournament.id == tournament.id, _tournament.version == tournament.version)
        values = {
            "channel": saved.channel,
            "message": case((_tournament.channel == saved.channel, _tournament.message)),
            "stage": saved.stage.value,
            "terms": terms_values(saved.terms),
            "until": saved.round_ends,
            "begins": saved.begins,
            "postponed": saved.postponed,
            "reminded": saved.reminded,
            "due": saved.due,
            "notices": [(notice.kind.value, notice.version) for notice in saved.pending_notices],
            "version": saved.version,
        }
        await self._sql.change(update(schema.tournament).where(as_read).values(values))
        for table in (schema.entrant, schema.bout):
            await self._sql.execute(delete(table).where(table.c.tournament == saved.id))
        entrants = [
            {
                "tournament": saved.id,
                "number": number,
                "user": each.user,
                "rating": each.rating,
                "left": each.left_in_round,
            }
            for number, each in enumerate(saved.entrants)
        ]
        if entrants:
            await self._sql.execute(insert(schema.entrant), entrants)
        if saved.pairings:
            await self._sql.execute(insert(schema.bout), [_pair_values(saved, n) for n in range(len(saved.pairings))])
        return saved

    async def mark_announced(self, tournament: TournamentId, notice: Notice) -> None:
        """Notes that `notice` and all before it are posted."""
        news = _tournament.id == tournament, _tournament.announced < notice.version
        await self._sql.execute(update(schema.tournament).where(*news).values(announced=notice.version))

    async def mark_posted(self, tournament: TournamentId, version: int, message: MessageId | None) -> None:
        """Notes that `message` shows this version, or (None) that there is nowhere to show it."""
        news = _tournament.id == tournament, _tournament.shown < version
        shown = update(schema.tournament).where(*news).values(message=message, shown=version)
        await self._sql.execute(shown)


async def postpone_rounds(sql: Statements, downtime: Span) -> None:
    """Extends the present rounds by a downtime, in which players could not play."""
    gap = downtime.end - downtime.start
    extended = {"until": _tournament.until + gap, "due": _tournament.due + gap, "version": _tournament.version + 1}
    running = update(schema.tournament).where(_tournament.until > downtime.start)
    await sql.execute(running.values(extended))


def _pair_values(tournament: Tournament, number: int) -> Values:
    pairing = tournament.pairings[number]
    first, second = pairing.points or (None, None)
    return {
        "tournament": tournament.id,
        "number": number,
        "round": pairing.round,
        "first": pairing.first,
        "second": pairing.second,
        "match": pairing.match,
        "first_points": first,
        "second_points": second,
        "replays": pairing.replays,
        "unplayed": pairing.unplayed,
    }


def _read_pair(row: AnyRow) -> Pairing:
    points = None if row.first_points is None else (row.first_points, row.second_points)
    return Pairing(row.round, row.first, row.second, row.match, points, row.replays, row.unplayed)
