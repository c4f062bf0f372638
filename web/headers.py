"""Headers of every response: no script, style or picture from elsewhere, and no frames but those of chats' clients."""

from collections.abc import Collection, Mapping

import yarl
from aiohttp import web

_HEADERS = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


def security_headers(address: yarl.URL) -> dict[str, str]:
    """Returns the headers for a site at `address`, which no page may show in a frame."""
    return {**_HEADERS, "Content-Security-Policy": _write(_policy("'self'", address))}


def framed_policy(address: yarl.URL, nonce: str, ancestors: Collection[str] | None = None) -> str:
    """Returns the policy of a page in a chat's client, whose inline script has a `nonce` and runs the others as blobs.

    Pages of `ancestors` may frame it, or (None) any page, also one of opaque origin, which no list can name: it reads
    no cookie. In such a one WebKit's `'self'` is no origin at all, so the policy names the site's. The proxy of an
    Activity has its own.
    """
    policy = _policy(f"'self' {address.origin()}", address) | {"script-src": f"'nonce-{nonce}' blob:"}
    if ancestors is None:
        del policy["frame-ancestors"]
    else:
        policy["frame-ancestors"] = " ".join(ancestors)
    return _write(policy)


def _policy(own: str, address: yarl.URL) -> dict[str, str]:
    """Returns a policy that allows what is `own`, and sockets at the address of the site."""
    socket = address.with_scheme("wss" if address.scheme == "https" else "ws").origin()
    return {
        "default-src": "'none'",
        "script-src": own,
        "style-src": own,
        "img-src": f"{own} data:",
        "font-src": own,
        "connect-src": f"{own} {socket}",
        "base-uri": "'none'",
        "form-action": own,
        "frame-ancestors": "'none'",
    }


def _write(policy: Mapping[str, str]) -> str:
    """Returns a policy as its header has it."""
    return "; ".join(f"{name} {value}" for name, value in policy.items())


def adds_headers(app: web.Application, headers: dict[str, str]) -> None:
    """Has the headers added to every response of the application that does not set them itself."""

    async def add(request: web.Request, response: web.StreamResponse) -> None:
        for name, value in headers.items():
            response.headers.setdefault(name, value)
        # Files are kept, and asked for again by their tag: a page that comes back costs no more than the questions. The
        # typeface has its version in its name.
        kept = request.path.startswith("/static/")
        is_named = request.path.startswith("/static/fonts/") and response.status < 400
        life = "public, max-age=31536000, immutable" if is_named else "no-cache" if kept else "no-store"
        response.headers.setdefault("Cache-Control", life)
        # A frame of opaque origin, as the Activity has on some phones, reads files and themes, and its own answers.
        for path, readers in (("/static/", "*"), ("/theme/", "*"), ("/activity/", "null")):
            if request.path.startswith(path):
                response.headers.setdefault("Access-Control-Allow-Origin", readers)

    app.on_response_prepare.append(add)
