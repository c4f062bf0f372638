"""The Activity, which the chat's own client shows: a code that it gives is exchanged for a session, and then the board.

What it shows others in its user's chat, a picture and their status, it shows when they ask for it.
"""

from __future__ import annotations

import html
import re
import secrets
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final, NamedTuple

import orjson
import yarl
from aiohttp import hdrs, web

from play.ids import ChannelId, MatchId, UserId
from play.match.match import Match
from play.refusal import Reason, Refused
from use_cases.public_pages import PublicGames
from use_cases.web_sessions import Launch
from web.access.links import LinkSigner, entrance
from web.access.visitors import Cookie, Visitor, Visitors, network_of
from web.answers import USER
from web.boards import PARTS, Boards
from web.bodies import BODY_SECONDS, Json, read_message, read_object
from web.headers import activity_policy
from web.home import PARTS as HOME_PARTS
from web.home import Home, read_channel
from web.live.socket import LiveBoards
from web.ports import Application, Grant, Place
from web.presentation.readers import Readers

FOLDER = Path(__file__).parent / "static" / "activity"

HTML = (FOLDER / "index.html").read_text(encoding="utf-8")
"""The page, with places for its language and words, the parts of a board, and the script that loads all others."""

LOADER = (FOLDER / "loader.js").read_text(encoding="utf-8")

SAFE = re.compile(r"[\w-]{1,300}", re.ASCII)
"""A code, an instance's id, which becomes a part of an address, and a token."""

MATCH_NUMBER = re.compile(r"[0-9]{1,15}", re.ASCII)
"""A `custom_id` that names a game; links to the Activity may have others."""

OPAQUE_ORIGIN: Final = "null"
"""The origin of a sandboxed frame, whosever it is. No route here reads a cookie, so such a frame gets nothing that a
program without a browser would not get."""

_NONCE_BYTES = 16

Draw = Callable[[Match, str], Awaitable[bytes]]
"""Returns the newest board of a match as PNG, in a language."""


class Activity:
    """The routes of the Activity. The proxy of the platform has the page at `/`, which web/pages/front.py leaves to
    `show` in frames, the try-out at `/activity`."""

    def __init__(
        self,
        visitors: Visitors,
        readers: Readers,
        application: Application,
        signer: LinkSigner,
        boards: Boards,
        home: Home,
        live: LiveBoards,
        address: yarl.URL,
    ) -> None:
        """`address` is that of the site in a browser."""
        self._visitors = visitors
        self._readers = readers
        self._application = application
        self._signer = signer
        self._boards = boards
        self._home = home
        self._live = live
        self._address = address

    def add_routes(self, app: web.Application) -> None:
        app.router.add_get("/activity", self.show)
        app.router.add_get("/activity/client", self._tell_client)
        app.router.add_post("/activity/enter", self._enter)
        app.router.add_post("/activity/words", self._send_words)
        app.router.add_get("/activity/live/{match}", self._serve)
        app.router.add_post("/activity/home", self._send_home)
        app.router.add_post("/activity/home/do", self._act_at_home)

    async def show(self, request: web.Request) -> web.StreamResponse:
        """Answers with the page."""
        language = await self._readers.language(None, request.headers.get(hdrs.ACCEPT_LANGUAGE, ""))
        unreachable = html.escape(self._readers.words(language)("web.board.unreachable"))
        words, nonce = self._readers.page_words(language, "activity"), secrets.token_urlsafe(_NONCE_BYTES)
        page = HTML.format(
            language=html.escape(language),
            words=html.escape(orjson.dumps(dict(words)).decode()),
            parts=PARTS.format(unreachable=unreachable),
            home=HOME_PARTS.format(**self._home.shell(language)),
            nonce=nonce,
            loader=LOADER,
        )
        headers = {"Content-Security-Policy": activity_policy(self._address, nonce)}
        return web.Response(text=page, content_type="text/html", headers=headers)

    async def _tell_client(self, _: web.Request) -> web.Response:
        return web.json_response({"client": str(self._application.id)})

    async def _enter(self, request: web.Request) -> web.Response:
        """Exchanges a code for a session: its token, the game to show, and a link to the same board in a browser."""
        self.require_frame(request)
        entry = _read_entry(await read_object(request))
        # Before the code: who knows no room that is open closes none.
        place = await self._application.find_instance(entry.instance, network_of(request))
        with self._visitors.entering(request, entry.instance):
            user, channel = await self._ask(entry, place)
        request[USER] = user
        session = Cookie.new()
        launch = await self._visitors.sessions.launch(user, channel, session.digest, entry.wanted)
        link = await self._link(user, launch)
        match = None if launch.match is None else str(launch.match)
        told = {"match": match, "here": str(channel), "token": session.secret, "link": link}
        return web.json_response(told)

    async def _link(self, user: UserId, launch: Launch) -> str:
        sessions = self._visitors.sessions
        key, now = await sessions.link_key(user), await sessions.now()
        token = self._signer.make(user, launch.match, now, key=key, seen=launch.seen)
        return entrance(str(self._address.origin()), token)

    async def _ask(self, entry: _Entry, place: Place) -> tuple[UserId, ChannelId]:
        """Returns who has given a code, and the channel of the instance that they have open; `place` is what was last
        heard of it. Raises Refused (`not_confirmed`, `activity_ended`, `entrance_busy`), Unavailable."""
        user = (await self._application.exchange(entry.code, hash(entry.instance))).user
        if user not in place.users:
            place = await self._application.instance(entry.instance)
        if user not in place.users:
            raise Refused(Reason.ACTIVITY_ENDED)
        return user, place.channel

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

    async def _read_framed(self, request: web.Request) -> tuple[Visitor, Json]:
        """Returns who asks by the token in a body, and the body. Raises Refused."""
        self.require_frame(request)
        body = await read_object(request)
        return await self._visitors.identify_token(request, read_text(body, "token")), body

    async def _serve(self, request: web.Request) -> web.WebSocketResponse:
        self.require_frame(request)
        return await self._live.open(request, lambda socket: self._identify(request, socket))

    async def _identify(self, request: web.Request, socket: web.WebSocketResponse) -> Visitor:
        """Returns whose socket it is, by its first message `{"do":"enter","token":T}`. Raises Refused."""
        try:
            message = read_message(await socket.receive_str(timeout=BODY_SECONDS))
            token = read_text(message, "token")
        except (TimeoutError, TypeError, Refused):
            self._visitors.admit(request)
            raise Refused(Reason.NO_SESSION) from None
        return await self._visitors.identify_token(request, token)

    def require_frame(self, request: web.Request) -> None:
        """Raises Refused (`foreign_page`) unless a page of the site, of the platform's proxy or of no origin asks."""
        self._visitors.require_origin(request, (self._application.proxy, OPAQUE_ORIGIN))


