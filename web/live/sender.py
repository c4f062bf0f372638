"""What a message from a browser is about: who has sent it, and the match it belongs to."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import NamedTuple

from play.ids import MatchId, UserId
from web.bodies import Json
from web.presentation.readers import Audience


class Sender(NamedTuple):
    """A user at an open board."""

    user: UserId
    match: MatchId
    audience: Audience


Handler = Callable[[Sender, Json], Awaitable[Json]]
"""Answers a message. Raises Refused and RuleError."""
