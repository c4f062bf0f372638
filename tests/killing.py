"""Many matches at once, while the bot is killed (`kill -9`) and started again: `python -m tests.killing 200 20`.

Two people play by `/move` in as many channels as there are matches, on real sockets, with the bot as a process of its
own. Afterwards the database and the channels are compared: every version was posted, once and in order; every move that
somebody was told of is there; no flag fell early, and none late but while the bot was away.
"""

from __future__ import annotations

import asyncio
import os
import random
import re
import signal
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from loopback import TOKEN, Channel, Discord, Interaction, Message, Person
from loopback.events import Event, MessagePosted
from loopback.model import ChannelKind
from play.clock import parse_control
from play.ids import ChannelId, GuildId, MatchId, Millis, UserId
from play.match.events import EventKind
from play.match.match import Match
from play.match.moves import GRACE
from play.people import settings as people
from play.services.clock_service import MAX_HEARTBEAT_GAP_MILLIS
from rules.registry import configured
from storage import Database

ROOT = Path(__file__).parents[1]
GAME = configured("zagram", {"size": "5x5", "start": "empty"})
CONTROLS = ("1m", "40s random", "1h", "1m+2s")
"""One match in four has each."""

SILENT = 0.04
"""The chance, at each turn with a short clock, that its player goes away for good."""

PATIENCE = 3.0
"""Seconds after which somebody who got no new board tries again."""

LONGEST = 600
"""Seconds that the matches may take after the last kill."""

SETTLING = 15_000
"""Milliseconds after a start in which all that was left undone is done, by a machine that many share."""

PROMPT = 1500
"""Milliseconds that a flag may be late while the bot is there; another load shares the machine."""

_TURN = re.compile(r"<@(\d+)>, move (\d+) is yours")


@dataclass
class Table:
    """A match as its channel shows it: the messages of its versions in their order, and what was asked for."""

    match: Match
    channel: Channel
    boards: list[tuple[int, Message]] = field(default_factory=list)
    asked: list[tuple[Interaction, str]] = field(default_factory=list)
    news: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass
class Findings:
    """What came of it; `away` are the times in which no bot was at work."""

    kills: int = 0
    away: list[tuple[int, int]] = field(default_factory=list)
    moves: int = 0
    flags: int = 0
    credited: int = 0
    lateness: list[int] = field(default_factory=list)
    settling: list[int] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return (
            f"{self.kills} kills, {self.moves} moves, {self.flags} flags and random dots, {self.credited} downtimes "
            f"credited; late just after a start: {_spread(self.settling)}, else: {_spread(self.lateness)}; "
            f"faults: {len(self.faults)}"
        )


