"""Where a player's own pages lead: to addresses of the site, or to what the frame of a chat's client shows."""

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

import yarl
from aiohttp import web

from play.ids import MatchId, UserId
from web.access.links import FIGURES, YEAR
from web.access.visitors import AS, Visitors
from web.pages.page import PublicPages

OPENINGS = "/openings"


class PageWays:
    """The addresses in a browser, for one of its sessions."""

    base = "base.html"

    def __init__(self, session: str) -> None:
        self.kept = {AS: session}
        """What a form sends beside its own values."""

    @property
    def home(self) -> str:
        return self.address("/home")

    @property
    def figures(self) -> str:
        return self.address(FIGURES)

    @property
    def sharing(self) -> str | None:
        """Where parts of the figures are shared; None where that is not offered."""
        return self.address(f"{FIGURES}/share")

    @property
    def year(self) -> str | None:
        """The page of the player's year; None where there is none."""
        return self.address(YEAR)

    def openings(self, query: Mapping[str, str]) -> str:
        """Returns the address of the explorer, asked for something."""
        return self.address(OPENINGS, query)

    def exercise(self, address: str) -> str:
        """Returns the address of an exercise, or of a choice of them."""
        return f"{self.home}#quiz={address}"

    def board(self, match: MatchId) -> str:
        return self.address(f"/board/{match}")

    def address(self, path: str, query: Mapping[str, str] | None = None) -> str:
        """Returns an address of the site, asked for something."""
        return str(yarl.URL(path) % {**(query or {}), **self.kept})


class FramedWays(PageWays):
    """The addresses in a frame, which are parts of one page."""

    base = "framed.html"

    def __init__(self) -> None:
        self.kept = {"page": "openings"}

    @property
    def home(self) -> str:
        return "#home"

    @property
    def figures(self) -> str:
        return "#page=figures"

    @property
    def sharing(self) -> str | None:
        return None

    @property
    def year(self) -> str | None:
        return None

    def openings(self, query: Mapping[str, str]) -> str:
        return f"#{yarl.URL.build(query={'page': 'openings', **query}).query_string}"

    def exercise(self, address: str) -> str:
        return f"#quiz={address}"

    def board(self, match: MatchId) -> str:
        return f"#board={match}"


class Shown(NamedTuple):
    """A page of a player's own, before it is written: its template, language and theme, and the parts of it."""

    template: str
    language: str
    theme: str
    parts: Mapping[str, Any]


class OwnPage(Protocol):
    """A page that a player alone sees, in a browser and in a frame."""

    async def tell(self, user: UserId, query: Mapping[str, str], ways: PageWays) -> Shown:
        """Returns the page as a query asks for it. Raises Refused."""
        ...


async def show_own(
    page: OwnPage, path: str, request: web.Request, pages: PublicPages, visitors: Visitors
) -> web.Response:
    """Answers with a page of a player's own in a browser; leads one without a session to it. Raises Refused."""
    visitor = await visitors.identify_or_lead(request, path)
    if isinstance(visitor, web.Response):
        return visitor
    shown = await page.tell(visitor.user, request.query, PageWays(visitor.cookie.id))
    return await pages.show(request, shown.template, shown.language, shown.theme, **shown.parts)
