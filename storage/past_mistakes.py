"""Past mistakes in SQL, who learns from them, and which games were reviewed for whom."""

from sqlalchemy import and_, bindparam, delete, func, or_, select

from play.ids import DAY, MatchId, Millis, UserId
from play.people.past_mistake import Finding, PastMistake, ReviewedGame
from storage import schema
from storage.conflicts import raises_on_conflict
from storage.errors import Stale
from storage.statements import AnyRow, Repository

_mistake = schema.mistake.c
_reviewed = schema.reviewed.c
_learner = schema.learner.c
_seat = schema.seat.c

_latest = (
    select(_seat.match)
    .outerjoin(schema.reviewed, and_(_reviewed.user == _seat.user, _reviewed.match == _seat.match))
    .where(_seat.user == _learner.user, _seat.ended >= bindparam("since"), _seat.ended >= _learner.since)
    .where(_reviewed.match.is_(None))
    .order_by(_seat.ended.desc())
    .limit(1)
)
_recent = schema.reviewed.alias().c
_today = select(func.count()).where(_recent.user == _learner.user, _recent.at > bindparam("yesterday"))
_of_learners = (
    select(_latest.correlate(schema.learner).scalar_subquery().label("match"))
    .select_from(schema.learner)
    .where(_today.correlate(schema.learner).scalar_subquery() < bindparam("most"))
    .subquery()
)
_UNREVIEWED = (
    select(_of_learners.c.match)
    .where(_of_learners.c.match.is_not(None))
    .distinct()
    .order_by(_of_learners.c.match.desc())
    .limit(bindparam("limit"))
)
_COUNT = (
    select(func.count())
    .select_from(schema.mistake)
    .where(_mistake.user == bindparam("user"), _mistake.day.is_not(None))
)
_COUNT_DUE = (
    select(func.count())
    .select_from(schema.mistake)
    .where(_mistake.user == bindparam("user"), _mistake.day <= bindparam("today"), _mistake.day > bindparam("after"))
)


class PastMistakeReader(Repository):
    """Past mistakes, as reads see them."""

    __slots__ = ()

    async def get(self, user: UserId, match: MatchId, number: int) -> PastMistake | None:
        own = _mistake.user == user, _mistake.match == match, _mistake.number == number
        row = await self._sql.first(select(schema.mistake).where(*own))
        return row and _read(row)

    async def numbers(self, user: UserId, match: MatchId) -> list[int]:
        """Returns the numbers of the moves of a match that are kept as mistakes of a user."""
        own = _mistake.user == user, _mistake.match == match
        rows = await self._sql.all(select(_mistake.number).where(*own).order_by(_mistake.number))
        return [row.number for row in rows]

    async def due(self, user: UserId, today: int, limit: int) -> list[PastMistake]:
        """Returns the mistakes that are due on that day, the longest due first."""
        found = select(schema.mistake).where(_mistake.user == user, _mistake.day <= today)
        rows = await self._sql.all(found.order_by(_mistake.day, _mistake.match, _mistake.number).limit(limit))
        return [_read(row) for row in rows]

    async def count_due(self, user: UserId, today: int, after: int = 0) -> int:
        """Counts the mistakes that are due on that day, and were not on the day `after`."""
        return int(await self._sql.value(_COUNT_DUE, user=user, today=today, after=after))

    async def count(self, user: UserId) -> int:
        """Counts the mistakes that still return."""
        return int(await self._sql.value(_COUNT, user=user))

    async def answered_right(self, user: UserId, since: Millis) -> int:
        """Counts the mistakes whose last answer came since then and was right."""
        own = _mistake.user == user, _mistake.at >= since, _mistake.stage > 0
        return int(await self._sql.value(select(func.count()).select_from(schema.mistake).where(*own)))

    async def reviewed(self, user: UserId, since: Millis) -> list[ReviewedGame]:
        """Returns the games that were reviewed for a player since then."""
        found = select(schema.reviewed).where(_reviewed.user == user, _reviewed.at >= since)
        rows = await self._sql.all(found.order_by(_reviewed.at, _reviewed.match))
        return [ReviewedGame(row.user, row.match, row.at, row.lost, row.causes) for row in rows]

    async def is_reviewed(self, user: UserId, match: MatchId) -> bool:
        own = _reviewed.user == user, _reviewed.match == match
        return await self._sql.first(select(_reviewed.match).where(*own)) is not None

    async def is_learner(self, user: UserId) -> bool:
        """Returns whether a user has opened their mistakes before."""
        return await self._sql.first(select(_learner.user).where(_learner.user == user)) is not None

    async def unreviewed(self, since: Millis, now: Millis, most: int, limit: int) -> list[MatchId]:
        """Returns the latest match of each learner that is not reviewed for them, of those that have ended since then
        and after they began to learn. A learner with `most` reviews within the last day has none.

        Learners are the only table that is read as a whole.
        """
        values = {"since": since, "yesterday": now - DAY, "most": most, "limit": limit}
        return [row.match for row in await self._sql.all(_UNREVIEWED, **values)]


class PastMistakeRepository(PastMistakeReader):
    """Past mistakes, as a transaction writes them."""

    __slots__ = ()

    async def add_learner(self, user: UserId, at: Millis) -> None:
        """Notes that a user has opened their mistakes."""
        if not await self.is_learner(user):
            with raises_on_conflict(Stale):
                await self._sql.add(schema.learner, {"user": user, "since": at})

    async def add_review(self, game: ReviewedGame) -> None:
        """Notes that a match was reviewed for a player. Raises Stale if it was before."""
        with raises_on_conflict(Stale):
            await self._sql.add(schema.reviewed, game._asdict())

    async def save(self, mistake: PastMistake) -> None:
        """Stores a mistake, new or answered."""
        found = mistake.finding
        key = {"user": mistake.user, "match": mistake.match, "number": found.number}
        values = {"line": list(found.line), "good": list(found.good), "value": found.value, "lost": found.lost}
        state = {"day": mistake.day, "stage": mistake.stage, "at": mistake.at}
        await self._sql.execute(delete(schema.mistake).where(*(_mistake[name] == key[name] for name in key)))
        with raises_on_conflict(Stale):
            await self._sql.add(schema.mistake, key | values | state)

    async def keep_most(self, user: UserId, most: int) -> None:
        """Deletes all but so many mistakes of a user: learned ones first, then those that cost least."""
        worst_first = _mistake.day.is_(None), _mistake.lost.desc(), _mistake.match, _mistake.number
        found = select(_mistake.match, _mistake.number).where(_mistake.user == user)
        extra = await self._sql.all(found.order_by(*worst_first).offset(most))
        if extra:
            these = or_(*(and_(_mistake.match == row.match, _mistake.number == row.number) for row in extra))
            await self._sql.execute(delete(schema.mistake).where(_mistake.user == user, these))


def _read(row: AnyRow) -> PastMistake:
    finding = Finding(row.number, tuple(row.line), tuple(row.good), row.value, row.lost)
    return PastMistake(row.user, row.match, finding, row.day, row.stage, row.at)
