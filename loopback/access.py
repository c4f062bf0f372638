"""Who may look in: the names that the stand-in answers to, the pages that may ask, and what opens the chat page."""

import hmac
import secrets
from collections.abc import Awaitable, Callable
from hashlib import sha256

import yarl
from aiohttp import web

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

HOST = "127.0.0.1"  # the page's own name, so that it has one origin
NAMES = (HOST, "localhost")
HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; sandbox",  # the page has a wider one
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self' ws://{host}; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)


def is_same(given: object, secret: str) -> bool:
    """Returns whether a client gave the secret, in a time that does not tell how much of it was right."""
    return isinstance(given, str) and hmac.compare_digest(given.encode(errors="surrogatepass"), secret.encode())


def sign(secret: str, text: str) -> str:
    """Returns what proves that a text comes from the holder of the secret."""
    return hmac.new(secret.encode(), text.encode(), sha256).hexdigest()


class Access:
    """The guard of every route, and the key and the cookie of the chat page.

    The key is new at every start and is printed; the cookie, which the key is exchanged for, follows from the secret of
    the world, so that an open page comes back after a restart.

    Attributes:
        host: the name and port that the page is served under.
    """

    def __init__(self, port: int, secret: str) -> None:
        addresses = [yarl.URL.build(scheme="http", host=name, port=port) for name in NAMES]
        self._origins = {address.host_port_subcomponent: str(address.origin()) for address in addresses}
        self.host = next(iter(self._origins)) or ""
        self._key = secrets.token_urlsafe(32)
        self._cookie = f"tryout-{port}"  # cookies do not know ports, and two try-outs may run
        self._pass = sign(secret, "page")

    @property
    def address(self) -> str:
        """The root of all addresses."""
        return f"http://{self.host}/"

    @property
    def page_address(self) -> str:
        """The address that opens the chat page."""
        return f"{self.address}?key={self._key}"

    @property
    def page_headers(self) -> dict[str, str]:
        """The headers of the chat page, beside those of every answer."""
        return {"Content-Security-Policy": PAGE_POLICY.format(host=self.host)}

    @web.middleware
    async def guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Refuses a request by a foreign name (DNS rebinding) and one that a foreign page makes."""
        if request.host not in self._origins:
            raise web.HTTPMisdirectedRequest(text=f"The try-out is at {self.address}")
        if request.headers.get("Origin", self._origins[request.host]) != self._origins[request.host]:
            raise web.HTTPForbidden(text="A page of another site may not look in here.")
        return await handler(request)

    @staticmethod
    async def harden(request: web.Request, response: web.StreamResponse) -> None:
        """Adds the headers that every answer has."""
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)

    def has_key(self, request: web.Request) -> bool:
        """Returns whether the request has the key of this start."""
        return is_same(request.query.get("key"), self._key)

    def has_cookie(self, request: web.Request) -> bool:
        """Returns whether the request comes from a browser that had a key once."""
        return is_same(request.cookies.get(self._cookie), self._pass)

    def remember(self, response: web.StreamResponse) -> None:
        """Gives the browser the cookie."""
        response.set_cookie(self._cookie, self._pass, httponly=True, samesite="Strict")
