"""A blitz of twenty moves in real time, with three late ones: ``python -m tests.blitz`` prints who played what when."""

from __future__ import annotations

import asyncio
import tempfile
import time
from functools import partial
from itertools import cycle
from pathlib import Path

from bot.client import use_stand_in
from loopback import Channel, Discord
from play.ids import MatchId, Millis
from play.match.events import EventKind
from play.match.match import Match
from play.match.moves import FLAG_GRACE
from tests.bot.room import Room, private_words
from tests.clock import SECOND

MOVES = 20
LATE = {1: None, 8: 5.6, 15: None}
"""The moves that a player is too late for: they click after so many seconds of their turn, or not at all."""

THOUGHTS = (0.4, 1.3, 2.6, 0.8, 4.5)
"""Seconds of their turn after which players click otherwise, over and over."""


def now() -> Millis:
    return Millis(time.time_ns() // 1_000_000)


async def play(room: Room, thread: Channel) -> tuple[Match, dict[int, str]]:
    """Plays the moves by commands; returns the match, and what late players were told."""
    told: dict[int, str] = {}
    thoughts = cycle(THOUGHTS)
    for number in range(1, MOVES + 1):
        match = await room.use_cases.matches.load(MatchId(1))
        player = next(each for each in (room.ola, room.maksim) if each.id == match.players[match.position.to_act])
        dot = str(list(match.position.moves())[number * 37 % 150])
        thought = LATE[number] if number in LATE else next(thoughts)
        if thought is not None:
            await asyncio.sleep(max(0.0, (match.clock.since - now()) / 1000 + thought))
            click = player.command(thread, "move", point=dot)
            if number in LATE:
                told[number] = await private_words(click)
            await click.answered()
        await room.discord.until(partial(_is_told, room, thread, number))
        await room.wait_for_outbox()
    return await room.use_cases.matches.load(MatchId(1)), told


def _is_told(room: Room, thread: Channel, version: int) -> bool:
    return len(room.boards(thread)) > version


async def table(room: Room) -> list[str]:
    """Returns the lines of the table, after the game."""
    thread = await room.start_match(rules="sport-blitz", size="20x20", start="cross", clock="5s random")
    match, told = await play(room, thread)
    names = {room.ola.id: "Ola", room.maksim.id: "Максим"}
    lines = [
        f"clock {match.clock.control}, grace {FLAG_GRACE} ms; times in seconds since the first board\n",
        "| move | when | whose | who played | dot | of the turn used | left |",
        "|---|---|---|---|---|---|---|",
    ]
    for number, event in enumerate(match.events, start=1):
        async with room.services.store.read() as reader:
            before = await reader.matches.get(MatchId(1), number - 1)
        assert before is not None
        used = event.at - before.clock.since
        is_chance = event.kind is EventKind.RANDOM
        who, left = ("chance", "0.0, flag after grace") if is_chance else ("the player", _seconds(5 * SECOND - used))
        when, whose = _seconds(event.at - match.started), names[match.players[event.seat]]
        lines.append(f"| {number} | {when} | {whose} | {who} | {event.text} | {_seconds(used)} | {left} |")
    lines += [f"\nMove {number}: a click after {LATE[number]} s was told: {words}" for number, words in told.items()]
    return lines


def _seconds(millis: int) -> str:
    return f"{millis / 1000:.1f}"


async def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        async with Discord(now=time.time) as discord:
            use_stand_in(discord.address)
            room = Room(discord, f"sqlite+aiosqlite:///{Path(folder) / 'kropka.db'}", now)  # type: ignore[arg-type]
            await room.start()
            try:
                print(*await table(room), sep="\n")  # noqa: T201
            finally:
                await room.stop()


if __name__ == "__main__":
    asyncio.run(main())
