"""Whether Discord can be reached, and why not, in words for an operator."""

import asyncio
import logging
import os
from collections.abc import Awaitable, Callable

import aiohttp
import discord

from bot.edge import Blocked, guard
from bot.way_out import STRAIGHT, WayOut

log = logging.getLogger(__name__)

UNREACHABLE = (
    OSError,  # also TimeoutError
    aiohttp.ClientError,
    discord.GatewayNotFound,
    discord.DiscordServerError,
    discord.ConnectionClosed,
)
"""What is raised while Discord, or the way to it, is down."""

FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 5.0, 60.0
"""Seconds before the second try, and the most that the pauses double to."""

ANSWER_SECONDS = 10.0
"""Seconds that Discord gets to answer."""


def reason(error: BaseException) -> str:
    """Returns why Discord cannot be reached, as part of a line."""
    match error:
        case aiohttp.ClientConnectorError(host=host, port=port, os_error=cause):
            return f"{host}:{port}: {_called(cause)}"
        case aiohttp.WSServerHandshakeError(status=status) | discord.HTTPException(status=status):
            return f"it answers {status}"
        case TimeoutError():
            return "it doesn't answer"
        case discord.ConnectionClosed(code=code):
            return f"it closed the connection, code {code}"
    return str(error) or type(error).__name__


async def wait_for_discord(sleep: Callable[[float], Awaitable[None]] = asyncio.sleep, way: WayOut = STRAIGHT) -> None:
    """Returns as soon as Discord answers; logs a line for each try that fails."""
    pause = FIRST_PAUSE_SECONDS
    while (trouble := await _trouble(way)) is not None:
        log.warning("Discord can't be reached (%s). Trying again in %.0f s.", trouble, pause)
        await sleep(pause)
        pause = min(2 * pause, LONGEST_PAUSE_SECONDS)


async def _trouble(way: WayOut) -> str | None:
    """Returns why Discord cannot be reached; None if it answers."""
    timeout, trace = aiohttp.ClientTimeout(total=ANSWER_SECONDS), guard(aiohttp.TraceConfig())
    try:
        async with (
            aiohttp.ClientSession(connector=way.connector(), timeout=timeout, trace_configs=[trace]) as session,
            session.get(f"{discord.http.Route.BASE}/gateway") as answer,
        ):
            return f"it answers {answer.status}" if answer.status >= 500 else None
    except Blocked as error:
        return f"the edge answers in its place: {error.status}, {error.text}"
    except UNREACHABLE as error:
        return reason(error)


def _called(error: OSError) -> str:
    """Returns what the system calls an error, without the address that asyncio adds."""
    return os.strerror(error.errno) if error.errno and error.errno > 0 else error.strerror or type(error).__name__
