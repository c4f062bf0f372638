"""The bot as processes of their own on one database, by the clock of the test, which kills and freezes them."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from loopback import Discord
from loopback.events import Event, PresenceChanged
from play.ids import Millis
from storage import Database, file_of
from tests.bot.day_process import READY, SharedClock
from tests.bot.room import Room
from tests.program import MAX_SECONDS, ROOT


@dataclass
class Bots:
    """The processes of the bot. The first one holds the gateway, and another one stands by."""

    discord: Discord
    url: str
    clock: SharedClock
    folder: Path
    running: list[Process] = field(default_factory=list)
    kills: int = 0
    sessions: int = 0

    def note(self, event: Event) -> None:
        self.sessions += isinstance(event, PresenceChanged) and event.online

    async def start(self) -> None:
        """Starts processes until there are as many as there should be."""
        while len(self.running) < (1 if file_of(self.url) else 2):
            program = [sys.executable, "-m", "tests.bot.day_process", self.url, self.discord.address]
            with (self.folder / "log").open("ab") as log:
                bot = await asyncio.create_subprocess_exec(
                    *program, str(self.folder / "clock"), cwd=ROOT, env=os.environ, stdout=PIPE, stderr=log
                )
            self.running.append(bot)
            assert bot.stdout is not None
            async with asyncio.timeout(MAX_SECONDS):
                assert await bot.stdout.readline() == READY, self.log[-3000:]
            await self.discord.until(lambda: self.discord.online, MAX_SECONDS)

    async def kill(self) -> None:
        """Kills the process that holds the gateway. Another one takes over, or is started."""
        before, bot = self.sessions, self.running.pop(0)
        bot.kill()
        assert await bot.wait() == -signal.SIGKILL
        self.kills += 1
        if not self.running:
            await self.start()
        await self.discord.until(lambda: self.sessions > before, MAX_SECONDS)
        await self.start()  # now that it can't take the gateway from the one that stood by

    def freeze(self, bot: Process) -> None:
        """Stops a process where it is, until it is woken."""
        bot.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, bot.pid, os.WSTOPPED | os.WNOWAIT)

    def wake(self, bot: Process) -> None:
        bot.send_signal(signal.SIGCONT)

    async def end(self) -> None:
        for bot in self.running:
            if bot.returncode is None:
                bot.kill()
                await bot.wait()

    @property
    def log(self) -> str:
        """Returns what the processes have logged."""
        return (self.folder / "log").read_text()

    def pass_to(self, moment: int) -> None:
        """Lets it be later, which all processes notice."""
        self.clock.time = Millis(max(moment, self.clock.time))
        self.discord.tick()
        for bot in self.running:
            bot.send_signal(signal.SIGUSR1)

    async def pass_between_requests(self, moment: int) -> None:
        """Lets it be later when no process has a request on its way."""
        async with self.clock.free():
            self.pass_to(moment)


@asynccontextmanager
async def take_over(room: Room, bots: Bots) -> AsyncIterator[Database]:
    """Runs the bot as processes in place of the one in the room; yields their database."""
    await room.stop()
    bots.discord.listen(bots.note)
    async with Database.open(bots.url, now=bots.clock) as store:
        try:
            await bots.start()
            yield store
        finally:
            await bots.end()
