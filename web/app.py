"""The site: builds the aiohttp application from its parts, and serves it."""

import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import yarl
from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError

from web.answers import Answers
from web.files import Files
from web.headers import adds_headers, security_headers
from web.pages import page

log = logging.getLogger(__name__)

STATIC = Path(__file__).parent / "static"

MAX_BODY_BYTES = 16 * 1024
"""Bytes of a request's body; the longest is a link's token."""

SHUTDOWN_SECONDS = 2.0
"""Seconds that open requests get when the site stops."""

IDLE_SECONDS = 30.0
"""Seconds for which a connection may be open without a whole request: a new one, or one between two requests."""

NO_REQUESTS = (HttpProcessingError, web.RequestPayloadError, ConnectionError)
"""What aiohttp raises for a head or a body that is none, and for a browser that has gone."""

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
Part = Callable[[web.Application], None]
"""Adds the routes of a subject to an application."""


def build_app(address: yarl.URL, parts: Iterable[Part], answers: Answers) -> web.Application:
    """Returns the site that browsers reach at `address`."""
    app = web.Application(client_max_size=MAX_BODY_BYTES, middlewares=[answers.explain])
    adds_headers(app, security_headers(address))
    for part in parts:
        part(app)
    page.add_routes(app)
    Files(STATIC).add_routes(app)
    return app


def _is_of_ours(record: logging.LogRecord) -> bool:
    """Returns whether a line of aiohttp is about more than a request that is none, or breaks off: those would have
    addresses in it, and strangers would fill the log."""
    return not (record.exc_info and isinstance(record.exc_info[1], NO_REQUESTS))


log.addFilter(_is_of_ours)


class _Sent(web.StreamResponse):
    """A response that its client has got already. The server that received the request has nothing left to send."""

    def __init__(self, response: web.StreamResponse) -> None:
        super().__init__(status=response.status)
        self._response = response

    @property
    def keep_alive(self) -> bool | None:
        return self._response.keep_alive

    async def prepare(self, _: web.BaseRequest) -> None:
        """Sends nothing."""

    async def write_eof(self, _: bytes = b"") -> None:
        """Sends nothing."""


@asynccontextmanager
async def serve(app: web.Application, host: str, port: int, idle_seconds: float = IDLE_SECONDS) -> AsyncIterator[int]:
    """Serves the site until the block ends, and yields its port. Raises OSError if the port cannot be used."""
    runner = web.AppRunner(
        app, logger=log, access_log=None, shutdown_timeout=SHUTDOWN_SECONDS, keepalive_timeout=idle_seconds
    )
    await runner.setup()
    try:
        await web.TCPSite(runner, host, port).start()
        yield runner.addresses[0][1]
    finally:
        await runner.cleanup()


@asynccontextmanager
async def mounted(app: web.Application) -> AsyncIterator[Handler]:
    """Yields what answers requests for the site that another server has received, until the block ends."""
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=SHUTDOWN_SECONDS)
    await runner.setup()
    assert runner.server is not None, "it is set up"
    own = runner.server.request_handler

    async def handle(request: web.Request) -> web.StreamResponse:
        clone = request.clone()  # a request belongs to the routes and the headers of the server that received it
        response = await own(clone)
        with suppress(ConnectionError):  # who asked may have left
            await response.prepare(clone)
            await response.write_eof()
        return _Sent(response)

    try:
        yield handle
    finally:
        await runner.cleanup()
