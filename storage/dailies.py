"""The daily in SQL."""

from datetime import date, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Delete, Select, Table, bindparam, delete, func, literal, select, tuple_, update

from play.community.daily import CLEAN_POINTS, KEPT_DAYS, DailyPlace, DailyPost, Run, ServerResult, Tally
from play.community.streak import Streak, day_start, next_day
from play.ids import GuildId, MessageId, Millis, UserId
from play.posts import PostKind, PostProblem
from storage import schema
from storage.conflicts import raises_on_conflict
from storage.errors import Stale
from storage.kept_posts import of_server
from storage.statements import AnyRow, Repository, Values

_run = schema.daily_run.c
_member = schema.daily_member.c
_streak = schema.daily_streak.c
_place = schema.daily_place.c
_post = schema.daily_post.c


def _sweep(table: Table) -> Delete:
    key = [*table.primary_key.columns]
    old = select(*key).where(table.c.day < bindparam("before")).order_by(*key).limit(bindparam("limit"))
    return delete(table).where(tuple_(*key).in_(old))


_SWEEPS = [_sweep(table) for table in (schema.daily_run, schema.daily_member, schema.daily_post)]
_RUN = select(schema.daily_run).where(_run.day == bindparam("day"), _run.user == bindparam("user"))
_PLACE = (
    select(schema.daily_place, schema.kept_post.c.problem.label("trouble"))
    .outerjoin(schema.kept_post, of_server(PostKind.DAILY, _place.guild))
    .where(_place.guild == bindparam("guild"))
)
_DUE = (
    select(_place.guild)
    .where(_place.due.is_not(None), _place.due <= bindparam("now"))
    .order_by(_place.due)
    .limit(bindparam("limit"))
)


class DailyReader(Repository):
    """The daily, as reads see it."""

    __slots__ = ()

    async def run(self, day: str, user: UserId) -> Run | None:
        row = await self._sql.first(_RUN, day=day, user=user)
        return None if row is None else _read_run(row)

    async def tally(self, day: str, guild: GuildId) -> Tally:
        """Returns how those did who have opened the daily on a server."""
        clean = (_run.points == CLEAN_POINTS) & (_run.first == 0)
        millis = _run.ended - _run.began
        counts = _solved_there(day, guild, func.count().label("solvers"), func.count().filter(clean).label("clean"))
        (counted,) = await self._sql.all(counts)
        best = _solved_there(day, guild, _run.user, millis.label("millis")).where(clean)
        fastest = await self._sql.first(best.order_by(millis, _run.user).limit(1)) if counted.clean else None
        return Tally(counted.solvers, counted.clean, *(fastest or (None, None)))

    async def count_solvers(self, day: str, guild: GuildId) -> int:
        """Counts those who have opened the daily on a server, and in time solved a step or more, all gone through."""
        return int(await self._sql.value(_solved_there(day, guild, func.count())))

    async def has_solver(self, day: str, guild: GuildId) -> bool:
        """Returns whether there is one of those."""
        return await self._sql.first(_solved_there(day, guild, literal(1)).limit(1)) is not None

    async def count_runs(self, user: UserId) -> int:
        """Counts the days that a user has begun and that are kept."""
        return int(await self._sql.value(select(func.count()).where(_run.user == user)))

    async def count_solved(self, user: UserId) -> int:
        """Counts the puzzles of the runs of a user that are kept."""
        return int(await self._sql.value(select(func.coalesce(func.sum(_run.solved), 0)).where(_run.user == user)))

    async def guilds(self, day: str, user: UserId) -> list[GuildId]:
        """Returns the servers on which a user has opened the daily."""
        found = select(_member.guild).where(_member.user == user, _member.day == day)
        return [row.guild for row in await self._sql.all(found.order_by(_member.guild))]

    async def streak(self, user: UserId) -> Streak | None:
        row = await self._sql.first(select(schema.daily_streak).where(_streak.user == user))
        return None if row is None else Streak(row.user, row.days, row.longest, row.last)

    async def place(self, guild: GuildId) -> DailyPlace | None:
        row = await self._sql.first(_PLACE, guild=guild)
        return None if row is None else _read_place(row)

    async def due(self, now: Millis, limit: int) -> list[GuildId]:
        """Returns the servers whose daily is to be posted, the longest due first."""
        return [row.guild for row in await self._sql.all(_DUE, now=now, limit=limit)]

    async def post(self, guild: GuildId, day: str) -> DailyPost | None:
        row = await self._sql.first(select(schema.daily_post).where(_post.day == day, _post.guild == guild))
        return None if row is None else _read_post(row)

    async def last_post(self, guild: GuildId, before: str) -> DailyPost | None:
        """Returns the newest post of a server before a day, of the last KEPT_DAYS."""
        until = date.fromisoformat(before)
        days = [(until - timedelta(number)).isoformat() for number in range(1, KEPT_DAYS)]
        posted = select(schema.daily_post).where(_post.day.in_(days), _post.guild == guild)
        row = await self._sql.first(posted.order_by(_post.day.desc()).limit(1))
        return None if row is None else _read_post(row)

    async def results(self, day: str, min_solvers: int) -> list[ServerResult]:
        """Returns what members of the servers that want to be compared have solved of a day's exercises, in time."""
        solvers, points = func.count(), func.sum(_run.points)
        found = (
            select(_member.guild, solvers.label("solvers"), points.label("points"))
            .join_from(schema.daily_member, schema.daily_place, _place.guild == _member.guild)
            .join(schema.daily_run, (_run.day == _member.day) & (_run.user == _member.user))
            .where(_member.day == day, _place.compared, _run.first == 0, *_in_time(day))
            .group_by(_member.guild)
            .having(solvers >= min_solvers)
        )
        return [ServerResult(row.guild, row.solvers, row.points) for row in await self._sql.all(found)]


