"""Many matches at once, while the bot is killed (`kill -9`) and started again: `python -m tests.killing 200 20`.

Two users play by `/move` in a channel for each match, on real sockets, with the bot as a process of its own. Afterwards
the database is compared with the channels. Every version was posted once and in order. Every move that was announced is
stored. No flag fell early, and none late except while the bot was down.
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
from play.match.moves import FLAG_GRACE
from play.people import settings as people
from rules.registry import make_game
from storage import Database
from use_cases.clock_service import MAX_HEARTBEAT_GAP_MILLIS

ROOT = Path(__file__).parents[1]
GAME = make_game("zagram", {"size": "5x5", "start": "empty"})
CONTROLS = ("1m", "40s random", "1h", "1m+2s")
"""Time controls; each is that of one match in four."""

QUIT_CHANCE = 0.04
"""The chance, at each turn with a short clock, that its player leaves for good."""

RETRY_SECONDS = 3.0
"""Seconds after which a player who got no new board tries again."""

MAX_SECONDS = 600
"""Seconds that the matches may take after the last kill."""

SETTLE_MILLIS = 15_000
"""Milliseconds after a start in which the bot does what was left undone, on a machine that many share."""

MAX_LATE_MILLIS = 1500
"""Milliseconds that a flag may be late while the bot runs, on a machine that many share."""

_TURN = re.compile(r"<@(\d+)>, your turn \(move (\d+)\)")


@dataclass
class PlayedGame:
    """A match as its channel shows it: the messages of its versions in order, and the moves that were sent."""

    match: Match
    channel: Channel
    boards: list[tuple[int, Message]] = field(default_factory=list)
    sent: list[tuple[Interaction, str]] = field(default_factory=list)
    news: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass
class Findings:
    """Counts and faults; `down` are the times in which no bot ran."""

    kills: int = 0
    down: list[tuple[int, int]] = field(default_factory=list)
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


class Exercise:
    """Matches on a stand-in, and the bot that is killed over them."""

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
        self._games: dict[int, PlayedGame] = {}
        self._started: list[int] = []
        self._bot: asyncio.subprocess.Process | None = None
        discord.world.listeners.append(self._note_board)

    async def run(self, matches: int, kills: int) -> Findings:
        """Plays so many matches to their end with so many kills; returns what was found."""
        findings = Findings()
        await self._begin(matches)
        await self._run_command("sync")
        await self._start()
        try:
            sessions = [asyncio.create_task(self._session(game)) for game in self._games.values()]
            done = asyncio.gather(*sessions)
            for _ in range(kills):
                await asyncio.wait([done], timeout=self._chance.uniform(5, 35))
                if done.done():
                    break
                await self._kill(findings, pause=self._chance.choice((0.0, 0.0, 0.5, 13.0)))
            async with asyncio.timeout(MAX_SECONDS):
                await done
            await asyncio.sleep(RETRY_SECONDS)  # for a second post, which would be a fault
        finally:
            await self._end()
        await self._compare(findings)
        findings.faults += self._discord.problems
        return findings

    def _note_board(self, event: Event) -> None:
        if isinstance(event, MessagePosted) and event.message.channel_id in self._games:
            game = self._games[event.message.channel_id]
            for file in event.message.attachments:
                if found := re.fullmatch(rf"kropka-{game.match.id}-(\d+)\.png", file.filename):
                    game.boards.append((int(found[1]), event.message))
                    game.news.set()

    async def _begin(self, matches: int) -> None:
        players = tuple(UserId(self._discord.people[name].id) for name in ("Ola", "Максим"))
        async with Database.open(self._database) as store, store.write() as tx:
            for player in players:
                await tx.people.save(people.PlayerSettings(player, confirm_days=False))
            at = await tx.clock.now()
            for number in range(matches):
                channel = self._discord.world.create(
                    Channel(self._discord.world.ids.next(), ChannelKind.TEXT, f"game-{number}")
                )
                match = await tx.matches.add(
                    Match.begin(
                        MatchId(0),
                        guild=GuildId(self._discord.guild.id),
                        channel=ChannelId(channel.id),
                        parent=None,
                        game=GAME,
                        seed=number,
                        players=players[:: 1 if number % 2 else -1],
                        control=parse_control(self._controls[number % len(self._controls)]),
                        at=Millis(at + 3000 + 100 * matches),  # the bot has to start, and to post all the boards
                    )
                )
                self._games[channel.id] = PlayedGame(match, channel)

    async def _session(self, game: PlayedGame) -> None:
        """Plays for both players of a match until it is over."""
        position, told = game.match.position, -1
        while True:
            while told == (newest := game.boards[-1][0] if game.boards else -1):
                game.news.clear()
                try:
                    async with asyncio.timeout(RETRY_SECONDS):
                        await game.news.wait()
                except TimeoutError:
                    break
            for version, board in game.boards[told + 1 :] if newest > told else ():
                if played := re.search(r"played \*\*([^*]+)\*\*", board.content):
                    position = position.play(GAME.parse(played[1]))
                told = version
            turn = _TURN.search(game.boards[-1][1].content) if game.boards else None
            if game.boards and turn is None:
                return
            if turn is None or game.boards[-1][0] != told:
                continue
            if str(game.match.clock.control) != "1h" and self._chance.random() < QUIT_CHANCE:
                await self._wait_for_end(game)
                return
            await asyncio.sleep(self._chance.uniform(0, self._thinking))
            if game.boards[-1][0] == told:
                move = str(self._chance.choice(list(position.moves())))
                sent = self._people[int(turn[1])].command(game.channel, "move", point=move)
                game.sent.append((sent, move))

    async def _wait_for_end(self, game: PlayedGame) -> None:
        """Returns when the clock has ended the match."""
        while not game.boards or _TURN.search(game.boards[-1][1].content):
            game.news.clear()
            await game.news.wait()

    async def _run_command(self, command: str) -> None:
        bot = await self._spawn(command)
        await bot.wait()

    async def _spawn(self, command: str) -> asyncio.subprocess.Process:
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
        self._bot = await self._spawn("run")
        await self._discord.until(lambda: self._discord.online)

    async def _kill(self, findings: Findings, pause: float) -> None:
        assert self._bot is not None, "it was started"
        since = int(time.time() * 1000)
        self._bot.kill()
        await self._bot.wait()
        await self._discord.until(lambda: not self._discord.online)
        await asyncio.sleep(pause)
        await self._start()
        findings.kills += 1
        findings.down.append((since, int(time.time() * 1000)))

    async def _end(self) -> None:
        if self._bot is not None and self._bot.returncode is None:
            self._bot.terminate()
            await self._bot.wait()
        for group in self._started:  # workers that a killed bot has left behind
            try:
                os.killpg(group, signal.SIGKILL)
            except ProcessLookupError:
                continue

    async def _compare(self, findings: Findings) -> None:
        async with Database.open(self._database) as store, store.read() as reader:
            for game in self._games.values():
                match = await reader.matches.get(game.match.id)
                assert match is not None, "it was stored"
                findings.faults += _post_faults(game, match)
                findings.faults += _lost_moves(game, match)
                findings.credited = max(findings.credited, len(match.clock.downtimes))
                for number, event in enumerate(match.events):
                    findings.moves += event.kind is EventKind.MOVE
                    if event.kind not in (EventKind.TIME, EventKind.RANDOM):
                        continue
                    before = await reader.matches.get(match.id, number)
                    assert before is not None, "it has a whole history"
                    # A downtime that ended later was not known then: the heartbeat before the flag may be older.
                    known = tuple(span for span in before.clock.downtimes if span.end <= event.at)
                    deadline = before.with_downtimes(known).clock.deadline
                    assert deadline is not None, "its clock runs"
                    late = event.at - deadline - FLAG_GRACE
                    findings.flags += 1
                    if late <= 0:
                        findings.faults.append(f"match {match.id}, version {number + 1}: {-late} ms too early")
                    late -= _downtime(findings.down, event.at - late, event.at)
                    if any(
                        last - MAX_HEARTBEAT_GAP_MILLIS < event.at < last + SETTLE_MILLIS for _, last in findings.down
                    ):
                        findings.settling.append(late)
                        continue
                    findings.lateness.append(late)
                    if late > MAX_LATE_MILLIS:
                        findings.faults.append(f"match {match.id}, version {number + 1}: {late} ms late")


def _spread(late: list[int]) -> str:
    """Describes how late flags fell."""
    late = sorted(late) or [0]
    p99 = late[min(len(late) - 1, len(late) * 99 // 100)]
    return f"{len(late)} flags, median {late[len(late) // 2]} ms, p99 {p99} ms, worst {late[-1]} ms"


def _post_faults(game: PlayedGame, match: Match) -> Iterable[str]:
    """Yields the faults in what was posted of a match."""
    versions = [version for version, _ in game.boards]
    if versions != list(range(match.version + 1)):
        yield f"match {match.id} of {match.version} events has the posts {versions}"
    if not match.outcome:
        yield f"match {match.id} is not over"


def _lost_moves(game: PlayedGame, match: Match) -> Iterable[str]:
    """Yields the moves that were announced, but are not stored."""
    sources = {event.key: event.text for event in match.events}
    for sent, move in game.sent:
        is_announced = any(f"played **{move}**" in message.content for message in sent.messages)
        if is_announced and sources.get(sent.id) != move:  # type: ignore[call-overload]
            yield f"match {match.id} has lost the move {move}"


def _downtime(spans: list[tuple[int, int]], start: int, end: int) -> int:
    """Returns the milliseconds of a time in which no bot ran."""
    return sum(max(0, min(end, last) - max(start, first)) for first, last in spans)


async def main(
    matches: int, kills: int, *, controls: Sequence[str] = CONTROLS, thinking: float = 16.0, seed: int = 1
) -> Findings:
    """Plays so many matches, each with one of the `controls`, and kills the bot so often.

    A player takes at most `thinking` seconds for a move.
    """
    with tempfile.TemporaryDirectory() as folder:
        async with Discord() as discord:
            return await Exercise(discord, Path(folder), random.Random(seed), controls, thinking).run(matches, kills)


if __name__ == "__main__":
    found = asyncio.run(main(int(sys.argv[1]), int(sys.argv[2])))
    print(found, *found.faults[:20], sep="\n")  # noqa: T201
    sys.exit(bool(found.faults))
