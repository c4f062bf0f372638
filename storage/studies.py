"""Studies in SQL."""

from collections.abc import Collection, Mapping, Sequence
from typing import Final, NamedTuple

from sqlalchemy import and_, bindparam, delete, func, insert, or_, select, update

from play.boards.own_board import OwnBoard
from play.boards.study import Chapter, Member, Role, Study
from play.ids import ChapterId, GuildId, IdempotencyKey, Millis, StudyId, UserId
from storage import schema
from storage.own_boards import read_board, written
from storage.statements import AnyRow, Repository, Values

KEPT_STROKES: Final = 2000
"""Strokes of a chapter whose keys are known, so that one that is sent again is made once."""

_PRUNE_EVERY: Final = 100

_study = schema.study.c
_member = schema.study_member.c
_chapter = schema.study_chapter.c
_stroke = schema.study_stroke.c

_BY_CODE = select(schema.study).where(_study.code == bindparam("wanted"))
_MEMBERS = select(_member.user, _member.role).where(_member.study == bindparam("of_study")).order_by(_member.user)
_ROLE = select(_member.role).where(_member.study == bindparam("of_study"), _member.user == bindparam("who"))
_CHAPTERS = select(_chapter.id, _chapter.name).where(_chapter.study == bindparam("of_study")).order_by(_chapter.id)
_BOARD = select(schema.study_chapter).where(_chapter.id == bindparam("id"), _chapter.study == bindparam("of_study"))
_IN = select(_member.study).where(_member.user == bindparam("who"))
_LIST = (
    select(_study.code, _study.name, _study.user)
    .where(or_(and_(_study.user == bindparam("who"), _study.guild.is_(None)), _study.id.in_(_IN)))
    .order_by(_study.id.desc())
)
_LIST_OF_SERVER = (
    select(_study.code, _study.name).where(_study.guild == bindparam("of_guild")).order_by(_study.id.desc())
)
_BEGUN_FOR = select(_study.guild).distinct().where(_study.user == bindparam("who"), _study.guild.is_not(None))
_IS_MADE = select(func.count()).where(_stroke.chapter == bindparam("of_chapter"), _stroke.key == bindparam("wanted"))


class ListedStudy(NamedTuple):
    """A study in the list of one who is in it."""

    code: str
    name: str
    is_own: bool


class StudyReader(Repository):
    """Studies, as reads see them."""

    __slots__ = ()

    async def get(self, code: str) -> Study | None:
        """Returns the study at an address."""
        row = await self._sql.first(_BY_CODE, wanted=code)
        return row and _read(row)

    async def role(self, study: Study, user: UserId) -> Role | None:
        """Returns what a user may do in a study, if they or a link have let them in."""
        if study.user == user and study.guild is None:
            return Role.OWNER
        row = await self._sql.first(_ROLE, of_study=study.id, who=user)
        return row and Role(row.role)

    async def members(self, study: StudyId) -> Sequence[Member]:
        """Returns the members of a study, beside its owner."""
        return [Member(row.user, Role(row.role)) for row in await self._sql.all(_MEMBERS, of_study=study)]

    async def chapters(self, study: StudyId) -> Sequence[Chapter]:
        """Returns the chapters of a study, the first one first."""
        return [Chapter(ChapterId(row.id), row.name) for row in await self._sql.all(_CHAPTERS, of_study=study)]

    async def board(self, study: StudyId, chapter: ChapterId) -> OwnBoard | None:
        """Returns the board of a chapter, with the chapter's number as its id."""
        row = await self._sql.first(_BOARD, id=chapter, of_study=study)
        return row and read_board(row, None)

    async def is_made(self, chapter: ChapterId, key: IdempotencyKey) -> bool:
        """Returns whether the stroke with this key is on the board."""
        return bool(await self._sql.value(_IS_MADE, of_chapter=chapter, wanted=key))

    async def versions(self, chapters: Collection[ChapterId]) -> Mapping[ChapterId, int]:
        """Returns the versions of those chapters that are there."""
        rows = await self._sql.all(select(_chapter.id, _chapter.version).where(_chapter.id.in_(chapters)))
        return {ChapterId(row.id): row.version for row in rows}

    async def list(self, user: UserId) -> Sequence[ListedStudy]:
        """Returns the studies that a user owns or is in, the latest first."""
        rows = await self._sql.all(_LIST, who=user)
        return [ListedStudy(row.code, row.name, row.user == user) for row in rows]

    async def of_server(self, guild: GuildId) -> Sequence[ListedStudy]:
        """Returns the studies of a server, the latest first."""
        rows = await self._sql.all(_LIST_OF_SERVER, of_guild=guild)
        return [ListedStudy(row.code, row.name, is_own=False) for row in rows]

    async def servers(self, user: UserId) -> Sequence[GuildId]:
        """Returns the servers for which a user has begun studies."""
        return [GuildId(row.guild) for row in await self._sql.all(_BEGUN_FOR, who=user)]


