"""The whole stand-in as a test or the command line holds it: its addresses, its clock, and trouble on demand."""

import asyncio
import socket
import sqlite3
import time
from collections import deque
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from loopback import events
from loopback.access import HOST, Access
from loopback.admin import Scene
from loopback.events import Event
from loopback.gateway import Gateway
from loopback.interactions import Interactions
from loopback.limits import Fault, Limits
from loopback.page_socket import PageSocket
from loopback.rest.call import Services
from loopback.rest.router import BASE, Description, Request, Router
from loopback.sessions import CloseCode
from loopback.site import Site
from loopback.statefile import StateFile
from loopback.wire import Wire
from loopback.world import founded

TOKEN = "loopback.fake.the-token-that-the-stand-in-takes-in-tests"  # noqa: S105


class Discord(Scene):
    """A small Discord, from ``async with`` to its end.

    Args:
        now: the time in seconds since 1970; it rules the 3 seconds and the 15 minutes of interactions, and rate limits.
        openapi: Discord's OpenAPI description; every body is checked against it, which needs jsonschema.
        port: the one to listen on, 0 for a free one.
        token: the one that the bot must bring.
        state: the SQLite file to live in; nothing is kept without one.
        limits: whether rate limits are enforced.
        spread: whether every channel counts as a server of its own where the gateway is sharded.

    Raises:
        OSError: the port is taken.
        sqlite3.Error: the file is no state file, or another process has it.
    """

    def __init__(
        self,
        *,
        now: Callable[[], float] = time.time,
        openapi: Path | None = None,
        port: int = 0,
        token: str = TOKEN,
        state: Path | None = None,
        limits: bool = False,
        spread: bool = False,
    ) -> None:
        self._socket = socket.create_server((HOST, port))
        try:
            self._file = None if state is None else StateFile(state)
        except sqlite3.Error:
            self._socket.close()
            raise
        world = founded(now) if self._file is None else self._file.world(now)
        self._access = Access(self._socket.getsockname()[1], world.secret)
        super().__init__(world, Wire(world, self.cdn), Interactions(world, self.until))
        services = Services(self._world, self._wire, self._interactions, self.gateway)
        rates = Limits(now) if limits else None
        self._router = Router(services, token, rates, _description(openapi), self._notice)
        self._gateway = Gateway(self._wire, token, self.gateway, self._router.complain, spread=spread)
        self._world.listeners += [self._gateway.hear, self._hear]
        self._changed = asyncio.Event()
        self._timer: asyncio.TimerHandle | None = None
        self._site = Site(self._router, self._gateway, self._world, self._page, self._access)

    async def __aenter__(self) -> Self:
        await self._site.start(self._socket)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._timer is not None:
            self._timer.cancel()
        await self._site.stop()
        if self._file is not None:
            self._file.close()

    # The addresses

    @property
    def address(self) -> str:
        """Where the stand-in is, for the setting KROPKA_DISCORD."""
        return self._access.address

    @property
    def page_address(self) -> str:
        """Where the chat page is, with the key that opens it."""
        return self._access.page_address

    @property
    def api(self) -> str:
        """What ``discord.http.Route.BASE`` must be."""
        return f"http://{self._access.host}{BASE}"

    @property
    def gateway(self) -> str:
        """What ``discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY`` must be."""
        return f"ws://{self._access.host}/gateway"

    @property
    def cdn(self) -> str:
        """What ``discord.asset.Asset.BASE`` must be."""
        return f"http://{self._access.host}/cdn"

    # The bot

    @property
    def online(self) -> bool:
        """Whether the bot is connected to the gateway."""
        return self._gateway.online

    @property
    def shards(self) -> set[int]:
        """The numbers of the shards that are connected."""
        return self._gateway.shards

    @property
    def problems(self) -> list[str]:
        """What no correct bot would have sent, and what failed in the stand-in; empty in a good run."""
        return self._router.problems

    @property
    def requests(self) -> deque[Request]:
        """The newest requests of the bot, newest last."""
        return self._router.requests

    @property
    def counted(self) -> int:
        """How many requests have counted against the 50 a second that the whole bot may make."""
        return self._router.counted

    @property
    def refused(self) -> int:
        """How many requests went over a rate limit."""
        return self._router.refused

    async def until(self, predicate: Callable[[], Any], timeout: float = 10.0) -> Any:  # noqa: ASYNC109
        """Waits until the predicate is true, looking again at every change, and gives its value; TimeoutError."""
        try:
            async with asyncio.timeout(timeout):
                while not (value := predicate()):
                    await self._changed.wait()
        except TimeoutError:
            raise TimeoutError(f"it did not happen in {timeout} s; problems: {self.problems}") from None
        return value

    def listen(self, listener: Callable[[Event], None]) -> None:
        """Lets somebody hear at once of all that happens, for whom `until` would look too often."""
        self._world.listeners.append(listener)

    # Trouble on demand

    def fault(
        self,
        method: str,
        template: str,
        status: int,
        *,
        times: int = 1,
        retry_after: float = 0.01,
        code: int = 0,
        applied: bool = False,
    ) -> None:
        """Answers the next requests to an endpoint with an error.

        Args:
            template: the path below /api/v10 as the API description spells it: ``/channels/{channel_id}/messages``.
            retry_after: seconds, for a 429.
            code: Discord's own error code.
            applied: whether the requests take effect all the same, so that only their answers are lost.
        """
        endpoint = f"{method} {template}"
        if endpoint not in self._router.endpoints:
            raise LookupError(f"no endpoint {endpoint}, only {sorted(self._router.endpoints)}")
        self._router.faults.append(Fault(endpoint, status, times, retry_after, code, applied))

    def drop(self) -> None:
        """Breaks the gateway connections; the sessions can be resumed."""
        self._gateway.drop()

    def reconnect(self) -> None:
        """Asks the clients to reconnect and resume."""
        self._gateway.reconnect()

    def refuse(self, code: CloseCode) -> None:
        """Closes the gateway connections for the reason that the code gives, which does not pass."""
        self._gateway.refuse(code)

    def invalidate(self) -> None:
        """Ends all gateway sessions; the clients must identify anew."""
        self._gateway.invalidate()

    def tick(self) -> None:
        """Lets pass what the clock says is over; to be called after a given clock has moved."""
        if self._timer is not None:
            self._timer.cancel()
        left = self._interactions.expire()
        self._timer = None if left is None else asyncio.get_running_loop().call_later(left, self.tick)
        self._notice()

    # The inside

    def _hear(self, event: Event) -> None:
        if isinstance(event, events.InteractionBegun):
            self.tick()
        self._notice()

    def _page(self, seat: str | None) -> PageSocket:
        """A page of the seat with this id; of the first one without, as for a page from before the world began anew."""
        persons = {str(person.id): person for person in self.people.values()}
        person = persons.get(seat or "", next(iter(persons.values())))
        return PageSocket(self._wire, self._interactions, person, lambda: self.online)

    def _notice(self) -> None:
        """Lets all who wait look again."""
        self._changed.set()
        self._changed = asyncio.Event()


@cache  # reading it and compiling its schemas takes longer than most tests
def _description(path: Path | None) -> Description | None:
    if path is None:
        return None
    from loopback import openapi  # here, since jsonschema is there in development only

    return openapi.Description(path)
