"""The page of a game that a player offers a friend by a code: who asks, on which terms, and the way to accept."""

from __future__ import annotations

import yarl
from aiohttp import hdrs, web

from play.codes import read_code, show_code
from play.community.seek import Seek
from play.ids import UserId
from play.refusal import Reason
from presentation.people import Names
from presentation.strangers import terms_details
from presentation.words.words import Words
from use_cases.friends import Friends
from web.access.links import FRIEND, SIGN_IN
from web.access.visitors import AS, Cookie, Visitors
from web.answers import CODE
from web.pages.page import PublicPages


class FriendPage:
    """The route of the page. Who has the code reads it; the player has the name that they have chosen for strangers."""

    def __init__(
        self, pages: PublicPages, visitors: Visitors, friends: Friends, names: Names, *, signs_in: bool
    ) -> None:
        self._pages = pages
        self._visitors = visitors
        self._friends = friends
        self._names = names
        self._signs_in = signs_in

    def add_routes(self, app: web.Application) -> None:
        app.router.add_get(f"{FRIEND}/{{code}}", self._show)

    async def _show(self, request: web.Request) -> web.Response:
        self._pages.admit(request)
        room = await self._visitors.room_of(request, FRIEND)
        with self._visitors.entering(request, room, Reason.FRIEND_BUSY):
            offered = await self._friends.show(request.match_info["code"])
        letters = request[CODE] = read_code(request.match_info["code"]) or ""
        name, cookie = await self._names.of(offered.user, None), await self._visitors.find_current(request)
        user = None if cookie is None else await self._visitors.sessions.identify(cookie.digest)
        readers = self._pages.readers
        language = await readers.language(user, request.headers.get(hdrs.ACCEPT_LANGUAGE, ""))
        told = _offer(offered, name, letters, readers.words(language))
        who = "" if user is None else await readers.introduce(user, language)
        return await self._pages.show(
            request, "friend.html", language, "", **told, **self._way(letters, cookie, user), who=who
        )

    def _way(self, letters: str, cookie: Cookie | None, user: UserId | None) -> dict[str, str]:
        """Returns where an acceptance is sent to, and where one signs in first: one of the two, if any."""
        deed = "" if cookie is None else str(yarl.URL("/home/do") % {AS: cookie.id})
        sign_in = str(yarl.URL(SIGN_IN) % {"friend": letters}) if user is None and self._signs_in else ""
        return {"deed": deed, "sign_in": sign_in}


def _offer(offered: Seek, name: str, letters: str, words: Words) -> dict[str, object]:
    """Returns what the page says of an offer."""
    assert offered.ends is not None, "only those for a game a week have no end"
    terms = words("web.friend.terms", **terms_details(offered, words))
    return {
        "title": words("web.friend.title", name=words.literal(name)),
        "description": terms,
        "picture": None,
        "until": words("web.friend.until", when=words.moment(offered.ends)),
        "elsewhere": words("web.friend.chat", code=show_code(letters)),
        "letters": letters,
    }
