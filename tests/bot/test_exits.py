"""Exits of a bot that cannot go on: one plain sentence, and a status that says whether to try again."""

from __future__ import annotations

import asyncio
import signal
import sqlite3
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from discord.gateway import DiscordWebSocket

from bot.cli.health import query_health
from bot.connection import CLOSE_SENTENCES
from loopback import HANG_SECONDS, TOKEN, Discord
from loopback.gateway import CloseCode
from storage import migrate
from tests.bot.room import private_words
from tests.databases import outdate_the_program
from tests.program import kropka

MAY_PASS, NEEDS_OPERATOR = 1, 2

SENTENCES = {
    CloseCode.AUTHENTICATION_FAILED: "KROPKA_TOKEN: ",
    CloseCode.INVALID_SHARD: "KROPKA_SHARDS: ",
    CloseCode.SHARDING_REQUIRED: "KROPKA_SHARDS: ",
    CloseCode.INVALID_API_VERSION: "Install a newer Kropka",
    CloseCode.INVALID_INTENTS: "Install a newer Kropka",
    CloseCode.DISALLOWED_INTENTS: "Privileged Gateway Intents",
}


async def wait_for_exit(bot: Process) -> list[str]:
    """Waits until the process ends by itself; returns the lines that it has written to stderr."""
    async with asyncio.timeout(HANG_SECONDS):
        _, log = await bot.communicate()
    return log.decode().splitlines()


@asynccontextmanager
async def running_bot(folder: Path, discord: Discord, **settings: str) -> AsyncIterator[Process]:
    async with kropka(folder, "run", token=TOKEN, discord=discord.address, **settings) as bot:
        await discord.until(lambda: discord.online)
        yield bot


def test_every_code_after_which_discord_py_does_not_try_again_has_a_sentence() -> None:
    def is_final(code: int) -> bool:
        gateway: Any = SimpleNamespace(_close_code=code, socket=SimpleNamespace(close_code=code))
        return not DiscordWebSocket._can_handle_close(gateway)

    assert set(filter(is_final, range(4000, 5000))) == set(CLOSE_SENTENCES)
    assert not [code for code, words in SENTENCES.items() if words not in CLOSE_SENTENCES[code]]


@pytest.mark.process
@pytest.mark.parametrize("code", [CloseCode.AUTHENTICATION_FAILED, CloseCode.DISALLOWED_INTENTS])
async def test_what_discord_refuses_for_good_is_said_in_a_sentence(tmp_path: Path, code: CloseCode) -> None:
    async with Discord() as discord, running_bot(tmp_path, discord) as bot:
        discord.refuse(code)
        lines = await wait_for_exit(bot)
        assert bot.returncode == NEEDS_OPERATOR
        assert SENTENCES[code] in lines[-1]
        assert not any("Traceback" in line for line in lines)


@pytest.mark.process
async def test_discord_that_cannot_be_reached_at_the_start_is_tried_again_with_a_line_a_try(
    tmp_path: Path, unused_tcp_port: int
) -> None:
    async with kropka(tmp_path, "run", token=TOKEN, discord=f"http://127.0.0.1:{unused_tcp_port}") as bot:
        assert bot.stderr is not None
        line = (await bot.stderr.readline()).decode()
        assert (
            f"Discord can't be reached (127.0.0.1:{unused_tcp_port}: Connection refused). Trying again in 5 s." in line
        )
        async with Discord(port=unused_tcp_port) as discord:
            await discord.until(lambda: discord.online)
            assert (await bot.stderr.readline()).decode().endswith("ready on 1 server, 0 open games\n")
            bot.send_signal(signal.SIGINT)
            assert [each.partition("kropka: ")[2] for each in await wait_for_exit(bot)] == ["stopped"]
            assert bot.returncode == 0


@pytest.mark.process
@pytest.mark.parametrize("command", ["sync", "doctor"])
async def test_a_command_tells_that_discord_cannot_be_reached_and_ends(
    tmp_path: Path, unused_tcp_port: int, command: str
) -> None:
    async with kropka(tmp_path, command, token=TOKEN, discord=f"http://127.0.0.1:{unused_tcp_port}") as running:
        output, log = await running.communicate()
        assert f"Discord can't be reached (127.0.0.1:{unused_tcp_port}: Connection refused)" in (output + log).decode()
        assert b"Traceback" not in log
        assert running.returncode == MAY_PASS


@pytest.mark.process
async def test_while_discord_is_away_there_is_a_line_a_try_and_one_when_it_is_back(
    tmp_path: Path, unused_tcp_port: int
) -> None:
    discord = Discord(port=unused_tcp_port)
    discord.world.bot_joined = 0  # long ago, so that it greets nobody
    async with discord, kropka(tmp_path, "run", token=TOKEN, discord=discord.address) as bot:
        await discord.until(lambda: discord.online)
        await discord.__aexit__(None, None, None)
        assert bot.stderr is not None
        first, second = [(await bot.stderr.readline()).decode() for _ in range(2)]
        assert "ready on 1 server, 0 open games" in first
        assert f"shard 0: Discord can't be reached (127.0.0.1:{unused_tcp_port}: Connection refused)." in second
        async with Discord(port=unused_tcp_port) as back:
            await back.until(lambda: back.online)
            bot.send_signal(signal.SIGINT)
            lines = await wait_for_exit(bot)
    *retries, ready, stopped = lines
    assert all("shard 0: Discord can't be reached" in line for line in retries)
    assert "ready on 1 server" in ready
    assert "stopped" in stopped


