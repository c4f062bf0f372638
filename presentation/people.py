"""The names of people, which a surface fetches."""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Final, Protocol

from play.ids import GuildId, UserId
from play.ratings.leaderboard import LINES_PER_PAGE, Leader, Scorer

MAX_READS: Final = 3
"""How often a page is read until nobody on it has left the server."""


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


async def read_members(
    read: Callable[[], Awaitable[Sequence[Leader | Scorer]]], names: Names, guild: GuildId
) -> Sequence[Leader | Scorer]:
    """Returns the lines of a page of a leaderboard, of members alone. Those of whom the names tell that they have left
    the server are noted by that, so the page is read again."""
    lines = await read()
    for _ in range(1, MAX_READS):
        users = [each.user for each in lines[:LINES_PER_PAGE]]
        await names.of_all(users, guild)
        if not any(names.has_left(user, guild) for user in users):
            break
        lines = await read()
    return lines