class Evening:
    """Matches on a stand-in, and the bot that serves them."""

    def __init__(
        self, discord: Discord, folder: Path, chance: random.Random, controls: Sequence[str], thinking: float
    ) -> None:
        self._discord = discord
        self._controls = controls
        self._thinking = thinking
        self._chance = chance
        self._folder = folder
        self._database = f"sqlite+aiosqlite:///{folder}/kropka.db"
        self._people: dict[int, Person] = {person.id: person for person in discord.people.values()}
        self._tables: dict[int, Table] = {}
        self._started: list[int] = []
        self._bot: asyncio.subprocess.Process | None = None
        discord.world.listeners.append(self._heard)

    async def played(self, matches: int, kills: int) -> Findings:
        findings = Findings()
        await self._begin(matches)
        await self._run("sync")
        await self._start()
        try:
            sessions = [asyncio.create_task(self._session(table)) for table in self._tables.values()]
            done = asyncio.gather(*sessions)
            for _ in range(kills):
                await asyncio.wait([done], timeout=self._chance.uniform(5, 35))
                if done.done():
                    break
                await self._kill(findings, pause=self._chance.choice((0.0, 0.0, 0.5, 13.0)))
            async with asyncio.timeout(LONGEST):
                await done
            await asyncio.sleep(PATIENCE)  # for a second post, if there were to be one
        finally:
            await self._end()
        await self._compared(findings)
        findings.faults += self._discord.problems
        return findings

    def _heard(self, event: Event) -> None:
        if isinstance(event, MessagePosted) and event.message.channel_id in self._tables:
            table = self._tables[event.message.channel_id]
            for file in event.message.attachments:
                if found := re.fullmatch(rf"kropka-{table.match.id}-(\d+)\.png", file.filename):
                    table.boards.append((int(found[1]), event.message))
                    table.news.set()

    async def _begin(self, matches: int) -> None:
        players = tuple(UserId(self._discord.people[name].id) for name in ("Ola", "Максим"))
        async with Database.open(self._database) as store, store.write() as tx:
            for player in players:
                await tx.people.save(people.Person(player, confirm_days=False))
            at = await tx.clock.now()
            for number in range(matches):
                channel = self._discord.world.create(
                    Channel(self._discord.world.ids.next(), ChannelKind.TEXT, f"table-{number}")
                )
                match = await tx.matches.add(
                    Match.begun(
                        MatchId(0),
                        guild=GuildId(self._discord.guild.id),
                        channel=ChannelId(channel.id),
                        parent=None,
                        game=GAME,
                        seed=number,
                        players=players[:: 1 if number % 2 else -1],
                        control=parse_control(self._controls[number % len(self._controls)]),
                        at=Millis(at + 3000 + 100 * matches),  # the bot has to come, and to post all the boards
                    )
                )
                self._tables[channel.id] = Table(match, channel)

    async def _session(self, table: Table) -> None:
        """Both players of a match, until it is over."""
        position, told = table.match.position, -1
        while True:
            while told == (newest := table.boards[-1][0] if table.boards else -1):
                table.news.clear()
                try:
                    async with asyncio.timeout(PATIENCE):
                        await table.news.wait()
                except TimeoutError:
                    break
            for version, board in table.boards[told + 1 :] if newest > told else ():
                if played := re.search(r"(?:played|chance played) \*\*([^*]+)\*\*", board.content):
                    position = position.play(GAME.parse(played[1]))
                told = version
            turn = _TURN.search(table.boards[-1][1].content) if table.boards else None
            if table.boards and turn is None:
                return
            if turn is None or table.boards[-1][0] != told:
                continue
            if str(table.match.clock.control) != "1h" and self._chance.random() < SILENT:
                await self._over(table)
                return
            await asyncio.sleep(self._chance.uniform(0, self._thinking))
            if table.boards[-1][0] == told:
                move = str(self._chance.choice(list(position.moves())))
                asked = self._people[int(turn[1])].command(table.channel, "move", point=move)
                table.asked.append((asked, move))

    async def _over(self, table: Table) -> None:
        """Nobody moves any more; returns when the clock has ended the match."""
        while not table.boards or _TURN.search(table.boards[-1][1].content):
            table.news.clear()
            await table.news.wait()

    async def _run(self, command: str) -> None:
        bot = await self._spawned(command)
        await bot.wait()

    async def _spawned(self, command: str) -> asyncio.subprocess.Process:
        environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "KROPKA_TOKEN": TOKEN}
        environment |= {"KROPKA_DISCORD": self._discord.address, "KROPKA_DATABASE": self._database}
        with (self._folder / "log").open("ab") as log:
            bot = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "bot", command),
                cwd=self._folder,
                env=environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self._started.append(bot.pid)
        return bot

    async def _start(self) -> None:
        self._bot = await self._spawned("run")
        await self._discord.until(lambda: self._discord.online, timeout=60)

    async def _kill(self, findings: Findings, pause: float) -> None:
        assert self._bot is not None, "it was started"
        since = int(time.time() * 1000)
        self._bot.kill()
        await self._bot.wait()
        await self._discord.until(lambda: not self._discord.online, timeout=30)
        await asyncio.sleep(pause)
        await self._start()
        findings.kills += 1
        findings.away.append((since, int(time.time() * 1000)))

    async def _end(self) -> None:
        if self._bot is not None and self._bot.returncode is None:
            self._bot.terminate()
            await self._bot.wait()
        for group in self._started:  # workers that a killed bot has left behind
            try:
                os.killpg(group, signal.SIGKILL)
            except ProcessLookupError:
                continue

    async def _compared(self, findings: Findings) -> None:
        async with Database.open(self._database) as store, store.read() as reader:
            for table in self._tables.values():
                match = await reader.matches.get(table.match.id)
                assert match is not None, "it was stored"
                findings.faults += _posted(table, match)
                findings.faults += _kept(table, match)
                findings.credited = max(findings.credited, len(match.clock.downtimes))
                for number, event in enumerate(match.events):
                    findings.moves += event.kind is EventKind.MOVE
                    if event.kind not in (EventKind.TIME, EventKind.RANDOM):
                        continue
                    before = await reader.matches.get(match.id, number)
                    assert before is not None, "it has a whole history"
                    # A downtime that ended later was not known yet: the beat before the flag may be older than it.
                    known = tuple(span for span in before.clock.downtimes if span.end <= event.at)
                    deadline = before.slept(known).clock.deadline
                    assert deadline is not None, "its clock runs"
                    late = event.at - deadline - GRACE
                    findings.flags += 1
                    if late <= 0:
                        findings.faults.append(f"match {match.id}, version {number + 1}: {-late} ms too early")
                    late -= _away(findings.away, event.at - late, event.at)
                    if any(last - MAX_HEARTBEAT_GAP_MILLIS < event.at < last + SETTLING for _, last in findings.away):
                        findings.settling.append(late)
                        continue
                    findings.lateness.append(late)
                    if late > PROMPT:
                        findings.faults.append(f"match {match.id}, version {number + 1}: {late} ms late")


