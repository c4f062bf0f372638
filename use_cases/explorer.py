"""The use case of the explorer of openings: what games have gone on with from a position."""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from enum import StrEnum
from typing import Final

from play.ids import ChannelId, GuildId, UserId
from play.records.openings import Branch, Opening, branches_of
from storage import Database
from storage.openings import OpenedGame
from use_cases.public_pages import MAX_CHANNELS, PublicGames

MAX_GAMES: Final = 1000
"""The latest games of a player or a server, and the newest with a position, that are looked at: the cost of an answer
is the same however many there are."""


class Scope(StrEnum):
    """Whose games are explored."""

    OWN = "own"
    SERVER = "server"
    PUBLIC = "public"
    RECORDED = "recorded"


Sees = Callable[[GuildId, ChannelId, UserId], Awaitable[bool]]


class Explorer:
    """The explorer. `sees` says whether a user sees a channel of a server."""

    def __init__(self, store: Database, public: PublicGames, sees: Sees) -> None:
        self._store = store
        self._public = public
        self._sees = sees

    async def own(self, user: UserId, opening: Opening, rules: str) -> list[Branch]:
        """Returns what a player's own games went on with."""
        async with self._store.read() as reader:
            return _branches(await reader.openings.own(user, opening.key(rules), MAX_GAMES))

    async def of_server(self, user: UserId, guild: GuildId, opening: Opening, rules: str) -> list[Branch]:
        """Returns what games of a server went on with, in channels that the user sees. Raises Refused (`chat_away`)."""
        async with self._store.read() as reader:
            found = await reader.openings.of_guild(guild, opening.key(rules), MAX_GAMES)
        channels = _channels(found)
        seen = {each for each in channels if await self._sees(guild, each[1], user)}
        return _branches(each for each in found if _place(each) in seen)

    async def public(self, opening: Opening, rules: str) -> list[Branch]:
        """Returns what games that everyone may see went on with. Raises Refused (`chat_away`)."""
        async with self._store.read() as reader:
            found = await reader.openings.public(opening.key(rules), MAX_GAMES)
            servers = {each.guild: await reader.servers.get(each.guild) for each in found if each.guild is not None}
        channels = {*_channels(found)}
        there = [each for each in found if _place(each) in channels]
        shown = [each for each in there if await self._public.shows(each, servers.get(each.guild or GuildId(0)))]
        return _branches(shown)


def _place(game: OpenedGame) -> tuple[GuildId | None, ChannelId]:
    return game.guild, game.parent or game.channel


def _channels(games: Iterable[OpenedGame]) -> Sequence[tuple[GuildId | None, ChannelId]]:
    """Returns the channels of the newest games: the chat is asked about few."""
    return list(dict.fromkeys(map(_place, games)))[:MAX_CHANNELS]


def _branches(games: Iterable[OpenedGame]) -> list[Branch]:
    return branches_of((each.place, each.id, each.winners) for each in games)
