"""A cache of replayed matches: loading one costs only the events since.

A history only grows, so an entry never goes stale. Two things are not history and may change: where a match is played,
and, until its first board is posted, when its first turn begins.
"""

from cachetools import LRUCache

from play.ids import MatchId
from play.match.match import Match

MAX_MATCHES = 256
"""A long match of 39x32 takes about 100 kB."""


class MatchCache:
    """The most recently used matches, by id."""

    def __init__(self) -> None:
        self._matches = LRUCache[MatchId, Match](MAX_MATCHES)

    def up_to(self, match: MatchId, version: int) -> Match | None:
        """Returns the match at `version` or before, if it is known."""
        known = self._matches.get(match)
        return known if known and known.version <= version else None

    def keep(self, match: Match) -> None:
        """Keeps a committed version; no other may come here."""
        known = self._matches.get(match.id)
        if known is None or known.version < match.version or known.started < match.started:
            self._matches[match.id] = match
