"""Puzzles in SQL, the answers to them, and puzzle ratings."""

from collections.abc import Collection
from dataclasses import replace

from sqlalchemy import Integer, Table, cast, func, insert, select, update

from play.community.exercise import Kind, TaskId
from play.community.puzzle import Attempt, Figure, Puzzle, PuzzleId, Solver
from play.ids import ChannelId, GuildId, MatchId, MessageId, Millis, UserId
from play.ratings.glicko import Rating
from storage import schema
from storage.conflicts import raises_on_conflict
from storage.errors import Stale
from storage.statements import AnyRow, Repository, Values

UNKNOWN = -1
"""The place of an answer among several, which is stored no more."""

_match = schema.match.c
_puzzle = schema.puzzle.c
_attempt = schema.attempt.c
_seat = schema.seat.c
_solver = schema.solver.c
_grade = schema.grade.c
_tried = schema.tried.c
_figure = schema.kind_figure.c
_solved = schema.solved_year.c


class PuzzleReader(Repository):
    """Puzzles, as reads see them."""

    __slots__ = ()

    async def get(self, puzzle: PuzzleId) -> Puzzle | None:
        row = await self._sql.first(select(schema.puzzle).where(_puzzle.id == puzzle))
        return None if row is None else _read(row)

    async def of_day(self, guild: GuildId, day: str) -> Puzzle | None:
        """Returns the puzzle of a server's day."""
        row = await self._sql.first(select(schema.puzzle).where(_puzzle.guild == guild, _puzzle.day == day))
        return None if row is None else _read(row)

    async def past(self, guild: GuildId, before: str, user: UserId, limit: int) -> list[Puzzle]:
        """Returns the posted puzzles from matches of a server but those of the user, before a day, the newest first."""
        played = select(_seat.match).where(_seat.match == _puzzle.match, _seat.user == user).exists()
        of_matches = _puzzle.match.is_not(None), _puzzle.message.is_not(None), ~played
        found = select(schema.puzzle).where(_puzzle.guild == guild, _puzzle.day < before, *of_matches)
        return [_read(row) for row in await self._sql.all(found.order_by(_puzzle.day.desc()).limit(limit))]

    async def unused_matches(self, guild: GuildId, limit: int) -> list[MatchId]:
        """Returns finished matches of a server of which no puzzle was made, the newest first."""
        used = select(_puzzle.match).where(_puzzle.match == _match.id).exists()
        found = select(_match.id).where(_match.guild == guild, _match.ended.is_not(None), ~used)
        newest = found.order_by(_match.ended.desc(), _match.id.desc()).limit(limit)
        return [row.id for row in await self._sql.all(newest)]

    async def attempt(self, puzzle: PuzzleId, user: UserId) -> Attempt | None:
        """Returns the answer of a user."""
        own = _attempt.puzzle == puzzle, _attempt.user == user
        row = await self._sql.first(select(schema.attempt).where(*own))
        return None if row is None else _read_attempt(row)

    async def attempts(self, puzzle: PuzzleId) -> list[Attempt]:
        """Returns all answers in their order."""
        found = select(schema.attempt).where(_attempt.puzzle == puzzle).order_by(_attempt.at, _attempt.user)
        return [_read_attempt(row) for row in await self._sql.all(found)]

    async def solvers(self, guild: GuildId, limit: int) -> list[Solver]:
        """Returns who has solved puzzles of a server, those with most first, without their streaks."""
        solved, tried = func.sum(cast(_attempt.right, Integer)), func.count()
        found = (
            select(_attempt.user, solved.label("solved"), tried.label("tried"))
            .join_from(schema.attempt, schema.puzzle, _puzzle.id == _attempt.puzzle)
            .where(_puzzle.guild == guild, _attempt.scored)
            .group_by(_attempt.user)
            .having(solved > 0)
            .order_by(solved.desc(), tried, _attempt.user)
            .limit(limit)
        )
        return [Solver(row.user, row.solved, row.tried) for row in await self._sql.all(found)]

    async def skill(self, user: UserId) -> Rating:
        """Returns the puzzle rating of a user."""
        row = await self._sql.first(select(schema.solver).where(_solver.user == user))
        return Rating() if row is None else Rating(row.value, row.deviation, row.volatility, row.at)

    async def began(self, user: UserId) -> Millis | None:
        """Returns when a user was rated first; 0 if that is not known any more, None if they were not."""
        row = await self._sql.first(select(_solver.began).where(_solver.user == user))
        return None if row is None else row.began or Millis(0)

    async def figures(self, user: UserId) -> dict[Kind, Figure]:
        """Returns how a user does with each kind of exercise that they have tried."""
        rows = await self._sql.all(select(schema.kind_figure).where(_figure.user == user))
        return {Kind(row.kind): Figure(row.solved, row.tried) for row in rows}

    async def solved_in(self, user: UserId, year: int) -> int:
        """Returns how many exercises a user has solved at the first try in a year, since those are counted."""
        row = await self._sql.first(select(_solved.solved).where(_solved.user == user, _solved.year == year))
        return row.solved if row else 0

    async def grades(self, tasks: Collection[TaskId]) -> dict[TaskId, Rating]:
        """Returns the ratings of those tasks that have an answer."""
        rows = await self._sql.all(select(schema.grade).where(_grade.task.in_(tasks)))
        return {row.task: Rating(row.value, row.deviation) for row in rows}

    async def tried(self, user: UserId) -> list[TaskId]:
        """Returns the tasks that a user has answered, the longest ago first."""
        found = select(_tried.task).where(_tried.user == user).order_by(_tried.at, _tried.task)
        return [row.task for row in await self._sql.all(found)]


