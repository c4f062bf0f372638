"""Whether films can stop the boards: `python -m benchmarks.films --help`.

Several people press the film of the heaviest record that there is, 2,704 moves on 52x52, while two others play a game.
The stand-in for Discord and all people share this machine with the bot.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections import Counter
from pathlib import Path

from benchmarks.figure import Figure
from benchmarks.fleet import fleet
from benchmarks.load import rank
from benchmarks.players import Crowd, Game
from benchmarks.program import database, database_option, explain, options, report, say
from loopback import Discord, File, Interaction, Message
from loopback.person import Person
from play.records.sgf.grammar import letters_of
from rules.point import Point

SIDE = 52
"""Crossings: the largest field that a record may have."""

ANSWER_SECONDS = 900.0
"""How long an answer is waited for: Discord takes none that is later."""

MOVE_SECONDS = 0.5
"""Between two moves of the game beside the films."""


def full_record(players: str) -> bytes:
    """A record that fills the field without a capture: each player fills a half, row by row."""
    half = SIDE // 2
    points = (Point(x, y) for y in range(SIDE) for x in range(half))
    pairs = ((point, Point(half + point.x, point.y)) for point in points)
    moves = "".join(f";B[{letters_of(one, SIDE)}];W[{letters_of(other, SIDE)}]" for one, other in pairs)
    return f"(;FF[4]GM[40]SZ[{SIDE}]PB[{players}]PW[{players}]{moves})".encode()


async def bring(discord: Discord, number: int) -> tuple[Person, Message]:
    """Lets a new person import a record of their own; who it is, and the message with the buttons."""
    person, channel = discord.invite(f"Celina {number}"), discord.open_channel(f"records-{number}")
    record = full_record(f"Celina {number}")
    return person, await answer(discord, person.command(channel, "import", file=File("game.sgf", record)))


async def answer(discord: Discord, asked: Interaction) -> Message:
    """The private message that comes of it. Raises TimeoutError if none comes."""

    def told() -> list[Message]:
        return [message for message in asked.messages if message.ephemeral and message.text and not message.loading]

    messages: list[Message] = await discord.until(told, timeout=ANSWER_SECONDS)
    return messages[0]


async def press(discord: Discord, person: Person, record: Message, told: Counter[str]) -> float | None:
    """Presses the film of a record; the seconds until it is there, or None where `told` has the words instead."""
    begun = time.perf_counter()
    message = await answer(discord, person.click(record, "As a film"))
    if message.attachments:
        return time.perf_counter() - begun
    told[message.content[:70]] += 1
    return None


async def play(crowd: Crowd, game: Game, until: asyncio.Future[list[float | None]]) -> None:
    """Plays until the films are done, each move when the board before stands."""
    while not until.done() and game.made < len(game.moves):
        await crowd.move(game, within=ANSWER_SECONDS)
        await asyncio.sleep(MOVE_SECONDS)


async def measured(arguments: argparse.Namespace, address: str, folder: Path) -> list[Figure]:
    """Raises AssertionError if the bot ends."""
    async with fleet(1, address, folder) as (discord, (bot,)):
        crowd, told = Crowd(discord), Counter[str]()
        (game,) = await crowd.seat(1, arguments.size)
        for _ in range(10):  # what is warm stays warm
            await crowd.move(game)
        records = [await bring(discord, number) for number in range(arguments.people)]
        crowd.forget()
        memory = bot.memory
        begun, presses = time.perf_counter(), [records[number % len(records)] for number in range(arguments.presses)]
        films = asyncio.gather(*(press(discord, *each, told) for each in presses))
        await play(crowd, game, films)
        seen = [film for film in await films if film is not None]
        spent = time.perf_counter() - begun
        memory = bot.memory - memory
    explain(crowd.failed)
    for words, times in told.items():
        say(f"     {times} presses were told: {words}")
    return [
        Figure(f"presses of a film of {SIDE * SIDE} moves, {arguments.people} people", len(presses), ""),
        Figure("films that came", len(seen), "", 1, least=True),
        Figure("the last answer came after", spent, "s"),
        Figure("boards of the other game meanwhile", len(crowd.boards), "", 1, least=True),
        Figure("its click to board, half", rank(crowd.boards, 0.5), "ms"),
        Figure("its click to board, 99 %", rank(crowd.boards, 0.99), "ms", 500),
        Figure("its click to board, worst", rank(crowd.boards, 1.0), "ms"),
        Figure("its click to acknowledgement, worst", rank(crowd.acknowledged, 1.0), "ms"),
        Figure("its moves that failed", crowd.failed.total(), "", 0),
        Figure("memory that the bot's process took more", memory, "MB"),
    ]


def main() -> int:
    parser = options(__doc__)
    database_option(parser)
    parser.add_argument("--presses", type=int, default=25)
    parser.add_argument("--people", type=int, default=5, help="who press, each with a record of their own")
    parser.add_argument("--size", default="39x32", help="of the game beside the films")
    parser.add_argument("--folder", type=Path, help="where logs and the database stay")
    arguments = parser.parse_args()
    with database(arguments.database, arguments.folder) as (address, folder):
        return report(asyncio.run(measured(arguments, address, folder)))


if __name__ == "__main__":
    sys.exit(main())
