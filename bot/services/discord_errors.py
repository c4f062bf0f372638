"""Discord's error codes, and answers to them: a further try, form or place, a problem for managers, none."""

import logging
from collections.abc import Awaitable, Callable, Iterable
from enum import IntEnum
from http import HTTPStatus
from typing import Final, TypeVar

import aiohttp
import discord

from bot.edge import Blocked, cut_pages
from play.posts import PostProblem
from use_cases.worker import ChannelClosed, RetryLater, Undeliverable

log = logging.getLogger(__name__)

PASSING: Final = frozenset({HTTPStatus.UNAUTHORIZED, HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_MANY_REQUESTS})
"""Statuses below 500 that say nothing about the request itself."""

FAILURES: Final = (discord.HTTPException, aiohttp.ClientError, OSError)
"""What is raised where Discord refuses a request or is not reached; a TimeoutError is an OSError."""

F = TypeVar("F")
T = TypeVar("T")


class ErrorCode(IntEnum):
    """The codes of errors that the bot treats differently from others, or that the metrics name.

    Source: https://discord.com/developers/docs/topics/opcodes-and-status-codes#json
    """

    UNKNOWN_CHANNEL = 10003
    UNKNOWN_GUILD = 10004
    UNKNOWN_MEMBER = 10007
    UNKNOWN_MESSAGE = 10008
    UNKNOWN_ROLE = 10011
    UNKNOWN_USER = 10013
    UNKNOWN_WEBHOOK = 10015
    UNKNOWN_INTERACTION = 10062
    UNKNOWN_EVENT = 10070  # among those that a server has scheduled
    EXPLICIT_CONTENT = 20009
    QUARANTINED = 20026  # the bot, which may open no direct messages meanwhile
    TOO_MANY_OLD_EDITS = 30046  # of messages older than an hour, in one channel within six seconds; a 429
    TOO_MANY_THREAD_MEMBERS = 30033
    DMS_TOO_FAST = 40003
    ALREADY_ACKNOWLEDGED = 40060
    OVERLOADED = 40062
    TOO_MANY_FOLLOW_UPS = 40094
    NETWORK_ERROR = 40333  # of the edge
    MISSING_ACCESS = 50001
    MISSING_PERMISSIONS = 50013
    DM_REFUSED = 50007
    NO_TEXT_CHANNEL = 50008
    INVALID_WEBHOOK_TOKEN = 50027
    INVALID_FORM = 50035
    WRONG_CHANNEL_KIND = 50024
    THREAD_CLOSED = 50083
    ENTRY_POINT_MISSING = 50240
    NO_COMMON_GUILD = 50278
    THREAD_EXISTS = 160004
    THREAD_LOCKED = 160005
    TOO_MANY_THREADS = 160006
    TOO_MANY_NEWS_THREADS = 160007
    MESSAGE_BLOCKED = 200000
    TITLE_BLOCKED = 200001
    HARMFUL_LINK = 240000
    UPLOADS_LIMITED = 400001


PAUSING: Final = frozenset({ErrorCode.DMS_TOO_FAST, ErrorCode.QUARANTINED, ErrorCode.OVERLOADED})
"""Codes of direct messages that speak of the bot as a whole, and pass. In a channel they are refusals like others."""

CLOSING: Final = frozenset({ErrorCode.MISSING_ACCESS, ErrorCode.THREAD_CLOSED, ErrorCode.THREAD_LOCKED})
"""Codes of a channel that takes no message at all."""

REFUSING_DM: Final = frozenset({ErrorCode.DM_REFUSED, ErrorCode.NO_COMMON_GUILD})
"""Codes of a user whom no direct message reaches."""

FORBIDDING: Final = frozenset({0, ErrorCode.MISSING_ACCESS, ErrorCode.MISSING_PERMISSIONS})
"""Codes with which a 403 is about a right of the bot, which an admin can give."""


def is_final(error: discord.HTTPException) -> bool:
    """Returns whether another try of the same would fail the same way: Discord itself has refused it."""
    refused = HTTPStatus.BAD_REQUEST <= error.status < HTTPStatus.INTERNAL_SERVER_ERROR
    return refused and error.status not in PASSING and not isinstance(error, Blocked)


def is_about_rights(error: discord.HTTPException) -> bool:
    """Returns whether a right is missing that an admin of the server can give."""
    return isinstance(error, discord.Forbidden) and error.code in FORBIDDING


def is_about_content(error: discord.HTTPException) -> bool:
    """Returns whether the channel may take another message: there are filters for words, links, pictures and files."""
    elsewhere = isinstance(error, discord.NotFound) or error.code in CLOSING | REFUSING_DM
    return is_final(error) and not elsewhere


def delivery_problem(error: discord.HTTPException) -> Exception:
    """Returns what a worker should know of an error: ChannelClosed while a moderator can open the channel again,
    RetryLater where another try may help, Undeliverable for a refusal that stays."""
    if is_about_rights(error) or error.code in CLOSING:
        return ChannelClosed(describe(error))
    return Undeliverable(describe(error)) if is_final(error) else RetryLater(describe(error))


def describe(error: discord.HTTPException) -> str:
    """Returns the status, Discord's code and its sentences in one line; of a page its title."""
    lines = cut_pages(error.text).splitlines()
    return f"{error.status}, code {error.code}: {'; '.join(filter(None, map(str.strip, lines)))}"


def describe_answer(status: int, told: object) -> str:
    """Returns the same of an answer that came without discord.py: its JSON is what Discord `told`, if there is any."""
    known = told if isinstance(told, dict) else {}
    return f"{status}, code {known.get('code', 0)}: {known.get('message') or known.get('error', '')}"


async def send_plainest(send: Callable[[F], Awaitable[T]], forms: Iterable[F]) -> T:
    """Sends the first of `forms` that Discord takes; each is plainer than the one before, and made only when it is due.

    Raises the discord.HTTPException of the last one tried.
    """
    refused: discord.HTTPException | None = None
    for form in forms:
        try:
            return await send(form)
        except discord.HTTPException as error:
            if not is_about_content(error):
                raise
            log.info("Discord refuses a form of a message: %s", describe(error))
            refused = error
    assert refused is not None, "there is a form"
    raise refused


def problem_of(error: discord.HTTPException) -> PostProblem | None:
    """Returns why a post was refused; None if another try soon may succeed."""
    if isinstance(error, discord.NotFound):
        problem = PostProblem.CHANNEL
    elif is_about_rights(error) or error.code in CLOSING:
        problem = PostProblem.PERMISSION
    elif error.code == ErrorCode.NO_TEXT_CHANNEL:
        problem = PostProblem.KIND
    elif is_final(error):
        problem = PostProblem.REFUSED
    else:
        return None
    log.warning("a post is refused: %s", describe(error))
    return problem
