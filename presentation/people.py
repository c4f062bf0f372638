"""The names of people, which a surface fetches."""

from collections.abc import Iterable
from typing import Protocol

from play.ids import GuildId, UserId


class Names(Protocol):
    """Names as pictures and pages can show them."""

    @property
    def own_id(self) -> UserId | None:
        """The bot's own account; None before it is logged in."""

    def has_left(self, user: UserId, guild: GuildId | None) -> bool:
        """Returns whether a user whose name was fetched lately was no member of the server any more."""

    async def of(self, user: UserId, guild: GuildId | None) -> str:
        """Returns the plain name of a user in a server, or outside of servers."""

    async def of_all(self, users: Iterable[UserId], guild: GuildId | None) -> tuple[str, ...]:
        """Returns the plain names of users, in their order."""
