"""The connection to Discord's gateway: its shards, its state, what comes by it, and how it closes.

Events are completed on their way to discord.py, and what it can't read is dropped. A line in the log says that the
bot is ready, once at the start, and again after an outage.
"""

import asyncio
import logging
import time
import traceback
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Final

import aiohttp
import discord

from bot.request import HANDLERS
from bot.services.gate import Gate
from bot.sharding import ShardLeases
from bot.telemetry.metrics import Metrics
from bot.telemetry.reach import UNREACHABLE
from storage.errors import Unavailable
from use_cases.worker import check_fresh

log = logging.getLogger(__name__)

Json = dict[str, Any]
Parsers = dict[str, Callable[[Json], Any]]

MAX_FILE_BYTES = 10 << 20
"""The size of files that Discord takes from everybody: that of an interaction which names none."""

CHANNEL_DEFAULTS: Final[Json] = {
    "name": "",
    "position": 0,
    "bitrate": 0,
    "user_limit": 0,
    "owner_id": 0,
    "message_count": 0,
    "member_count": 0,
    "thread_metadata": {"archived": False, "auto_archive_duration": 0, "archive_timestamp": None},
}
"""Keys of a channel that discord.py demands and the bot doesn't need.

The channel of an interaction is partial, and Discord lists no keys of it.
Source: https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-object
"""

_KINDS = frozenset(kind.value for kind in discord.ChannelType)

Count = Callable[[], Awaitable[int]]

SETTLE_SECONDS = 5.0
"""Seconds that running handlers get to end when the bot is told to stop."""

DISALLOWED_INTENTS = 4014
"""The close code for which discord.py has an exception of its own, without the code."""

LOGIN_REFUSED = (
    "KROPKA_TOKEN: Discord doesn't know this token. Copy it again from the developer portal (Bot, Reset Token)."
)

CLOSE_SENTENCES = {
    4004: "KROPKA_TOKEN: Discord does not accept this token any more. Copy the new one from the developer portal.",
    4010: "KROPKA_SHARDS: Discord does not know such a shard. Set the number that `kropka doctor` recommends, or none.",
    4011: "KROPKA_SHARDS: Discord asks for more shards. Set the number that `kropka doctor` recommends, or none.",
    4012: "Discord does not speak this version of its gateway any more. Install a newer Kropka.",
    4013: "Discord does not know the intents that Kropka asks for. Install a newer Kropka.",
    DISALLOWED_INTENTS: "Discord does not grant the intents that Kropka asks for. Allow them in the developer portal"
    " under Bot, Privileged Gateway Intents; Kropka as it is published needs none of them.",
}
"""What the operator can do where the gateway closes for good: every code after which discord.py does not reconnect.
Source: https://discord.com/developers/docs/topics/opcodes-and-status-codes#gateway-gateway-close-event-codes"""


def guard_parsers(parsers: Parsers, count: Callable[[str], None]) -> None:
    """Makes an event that a parser can't read a line in the log; it would end the process, for all servers.

    `count` gets the name of such an event.
    """
    for event, parse in parsers.items():
        parsers[event] = partial(_parse, event, parse, count)


def complete_interaction(interaction: Json) -> Json:
    """Returns an interaction with all that discord.py demands of it.

    One without a channel has its number at least. A channel of a kind that discord.py doesn't know becomes a text
    channel, or a direct message outside of servers.
    """
    kinds = discord.ChannelType
    channel = {**CHANNEL_DEFAULTS, "id": interaction["channel_id"], **(interaction.get("channel") or {})}
    if channel.get("type") not in _KINDS:
        channel["type"] = (kinds.text if interaction.get("guild_id") else kinds.private).value
    return {"attachment_size_limit": MAX_FILE_BYTES, **interaction, "channel": channel}


def _parse(event: str, parse: Callable[[Json], Any], count: Callable[[str], None], data: Json) -> None:
    try:
        parse(data)
    except Exception as error:
        count(event)
        # No traceback: the messages of most errors quote what people wrote.
        log.error("%s is dropped, it can't be read (%s); its keys: %s", event, _reason(error), ", ".join(_keys(data)))


