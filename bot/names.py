"""What people are called, live: names are never stored, only kept for a while."""

from __future__ import annotations

import re
import time
import unicodedata
from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import discord

from play.ids import GuildId, UserId

if TYPE_CHECKING:
    from bot.client import Kropka

LIFETIME = 3600.0
"""Seconds for which a name is believed."""

UNKNOWN_MEMBER = 10007

CAPACITY = 20_000
LONGEST = 32
"""Characters: Discord's own limit for names."""

_MARKS = re.compile(r"([\\*_~`|>\[\]()<#@:\-+.!])")
_BIDI = {0x200E, 0x200F, 0x061C, *range(0x202A, 0x202F), *range(0x2066, 0x206A)}
"""Marks that turn the reading direction of what follows: in a name they could garble our own words."""


def plain(name: str) -> str:
    """A name without line breaks and direction marks, for pictures and thread titles."""
    kept = (letter for letter in name if unicodedata.category(letter) != "Cc" and ord(letter) not in _BIDI)
    return "".join(kept).strip()[:LONGEST] or "?"


def escaped(text: str) -> str:
    """Text in which nothing is a mark, a mention or a link, for messages."""
    return _MARKS.sub(r"\\\1", text)


class Names:
    """A bounded cache of display names; a server's own name for a person wins."""

    def __init__(self, client: Kropka, clock: Callable[[], float] = time.monotonic) -> None:
        self._client = client
        self._clock = clock
        self._names: OrderedDict[tuple[int, int], tuple[str, float]] = OrderedDict()
        self._left: set[tuple[int, int]] = set()

    def remember(self, user: discord.User | discord.Member, guild: GuildId | None) -> None:
        """Discord has just told us of `user`, as `guild` knows him."""
        self._left.discard((guild or 0, user.id))
        self._keep(guild or 0, user.id, user.display_name)

    def has_left(self, user: UserId, guild: GuildId | None) -> bool:
        """Whether a person whose name was asked for was no member of the server any more."""
        return (guild or 0, user) in self._left

    async def of(self, user: UserId, guild: GuildId | None) -> str:
        """The plain name of a person in a server (or in a DM); Discord is asked if we have not seen him lately."""
        if user < 0:  # nobody's account: what storage/ puts in the place of whoever wants to be forgotten
            words = await self._client.audience.server(guild)
            return words("player.forgotten")
        known = self._names.get((guild or 0, user))
        if known and known[1] > self._clock():
            return known[0]
        return self._keep(guild or 0, user, await self._fetched(user, guild))

    def forget(self, user: UserId) -> None:
        """Keeps no name of `user`."""
        for key in [key for key in self._names if key[1] == user]:
            del self._names[key]

    async def of_all(self, users: Iterable[UserId], guild: GuildId | None) -> tuple[str, ...]:
        return tuple([await self.of(user, guild) for user in users])

    def _keep(self, guild: int, user: int, name: str) -> str:
        self._names[guild, user] = plain(name), self._clock() + LIFETIME
        self._names.move_to_end((guild, user))
        if len(self._names) > CAPACITY:
            self._left.discard(self._names.popitem(last=False)[0])
        return self._names[guild, user][0]

    async def _fetched(self, user: UserId, guild: GuildId | None) -> str:
        if guild is not None:
            try:
                member = await self._client.http.get_member(guild, user)
            except (discord.NotFound, discord.Forbidden) as error:
                if error.code == UNKNOWN_MEMBER:  # else it is the bot that is not in the server
                    self._left.add((guild, user))  # the server, but not the game
            else:
                self._left.discard((guild, user))
                person = member["user"]
                return member.get("nick") or person.get("global_name") or person["username"]
        try:
            return (await self._client.fetch_user(user)).display_name
        except discord.NotFound:
            return f"#{user}"  # an account that is gone
