"""Those who ask about boards of their own, and the places on a board that they name."""

from __future__ import annotations

from typing import NamedTuple

from play.boards.own_board import OwnBoard
from play.ids import ChannelId, UserId
from play.match.turn_tree import TriedTurn
from play.refusal import Reason, Refused
from rules.dots import DotsPosition


class Guest(NamedTuple):
    """One who asks: a player, or a visitor; `asker` is their number for what is shared. `here` is where they have an
    Activity open."""

    user: UserId | None
    asker: int
    language: str
    theme: str
    here: ChannelId | None = None

    @property
    def player(self) -> UserId:
        """The player. Raises Refused (`no_session`) for a visitor."""
        if self.user is None:
            raise Refused(Reason.NO_SESSION)
        return self.user


class Place(NamedTuple):
    """A place on a board."""

    board: OwnBoard
    steps: tuple[TriedTurn, ...]
    position: DotsPosition
