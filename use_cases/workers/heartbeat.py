"""The heartbeat: a task of its own notes every few seconds that the bot is at work, however busy others are."""

from __future__ import annotations

from use_cases.clock_service import ClockService
from use_cases.worker import Timing, Worker

HEARTBEAT_SECONDS = 4.0
"""Two heartbeats may fail before `MAX_HEARTBEAT_GAP_MILLIS` makes a downtime of the gap."""


class Heartbeat(Worker[None]):
    """Nothing wakes it."""

    def __init__(
        self,
        clocks: ClockService,
        timing: Timing = Timing(poll_seconds=HEARTBEAT_SECONDS),  # noqa: B008 - frozen
    ) -> None:
        super().__init__(timing)
        self._clocks = clocks

    async def poll(self) -> None:
        """Records one heartbeat."""
        await self._clocks.record_heartbeat()
