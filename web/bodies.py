"""The bodies of requests: the only place that reads them."""

from __future__ import annotations

import asyncio
from typing import Any

import orjson
from aiohttp import web

from play.refusal import Reason, Refused

Json = dict[str, Any]
"""A message of the web board, or a body, as docs/web-protocol.md has it."""

BODY_SECONDS = 10.0
"""Seconds that a browser may take to send a body, which is one packet."""


async def read_object(request: web.Request, seconds: float = BODY_SECONDS) -> Json:
    """Returns the JSON object in a request's body, which is UTF-8.

    Raises Refused (`bad_message`) for anything else; HTTPRequestEntityTooLarge, HTTPRequestTimeout.
    """
    if (request.charset or "utf-8").lower() not in ("utf-8", "utf8"):
        raise Refused(Reason.BAD_MESSAGE)
    try:
        async with asyncio.timeout(seconds):
            body = orjson.loads(await request.read())
    except TimeoutError:
        raise web.HTTPRequestTimeout from None
    except (orjson.JSONDecodeError, ConnectionError, web.RequestPayloadError):
        raise Refused(Reason.BAD_MESSAGE) from None
    if not isinstance(body, dict):
        raise Refused(Reason.BAD_MESSAGE)
    return body
