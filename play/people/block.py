"""Players whom other players have blocked."""

from __future__ import annotations

from typing import NamedTuple

from play.ids import UserId


class Block(NamedTuple):
    """Who has blocked whom."""

    user: UserId
    blocked: UserId