class StudyRepository(StudyReader):
    """Studies, as a transaction writes them."""

    __slots__ = ()

    async def lock(self) -> None:
        """Lets no other transaction pass this point until this one ends, so that counts stay true."""
        await self._sql.lock(schema.study)

    async def add(self, study: Study) -> StudyId:
        """Stores a new study; returns its id."""
        values = {"user": study.user, "guild": study.guild, "code": study.code, **_values(study), "version": 1}
        return StudyId(await self._sql.value(insert(schema.study).values(values).returning(_study.id)))

    async def save(self, study: Study) -> None:
        """Stores a study. Raises Stale if its version is not the one after the stored version."""
        theirs = (_study.id == study.id, _study.version == study.version - 1)
        await self._sql.change(update(schema.study).where(*theirs).values(_values(study)))

    async def delete(self, study: StudyId) -> None:
        """Deletes a study with all that is in it."""
        chapters = select(_chapter.id).where(_chapter.study == study)
        await self._sql.execute(delete(schema.study_stroke).where(_stroke.chapter.in_(chapters)))
        await self._sql.execute(delete(schema.study_chapter).where(_chapter.study == study))
        await self._sql.execute(delete(schema.study_member).where(_member.study == study))
        await self._sql.execute(delete(schema.study).where(_study.id == study))

    async def let_in(self, study: StudyId, member: Member) -> None:
        """Stores a new member."""
        await self._sql.add(schema.study_member, {"study": study, "user": member.user, "role": member.role.value})

    async def lend(self, study: StudyId, member: Member) -> None:
        """Gives a member another role."""
        theirs = update(schema.study_member).where(_member.study == study, _member.user == member.user)
        await self._sql.execute(theirs.values(role=member.role.value))

    async def let_out(self, study: StudyId, user: UserId | None = None) -> None:
        """Removes a member, or all of them."""
        of_study = [_member.study == study]
        theirs = of_study if user is None else [*of_study, _member.user == user]
        await self._sql.execute(delete(schema.study_member).where(*theirs))

    async def add_chapter(self, study: StudyId, board: OwnBoard, at: Millis) -> ChapterId:
        """Stores a new chapter; returns its number."""
        values = {"study": study, **written(board), "version": 1, "changed": at}
        added = insert(schema.study_chapter).values(values).returning(_chapter.id)
        return ChapterId(await self._sql.value(added))

    async def delete_chapter(self, study: StudyId, chapter: ChapterId) -> None:
        """Deletes a chapter, if it is there."""
        of_study = _chapter.id == chapter, _chapter.study == study
        theirs = select(_chapter.id).where(*of_study)
        await self._sql.execute(delete(schema.study_stroke).where(_stroke.chapter.in_(theirs)))
        await self._sql.execute(delete(schema.study_chapter).where(*of_study))

    async def draw(self, board: OwnBoard, user: UserId, key: IdempotencyKey, at: Millis) -> None:
        """Stores what a stroke has made of a board. Raises Stale if its version is not the one after the stored
        version."""
        theirs = (_chapter.id == board.id, _chapter.version == board.version - 1)
        await self._sql.change(update(schema.study_chapter).where(*theirs).values({**written(board), "changed": at}))
        stroke = {"chapter": board.id, "version": board.version, "key": key, "user": user}
        await self._sql.add(schema.study_stroke, stroke)
        if board.version % _PRUNE_EVERY == 0:
            older = _stroke.chapter == board.id, _stroke.version <= board.version - KEPT_STROKES
            await self._sql.execute(delete(schema.study_stroke).where(*older))

    async def close(self, guild: GuildId) -> None:
        """Lets nobody read the studies of a server any more who is not one of its members."""
        theirs = update(schema.study).where(_study.guild == guild, _study.public)
        await self._sql.execute(theirs.values(public=False, listed=False, version=_study.version + 1))

    async def forget(self, user: UserId) -> None:
        """Deletes the studies of a user, takes them out of the others, and leaves their strokes there without a
        name."""
        for row in await self._sql.all(select(_study.id).where(_study.user == user, _study.guild.is_(None))):
            await self.delete(StudyId(row.id))
        await self._sql.execute(delete(schema.study_member).where(_member.user == user))
        await self._sql.execute(update(schema.study_stroke).where(_stroke.user == user).values(user=None))


def _values(study: Study) -> Values:
    return {
        "name": study.name,
        "link": study.link,
        "lends": study.lends.value,
        "public": study.public,
        "listed": study.listed,
        "drawers": study.drawers,
        "version": study.version,
    }


def _read(row: AnyRow) -> Study:
    told = row.link, Role(row.lends), row.public, row.listed, row.guild, row.drawers, row.version
    return Study(row.user, row.code, row.name, *told, StudyId(row.id))
