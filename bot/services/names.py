"""What people are called, live: names are never stored, only kept for a while."""

from __future__ import annotations

import re
import time
import unicodedata
from collections import OrderedDict
from collections.abc import Callable, Iterable

import discord

from bot.services.locales import Locales
from play.ids import GuildId, UserId

NAME_SECONDS = 3600.0
"""Seconds for which a name is believed."""

UNKNOWN_MEMBER = 10007

CACHE_SIZE = 20_000
MAX_NAME = 32
"""Characters: Discord's own limit for names."""

MAX_ECHO = 100
"""Characters that are repeated of what a person typed: enough to know it again."""

MAX_MARKS = 3
"""Combining marks on one letter: Hebrew needs three. More are made to run over the lines above and below."""

_MARKS = re.compile(r"([\\*_~`|>\[\]()<#@:\-+.!])")
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\U0001d159")
"""Letters and signs that show nothing, though Unicode does not call them spaces or controls."""

_JOINERS = frozenset("\u200c\u200d")
"""They belong between two letters of Persian or Hindi, or two parts of an emoji, and nowhere else."""


_EDGES = "".join((" ", *_JOINERS))


def plain_name(name: str, most: int = MAX_NAME) -> str:
    """A name, or another line of text, of which everything shows: for pictures and thread titles; `?` for nothing.

    Without line breaks, direction marks, half characters and what is invisible, and with few marks on a letter.
    """
    return visible_text(name, most) or "?"


def visible_text(text: str, most: int = MAX_NAME) -> str:
    """What of a text shows, in one line of `most` characters; empty if nothing does."""
    if text.isascii() and text.isprintable():  # most names, for which there is nothing to look up
        return " ".join(text.split())[:most].rstrip()
    kept: list[str] = []
    marks = 0
    for letter in text:
        kind = unicodedata.category(letter)
        if kind == "Zs":
            letter = " "
        elif kind in ("Mn", "Me") and letter not in _BLANK:
            marks += 1
            if marks > MAX_MARKS or not kept or kept[-1] == " ":
                continue
        elif letter in _JOINERS:
            if not kept or kept[-1] == " " or kept[-1] in _JOINERS:
                continue
        elif kind[0] in "CZ" or letter in _BLANK:
            continue
        if kind not in ("Mn", "Me"):
            marks = 0
        kept.append(letter)
    return " ".join("".join(kept).split())[:most].strip(_EDGES)


def shorten(text: str) -> str:
    """What a person typed, short enough to be repeated in an answer."""
    line = visible_text(" ".join(text.split()), MAX_ECHO + 1)
    return line if len(line) <= MAX_ECHO else f"{line[: MAX_ECHO - 1]}…"


def quote(text: str) -> str:
    """What a person typed, short and without marks, as it is repeated in an answer."""
    return escape(shorten(text))


def escape(text: str) -> str:
    """Text in which nothing is a mark, a mention or a link, for messages."""
    return _MARKS.sub(r"\\\1", text)


def readable_name(user: int, *names: str | None) -> str:
    """The first of the names of which anything shows, else the number of the account."""
    return next((shown for name in names if (shown := visible_text(name or ""))), f"#{user}")


class Names:
    """A bounded cache of display names; a server's own name for a person wins."""

    def __init__(self, client: discord.Client, locales: Locales, clock: Callable[[], float] = time.monotonic) -> None:
        self._client = client
        self._locales = locales
        self._clock = clock
        self._names: OrderedDict[tuple[int, int], tuple[str, float]] = OrderedDict()
        self._left: set[tuple[int, int]] = set()

    def remember(self, user: discord.User | discord.Member, guild: GuildId | None) -> None:
        """Discord has just told us of `user`, as `guild` knows him."""
        self._left.discard((guild or 0, user.id))
        self._keep(guild or 0, user.id, readable_name(user.id, user.display_name, user.name))

    def has_left(self, user: UserId, guild: GuildId | None) -> bool:
        """Whether a person whose name was asked for was no member of the server any more."""
        return (guild or 0, user) in self._left

    async def of(self, user: UserId, guild: GuildId | None) -> str:
        """The plain name of a person in a server (or in a DM); Discord is asked if we have not seen him lately."""
        if user < 0:  # nobody's account: what storage/ puts in the place of whoever wants to be forgotten
            words = await self._locales.for_guild(guild)
            return words("player.forgotten")
        known = self._names.get((guild or 0, user))
        if known and known[1] > self._clock():
            return known[0]
        return self._keep(guild or 0, user, await self._fetch(user, guild))

    def forget(self, user: UserId) -> None:
        """Keeps no name of `user`."""
        for key in [key for key in self._names if key[1] == user]:
            del self._names[key]

    async def of_all(self, users: Iterable[UserId], guild: GuildId | None) -> tuple[str, ...]:
        return tuple([await self.of(user, guild) for user in users])

    def _keep(self, guild: int, user: int, name: str) -> str:
        self._names[guild, user] = plain_name(name), self._clock() + NAME_SECONDS
        self._names.move_to_end((guild, user))
        if len(self._names) > CACHE_SIZE:
            self._left.discard(self._names.popitem(last=False)[0])
        return self._names[guild, user][0]

    async def _fetch(self, user: UserId, guild: GuildId | None) -> str:
        if guild is not None:
            try:
                member = await self._client.http.get_member(guild, user)
            except (discord.NotFound, discord.Forbidden) as error:
                if error.code == UNKNOWN_MEMBER:  # else it is the bot that is not in the server
                    self._left.add((guild, user))  # the server, but not the game
            else:
                self._left.discard((guild, user))
                person = member["user"]
                return readable_name(user, member.get("nick"), person.get("global_name"), person["username"])
        try:
            found = await self._client.fetch_user(user)
            return readable_name(user, found.display_name, found.name)
        except discord.NotFound:
            return f"#{user}"  # an account that is gone
