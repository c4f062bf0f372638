"""Tournaments in SQL: one row, and one for each entrant and each pair."""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy import and_, delete, insert, literal_column, or_, select, union, update

from play.clock.schedule import Span
from play.ids import ChannelId, MessageId, Millis, SourceId
from play.tournaments.tournament import Bout, Entrant, Format, Stage, Tournament, TournamentId
from storage import schema
from storage.statements import AnyRow, Statements
from storage.terms import of_terms, terms

_tournament = schema.tournament.c
_entrant = schema.entrant.c
_bout = schema.bout.c
_match = schema.match.c


class TournamentReader(Statements):
    """A `play.store.tournaments.TournamentReader`."""

    async def tournament(self, tournament: TournamentId) -> Tournament | None:
        row = await self._first(select(schema.tournament).where(_tournament.id == tournament))
        return None if row is None else await self._whole(row)

    async def tournament_by(self, source: SourceId | None) -> Tournament | None:
        if source is None:
            return None
        row = await self._first(select(schema.tournament).where(_tournament.source == source))
        return None if row is None else await self._whole(row)

    async def tournament_in(self, channel: ChannelId) -> Tournament | None:
        here = select(schema.tournament).where(_tournament.channel == channel)
        row = await self._first(here.order_by(_tournament.id.desc()).limit(1))
        return None if row is None else await self._whole(row)

    async def stirring_tournaments(self, now: Millis, limit: int) -> list[TournamentId]:
        running = _tournament.stage == Stage.RUNNING.value
        undecided = (
            select(_bout.tournament)
            .join_from(schema.bout, schema.tournament)
            .outerjoin(schema.match, _match.id == _bout.match)
            .where(_bout.first_points.is_(None), running, or_(_bout.match.is_(None), _match.ended.is_not(None)))
        )
        late = select(_tournament.id).where(_tournament.until <= now)
        behind = select(_tournament.id).where(literal_column("shown < version"))
        rows = await self._all(union(undecided, late, behind).limit(limit))
        return [row[0] for row in rows]

    async def _whole(self, row: AnyRow) -> Tournament:
        entrants = select(schema.entrant).where(_entrant.tournament == row.id).order_by(_entrant.number)
        bouts = select(schema.bout).where(_bout.tournament == row.id).order_by(_bout.number)
        return Tournament(
            row.id,
            row.guild,
            row.channel,
            row.host,
            row.name,
            Format(row.format),
            terms(row.terms),
            row.made,
            row.rounds,
            row.pace,
            Stage(row.stage),
            tuple(Entrant(each.user, each.rating, each.left) for each in await self._all(entrants)),
            tuple(map(_paired, await self._all(bouts))),
            row.until,
            row.message,
            row.version,
            row.source,
        )


class TournamentTransaction(TournamentReader):
    """A `play.store.tournaments.TournamentWriter`."""

    async def lock_tournaments(self) -> None:
        await self._lock(schema.tournament)

    async def add_tournament(self, tournament: Tournament) -> Tournament:
        values = {
            "guild": tournament.guild,
            "channel": tournament.channel,
            "host": tournament.host,
            "name": tournament.name,
            "format": tournament.format.value,
            "terms": of_terms(tournament.terms),
            "made": tournament.made,
            "rounds": tournament.rounds,
            "pace": tournament.pace,
            "stage": tournament.stage.value,
            "version": 0,
            "shown": -1,
            "source": tournament.source,
        }
        added = insert(schema.tournament).values(values).returning(_tournament.id)
        return replace(tournament, id=await self._value(added))

    async def save_tournament(self, tournament: Tournament) -> Tournament:
        saved = replace(tournament, version=tournament.version + 1)
        as_read = and_(_tournament.id == tournament.id, _tournament.version == tournament.version)
        values = {"stage": saved.stage.value, "until": saved.until, "version": saved.version}
        await self._change(update(schema.tournament).where(as_read).values(values))
        for table in (schema.entrant, schema.bout):
            await self._connection.execute(delete(table).where(table.c.tournament == saved.id))
        entrants = [
            {"tournament": saved.id, "number": number, "user": each.user, "rating": each.rating, "left": each.left}
            for number, each in enumerate(saved.entrants)
        ]
        if entrants:
            await self._connection.execute(insert(schema.entrant), entrants)
        if saved.bouts:
            await self._connection.execute(insert(schema.bout), [_of(saved, n) for n in range(len(saved.bouts))])
        return saved

    async def _put_rounds_off(self, downtime: Span) -> None:
        """Nobody could play while the bot was away, so a round has as much more time."""
        gap = downtime.end - downtime.start
        put_off = {"until": _tournament.until + gap, "version": _tournament.version + 1}
        running = update(schema.tournament).where(_tournament.until > downtime.start)
        await self._connection.execute(running.values(put_off))

    async def tournament_shown(self, tournament: TournamentId, version: int, message: MessageId | None) -> None:
        news = _tournament.id == tournament, _tournament.shown < version
        shown = update(schema.tournament).where(*news).values(message=message, shown=version)
        await self._connection.execute(shown)


def _of(tournament: Tournament, number: int) -> dict[str, object]:
    bout = tournament.bouts[number]
    first, second = bout.points or (None, None)
    return {
        "tournament": tournament.id,
        "number": number,
        "round": bout.round,
        "first": bout.first,
        "second": bout.second,
        "match": bout.match,
        "first_points": first,
        "second_points": second,
        "replays": bout.replays,
    }


def _paired(row: AnyRow) -> Bout:
    points = None if row.first_points is None else (row.first_points, row.second_points)
    return Bout(row.round, row.first, row.second, row.match, points, row.replays)
