"""What is done with whole studies: begun, shared, joined, left and deleted, and their chapters."""

from __future__ import annotations

from dataclasses import dataclass, replace

from play.boards.own_board import MAX_NAME, OwnBoard
from play.boards.study import Role
from play.ids import OwnBoardId, UserId
from play.refusal import Reason, Refused
from presentation.people import Names
from use_cases.studies import Opened, Studies
from web import bodies
from web.bodies import Json
from web.own.boards import empty_board
from web.own.guest import Guest
from web.studies.shelf import MAX_CODE, StudyShelf, chapter_of, code_of

MAX_ROLE = 10
"""Characters of a role."""


@dataclass(frozen=True, slots=True)
class StudyDeeds:
    """What is done with studies. All deeds raise Refused."""

    shelf: StudyShelf
    names: Names

    @property
    def _studies(self) -> Studies:
        return self.shelf.use_cases.studies

    async def list(self, guest: Guest, _: Json) -> Json:
        """Returns the studies that a player owns or is in."""
        found = await self._studies.list(guest.player)
        return {"studies": [{"study": each.code, "name": each.name, "own": each.is_own} for each in found]}

    async def begin(self, guest: Guest, message: Json) -> Json:
        """Begins a study; returns its address."""
        name = bodies.text(message, "name", 4 * MAX_NAME)
        code = await self._studies.begin(guest.player, name, await self._source(guest, message))
        return {"is": "done", "study": code}

    async def open(self, guest: Guest, message: Json) -> Json:
        """Returns a study."""
        opened = await self._studies.open(code_of(message), guest.user)
        return {"is": "done", "study": await self._tell(opened)}

    async def rename(self, guest: Guest, message: Json) -> Json:
        """Gives a study another name."""
        await self._studies.rename(code_of(message), guest.player, bodies.text(message, "name", 4 * MAX_NAME))
        return await self.open(guest, message)

    async def publish(self, guest: Guest, message: Json) -> Json:
        """Lets all who have its address read a study, and search engines."""
        public, listed = bodies.flag(message, "public"), bodies.flag(message, "listed")
        await self._studies.publish(code_of(message), guest.player, public=public, listed=listed)
        return await self.open(guest, message)

    async def share(self, guest: Guest, message: Json) -> Json:
        """Makes a link that lets others in."""
        await self._studies.share(code_of(message), guest.player, read_role(message))
        return await self.open(guest, message)

    async def end_sharing(self, guest: Guest, message: Json) -> Json:
        """Withdraws the link, and lets out all whom it has let in."""
        await self._studies.end_sharing(code_of(message), guest.player)
        return await self.open(guest, message)

    async def join(self, guest: Guest, message: Json) -> Json:
        """Lets a player in by a link."""
        await self._studies.join(code_of(message), bodies.text(message, "link", MAX_CODE), guest.player)
        return await self.open(guest, message)

    async def lend(self, guest: Guest, message: Json) -> Json:
        """Gives a member another role, or lets them out."""
        member = bodies.text(message, "user", MAX_CODE)
        if not (member.isascii() and member.isdigit()):
            raise Refused(Reason.BAD_MESSAGE)
        role = None if message.get("role") is None else read_role(message)
        await self._studies.lend(code_of(message), guest.player, UserId(int(member)), role)
        return await self.open(guest, message)

    async def leave(self, guest: Guest, message: Json) -> Json:
        """Takes a member out of a study."""
        await self._studies.leave(code_of(message), guest.player)
        return {"is": "done"}

    async def delete(self, guest: Guest, message: Json) -> Json:
        """Deletes a study."""
        await self._studies.delete(code_of(message), guest.player)
        return {"is": "done"}

    async def add_chapter(self, guest: Guest, message: Json) -> Json:
        """Adds a chapter: an empty board, or a copy of one of the player's own."""
        source = await self._source(guest, message)
        chapter = await self._studies.add_chapter(code_of(message), guest.player, source)
        return await self.open(guest, message) | {"chapter": chapter}

    async def delete_chapter(self, guest: Guest, message: Json) -> Json:
        """Deletes a chapter."""
        await self._studies.delete_chapter(code_of(message), guest.player, chapter_of(message))
        return await self.open(guest, message)

    async def _source(self, guest: Guest, message: Json) -> OwnBoard:
        """Returns the board that a message names, or an empty one."""
        number = bodies.optional_number(message, "board")
        if number is None:
            words = self.shelf.words(guest.language)
            return replace(empty_board(message), name=words("web.study.first"))
        return await self.shelf.use_cases.own_boards.load(OwnBoardId(number), guest.player)

    async def _tell(self, opened: Opened) -> Json:
        study, is_own = opened.study, opened.role is Role.OWNER
        names = await self.names.of_all([member.user for member in opened.members], None)
        return {
            "study": study.code,
            "name": study.name,
            "role": opened.role,
            "member": opened.is_member,
            "chapters": [{"chapter": each.id, "name": each.name} for each in opened.chapters],
            "link": study.link if is_own else None,
            "lends": study.lends,
            "public": study.public,
            "listed": study.listed,
            "members": [
                {"user": str(member.user), "name": name, "role": member.role}
                for member, name in zip(opened.members, names, strict=True)
            ],
        }


def read_role(message: Json) -> Role:
    """Returns the role that a message names. Raises Refused (`bad_message`)."""
    try:
        return Role(bodies.text(message, "role", MAX_ROLE))
    except ValueError as error:
        raise Refused(Reason.BAD_MESSAGE) from error
