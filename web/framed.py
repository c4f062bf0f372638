"""What pages inside a chat's client ask for: they have the token of a session in memory, and no cookie."""

from __future__ import annotations

import asyncio
import html
import re
import secrets
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Final

import orjson
import yarl
from aiohttp import hdrs, web

from play.ids import ChannelId, MatchId, UserId
from play.refusal import Reason, Refused
from use_cases.web_sessions import WebSessions
from web.access.links import LinkSigner, entrance
from web.access.visitors import Visitor, Visitors
from web.boards import PARTS, Boards
from web.bodies import BODY_SECONDS, Json, read_message, read_object
from web.headers import framed_policy
from web.home import PARTS as HOME_PARTS
from web.home import Home
from web.live.socket import LiveBoards
from web.offers import read_channel
from web.own.guest import Guest
from web.own.pages import OwnBoardPages, read_large
from web.pages.page import PublicPages
from web.pages.ways import FramedWays, OwnPage
from web.presentation.readers import Readers
from web.studies.acts import BoardDeeds
from web.studies.socket import LIVE, StudySockets

FOLDER = Path(__file__).parent / "static" / "activity"

HTML = (FOLDER / "index.html").read_text(encoding="utf-8")
"""The page, with places for its language and words, the parts of a board, and the script that loads all others."""

LOADER = (FOLDER / "loader.js").read_text(encoding="utf-8")

OPAQUE_ORIGIN: Final = "null"
"""The origin of a sandboxed frame, whosever it is. No route here reads a cookie, so such a frame gets nothing that a
program without a browser would not get."""

SAFE: Final = re.compile(r"[\w-]{1,300}", re.ASCII)
"""A code, an instance's id, which becomes a part of an address, and a token."""

MATCH_NUMBER: Final = re.compile(r"[0-9]{1,15}", re.ASCII)
"""A game by its number, as an address outside the site names it; others may name something else."""


_NONCE_BYTES = 16


class FramedPage:
    """The page that a chat's client shows, and the link from there to the same board in a browser."""

    def __init__(
        self, readers: Readers, sessions: WebSessions, signer: LinkSigner, home: Home, address: yarl.URL
    ) -> None:
        """`address` is that of the site in a browser."""
        self._readers = readers
        self._sessions = sessions
        self._signer = signer
        self._home = home
        self._address = address

    async def show(self, request: web.Request, host: str, ancestors: Collection[str] | None = None) -> web.Response:
        """Answers with the page, whose script speaks with a kind of `host`: `activity` or `app`.

        Only pages of `ancestors` may frame it; None: any page, also one of opaque origin.
        """
        language = await self._readers.language(None, request.headers.get(hdrs.ACCEPT_LANGUAGE, ""))
        words, nonce = self._readers.words(language), secrets.token_urlsafe(_NONCE_BYTES)
        said = {**self._readers.page_words(language, "activity"), **self._readers.page_words(language, host)}
        page = HTML.format(
            language=html.escape(language),
            host=host,
            words=html.escape(orjson.dumps(said).decode()),
            parts=PARTS.format(unreachable=html.escape(words("web.board.unreachable"))),
            home=HOME_PARTS.format(**self._home.shell(language)),
            nonce=nonce,
            loader=LOADER,
        )
        headers = {"Content-Security-Policy": framed_policy(self._address, nonce, ancestors)}
        return web.Response(text=page, content_type="text/html", headers=headers)

    async def link(self, user: UserId, match: MatchId | None, seen: ChannelId | None = None) -> str:
        """Returns a link to a board, or (None) to the home page."""
        key, now = await self._sessions.link_key(user), await self._sessions.now()
        return entrance(str(self._address.origin()), self._signer.make(user, match, now, key=key, seen=seen))