def _spread(late: list[int]) -> str:
    """How late flags fell, in words."""
    late = sorted(late) or [0]
    p99 = late[min(len(late) - 1, len(late) * 99 // 100)]
    return f"{len(late)} flags, median {late[len(late) // 2]} ms, p99 {p99} ms, worst {late[-1]} ms"


def _posted(table: Table, match: Match) -> Iterable[str]:
    versions = [version for version, _ in table.boards]
    if versions != list(range(match.version + 1)):
        yield f"match {match.id} of {match.version} events has the posts {versions}"
    if not match.outcome:
        yield f"match {match.id} is not over"


def _kept(table: Table, match: Match) -> Iterable[str]:
    """The moves of which somebody was told, and which are not there."""
    sources = {event.source: event.text for event in match.events}
    for asked, move in table.asked:
        told = any(f"played **{move}**" in message.content for message in asked.messages)
        if told and sources.get(asked.id) != move:  # type: ignore[call-overload]
            yield f"match {match.id} has lost the move {move}"


def _away(spans: list[tuple[int, int]], start: int, end: int) -> int:
    """How much of a time nobody was there."""
    return sum(max(0, min(end, last) - max(start, first)) for first, last in spans)


async def main(
    matches: int, kills: int, *, controls: Sequence[str] = CONTROLS, thinking: float = 16.0, seed: int = 1
) -> Findings:
    """Plays so many matches, each with one of the `controls`, and kills the bot so often; `thinking` is the longest
    time for a move, in seconds."""
    with tempfile.TemporaryDirectory() as folder:
        async with Discord() as discord:
            return await Evening(discord, Path(folder), random.Random(seed), controls, thinking).played(matches, kills)


if __name__ == "__main__":
    found = asyncio.run(main(int(sys.argv[1]), int(sys.argv[2])))
    print(found, *found.faults[:20], sep="\n")  # noqa: T201
    sys.exit(bool(found.faults))
