"""Display names: they are never stored, only kept for an hour."""

from __future__ import annotations

import logging
import re
import time
import unicodedata
from collections.abc import Callable, Iterable
from typing import NamedTuple

import discord
from cachetools import TTLCache

from bot.services.discord_errors import FAILURES, ErrorCode
from bot.services.keyed_locks import KeyedLocks
from bot.services.locales import Locales
from play.ids import GuildId, UserId

log = logging.getLogger(__name__)

NAME_SECONDS = 3600.0
"""Seconds for which a name is kept."""


CACHE_SIZE = 20_000
"""Names that are kept."""

MAX_NAME = 32
"""Characters of a name; Discord's limit."""

MAX_ECHO = 100
"""Characters that are repeated of what a player typed: enough to recognise it."""

MAX_MARKS = 3
"""Combining marks on one letter: Hebrew needs three. More run over the lines above and below."""

_MARKS = re.compile(r"([\\*_~`|>\[\]()<#@:\-+.!])")
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\U0001d159")
"""Letters and signs that show nothing, though Unicode does not call them spaces or controls."""

_JOINERS = frozenset("\u200c\u200d")
"""They belong between two letters of Persian or Hindi, or two parts of an emoji, and nowhere else."""


_EDGES = "".join((" ", *_JOINERS))

_ISOLATE, _END_ISOLATE = "\u2068", "\u2069"
"""The marks around text that takes its direction from its own first letter, and gives none to what is beside it.

Source: https://www.unicode.org/reports/tr9/#Explicit_Directional_Isolates (FSI and PDI)
"""

_ISOLATED = re.compile(f"{_ISOLATE}[^{_ISOLATE}{_END_ISOLATE}]*{_END_ISOLATE}")
_FROM_RIGHT = frozenset(("R", "AL", "AN"))
"""The classes of letters and digits that turn the order of what is beside them."""


def plain_name(name: str, most: int = MAX_NAME) -> str:
    """Returns a name, or another line of text, as pictures and thread titles can show it; `?` if nothing shows.

    It has no line breaks, half characters or invisible letters, few marks on a letter, and no direction marks but the
    pair of `isolate`, which may make it two characters longer than `most`.
    """
    return isolate(visible_text(name, most) or "?")


def isolate(text: str) -> str:
    """Returns text that leaves the order of its neighbours alone, also if it is written from the right.

    Without this a score line shows the numbers of Hebrew and Arabic names beside the wrong names. What is isolated
    already stays as it is, so lists of names can pass once more.
    """
    if text.isascii():
        return text
    turns = any(unicodedata.bidirectional(letter) in _FROM_RIGHT for letter in _ISOLATED.sub("", text))
    return f"{_ISOLATE}{text}{_END_ISOLATE}" if turns else text


def unisolated(text: str) -> str:
    """Returns text without the marks of `isolate`, for files that are data to other programs."""
    return text.replace(_ISOLATE, "").replace(_END_ISOLATE, "")


def cut_names(names: str, most: int) -> str:
    """Returns a list of names, or as much of its beginning as fits into `most` characters with an ellipsis.

    An isolated name that is cut is closed, or else it would take what follows into itself.
    """
    if len(names) <= most:
        return names
    short = names[: most - 1]
    if short.rfind(_ISOLATE) > short.rfind(_END_ISOLATE):
        short = short[:-1] + _END_ISOLATE
    return f"{short}…"


def visible_text(text: str, most: int = MAX_NAME) -> str:
    """Returns what of a text is visible, in one line of `most` characters; empty if nothing is."""
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
    """Returns what a player typed, short enough to be repeated in an answer."""
    line = visible_text(" ".join(text.split()), MAX_ECHO + 1)
    return isolate(line if len(line) <= MAX_ECHO else f"{line[: MAX_ECHO - 1]}…")


def quote(text: str) -> str:
    """Returns what a player typed, short and escaped, as an answer repeats it."""
    return escape(shorten(text))


