"""Rulings about games of two servers that one of them has proposed, of each game the newest."""

from __future__ import annotations

from typing import Protocol

from play.ids import MatchId
from play.match.ruling import ProposedRuling


class RulingReader(Protocol):
    """Proposals, as reads see them."""

    async def of_match(self, match: MatchId) -> ProposedRuling | None:
        """Returns the newest proposal about a match."""


class RulingRepository(RulingReader, Protocol):
    """Proposals, as a transaction writes them."""

    async def put(self, proposed: ProposedRuling) -> None:
        """Stores a proposal, in place of an earlier one about the same match."""

    async def remove(self, match: MatchId) -> None:
        """Removes the proposal about a match, if there is one."""
