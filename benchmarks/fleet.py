"""A little Discord, and bots on it as processes of their own: what load and faults are measured on."""

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

from bot.app import FEATURES, offered_presets
from bot.client import use_stand_in
from bot.i18n.words import Languages
from bot.interactions.command_tree import CommandTree
from loopback import TOKEN, Discord

ROOT = Path(__file__).parents[1]


class Bot:
    """A process of Kropka. Its log is the file `NAME.log` in `folder`."""

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
            "requests": 100_000,  # everybody plays on one server
        }
        environment = {f"KROPKA_{key.upper()}": str(value) for key, value in (own | settings).items()}
        self._environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), **environment}
        self._process: Process | None = None

    async def start(self, late: float = 0.0) -> None:
        """Starts it, by a clock that is so many seconds late."""
        program = ["-m", "benchmarks.late", str(late)] if late else ["-m", "bot"]
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, *program, "run", cwd=self._folder, env=self._environment, stdout=DEVNULL, stderr=self._log
        )

    @property
    def runs(self) -> bool:
        return self._process is not None and self._process.returncode is None

    def send(self, number: signal.Signals) -> None:
        assert self._process is not None, "it was started"
        self._process.send_signal(number)

    async def end(self, number: signal.Signals = signal.SIGTERM) -> int | None:
        """Ends it if it runs, and returns its exit status when it has ended."""
        if self._process is None:
            return None
        if self.runs:
            self.send(number)
        return await self._process.wait()

    async def well(self, within: float = 60.0) -> None:
        """Returns when it says that all is well."""
        async with asyncio.timeout(within):
            while not await self._says_so():
                assert self.runs, f"{self.name} has ended: see {self._log.name}"
                await asyncio.sleep(0.1)

    async def _says_so(self) -> bool:
        try:
            async with ClientSession() as session, session.get(f"http://127.0.0.1:{self.port}/healthz") as answer:
                return answer.status == 200
        except ClientError:
            return False

    @property
    def memory(self) -> float:
        """Megabytes that it has in memory."""
        assert self._process is not None, "it was started"
        pages = int(Path(f"/proc/{self._process.pid}/statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6

    @property
    def busy(self) -> float:
        """Seconds for which it has had a core."""
        assert self._process is not None, "it was started"
        spent = Path(f"/proc/{self._process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(spent[11]) + int(spent[12])) / os.sysconf("SC_CLK_TCK")


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port: int = taken.getsockname()[1]
        return port


@asynccontextmanager
async def fleet(
    processes: int, address: str, folder: Path, *, limits: bool = False
) -> AsyncIterator[tuple[Discord, list[Bot]]]:
    """A Discord and so many processes of the bot that share a database, all of them well."""
    many = {"shards": processes, "processes": processes} if processes > 1 else {}
    async with discord_with_commands(limits=limits) as discord:
        bots = [Bot(f"bot{number}", folder, discord, address, **many) for number in range(processes)]
        try:
            for bot in bots:
                await bot.start()
            for bot in bots:
                await bot.well()
            await discord.until(lambda: discord.shards == set(range(processes)), timeout=60.0)
            yield discord, bots
        finally:
            await asyncio.gather(*(bot.end() for bot in bots))


@asynccontextmanager
async def discord_with_commands(*, limits: bool = False) -> AsyncIterator[Discord]:
    """A Discord that knows the commands, and in which every channel counts as a server."""
    async with Discord(spread=True, limits=limits) as discord:
        use_stand_in(discord.address)
        async with library.Client(intents=library.Intents.none()) as client:
            await client.login(TOKEN)
            await CommandTree(client, Languages(), FEATURES, offered_presets(dot_dash=False)).sync()
        yield discord
