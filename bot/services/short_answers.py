"""The shortest answers to interactions: of what Discord has sent, before discord.py makes anything of it.

While the bot has no time for anything else it gives hundreds of them a second, and has to go on playing. So they are
written to connections as they are: a client of HTTP takes three times as long for one.
"""

import asyncio
import json
import logging
import re
import ssl
from contextlib import suppress
from functools import cache, lru_cache
from typing import Any, Final, NamedTuple

import discord
import yarl

from bot.services.messages import fit
from bot.telemetry.metrics import Metrics
from bot.way_out import STRAIGHT, WayOut

Json = dict[str, Any]

MESSAGE: Final = discord.InteractionResponseType.channel_message.value
SUGGESTIONS: Final = discord.InteractionResponseType.autocomplete_result.value
PRIVATE: Final = discord.MessageFlags(ephemeral=True).value

TIMEOUT_SECONDS: Final = 3.0
"""Discord takes no answer later than that."""

MAX_IDLE: Final = 50
"""Connections that are kept for further answers."""

DONE: Final = "204"

STATUS: Final = re.compile(rb"HTTP/1\.[01] (\d{3})\b")
"""The beginning of a response."""

ROUTE: Final = "/interactions/{id}/{token}/callback"
"""The name of the requests among those that are counted."""

log = logging.getLogger(__name__)


class Line(NamedTuple):
    """A connection to Discord."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    @property
    def is_open(self) -> bool:
        return not (self.reader.at_eof() or self.writer.is_closing())


class ShortAnswers:
    """Sends answers in tasks of their own, as `user_agent`."""

    def __init__(self, user_agent: str, metrics: Metrics, way: WayOut = STRAIGHT) -> None:
        self._user_agent = user_agent
        self._metrics = metrics
        self._way = way
        self._idle: list[Line] = []
        self._sending: set[asyncio.Task[None]] = set()

    def tell(self, interaction: Json, sentence: str, below: discord.ui.View | None = None) -> None:
        """Tells the player alone, with buttons `below` if there are any."""
        self._answer(interaction, _message(sentence) if below is None else _encode(sentence, below.to_components()))

    def suggest_nothing(self, interaction: Json) -> None:
        """Has no suggestion for what a player types."""
        self._answer(interaction, _NO_SUGGESTION)

    async def settle(self) -> None:
        """Waits for the answers that are under way."""
        await asyncio.gather(*self._sending)

    async def close(self) -> None:
        """Waits for them, and closes the connections."""
        await self.settle()
        for line in self._idle:
            line.writer.close()

    def _answer(self, interaction: Json, answer: bytes) -> None:
        task = asyncio.create_task(self._send(interaction, answer))
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)

    async def _send(self, interaction: Json, answer: bytes) -> None:
        root = yarl.URL(discord.http.Route.BASE)
        request = (
            f"POST {root.path}/interactions/{interaction['id']}/{interaction['token']}/callback HTTP/1.1\r\n"
            f"Host: {root.authority}\r\nUser-Agent: {self._user_agent}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(answer)}\r\n\r\n"
        )
        try:
            async with asyncio.timeout(TIMEOUT_SECONDS):
                status = await self._exchange(root, request.encode("ascii") + answer)
        except (OSError, EOFError, asyncio.LimitOverrunError) as error:
            status = type(error).__name__  # the player's client says that nothing answered
        self._metrics.count_call("POST", ROUTE, status)
        if status != DONE:
            log.warning("interaction %s got no short answer: %s", interaction["id"], status)

    async def _exchange(self, root: yarl.URL, request: bytes) -> str:
        """Sends a request, and returns the status of the response. Raises what a lost connection raises."""
        if (line := self._idle_line()) is not None:
            with suppress(EOFError, ConnectionError):  # it was closed at this very moment
                return await self._ask(line, request)
        assert root.host is not None, "Discord has an address"
        assert root.port is not None, "Discord has an address"
        secure = _tls() if root.scheme == "https" else None
        return await self._ask(Line(*await self._way.connect(root.host, root.port, secure)), request)

    async def _ask(self, line: Line, request: bytes) -> str:
        try:
            line.writer.write(request)
            head = await line.reader.readuntil(b"\r\n\r\n")
            if (begins := STATUS.match(head)) is None:
                raise ConnectionError("what answers speaks no HTTP")
        except BaseException:  # also where the time is over
            line.writer.close()
            raise
        status = begins[1].decode("ascii")
        if status == DONE and b"\r\nconnection: close" not in head.lower() and len(self._idle) < MAX_IDLE:
            self._idle.append(line)
        else:
            line.writer.close()
        return status

    def _idle_line(self) -> Line | None:
        while self._idle:
            if (line := self._idle.pop()).is_open:
                return line
            line.writer.close()
        return None


@cache  # it reads all certificates of the machine
def _tls() -> ssl.SSLContext:
    return ssl.create_default_context()


def _encode(sentence: str, components: list[Json]) -> bytes:
    data = {"content": fit(sentence), "flags": PRIVATE, "components": components, "allowed_mentions": {"parse": []}}
    return json.dumps({"type": MESSAGE, "data": data}).encode("ascii")


@lru_cache(maxsize=64)  # there are three sentences in each language
def _message(sentence: str) -> bytes:
    return _encode(sentence, [])


_NO_SUGGESTION: Final = json.dumps({"type": SUGGESTIONS, "data": {"choices": []}}).encode("ascii")
