"""All that is stored of a person: to be handed out, or to be forgotten so that the games of others stay whole."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from sqlalchemy import Table, and_, delete, or_, select, union, update

from play.challenge.challenge import ChallengeState
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
    schema.joiner: ("user",),
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
"""The columns in which people stand; `plan` and `event` belong to seats, too."""

WITHIN: dict[Table, tuple[Table, str]] = {
    schema.bout: (schema.entrant, "tournament"),
    schema.duel: (schema.rung, "guild"),
}
"""What has no index on people, since it is written anew with every change of its tournament or ladder: who stands
there has a row in that table with the same value in that column."""

FORGOTTEN = (
    *(schema.notice, schema.vacation, schema.person, schema.attempt),
    *(schema.rating, schema.standing, schema.season, schema.honour),
)
"""What is of nobody else's concern, and goes."""

UNNAMED: dict[Table, tuple[str, ...]] = {
    schema.event: ("by",),
    schema.challenge: PEOPLE[schema.challenge],  # one says how its match was rated, another has a card that is read
    schema.joiner: ("user",),
    schema.annulment: ("by",),
    schema.tournament: ("host",),
}
"""Where NOBODY takes his place."""

_seat = schema.seat.c
_challenge = schema.challenge.c
_joiner = schema.joiner.c
_entrant = schema.entrant.c
_bout = schema.bout.c

PART: Final = 1000
"""Rows."""

_SEATS, _CHAIRS = 4, 2**20
"""More than a match has seats, and a tournament entrants."""


class PrivacyReader(Statements):
    """A `play.services.privacy.PrivacyReader`."""

    async def everything(self, user: UserId) -> dict[str, Rows]:
        found = {}
        for table, columns in PEOPLE.items():
            theirs = or_(*(table.c[column] == user for column in columns))
            if table in WITHIN:
                member, key = WITHIN[table]
                theirs = and_(theirs, table.c[key].in_(select(member.c[key]).where(member.c.user == user)))
            found[table.name] = await self._rows(select(table).where(theirs))
        for table in (schema.event, schema.plan):
            own = and_(_seat.match == table.c.match, _seat.seat == table.c.seat, _seat.user == user)
            rows = await self._rows(select(table).join_from(schema.seat, table, own).order_by(table.c.match))
            found[f"{table.name} of seat"] = rows
        return {str(name): rows for name, rows in found.items() if rows}

    async def open_challenges(self, user: UserId) -> list[ChallengeId]:
        standing = select(_challenge.id).where(_challenge.state == ChallengeState.OPEN.value)
        theirs = or_(_challenge.challenger == user, _challenge.opponent == user)
        joined = standing.join(schema.joiner, _joiner.challenge == _challenge.id).where(_joiner.user == user)
        return [row.id for row in await self._all(union(standing.where(theirs), joined))]

    async def open_tournaments(self, user: UserId) -> list[TournamentId]:
        entered = select(_entrant.tournament).join_from(schema.entrant, schema.tournament)
        theirs = _entrant.user == user, _entrant.left.is_(None)
        rows = await self._all(entered.where(*theirs, schema.tournament.c.stage.in_((Stage.SIGN_UP, Stage.RUNNING))))
        return [row.tournament for row in rows]

    async def _rows(self, statement: Any) -> Rows:
        """In parts, between which others have their turn: somebody may have played for years."""
        found: Rows = []
        rows = await self._connection.execute(statement)
        names = list(map(str, rows.keys()))
        for part in rows.partitions(PART):
            found += [dict(zip(names, row, strict=True)) for row in part]
            await asyncio.sleep(0)
        return found


class PrivacyTransaction(PrivacyReader):
    """A `play.services.privacy.PrivacyWriter`."""

    async def forget(self, user: UserId) -> None:
        servers = select(schema.standing.c.guild).where(schema.standing.c.user == user)
        stirred = update(schema.podium).where(schema.podium.c.guild.in_(servers))
        await self._connection.execute(stirred.values(version=schema.podium.c.version + 1))
        for table in FORGOTTEN:
            await self._connection.execute(delete(table).where(table.c.user == user))
        for table, columns in UNNAMED.items():
            for column in columns:
                theirs = table.c[column] == user
                await self._connection.execute(update(table).where(theirs).values({column: NOBODY}))
        await self._leave_matches(user)
        await self._leave_tournaments(user)

    async def _leave_matches(self, user: UserId) -> None:
        """In each he becomes somebody else, so that nobody can tell that they were of one person."""
        for table in (schema.change, schema.annulment):
            sat = select(_seat.seat).where(_seat.match == table.c.match, _seat.user == user).scalar_subquery()
            left = update(table).where(table.c.user == user)
            await self._connection.execute(left.values(user=-(table.c.match * _SEATS + sat) - 2))
        left = update(schema.seat).where(_seat.user == user)
        nobody = -(_seat.match * _SEATS + _seat.seat) - 2
        await self._connection.execute(left.values(user=nobody, zone=None, night=None))

    async def _leave_tournaments(self, user: UserId) -> None:
        """In each he becomes somebody else, so that its standings stay as they are."""
        own = schema.entrant.alias().c
        number = select(own.number).where(own.tournament == _bout.tournament, own.user == user).scalar_subquery()
        entered = _bout.tournament.in_(select(_entrant.tournament).where(_entrant.user == user))
        for column in PEOPLE[schema.bout]:
            left = update(schema.bout).where(entered, _bout[column] == user)
            await self._connection.execute(left.values({column: _nobody(_bout.tournament, number)}))
        left = update(schema.entrant).where(_entrant.user == user)
        await self._connection.execute(left.values(user=_nobody(_entrant.tournament, _entrant.number)))


def _nobody(tournament: Any, number: Any) -> Any:
    return -((tournament + 1) * _CHAIRS + number)
