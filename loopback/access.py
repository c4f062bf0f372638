"""Access to the stand-in: who is let in, and how much clients can make it keep.

Host names and origins are accepted or not; the chat page has a key and a cookie.
"""

import hmac
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from hashlib import sha256

import yarl
from aiohttp import web

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

HOST = "127.0.0.1"  # the page's one host name, so that it has one origin
HOST_NAMES = (HOST, "localhost")
GUEST = "guest"
"""The name of the route whose answers are not the stand-in's own: the site there guards itself."""
OPAQUE_ORIGIN = "null"
"""The origin of a sandboxed frame, as that of the Activity."""
HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; sandbox",  # the page's is wider
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self' ws://{host}; "
    "frame-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)


def secrets_match(given: object, secret: str) -> bool:
    """Returns whether a client gave the secret, in constant time, so that the time reveals nothing."""
    return isinstance(given, str) and hmac.compare_digest(given.encode(errors="surrogatepass"), secret.encode())


def sign(secret: str, text: str) -> str:
    """Returns the signature of a text under the secret."""
    return hmac.new(secret.encode(), text.encode(), sha256).hexdigest()


class Access:
    """The guard of every route, and the key and the cookie of the chat page.

    Each start prints a new key, which the browser exchanges for the cookie. The cookie follows from the secret of the
    world, so that an open page reconnects after a restart.

    Attributes:
        host: the host name and port of the page.
    """

    def __init__(self, port: int, secret: str) -> None:
        addresses = [yarl.URL.build(scheme="http", host=name, port=port) for name in HOST_NAMES]
        self._origins = {address.host_port_subcomponent: str(address.origin()) for address in addresses}
        self.host = next(iter(self._origins)) or ""
        self._key = secrets.token_urlsafe(32)
        self._cookie_name = f"tryout-{port}"  # cookies ignore ports, and two try-outs may run
        self._cookie_value = sign(secret, "page")

    @property
    def address(self) -> str:
        """Returns the root of all addresses."""
        return f"http://{self.host}/"

    @property
    def page_address(self) -> str:
        """Returns the address that opens the chat page."""
        return f"{self.address}?key={self._key}"

    @property
    def page_headers(self) -> dict[str, str]:
        """Returns the headers of the chat page that other responses do not have."""
        return {"Content-Security-Policy": PAGE_POLICY.format(host=self.host)}

    @web.middleware
    async def guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Refuses a request under a foreign host name (DNS rebinding) or from a foreign origin. Sandboxed frames reach
        the guest, as they reach any site."""
        if request.host not in self._origins:
            raise web.HTTPMisdirectedRequest(text=f"The try-out is at {self.address}")
        own = self._origins[request.host]
        allowed = (own, OPAQUE_ORIGIN) if request.match_info.route.name == GUEST else (own,)
        if request.headers.get("Origin", own) not in allowed:
            raise web.HTTPForbidden(text="A page of another site has no access.")
        return await handler(request)

    @staticmethod
    async def add_headers(request: web.Request, response: web.StreamResponse) -> None:
        """Adds the headers that every response has."""
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)

    def has_key(self, request: web.Request) -> bool:
        """Returns whether the request has the key of this start."""
        return secrets_match(request.query.get("key"), self._key)

    def has_cookie(self, request: web.Request) -> bool:
        """Returns whether the request comes from a browser that once had the key."""
        return secrets_match(request.cookies.get(self._cookie_name), self._cookie_value)

    def set_cookie(self, response: web.StreamResponse) -> None:
        """Sets the cookie of the chat page."""
        response.set_cookie(self._cookie_name, self._cookie_value, httponly=True, samesite="Strict")


@dataclass(frozen=True, slots=True)
class Bounds:
    """Limits, with defaults above every correct client's needs.

    Attributes:
        body_bytes: the size of a request: ten files of 10 MiB and the JSON.
        problems: the problems in the list; the log has all.
        pages: the open pages; one person has a few.
        unidentified: the gateway connections without a session; a client identifies at once.
        queued_payloads: the payloads that wait for a gateway client; one more aborts its connection.
        queued_frames: the frames that wait for a page; one more aborts its connection, and the page reconnects.
    """

    body_bytes: int = 110 * 1024 * 1024
    problems: int = 1000
    pages: int = 64
    unidentified: int = 64
    queued_payloads: int = 10_000
    queued_frames: int = 1000


DEFAULT_BOUNDS = Bounds()
