"""Measures whether films delay boards: `python -m benchmarks.films --help`.

Several players request the film of the largest record, 2,704 moves on 52x52, while two others play a game. The stand-in
for Discord and all players share this machine with the bot.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections import Counter
from pathlib import Path

from benchmarks.figure import Figure, latencies
from benchmarks.fleet import fleet
from benchmarks.players import Crowd, Game
from benchmarks.program import report_failures, run
from loopback import Discord, File, Interaction, Message
from loopback.person import Person
from play.records.sgf.grammar import letters_of
from rules.game import Point
from tools.program import argument_parser, say

SIDE = 52
"""Crossings of a side: the largest board of a record."""

ANSWER_SECONDS = 900.0
"""The longest wait for a response: Discord accepts none later."""

MOVE_SECONDS = 0.5
"""The pause between two moves of the game beside the films."""


def full_record(players: str) -> bytes:
    """Returns a record that fills the board without a capture: each player fills a half, row by row."""
    half = SIDE // 2
    points = (Point(x, y) for y in range(SIDE) for x in range(half))
    pairs = ((point, Point(half + point.x, point.y)) for point in points)
    moves = "".join(f";B[{letters_of(one, SIDE)}];W[{letters_of(other, SIDE)}]" for one, other in pairs)
    return f"(;FF[4]GM[40]SZ[{SIDE}]PB[{players}]PW[{players}]{moves})".encode()


async def import_record(discord: Discord, number: int) -> tuple[Person, Message]:
    """Makes a new person import a record of their own; returns the person and the message with the buttons."""
    person, channel = discord.invite(f"Celina {number}"), discord.open_channel(f"records-{number}")
    record = full_record(f"Celina {number}")
    return person, await private_message(discord, person.command(channel, "import", file=File("game.sgf", record)))


async def private_message(discord: Discord, interaction: Interaction) -> Message:
    """Returns the private message in response to an interaction; raises TimeoutError if there is none."""

    def replies() -> list[Message]:
        return [
            message for message in interaction.messages if message.ephemeral and message.text and not message.loading
        ]

    messages: list[Message] = await discord.until(replies, timeout=ANSWER_SECONDS)
    return messages[0]


async def press(discord: Discord, person: Person, record: Message, refusals: Counter[str]) -> float | None:
    """Requests the film of a record; returns the seconds until it arrives, or None and counts the refusal."""
    begun = time.perf_counter()
    message = await private_message(discord, person.click(record, "Film"))
    if message.attachments:
        return time.perf_counter() - begun
    refusals[message.content[:70]] += 1
    return None


async def play(crowd: Crowd, game: Game, until: asyncio.Future[list[float | None]]) -> None:
    """Plays until the films are done; each move waits for the board before it."""
    while not until.done() and game.made < len(game.moves):
        await crowd.move(game, within=ANSWER_SECONDS)
        await asyncio.sleep(MOVE_SECONDS)


async def measure(arguments: argparse.Namespace, address: str, folder: Path) -> list[Figure]:
    """Returns the figures; raises AssertionError if the bot ends."""
    async with fleet(1, address, folder) as (discord, (bot,)):
        crowd, refusals = Crowd(discord), Counter[str]()
        (game,) = await crowd.begin_all(1, arguments.size)
        for _ in range(10):  # warms up
            await crowd.move(game)
        records = [await import_record(discord, number) for number in range(arguments.people)]
        crowd.clear()
        memory = bot.memory
        begun, presses = time.perf_counter(), [records[number % len(records)] for number in range(arguments.presses)]
        films = asyncio.gather(*(press(discord, *each, refusals) for each in presses))
        await play(crowd, game, films)
        seen = [film for film in await films if film is not None]
        spent = time.perf_counter() - begun
        memory = bot.memory - memory
    report_failures(crowd.failed)
    for refusal, times in refusals.items():
        say(f"     {times} requests were refused: {refusal}")
    return [
        Figure(f"requests for a film of {SIDE * SIDE} moves, {arguments.people} players", len(presses), ""),
        Figure("films that arrived", len(seen), "", 1, least=True),
        Figure("the last response came after", spent, "s"),
        Figure("boards of the other game meanwhile", len(crowd.boards), "", 1, least=True),
        *latencies("its click to board", crowd.boards, 500),
        *latencies("its click to acknowledgement", crowd.acknowledged),
        Figure("its moves that failed", crowd.failed.total(), "", 0),
        Figure("growth of the bot's memory", memory, "MB"),
    ]


def main() -> int:
    parser = argument_parser(__doc__)
    parser.add_argument("--presses", type=int, default=25)
    parser.add_argument("--people", type=int, default=5, help="players who press, each with a record of their own")
    parser.add_argument("--size", default="39x32", help="board of the game beside the films")
    return run(parser, measure)


if __name__ == "__main__":
    sys.exit(main())
