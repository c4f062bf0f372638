"""Measures votes of a whole server, with Discord's rate limits: `python -m benchmarks.ballots --help`.

Members vote by `/move`, one after the other at a fixed rate, and change their votes when all have voted. The stand-in
for Discord, the members and the bot share this machine. 5,000 votes in ten minutes are 8.3 a second.
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
from benchmarks.program import report_failures, run
from loopback import Channel, Discord, Interaction, Message, Person, User
from loopback.events import Event, InteractionChanged, MessageEdited, MessagePosted
from loopback.ids import EPOCH
from tools.program import argument_parser

OLD_SECONDS = 30 * 86_400
"""The age of the members' accounts: younger ones than a week do not vote."""

ACKNOWLEDGED_MILLIS = 250
"""The goal for 99 % of the votes."""


class Voters:
    """The members of a server, and what they measure in seconds: from a click to its acknowledgement and its answer."""

    def __init__(self, discord: Discord, number: int, now: float | None = None) -> None:
        """`now` is Discord's time in seconds, if it isn't that of this machine."""
        self._discord = discord
        first = int(((time.time() if now is None else now) - OLD_SECONDS - EPOCH) * 1000) << 22
        self.people = [self._join(first + each, f"Member {each}") for each in range(number)]
        self._begun: dict[int, float] = {}  # by interaction
        self._asked: dict[int, float] = {}  # by person
        self.acknowledged: list[float] = []
        self.answered: list[float] = []
        self.failed: Counter[str] = Counter()
        self.edits: Counter[int] = Counter()
        discord.listen(self._on_event)

    def _join(self, account: int, name: str) -> Person:
        user = self._discord.world.enrol(User(account, name.lower().replace(" ", ""), name))
        return Person(self._discord.wire, self._discord.interactions, user.id)

    def vote(self, person: Person, channel: Channel, move: str) -> None:
        """Votes, without waiting for the answer."""
        now = self._asked[person.id] = time.perf_counter()
        self._begun[person.command(channel, "move", point=move).id] = now

    def _on_event(self, event: Event) -> None:
        match event:
            case InteractionChanged(interaction):
                self._note_acknowledgement(interaction)
            case MessageEdited(message) if message.visible_to is None:
                self.edits[message.id] += 1
            case MessagePosted(message) | MessageEdited(message) if message.visible_to in self._asked:
                self._note_answer(message)

    def _note_acknowledgement(self, interaction: Interaction) -> None:
        if interaction.failure is not None and interaction.id in self._begun:
            self.failed[interaction.failure] += 1
            del self._begun[interaction.id]
        elif interaction.callback is not None and interaction.id in self._begun:
            self.acknowledged.append(time.perf_counter() - self._begun.pop(interaction.id))

    def _note_answer(self, message: Message) -> None:
        if message.loading or not message.text:
            return
        spent = time.perf_counter() - self._asked.pop(message.visible_to or 0)
        if "Your vote" in message.text:
            self.answered.append(spent)
        else:
            self.failed[message.text[:70]] += 1
        self._discord.discard_message(message)


async def begin(discord: Discord, voters: Voters) -> Channel:
    """Begins a game of the server against a member; returns its channel."""
    owner, opponent = discord.people["Ola"], voters.people[-1]
    channel = discord.open_channel("votes")
    options = {"opponent": opponent, "time": "3d", "quorum": 100}
    asked = (await owner.command(channel, "vote begin", **options).answered()).message
    assert asked is not None, "the manager looks at the game first"
    await owner.click(asked, "Ask them").followed()
    card = discord.messages(channel)[-1]
    opponent.click(card, "Accept")
    board = await discord.until(lambda: _board(discord, channel, 0), timeout=60.0)
    if opponent.mention in board.content:  # drawn to move first
        asked = (await opponent.command(channel, "move", point="A1").answered()).message
        if asked is not None and asked.ephemeral:
            opponent.click(asked, "Play A1")
        await discord.until(lambda: _board(discord, channel, 1), timeout=60.0)
    return channel


def _board(discord: Discord, channel: Channel, number: int) -> Message | None:
    boards = [each for each in discord.messages(channel) if each.attachments]
    return boards[number] if len(boards) > number else None


async def measure(arguments: argparse.Namespace, address: str, folder: Path) -> list[Figure]:
    """Returns the figures; raises AssertionError if a process of the bot ends."""
    async with fleet(1, address, folder, limits=True) as (discord, bots):
        voters = Voters(discord, arguments.voters + 1)
        channel = await begin(discord, voters)
        moves, number = [f"{column}2" for column in "BCDEFGHIJKLM"], round(arguments.rate * arguments.seconds)
        counted, refused, busy = discord.counted_requests, discord.limited_requests, bots[0].cpu_seconds
        begun = time.perf_counter()
        for each in range(number):
            await asyncio.sleep(max(0.0, begun + each / arguments.rate - time.perf_counter()))
            person = voters.people[each % arguments.voters]
            voters.vote(person, channel, moves[(each + each // arguments.voters) % len(moves)])
        await discord.until(lambda: len(voters.answered) + voters.failed.total() >= number, timeout=60.0)
        counted, refused = discord.counted_requests - counted, discord.limited_requests - refused
        busy = bots[0].cpu_seconds - busy
    report_failures(voters.failed)
    minutes = arguments.seconds / 60
    return [
        Figure(f"votes of {arguments.voters} members, {arguments.database}", len(voters.answered), ""),
        *latencies("vote to acknowledgement", voters.acknowledged, ACKNOWLEDGED_MILLIS),
        *latencies("vote to tally", voters.answered),
        Figure("a core was busy with a vote and its tally for", 1000 * busy / max(1, len(voters.answered)), "ms"),
        Figure("edits of the board", max(voters.edits.values(), default=0), "", 1 + minutes),
        Figure("requests that count, a vote", counted / max(1, len(voters.answered)), "", 0.1),
        Figure("requests over a limit", refused, "", 0),
        Figure("votes that failed", voters.failed.total(), "", 0),
        Figure("requests that Discord would refuse", len(discord.problems), "", 0),
    ]


def main() -> int:
    parser = argument_parser(__doc__)
    parser.add_argument("--voters", type=int, default=500)
    parser.add_argument("--rate", type=float, default=5000 / 600, help="votes a second")
    parser.add_argument("--seconds", type=float, default=600.0)
    return run(parser, measure)


if __name__ == "__main__":
    sys.exit(main())
