"""What all public pages share: templates, languages, limits, what browsers may keep, colours of themes, and charts.

Their parts are made in one lane: a few at once and with rests, however many strangers ask.
"""

from __future__ import annotations

import asyncio
import gzip
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Hashable, Sequence
from contextlib import asynccontextmanager
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

AT_ONCE = 2
"""Parts that are made at once: each takes up to 5 ms of the event loop at a time, and players' boards wait for that."""

REST, MAX_REST_SECONDS = 4.0, 1.0
"""A place in the lane rests so many times as long as it took to make a part, and at most so long. Then strangers take
two fifths of the event loop at worst. A reader who comes alone waits for no rest."""

MAX_OF_NETWORK, MAX_WAITING = 16, 64
"""Parts that wait for one network, and for all."""

MAX_AGE_SECONDS = 3600
"""Seconds for which browsers keep a style."""

NAMES = ("paper", "text", "quiet_text", "grid", "margin_grid", "frame", "last")
"""Colours of a theme that the sheets of pages name."""

WIDTH, HEIGHT = 600, 120
"""The size of a chart in its own units; pages show it as wide as they are."""

TEXTS = frozenset(
    {"text/html", "application/json", "text/css", "text/javascript", "image/svg+xml", "application/x-go-sgf"}
)
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


class Lane:
    """Networks take turns, so that one that asks for a hundred pages delays no other; and where there is no room for
    more, those that wait for the most parts give way."""

    def __init__(
        self,
        at_once: int = AT_ONCE,
        most_of_network: int = MAX_OF_NETWORK,
        most_waiting: int = MAX_WAITING,
        rest: float = REST,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`clock` has seconds."""
        self._free = at_once
        self._rest = rest
        self._clock = clock
        self._most_of_network = most_of_network
        self._most_waiting = most_waiting
        self._waiting: dict[int, deque[asyncio.Future[None]]] = {}
        """The network at the front is the next one."""

    @asynccontextmanager
    async def turn(self, network: int) -> AsyncIterator[None]:
        """Waits for the turn of a network, which lasts for the block. Raises Refused (`too_fast`, `lane_busy`)."""
        await self._wait(network)
        began = self._clock()
        try:
            yield
        finally:
            rest = min(MAX_REST_SECONDS, self._rest * (self._clock() - began))
            asyncio.get_running_loop().call_later(rest, self._pass_on)

    async def _wait(self, network: int) -> None:
        if self._free:
            self._free -= 1
            return
        if len(self._waiting.get(network, ())) >= self._most_of_network:
            raise Refused(Reason.TOO_FAST, count=1)
        if sum(map(len, self._waiting.values())) >= self._most_waiting:
            self._make_room(network)
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(network, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # its turn had come
                self._pass_on()
            raise

    def _make_room(self, network: int) -> None:
        """Refuses the newest part of the network that waits for the most. Raises Refused (`lane_busy`) if that would be
        the one which asks for more."""
        longest = max(self._waiting.values(), key=len)
        if len(longest) <= len(self._waiting.get(network, ())) + 1:
            raise Refused(Reason.LANE_BUSY)
        turn = longest.pop()
        if not turn.done():
            turn.set_exception(Refused(Reason.LANE_BUSY))

    def _pass_on(self) -> None:
        """Gives a turn to the next network; one that goes on waiting goes to the end."""
        while self._waiting:
            network = next(iter(self._waiting))
            line = self._waiting.pop(network)
            turn = line.popleft()
            if line:
                self._waiting[network] = line
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1


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

    def preview(self, path: str, language: str, title: str, description: str, picture: str) -> str:
        """Returns what a chat shows of the link to a page that is no template."""
        told = {"title": title, "description": description, "path": path, "picture": picture}
        template = _templates.get_template("preview.html")
        return template.render(words=self.readers.words(language), site=self.site, **told)

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
    return send(request, content, headers)


def send(request: web.Request, content: Content, headers: dict[str, str]) -> web.Response:
    """Returns an answer with these headers, compressed for browsers that take it so; without its bytes for one that has
    them."""
    if any(each.value == content.tag for each in request.if_none_match or ()):
        response = web.Response(status=304, headers=headers)
    else:
        charset, body = "utf-8" if content.kind == "text/html" else None, content.body
        if content.packed is not None and "gzip" in request.headers.get(hdrs.ACCEPT_ENCODING, ""):
            headers[hdrs.CONTENT_ENCODING], body = "gzip", content.packed
        response = web.Response(body=body, content_type=content.kind, charset=charset, headers=headers)
    response.etag = ETag(content.tag, is_weak=True)
    return response
