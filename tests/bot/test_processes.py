"""Two processes on one database: the other goes on where one was killed."""

from __future__ import annotations

import asyncio
from argparse import Namespace
from asyncio.subprocess import Process
from collections import Counter
from pathlib import Path

import pytest

from bot.cli import maintenance
from bot.settings import Settings
from loopback import HANG_SECONDS, TOKEN, Discord
from loopback.events import Event, MessagePosted
from tests.bot.room import private_words
from tests.bot.test_operator import add_servers
from tests.program import MAX_SECONDS, kropka


async def wait_for_shard(discord: Discord, process: Process) -> None:
    """Returns when a process says that it runs the shard. Raises TimeoutError."""
    assert process.stderr is not None
    async with asyncio.timeout(HANG_SECONDS):
        async for line in process.stderr:
            if b"runs here" in line:
                break
    await discord.until(lambda: discord.online)


@pytest.mark.process
async def test_a_process_that_stands_by_takes_over_from_one_that_is_killed(
    discord: Discord, tmp_path: Path, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KROPKA_TOKEN", TOKEN)
    await maintenance.sync(Settings.read(), Namespace())
    ola, channel = discord.people["Ola"], discord.channels["dots"]
    settings = {"token": TOKEN, "database": postgres_url, "discord": discord.address, "thinkers": "0"}
    async with kropka(tmp_path, "run", **settings) as old:
        await wait_for_shard(discord, old)
        async with kropka(tmp_path, "run", **settings) as new:
            assert "game" in await private_words(ola.command(channel, "games"))
            old.kill()
            await old.wait()
            await wait_for_shard(discord, new)
            assert "game" in await private_words(ola.command(channel, "games"))


@pytest.mark.process
async def test_two_processes_tell_each_server_once_though_one_is_killed_meanwhile(
    discord: Discord, tmp_path: Path, postgres_url: str
) -> None:
    channels = add_servers(discord, 12)
    file = tmp_path / "news.toml"
    file.write_text('en = "We move house on Sunday."\n', encoding="utf-8")
    settings = {"token": TOKEN, "database": postgres_url, "discord": discord.address, "thinkers": "0"}
    counted = Counter[int]()

    def count(event: Event) -> None:
        if isinstance(event, MessagePosted) and event.message.text.startswith("We move house"):
            counted[event.message.channel_id] += 1

    discord.listen(count)
    async with kropka(tmp_path, "run", **settings) as old:
        await wait_for_shard(discord, old)
        async with kropka(tmp_path, "run", **settings):
            async with kropka(tmp_path, "operator", "announce", str(file), **settings) as announced:
                assert await announced.wait() == 0
            await discord.until(lambda: len(counted) >= 3, MAX_SECONDS)
            old.kill()
            await old.wait()
            await discord.until(lambda: all(channel.id in counted for channel in channels), MAX_SECONDS)
    assert set(counted.values()) == {1}
