"""Refusals and errors as a browser gets them: a page of a few words that says why, or the same as JSON for a script."""

import html
import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from aiohttp import ClientConnectionResetError, hdrs, web
from aiohttp.typedefs import Handler

from play.ids import UserId
from play.refusal import Reason, Refused
from presentation.words.words import Words
from storage.errors import OutOfRange, Unavailable
from web.presentation.readers import Readers

log = logging.getLogger(__name__)

HTML = (Path(__file__).parent / "static" / "shared" / "notice.html").read_text(encoding="utf-8")
"""The page, with places for its language, its lead, its line, its buttons and a script."""

USER = web.RequestKey("user", int)
"""Where a request has its user, once that is known."""

STATUS = {
    Reason.NO_SESSION: 401,
    Reason.SIGNED_OUT: 401,
    Reason.NO_MATCH: 404,
    Reason.NO_PAGE: 404,
    Reason.NO_FRIEND_CODE: 404,
    Reason.NO_SHARED_BOARD: 404,
    Reason.TOO_FAST: 429,
    Reason.SERVER_TOO_FAST: 429,
    Reason.ENTRANCE_BUSY: 429,
    Reason.FRIEND_BUSY: 429,
    Reason.CLOSING: 503,
    Reason.LANE_BUSY: 503,
    Reason.DRAWING_BUSY: 503,
    Reason.CHAT_AWAY: 503,
    Reason.BAD_MESSAGE: 400,
}
"""The statuses of refusals; 403 for all others."""

CLIENT_LEFT = 499
"""The status of what nobody waits for any more, by nginx's custom: the response is not sent."""

NOWHERE: Final = frozenset({web.HTTPNotFound.status_code, web.HTTPMethodNotAllowed.status_code})
"""The statuses of requests for what is not there, at least not to be read."""

MATCH = web.RequestKey("match", int)
"""Where a request has the game that it is about, if it is about one, once that is known."""

CODE = web.RequestKey("code", str)
"""Where a request has the letters of a friend's code, if it is about one."""

SHOWN: Final = frozenset({"/enter"})
"""Paths whose answers a script shows as a page."""

MAX_PATH = 250
"""Characters of a path; ours have some 50. The names of files have 255 bytes at most."""


class Way(NamedTuple):
    """A button: what it is called, and where it leads."""

    label: str
    url: str


def write_notice(language: str, lead: str, line: str, ways: Iterable[Way], script: str = "") -> str:
    """Returns the page. The `lead` says what the site is; a `script` is HTML."""
    buttons = "".join(f'<a href="{html.escape(way.url)}">{html.escape(way.label)}</a>' for way in ways)
    texts = {"language": language, "lead": lead, "line": line}
    return HTML.format(**{name: html.escape(text) for name, text in texts.items()}, ways=buttons, script=script)


ListWays = Callable[[web.Request, str | None, Words], Awaitable[Sequence[Way]]]
"""Returns the ways on from a refusal, by its reason, or (None) from an error."""


class Answers:
    """The middleware that turns exceptions into answers."""

    def __init__(self, readers: Readers, list_ways: ListWays) -> None:
        """`list_ways` finds the buttons below a refusal."""
        self._readers = readers
        self._list_ways = list_ways

    @web.middleware
    async def explain(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Answers for a handler that has raised."""
        try:
            if len(request.rel_url.raw_path) > MAX_PATH:
                raise web.HTTPNotFound
            return await handler(request)
        except Refused as refused:
            return await self._refusal(request, refused)
        except OutOfRange:
            return await self._refusal(request, Refused(Reason.NO_MATCH))
        except Unavailable as error:
            log.warning("the database does not answer: %s", error)
            return await self._answer(request, 503, "error.unavailable")
        except web.HTTPException as answer:
            if answer.status < web.HTTPBadRequest.status_code:
                raise
            key = "web.page.missing" if answer.status in NOWHERE else "refused.bad_message"
            told = await self._answer(request, answer.status, key)
            if (allowed := answer.headers.get(hdrs.ALLOW)) is not None:
                told.headers[hdrs.ALLOW] = allowed
            return told
        except ClientConnectionResetError:
            return web.Response(status=CLIENT_LEFT)
        except Exception:
            log.exception("%s %s failed", request.method, request.rel_url.raw_path)
            return await self._answer(request, 500, "web.page.failed")

    async def _refusal(self, request: web.Request, refused: Refused) -> web.Response:
        language = await self._language(request)
        line = await self._readers.explain(refused, language, None)
        return await self._write(request, STATUS.get(refused.key, 403), language, line, refused.key)

    async def _answer(self, request: web.Request, status: int, key: str) -> web.Response:
        language = await self._language(request)
        return await self._write(request, status, language, self._readers.words(language)(key), None)

    async def _write(
        self, request: web.Request, status: int, language: str, line: str, reason: str | None
    ) -> web.Response:
        is_page = request.method == hdrs.METH_GET and "text/html" in request.headers.get(hdrs.ACCEPT, "")
        if not is_page and request.path not in SHOWN:
            return web.json_response({"line": line}, status=status)
        words = self._readers.words(language)
        ways = await self._list_ways(request, reason, words)
        if not is_page:
            return web.json_response({"line": line, "ways": [way._asdict() for way in ways]}, status=status)
        page = write_notice(language, words("web.front.lead"), line, ways)
        return web.Response(text=page, status=status, content_type="text/html")

    async def _language(self, request: web.Request) -> str:
        return await self._readers.language(user_of(request), request.headers.get(hdrs.ACCEPT_LANGUAGE, ""))


def user_of(request: web.Request) -> UserId | None:
    """Returns the user of a request, once that is known."""
    user = request.get(USER)
    return None if user is None else UserId(user)