class DailyRepository(DailyReader):
    """The daily, as a transaction writes it."""

    __slots__ = ()

    async def add_run(self, run: Run) -> None:
        """Stores a new run. Raises Stale if its user has one on its day."""
        begun = {"day": run.day, "user": run.user, "began": run.began, "first": run.first, "plain": run.plain}
        with raises_on_conflict(Stale):
            await self._sql.add(schema.daily_run, {**begun, **_progress(run)})

    async def save_run(self, run: Run, tries: int) -> None:
        """Stores a run that had so many `tries`. Raises Stale if it has changed since."""
        same = _run.day == run.day, _run.user == run.user, _run.tries == tries
        await self._sql.change(update(schema.daily_run).where(*same).values(_progress(run)))

    async def add_member(self, day: str, guild: GuildId, user: UserId) -> bool:
        """Notes that a user has opened the daily on a server. Returns whether that is new."""
        same = _member.day == day, _member.guild == guild, _member.user == user
        if await self._sql.first(select(literal(1)).where(*same)) is not None:
            return False
        with raises_on_conflict(Stale):
            await self._sql.add(schema.daily_member, {"day": day, "guild": guild, "user": user})
        return True

    async def save_streak(self, streak: Streak) -> None:
        await self._sql.execute(delete(schema.daily_streak).where(_streak.user == streak.user))
        with raises_on_conflict(Stale):
            await self._sql.add(schema.daily_streak, streak._asdict())

    async def save_place(self, place: DailyPlace) -> None:
        values: Values = {
            "channel": place.channel,
            "hour": place.hour,
            "zone": place.zone,
            "choices": place.choices,
            "compared": place.compared,
            "due": place.due,
        }
        changed = update(schema.daily_place).where(_place.guild == place.guild).values(values)
        if not (await self._sql.execute(changed)).rowcount:
            with raises_on_conflict(Stale):
                await self._sql.add(schema.daily_place, {"guild": place.guild, **values})

    async def note_due(self, place: DailyPlace) -> None:
        """Stores when the daily is due, unless the place has moved since."""
        changed = update(schema.daily_place).where(_place.guild == place.guild)
        if place.due is None:  # it has ended
            await self._sql.execute(changed.values(channel=None, due=None))
        else:
            await self._sql.execute(changed.where(_place.channel == place.channel).values(due=place.due))

    async def add_post(self, post: DailyPost) -> None:
        """Stores a post before it is sent. Raises Stale if the server has one for the day."""
        values = {"day": post.day, "guild": post.guild, "channel": post.channel, "streak": post.streak}
        with raises_on_conflict(Stale):
            await self._sql.add(schema.daily_post, values)

    async def move_post(self, post: DailyPost) -> None:
        """Stores the channel of a post that is not sent yet."""
        same = _post.day == post.day, _post.guild == post.guild
        await self._sql.change(update(schema.daily_post).where(*same).values(channel=post.channel))

    async def mark_posted(self, guild: GuildId, day: str, message: MessageId) -> None:
        same = _post.day == day, _post.guild == guild
        await self._sql.change(update(schema.daily_post).where(*same).values(message=message))

    async def mark_recapped(self, guild: GuildId, day: str) -> None:
        same = _post.day == day, _post.guild == guild
        await self._sql.change(update(schema.daily_post).where(*same).values(recapped=True))

    async def sweep(self, before: str, limit: int) -> int:
        """Deletes at most so many runs, with what belongs to them, of days before; returns how many."""
        values = {"before": before, "limit": limit}
        return sum([(await self._sql.execute(sweep, values)).rowcount for sweep in _SWEEPS])


def _in_time(day: str) -> tuple[ColumnElement[bool], ...]:
    """Returns what is true of a run that has ended on its day, a step or more of it solved."""
    return _run.solved > 0, _run.ended.is_not(None), _run.ended < day_start(next_day(day))


def _solved_there(day: str, guild: GuildId, *columns: ColumnElement[Any]) -> Select[Any]:
    """Selects from the runs that have ended in time, a step or more solved, of those who have opened it on a server."""
    members = select(_member.user).where(_member.day == day, _member.guild == guild)  # a join might begin with all runs
    found = select(*columns).select_from(schema.daily_run)
    return found.where(_run.day == day, _run.user.in_(members), *_in_time(day))


def _progress(run: Run) -> Values:
    return {
        "moves": list(run.moves),
        "missed": run.missed,
        "results": list(run.results),
        "tries": run.tries,
        "ended": run.ended,
        "solved": run.solved,
        "points": run.points,
    }


def _read_run(row: AnyRow) -> Run:
    progress = tuple(row.moves), row.missed, tuple(row.results), row.tries, row.ended
    return Run(row.day, row.user, row.began, *progress, row.first, row.plain)


def _read_place(row: AnyRow) -> DailyPlace:
    trouble = None if row.trouble is None else PostProblem(row.trouble)
    place = row.guild, row.channel, row.hour, row.zone, row.choices, row.compared
    return DailyPlace(*place, row.due, trouble)


def _read_post(row: AnyRow) -> DailyPost:
    return DailyPost(row.guild, row.day, row.channel, row.message, row.streak, row.recapped)
