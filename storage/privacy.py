"""All that is stored about a user, in SQL: to export it, or to delete it so that the games of others stay whole."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from sqlalchemy import Table, and_, delete, exists, or_, select, union, update

from play.competitions.contest import OPEN
from play.competitions.tournament import Stage
from play.ids import SIDES, UserId
from storage import schema
from storage.statements import Repository

Rows = list[dict[str, Any]]

NOBODY: Final = -1
"""The id of a deleted user who moderated a game, or created a tournament or a league."""

USER_COLUMNS: dict[Table, tuple[str, ...]] = {
    schema.seat: ("user",),
    schema.event: ("by",),
    schema.challenge: ("challenger", "opponent", "by"),
    schema.joiner: ("user",),
    schema.notice: ("user",),
    schema.vacation: ("user",),
    schema.person: ("user",),
    schema.linked_account: ("user",),
    schema.milestone: ("user",),
    schema.digest: ("user",),
    schema.rule_set: ("user",),
    schema.rating: ("user",),
    schema.change: ("user",),
    schema.annulment: ("user", "by"),
    schema.standing: ("user",),
    schema.season: ("user",),
    schema.honour: ("user",),
    schema.home_place: ("user",),
    schema.tournament: ("host",),
    schema.entrant: ("user",),
    schema.bout: ("first", "second"),
    schema.contest: ("home_manager", "guest_manager"),
    schema.contest_player: ("user",),
    schema.rung: ("user",),
    schema.duel: ("challenger", "defender"),
    schema.league: ("keeper",),
    schema.kept_post: ("keeper",),
    schema.league_member: ("user",),
    schema.league_seat: ("user",),
    schema.league_game: ("first", "second", "taken"),
    schema.attempt: ("user",),
    schema.solver: ("user",),
    schema.tried: ("user",),
    schema.rush: ("user",),
    schema.best_rush: ("user",),
    schema.prediction: ("user",),
    schema.daily_run: ("user",),
    schema.daily_member: ("user",),
    schema.daily_streak: ("user",),
    schema.block: ("user", "blocked"),
    schema.ban: ("user", "by"),
    schema.news: ("by", "subject"),
    schema.vote: ("user",),
    schema.sheet: ("user",),
    schema.lesson: ("user",),
    schema.learner: ("user",),
    schema.reviewed: ("user",),
    schema.mistake: ("user",),
    schema.web_key: ("user",),
    schema.web_launch: ("user",),
    schema.web_session: ("user",),
    schema.web_watch: ("user",),
}
"""The columns that hold users' ids; `plan` and `event` belong to seats, too."""

EXPORTED: dict[Table, tuple[str, ...]] = {schema.block: ("user",), schema.ban: ("user",)}
"""The columns that make a row a user's own where not all do: players do not learn who has blocked them."""

SECRETS: dict[Table, str] = {schema.linked_account: "refresh"}
"""Columns that an export leaves out: with them, Kropka acts for a user at Discord."""

WITHIN: dict[Table, tuple[Table, str]] = {
    schema.bout: (schema.entrant, "tournament"),
    schema.duel: (schema.rung, "guild"),
    schema.league_game: (schema.league_seat, "season"),
}
"""Tables without an index on users: each change of a tournament or ladder writes its rows anew, and a league has many.
A user in the first table has a row in the second one, with the same value in that column."""

DELETED = (
    *(
        schema.notice,
        schema.vacation,
        schema.person,
        schema.linked_account,
        schema.milestone,
        schema.digest,
        schema.rule_set,
        schema.attempt,
    ),
    *(schema.solver, schema.tried, schema.rush, schema.best_rush, schema.block),
    schema.league_member,
    *(schema.daily_run, schema.daily_member, schema.daily_streak, schema.prediction),
    *(schema.rating, schema.standing, schema.season, schema.honour, schema.home_place),
    *(schema.lesson, schema.learner, schema.reviewed, schema.mistake),
    *(schema.sheet, schema.web_key, schema.web_launch, schema.web_session, schema.web_watch),
)
"""Tables whose rows concern no other user, or end with either of two."""

ANONYMISED: dict[Table, tuple[str, ...]] = {
    schema.event: ("by",),
    schema.challenge: USER_COLUMNS[
        schema.challenge
    ],  # one says how its match was rated, another has a card that is read
    schema.joiner: ("user",),
    schema.annulment: ("by",),
    schema.tournament: ("host",),
    schema.contest: ("home_manager", "guest_manager"),
    schema.league: ("keeper",),
    schema.kept_post: ("keeper",),
    schema.ban: ("by",),
    schema.news: ("by", "subject"),
}
"""Columns in which NOBODY takes the user's place."""