class PuzzleRepository(PuzzleReader):
    """Puzzles, as a transaction writes them."""

    __slots__ = ()

    async def add(self, puzzle: Puzzle) -> Puzzle:
        """Stores a new puzzle and gives it its id. Raises Stale if its server has one for its day."""
        values = {
            "guild": puzzle.guild,
            "day": puzzle.day,
            "match": puzzle.match,
            "exercise": puzzle.exercise,
            "made": puzzle.made,
            "number": puzzle.number,
            "answers": list(puzzle.answers),
            "solution": list(puzzle.solution),
            "captures": puzzle.captures,
        }
        with raises_on_conflict(Stale):
            added = await self._sql.value(insert(schema.puzzle).values(values).returning(_puzzle.id))
        return replace(puzzle, id=added)

    async def mark_posted(self, puzzle: PuzzleId, channel: ChannelId, message: MessageId) -> None:
        """Notes which message shows a puzzle."""
        await self._sql.change(
            update(schema.puzzle).where(_puzzle.id == puzzle).values(channel=channel, message=message)
        )

    async def add_attempt(self, attempt: Attempt) -> None:
        """Stores an answer. Raises Stale if its user has answered already."""
        with raises_on_conflict(Stale):
            await self._sql.add(schema.attempt, {"answer": UNKNOWN, **attempt._asdict()})

    async def add_try(self, user: UserId, task: TaskId, at: Millis) -> bool:
        """Notes that a user has answered a task. Returns whether it was the first time."""
        own = _tried.user == user, _tried.task == task
        known = await self._sql.first(select(_tried.at).where(*own))
        if known is not None:
            await self._sql.execute(update(schema.tried).where(*own).values(at=at))
            return False
        with raises_on_conflict(Stale):
            await self._sql.add(schema.tried, {"user": user, "task": task, "at": at})
        return True

    async def save_skill(self, user: UserId, rating: Rating) -> None:
        """Stores the puzzle rating of a user."""
        values = {"value": rating.value, "deviation": rating.deviation, "volatility": rating.volatility}
        await self._put(schema.solver, {"user": user}, {**values, "at": rating.at}, {"began": rating.at})

    async def note_figure(self, user: UserId, kind: Kind, *, right: bool) -> None:
        """Counts an answer to an exercise of a kind. Raises Stale if another writer has just counted the first one."""
        own = _figure.user == user, _figure.kind == kind
        counted = {"solved": _figure.solved + int(right), "tried": _figure.tried + 1}
        if (await self._sql.execute(update(schema.kind_figure).where(*own).values(counted))).rowcount:
            return
        with raises_on_conflict(Stale):
            await self._sql.add(
                schema.kind_figure, {"user": user, "kind": kind.value, "solved": int(right), "tried": 1}
            )

    async def note_solved(self, user: UserId, year: int) -> None:
        """Counts an exercise that was solved at the first try. Raises Stale if another writer has just counted the
        first one."""
        own = _solved.user == user, _solved.year == year
        counted = update(schema.solved_year).where(*own).values(solved=_solved.solved + 1)
        if not (await self._sql.execute(counted)).rowcount:
            with raises_on_conflict(Stale):
                await self._sql.add(schema.solved_year, {"user": user, "year": year, "solved": 1})

    async def save_grade(self, task: TaskId, rating: Rating) -> None:
        """Stores the rating of a task."""
        await self._put(schema.grade, {"task": task}, {"value": rating.value, "deviation": rating.deviation}, {})

    async def _put(self, table: Table, key: Values, values: Values, first: Values) -> None:
        """Stores a row in the place of the one with its key; a new one has the `first` values, too. Raises Stale if
        another writer has just added one.

        Writers of one row wait for each other; the last one counts.
        """
        ((name, value),) = key.items()
        if (await self._sql.execute(update(table).where(table.c[name] == value).values(values))).rowcount:
            return
        with raises_on_conflict(Stale):
            await self._sql.add(table, {**key, **values, **first})


def _read(row: AnyRow) -> Puzzle:
    return Puzzle(
        row.id,
        row.guild,
        row.day,
        row.match,
        row.number,
        tuple(row.answers),
        tuple(row.solution),
        row.captures,
        row.channel,
        row.message,
        row.exercise,
        row.made,
    )


def _read_attempt(row: AnyRow) -> Attempt:
    return Attempt(row.puzzle, row.user, row.right, row.at, row.scored)
