"""Milestones in SQL."""

from collections.abc import Collection

from sqlalchemy import and_, exists, select

from play.community.milestone import HIGH_LEVEL, Milestone, Progress
from play.ids import Millis, UserId
from storage import schema
from storage.careers import CareerReader
from storage.conflicts import raises_on_conflict
from storage.errors import Stale
from storage.statements import Repository

MAX_GAMES = 500
"""The latest games against the computer that are looked at for a win over a high level."""

_milestone = schema.milestone.c
_streak = schema.daily_streak.c
_change = schema.change.c
_match = schema.match.c
_seat = schema.seat.c
_challenge = schema.challenge.c
_annulment = schema.annulment.c


class MilestoneReader(Repository):
    """Milestones, as reads see them."""

    __slots__ = ()

    async def of_user(self, user: UserId) -> dict[Milestone, Millis]:
        """Returns the milestones that a user has been told of, and when, the latest last."""
        found = select(schema.milestone).where(_milestone.user == user).order_by(_milestone.at, _milestone.key)
        return {Milestone(row.key): row.at for row in await self._sql.all(found)}

    async def progress(self, user: UserId, computer: UserId | None, skipped: Collection[Milestone]) -> Progress:
        """Returns how far a user has come, as far as that decides about milestones that are not `skipped`. Games that
        were cancelled or annulled count for nothing. `computer` is the account that plays as it, if one does."""
        streak = await self._sql.first(select(_streak.longest).where(_streak.user == user))
        won = exists().where(_change.user == user, _change.result == 1, _change.weight > 0)
        looks = computer is not None and Milestone.HIGH_LEVEL not in skipped
        beats = looks and await self._has_beaten_high_level(user, computer)
        return Progress(
            await CareerReader(self._sql).count_completed(user),
            streak.longest if streak else 0,
            bool(await self._sql.value(select(won))),
            beats,
        )

    async def _has_beaten_high_level(self, user: UserId, computer: UserId | None) -> bool:
        against = schema.seat.alias()
        annulled = exists().where(_annulment.match == _seat.match, _annulment.user == user)
        played = (
            select(_seat.seat, _match.winners, _challenge.terms)
            .join_from(schema.seat, schema.match, _match.id == _seat.match)
            .join(against, and_(against.c.match == _seat.match, against.c.user == computer))
            .join(schema.challenge, _challenge.match == _seat.match)
            .where(_seat.user == user, _seat.ended.is_not(None), ~annulled)
            .order_by(_seat.ended.desc())
        )
        return any(
            row.winners == [row.seat] and (row.terms.get("level") or 0) >= HIGH_LEVEL
            for row in await self._sql.all(played.limit(MAX_GAMES))
        )


class MilestoneRepository(MilestoneReader):
    """Milestones, as a transaction writes them."""

    __slots__ = ()

    async def add(self, user: UserId, milestones: Collection[Milestone], at: Millis) -> None:
        """Stores milestones. Raises Stale if one is there already."""
        with raises_on_conflict(Stale):
            rows = [{"user": user, "key": each.value, "at": at} for each in sorted(milestones)]
            await self._sql.add(schema.milestone, rows)