NAMED_TERMS: dict[Table, tuple[str, ...]] = {
    schema.challenge: ("terms", "first"),
    schema.tournament: ("terms",),
    schema.contest: ("terms",),
}
"""Columns with terms, in which a rule set has its name."""

_seat = schema.seat.c
_entrant = schema.entrant.c
_bout = schema.bout.c
_vote = schema.vote.c
_contest_player = schema.contest_player.c
_league_seat = schema.league_seat.c
_league_game = schema.league_game.c

ROWS_PER_YIELD: Final = 1000
"""Rows after which other tasks have their turn."""

_SEATS, _ENTRANTS, _LEAGUE_SEATS = 4, 2**20, 2**10
"""Upper bounds: seats of a match, entrants of a tournament, seats of a season."""


class PrivacyReader(Repository):
    """A user's data, as reads see it."""

    __slots__ = ()

    async def export(self, user: UserId) -> dict[str, Rows]:
        """Returns all rows that name `user`, by table, and those that belong to their seats."""
        found = {}
        for table, columns in USER_COLUMNS.items():
            theirs = or_(*(table.c[column] == user for column in EXPORTED.get(table, columns)))
            if table in WITHIN:
                member, key = WITHIN[table]
                theirs = and_(theirs, table.c[key].in_(select(member.c[key]).where(member.c.user == user)))
            told = (column for column in table.c if column.name != SECRETS.get(table))
            rows = await self._rows(select(*told).where(theirs))
            found[table.name] = [_own_part(row, user) for row in rows] if table is schema.contest else rows
        for table in (schema.event, schema.plan):
            own = and_(_seat.match == table.c.match, _seat.seat == table.c.seat, _seat.user == user)
            rows = await self._rows(select(table).join_from(schema.seat, table, own).order_by(table.c.match))
            found[f"{table.name} of seat"] = rows
        return {str(name): rows for name, rows in found.items() if rows}

    async def _rows(self, statement: Any) -> Rows:
        """Returns rows as dictionaries, and lets other tasks run in between: a user may have played for years."""
        found: Rows = []
        for row in await self._sql.execute(statement):
            found.append(row._asdict())
            if len(found) % ROWS_PER_YIELD == 0:
                await asyncio.sleep(0)
        return found


