"""Bots with a web board as processes of their own, which can be killed."""

from __future__ import annotations

import asyncio
import socket
import time
from argparse import Namespace

import pytest

from bot.cli import maintenance
from bot.settings import Settings
from loopback import HANG_SECONDS, TOKEN, Channel, Discord, Message, Person
from play.ids import Millis
from tests.clock import StoppedClock


def free_ports(count: int) -> list[int]:
    """Returns ports that nothing listens on at the moment."""
    held = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in held]
    for each in held:
        each.close()
    return ports


async def prepare(clock: StoppedClock, monkeypatch: pytest.MonkeyPatch, web_url: str) -> None:
    """Tells the stand-in the commands, and sets its clock to that of the processes."""
    clock.time = Millis(time.time_ns() // 1_000_000)
    monkeypatch.setenv("KROPKA_TOKEN", TOKEN)
    monkeypatch.setenv("KROPKA_WEB_URL", web_url)
    await maintenance.sync(Settings.read(), Namespace())


async def begin_game(discord: Discord, ola: Person, maksim: Person, channel: Channel, *, clock: str = "3d") -> Message:
    """Begins a game of the two in a channel; returns its first board."""
    await ola.command(channel, "challenge", opponent=maksim, size="9x9", start="empty", clock=clock).answered()
    card = discord.messages(channel)[-1]
    await maksim.click(card, "Accept").followed()

    def board() -> Message | None:
        messages = [message for thread in discord.threads for message in discord.messages(thread)]
        return next((each for each in messages if "Browser" in each.labels), None)

    found: Message = await discord.until(board)
    return found


async def wait_for_site(port: int) -> None:
    """Returns when something listens. Raises TimeoutError."""
    async with asyncio.timeout(HANG_SECONDS):
        while True:
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", port)
            except OSError:
                await asyncio.sleep(0.1)
            else:
                writer.close()
                return
