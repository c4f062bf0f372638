"""What a message from a browser is about: who has sent it, and the match it belongs to."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import NamedTuple

from play.ids import MatchId, UserId
from play.match.match import Match
from web.bodies import Json
from web.presentation.readers import Audience


class Sender(NamedTuple):
    """A user at an open board."""

    user: UserId
    match: MatchId
    audience: Audience

    def account_in(self, match: Match) -> UserId:
        """Returns the account for which the user acts: that of the side with which they vote, or their own."""
        seat = self.audience.seat
        return match.players[seat] if self.audience.votes and seat is not None else self.user


Handler = Callable[[Sender, Json], Awaitable[Json]]
"""Answers a message. Raises Refused and RuleError."""
