"""The heartbeat: one task that notes every few seconds that the bot is at work, however busy its other tasks are."""

from __future__ import annotations

from play.services.matches import Tables
from play.workers.loop import Rounds

INTERVAL = 4.0
"""Seconds; two heartbeats may fail before `timekeeping.AWAY` makes a downtime of the gap."""


class Heartbeat(Rounds):
    """Is woken by nobody."""

    def __init__(self, tables: Tables) -> None:
        super().__init__()
        self._tables = tables

    def pause(self) -> float:
        return INTERVAL

    async def round(self) -> None:
        await self._tables.beat()
