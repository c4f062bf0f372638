"""A browser without a screen: its cookies, and the socket of a board."""

from __future__ import annotations

import asyncio
import json
from typing import Any, Self
from uuid import uuid4

import aiohttp
import yarl
from pydantic import SecretStr

from bot.interactions.context import Services
from bot.settings import Hosting
from loopback import HANG_SECONDS, Discord, Message, Outcome, Person, components
from play.ids import MatchId, UserId
from tests.bot.room import Room, private_message
from web.answers import Way
from web.presentation.readers import Readers

DEEDS = frozenset({"play", "act", "lay", "note", "erase", "restore", "plan", "unplan", "publish"})
"""Messages with an idempotency key."""


def with_client_secret(discord: Discord) -> dict[str, Any]:
    """Returns the options of a bot whose site knows the client secret, so that users sign in with Discord."""
    return {"hosting": Hosting(web=discord.address.rstrip("/"), client_secret=SecretStr(discord.client_secret))}


def link_on(message: Message) -> str:
    """Returns the address behind the link button of a message."""
    return str(next(part["url"] for part in components.walk(message.components) if "url" in part))


async def link_for(room: Room, person: Person, board: Message) -> str:
    """Presses *Browser* below a board, and returns the address that only this person sees."""
    return link_on(await private_message(person.click(board, "Browser")))


async def press_launch(room: Room, person: Person, board: Message) -> Outcome:
    """Presses *Browser* below a board, and in its panel the button that opens the Activity."""
    panel = await private_message(person.click(board, "Browser"))
    return await person.click(panel, "Open in Discord").answered()


async def signed_link(room: Room, person: Person) -> str:
    """Returns a link to the first game as the bot signs it, where *Browser* opens the Activity."""
    links, user = room.services.web_links, UserId(person.id)
    assert links is not None, "there is a site"
    return links.make(user, MatchId(1), room.clock(), key=await room.services.web_sessions.link_key(user), seen=None)


def site_readers(services: Services) -> Readers:
    """Returns the people who read the site of a bot."""
    read = services.store, services.languages, services.locales, services.names, services.gate
    return Readers(*read, services.metrics.count_refusal)


async def no_ways(*_: object) -> list[Way]:
    """Returns the ways of a site whose refusals lead nowhere."""
    return []


class Board:
    """An open socket. Its messages are read in order; `board` and `watching` are the newest of their kinds.

    A task takes them from the network, so that the server's pings are answered while a test does something else.
    """

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket
        self.board: dict[str, Any] = {}
        self.watching: dict[str, Any] = {}
        self.line = ""
        self._frames: asyncio.Queue[aiohttp.WSMessage | None] = asyncio.Queue()
        self._receiving = asyncio.create_task(self._receive())

    async def _receive(self) -> None:
        async for frame in self.socket:
            self._frames.put_nowait(frame)
        self._frames.put_nowait(None)

    async def close(self) -> None:
        """Closes the socket, as a browser does whose page is left."""
        await self.socket.close()
        await asyncio.gather(self._receiving, return_exceptions=True)

    async def read(self) -> dict[str, Any]:
        """Returns the next message."""
        async with asyncio.timeout(HANG_SECONDS):
            frame = await self._frames.get()
        assert frame is not None, f"the socket is closed ({self.socket.close_code})"
        message: dict[str, Any] = frame.json()
        if message["is"] == "board":
            self.board = message
        elif message["is"] == "watching":
            self.watching = message
        return message

    async def until(self, **wanted: Any) -> dict[str, Any]:
        """Reads up to a message with these fields."""
        while True:
            message = await self.read()
            if all(message.get(name) == value for name, value in wanted.items()):
                return message

    async def version(self, version: int) -> dict[str, Any]:
        """Reads up to the board of a version."""
        while self.board.get("version", -1) < version:
            await self.read()
        return self.board

    async def ask(self, do: str, **fields: Any) -> dict[str, Any]:
        """Sends a message and returns its answer."""
        given = fields.pop("id", None)
        name = given if given is not None else str(uuid4()) if do in DEEDS else 7
        await self.socket.send_json({"do": do, "id": name, **fields})
        return await self.until(id=name)

    async def attempt(self, *steps: str) -> dict[str, Any]:
        """Returns the ghost of a turn at the newest version."""
        return await self.ask("try", version=self.board["version"], steps=list(steps))

    async def play(self, turn: str, **fields: Any) -> dict[str, Any]:
        """Plays a turn at the newest version."""
        return await self.ask("play", **{"version": self.board["version"], "turn": turn, **fields})

    async def closed(self) -> int | None:
        """Reads until the socket is closed; returns the code. `line` is what the server said before."""
        async with asyncio.timeout(HANG_SECONDS):
            while (frame := await self._frames.get()) is not None:
                if frame.json()["is"] == "gone":
                    self.line = frame.json()["line"]
        return self.socket.close_code