class Framed:
    """The routes by which a board and the home page work in a chat's client. Pages of `origins`, as they are then, may
    ask beside those of the site."""

    def __init__(
        self,
        visitors: Visitors,
        boards: Boards,
        home: Home,
        own_boards: OwnBoardPages,
        studies: BoardDeeds,
        study_sockets: StudySockets,
        live: LiveBoards,
        pages: PublicPages,
        own_pages: Mapping[str, OwnPage],
        origins: Callable[[], Collection[str]],
    ) -> None:
        """`own_pages` are those that a player alone sees, by their names."""
        self._visitors = visitors
        self._boards = boards
        self._home = home
        self._own_boards = own_boards
        self._studies = studies
        self._study_sockets = study_sockets
        self._live = live
        self._pages = pages
        self._own_pages = own_pages
        self._origins = origins

    def add_routes(self, app: web.Application) -> None:
        app.router.add_post("/activity/words", self._send_words)
        app.router.add_get("/activity/live/{match}", self._serve)
        app.router.add_post("/activity/home", self._send_home)
        app.router.add_post("/activity/home/do", self._act_at_home)
        app.router.add_post("/activity/analysis", self._act_on_own_board)
        app.router.add_post("/activity/study", self._act_on_study)
        app.router.add_get(f"/activity{LIVE}", self._serve_study)
        app.router.add_post("/activity/page", self._send_page)

    def require_frame(self, request: web.Request) -> None:
        """Raises Refused (`foreign_page`) unless a page of the site or of the `origins` asks."""
        self._visitors.require_origin(request, self._origins())

    async def _send_words(self, request: web.Request) -> web.Response:
        self.require_frame(request)
        body = await read_object(request)
        token, page, match = (read_text(body, name) for name in ("token", "for", "match"))
        return await self._boards.send_framed_words(request, token, page, read_number(match))

    async def _send_home(self, request: web.Request) -> web.Response:
        visitor, _ = await self._read_framed(request)
        return await self._home.send(visitor)

    async def _act_at_home(self, request: web.Request) -> web.Response:
        visitor, body = await self._read_framed(request)
        return await self._home.act(visitor, read_channel(body, "here"), body)

    async def _act_on_own_board(self, request: web.Request) -> web.Response:
        return web.json_response(await self._own_boards.act(*await self._read_guest(request)))

    async def _act_on_study(self, request: web.Request) -> web.Response:
        return web.json_response(await self._studies.act(*await self._read_guest(request)))

    async def _read_guest(self, request: web.Request) -> tuple[Guest, Json]:
        """Returns who asks about a board, by the token in a body that may be long, and the body. Raises Refused."""
        self.require_frame(request)
        body = await read_large(request)
        visitor = await self._visitors.identify_token(request, read_text(body, "token"))
        return await self._own_boards.welcome(visitor.user, read_channel(body, "here")), body

    async def _send_page(self, request: web.Request) -> web.Response:
        visitor, body = await self._read_framed(request)
        page = self._own_pages.get(read_text(body, "page"))
        if page is None:
            raise Refused(Reason.NO_PAGE)
        shown = await page.tell(visitor.user, read_query(body), FramedWays())
        written = await asyncio.to_thread(
            self._pages.write, request.path, shown.template, shown.language, shown.theme, **shown.parts
        )
        return web.json_response({"language": shown.language, "theme": shown.theme, "main": written.body.decode()})

    async def _read_framed(self, request: web.Request) -> tuple[Visitor, Json]:
        """Returns who asks by the token in a body, and the body. Raises Refused."""
        self.require_frame(request)
        body = await read_object(request)
        return await self._visitors.identify_token(request, read_text(body, "token")), body

    async def _serve(self, request: web.Request) -> web.WebSocketResponse:
        self.require_frame(request)
        return await self._live.open(request, lambda socket: self._identify(request, socket))

    async def _serve_study(self, request: web.Request) -> web.WebSocketResponse:
        self.require_frame(request)
        return await self._study_sockets.open(request, lambda socket: self._identify(request, socket))

    async def _identify(self, request: web.Request, socket: web.WebSocketResponse) -> Visitor:
        """Returns whose socket it is, by its first message `{"do":"enter","token":T}`. Raises Refused."""
        try:
            message = read_message(await socket.receive_str(timeout=BODY_SECONDS))
            token = read_text(message, "token")
        except (TimeoutError, TypeError, Refused):
            self._visitors.admit(request)
            raise Refused(Reason.NO_SESSION) from None
        return await self._visitors.identify_token(request, token)


def read_text(body: Json, name: str) -> str:
    """Returns a field that is a word. Raises Refused (`bad_message`)."""
    value = body.get(name)
    if not isinstance(value, str) or not SAFE.fullmatch(value):
        raise Refused(Reason.BAD_MESSAGE)
    return value


def read_query(body: Json) -> Mapping[str, str]:
    """Returns what a page in the frame is asked for. Raises Refused (`bad_message`)."""
    query = body.get("query")
    if not isinstance(query, dict) or not all(isinstance(each, str) for each in query.values()):
        raise Refused(Reason.BAD_MESSAGE)
    return query


def read_number(text: str) -> MatchId:
    """Returns the game that a page names. Raises Refused (`no_match`)."""
    if not MATCH_NUMBER.fullmatch(text):
        raise Refused(Reason.NO_MATCH)
    return MatchId(int(text))


def read_wanted(value: object) -> MatchId | None:
    """Returns the game that something from outside names; None where it names none."""
    return MatchId(int(value)) if isinstance(value, str) and MATCH_NUMBER.fullmatch(value) else None
