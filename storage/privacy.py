"""All that is stored about a user, in SQL: to export it, or to delete it so that the games of others stay whole."""

import asyncio
from typing import Any, Final

from sqlalchemy import Table, and_, bindparam, case, delete, exists, or_, select, union, update

from play.ids import SIDES, UserId
from play.posts import PostKind
from storage import schema
from storage.identities import IdentityRepository
from storage.own_accounts import OwnAccountRepository
from storage.statements import Repository, Values
from storage.studies import StudyRepository

Rows = list[dict[str, Any]]

NOBODY: Final = -1
"""The id of a deleted user who moderated a game, created a tournament or a league, or made something for a server."""

USER_COLUMNS: dict[Table, tuple[str, ...]] = {
    schema.seat: ("user",),
    schema.event: ("by",),
    schema.challenge: ("challenger", "opponent", "by"),
    schema.joiner: ("user",),
    schema.notice: ("user",),
    schema.vacation: ("user",),
    schema.person: ("user",),
    schema.identity: ("user",),
    schema.own_account: ("user",),
    schema.own_board: ("user",),
    schema.link_code: ("user",),
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
    schema.absence: ("user",),
    schema.entrant: ("user",),
    schema.kept_post: ("host", "keeper"),
    schema.attempt: ("user",),
    schema.solver: ("user",),
    schema.tried: ("user",),
    schema.kind_figure: ("user",),
    schema.solved_year: ("user",),
    schema.rush: ("user",),
    schema.best_rush: ("user",),
    schema.prediction: ("user",),
    schema.daily_run: ("user",),
    schema.daily_member: ("user",),
    schema.daily_streak: ("user",),
    schema.block: ("user", "blocked"),
    schema.ban: ("user", "by"),
    schema.restriction: ("subject",),
    schema.operator_act: ("subject",),
    schema.news: ("by", "subject"),
    schema.vote: ("user",),
    schema.seek: ("user",),
    schema.seek_call: ("user",),
    schema.friend_code: ("user",),
    schema.report: ("user", "by"),
    schema.past_conduct: ("user",),
    schema.shared_figures: ("user",),
    schema.sheet: ("user",),
    schema.made_exercise: ("user",),
    schema.study: ("user",),
    schema.study_member: ("user",),
    schema.study_stroke: ("user",),
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

EXPORTED: dict[Table, tuple[str, ...]] = {schema.block: ("user",), schema.ban: ("user",), schema.report: ("by",)}
"""The columns that make a row a user's own where not all do: players do not learn who has blocked them."""

SECRETS: dict[Table, str] = {
    schema.linked_account: "refresh",
    schema.link_code: "digest",
    schema.friend_code: "digest",
    schema.study: "link",
    schema.shared_figures: "link",
}
"""Columns that an export leaves out: with them, Kropka acts for a user at the chat, or others come in."""

DELETED = (
    *(
        schema.notice,
        schema.vacation,
        schema.person,
        schema.link_code,
        schema.linked_account,
        schema.milestone,
        schema.digest,
        schema.rule_set,
        schema.attempt,
    ),
    *(schema.solver, schema.tried, schema.kind_figure, schema.solved_year, schema.rush, schema.best_rush, schema.block),
    *(schema.daily_run, schema.daily_member, schema.daily_streak, schema.prediction),
    *(schema.rating, schema.standing, schema.season, schema.honour, schema.home_place),
    *(schema.absence, schema.seek, schema.seek_call, schema.friend_code, schema.report),
    *(schema.lesson, schema.learner, schema.reviewed, schema.mistake),
    *(
        schema.own_board,
        schema.shared_figures,
        schema.sheet,
        schema.web_key,
        schema.web_launch,
        schema.web_session,
        schema.web_watch,
    ),
)
"""Tables whose rows concern no other user, or end with either of two."""

ANONYMISED: dict[Table, tuple[str, ...]] = {
    schema.event: ("by",),
    schema.challenge: USER_COLUMNS[
        schema.challenge
    ],  # one says how its match was rated, another has a card that is read
    schema.joiner: ("user",),
    schema.annulment: ("by",),
    schema.kept_post: ("host", "keeper"),
    schema.ban: ("by",),
    schema.news: ("by", "subject"),
    schema.operator_act: ("subject",),
    schema.study: ("user",),  # those that are begun for servers
    schema.made_exercise: ("user",),
}
"""Columns in which NOBODY takes the user's place."""

_challenge = schema.challenge.c
_seat = schema.seat.c
_entrant = schema.entrant.c
_game = schema.game.c
_competition = schema.competition.c
_post = schema.kept_post.c
_vote = schema.vote.c

_HOSTED = (
    select(*(column for column in schema.competition.c if column.name not in ("source", "code")))
    .join(schema.kept_post, and_(_post.kind == _competition.kind, _post.number == _competition.number))
    .where(_post.host == bindparam("user"))
)
"""The competitions that a user has made: nothing of the other server of a contest, and no invite code."""

_PLAYED = (
    select(schema.game)
    .join(schema.entrant, and_(_entrant.kind == _game.kind, _entrant.number == _game.number))
    .where(_entrant.user == bindparam("user"), or_(_game.first == _entrant.place, _game.second == _entrant.place))
)
_CHAPTERS = (
    select(schema.study_chapter)
    .join(schema.study, schema.study.c.id == schema.study_chapter.c.study)
    .where(schema.study.c.user == bindparam("user"), schema.study.c.guild.is_(None))
)
_beside = schema.seat.alias("beside")
_match = schema.match.c

_MET_ELSEWHERE = (
    select(
        *(_beside.c.user, _match.id.label("match"), _match.away_guild, _match.away_channel, _match.away_parent),
        *((_match.away_seat == _seat.seat).label("is_guest"), _match.guild),
    )
    .join_from(schema.seat, schema.match, _match.id == _seat.match)
    .join(_beside, and_(_beside.c.match == _seat.match, _beside.c.user != _seat.user))
    .where(_seat.user == bindparam("user"), _match.away_seat.is_not(None))
)
"""Those whom a user has met in matches with two places, and the place of the user where that is the second one."""

_OPEN_WITH = (
    select(_competition.kind, _competition.number, _competition.league)
    .join(schema.entrant, and_(_entrant.kind == _competition.kind, _entrant.number == _competition.number))
    .where(_entrant.user == bindparam("user"), _competition.open)
)
_of_competition = _competition.kind == bindparam("of_kind"), _competition.number == bindparam("of_number")
_CHANGE = update(schema.competition).where(*_of_competition)
_RENEW = _CHANGE.values(version=_competition.version + 1).returning(_competition.version)
_SHOW = update(schema.kept_post).where(_post.kind == bindparam("of_kind"), _post.number == bindparam("of_number"))

ROWS_PER_YIELD: Final = 1000
"""Rows after which other tasks have their turn."""

_SEATS, _ENTRANTS = 4, 2**20
"""Upper bounds: seats of a match, entrants of a competition."""

_COMPETITIONS: Final = -SIDES // _ENTRANTS - 1
"""Competitions after which the ids of deleted entrants are those of the first ones again: they stay above those of
sides."""


class PrivacyReader(Repository):
    """A user's data, as reads see it."""

    __slots__ = ()

    async def export(self, user: UserId) -> dict[str, Rows]:
        """Returns all rows that name `user`, by table, and those that belong to their seats."""
        found = {}
        for table, columns in USER_COLUMNS.items():
            theirs = or_(*(table.c[column] == user for column in EXPORTED.get(table, columns)))
            told = (column for column in table.c if column.name != SECRETS.get(table))
            found[table.name] = await self._rows(select(*told).where(theirs))
        found["competition of post"] = await self._rows(_HOSTED, user)
        found["game of entrant"] = await self._rows(_PLAYED, user)
        found["chapter of study"] = await self._rows(_CHAPTERS, user)
        for table in (schema.event, schema.plan):
            own = and_(_seat.match == table.c.match, _seat.seat == table.c.seat, _seat.user == user)
            rows = await self._rows(select(table).join_from(schema.seat, table, own).order_by(table.c.match))
            found[f"{table.name} of seat"] = rows
        await self._hide_others(user, found)
        return {str(name): rows for name, rows in found.items() if rows}

    async def _hide_others(self, user: UserId, found: dict[str, Rows]) -> None:
        """Takes out who those are whom the user knows by a name alone, and where: in matches with two places."""
        met = await self._rows(_MET_ELSEWHERE, user)
        hidden = {row["user"] for row in met}
        for table, columns in USER_COLUMNS.items():
            for row in found.get(table.name, ()) if hidden else ():
                row.update({column: NOBODY for column in columns if row.get(column) in hidden})
        theirs = {row["guild"] if row["is_guest"] else row["away_guild"] for row in met}
        if schema.absence.name in found:
            told = found[schema.absence.name]
            found[schema.absence.name] = [row for row in told if row["guild"] not in theirs]
        guest = [row for row in met if row["is_guest"]]
        own = {row["match"]: (row["away_guild"], row["away_parent"] or row["away_channel"]) for row in guest}
        for row in found.get(schema.challenge.name, ()):
            if row["match"] in own:
                row["guild"], row["channel"] = own[row["match"]]
                row["message"] = None

    async def _rows(self, statement: Any, user: UserId | None = None) -> Rows:
        """Returns rows as dictionaries, and lets other tasks run in between: a user may have played for years."""
        found: Rows = []
        for row in await self._sql.execute(statement, {"user": user}):
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
        await OwnAccountRepository(self._sql).part(user)
        await IdentityRepository(self._sql).forget(user)
        await StudyRepository(self._sql).forget(user)
        await self._outdate_lists(user)
        await self._drop_names(user)
        for table in DELETED:
            await self._sql.execute(delete(table).where(table.c.user == user))
        await self._sql.execute(delete(schema.report).where(schema.report.c.by == user))
        for table, own in ((schema.ban, schema.ban.c.user), (schema.restriction, schema.restriction.c.subject)):
            await self._sql.execute(update(table).where(own == user).values(reason=""))
        for table, columns in ANONYMISED.items():
            for column in columns:
                theirs = table.c[column] == user
                await self._sql.execute(update(table).where(theirs).values({column: NOBODY}))
        await self._leave_matches(user)
        await self._leave_votes(user)
        await self._leave_competitions(user)

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
        for column in ANONYMISED[schema.challenge]:
            offers = select(_challenge.id, _challenge.terms, _challenge.first).where(_challenge[column] == user)
            for row in await self._sql.all(offers):
                offered = {"terms": row.terms, "first": row.first}
                unnamed = {name: _unnamed(terms) for name, terms in offered.items() if terms}
                await self._sql.execute(update(schema.challenge).where(_challenge.id == row.id).values(unnamed))
        for row in await self._sql.all(_HOSTED, user=user):
            unnamed = {name: _unnamed(terms) for name in ("terms", "next_terms") if (terms := row.head.get(name))}
            changed = {"of_kind": row.kind, "of_number": row.number, "head": {**row.head, **unnamed}}
            await self._sql.execute(_CHANGE, changed)

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

    async def _leave_competitions(self, user: UserId) -> None:
        """Gives the user an id of its own in each competition, so that its standings stay as they are, and no further
        game of a contest.

        One that goes on gets a new version: its message is written anew, a substitute may take the place, and nothing
        read before can be stored.
        """
        for row in await self._sql.all(_OPEN_WITH, user=user):
            kind, number = (row.kind, row.number) if row.league is None else (PostKind.LEAGUE.value, row.league)
            key = {"of_kind": kind, "of_number": number}
            version = await self._sql.value(_RENEW, **key)
            await self._sql.execute(_SHOW, {**key, "wanted": version})
        deleted = -((_entrant.number % _COMPETITIONS + 1) * _ENTRANTS + _entrant.place)
        left = case((_entrant.kind == PostKind.CONTEST.value, 1), else_=_entrant.left)
        theirs = update(schema.entrant).where(_entrant.user == user)
        await self._sql.execute(theirs.values(user=deleted, left=left))


def _unnamed(terms: Values) -> Values:
    """Returns stored terms without the name of their rule set."""
    return {**terms, "rule_set": None}
