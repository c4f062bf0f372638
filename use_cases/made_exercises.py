"""The use cases of exercises that hosts make for their server: its lessons, and its puzzles of coming days."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from play.community.made_exercise import MAX_LESSONS, MAX_WAITING, MadeExercise, MadeId
from play.ids import GuildId, UserId
from play.people.membership import Membership
from play.refusal import Reason, Refused
from storage import Database
from use_cases.match_writer import irreversible
from use_cases.studies import Memberships


class MadeHere(NamedTuple):
    """What was made for a server, as one of its hosts sees it: lessons, and `waiting` puzzles, the next one first."""

    guild: GuildId
    lessons: Sequence[MadeExercise]
    waiting: Sequence[MadeExercise]


class MadeExercises:
    """What hosts make for their servers. All methods raise Refused."""

    def __init__(self, store: Database, members: Memberships) -> None:
        self._store = store
        self._members = members

    async def hosted(self, user: UserId, guilds: Iterable[GuildId]) -> Sequence[MadeHere]:
        """Returns what was made for those of some servers that a user hosts."""
        members = {guild: await self._members(guild, user) for guild in guilds}
        hosted = [guild for guild, member in members.items() if member is not None and member.hosts]
        async with self._store.read() as reader:
            made = reader.made_exercises
            return [MadeHere(each, await made.lessons(each), await made.waiting(each)) for each in hosted]

    async def add(self, made: MadeExercise) -> None:
        """Stores a lesson, or a puzzle of a coming day: each day on which the server has no puzzle yet takes the next.

        Raises Refused (`not_server_host`, `too_many_lessons`, `too_many_puzzles`).
        """
        _check_host(await self._members(made.guild, made.user))
        async with self._store.write() as tx:
            await tx.made_exercises.lock()
            if made.is_lesson and len(await tx.made_exercises.lessons(made.guild)) >= MAX_LESSONS:
                raise Refused(Reason.TOO_MANY_LESSONS, most=MAX_LESSONS)
            if not made.is_lesson and len(await tx.made_exercises.waiting(made.guild)) >= MAX_WAITING:
                raise Refused(Reason.TOO_MANY_PUZZLES, most=MAX_WAITING)
            await tx.made_exercises.add(made)

    @irreversible
    async def delete(self, number: MadeId, user: UserId) -> None:
        """Deletes a lesson, or a puzzle that waits. Raises Refused (`no_lesson`, `not_server_host`)."""
        async with self._store.read() as reader:
            made = await reader.made_exercises.get(number)
        member = None if made is None else await self._members(made.guild, user)
        if made is None or member is None:
            raise Refused(Reason.NO_LESSON)
        _check_host(member)
        async with self._store.write() as tx:
            if not await tx.made_exercises.delete(number):
                raise Refused(Reason.NO_LESSON)


def _check_host(member: Membership | None) -> None:
    if member is None or not member.hosts:
        raise Refused(Reason.NOT_SERVER_HOST)
