"""A match in which Ola missed a capture, and an engine that knows it."""

from __future__ import annotations

from collections.abc import Sequence

from loopback import Channel, Interaction, Message
from opponent.choice import HARDEST, Budget, Candidate, Choice
from play.ids import IdempotencyKey, MatchId, UserId
from rules.game import AnyPosition
from tests.bot.room import Room
from tests.opponent.quick import Inside

MOVES = ("E5", "E4", "F5", "F4", "D4", "A7", "G4", "A6", "E3", "A5", "A1", "A4")
"""Instead of `A1` red could capture two dots with F3."""


class MissedCaptureEngine(Inside):
    """Plays MOVES, and knows the missed one: F3 wins two points, any other move none."""

    async def choose(
        self, position: AnyPosition, budget: Budget | None, seed: int, level: int = HARDEST, asker: int | None = None
    ) -> Choice:
        self.thoughts += 1
        if position.score[0]:
            return Choice("A4", -3.0, 0.1)
        turn = MOVES[min(len(position.picture().stones), len(MOVES) - 1)]
        if turn != "A1":
            return Choice(turn, 0.0, 0.5)
        return Choice("F3", 3.0, 0.9, ("F3", "B7"), (Candidate("F3", 9, 0.9, 3.0), Candidate("B2", 1, 0.5, 0.0)))


async def play_moves(room: Room, moves: Sequence[str]) -> Channel:
    """Plays a match of Ola and Максим as far as these moves; returns its thread when their boards are posted."""
    thread = await room.start_match(size="7x7")
    matches, players = room.use_cases.matches, (room.ola, room.maksim)
    for number, move in enumerate(moves):
        player = UserId(players[number % 2].id)
        await matches.move(MatchId(1), player, move, room.clock(), IdempotencyKey(number + 1))
    await room.wait_for_outbox()
    return thread


async def finish_match(room: Room) -> Channel:
    """Plays the match in which Ola misses the capture and then resigns; returns its thread."""
    thread = await play_moves(room, MOVES)
    await room.use_cases.matches.resign(MatchId(1), UserId(room.ola.id), room.clock(), IdempotencyKey(99))
    return thread


async def picture_answer(interaction: Interaction) -> Message:
    """Returns the private answer with a picture, once it is there."""
    await interaction.answered()
    messages: list[Message] = await interaction.until(
        lambda: [message for message in interaction.messages if message.ephemeral and message.attachments]
    )
    return messages[-1]


def pad(shown: Message, dot: str) -> str:
    """Returns the custom id of the pad on a crossing."""
    ids = (str(each.get("custom_id")) for each in shown.controls)
    return next(each for each in ids if f":go:{dot}@" in each)
