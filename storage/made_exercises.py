"""Exercises that were made for servers, in SQL."""

from collections.abc import Sequence

from sqlalchemy import bindparam, delete, insert, or_, select

from play.community.exercise import Kind
from play.community.made_exercise import MadeExercise, MadeId
from play.ids import GuildId
from rules.dots import Dots
from rules.registry import restore_game
from storage import schema
from storage.statements import AnyRow, Repository

_made = schema.made_exercise.c
_BY_ID = select(schema.made_exercise).where(_made.id == bindparam("wanted"))
_LESSONS = select(schema.made_exercise).where(_made.guild == bindparam("of_guild"), _made.lesson).order_by(_made.id)
_used = select(schema.puzzle.c.id).where(schema.puzzle.c.made == _made.id).exists()
_WAITING = (
    select(schema.made_exercise).where(_made.guild == bindparam("of_guild"), ~_made.lesson, ~_used).order_by(_made.id)
)


class MadeExerciseReader(Repository):
    """Exercises that were made for servers, as reads see them."""

    __slots__ = ()

    async def get(self, made: MadeId) -> MadeExercise | None:
        row = await self._sql.first(_BY_ID, wanted=made)
        return row and _read(row)

    async def lessons(self, guild: GuildId) -> Sequence[MadeExercise]:
        """Returns the lessons of a server, the first one first."""
        return [_read(row) for row in await self._sql.all(_LESSONS, of_guild=guild)]

    async def waiting(self, guild: GuildId) -> Sequence[MadeExercise]:
        """Returns what was made for the coming days of a server, the next one first."""
        return [_read(row) for row in await self._sql.all(_WAITING, of_guild=guild)]


class MadeExerciseRepository(MadeExerciseReader):
    """Exercises that were made for servers, as a transaction writes them."""

    __slots__ = ()

    async def lock(self) -> None:
        """Lets no other transaction pass this point until this one ends, so that a count stays true."""
        await self._sql.lock(schema.made_exercise)

    async def add(self, made: MadeExercise) -> MadeId:
        """Stores a new exercise; returns its id."""
        values = {
            "guild": made.guild,
            "user": made.user,
            "lesson": made.is_lesson,
            "name": made.name,
            "text": made.text,
            "game": made.game.key,
            "options": made.game.options,
            "kind": made.kind.value,
            "points": made.points,
            "answers": [*made.answers],
            "tree": made.tree,
            "at": made.at,
        }
        return MadeId(await self._sql.value(insert(schema.made_exercise).values(values).returning(_made.id)))

    async def delete(self, made: MadeId) -> bool:
        """Deletes a lesson, or a puzzle that waits; returns whether it was there."""
        left = _made.id == made, or_(_made.lesson, ~_used)
        return (await self._sql.execute(delete(schema.made_exercise).where(*left))).rowcount > 0


def _read(row: AnyRow) -> MadeExercise:
    game = restore_game(row.game, row.options)
    assert isinstance(game, Dots), "no others are made"
    what = Kind(row.kind), row.points, tuple(row.answers), row.tree, row.at
    return MadeExercise(row.guild, row.user, row.lesson, row.name, row.text, game, *what, MadeId(row.id))