@pytest.mark.process
async def test_discord_that_refuses_the_start_may_be_tried_again(tmp_path: Path) -> None:
    async with Discord() as discord:
        discord.fault("GET", "/users/@me", 403)
        async with kropka(tmp_path, "run", token=TOKEN, discord=discord.address) as bot:
            told = (await wait_for_exit(bot))[-1]
            assert told.startswith("Discord refuses a request: 403: injected by a test (403 Forbidden, code 0).")
            assert bot.returncode == MAY_PASS


@pytest.mark.process
async def test_a_sync_that_lacks_the_entry_point_says_what_to_do_and_tells_all_the_rest(tmp_path: Path) -> None:
    async with Discord() as discord:
        discord.fault("PUT", "/applications/{application_id}/commands", 400, code=50240)
        async with kropka(tmp_path, "sync", token=TOKEN, discord=discord.address) as bot:
            told = (await wait_for_exit(bot))[-1]
        assert "(400 Bad Request, code 50240). Activities are enabled" in told
        assert "Set KROPKA_CLIENT_SECRET" in told
        assert "Try again" not in told
        assert bot.returncode == NEEDS_OPERATOR
        assert discord.world.described["tags"]


@pytest.mark.process
async def test_a_sync_that_is_refused_says_what_discord_said(tmp_path: Path) -> None:
    async with Discord() as discord:
        discord.fault("PATCH", "/applications/@me", 400, code=50035, times=3)
        async with kropka(tmp_path, "sync", token=TOKEN, discord=discord.address) as bot:
            told = (await wait_for_exit(bot))[-1]
        assert told.endswith("Invalid Form Body (400 Bad Request, code 50035). If that stays so, report this line.")
        assert bot.returncode == MAY_PASS


@pytest.mark.process
async def test_a_database_that_is_newer_than_the_program_is_to_be_mended(tmp_path: Path) -> None:
    database = f"sqlite+aiosqlite:///{tmp_path}/kropka.db"
    await migrate(database)
    await outdate_the_program(database)
    async with kropka(tmp_path, "run", token=TOKEN, database=database) as bot:
        assert "The database is newer than this Kropka" in (await wait_for_exit(bot))[-1]
        assert bot.returncode == NEEDS_OPERATOR


@pytest.mark.process
async def test_a_file_that_is_no_database_is_to_be_mended(tmp_path: Path) -> None:
    (tmp_path / "kropka.db").write_text("a list of games" * 1000)
    async with kropka(tmp_path, "run", token=TOKEN, database=f"sqlite:///{tmp_path}/kropka.db") as bot:
        assert "kropka.db isn't a database, or is damaged" in (await wait_for_exit(bot))[-1]
        assert bot.returncode == NEEDS_OPERATOR


def delete(file: Path) -> None:
    file.unlink()


def replace(file: Path) -> None:
    other = file.with_name("other.db")
    other.write_bytes(file.read_bytes())
    other.replace(file)


@pytest.mark.process
@pytest.mark.parametrize("vanish", [delete, replace])
async def test_a_database_that_is_gone_is_told_to_people_and_ends_the_bot(
    tmp_path: Path, vanish: Callable[[Path], None]
) -> None:
    async with Discord() as discord, running_bot(tmp_path, discord) as bot:
        ola, channel = discord.people["Ola"], discord.channels["dots"]
        async with kropka(tmp_path, "sync", token=TOKEN, discord=discord.address) as sync:
            await sync.communicate()
        vanish(tmp_path / "data" / "kropka.db")
        assert "Your games are safe" in await private_words(ola.command(channel, "challenge", size="9x9"))
        line = (await wait_for_exit(bot))[-1]
        assert "kropka.db was deleted, moved, replaced or emptied" in line
        assert bot.returncode == NEEDS_OPERATOR


@pytest.mark.process
async def test_a_database_that_is_gone_ends_a_bot_of_whom_nobody_asks_anything(tmp_path: Path) -> None:
    async with Discord() as discord, running_bot(tmp_path, discord) as bot:
        (tmp_path / "data" / "kropka.db").unlink()
        assert "kropka.db was deleted" in (await wait_for_exit(bot))[-1]
        assert bot.returncode == NEEDS_OPERATOR


@pytest.mark.process
async def test_a_locked_database_fails_the_check_within_its_time(tmp_path: Path, unused_tcp_port: int) -> None:
    async with Discord() as discord, running_bot(tmp_path, discord, status_port=str(unused_tcp_port)):
        assert query_health(unused_tcp_port) == (True, "all is well")
        with closing(sqlite3.connect(tmp_path / "data" / "kropka.db", isolation_level=None)) as other:
            other.execute("BEGIN EXCLUSIVE")
            assert query_health(unused_tcp_port) == (False, "not working: database")
            other.execute("ROLLBACK")
        assert query_health(unused_tcp_port) == (True, "all is well")


@pytest.mark.process
async def test_the_folder_of_records_is_its_owners_alone(tmp_path: Path) -> None:
    async with kropka(tmp_path, "migrate") as migrating:
        await migrating.communicate()
    assert (tmp_path / "data").stat().st_mode & 0o777 == 0o700
