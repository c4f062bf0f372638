"""The operator's commands beside `run`: migrate, back up, restore, sync and check."""

import argparse
import asyncio
from pathlib import Path

import aiohttp
import discord

from bot.cli.application import describe_application
from bot.cli.doctor import run_checks
from bot.cli.findings import Mark
from bot.edge import guard
from bot.features.registry import features
from bot.interactions.command_tree import CommandTree
from bot.markup import spoken
from bot.services.role_connections import register_figures
from bot.settings import BadSettings, Hosting, Settings, with_folder
from storage import address, file_of, migrate, require_tables
from storage.backup import backup, restore
from storage.errors import CannotOpen
from storage.transfer import transfer

PG_DUMP = (
    "PostgreSQL makes its own copies: `pg_dump --format=custom --file=FILE ADDRESS`, and back with"
    " `pg_restore --clean --if-exists --dbname=ADDRESS FILE`; docs/operators.md tells more"
)


def _file(settings: Settings) -> Path:
    file = file_of(settings.present_address())
    if file is None:
        raise BadSettings(PG_DUMP)
    return file


def _say(sentence: str) -> None:
    print(sentence, flush=True)  # noqa: T201


async def sync(settings: Settings, _: argparse.Namespace) -> int:
    """Runs `kropka sync`: tells Discord the commands, and what the application is."""
    intents, trace = discord.Intents(guilds=True), guard(aiohttp.TraceConfig())
    async with discord.Client(intents=intents, http_trace=trace, connector=settings.way_to().connector()) as client:
        await client.login(settings.secret())
        hosting = settings.hosting()
        tree = CommandTree(client, spoken(), features(hosting))
        try:
            _say(f"Discord knows {len(await tree.sync())} commands of Kropka.")
        except discord.HTTPException:
            await _describe(client, hosting)  # which has nothing to do with the commands
            raise
        await _describe(client, hosting)
    return 0


async def _describe(client: discord.Client, hosting: Hosting) -> None:
    told = "in all languages" if await describe_application(client, spoken(), hosting) else "in English alone"
    _say(f"Discord knows what Kropka is, {told}, and how to install it. `kropka doctor` prints the link.")
    if hosting.web and hosting.client_secret:
        _say(f"Discord knows {await register_figures(client, spoken())} figures for linked roles.")


async def migrate_database(settings: Settings, arguments: argparse.Namespace) -> int:
    """Runs `kropka migrate [--from ADDRESS]`."""
    if arguments.source is None:
        await migrate(with_folder(settings.present_address()))
        return 0
    try:
        await require_tables(arguments.source)
    except (ValueError, CannotOpen) as error:
        raise BadSettings(f"--from: {error}") from None
    target = with_folder(settings.address())
    if address(arguments.source) == address(target):
        raise BadSettings("--from: this is the database to move into. Set KROPKA_DATABASE to the new one.")
    await transfer(arguments.source, target, lambda table, rows: _say(f"{table}: {rows} rows, compared one by one"))
    _say("Everything is there. Start Kropka on the new database, and keep the old one for a while.")
    return 0


async def make_backup(settings: Settings, arguments: argparse.Namespace) -> int:
    """Runs `kropka backup FILE`."""
    file = _file(settings)
    size = await asyncio.to_thread(backup, file, arguments.file)
    _say(f"{arguments.file}: {size:,} bytes from {file}, whole and checked")
    return 0


async def restore_backup(settings: Settings, arguments: argparse.Namespace) -> int:
    """Runs `kropka restore FILE`."""
    file = _file(settings)
    with_folder(settings.present_address())
    old = await asyncio.to_thread(restore, arguments.file, file)
    await migrate(settings.present_address())
    _say(f"{file} is what {arguments.file} was." + (f" What was there before is in {old}." if old else ""))
    return 0


async def examine(settings: Settings, _: argparse.Namespace) -> int:
    """Runs `kropka doctor`; returns 1 if a check fails."""
    healthy = True
    async for check, answers in run_checks(settings):
        _say(check.question)
        for answer in answers:
            healthy &= answer.mark is not Mark.BAD
            _say(f"{answer.mark:4} {check.part}: {answer.sentence}")
    return 0 if healthy else 1
