"""All that is stored of a person: to be handed out, or to be forgotten so that the games of others stay whole."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import Table, Text, and_, cast, delete, or_, select, update

from play.ids import ChallengeId, UserId
from play.tournaments.tournament import Stage, TournamentId
from storage import schema
from storage.statements import Statements

Rows = list[dict[str, Any]]

NOBODY: Final = -1
"""Who judged a game, or made a tournament, and is forgotten."""

PEOPLE: dict[Table, tuple[str, ...]] = {
    schema.seat: ("user",),
    schema.event: ("by",),
    schema.challenge: ("challenger", "opponent", "by"),
    schema.notice: ("user",),
    schema.vacation: ("user",),
    schema.person: ("user",),
    schema.rating: ("user",),
    schema.change: ("user",),
    schema.annulment: ("user", "by"),
    schema.standing: ("user",),
    schema.season: ("user",),
    schema.honour: ("user",),
    schema.tournament: ("host",),
    schema.entrant: ("user",),
    schema.bout: ("first", "second"),
    schema.rung: ("user",),
    schema.duel: ("challenger", "defender"),
    schema.attempt: ("user",),
}
"""The columns in which people stand. In `challenge.joined` they do too, and `plan` and `event` belong to seats."""

FORGOTTEN = (
    *(schema.notice, schema.vacation, schema.person, schema.attempt),
    *(schema.rating, schema.standing, schema.season, schema.honour),
)
"""What is of nobody else's concern, and goes."""

_seat = schema.seat.c
_challenge = schema.challenge.c

_SEATS, _CHAIRS = 4, 2**20
"""More than a match has seats, and a tournament entrants."""


class PrivacyReader(Statements):
    """A `play.privacy.PrivacyReader`."""

    async def everything(self, user: UserId) -> dict[str, Rows]:
        found = {}
        for table, columns in PEOPLE.items():
            theirs = or_(*(table.c[column] == user for column in columns))
            if table is schema.challenge:
                theirs = or_(theirs, _joined(user))
            found[table.name] = await self._rows(select(table).where(theirs))
        for table in (schema.event, schema.plan):
            own = and_(_seat.match == table.c.match, _seat.seat == table.c.seat, _seat.user == user)
            rows = await self._rows(select(table).join_from(schema.seat, table, own).order_by(table.c.match))
            found[f"{table.name} of seat"] = rows
        return {name: rows for name, rows in found.items() if rows}

    async def open_challenges(self, user: UserId) -> list[ChallengeId]:
        theirs = or_(_challenge.challenger == user, _challenge.opponent == user, _joined(user))
        rows = await self._all(select(_challenge.id).where(_challenge.state == "open", theirs))
        return [row.id for row in rows]

    async def open_tournaments(self, user: UserId) -> list[TournamentId]:
        entered = select(schema.entrant.c.tournament).join_from(schema.entrant, schema.tournament)
        theirs = schema.entrant.c.user == user, schema.entrant.c.left.is_(None)
        rows = await self._all(entered.where(*theirs, schema.tournament.c.stage.in_((Stage.SIGN_UP, Stage.RUNNING))))
        return [row.tournament for row in rows]

    async def _rows(self, statement: Any) -> Rows:
        return [dict(row._mapping) for row in await self._all(statement)]


class PrivacyTransaction(PrivacyReader):
    """A `play.privacy.PrivacyWriter`."""

    async def forget(self, user: UserId) -> None:
        servers = select(schema.standing.c.guild).where(schema.standing.c.user == user)
        stirred = update(schema.podium).where(schema.podium.c.guild.in_(servers))
        await self._connection.execute(stirred.values(version=schema.podium.c.version + 1))
        for table in FORGOTTEN:
            await self._connection.execute(delete(table).where(table.c.user == user))
        await self._leave_challenges(user)
        for row in await self._all(select(_seat.match, _seat.seat).where(_seat.user == user)):
            nobody = -(row.match * _SEATS + row.seat) - 2
            for table in (schema.change, schema.annulment, schema.seat):
                theirs = and_(table.c.match == row.match, table.c.user == user)
                await self._connection.execute(update(table).where(theirs).values(user=nobody))
        unmarked = and_(_seat.user < 0, or_(_seat.zone.is_not(None), _seat.night.is_not(None)))
        await self._connection.execute(update(schema.seat).where(unmarked).values(zone=None, night=None))
        for table, column in ((schema.event, "by"), (schema.annulment, "by"), (schema.tournament, "host")):
            await self._connection.execute(update(table).where(table.c[column] == user).values({column: NOBODY}))
        await self._leave_tournaments(user)

    async def _leave_challenges(self, user: UserId) -> None:
        """They stay, without him: one says how its match was rated, another has a card that somebody reads."""
        theirs = or_(*(_challenge[column] == user for column in PEOPLE[schema.challenge]), _joined(user))
        for row in await self._all(select(schema.challenge).where(theirs)):
            values = {column: NOBODY for column in PEOPLE[schema.challenge] if getattr(row, column) == user} | {
                "joined": [NOBODY if other == user else other for other in row.joined]
            }
            await self._connection.execute(update(schema.challenge).where(_challenge.id == row.id).values(values))

    async def _leave_tournaments(self, user: UserId) -> None:
        """In each he becomes somebody else, so that its standings stay as they are."""
        entered = select(schema.entrant).where(schema.entrant.c.user == user)
        for row in await self._all(entered):
            nobody = -((row.tournament + 1) * _CHAIRS + row.number)
            for table, columns in ((schema.bout, ("first", "second")), (schema.entrant, ("user",))):
                for column in columns:
                    theirs = and_(table.c.tournament == row.tournament, table.c[column] == user)
                    await self._connection.execute(update(table).where(theirs).values({column: nobody}))


def _joined(user: UserId) -> Any:
    """Whether somebody stands among those who joined; ids are too long to be part of one another."""
    return cast(_challenge.joined, Text).contains(str(user))
