"""The bodies of requests and the fields of messages: each is read by its type and bounds, or refused."""

import asyncio
import re
from typing import Any

import orjson
from aiohttp import web

from play.ids import WEB_SOURCE, IdempotencyKey, UserId, request_key
from play.refusal import Reason, Refused

Json = dict[str, Any]
"""A message of the web board, or a body, as docs/web-protocol.md has it."""

BODY_SECONDS = 10.0
"""Seconds that a browser may take to send a body, which is one packet."""

MAX_FRAME_BYTES = 4096
"""Bytes of a message."""

MAX_NUMBER = 2**31

MAX_STEPS = 200
"""Steps of a turn: a chain round the largest board is longer, but nobody draws it."""

MAX_TURN = 2000
"""Characters of a turn in its notation."""

_KEY = re.compile(r"[A-Za-z0-9-]{8,64}")
_STEP = re.compile(r"[A-Za-z0-9 ?+/.>&;=,_-]{1,600}")


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


def read_message(text: str | bytes) -> Json:
    """Returns the message of a frame. Raises Refused (`bad_message`)."""
    try:
        message = orjson.loads(text)
    except orjson.JSONDecodeError:
        raise Refused(Reason.BAD_MESSAGE) from None
    if not isinstance(message, dict):
        raise Refused(Reason.BAD_MESSAGE)
    return message


def number(message: Json, field: str) -> int:
    """Returns a whole number from 0. Raises Refused (`bad_message`)."""
    value = message.get(field)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= MAX_NUMBER:
        raise Refused(Reason.BAD_MESSAGE)
    return value


def optional_number(message: Json, field: str) -> int | None:
    """Returns a whole number from 0, or None for null. Raises Refused (`bad_message`)."""
    return None if message.get(field) is None else number(message, field)


def flag(message: Json, field: str) -> bool:
    """Returns true or false. Raises Refused (`bad_message`)."""
    value = message.get(field)
    if not isinstance(value, bool):
        raise Refused(Reason.BAD_MESSAGE)
    return value


def prose(message: Json, field: str, most: int) -> str:
    """Returns a text in lines, without invisible characters but those that join emoji. Raises Refused
    (`bad_message`) for one that is longer."""
    value = message.get(field)
    if not isinstance(value, str) or len(value) > most:
        raise Refused(Reason.BAD_MESSAGE)
    return "".join(each for each in value if each.isprintable() or each in "\n\N{ZERO WIDTH JOINER}")


def name(message: Json, field: str, most: int) -> str:
    """Returns a name as people type or paste it: in one line, with single blanks, and without invisible characters but
    those that join emoji. Raises Refused (`bad_message`) for one that is longer."""
    value = message.get(field)
    line = " ".join(value.split()) if isinstance(value, str) else value
    return prose({field: line}, field, most).strip("\N{ZERO WIDTH JOINER} ")


def typed(message: Json, field: str, most: int) -> str:
    """Returns a move or a question as a reader has typed it, for a parser: nothing in it is stored as it is. Raises
    Refused (`no_point` for a longer text, `bad_message`)."""
    value = message.get(field)
    if not isinstance(value, str):
        raise Refused(Reason.BAD_MESSAGE)
    if len(value) > most:
        raise Refused(Reason.NO_POINT)
    return value


def text(message: Json, field: str, most: int) -> str:
    """Returns a text of at most so many characters, which a database can store. Raises Refused (`bad_message`)."""
    value = message.get(field)
    if not isinstance(value, str) or len(value) > most or not value.isprintable():
        raise Refused(Reason.BAD_MESSAGE)
    return value


def names(message: Json, field: str, most: int) -> tuple[str, ...]:
    """Returns a list of at most so many texts. Raises Refused (`bad_message`)."""
    value: Any = message.get(field)
    if not isinstance(value, list) or len(value) > most or not all(isinstance(each, str) for each in value):
        raise Refused(Reason.BAD_MESSAGE)
    return tuple(value)


def key(message: Json) -> str:
    """Returns the idempotency key of the browser. Raises Refused (`bad_message`)."""
    value = message.get("id")
    if not isinstance(value, str) or not _KEY.fullmatch(value):
        raise Refused(Reason.BAD_MESSAGE)
    return value


def deed_key(user: UserId, about: str, key: str) -> IdempotencyKey:
    """Returns the key of a deed of a user `about` something among those of chats and of the program: the same for the
    same three, in any process."""
    return request_key(WEB_SOURCE, f"{user} {about} {key}")


def steps(message: Json) -> tuple[str, ...]:
    """Returns the steps of a turn. Raises Refused (`bad_message`)."""
    found = names(message, "steps", MAX_STEPS)
    if not all(map(_STEP.fullmatch, found)):
        raise Refused(Reason.BAD_MESSAGE)
    return found


def id_of(message: Json) -> str | int | None:
    """Returns the id by which a refusal can name the message, if it has one."""
    value = message.get("id")
    if isinstance(value, str) and _KEY.fullmatch(value):
        return value
    is_number = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MAX_NUMBER
    return value if is_number else None
