"""A finished game of Ola's, as pages of boards open it."""

from __future__ import annotations

from typing import Any

from play.ids import IdempotencyKey, MatchId, UserId
from tests.bot.room import Room


async def end_game(room: Room) -> Any:
    """Ends a game of Ola's of two moves; returns its thread."""
    thread = await room.start_match(size="9x9", start="empty")
    await room.play(thread, "E5", "E4")
    await room.use_cases.matches.resign(MatchId(1), UserId(room.maksim.id), room.clock(), IdempotencyKey(5))
    await room.wait_for_outbox()
    return thread