class Visit:
    """A browser at a site."""

    def __init__(
        self, address: str, *, origin: str | None = None, accept: str = "en", network: str = "127.0.0.1"
    ) -> None:
        """`network` is the address that a reverse proxy says it comes from."""
        self.address = yarl.URL(address)
        self.origin = str(self.address.origin()) if origin is None else origin
        self._boards: list[Board] = []
        self._http = aiohttp.ClientSession(
            cookie_jar=aiohttp.CookieJar(unsafe=True),
            headers={"Accept-Language": accept, "Accept": "text/html", "X-Forwarded-For": network},
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        for board in self._boards:
            await board.close()
        await self._http.close()

    async def enter(self, link: str) -> tuple[int, dict[str, Any]]:
        """Does what the script of the page /enter does; returns the status and the answer."""
        return await self.post("/enter", {"token": yarl.URL(link).fragment})

    async def post(self, path: str, body: object = None) -> tuple[int, dict[str, Any]]:
        return await self.send(path, json.dumps(body).encode(), {"Content-Type": "application/json"})

    async def send(self, path: str, body: bytes, headers: dict[str, str]) -> tuple[int, dict[str, Any]]:
        """Sends a body as it is."""
        where = self.address.join(yarl.URL(path))
        async with self._http.post(where, data=body, headers={"Origin": self.origin, **headers}) as got:
            return got.status, await got.json() if "json" in got.content_type else {}

    async def get(self, path: str, headers: dict[str, str] | None = None) -> tuple[int, str]:
        async with self._http.get(self.address.join(yarl.URL(path)), headers=headers) as got:
            return got.status, await got.text()

    async def leads_to(self, path: str) -> str:
        """Returns the address that a redirect leads to."""
        async with self._http.get(self.address.join(yarl.URL(path)), allow_redirects=False) as got:
            assert got.status == 303, got.status
            return got.headers["Location"]

    async def status(self, path: str, headers: dict[str, str] | None = None) -> int:
        async with self._http.get(self.address.join(yarl.URL(path)), headers=headers) as got:
            return got.status

    async def headers(self, path: str) -> dict[str, str]:
        async with self._http.get(self.address.join(yarl.URL(path))) as got:
            return dict(got.headers)

    @property
    def cookies(self) -> list[Any]:
        return [*self._http.cookie_jar]

    async def live(self, path: str, *, compress: int = 0) -> Board:
        """Opens the socket of the board that an address shows. Browsers offer to inflate by a window of 15 bits."""
        url = yarl.URL(path)
        return await self.socket(f"/live/{url.name}", compress=compress, **url.query)

    async def socket(self, path: str, *, compress: int = 0, **query: str) -> Board:
        """Opens the socket at an address."""
        where = self.address.join(yarl.URL(path).with_query(query))
        board = Board(await self._http.ws_connect(where, headers={"Origin": self.origin}, compress=compress))
        self._boards.append(board)
        return board

    async def live_by_token(self, told: dict[str, Any], *, match: str = "") -> Board:
        """Opens the socket of the Activity, with what `/activity/enter` has told."""
        where = self.address.join(yarl.URL(f"/activity/live/{match or told['match']}"))
        board = Board(await self._http.ws_connect(where, headers={"Origin": self.origin}))
        self._boards.append(board)
        await board.socket.send_json({"do": "enter", "token": told["token"]})
        return board

    async def open(self, link: str) -> Board:
        """Enters by a link, and opens the board behind it."""
        status, answer = await self.enter(link)
        assert status == 200, answer
        board = await self.live(answer["to"])
        await board.read()
        return board
