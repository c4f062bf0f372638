"""Users' settings in SQL."""

from collections.abc import Collection
from dataclasses import replace
from zoneinfo import ZoneInfo

from sqlalchemy import bindparam, select

from play.clock.clock import ReminderStep
from play.clock.schedule import parse_night
from play.ids import UserId
from play.people.settings import PlayerSettings, Reminders
from storage import schema
from storage.lists import is_among
from storage.settings import save_settings
from storage.statements import Repository
from storage.terms import read_terms, terms_values

_PERSON = select(schema.person).where(schema.person.c.user == bindparam("user"))
_UNNAMED = select(schema.person.c.user).where(is_among(schema.person.c.user, "users"), ~schema.person.c.named)


class PersonReader(Repository):
    """Users' settings, as reads see them."""

    __slots__ = ()

    async def get(self, user: UserId) -> PlayerSettings:
        """Returns a user's settings: the defaults until they change them."""
        row = await self._sql.first(_PERSON, user=user)
        if row is None:
            return PlayerSettings(user)
        return PlayerSettings(
            user,
            row.language,
            row.theme,
            row.confirm_live,
            row.confirm_days,
            Reminders(row.reminders),
            ReminderStep.MOST if row.steps is None else ReminderStep(row.steps),
            row.steps_since,
            row.digest,
            bool(row.digest_closed),
            row.night and parse_night(row.night),
            row.zone and ZoneInfo(row.zone),
            row.terms and read_terms(row.terms),
            row.dm,
            row.opens_next,
            row.named,
            row.milestones,
            row.alias,
            row.watchable,
            row.explored,
            row.version,
        )

    async def unnamed(self, users: Collection[UserId]) -> frozenset[UserId]:
        """Returns those of the users whose names nobody reads where they watch a game."""
        if not users:
            return frozenset()  # SQLite scans for nothing
        return frozenset(row.user for row in await self._sql.all(_UNNAMED, users=[*users]))


class PersonRepository(PersonReader):
    """Users' settings, as a transaction writes them."""

    __slots__ = ()

    async def save(self, person: PlayerSettings) -> PlayerSettings:
        """Stores changed settings as their next version. Raises Stale if they have changed since they were read."""
        values = {
            "language": person.language,
            "theme": person.theme,
            "confirm_live": person.confirm_live,
            "confirm_days": person.confirm_days,
            "reminders": person.reminders.value,
            "steps": person.steps.value,
            "steps_since": person.steps_since,
            "digest": person.digest,
            "digest_closed": person.digest_closed,
            "night": person.night and str(person.night),
            "zone": person.zone and person.zone.key,
            "terms": terms_values(person.terms),
            "dm": person.dm,
            "opens_next": person.opens_next,
            "named": person.named,
            "milestones": person.milestones,
            "alias": person.alias,
            "watchable": person.watchable,
            "explored": person.explored,
        }
        await save_settings(self._sql, schema.person, {"user": person.id}, person.version, values)
        return replace(person, version=person.version + 1)