class _Entry(NamedTuple):
    """The code and the instance that a client gives, and the game that the Activity's link names."""

    code: str
    instance: str
    wanted: MatchId | None


def _read_entry(body: Json) -> _Entry:
    """Returns what a body enters by. Raises Refused (`bad_message`)."""
    custom = body.get("custom")
    wanted = MatchId(int(custom)) if isinstance(custom, str) and MATCH_NUMBER.fullmatch(custom) else None
    return _Entry(read_text(body, "code"), read_text(body, "instance"), wanted)


def read_text(body: Json, name: str) -> str:
    """Returns a field that is a word. Raises Refused (`bad_message`)."""
    value = body.get(name)
    if not isinstance(value, str) or not SAFE.fullmatch(value):
        raise Refused(Reason.BAD_MESSAGE)
    return value


def read_number(text: str) -> MatchId:
    """Returns the game that a page names. Raises Refused (`no_match`)."""
    if not MATCH_NUMBER.fullmatch(text):
        raise Refused(Reason.NO_MATCH)
    return MatchId(int(text))


class Sharing:
    """The routes by which a user's client gets their access token, and a picture on the platform."""

    def __init__(
        self,
        activity: Activity,
        visitors: Visitors,
        readers: Readers,
        application: Application,
        public: PublicGames,
        draw: Draw,
    ) -> None:
        self._activity = activity
        self._visitors = visitors
        self._readers = readers
        self._application = application
        self._public = public
        self._draw = draw

    def add_routes(self, app: web.Application) -> None:
        app.router.add_post("/activity/status", self._begin_status)
        app.router.add_post("/activity/picture", self._share_picture)

    async def _begin_status(self, request: web.Request) -> web.Response:
        """Answers with the access token, and whether the status may name the players: everyone may read that."""
        grant, match, _ = await self._enter(request)
        return web.json_response({"access": grant.access, "named": await self._public.is_open(match)})

    async def _share_picture(self, request: web.Request) -> web.Response:
        """Answers with the access token, and the address of the newest board there."""
        grant, match, language = await self._enter(request)
        picture = await self._draw(match, language)
        return web.json_response({"access": grant.access, "media": await self._application.upload(grant, picture)})

    async def _enter(self, request: web.Request) -> tuple[Grant, Match, str]:
        """Returns the grant of the session's user, a match that they may see, and their language. Raises Refused."""
        self._activity.require_frame(request)
        body = await read_object(request)
        token, code, number = (read_text(body, name) for name in ("token", "code", "match"))
        visitor = await self._visitors.identify_token(request, token)
        match, seat = await self._visitors.sessions.enter(visitor.user, read_number(number))
        self._readers.limits.admit_user(visitor.user, match.guild)
        with self._visitors.entering(request, str(visitor.user)):
            grant = await self._application.exchange(code, visitor.user)
            if grant.user != visitor.user:
                raise Refused(Reason.NOT_CONFIRMED)
        return grant, match, (await self._readers.audience(visitor.user, match.guild, seat)).language
