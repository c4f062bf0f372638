"""The whole stand-in for a test or the command line: its addresses, its clock, and faults on demand."""

import asyncio
import socket
import time
from collections import deque
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from loopback import events
from loopback.access import DEFAULT_BOUNDS, HOST, Access, Bounds
from loopback.admin import Admin
from loopback.errors import Page, Refusal
from loopback.events import Event
from loopback.faults import Attempt, Fault, RateLimiter, Silence, matches, refusal
from loopback.gateway import CloseCode, Gateway
from loopback.interactions import Interactions
from loopback.model import Channel
from loopback.page_socket import PageSocket, Seats
from loopback.rest.call import Services
from loopback.rest.router import BASE, Description, Request, Router
from loopback.site import Guest, Site
from loopback.statefile import StateFile
from loopback.wire import Wire
from loopback.world import new_world

HANG_SECONDS = 60.0
"""Seconds after which a test takes what it waits for to hang: so many that a busy machine decides nothing."""

TOKEN = "loopback.fake.the-token-that-the-stand-in-takes-in-tests"  # noqa: S105


class Discord(Admin):
    """A small Discord, which runs inside ``async with``.

    Args:
        now: the time in seconds since 1970, for the 3 seconds and the 15 minutes of interactions, and for rate limits.
        openapi: Discord's OpenAPI description, to check every body against; needs jsonschema_rs.
        port: the port to listen on, 0 for a free one.
        token: the bot's token.
        state: the SQLite file that keeps the world; without one nothing outlives the process.
        limits: whether to enforce rate limits.
        spread: whether every channel counts as a server of its own where the gateway is sharded.
        bounds: the limits of what clients can make it keep.

    Raises:
        sqlite3.Error: the file is no state file, or another process has it.
        OSError: the port is taken.
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
        bounds: Bounds = DEFAULT_BOUNDS,
    ) -> None:
        self._bounds = bounds
        self._file = None if state is None else StateFile(state)
        try:
            self._socket = socket.create_server((HOST, port))
        except OSError:
            if self._file is not None:
                self._file.close()
            raise
        world = new_world(now) if self._file is None else self._file.load_world(now)
        self._access = Access(self._socket.getsockname()[1], world.secret)
        super().__init__(world, Wire(world, self.cdn), Interactions(world, self.until))
        self._seats = Seats(self.world, self.people, self.invite)
        services = Services(self.world, self.wire, self.interactions, self.gateway)
        self._limiter = RateLimiter(now) if limits else None
        self._router = Router(services, token, self._limiter, _description(openapi), self._notify, bounds)
        self._gateway = Gateway(self.wire, token, self.gateway, self._router.report_problem, bounds, spread=spread)
        self.world.listeners += [self._gateway.on_event, self._on_event]
        self._changed = asyncio.Event()
        self._timer: asyncio.TimerHandle | None = None
        self._site = Site(self._router, self._gateway, self.world, self._page, self._access, bounds)

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
        """Returns the address of the stand-in, for the setting KROPKA_DISCORD."""
        return self._access.address

    @property
    def page_address(self) -> str:
        """Returns the address of the chat page, with the key that opens it."""
        return self._access.page_address

    @property
    def api(self) -> str:
        """Returns the value for ``discord.http.Route.BASE``."""
        return f"http://{self._access.host}{BASE}"

    @property
    def gateway(self) -> str:
        """Returns the value for ``discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY``."""
        return f"ws://{self._access.host}/gateway"

    @property
    def cdn(self) -> str:
        """Returns the value for ``discord.asset.Asset.BASE``."""
        return f"http://{self._access.host}/cdn"

    @property
    def guest(self) -> Guest | None:
        """Returns what answers requests that are not for the stand-in, if there is a site beside it."""
        return self._site.guest

    @guest.setter
    def guest(self, handler: Guest | None) -> None:
        self._site.guest = handler

    @property
    def client_secret(self) -> str:
        """Returns the application's client secret, with which its server exchanges the codes of an Activity."""
        return self.world.activities.secret

    # The bot

    @property
    def online(self) -> bool:
        """Returns whether the bot is connected to the gateway."""
        return self._gateway.online

    @property
    def shards(self) -> set[int]:
        """Returns the numbers of the connected shards."""
        return self._gateway.shards

    @property
    def problems(self) -> list[str]:
        """Returns the requests that no correct bot sends, and the stand-in's own failures; empty in a good run."""
        return self._router.problems

    @property
    def requests(self) -> deque[Request]:
        """Returns the newest requests of the bot, newest last."""
        return self._router.requests

    @property
    def counted_requests(self) -> int:
        """Returns the number of requests that have counted against the bot's 50 a second."""
        return self._router.counted

    @property
    def limited_requests(self) -> int:
        """Returns the number of requests over a rate limit."""
        return self._router.refused

    async def until(self, predicate: Callable[[], Any], timeout: float = HANG_SECONDS) -> Any:  # noqa: ASYNC109
        """Waits until the predicate is true, checks it at every change, and returns its value; TimeoutError."""
        try:
            async with asyncio.timeout(timeout):
                while not (value := predicate()):
                    await self._changed.wait()
        except TimeoutError:
            raise TimeoutError(f"it did not happen in {timeout} s; problems: {self.problems}") from None
        return value

    def listen(self, listener: Callable[[Event], None]) -> None:
        """Adds a listener for events, where `until` would check its predicate too often."""
        self.world.listeners.append(listener)

    # Faults on demand

    def fault(
        self,
        method: str,
        template: str,
        failure: int | Refusal | Page | Silence,
        *,
        times: int | None = 1,
        code: int = 0,
        message: str | None = None,
        errors: dict[str, Any] | None = None,
        retry_after: float = 0.01,
        word: str | None = None,
        predicate: Callable[[Attempt], bool] | None = None,
        applied: bool = False,
    ) -> Fault:
        """Makes the next requests to an endpoint fail; returns the fault, which counts them and can be ended.

        Args:
            method: a method, or ``*`` for all.
            template: the path below /api/v10 as in the API description: ``/channels/{channel_id}/messages``; ``*``
                stands for any text.
            failure: the status of the response, a refusal or a page of `loopback.errors`, or no response.
            times: how many requests fail; None for all.
            code: Discord's own error code, with a status.
            message: its words; by default those that Discord has for the code.
            errors: what is wrong by field, as `loopback.errors.nested_errors` makes it.
            retry_after: seconds, for a 429.
            word: what the request's JSON contains.
            predicate: what else the request fulfils.
            applied: whether the requests take effect nevertheless, so that only their responses are lost.
        """
        pattern = f"{method} {template}"
        if not any(matches(pattern, each) for each in self._router.endpoints):
            raise LookupError(f"no endpoint {pattern}, only {sorted(self._router.endpoints)}")
        if isinstance(failure, int):
            failure = refusal(failure, code, message)
        fault = Fault(pattern, failure, times, word, predicate, errors, retry_after, applied)
        self._router.faults.append(fault)
        return fault

    def end_faults(self) -> None:
        """Ends all faults."""
        self._router.faults.clear()

    def drop(self) -> None:
        """Breaks the gateway connections; the sessions can be resumed."""
        self._gateway.drop()

    def reconnect(self) -> None:
        """Asks the clients to reconnect and resume."""
        self._gateway.reconnect()

    def refuse(self, code: CloseCode) -> None:
        """Closes the gateway connections with a code, and refuses new sessions from then on."""
        self._gateway.refuse(code)

    def invalidate(self) -> None:
        """Ends all gateway sessions; the clients must identify anew."""
        self._gateway.invalidate()

    def tick(self) -> None:
        """Fails overdue interactions and archives idle threads; call it after a given clock has moved."""
        self.world.archive_idle()
        if self._timer is not None:
            self._timer.cancel()
        seconds = self.interactions.expire()
        self._timer = None if seconds is None else asyncio.get_running_loop().call_later(seconds, self.tick)
        self._notify()

    # Inside

    def _on_event(self, event: Event) -> None:
        if isinstance(event, events.InteractionBegun):
            self.tick()
        if isinstance(event, events.ChannelCreated):
            self._count_thread(event.channel)
        self._notify()

    def _count_thread(self, channel: Channel) -> None:
        """Counts a thread that a person has opened; one of the bot is counted when it asks for it."""
        if self._limiter is not None and channel.is_thread and channel.owner_id != self.world.bot.id:
            self._limiter.count_thread(channel.parent_id or 0)

    def _page(self, seat: str | None, server: str | None) -> PageSocket:
        """Opens a page for the person and the server with these ids: for the first person if the id is unknown, as of
        an older world, and by default for the first of the person's servers."""
        persons = {str(person.id): person for person in self.people.values()}
        person = persons.get(seat or "", next(iter(persons.values())))
        theirs = [each for each in self.world.guilds if self.world.is_member(person.id, each)] or [self.guild]
        guild = next((each for each in theirs if str(each.id) == server), theirs[0])
        frames = self._bounds.queued_frames
        return PageSocket(self.wire, self.interactions, person, guild, self._seats, lambda: self.online, frames)

    def _notify(self) -> None:
        """Wakes everything that waits in `until`."""
        self._changed.set()
        self._changed = asyncio.Event()


@cache  # to read it and compile its schemas takes longer than most tests
def _description(path: Path | None) -> Description | None:
    if path is None:
        return None
    from loopback import openapi  # here, since only development has jsonschema_rs

    return openapi.Description(path)