class PrivacyRepository(PrivacyReader):
    """A user's data, as a transaction deletes it."""

    __slots__ = ()

    async def forget(self, user: UserId) -> None:
        """Deletes a user without open matches. In place of theirs, each of their seats gets an id below 0 of its
        own."""
        await self._outdate_lists(user)
        await self._drop_names(user)
        for table in DELETED:
            await self._sql.execute(delete(table).where(table.c.user == user))
        await self._sql.execute(delete(schema.block).where(schema.block.c.blocked == user))
        await self._sql.execute(update(schema.ban).where(schema.ban.c.user == user).values(reason=""))
        for table, columns in ANONYMISED.items():
            for column in columns:
                theirs = table.c[column] == user
                await self._sql.execute(update(table).where(theirs).values({column: NOBODY}))
        await self._leave_matches(user)
        await self._leave_tournaments(user)
        await self._leave_votes(user)
        await self._leave_contests(user)
        await self._leave_seasons(user)

    async def _outdate_lists(self, user: UserId) -> None:
        """Gives the role rewards and homes that may list the user a new version: they are made anew, and nothing read
        before can be stored."""
        listing = (schema.standing, schema.season, schema.honour, schema.home_place)
        servers = union(*(select(table.c.guild).where(table.c.user == user) for table in listing))
        for table in (schema.podium, schema.home):
            listed = update(table).where(table.c.guild.in_(servers))
            await self._sql.execute(listed.values(version=table.c.version + 1))

    async def _drop_names(self, user: UserId) -> None:
        """Removes the names of rule sets, which players have typed, from the user's games and their challenges."""
        sat = select(_seat.match).where(_seat.user == user)
        named = schema.match.c.id.in_(sat), schema.match.c.rule_set.is_not(None)
        await self._sql.execute(update(schema.match).where(*named).values(rule_set=None))
        for table, terms in NAMED_TERMS.items():
            for column in ANONYMISED[table]:
                offers = select(table.c.id, *(table.c[each] for each in terms)).where(table.c[column] == user)
                for row in await self._sql.all(offers):
                    unnamed = {
                        each: {**values, "rule_set": None}
                        for each, values in row._asdict().items()
                        if each in terms and values and values.get("rule_set")
                    }
                    if unnamed:
                        await self._sql.execute(update(table).where(table.c.id == row.id).values(unnamed))

    async def _leave_matches(self, user: UserId) -> None:
        """Gives each of the user's seats an id of its own, so that nothing shows that one user had them all."""
        for table in (schema.change, schema.annulment):
            sat = select(_seat.seat).where(_seat.match == table.c.match, _seat.user == user).scalar_subquery()
            left = update(table).where(table.c.user == user)
            await self._sql.execute(left.values(user=-(table.c.match * _SEATS + sat) - 2))
        left = update(schema.seat).where(_seat.user == user)
        deleted = -(_seat.match * _SEATS + _seat.seat) - 2
        await self._sql.execute(left.values(user=deleted, zone=None, night=None, quiet=None))

    async def _leave_votes(self, user: UserId) -> None:
        """Deletes the user's votes that are not counted yet. The others stay without the user, for the counts."""
        is_counted = exists().where(schema.side.c.id == _vote.side, schema.side.c.closed >= _vote.version)
        await self._sql.execute(delete(schema.vote).where(_vote.user == user, ~is_counted))
        await self._sql.execute(update(schema.vote).where(_vote.user == user).values(user=None))

    async def _leave_tournaments(self, user: UserId) -> None:
        """Gives the user an id of its own in each tournament, so that its standings stay as they are.

        One that goes on gets a new version: its message is written anew, and nothing read before can be stored.
        """
        running = schema.tournament.c.stage.in_((Stage.SIGN_UP, Stage.RUNNING))
        theirs = schema.tournament.c.id.in_(select(_entrant.tournament).where(_entrant.user == user))
        newer = update(schema.tournament).where(theirs, running)
        await self._sql.execute(newer.values(version=schema.tournament.c.version + 1))
        own = schema.entrant.alias().c
        number = select(own.number).where(own.tournament == _bout.tournament, own.user == user).scalar_subquery()
        entered = _bout.tournament.in_(select(_entrant.tournament).where(_entrant.user == user))
        for column in USER_COLUMNS[schema.bout]:
            left = update(schema.bout).where(entered, _bout[column] == user)
            await self._sql.execute(left.values({column: _deleted_entrant(_bout.tournament, number)}))
        left = update(schema.entrant).where(_entrant.user == user)
        await self._sql.execute(left.values(user=_deleted_entrant(_entrant.tournament, _entrant.number)))

    async def _leave_contests(self, user: UserId) -> None:
        """Gives the user an id of its own in each contest of two servers, and no further game of it.

        One that goes on gets a new version: a substitute may take the place, and nothing read before can be stored.
        """
        entered = select(_contest_player.contest).where(_contest_player.user == user)
        newer = update(schema.contest).where(schema.contest.c.id.in_(entered), schema.contest.c.stage.in_(OPEN))
        await self._sql.execute(newer.values(version=schema.contest.c.version + 1))
        left = update(schema.contest_player).where(_contest_player.user == user)
        deleted = _deleted_entrant(_contest_player.contest, _contest_player.number)
        await self._sql.execute(left.values(user=deleted, left=True))

    async def _leave_seasons(self, user: UserId) -> None:
        """Gives the user an id of its own in each season of a league, as in tournaments."""
        played = select(_league_seat.season).where(_league_seat.user == user)
        servers = select(schema.league_season.c.guild).where(schema.league_season.c.id.in_(played))
        newer = schema.league.c.version + 1
        theirs = update(schema.league).where(schema.league.c.guild.in_(servers))
        await self._sql.execute(theirs.values(version=newer, changed=newer))
        own = schema.league_seat.alias().c
        number = select(own.number).where(own.season == _league_game.season, own.user == user).scalar_subquery()
        for column in USER_COLUMNS[schema.league_game]:
            left = update(schema.league_game).where(_league_game.season.in_(played), _league_game[column] == user)
            await self._sql.execute(left.values({column: _deleted_seat(_league_game.season, number)}))
        left = update(schema.league_seat).where(_league_seat.user == user)
        await self._sql.execute(left.values(user=_deleted_seat(_league_seat.season, _league_seat.number)))


def _deleted_entrant(tournament: Any, number: Any) -> Any:
    return _deleted_of(tournament, number, _ENTRANTS)


def _deleted_seat(season: Any, number: Any) -> Any:
    return _deleted_of(season, number, _LEAGUE_SEATS)


def _deleted_of(whole: Any, number: Any, most: int) -> Any:
    """Returns the id of a deleted user who has a number among the `most` of a `whole`: one of its own there, and above
    those of sides. The ids of later wholes are those of the first ones again."""
    wholes = -SIDES // most - 1
    return -((whole % wholes + 1) * most + number)


def _own_part(contest: dict[str, Any], user: UserId) -> dict[str, Any]:
    """Returns what a manager may have of a contest: nothing of the other server and its manager, and not the code."""
    others = [f"{side}_" for side in ("home", "guest") if contest[f"{side}_manager"] != user]
    return {name: value for name, value in contest.items() if name != "code" and not name.startswith(tuple(others))}
