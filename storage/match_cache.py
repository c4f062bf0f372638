"""Matches as they were last replayed, so that loading one costs what was added since.

A replay never goes stale: a history only grows. Where a match is played is not history and may change.
"""

from __future__ import annotations

from collections import OrderedDict

from play.ids import MatchId
from play.match.match import Match

MOST = 256
"""Matches; a long one of 39x32 takes about 100 kB."""


class Replays:
    """The most recently used ones."""

    def __init__(self) -> None:
        self._kept: OrderedDict[MatchId, Match] = OrderedDict()

    def up_to(self, match: MatchId, version: int) -> Match | None:
        """The match at `version` or before, if it is known."""
        known = self._kept.get(match)
        return known if known and known.version <= version else None

    def keep(self, match: Match) -> None:
        """Remembers what is committed, and nothing else."""
        known = self._kept.get(match.id)
        if known is None or known.version < match.version:
            self._kept[match.id] = match
        self._kept.move_to_end(match.id)
        if len(self._kept) > MOST:
            self._kept.popitem(last=False)