def _reason(error: Exception) -> str:
    """Returns the kind and the place of an error, without its message unless that is a key."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    key = f" {error}" if isinstance(error, KeyError) else ""
    return f"{type(error).__name__}{key} at {Path(place.filename).name}:{place.lineno}"


def _keys(data: Json) -> Iterator[str]:
    """Yields the names of the keys, and of those one level below."""
    for key, value in data.items():
        yield f"{key}({' '.join(value)})" if isinstance(value, dict) else key


class Readiness:
    """Follows the shards of this process. A single disconnection is routine: Discord asks for one every few hours."""

    def __init__(self, count_servers: Count, count_games: Count) -> None:
        self._count_servers = count_servers
        self._count_games = count_games
        self._connected: set[int] = set()
        self._losses: Counter[int] = Counter()
        self._said = ""

    def note_connection(self, shard: int) -> None:
        """Notes that a session of a shard has begun, or was resumed."""
        self._connected.add(shard)
        if self._losses.pop(shard, 0) > 1:  # a try to connect has failed in between
            self._said = ""

    def note_loss(self, shard: int) -> None:
        """Notes that a shard was disconnected, or could not be connected."""
        self._connected.discard(shard)
        self._losses[shard] += 1

    async def tell(self, owned: Collection[int], total: int) -> None:
        """Logs that this process is ready, or stands by, unless that was the last thing it said.

        `owned` are the shards that it should run, of `total`.
        """
        if not self._connected.issuperset(owned):
            return
        said = "ready" if owned else "standby"
        if said == self._said:
            return
        self._said = said
        if not owned:
            log.info("standing by: other processes run all %d shards", total)
            return
        share = "" if len(owned) == total else f" ({len(owned)} of {total} shards)"
        log.info("ready on %s, %s%s", await self._servers(), await self._games(), share)

    async def _servers(self) -> str:
        return _counted(await self._count_servers(), "server")

    async def _games(self) -> str:
        try:
            return _counted(await self._count_games(), "open game")
        except Unavailable:  # which is told elsewhere
            return "open games unknown"


def _counted(number: int, thing: str) -> str:
    return f"{number:,} {thing}" + ("" if number == 1 else "s")


def _of_fresh_requests(trace: aiohttp.TraceConfig) -> aiohttp.TraceConfig:
    """Returns the trace of requests, which lets a worker make none about what it has read too long ago."""

    async def begin(*_: object) -> None:
        check_fresh()

    trace.on_request_start.append(begin)
    return trace


class Heartbeats(discord.gateway.KeepAliveHandler):
    """The thread that keeps a session alive. It measures how late Discord answers, and warns of 10 s and more.

    discord.py takes the time after the sending, in this thread. An answer that arrives before this thread runs again
    is then measured from the heartbeat before, and an answer that waits for its turn to IDENTIFY counts as late.
    """

    def get_payload(self) -> dict[str, Any]:
        self._last_send = time.perf_counter()
        return super().get_payload()

    def ack(self) -> None:
        if self.ws.session_id is not None:
            super().ack()


discord.gateway.KeepAliveHandler = Heartbeats  # type: ignore[misc]  # discord.py has no other way to choose it


class Connection(discord.AutoShardedClient):
    """Runs all shards, unless `leases` says which ones and when; implements bot.sharding.Sessions."""

    def __init__(
        self,
        gate: Gate,
        metrics: Metrics,
        trace: aiohttp.TraceConfig,
        *,
        note_id: Callable[[int], None],
        count_games: Callable[[], Awaitable[int]],
        settle_seconds: float,
        **options: Any,
    ) -> None:
        """`trace` is that of all requests. `note_id` learns the id of what has just arrived; `count_games` returns how
        many games are being played."""
        self.readiness = Readiness(self.count_servers, count_games)
        self._gate = gate
        self._note_id = note_id
        self._settle_seconds = settle_seconds
        self._was_counted = False
        self.leases: ShardLeases | None = None
        super().__init__(http_trace=_of_fresh_requests(trace), **options)
        self._keep_no_guilds()
        parsers = self._connection.parsers
        parse_interaction = parsers["INTERACTION_CREATE"]
        parsers["INTERACTION_CREATE"] = lambda sent: parse_interaction(complete_interaction(sent))
        parsers["MESSAGE_CREATE"] = partial(self._hear_message, parsers["MESSAGE_CREATE"])
        del parsers["MESSAGE_UPDATE"]  # each board that is folded comes back so, and nothing reads an edit
        guard_parsers(parsers, metrics.count_unreadable)
        take_in = partial(self.take_in, parsers["INTERACTION_CREATE"])
        waiting = {"INTERACTION_CREATE": lambda sent: take_in(self._note(sent))}
        guard_parsers(waiting, metrics.count_unreadable)
        parsers.update(waiting)

    @property
    def states(self) -> dict[str, list[int]]:
        """The shards that this process should run, by their state."""
        known = self.shards
        owned = known if self.leases is None else self.leases.owned
        states: dict[str, list[int]] = {"open": [], "closed": []}
        for shard in owned:
            states["closed" if shard not in known or known[shard].is_closed() else "open"].append(shard)
        return states

    @property
    def connected(self) -> bool:
        """Whether all of them are open; a process on standby has none."""
        return not self.states["closed"] and (self.leases is not None or bool(self.states["open"]))

    async def count_servers(self) -> int:
        """Returns how many servers the bot is on, as Discord estimates it; at the start as the login has told."""
        application = self.application
        if self._was_counted:
            with suppress(*UNREACHABLE, discord.HTTPException):
                application = await self.application_info()
        self._was_counted = True
        return application.approximate_guild_count if application else 0

    async def on_shard_connect(self, shard: int) -> None:
        self.readiness.note_connection(shard)
        await self.tell_readiness()

    async def on_shard_resumed(self, shard: int) -> None:
        self.readiness.note_connection(shard)
        await self.tell_readiness()

    async def on_shard_disconnect(self, shard: int) -> None:
        self.readiness.note_loss(shard)

    async def tell_readiness(self) -> None:
        """Logs that this process is ready, if it is. While it takes shards it is not."""
        if self.leases is None:
            await self.readiness.tell(range(self.shard_count or 1), self.shard_count or 1)
        elif not self.leases.is_taking:
            await self.readiness.tell(self.leases.owned, self.leases.total)

    async def launch_shards(self) -> None:
        if self.leases is None:
            await super().launch_shards()
        else:
            self._connection.shard_count = self.shard_count = self.leases.total
            self._connection.shard_ids = range(self.leases.total)

    async def open_shard(self, shard: int) -> None:
        await self.launch_shard(discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY, shard)

    async def close_shard(self, shard: int) -> None:
        if (known := self.get_shard(shard)) is not None:
            await known.disconnect()

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Waits until Discord lets another session start."""
        if self.leases is None or shard_id is None:
            await super().before_identify_hook(shard_id, initial=initial)
        else:
            await self.leases.identify(shard_id)

    def take_in(self, parse: Callable[[dict[str, Any]], object], sent: dict[str, Any]) -> None:
        """Takes an interaction as Discord has sent it, of which `parse` makes one of discord.py's."""
        parse(sent)

    def _note(self, sent: dict[str, Any]) -> dict[str, Any]:
        self._note_id(int(sent["id"]))
        return sent

    def _hear_message(self, parse: Callable[[dict[str, Any]], Any], sent: dict[str, Any]) -> None:
        """Parses a message, unless it is of a bot, as each board is: nothing here reads those."""
        if not self._note(sent)["author"].get("bot"):
            parse(sent)

    def _keep_no_guilds(self) -> None:
        """Takes the events that tell of servers from discord.py, which would keep each server with its channels.

        One with 40 channels, 25 roles and 30 emoji takes it 33 kB. `on_guild_payload` gets what GUILD_CREATE says. Of
        channels, threads and roles without a server in its memory discord.py tells nothing, so `on_thread_payload` gets
        what THREAD_UPDATE says, `on_role_deleted` what GUILD_ROLE_DELETE says, and `on_channel_deleted` which ones are
        gone.
        """
        parsers = self._connection.parsers
        parse_ready = parsers["READY"]
        parsers["READY"] = lambda ready: parse_ready({**ready, "guilds": []})
        parsers["GUILD_CREATE"] = lambda guild: self.dispatch("guild_payload", guild)
        parsers["THREAD_UPDATE"] = lambda thread: self.dispatch("thread_payload", thread)
        parsers["GUILD_ROLE_DELETE"] = lambda deleted: self.dispatch("role_deleted", deleted)
        parsers["GUILD_DELETE"] = self._note_guild_left
        parsers["CHANNEL_DELETE"] = parsers["THREAD_DELETE"] = self._note_channel_deleted

    def _note_guild_left(self, guild: dict[str, Any]) -> None:
        """Tells that the bot was removed from a server; during an outage of Discord it is only not reachable."""
        if not guild.get("unavailable"):
            self.dispatch("guild_left", int(guild["id"]))

    def _note_channel_deleted(self, channel: dict[str, Any]) -> None:
        self.dispatch("channel_deleted", int(channel["id"]))

    async def settle(self) -> None:
        """Refuses new requests, and waits for the handlers that run."""
        self._gate.close()
        handlers = [task for task in asyncio.all_tasks() if task.get_name().startswith(HANDLERS)]
        if handlers:
            await asyncio.wait(handlers, timeout=self._settle_seconds)
