"""Headers of every response: no script, style or picture from elsewhere, and frames only where they are wanted."""

from __future__ import annotations

from collections.abc import Sequence

import yarl
from aiohttp import web

_HEADERS = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


def security_headers(address: yarl.URL, frames: Sequence[str]) -> dict[str, str]:
    """Returns the headers for a site at `address` that the pages of the origins `frames` may show in a frame."""
    socket = address.with_scheme("wss" if address.scheme == "https" else "ws").origin()
    policy = {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "img-src": "'self' data:",
        "font-src": "'self'",
        "connect-src": f"'self' {socket}",
        "base-uri": "'none'",
        "form-action": "'self'",
        "frame-ancestors": " ".join(frames) or "'none'",
    }
    written = "; ".join(f"{name} {value}" for name, value in policy.items())
    return {**_HEADERS, "Content-Security-Policy": written}


def adds_headers(app: web.Application, headers: dict[str, str]) -> None:
    """Has the headers added to every response of the application that does not set them itself."""

    async def add(request: web.Request, response: web.StreamResponse) -> None:
        for name, value in headers.items():
            response.headers.setdefault(name, value)
        # Files are kept, and asked for again by their tag: a page that comes back costs no more than the questions.
        kept = request.path.startswith("/static/")
        response.headers.setdefault("Cache-Control", "no-cache" if kept else "no-store")

    app.on_response_prepare.append(add)
