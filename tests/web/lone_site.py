"""A site without a Discord client behind it, and a match that is played on it.

``python -m tests.web.lone_site URL`` plays it on a database, in a process that has imported neither discord nor bot.
"""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

import aiohttp
import yarl

from play.ids import ChannelId, GuildId, MatchId, Millis, UserId
from play.people.membership import Membership
from play.people.settings import PlayerSettings
from presentation.markup import PLAIN
from presentation.match.boards import MatchViews
from presentation.words.words import Languages, Words, languages
from storage import Database
from tests.clock import StoppedClock
from tests.matches import ANNA, BORIS, a_match, add_match
from use_cases import UseCases
from use_cases.channel_rights import ChannelRights, Rights
from use_cases.matches import MatchFactReader
from use_cases.public_pages import PublicGames, PublicServers
from use_cases.web_sessions import WebSessions
from web.access.links import LinkSigner, entrance
from web.app import serve
from web.site import SiteParts, Website

T = TypeVar("T")

NAMES = {ANNA: "Anna", BORIS: "Boris"}

TOKENS = "a token of another platform"


class Everybody:
    """Members who may see and write everywhere."""

    async def rights(self, guild: GuildId, channel: ChannelId, user: UserId) -> Rights | None:
        return Rights(sees=True, writes=True)

    async def membership(self, guild: GuildId, user: UserId) -> Membership:
        return Membership()

    async def is_there(self, channel: ChannelId) -> bool:
        return True

    async def left(self, guild: GuildId, users: Collection[UserId]) -> frozenset[UserId]:
        return frozenset()

    async def is_private_thread(self, channel: ChannelId) -> bool:
        return False


class Opened:
    """Channels that every member of the only server reads."""

    async def server_name(self, guild: GuildId) -> str | None:
        return "Dotty room"

    async def is_open(self, guild: GuildId, channel: ChannelId) -> bool:
        return True

    async def shows(self, guild: GuildId, here: ChannelId, channel: ChannelId) -> bool:
        return True


class KnownNames:
    """The names of two players and one server."""

    own_id: UserId | None = None

    def has_left(self, user: UserId, guild: GuildId | None) -> bool:
        return False

    async def of(self, user: UserId, guild: GuildId | None) -> str:
        return NAMES[user]

    async def of_all(self, users: Iterable[UserId], guild: GuildId | None) -> tuple[str, ...]:
        return tuple(NAMES[user] for user in users)

    async def of_server(self, guild: GuildId) -> str | None:
        return "Dotty room"


@dataclass(frozen=True, slots=True)
class OneLanguage:
    """Everybody reads in one language."""

    words: Words

    def suggest(self, user: UserId, locale: str) -> None:
        pass

    async def for_user(self, user: UserId, guild: GuildId | None) -> Words:
        return self.words

    async def for_settings(self, settings: PlayerSettings, guild: GuildId | None) -> Words:
        return self.words

    async def for_guild(self, guild: GuildId | None) -> Words:
        return self.words


class Unlimited:
    """No limits."""

    def admit_user(self, user: UserId, guild: GuildId | None) -> None: ...

    def admit_look(self, user: UserId) -> None: ...

    @asynccontextmanager
    async def place(self, user: UserId, *, plays: bool) -> AsyncIterator[None]:
        yield

    def admit_visit(self, network: int) -> None: ...

    def admit_network(self, network: int) -> None: ...

    def admit_load(self, user: UserId) -> None: ...

    def admit_entry(self, network: int, room: str) -> None: ...

    def give_back_entry(self, network: int, room: str) -> None: ...


class InThisProcess:
    """Long work, done at once."""

    @property
    def pages(self) -> InThisProcess:
        return self

    async def make(self, user: int, work: Callable[..., T], /, *arguments: Any, keep: bool = True) -> T:
        return work(*arguments)

    @contextmanager
    def one_at_a_time(self, user: UserId) -> Iterator[None]:
        yield


def lone_parts(store: Database, address: str, signer: LinkSigner, spoken: Languages) -> SiteParts:
    """Returns what a site is built of where only what every platform has is there."""
    use_cases, names = UseCases.over(store, lambda: 7), KnownNames()
    rights = ChannelRights(store, Everybody())
    return SiteParts(
        address=address,
        use_cases=use_cases,
        sessions=WebSessions(store, use_cases.events, rights),
        rights=rights,
        public=PublicGames(store, Opened()),
        servers=PublicServers(store, Opened()),
        views=MatchViews(MatchFactReader(store), names, lambda: False),
        signer=signer,
        languages=spoken,
        locales=OneLanguage(spoken.of("pl")),
        names=names,
        limits=Unlimited(),
        jobs=InThisProcess(),
        count_refusal=lambda _: None,
    )


