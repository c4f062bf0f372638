"""`kropka`: the command line. bot/app.py builds what it runs."""

from __future__ import annotations

import argparse
import asyncio
import logging
import secrets
import signal
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path

import aiohttp
import discord
import uvloop

from bot import app
from bot.cli import maintenance, replay
from bot.client import use_stand_in
from bot.connection import CLOSE_SENTENCES, DISALLOWED_INTENTS
from bot.features.coach.computer import ComputerSetup
from bot.health import Status, serve_health
from bot.services.rate_limits import RateLimits
from bot.settings import DATA, BadSettings, Settings
from bot.sharding import Cluster
from bot.telemetry import logs, sentry
from play.store import Broken, Unavailable
from storage import Database, InUse, file_of
from storage.advisory import Locks
from storage.backup import Unsound
from storage.transfer import Mismatch, NotEmpty

MAY_PASS, NEEDS_OPERATOR = 1, 2
"""Exit statuses: another start may succeed, or the operator has to act first (see deploy/kropka.service)."""

log = logging.getLogger("kropka")


async def _run(settings: Settings, _: argparse.Namespace) -> int:
    await (_serve if settings.token or settings.discord else _try_out)(settings)
    return 0


async def _serve(settings: Settings) -> None:
    address = maintenance.with_folder(settings.address())
    alone = file_of(address) is not None
    fleet = None if alone else Cluster(Locks.open(address), settings.shards, settings.processes)
    presets = app.offered_presets(dot_dash=settings.dot_dash)
    computer = ComputerSetup.of(settings)
    async with (
        app.run(
            Database.open(address),
            settings.secret(),
            presets,
            limits=RateLimits.per_minute(settings.requests),
            fleet=fleet,
            hosting=settings.hosting(),
            thinking=computer,
        ) as (bot, work),
        serve_health(Status(bot.store, bot.client, bot.services, work), settings.status_host, settings.status_port),
    ):
        await app.wait_for_failure(work)


async def _try_out(settings: Settings) -> None:
    address = maintenance.with_folder(settings.address("tryout"))
    state = (file_of(address) or DATA / "tryout.db").with_suffix(".discord")
    token = secrets.token_urlsafe(32)  # of this start alone, since others on this machine know what the sources say
    from bot.cli.tryout import offered_here, stand_in, welcome  # the stand-in is loaded only where it runs

    async with stand_in(settings.port, token, state) as discord_here:
        use_stand_in(discord_here.address)
        presets = app.offered_presets(dot_dash=True)
        hosting = offered_here(discord_here, settings.hosting())
        computer = ComputerSetup.of(settings)
        running = app.run(Database.open(address), token, presets, thinking=computer, hosting=hosting)
        async with (
            running as (bot, work),
            serve_health(Status(bot.store, bot.client, bot.services, work), settings.status_host, settings.status_port),
        ):
            await bot.client.tree.sync()
            print(welcome(discord_here, state.parent), flush=True)  # noqa: T201 - what the command is for
            await app.wait_for_failure(work)


async def run_until_told(work: Coroutine[None, None, int]) -> int:
    """Runs `work` until it ends or a signal asks to stop, and returns the exit status.

    Further signals change nothing: to stop takes limited time, and what is being closed must not be interrupted.
    `timeout` and some supervisors send two at once, to the process and to its group.
    """
    task = asyncio.create_task(work)

    def stop() -> None:
        if not task.cancelling():
            task.cancel()

    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop)
    try:
        return await task
    except asyncio.CancelledError:
        log.info("stopped")
        return 0


Command = Callable[[Settings, argparse.Namespace], Coroutine[None, None, int]]


def _with_settings(command: Command) -> Callable[[argparse.Namespace], int]:
    """Returns what argparse calls for a command that reads the settings and runs until it is told to stop."""

    def run(arguments: argparse.Namespace) -> int:
        settings = Settings.read()
        logs.set_up(settings.log_level, settings.log_format)
        if settings.sentry is not None:
            sentry.set_up(settings.sentry)
        if settings.discord is not None:
            use_stand_in(str(settings.discord))
        return uvloop.run(run_until_told(command(settings, arguments)))

    return run


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="kropka", description="A Discord bot for the squared-paper game Dots.")
    commands = parser.add_subparsers(required=True)
    listed: dict[str, tuple[Command, str]] = {
        "run": (_run, "run the bot; without a token, try it out on a stand-in for Discord"),
        "sync": (maintenance.sync, "tell Discord the slash commands, after an installation or a change"),
        "migrate": (
            maintenance.migrate_database,
            "bring the database up to date, as run does, or move into a new one",
        ),
        "backup": (maintenance.make_backup, "copy the database file, also while the bot works"),
        "restore": (maintenance.restore_backup, "put a copy in the place of the database file"),
        "doctor": (maintenance.examine, "look at token, permissions, database, fonts and clock"),
        "health": (maintenance.ask_health, "ask the running bot on this machine how it is"),
    }
    parsers = {}
    for name, (command, words) in listed.items():
        parsers[name] = commands.add_parser(name, help=words, description=words)
        parsers[name].set_defaults(run=_with_settings(command))
    parsers["migrate"].add_argument("--from", dest="source", metavar="ADDRESS", help="the database to move from")
    for name, words in (("backup", "where to; it must not exist"), ("restore", "the copy")):
        parsers[name].add_argument("file", type=Path, help=words)
    replay.add_parser(commands)
    words = "play Dots with other programs, line by line on standard input and output, and compile it first"
    commands.add_parser("engine", help=words, description=words).set_defaults(run=_engine)
    return parser


def _engine(_: argparse.Namespace) -> int:
    from opponent.engine import serve  # what it needs takes long to load, and no other command needs it

    serve(sys.stdin, sys.stdout)
    return 0


def main(arguments: list[str] | None = None) -> int:
    """Runs a command and returns its exit status; a failure is told in one sentence."""
    parsed = _parser().parse_args(arguments)
    try:
        status: int = parsed.run(parsed)
    except (BadSettings, Broken) as error:
        return _complain(str(error), NEEDS_OPERATOR)
    except discord.LoginFailure:
        return _complain("KROPKA_TOKEN: Discord does not know this token.", NEEDS_OPERATOR)
    except (discord.ConnectionClosed, discord.PrivilegedIntentsRequired) as error:
        return _complain(CLOSE_SENTENCES[getattr(error, "code", DISALLOWED_INTENTS)], NEEDS_OPERATOR)
    except discord.HTTPException as error:
        return _complain(f"Discord refused a request ({error.status} {error.response.reason}).", MAY_PASS)
    except (discord.GatewayNotFound, aiohttp.ClientError) as error:
        return _complain(f"Discord cannot be reached: {error}.", MAY_PASS)
    except Unavailable as error:
        return _complain(f"The database does not answer: {error}.", MAY_PASS)
    except (InUse, NotEmpty, Mismatch, Unsound, OSError) as error:
        return _complain(str(error) or type(error).__name__, MAY_PASS)
    return status


def _complain(sentence: str, status: int) -> int:
    print(sentence, file=sys.stderr)  # noqa: T201
    return status


if __name__ == "__main__":
    sys.exit(main())
