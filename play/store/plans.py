"""Conditional moves that players have planned."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from play.ids import MatchId
from play.match.conditional_moves import ConditionalLine
from rules.point import Seat


class PlanReader(Protocol):
    """Plans, as reads see them."""

    async def get(self, match: MatchId, seat: Seat) -> ConditionalLine | None:
        """Returns the plan of a player."""


class PlanRepository(PlanReader, Protocol):
    """Plans, as a transaction writes them."""

    async def save(self, plan: ConditionalLine) -> None:
        """Stores a player's plan in place of the one before."""

    async def delete(self, match: MatchId, seat: Seat) -> None:
        """Deletes a player's plan, if there is one."""

    async def take_all(self, match: MatchId) -> list[ConditionalLine]:
        """Deletes the plans of a match, and returns them."""

    async def take_of(self, matches: Collection[MatchId]) -> list[ConditionalLine]:
        """Deletes the plans of several matches, and returns them."""
