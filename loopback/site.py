"""The HTTP site: REST, gateway, attachments and chat page on one port."""

import socket
from collections.abc import Callable
from pathlib import Path

from aiohttp import web

from loopback.gateway import Gateway
from loopback.page_socket import PageSocket
from loopback.rest.router import Router
from loopback.world import World

PAGE = Path(__file__).parent / "page"
BODY_LIMIT = 110 * 1024 * 1024  # bytes; ten files of 10 MiB and the words beside them


class Site:
    """Serves until it is stopped.

    Args:
        page: makes the page of a seat, given its id or None; None if nobody sits there.
    """

    def __init__(
        self, router: Router, gateway: Gateway, world: World, page: Callable[[str | None], PageSocket | None]
    ) -> None:
        self._gateway = gateway
        self._world = world
        self._page = page
        self._pages: set[PageSocket] = set()
        app = web.Application(client_max_size=BODY_LIMIT)
        router.add_to(app)
        for path in ("/gateway", "/gateway/"):
            app.router.add_get(path, gateway.serve)
        app.router.add_get("/cdn/attachments/{channel}/{attachment}/{filename}", self._serve_file)
        app.router.add_get("/cdn/ephemeral-attachments/{application}/{file}/{filename}", self._serve_upload)
        app.router.add_get("/page/ws", self._serve_page)
        app.router.add_get("/", self._serve_index)
        app.router.add_static("/page", PAGE)
        app.on_shutdown.append(self._close_sockets)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=2.0)

    async def start(self, listener: socket.socket) -> None:
        """Serves what comes in on the socket, which is closed with the site."""
        await self._runner.setup()
        await web.SockSite(self._runner, listener).start()

    async def stop(self) -> None:
        """Closes all connections."""
        await self._runner.cleanup()

    async def _close_sockets(self, app: web.Application) -> None:
        self._gateway.close()
        for page in tuple(self._pages):
            await page.close()

    async def _serve_index(self, request: web.Request) -> web.FileResponse:
        return web.FileResponse(PAGE / "index.html")

    async def _serve_page(self, request: web.Request) -> web.StreamResponse:
        if request.headers.get("Origin", f"http://{request.host}") != f"http://{request.host}":
            raise web.HTTPForbidden(text="another site's page may not look in here")
        page = self._page(request.query.get("seat"))
        if page is None:
            raise web.HTTPNotFound(text="nobody sits there")
        self._pages.add(page)
        try:
            return await page.serve(request)
        finally:
            self._pages.discard(page)

    async def _serve_file(self, request: web.Request) -> web.Response:
        wanted = (request.match_info["channel"], request.match_info["attachment"])
        for message in self._world.messages.values():
            for each in message.attachments:
                if (str(message.channel_id), str(each.id)) == wanted:
                    return web.Response(body=each.data, content_type=each.content_type)
        raise web.HTTPNotFound

    async def _serve_upload(self, request: web.Request) -> web.Response:
        wanted = request.match_info["file"]
        for file in self._world.files.values():
            if str(file.id) == wanted:
                return web.Response(body=file.data, content_type=file.content_type)
        raise web.HTTPNotFound
