"""The HTTP site: REST, gateway, attachments and chat page on one port."""

import socket
from collections.abc import Awaitable, Callable
from pathlib import Path

from aiohttp import web
from yarl import URL

from loopback.access import GUEST, Access, Bounds, secrets_match, sign
from loopback.consent import consent_of, consent_page
from loopback.gateway import Gateway
from loopback.model import Attachment
from loopback.page_socket import PageSocket
from loopback.rest.router import Router
from loopback.world import World

PAGE = Path(__file__).parent / "page"
Guest = Callable[[web.Request], Awaitable[web.StreamResponse]]
INLINE_TYPES = ("image/png", "image/gif", "image/jpeg")  # that a browser may display; other files are downloads


class Site:
    """The web server of all routes. Its `guest` answers the requests for all others, on the same address.

    Args:
        page: opens the page of a person on a server, given their ids or None.
        access: the guard of every route.
    """

    def __init__(
        self,
        router: Router,
        gateway: Gateway,
        world: World,
        page: Callable[[str | None, str | None], PageSocket],
        access: Access,
        bounds: Bounds,
    ) -> None:
        self._router = router
        self._gateway = gateway
        self._world = world
        self._page = page
        self._access = access
        self._max_pages = bounds.pages
        self._pages: set[PageSocket] = set()
        app = web.Application(client_max_size=bounds.body_bytes, middlewares=[access.guard])
        app.on_response_prepare.append(access.add_headers)
        router.add_to(app)
        for path in ("/gateway", "/gateway/"):
            app.router.add_get(path, gateway.serve)
        app.router.add_get("/cdn/attachments/{channel}/{attachment}/{filename}", self._serve_file)
        app.router.add_get("/cdn/ephemeral-attachments/{application}/{file}/{filename}", self._serve_upload)
        app.router.add_get("/page/ws", self._serve_page)
        app.router.add_get("/oauth2/authorize", self._ask_consent)
        app.router.add_get("/", self._serve_index)
        app.router.add_static("/page", PAGE)
        self.guest: Guest | None = None
        app.router.add_route("*", "/{path:.*}", self._serve_guest, name=GUEST)
        app.on_shutdown.append(self._close_sockets)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=2.0)

    async def start(self, listener: socket.socket) -> None:
        """Serves the connections of a listening socket; stopping the site closes it."""
        await self._runner.setup()
        await web.SockSite(self._runner, listener).start()

    async def stop(self) -> None:
        """Closes all connections."""
        await self._runner.cleanup()

    async def _close_sockets(self, app: web.Application) -> None:
        self._router.stop()
        self._gateway.close()
        for page in tuple(self._pages):
            await page.close()

    async def _serve_index(self, request: web.Request) -> web.FileResponse:
        self._require_name(request)
        has_key = self._access.has_key(request)
        if not (has_key or self._access.has_cookie(request)):
            return web.FileResponse(PAGE / "locked.html", status=403, headers=self._access.page_headers)
        answer = web.FileResponse(PAGE / "index.html", headers=self._access.page_headers)
        if has_key:
            self._access.set_cookie(answer)
        return answer

    async def _serve_guest(self, request: web.Request) -> web.StreamResponse:
        """Passes on what is not the stand-in's own."""
        if self.guest is None:
            raise web.HTTPNotFound
        self._require_name(request)
        return await self.guest(request)

    def _require_name(self, request: web.Request) -> None:
        """Raises HTTPFound where a page is asked for by another name than its own: it would be of another origin."""
        if request.method in ("GET", "HEAD") and request.host != self._access.host:
            raise web.HTTPFound(self._access.address + request.path_qs.removeprefix("/"))

    async def _serve_page(self, request: web.Request) -> web.StreamResponse:
        if not self._access.has_cookie(request):
            raise web.HTTPForbidden(text="Only the address printed at the start opens the page.")
        if len(self._pages) >= self._max_pages:
            raise web.HTTPServiceUnavailable(text=f"{self._max_pages} pages are open. Close one.")
        page = self._page(request.query.get("seat"), request.query.get("server"))
        self._pages.add(page)
        try:
            return await page.serve(request)
        finally:
            self._pages.discard(page)

    async def _ask_consent(self, request: web.Request) -> web.Response:
        """Asks who allows the application what it wants, or leads the one who has answered back to it."""
        if not self._access.has_cookie(request):
            raise web.HTTPForbidden(text="Only the address printed at the start opens the page.")
        try:
            asked = consent_of(str(request.url))
            back = URL(asked["redirect_uri"])
        except ValueError:
            raise web.HTTPBadRequest from None
        if back.origin() != URL(self._access.address).origin() or asked["client_id"] != str(self._world.application_id):
            raise web.HTTPBadRequest(text="Discord knows no such application, or no such redirect of it.")
        answers = {str(user.id): user for user in self._world.people}
        if (answer := request.query.get("answer")) is not None:
            given = {"error": "access_denied"} if answer not in answers else {"code": self._allow(asked, int(answer))}
            return web.Response(status=303, headers={"Location": str(back % {**given, "state": asked["state"]})})
        people = [(user.name, str(request.rel_url.update_query(answer=key))) for key, user in answers.items()]
        page = consent_page(asked, people, str(request.rel_url.update_query(answer="none")))
        return web.Response(text=page, content_type="text/html", headers=self._access.page_headers)

    def _allow(self, asked: dict[str, str], user: int) -> str:
        return self._world.activities.authorize(user, tuple(asked["scope"].split()), asked["redirect_uri"])

    async def _serve_file(self, request: web.Request) -> web.Response:
        channel, wanted = request.match_info["channel"], request.match_info["attachment"]
        self._require_signature(request, f"attachments/{channel}/{wanted}")
        file = self._world.attachment(int(channel), int(wanted))
        if file is None:
            raise web.HTTPNotFound
        return _file(file)

    async def _serve_upload(self, request: web.Request) -> web.Response:
        application, wanted = request.match_info["application"], request.match_info["file"]
        self._require_signature(request, f"ephemeral-attachments/{application}/{wanted}")
        for file in self._world.files.values():
            if str(file.id) == wanted:
                return _file(file)
        raise web.HTTPNotFound

    def _require_signature(self, request: web.Request, path: str) -> None:
        if not secrets_match(request.query.get("hm"), sign(self._world.secret, path)):
            raise web.HTTPNotFound


def _file(file: Attachment) -> web.Response:
    headers = {} if file.content_type in INLINE_TYPES else {"Content-Disposition": "attachment"}
    return web.Response(body=file.data, content_type=file.content_type, headers=headers)
