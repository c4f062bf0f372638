"""The use cases of studies: to own, share and read them, and to draw on their boards with others."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

from play.boards.own_board import OwnBoard
from play.boards.study import (
    MAX_CHAPTERS,
    MAX_JOINED,
    MAX_MEMBERS,
    MAX_STUDIES,
    Chapter,
    Member,
    Role,
    Study,
    as_chapter,
)
from play.ids import ChapterId, GuildId, IdempotencyKey, RoleId, UserId
from play.people.membership import Membership
from play.refusal import Reason, Refused
from storage import Database
from storage.studies import ListedStudy
from storage.unit_of_work import Reader, Transaction
from use_cases.events import Events
from use_cases.keyed_locks import KeyedLocks
from use_cases.match_writer import irreversible, retry_on_conflict, undone_by
from use_cases.unlisted import make_address

Change = Callable[[OwnBoard], OwnBoard]
"""Makes of a board what it becomes, in a thread. It is called again on what another has made of it. Raises Refused."""


Memberships = Callable[[GuildId, UserId], Awaitable[Membership | None]]
"""Returns a member of a server; None for all others. Raises Refused (`chat_away`)."""


class Opened(NamedTuple):
    """A study as one sees it: what they may do there, and its chapters. `is_member` is false for one who reads what is
    public. `members` are told to its owner alone."""

    study: Study
    role: Role
    is_member: bool
    chapters: Sequence[Chapter]
    members: Sequence[Member]


class ServerStudies(NamedTuple):
    """The studies of a server, as a member sees them who may begin further ones if they are one of its `hosts`."""

    guild: GuildId
    hosts: bool
    studies: Sequence[ListedStudy]


class Studies:
    """What people do in studies. All methods raise Refused.

    The chat is asked who is a member of a server before a transaction begins, which would wait for it.
    """

    def __init__(
        self, store: Database, events: Events, members: Memberships, make_code: Callable[[], str] = make_address
    ) -> None:
        self._store = store
        self._events = events
        self._members = members
        self._make_code = make_code
        self._drawing = KeyedLocks[ChapterId]()

    async def list(self, user: UserId) -> Sequence[ListedStudy]:
        """Returns the studies that a user owns or is in, the latest first."""
        async with self._store.read() as reader:
            return await reader.studies.list(user)

    async def of_servers(self, user: UserId, guilds: Collection[GuildId]) -> Sequence[ServerStudies]:
        """Returns the studies of those servers of which a user is a member, and of those for which they have begun
        any; not of those of which the chat does not tell now."""
        async with self._store.read() as reader:
            wanted = dict.fromkeys([*guilds, *await reader.studies.servers(user)])
        members = dict[GuildId, Membership | None]()
        for guild in wanted:
            with suppress(Refused):
                members[guild] = await self._members(guild, user)
        async with self._store.read() as reader:
            return [
                ServerStudies(guild, member.hosts, await reader.studies.of_server(guild))
                for guild, member in members.items()
                if member is not None
            ]

    async def open(self, code: str, user: UserId | None) -> Opened:
        """Returns a study as a user sees it, or as one who is not known does. Raises Refused (`no_study`)."""
        member = await self._member(code, user)
        async with self._store.read() as reader:
            study, role = await _enter(reader, code, user, member)
            is_member = user is not None and await reader.studies.role(study, user) is not None
            members = await reader.studies.members(study.id) if role is Role.OWNER else ()
            return Opened(study, role, is_member, await reader.studies.chapters(study.id), members)

    async def load(self, code: str, chapter: ChapterId, user: UserId | None) -> OwnBoard:
        """Returns the board of a chapter. Raises Refused (`no_study`)."""
        member = await self._member(code, user)
        async with self._store.read() as reader:
            study, _ = await _enter(reader, code, user, member)
            return await _board(reader, study, chapter)

    async def begin(self, user: UserId, name: str, board: OwnBoard, guild: GuildId | None = None) -> str:
        """Stores a new study of a user, or of a server that they host, with a copy of a board as its first chapter;
        returns its address. Raises Refused (`not_server_host`, `too_many_studies`, `bad_board_name`)."""
        study = replace(Study(user, self._make_code(), ""), guild=guild).rename(name)
        if guild is not None:
            member = await self._members(guild, user)
            if member is None or not member.hosts:
                raise Refused(Reason.NOT_SERVER_HOST)
        chapter = await asyncio.to_thread(as_chapter, board)
        async with self._store.write() as tx:
            await tx.studies.lock()
            if await _count(tx, study) >= MAX_STUDIES:
                raise Refused(Reason.TOO_MANY_STUDIES, most=MAX_STUDIES)
            added = await tx.studies.add(study)
            await tx.studies.add_chapter(added, chapter, await tx.clock.now())
        return study.code

    async def rename(self, code: str, user: UserId, name: str) -> None:
        """Gives a study another name. Raises Refused (`bad_board_name`)."""
        await self._change(code, user, lambda study: study.rename(name))

    async def publish(self, code: str, user: UserId, *, public: bool, listed: bool) -> None:
        """Lets all who have its address read a study, and search engines as well, or no longer."""
        await self._change(code, user, lambda study: study.publish(public=public, listed=listed))

    async def open_to(self, code: str, user: UserId, drawers: RoleId | None) -> None:
        """Lets those of its server draw in a study who have a role; with None its hosts alone."""
        await self._change(code, user, lambda study: study.open_to(drawers))

    async def share(self, code: str, user: UserId, role: Role) -> None:
        """Makes a link that lets others in, in a role. The link before lets nobody in any more."""
        await self._change(code, user, lambda study: study.share(self._make_code(), role))

    @undone_by("share")
    async def end_sharing(self, code: str, user: UserId) -> None:
        """Withdraws the link. Those whom it has let in are out."""
        member = await self._member(code, user)

        async def attempt() -> None:
            async with self._store.write() as tx:
                study = await _own(tx, code, user, member)
                await tx.studies.save(replace(study.share(None, study.lends), version=study.version + 1))
                await tx.studies.let_out(study.id)

        await retry_on_conflict(attempt)
        self._events.study_changed(code)

    async def join(self, code: str, link: str, user: UserId) -> None:
        """Lets a user in by a link. Raises Refused (`study_link_over`, `study_full`, `too_many_joined`)."""
        async with self._store.write() as tx:
            await tx.studies.lock()
            study = await tx.studies.get(code)
            if study is None or study.link is None or not secrets.compare_digest(study.link.encode(), link.encode()):
                raise Refused(Reason.STUDY_LINK_OVER)
            if await tx.studies.role(study, user) is not None:
                return
            if len(await tx.studies.members(study.id)) >= MAX_MEMBERS:
                raise Refused(Reason.STUDY_FULL, most=MAX_MEMBERS)
            if sum(not each.is_own for each in await tx.studies.list(user)) >= MAX_JOINED:
                raise Refused(Reason.TOO_MANY_JOINED, most=MAX_JOINED)
            await tx.studies.let_in(study.id, Member(user, study.lends))
        self._events.study_changed(code)

    async def lend(self, code: str, user: UserId, other: UserId, role: Role | None) -> None:
        """Gives another member another role, or lets them out."""
        member = await self._member(code, user)
        async with self._store.write() as tx:
            study = await _own(tx, code, user, member)
            if role is None:
                await tx.studies.let_out(study.id, other)
            elif role is Role.OWNER:
                raise Refused(Reason.BAD_MESSAGE)
            else:
                await tx.studies.lend(study.id, Member(other, role))
        self._events.study_changed(code)

    @irreversible
    async def leave(self, code: str, user: UserId) -> None:
        """Takes a member out of a study."""
        member = await self._member(code, user)
        async with self._store.write() as tx:
            study, _ = await _enter(tx, code, user, member)
            await tx.studies.let_out(study.id, user)
        self._events.study_changed(code)

    @irreversible
    async def delete(self, code: str, user: UserId) -> None:
        """Deletes a study with all its chapters."""
        member = await self._member(code, user)
        async with self._store.write() as tx:
            await tx.studies.delete((await _own(tx, code, user, member)).id)
        self._events.study_changed(code)

    async def add_chapter(self, code: str, user: UserId, board: OwnBoard) -> ChapterId:
        """Adds a copy of a board as a chapter. Raises Refused (`only_reading`, `too_many_chapters`)."""
        member, chapter = await self._member(code, user), await asyncio.to_thread(as_chapter, board)
        async with self._store.write() as tx:
            await tx.studies.lock()
            study = await _drawn(tx, code, user, member)
            if len(await tx.studies.chapters(study.id)) >= MAX_CHAPTERS:
                raise Refused(Reason.TOO_MANY_CHAPTERS, most=MAX_CHAPTERS)
            added = await tx.studies.add_chapter(study.id, chapter, await tx.clock.now())
        self._events.study_changed(code)
        return added

    @irreversible
    async def delete_chapter(self, code: str, user: UserId, chapter: ChapterId) -> None:
        """Deletes a chapter. Raises Refused (`last_chapter`)."""
        member = await self._member(code, user)
        async with self._store.write() as tx:
            await tx.studies.lock()
            study = await _own(tx, code, user, member)
            if len(await tx.studies.chapters(study.id)) < 2:
                raise Refused(Reason.LAST_CHAPTER)
            await tx.studies.delete_chapter(study.id, chapter)
        self._events.study_changed(code)

    async def draw(
        self,
        code: str,
        chapter: ChapterId,
        user: UserId,
        key: IdempotencyKey,
        change: Change,
        *,
        version: int | None = None,
    ) -> OwnBoard:
        """Stores what a stroke makes of a board, once for each key, and returns the board. Strokes of several people
        are made one after the other. One that is for a `version` alone is refused after any other (`board_changed`).

        A stroke that was made before is made anew only for what it answers, and nothing of that is stored. Raises
        Refused (`no_study`, `only_reading`, and as `change` does).
        """

        member = await self._member(code, user)

        async def attempt() -> OwnBoard:
            async with self._store.read() as reader:
                found = await _board(reader, await _drawn(reader, code, user, member), chapter)
                is_made = await reader.studies.is_made(chapter, key)
            if version is not None and found.version != version and not is_made:
                raise Refused(Reason.BOARD_CHANGED)
            changed = await asyncio.to_thread(change, found)
            if is_made or changed == found:
                return found
            newer = replace(changed, version=found.version + 1)
            async with self._store.write() as tx:
                await _drawn(tx, code, user, member)
                await tx.studies.draw(newer, user, key, await tx.clock.now())
            self._events.chapter_changed(chapter, newer, user)
            return newer

        async with self._drawing.of(chapter):
            return await retry_on_conflict(attempt)

    async def versions(self, chapters: Sequence[ChapterId]) -> dict[ChapterId, int]:
        """Returns the versions of those chapters that are there."""
        async with self._store.read() as reader:
            return {**await reader.studies.versions(chapters)}

    async def _member(self, code: str, user: UserId | None) -> Membership | None:
        """Returns a user as a member of the server whose study is at an address."""
        async with self._store.read() as reader:
            study = await reader.studies.get(code)
        if user is None or study is None or study.guild is None:
            return None
        return await self._members(study.guild, user)

    async def _change(self, code: str, user: UserId, change: Callable[[Study], Study]) -> None:
        member = await self._member(code, user)

        async def attempt() -> None:
            async with self._store.write() as tx:
                study = await _own(tx, code, user, member)
                await tx.studies.save(replace(change(study), version=study.version + 1))

        await retry_on_conflict(attempt)
        self._events.study_changed(code)


async def _count(tx: Transaction, study: Study) -> int:
    """Returns how many studies the owner of a study has."""
    if study.guild is not None:
        return len(await tx.studies.of_server(study.guild))
    return sum(each.is_own for each in await tx.studies.list(study.user))


async def _enter(reader: Reader, code: str, user: UserId | None, member: Membership | None) -> tuple[Study, Role]:
    """Returns a study, and what a user may do there, who may be a `member` of its server. Raises Refused
    (`no_study`)."""
    study = await reader.studies.get(code)
    if study is None:
        raise Refused(Reason.NO_STUDY)
    role = study.role_of(member)
    if role is None and user is not None:
        role = await reader.studies.role(study, user)
    if role is None and not study.public:
        raise Refused(Reason.NO_STUDY)
    return study, role or Role.READER


async def _own(tx: Transaction, code: str, user: UserId, member: Membership | None) -> Study:
    """Returns a study of a user, or of a server that they host. Raises Refused (`no_study`, `not_your_study`,
    `not_server_host`)."""
    study, role = await _enter(tx, code, user, member)
    if role is not Role.OWNER:
        raise Refused(Reason.NOT_YOUR_STUDY if study.guild is None else Reason.NOT_SERVER_HOST)
    return study


async def _drawn(reader: Reader, code: str, user: UserId, member: Membership | None) -> Study:
    """Returns a study in which a user draws. Raises Refused (`no_study`, `only_reading`, `only_reading_here`, and what
    holds a member back)."""
    study, role = await _enter(reader, code, user, member)
    if not role.draws:
        raise Refused(Reason.ONLY_READING if study.guild is None else Reason.ONLY_READING_HERE)
    if member is not None and member.held_back is not None:
        raise Refused(member.held_back)
    return study


async def _board(reader: Reader, study: Study, chapter: ChapterId) -> OwnBoard:
    """Returns the board of a chapter. Raises Refused (`no_study`)."""
    found = await reader.studies.board(study.id, chapter)
    if found is None:
        raise Refused(Reason.NO_STUDY)
    return found
