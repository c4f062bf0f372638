"""Messages that only ask: the board in words, and whether the server is there."""

from __future__ import annotations

from use_cases.matches import Matches
from web.bodies import Json
from web.live import fields
from web.live.sender import Sender
from web.presentation.narrator import Narrator
from web.presentation.readers import Readers

MAX_WHAT = 32
"""Characters of what is to be described."""


class Looks:
    """Answers `describe` and `ping`."""

    def __init__(self, matches: Matches, narrator: Narrator, readers: Readers) -> None:
        self._matches = matches
        self._narrator = narrator
        self._readers = readers

    async def describe(self, sender: Sender, message: Json) -> Json:
        """Answers `describe` with a part of the board in words."""
        number, what = fields.number(message, "id"), fields.typed(message, "what", MAX_WHAT)
        self._readers.limits.admit_look(sender.user)
        match = await self._matches.load(sender.match)
        return {"is": "text", "id": number, "line": await self._narrator.describe(match, sender.audience, what)}

    async def ping(self, _: Sender, __: Json) -> Json:
        """Answers `ping`."""
        return {"is": "pong"}