@dataclass(slots=True)
class Player:
    """A browser that has come in by a signed link, and the board that it shows."""

    http: aiohttp.ClientSession
    address: yarl.URL
    board: dict[str, Any] = field(default_factory=dict)
    socket: aiohttp.ClientWebSocketResponse | None = None

    async def enter(self, link: str) -> None:
        """Opens the board behind a link."""
        headers = {"Origin": str(self.address.origin())}
        async with self.http.post(
            self.address / "enter", json={"token": yarl.URL(link).fragment}, headers=headers
        ) as got:
            to = yarl.URL((await got.json())["to"])
        where = self.address.join(yarl.URL(f"/live/{to.name}").with_query(to.query))
        self.socket = await self.http.ws_connect(where, headers=headers)

    async def until(self, **wanted: Any) -> dict[str, Any]:
        """Reads up to a message with these fields."""
        assert self.socket is not None, "it is open"
        async with asyncio.timeout(30):
            while True:
                message: dict[str, Any] = await self.socket.receive_json()
                if message["is"] == "board":
                    self.board = message
                if all(message.get(name) == value for name, value in wanted.items()):
                    return message

    async def version(self, number: int) -> None:
        """Reads up to the board of a version."""
        while self.board["version"] < number:
            await self.until(**{"is": "board"})

    async def send(self, **fields: Any) -> dict[str, Any]:
        """Sends a message about the newest version, and returns its answer."""
        assert self.socket is not None, "it is open"
        key = f"key-{fields['do']}-{self.board['version']}-0123456789"
        await self.socket.send_json({"id": key, "version": self.board["version"], **fields})
        return await self.until(id=key)


async def play_a_match(url: str) -> dict[str, Any]:
    """Plays a match of two browsers on a lone site; returns what was seen."""
    clock, signer = StoppedClock(), LinkSigner.of(TOKENS)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    async with AsyncExitStack() as stack:
        store = await stack.enter_async_context(Database.open(url, now=clock))
        match = await add_match(store, a_match())
        parts = lone_parts(store, address, signer, languages().speaking(PLAIN, "Matrix"))
        site = Website.build(parts)
        await stack.enter_async_context(serve(site.app, "127.0.0.1", port))
        hub = asyncio.create_task(site.hub.run())
        stack.callback(hub.cancel)
        players = []
        for user in (ANNA, BORIS):
            jar = aiohttp.CookieJar(unsafe=True)
            http = await stack.enter_async_context(aiohttp.ClientSession(cookie_jar=jar))
            player = Player(http, yarl.URL(address))
            await player.enter(await _link(parts, user, match.id, clock()))
            await player.until(**{"is": "board"})
            players.append(player)
        return await _played(players)


async def _link(parts: SiteParts, user: UserId, match: MatchId, now: Millis) -> str:
    key = await parts.sessions.link_key(user)
    return entrance(parts.address, parts.signer.make(user, match, now, key=key))


async def _played(players: list[Player]) -> dict[str, Any]:
    """Returns what the players see who play until one resigns, and what the other pages say."""
    anna, boris = players
    seen = {"chat": anna.board["view"]["chat"], "answers": []}
    for version, (player, turn) in enumerate(((anna, "A1"), (boris, "E1"), (anna, "A2"))):
        await player.version(version)
        seen["answers"].append((await player.send(do="play", turn=turn))["is"])
    await boris.version(3)
    await boris.send(do="act", action="resign")
    while not anna.board["view"]["over"]:
        await anna.until(**{"is": "board"})
    seen["line"] = anna.board["view"]["line"]
    for path in ("front", "home", "home.json", "help"):
        async with anna.http.get(anna.address / path) as got:
            seen[path] = got.status, await got.text()
    origin = {"Origin": str(anna.address.origin())}
    async with anna.http.post(anna.address / "home/do", json={"do": "quiz", "quiz": "daily"}, headers=origin) as got:
        seen["daily"] = got.status, await got.text()
    return seen


if __name__ == "__main__":
    seen = asyncio.run(play_a_match(sys.argv[1]))
    assert not {"discord", "bot"} & {name.partition(".")[0] for name in sys.modules}
    print(seen["answers"], seen["line"])  # noqa: T201
