"""The command line: each command as a process of its own."""

from __future__ import annotations

import asyncio
import logging
import os
import re
import signal
from pathlib import Path

import aiohttp
import pytest
from yarl import URL

from bot.cli.operation import run_until_told
from loopback import TOKEN, Discord
from storage import Database
from tests.program import kropka


@pytest.mark.process
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_stops_the_bot_in_good_order(tmp_path: Path, number: int) -> None:
    async with Discord() as discord, kropka(tmp_path, "run", token=TOKEN, discord=discord.address) as bot:
        await discord.until(lambda: discord.online)
        bot.send_signal(number)
        _, log = await bot.communicate()
        assert bot.returncode == 0, log.decode()
        assert TOKEN not in log.decode()
        assert not (tmp_path / "data" / "kropka.db-wal").exists()
        assert discord.problems == []


async def test_a_second_signal_does_not_disturb_the_closing_of_the_database(
    url: str, caplog: pytest.LogCaptureFixture
) -> None:
    in_transaction = asyncio.Event()

    async def work() -> int:
        async with Database.open(url) as database:
            try:
                async with database.write():
                    in_transaction.set()
                    await asyncio.Event().wait()
            finally:
                os.kill(os.getpid(), signal.SIGTERM)
        return 1

    running = asyncio.create_task(run_until_told(work()))
    await in_transaction.wait()
    os.kill(os.getpid(), signal.SIGTERM)
    assert await running == 0
    assert [each.getMessage() for each in caplog.records if each.levelno >= logging.WARNING] == []
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().remove_signal_handler(number)


@pytest.mark.process
async def test_sync_tells_discord_the_commands_and_no_other_does(tmp_path: Path) -> None:
    async with Discord() as discord:
        async with kropka(tmp_path, "run", token=TOKEN, discord=discord.address):
            await discord.until(lambda: discord.online)
            assert discord.commands == []
        async with kropka(tmp_path, "sync", token=TOKEN, discord=discord.address) as sync:
            output, log = await sync.communicate()
            assert sync.returncode == 0, log.decode()
            assert f"Discord knows {len(discord.commands)} commands of Kropka.\n" in output.decode()
            assert discord.world.described["tags"]
        names = {command["name"] for command in discord.commands}
        assert names >= {"challenge", "move", "board", "resign", "games", "help"}
        assert discord.problems == []


@pytest.mark.process
async def test_a_wrong_token_is_said_without_showing_it(tmp_path: Path) -> None:
    async with Discord() as discord, kropka(tmp_path, "run", token="wrong.to.ken", discord=discord.address) as bot:  # noqa: S106
        _, log = await bot.communicate()
        assert bot.returncode == 2
        assert "KROPKA_TOKEN: Discord doesn't know this token. Copy it again" in log.decode()
        assert "wrong.to.ken" not in log.decode()


@pytest.mark.process
async def test_a_second_bot_on_the_same_database_is_told_of_the_first(tmp_path: Path) -> None:
    async with Discord() as discord, kropka(tmp_path, "run", token=TOKEN, discord=discord.address):
        await discord.until(lambda: discord.online)
        async with kropka(tmp_path, "run", token=TOKEN, discord=discord.address) as second:
            _, log = await second.communicate()
            assert second.returncode == 2
            assert "is in use by another Kropka" in log.decode()


@pytest.mark.process
@pytest.mark.smoke
async def test_without_a_token_the_try_out_says_where_to_go(tmp_path: Path) -> None:
    async with kropka(tmp_path, "run", port="0") as tryout:
        assert tryout.stdout is not None
        lines = [(await tryout.stdout.readline()).decode() for _ in range(4)]
        assert re.search(r"Open  http://127\.0\.0\.1:\d+/\?key=[\w-]{43}$", lines[3].rstrip())
        tryout.send_signal(signal.SIGTERM)
        await tryout.communicate()
        assert tryout.returncode == 0
    assert {path.name for path in (tmp_path / "data").iterdir()} >= {"tryout.db", "tryout.discord"}


@pytest.mark.process
async def test_the_try_out_does_not_take_the_token_that_the_sources_tell(tmp_path: Path) -> None:
    async with kropka(tmp_path, "run", port="0") as tryout, aiohttp.ClientSession() as stranger:
        assert tryout.stdout is not None
        lines = [(await tryout.stdout.readline()).decode() for _ in range(4)]
        address = URL(lines[3].split()[-1]).origin() / "api/v10/users/@me"
        async with stranger.get(address, headers={"Authorization": f"Bot {TOKEN}"}) as answer:
            assert answer.status == 401
        tryout.send_signal(signal.SIGTERM)
        await tryout.communicate()


@pytest.mark.process
async def test_a_taken_port_is_said(tmp_path: Path) -> None:
    async with Discord() as discord:
        port = discord.address.rstrip("/").rpartition(":")[2]
        async with kropka(tmp_path, "run", port=port) as tryout:
            _, log = await tryout.communicate()
            assert tryout.returncode == 2
            assert f"KROPKA_PORT: port {port} can't be used (Address already in use). Choose" in log.decode()


@pytest.mark.process
async def test_migrate_makes_the_tables(tmp_path: Path) -> None:
    async with kropka(tmp_path, "migrate") as migrate:
        await migrate.communicate()
        assert migrate.returncode == 0
    assert (tmp_path / "data" / "kropka.db").exists()
