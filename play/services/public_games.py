"""The use case of games that everyone may look at."""

from __future__ import annotations

from play.ids import MatchId
from play.match.match import Match
from play.people.settings import ServerSettings
from play.refusal import Reason, Refused
from play.services.match_writer import load_match
from play.store import Store


class PublicGames:
    """Finished games of servers that have switched their pages on."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def load(self, number: MatchId) -> Match:
        """Returns a game that everyone may see now. Raises Refused (`no_match`)."""
        async with self._store.read() as reader:
            match = await load_match(reader, number)
            if match.guild is None or not is_public(match, await reader.servers.get(match.guild)):
                raise Refused(Reason.NO_MATCH)
        return match


def is_public(match: Match, server: ServerSettings) -> bool:
    """Returns whether everyone may see a game of a server: it is over, and no player has deleted their data."""
    return server.pages and match.outcome is not None and all(player >= 0 for player in match.players)
