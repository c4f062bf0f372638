"""What all public pages share: templates, languages, limits, and what browsers may keep."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Callable, Hashable
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import jinja2
from aiohttp import ETag, hdrs, web

from play.ids import GuildId
from web.access.networks import network_of
from web.boards import known_theme
from web.presentation.readers import Readers

TEXTS = ("text/html", "application/json", "text/css", "application/x-go-sgf")
"""Kinds of answers that are worth compressing."""

LEVEL = 6
"""The level of compression: zlib's own default."""

_templates = jinja2.Environment(
    loader=jinja2.FileSystemLoader(Path(__file__).parent / "templates"),
    autoescape=True,
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


class Content(NamedTuple):
    """An answer as it is sent again and again: its bytes, the same ones `packed` where that is worth it, and the `tag`
    by which a browser knows them."""

    body: bytes
    kind: str
    tag: str
    packed: bytes | None

    @classmethod
    def of(cls, body: bytes, kind: str) -> Content:
        """Returns the content of so many bytes. Takes 20 ms for a million."""
        packed = gzip.compress(body, LEVEL, mtime=0) if kind in TEXTS else None
        return cls(body, kind, sha256(body).hexdigest()[:32], packed)

    @property
    def size(self) -> int:
        """The bytes that it takes in memory."""
        return len(self.body) + len(self.packed or b"")


class PublicPages:
    """Makes the answers of pages that everyone may read, at the address `site`."""

    def __init__(self, readers: Readers, site: str) -> None:
        self.readers = readers
        self.site = site.rstrip("/")
        self._kept: dict[Hashable, Content] = {}

    def admit(self, request: web.Request) -> None:
        """Counts a request, first of all. Raises Refused (`closing`, `too_fast`)."""
        self.readers.limits.admit_visit(network_of(request))

    async def language(self, request: web.Request, guild: GuildId | None) -> str:
        """Returns the language of the browser; the server's for one that names none, as those that make previews."""
        return await self.readers.language(None, request.headers.get(hdrs.ACCEPT_LANGUAGE, ""), guild)

    async def keep(self, name: Hashable, write: Callable[[], Content]) -> Content:
        """Returns what has a `name`, of few, since it is the same for all who read it: it is written once."""
        found = self._kept.get(name)
        if found is None:
            found = self._kept[name] = await asyncio.to_thread(write)
        return found

    async def show(self, request: web.Request, template: str, language: str, theme: str, **parts: Any) -> web.Response:
        """Answers with a page. A template extends base.html, which says what `parts` it needs besides its own."""
        return answer(request, await asyncio.to_thread(self.write, request.path, template, language, theme, **parts))

    def write(self, path: str, template: str, language: str, theme: str, **parts: Any) -> Content:
        """Returns the page that has the address `path`. Takes 1 to 50 ms."""
        page = _templates.get_template(template).render(
            language=language,
            theme=known_theme(theme),
            words=self.readers.words(language),
            site=self.site,
            path=path,
            **parts,
        )
        return Content.of(page.encode(), "text/html")


def answer(request: web.Request, content: Content, *, is_listed: bool = False) -> web.Response:
    """Returns an answer that browsers may keep, but have to ask about each time: the page may be gone. Robots may list
    one that `is_listed`."""
    headers = {
        hdrs.CACHE_CONTROL: "private, no-cache",
        hdrs.VARY: f"{hdrs.ACCEPT_LANGUAGE}, {hdrs.ACCEPT_ENCODING}",
        **({} if is_listed else {"X-Robots-Tag": "noindex"}),
    }
    if any(each.value == content.tag for each in request.if_none_match or ()):
        response = web.Response(status=304, headers=headers)
    else:
        charset, body = "utf-8" if content.kind == "text/html" else None, content.body
        if content.packed is not None and "gzip" in request.headers.get(hdrs.ACCEPT_ENCODING, ""):
            headers[hdrs.CONTENT_ENCODING], body = "gzip", content.packed
        response = web.Response(body=body, content_type=content.kind, charset=charset, headers=headers)
    response.etag = ETag(content.tag, is_weak=True)
    return response
