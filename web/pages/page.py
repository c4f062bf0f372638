"""What all public pages share: templates, languages, limits, and what browsers may keep."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

import jinja2
from aiohttp import ETag, hdrs, web

from play.ids import GuildId
from web.access.networks import network_of
from web.boards import known_theme
from web.ports import Readers

TEXTS = ("text/html", "application/json", "text/css", "application/x-go-sgf")
"""Kinds of answers that are worth compressing."""

_templates = jinja2.Environment(
    loader=jinja2.FileSystemLoader(Path(__file__).parent / "templates"),
    autoescape=True,
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


class PublicPages:
    """Makes the answers of pages that everyone may read, at the address `site`."""

    def __init__(self, readers: Readers, site: str) -> None:
        self.readers = readers
        self.site = site.rstrip("/")

    def admit(self, request: web.Request) -> None:
        """Counts a request, first of all. Raises Refused (`closing`, `too_fast`)."""
        self.readers.admit_visit(network_of(request))

    async def language(self, request: web.Request, guild: GuildId | None) -> str:
        """Returns the language of the browser; the server's for one that names none, as those that make previews."""
        return await self.readers.language(None, request.headers.get(hdrs.ACCEPT_LANGUAGE, ""), guild)

    def show(self, request: web.Request, template: str, language: str, theme: str, **parts: Any) -> web.Response:
        """Answers with a page. A template extends base.html, which says what `parts` it needs besides its own."""
        return answer(request, self.write(request.path, template, language, theme, **parts), "text/html")

    def write(self, path: str, template: str, language: str, theme: str, **parts: Any) -> bytes:
        """Returns the page that has the address `path`."""
        page = _templates.get_template(template).render(
            language=language,
            theme=known_theme(theme),
            words=self.readers.words(language),
            site=self.site,
            path=path,
            **parts,
        )
        return page.encode()


def answer(request: web.Request, body: bytes, kind: str) -> web.Response:
    """Returns an answer that browsers may keep, but have to ask about each time: the page may be gone."""
    tag = sha256(body).hexdigest()[:32]
    headers = {
        hdrs.CACHE_CONTROL: "private, no-cache",
        hdrs.VARY: f"{hdrs.ACCEPT_LANGUAGE}, {hdrs.ACCEPT_ENCODING}",
        "X-Robots-Tag": "noindex",
    }
    if any(each.value == tag for each in request.if_none_match or ()):
        response = web.Response(status=304, headers=headers)
    else:
        charset = "utf-8" if kind == "text/html" else None
        response = web.Response(body=body, content_type=kind, charset=charset, headers=headers)
        if kind in TEXTS:
            response.enable_compression()
    response.etag = ETag(tag, is_weak=True)
    return response
