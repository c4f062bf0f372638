"""What the publishers of all competitions share: names, pictures, and texts in as few messages as hold them."""

import asyncio
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from functools import partial

from bot.interactions.layout import picture_file
from bot.markup import escape
from bot.services.channels import Picture, ServerPosts
from bot.services.locales import Locales
from bot.services.names import Names
from bot.services.web_links import WebLinks
from play.ids import GuildId, MatchId, UserId
from play.people.settings import ServerSettings
from play.refusal import Refused
from presentation.text import MESSAGE_ROOM
from presentation.words.words import Words
from renderer.theme import PAPER, THEMES, Theme
from storage import Database
from use_cases.worker import RetryLater


@dataclass(frozen=True, slots=True)
class Announcement:
    """Lines to post, and the users whom they ping."""

    lines: list[str]
    pinged: list[UserId] = field(default_factory=list)

    @property
    def messages(self) -> list[str]:
        """The lines in as few messages as hold them."""
        texts: list[str] = []
        for line in self.lines:
            if texts and len(texts[-1]) + len(line) < MESSAGE_ROOM:
                texts[-1] += "\n" + line
            else:
                texts.append(line)
        return texts


async def annulled_line(store: Database, matches: Iterable[MatchId | None], words: Words) -> list[str]:
    """Returns a line that names the games of a table that were annulled after they had decided it, if any."""
    async with store.read() as reader:
        found = await reader.careers.annulled_among([*filter(None, matches)])
    return [words("annulled.table", games=", ".join(f"#{number}" for number in found))] if found else []


def join_fitting(lines: list[str], words: Words) -> str:
    """Returns as many of the lines as a message holds."""
    kept: list[str] = []
    for line in lines:
        if sum(map(len, kept)) + len(kept) + len(line) > MESSAGE_ROOM:
            return "\n".join((*kept, words("tournament.more")))
        kept.append(line)
    return "\n".join(kept)


class CompetitionPublisher:
    """Posts and keeps the messages of one kind of competition."""

    def __init__(
        self, posts: ServerPosts, store: Database, locales: Locales, names: Names, links: WebLinks | None = None
    ) -> None:
        self._posts = posts
        self._store = store
        self._locales = locales
        self._names = names
        self._links = links

    async def _server(self, guild: GuildId) -> ServerSettings:
        async with self._store.read() as reader:
            return await reader.servers.get(guild)

    async def _names_of(self, users: Collection[UserId], guild: GuildId) -> dict[UserId, str]:
        return dict(zip(users, await self._names.of_all(list(users), guild), strict=True))

    async def _escaped(self, users: Collection[UserId], guild: GuildId) -> dict[UserId, str]:
        return {user: escape(name) for user, name in (await self._names_of(users, guild)).items()}

    async def _picture(self, server: ServerSettings, name: str, alt: str, draw: Callable[[Theme], bytes]) -> Picture:
        """Returns a picture in the look of a server. Raises RetryLater while too many wait to be drawn."""
        try:
            png = await asyncio.to_thread(draw, THEMES.get(server.theme, PAPER))
        except Refused as busy:
            raise RetryLater(busy.key) from busy
        return partial(picture_file, png, name, alt)
