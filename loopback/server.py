"""The whole stand-in as a test or the command line holds it: its addresses, its state, and trouble on demand."""

import asyncio
import socket
import sqlite3
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from loopback import events
from loopback.events import Event
from loopback.gateway import Gateway
from loopback.interactions import Interactions
from loopback.limits import Fault, Limits
from loopback.model import Channel, ChannelKind, Guild, Message, Role, User
from loopback.page_socket import PageSocket
from loopback.permissions import NONE, Permission
from loopback.person import Person
from loopback.rest.call import Services
from loopback.rest.router import BASE, Description, Request, Router
from loopback.site import Site
from loopback.statefile import StateFile
from loopback.wire import Wire
from loopback.world import founded

HOST = "127.0.0.1"
TOKEN = "loopback.fake.the-only-token-that-the-stand-in-takes"  # noqa: S105


class Discord:
    """A small Discord, from ``async with`` to its end.

    Args:
        now: the time in seconds since 1970; it rules the 3 seconds and the 15 minutes of interactions, and rate limits.
        openapi: Discord's OpenAPI description; every body is checked against it, which needs jsonschema.
        port: the one to listen on, 0 for a free one.
        state: the SQLite file to live in; nothing is kept without one.
        limits: whether rate limits are enforced.
        spread: whether every channel counts as a server of its own where the gateway is sharded.

    Raises:
        OSError: the port is taken.
        sqlite3.Error: the file is no state file, or another process has it.

    Attributes:
        people: those who can sit at a client, by name.
    """

    def __init__(
        self,
        *,
        now: Callable[[], float] = time.time,
        openapi: Path | None = None,
        port: int = 0,
        state: Path | None = None,
        limits: bool = False,
        spread: bool = False,
    ) -> None:
        self._socket = socket.create_server((HOST, port))
        self._host = f"{HOST}:{self._socket.getsockname()[1]}"
        try:
            self._file = None if state is None else StateFile(state)
        except sqlite3.Error:
            self._socket.close()
            raise
        self._world = founded(now) if self._file is None else self._file.world(now)
        self._wire = Wire(self._world, self.cdn)
        self._interactions = Interactions(self._world, self.until)
        services = Services(self._world, self._wire, self._interactions, self.gateway)
        rates = Limits(now) if limits else None
        self._router = Router(services, TOKEN, rates, _description(openapi), self._notice)
        self._gateway = Gateway(self._wire, TOKEN, self.gateway, self._router.complain, spread=spread)
        self._world.listeners += [self._gateway.hear, self._hear]
        self.people = {user.name: Person(self._wire, self._interactions, user.id) for user in self._world.people}
        self._changed = asyncio.Event()
        self._timer: asyncio.TimerHandle | None = None
        self._site = Site(self._router, self._gateway, self._world, self._page)

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
        """Where the chat page is."""
        return f"http://{self._host}/"

    @property
    def api(self) -> str:
        """What ``discord.http.Route.BASE`` must be."""
        return f"http://{self._host}{BASE}"

    @property
    def gateway(self) -> str:
        """What ``discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY`` must be."""
        return f"ws://{self._host}/gateway"

    @property
    def cdn(self) -> str:
        """What ``discord.asset.Asset.BASE`` must be."""
        return f"http://{self._host}/cdn"

    # What there is

    @property
    def bot(self) -> User:
        """The bot's account; its id is also that of the application."""
        return self._world.bot

    @property
    def guild(self) -> Guild:
        """The one server."""
        return self._world.guild

    @property
    def channels(self) -> dict[str, Channel]:
        """The text channels by name."""
        return {each.name: each for each in self._world.channels.values() if each.kind is ChannelKind.TEXT}

    @property
    def threads(self) -> list[Channel]:
        """All threads, oldest first."""
        return sorted((each for each in self._world.channels.values() if each.is_thread), key=lambda thread: thread.id)

    @property
    def commands(self) -> list[dict[str, Any]]:
        """The application commands as Discord returns them."""
        return self._world.commands

    def know(self, commands: Sequence[dict[str, Any]]) -> None:
        """Takes `commands` over that a Discord before this one has returned."""
        self._world.sync(list(commands))

    def invite(self, name: str) -> Person:
        """Somebody new on the server."""
        user = self._world.enrol(User(self._world.ids.next(), name.lower(), name))
        self.people[name] = Person(self._wire, self._interactions, user.id)
        return self.people[name]

    def make_role(self, name: str, *, above: bool = False) -> Role:
        """A new role of the server, below the bot's own or above it."""
        return self._world.make_role(Role(self._world.ids.next(), name, above))

    def roles_of(self, person: Person) -> set[str]:
        """The names of the roles that somebody has."""
        return {self._world.roles[role].name for role in person.user.roles if role in self._world.roles}

    def delete_role(self, role: Role) -> None:
        """Deletes a role, as a moderator would."""
        del self._world.roles[role.id]

    def trust(self, permissions: Permission) -> None:
        """From now on the bot may do this in the whole server, and nothing else."""
        self._world.bot_may = permissions

    def open_channel(self, name: str) -> Channel:
        """A new text channel."""
        return self._world.create(Channel(self._world.ids.next(), ChannelKind.TEXT, name))

    def open_private(self, *people: Person, name: str = "") -> Channel:
        """A conversation of people alone: a DM between two, a group of more, or of two if it has a name."""
        kind = ChannelKind.GROUP if name or len(people) > 2 else ChannelKind.DM
        members = tuple(person.id for person in people)
        return self._world.create(Channel(self._world.ids.next(), kind, name, owner_id=members[0], members=members))

    def channel(self, channel: Channel | int) -> Channel:
        """A channel or thread as it is now."""
        return self._world.channels[channel if isinstance(channel, int) else channel.id]

    def message(self, message: Message | int) -> Message | None:
        """A message as it is now; None if it has been deleted."""
        return self._world.messages.get(message if isinstance(message, int) else message.id)

    def messages(self, channel: Channel | int) -> list[Message]:
        """What everybody sees in a channel, oldest first."""
        return self._world.history(channel if isinstance(channel, int) else channel.id)

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

    def forget(self, message: Message | int) -> None:
        """Drops a message of which nobody is told, so that a long run does not fill the memory."""
        self._world.messages.pop(message if isinstance(message, int) else message.id, None)

    # Trouble on demand

    def bring_along(self) -> None:
        """From now on the bot is not in the server: everybody has installed it to his own account."""
        self._world.brought_along = True
        for person in self.people.values():
            person.install()

    def allow(self, channel: Channel | int, permissions: Permission, who: Person | None = None) -> None:
        """Grants the bot, or somebody else, permissions in one channel."""
        self._world.overwrite(self.channel(channel), who.id if who else self.bot.id, allow=permissions, deny=NONE)

    def deny(self, channel: Channel | int, permissions: Permission, who: Person | None = None) -> None:
        """Takes permissions away from the bot, or from somebody else, in one channel."""
        self._world.overwrite(self.channel(channel), who.id if who else self.bot.id, allow=NONE, deny=permissions)

    def archive(self, thread: Channel | int, *, locked: bool = False) -> None:
        """Archives a thread, as its silence or a moderator would."""
        now = self._world.now()
        self._world.change(replace(self.channel(thread), archived=True, locked=locked, archive_changed=now))

    def delete(self, message: Message | int) -> None:
        """Deletes a message, as a moderator would."""
        self._world.delete(self._world.messages[message if isinstance(message, int) else message.id])

    def remove(self, channel: Channel | int) -> None:
        """Deletes a channel with its threads, as a moderator would."""
        gone = self.channel(channel)
        for each in [thread for thread in self.threads if thread.parent_id == gone.id] + [gone]:
            self._world.remove(each)

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

    def _page(self, seat: str | None) -> PageSocket | None:
        """A page of the seat with this id, of the first one without; None if nobody sits there."""
        persons = {str(person.id): person for person in self.people.values()}
        person = next(iter(persons.values())) if seat is None else persons.get(seat)
        return None if person is None else PageSocket(self._wire, self._interactions, person, lambda: self.online)

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
