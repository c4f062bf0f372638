"""The edge of Discord's network: whose answer it is that has come, and how the bot names itself there.

Cloudflare is in front of Discord. Where it lets no request through, its answer has the status of a refusal (403, 429),
and says nothing about the request itself.

Sources: https://discord.com/developers/docs/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans, and for 40333
discord-api-docs#6473.
"""

import json
import re
from contextlib import suppress
from http import HTTPStatus
from math import isfinite
from types import SimpleNamespace
from typing import Any, Final

import aiohttp
import discord
import yarl

USER_AGENT: Final = f"DiscordBot (https://github.com/Rapptz/discord.py {discord.__version__})"
"""What all requests to Discord say of their sender: it asks for such a name, and may shut out others.

Source: https://discord.com/developers/docs/reference#user-agent
"""

NETWORK_ERROR: Final = 40333
"""The one code that JSON of the edge has: "internal network error"."""

MAX_GIST: Final = 100
"""Characters of a page that are told."""

_PAGE = re.compile(r"<(?:!doctype html|html)\b.*?(?:</html>|\Z)", re.IGNORECASE | re.DOTALL)
_TITLE = re.compile(r"<title[^>]*>(.*?)</title", re.IGNORECASE | re.DOTALL)


class Blocked(discord.HTTPException):
    """A request that the edge has answered in Discord's place: another try of the same may reach Discord.

    It is neither a discord.Forbidden nor a discord.NotFound, whatever its status, so no reader takes it for one.
    """

    @property
    def retry_after(self) -> float:
        """The seconds after which the edge wants the next request; 0 if it doesn't say."""
        try:
            seconds = float(self.response.headers.get("Retry-After", ""))
        except ValueError:
            return 0.0
        return seconds if isfinite(seconds) else 0.0


class HeldBack(Blocked):
    """A request that was not sent, since the edge has answered another one lately."""

    def __init__(self, seconds: float) -> None:
        """`seconds` says how long all wait."""
        response: Any = SimpleNamespace(status=HTTPStatus.SERVICE_UNAVAILABLE.value, reason="Held Back")
        super().__init__(response, f"nothing that can wait is sent to Discord for {seconds:.0f} s")
        self.seconds = seconds

    @property
    def retry_after(self) -> float:
        """The seconds for which all wait."""
        return self.seconds


def guard(trace: aiohttp.TraceConfig) -> aiohttp.TraceConfig:
    """Returns the `trace` of a client whose requests name the bot, and raise Blocked where the edge refuses them."""

    async def begin(_: object, __: object, params: aiohttp.TraceRequestStartParams) -> None:
        params.headers["User-Agent"] = USER_AGENT

    async def end(_: object, __: object, params: aiohttp.TraceRequestEndParams) -> None:
        answer = params.response
        is_refusal = HTTPStatus.BAD_REQUEST <= answer.status < HTTPStatus.INTERNAL_SERVER_ERROR
        if is_refusal and is_of_api(params.url) and (error := refusal_of_edge(answer, await answer.read())):
            raise error

    trace.on_request_start.append(begin)
    trace.on_request_end.append(end)
    return trace


def is_of_api(url: yarl.URL) -> bool:
    """Returns whether an address is one of Discord's API: files come from elsewhere, and sessions go elsewhere."""
    return str(url).startswith(discord.http.Route.BASE)


def refusal_of_edge(answer: aiohttp.ClientResponse, body: bytes) -> Blocked | None:
    """Returns what a refused request raises if the edge has answered it.

    None stands for Discord's own answer: JSON, as its API always has it, with no code of the edge.
    """
    told: Any = None
    if answer.content_type == "application/json":
        with suppress(ValueError):
            told = json.loads(body)
    if not isinstance(told, dict):
        return Blocked(answer, gist(body.decode(errors="replace")))
    return Blocked(answer, told) if told.get("code") == NETWORK_ERROR else None


def gist(page: str) -> str:
    """Returns one line of a page: its title, or how it begins."""
    title = _TITLE.search(page)
    line = " ".join((title[1] if title else page).split())
    return line if len(line) <= MAX_GIST else f"{line[: MAX_GIST - 1]}…"


def cut_pages(text: str) -> str:
    """Returns a text in which each page of HTML has become one line; some have 5 kB."""
    return _PAGE.sub(lambda page: gist(page[0]), text)
