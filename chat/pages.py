"""What is to be had on pages of the site: the board of a game, and the player's home with all that chats leave out."""

from __future__ import annotations

from dataclasses import dataclass

from chat.messages import Button
from chat.request import Request
from play.match.match import Match
from play.refusal import Reason, Refused


@dataclass(frozen=True, slots=True)
class _Page:
    """A page with its `url` for this person alone, and what a button says that opens it."""

    url: str
    label: str
    app: int

    @property
    def rows(self) -> list[list[Button]]:
        return [[Button(self.label, url=self.url, app=self.app)]]


async def _page(request: Request, match: Match | None, label: str) -> _Page:
    """Returns the page of a match, or (None) the home. Raises Refused (`no_site`)."""
    links, sessions = request.services.links, request.services.sessions
    if links is None:
        raise Refused(Reason.NO_SITE)
    key, now = await sessions.link_key(request.user), await sessions.now()
    watches = match is not None and request.user not in match.players
    seen = match.channel if match is not None and watches else None
    url = links.make(request.user, match.id if match else None, now, key=key, seen=seen)
    return _Page(url, label, match.id if match else 0)


async def show_web_board(request: Request, match: Match) -> None:
    """Leads the person to the match on the web: players play there. Raises Refused."""
    words, plays = await request.words(), request.user in match.players
    if request.services.platform.shows_pages:
        page = await _page(request, match, words.plain("chat.app.open"))
        await request.answer(words("chat.app.here"), page.rows, private=True)
        return
    page = await _page(request, match, words.plain("button.web.open" if plays else "button.web.watch"))
    await request.answer(words("web.link.play" if plays else "web.link.watch"), page.rows, private=True)


async def point_to_plans(request: Request, match: Match) -> None:
    """Says where moves are planned ahead. Raises Refused."""
    words = await request.words()
    page = await _page(request, match, words.plain("chat.app.open"))
    await request.answer(words("chat.plans"), page.rows, private=True)


async def point_to_lessons(request: Request) -> None:
    """Says where lessons, puzzles and past mistakes are. Raises Refused."""
    words = await request.words()
    page = await _page(request, None, words.plain("button.web.home"))
    assert request.services.links is not None, "there is a page"
    await request.answer(words("chat.learn", url=request.services.links.guides), page.rows, private=True)


async def point_to_history(request: Request) -> None:
    """Says where finished games are. Raises Refused."""
    words = await request.words()
    page = await _page(request, None, words.plain("button.web.home"))
    await request.answer(words("chat.history"), page.rows, private=True)
