"""What is done with whole studies: begun, shared, joined, left and deleted, and their chapters."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass, replace

from play.boards.own_board import MAX_CODE, MAX_NAME, OwnBoard
from play.boards.study import Role
from play.ids import GuildId, OwnBoardId, RoleId, UserId
from play.refusal import Reason, Refused
from storage import Database
from use_cases.lobby import latest_places
from use_cases.studies import Opened, Studies
from web import bodies
from web.bodies import Json
from web.own.boards import empty_board
from web.own.guest import Guest
from web.ports import ServerGuilds, SiteNames
from web.studies.shelf import StudyShelf, chapter_of, code_of

MAX_ROLE = 10
"""Characters of a role."""


@dataclass(frozen=True, slots=True)
class Servers:
    """The servers where players have played last."""

    store: Database
    guilds: ServerGuilds

    async def of(self, guest: Guest) -> Collection[GuildId]:
        """Returns those of a player, that of their Activity first, unless the chat is away."""
        here = None
        with suppress(Refused):
            here = None if guest.here is None else await self.guilds.guild_of(guest.here)
        played = [guild for guild, _ in await latest_places(self.store, guest.player)]
        return list(dict.fromkeys([*([] if here is None else [here]), *played]))


@dataclass(frozen=True, slots=True)
class StudyDeeds:
    """What is done with studies. All deeds raise Refused."""

    shelf: StudyShelf
    names: SiteNames
    guilds: ServerGuilds
    servers: Servers

    @property
    def _studies(self) -> Studies:
        return self.shelf.studies

    async def list(self, guest: Guest, _: Json) -> Json:
        """Returns the studies that a player owns or is in, and those of their servers."""
        user = guest.player
        found = await self._studies.list(user)
        servers = await self._studies.of_servers(user, await self.servers.of(guest))
        return {
            "studies": [{"study": each.code, "name": each.name, "own": each.is_own} for each in found],
            "servers": [
                {
                    "server": str(each.guild),
                    "name": await self._name_server(each.guild),
                    "hosts": each.hosts,
                    "studies": [{"study": study.code, "name": study.name} for study in each.studies],
                }
                for each in servers
            ],
        }

    async def begin(self, guest: Guest, message: Json) -> Json:
        """Begins a study; returns its address."""
        name = bodies.name(message, "name", 4 * MAX_NAME)
        board, server = await self._source(guest, message), read_id(message, "server")
        code = await self._studies.begin(guest.player, name, board, None if server is None else GuildId(server))
        return {"is": "done", "study": code}

    async def open(self, guest: Guest, message: Json) -> Json:
        """Returns a study."""
        opened = await self._studies.open(code_of(message), guest.user)
        return {"is": "done", "study": await self._tell(opened)}

    async def rename(self, guest: Guest, message: Json) -> Json:
        """Gives a study another name."""
        await self._studies.rename(code_of(message), guest.player, bodies.name(message, "name", 4 * MAX_NAME))
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

    async def open_to(self, guest: Guest, message: Json) -> Json:
        """Lets those with a role of its server draw in a study, or its hosts alone."""
        role = read_id(message, "drawers")
        await self._studies.open_to(code_of(message), guest.player, None if role is None else RoleId(role))
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
        member = read_id(message, "user")
        if member is None:
            raise Refused(Reason.BAD_MESSAGE)
        role = None if message.get("role") is None else read_role(message)
        await self._studies.lend(code_of(message), guest.player, UserId(member), role)
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

    async def _name_server(self, guild: GuildId) -> str:
        return await self.names.of_server(guild) or str(guild)

    async def _tell(self, opened: Opened) -> Json:
        study, is_own = opened.study, opened.role is Role.OWNER
        roles = await self.guilds.roles_of(study.guild) if study.guild and is_own else ()
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
            "server": None if study.guild is None else await self._name_server(study.guild),
            "drawers": None if study.drawers is None else str(study.drawers),
            "roles": [{"role": str(each.id), "name": each.name} for each in roles],
            "members": [
                {"user": str(member.user), "name": name, "role": member.role}
                for member, name in zip(opened.members, names, strict=True)
            ],
        }


def read_id(message: Json, name: str) -> int | None:
    """Returns an id of the chat that a message names; None where it names none. Raises Refused (`bad_message`)."""
    if message.get(name) is None:
        return None
    value = bodies.text(message, name, MAX_CODE)
    if not (value.isascii() and value.isdigit()):
        raise Refused(Reason.BAD_MESSAGE)
    return int(value)


def read_role(message: Json) -> Role:
    """Returns the role that a message names. Raises Refused (`bad_message`)."""
    try:
        return Role(bodies.text(message, "role", MAX_ROLE))
    except ValueError as error:
        raise Refused(Reason.BAD_MESSAGE) from error
