"""Where a player's own pages lead: to addresses of the site, or to what the frame of a chat's client shows."""

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

import yarl

from play.ids import MatchId, UserId
from web.access.links import FIGURES, YEAR
from web.access.visitors import AS

OPENINGS = "/openings"


class Ways:
    """The addresses in a browser, for one of its sessions."""

    base = "base.html"

    def __init__(self, session: str) -> None:
        self.kept = {AS: session}
        """What a form sends beside its own values."""

    @property
    def home(self) -> str:
        return self._address("/home")

    @property
    def figures(self) -> str:
        return self._address(FIGURES)

    @property
    def sharing(self) -> str | None:
        """Where parts of the figures are shared; None where that is not offered."""
        return self._address(f"{FIGURES}/share")

    @property
    def year(self) -> str | None:
        """The page of the player's year; None where there is none."""
        return self._address(YEAR)

    def openings(self, query: Mapping[str, str]) -> str:
        """Returns the address of the explorer, asked for something."""
        return self._address(OPENINGS, query)

    def exercise(self, address: str) -> str:
        """Returns the address of an exercise, or of a choice of them."""
        return f"{self.home}#quiz={address}"

    def board(self, match: MatchId) -> str:
        return self._address(f"/board/{match}")

    def _address(self, path: str, query: Mapping[str, str] | None = None) -> str:
        return str(yarl.URL(path) % {**(query or {}), **self.kept})


class FramedWays(Ways):
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

    async def tell(self, user: UserId, query: Mapping[str, str], ways: Ways) -> Shown:
        """Returns the page as a query asks for it. Raises Refused."""
        ...
