"""What all public pages share: templates, languages, limits, what browsers may keep, colours of themes, and charts."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Callable, Hashable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import jinja2
from aiohttp import ETag, hdrs, web

from play.ids import GuildId
from play.refusal import Reason, Refused
from renderer.theme import DARK, PAPER, THEMES, Colour, Theme
from web.access.visitors import network_of
from web.boards import known_theme
from web.presentation.readers import Readers

MAX_AGE_SECONDS = 3600
"""Seconds for which browsers keep a style."""

NAMES = ("paper", "text", "quiet_text", "grid", "frame", "last")

WIDTH, HEIGHT = 600, 120
"""The size of a chart in its own units; pages show it as wide as they are."""

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


def add_routes(app: web.Application) -> None:
    app.router.add_get("/theme/{name}.css", _send)


async def _send(request: web.Request) -> web.Response:
    theme = THEMES.get(request.match_info["name"])
    if theme is None:
        raise Refused(Reason.NO_MATCH)
    headers = {hdrs.CACHE_CONTROL: f"public, max-age={MAX_AGE_SECONDS}"}
    return web.Response(text=style(theme), content_type="text/css", headers=headers)


def style(theme: Theme) -> str:
    """Returns the variables of a theme. Readers of the default one who prefer dark pages get those of the dark one."""
    own = f":root {{ {_variables(theme)} }}\n"
    return (
        own + f"@media (prefers-color-scheme: dark) {{ :root {{ {_variables(DARK)} }} }}\n" if theme is PAPER else own
    )


def _variables(theme: Theme) -> str:
    scheme = "light" if sum(theme.paper) > sum(theme.text) else "dark"
    colours = {name: getattr(theme, name) for name in NAMES}
    colours |= {f"seat{seat}": ink.colour for seat, ink in enumerate(theme.inks)}
    return "; ".join([f"color-scheme: {scheme}", *(f"--{name}: {_css(colour)}" for name, colour in colours.items())])


def _css(colour: Colour) -> str:
    return f"rgb({' '.join(map(str, colour))})"


class Chart(NamedTuple):
    """The points of each line, as SVG has them, from the left to the right, and the values at the two edges."""

    lines: tuple[str, ...]
    low: float
    high: float


def chart(values: Sequence[Sequence[float]]) -> Chart:
    """Returns the chart of lines, given the values of all at each place. Its scale has one unit or more."""
    low = min(map(min, values))
    high = max(low + 1, *map(max, values))
    across, up = WIDTH / max(1, len(values) - 1), HEIGHT / (high - low)
    lines = (
        " ".join(f"{place * across:.0f},{HEIGHT - (value - low) * up:.0f}" for place, value in enumerate(line))
        for line in zip(*values, strict=True)
    )
    return Chart(tuple(lines), low, high)


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
