"""A small Discord and processes of the bot on it, to measure load and faults."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from asyncio.subprocess import DEVNULL, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import IO

import discord as library
from aiohttp import ClientError, ClientSession

from bot.client import use_stand_in
from bot.features.registry import FEATURES
from bot.interactions.command_tree import CommandTree
from bot.markup import spoken
from loopback import TOKEN, Discord

ROOT = Path(__file__).parents[1]


class Bot:
    """A process of Kropka; its log is `NAME.log` in `folder`."""

    def __init__(self, name: str, folder: Path, discord: Discord, database: str, **settings: object) -> None:
        self.name = name
        self.port = _free_port()
        self._folder = folder
        self._log: IO[bytes] = (folder / f"{name}.log").open("ab")
        own = {
            "token": TOKEN,
            "discord": discord.address,
            "database": database,
            "status_port": self.port,
            "thinkers": 0,
            "requests": 100_000,  # all players are on one server
        }
        environment = {f"KROPKA_{key.upper()}": str(value) for key, value in (own | settings).items()}
        self._environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), **environment}
        self._process: Process | None = None

    async def start(self, late: float = 0.0) -> None:
        """Starts the process, with a clock that is `late` seconds behind."""
        program = ["-m", "benchmarks.late", str(late)] if late else ["-m", "bot"]
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, *program, "run", cwd=self._folder, env=self._environment, stdout=DEVNULL, stderr=self._log
        )

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.returncode is None

    @property
    def pid(self) -> int:
        assert self._process is not None, "it was started"
        return self._process.pid

    def send(self, number: signal.Signals) -> None:
        assert self._process is not None, "it was started"
        self._process.send_signal(number)

    async def stop(self, number: signal.Signals = signal.SIGTERM) -> int | None:
        """Stops the process if it runs, waits for its end, and returns its exit status."""
        if self._process is None:
            return None
        if self.is_running:
            self.send(number)
        return await self._process.wait()

    async def wait_until_healthy(self, within: float = 60.0) -> None:
        """Waits until the process reports that it is healthy."""
        async with asyncio.timeout(within):
            while not await self._is_healthy():
                assert self.is_running, f"{self.name} has ended: see {self._log.name}"
                await asyncio.sleep(0.1)

    async def _is_healthy(self) -> bool:
        try:
            async with ClientSession() as session, session.get(f"http://127.0.0.1:{self.port}/healthz") as response:
                return response.status == 200
        except ClientError:
            return False

    @property
    def memory(self) -> float:
        """Returns the megabytes that the process has in memory."""
        pages = int(Path(f"/proc/{self.pid}/statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6

    @property
    def cpu_seconds(self) -> float:
        """Returns the seconds of a core that the process has used."""
        spent = Path(f"/proc/{self.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(spent[11]) + int(spent[12])) / os.sysconf("SC_CLK_TCK")


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port: int = taken.getsockname()[1]
        return port


@asynccontextmanager
async def fleet(
    processes: int, address: str, folder: Path, *, limits: bool = False, **settings: object
) -> AsyncIterator[tuple[Discord, list[Bot]]]:
    """Yields a Discord and healthy processes of the bot that share a database, with further `settings`."""
    if processes > 1:
        settings |= {"shards": processes, "processes": processes}
    async with discord_with_commands(limits=limits) as discord:
        bots = [Bot(f"bot{number}", folder, discord, address, **settings) for number in range(processes)]
        try:
            for bot in bots:
                await bot.start()
            for bot in bots:
                await bot.wait_until_healthy()
            await discord.until(lambda: discord.shards == set(range(processes)), timeout=60.0)
            yield discord, bots
        finally:
            await asyncio.gather(*(bot.stop() for bot in bots))


@asynccontextmanager
async def discord_with_commands(*, limits: bool = False) -> AsyncIterator[Discord]:
    """Yields a Discord that has the commands, and in which every channel counts as a server."""
    async with Discord(spread=True, limits=limits) as discord:
        discord.limit_threads(sys.maxsize)  # which each of the servers would have for itself
        use_stand_in(discord.address)
        async with library.Client(intents=library.Intents.none()) as client:
            await client.login(TOKEN)
            await CommandTree(client, spoken(), FEATURES).sync()
        yield discord
