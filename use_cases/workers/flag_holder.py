"""Keeps flags from falling while the bot turns their players away."""

from __future__ import annotations

from use_cases.lost_time import LostTime
from use_cases.worker import Timing, Worker

BATCH_SECONDS = 1.0
"""From the first who is turned away to the note of all: less than the grace before a flag falls."""


class FlagHolder(Worker[None]):
    """Writes down who was turned away, for all processes."""

    def __init__(self, lost_time: LostTime, timing: Timing) -> None:
        super().__init__(timing)
        self._lost_time = lost_time
        lost_time.flags_held.subscribe(self._hold_soon)

    async def poll(self) -> None:
        """Holds the flags of those who were turned away since the last poll."""
        await self._lost_time.hold_flags()

    def _hold_soon(self) -> None:
        self._poll_by(self._timing.clock() + BATCH_SECONDS)
