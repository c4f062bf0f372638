"""The cost of a game against the computer for its channel and its player: `python -m benchmarks.replies 1 4 8`.

For each level it plays so many moves by `/move` over the stand-in, with real workers and the production's waits. It
prints the messages in the thread, the requests that count against the limit of the bot, the private lines, and the
milliseconds from the command to the board with the reply: half of them, and the worst.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from statistics import median

from bot.client import use_stand_in
from bot.interactions.deferral import ANSWER_SECONDS
from loopback import Discord, Interaction, Message
from opponent.pool import Pool
from play.ids import MatchId
from tests.bot.room import Room

MOVES = 30
"""Moves of the player in a game: with the replies 60."""

SIZE = "20x20"


def _now() -> int:
    return time.time_ns() // 1_000_000


class _Clock:
    """The machine's own time, as `Room` wants it."""

    def __call__(self) -> int:
        return _now()


async def measure(level: int) -> str:
    """Returns the line of a level."""
    with tempfile.TemporaryDirectory() as folder:
        async with Discord() as discord:
            use_stand_in(discord.address)
            room = Room(discord, f"sqlite+aiosqlite:///{folder}/kropka.db", _Clock())  # type: ignore[arg-type]
            room.thinkers, room.answer_seconds = lambda: Pool(1), ANSWER_SECONDS
            await room.start()
            await room.client.tree.sync()
            card = await room.challenge(computer=level, size=SIZE, clock="1h+10s")
            thread = await room.wait_for_thread(card)
            known, before, waits, lines = len(discord.requests), len(discord.messages(thread)), [], 0
            for number in range(1, MOVES + 1):
                match = await room.use_cases.matches.load(MatchId(1))
                move = str(next(iter(match.position.moves())))
                begun = time.perf_counter()
                asked = room.ola.command(thread, "move", point=move)
                await discord.until(lambda version=2 * number: _shows(discord.messages(thread), version), timeout=120)  # type: ignore[misc]
                waits.append((time.perf_counter() - begun) * 1000)
                lines += _private_lines(asked)
            await room.wait_for_outbox()
            posted = len(discord.messages(thread)) - before
            counted = sum("/channels/" in request.endpoint for request in list(discord.requests)[known:])
            await room.stop()
    waits.pop(0)  # the worker has still to start
    return (
        f"level {level}: {posted} messages for {2 * MOVES} moves, {counted} requests that count, "
        f"{lines} private lines; command to reply {median(waits):.0f} ms, worst {max(waits):.0f} ms"
    )


def _shows(messages: list[Message], version: int) -> bool:
    return any(f"match:1:{version}:" in str(part.get("custom_id")) for each in messages[-2:] for part in each.controls)


def _private_lines(interaction: Interaction) -> int:
    return sum(message.ephemeral for message in interaction.messages)


def main(levels: list[int]) -> None:
    for level in levels:
        sys.stdout.write(f"{asyncio.run(measure(level))}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main([int(each) for each in sys.argv[1:]] or [1, 4, 8])
