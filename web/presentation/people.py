"""Players by name, on pages that everyone may read."""

from __future__ import annotations

from collections.abc import Collection

from play.ids import GuildId, UserId, is_forgotten, is_person
from play.refusal import Reason, Refused
from presentation.people import Names
from presentation.words.words import Words
from web.presentation.stories import Person


class People:
    """The members of a server, as their server knows them. Who has left it is not named any more."""

    def __init__(self, names: Names, guild: GuildId, words: Words) -> None:
        self._names = names
        self._guild = guild
        self._words = words

    async def of(self, user: UserId) -> Person:
        """Returns a player. Sides, and those who left the server or have deleted their data, have no page."""
        if is_forgotten(user):
            return Person(self._words("player.forgotten"))
        name = await self._names.of(user, self._guild)
        if not is_person(user):  # a side has no page: its games are on those of its server
            return Person(name)
        if self._names.has_left(user, self._guild):
            return Person(self._words("web.server.left"))
        return Person(name, user)

    async def of_all(self, users: Collection[UserId]) -> dict[UserId, Person]:
        """Returns players by their numbers."""
        return {user: await self.of(user) for user in users}

    async def require(self, user: UserId) -> Person:
        """Returns a player with a page. Raises Refused (`no_page`)."""
        person = await self.of(user)
        if person.user is None:
            raise Refused(Reason.NO_PAGE)
        return person
