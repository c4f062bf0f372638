"""What the web needs of the rest of the program. bot/ implements it, since it knows names, words and limits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

from play.ids import GuildId, UserId
from play.match.match import Match
from play.refusal import Refused
from rules.point import Seat

Json = dict[str, Any]


class Words(Protocol):
    """The sentences of one language, by their keys."""

    def __call__(self, key: str, /, **details: str | int) -> str: ...


class Audience(NamedTuple):
    """Readers to whom one version of a match is the same text: their language and theme, and the seat of a player."""

    language: str
    theme: str
    seat: Seat | None


class Readers(Protocol):
    """The people who read pages."""

    async def audience(self, user: UserId, match: Match) -> Audience:
        """Returns the audience that a user is part of."""

    async def words(self, user: UserId | None, accepted: str) -> Words:
        """Returns the words for a user, or for a browser that accepts these languages."""

    async def theme(self, user: UserId) -> str:
        """Returns the name of the user's theme."""

    def page_words(self, language: str, page: str) -> Mapping[str, str]:
        """Returns the sentences that the scripts of a page need, by their keys without `web.PAGE.`."""

    async def explain(self, refused: Refused, user: UserId, match: Match | None) -> str:
        """Returns why something is refused, as a sentence in the user's language."""

    def admit(self, user: UserId, guild: GuildId | None) -> None:
        """Counts a request of a user. Raises Refused (`closing`, `too_fast`, `server_too_fast`)."""


class Narrator(Protocol):
    """A match in words."""

    async def view(self, match: Match, audience: Audience) -> Json:
        """Returns the VIEW of docs/web-protocol.md."""