def escape(text: str) -> str:
    """Returns text in which nothing is a mark, a mention or a link, and which turns nothing around it, for messages."""
    return isolate(_MARKS.sub(r"\\\1", text))


def readable_name(user: int, *names: str | None) -> str:
    """Returns the first of the names that is visible, else the number of the account."""
    return next((shown for name in names if (shown := visible_text(name or ""))), f"#{user}")


class _Known(NamedTuple):
    """A name as it was when it was kept; `has_left` says that its user was no member of the server then."""

    name: str
    has_left: bool


class Names:
    """A bounded cache of display names; a server's own name for a person wins."""

    def __init__(
        self,
        client: discord.Client,
        locales: Locales,
        clock: Callable[[], float] = time.monotonic,
        size: int = CACHE_SIZE,
    ) -> None:
        self._client = client
        self._locales = locales
        self._names: TTLCache[tuple[int, int], _Known] = TTLCache(size, NAME_SECONDS, clock)
        self._locks: KeyedLocks[tuple[int, int]] = KeyedLocks()

    @property
    def own_id(self) -> UserId | None:
        """The bot's own account; None before it is logged in."""
        return UserId(self._client.user.id) if self._client.user else None

    def remember(self, user: discord.User | discord.Member, guild: GuildId | None) -> None:
        """Keeps the name of a user whom Discord has just named, as `guild` knows them."""
        self._keep(guild, user.id, readable_name(user.id, user.display_name, user.name))

    def has_left(self, user: UserId, guild: GuildId | None) -> bool:
        """Returns whether a user whose name was fetched lately was no member of the server any more."""
        known = self._names.get((guild or 0, user))
        return known is not None and known.has_left

    async def of(self, user: UserId, guild: GuildId | None) -> str:
        """Returns the plain name of a user in a server, or in a direct message; fetches it if it is not kept."""
        if user < 0:  # no account: storage/privacy.py puts such a number in the place of a user who was deleted
            words = await self._locales.for_guild(guild)
            return words("player.forgotten")
        known = self._names.get((guild or 0, user))
        if known is not None:
            return known.name
        try:
            return await self._fetch_once(user, guild)
        except FAILURES as error:  # a page or a board is worth more than a name, which comes later
            log.info("the name of user %d is not known: %r", user, error)
            return plain_name(f"#{user}")

    def forget(self, user: UserId) -> None:
        """Drops all names of `user`."""
        for key in [key for key in self._names if key[1] == user]:
            del self._names[key]

    async def of_all(self, users: Iterable[UserId], guild: GuildId | None) -> tuple[str, ...]:
        """Returns the plain names of users, in their order."""
        return tuple([await self.of(user, guild) for user in users])

    def _keep(self, guild: GuildId | None, user: int, name: str, *, has_left: bool = False) -> str:
        known = self._names[guild or 0, user] = _Known(plain_name(name), has_left)
        return known.name

    async def _fetch_once(self, user: UserId, guild: GuildId | None) -> str:
        """Asks Discord, once however many readers of a page wait for the answer."""
        key = guild or 0, user
        async with self._locks.of(key):
            known = self._names.get(key)
            return known.name if known is not None else await self._fetch(user, guild)

    async def _fetch(self, user: UserId, guild: GuildId | None) -> str:
        has_left = False
        if guild is not None:
            try:
                member = await self._client.http.get_member(guild, user)
            except (discord.NotFound, discord.Forbidden) as error:
                has_left = error.code == ErrorCode.UNKNOWN_MEMBER  # else it is the bot that is not in the server
            else:
                person = member["user"]
                name = readable_name(user, member.get("nick"), person.get("global_name"), person["username"])
                return self._keep(guild, user, name)
        try:
            found = await self._client.fetch_user(user)
            name = readable_name(user, found.display_name, found.name)
        except discord.NotFound:
            name = f"#{user}"  # an account that is gone
        return self._keep(guild, user, name, has_left=has_left)
