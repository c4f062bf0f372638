"""Who helps people: the computer, if there is one, with the reviews and puzzles that it makes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.features.coach.puzzles import Puzzlers
from bot.features.coach.reviews import Reviews
from play.community.puzzle import Puzzles
from play.refusal import Reason, Refused

if TYPE_CHECKING:
    from bot.client import Kropka
    from bot.features.coach.computer import Computer


class Teacher:
    """`computer` is None where the operator has none."""

    def __init__(self, client: Kropka) -> None:
        self.computer: Computer | None = None
        self.reviews = Reviews()
        self.puzzles = Puzzles(client.store)
        self.puzzlers = Puzzlers(client)

    def helper(self) -> Computer:
        """Raises Refused (`no_computer`)."""
        if self.computer is None:
            raise Refused(Reason.NO_COMPUTER)
        return self.computer
