"""`kropka`: the command line, and the one place where the parts are put together."""

from __future__ import annotations

import argparse
import asyncio
import logging
import secrets
import signal
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import discord

from bot import replay
from bot.client import Kropka, Tree, use_stand_in
from bot.settings import BadSettings, Settings
from bot.tryout import stand_in, welcome
from bot.words import Languages
from loopback import TOKEN as STAND_IN_TOKEN
from play.herald import Herald
from play.keeper import Keeper
from play.store import Store
from play.tables import Tables
from renderer.theme import PAPER
from renderer.warm import warm
from rules.registry import GAMES, NEEDS_CONSENT
from storage import Database, InUse, migrate

DATA = Path("data")
"""Where the databases are unless a setting says otherwise."""

USUAL_SIZES = ((20, 20), (39, 32))
"""The fields that most matches are played on, in crossings."""

NEEDS_BLITZ = "sport-blitz"
"""Nothing but `sport` until there is a clock that places a random dot for whoever is late."""

FAILED, BAD_SETTINGS = 1, 2
"""Exit statuses."""

log = logging.getLogger("kropka")

Work = list[asyncio.Task[None]]
"""Tasks of which none ends by itself."""


@asynccontextmanager
async def working(
    database: AbstractAsyncContextManager[Store],
    token: str,
    presets: Sequence[str],
    seeds: Callable[[], int] = lambda: secrets.randbits(53),
) -> AsyncIterator[tuple[Kropka, Work]]:
    """The bot, logged in and at work; on the way out all is closed in order.

    Raises discord.LoginFailure and InUse.
    """
    async with database as store:
        tables = Tables(store, seeds)
        client = Kropka(tables, store, Languages(), presets)
        herald, keeper = Herald(store, client.announcer), Keeper(store, tables)
        tables.listeners += [herald.wake, keeper.wake]
        async with client:
            await client.login(token)
            work = [asyncio.create_task(task) for task in (client.connect(), herald.run(), keeper.run())]
            try:
                yield client, work
            finally:
                await client.close()
                for task in work:
                    task.cancel()
                await asyncio.gather(*work, return_exceptions=True)


def offered(*, dot_dash: bool) -> list[str]:
    """The presets that `/challenge` offers: those for two, and Dot Dash only where the operator wants it."""
    left_out = {NEEDS_BLITZ} if dot_dash else NEEDS_CONSENT | {NEEDS_BLITZ}
    return [key for key, game in GAMES.items() if game.seats == 2 and key not in left_out]


async def _run(settings: Settings) -> None:
    await (_serve if settings.token or settings.discord else _try_out)(settings)


async def _serve(settings: Settings) -> None:
    database, token = Database.open(_database(settings, "kropka")), _token(settings)
    async with working(database, token, offered(dot_dash=settings.dot_dash)) as (_, work):
        await _failed(work)


async def _try_out(settings: Settings) -> None:
    database = _database(settings, "tryout")
    state = _file(database).with_suffix(".discord")
    async with stand_in(settings.port, state) as discord_here:
        use_stand_in(discord_here.address)
        async with working(Database.open(database), STAND_IN_TOKEN, offered(dot_dash=True)) as (client, work):
            await client.tree.sync()
            print(welcome(discord_here, state.parent), flush=True)  # noqa: T201 - what the command is for
            await _failed(work)


async def _sync(settings: Settings) -> None:
    async with discord.Client(intents=discord.Intents.none()) as client:
        await client.login(_token(settings))
        commands = await Tree(client, Languages().of(), offered(dot_dash=settings.dot_dash)).sync()
    print(f"Discord knows {len(commands)} commands of Kropka.")  # noqa: T201


async def _migrate(settings: Settings) -> None:
    await migrate(_database(settings, "kropka"))


async def _failed(work: Work) -> None:
    """Waits until a task fails, and raises what it raised. Meanwhile the first boards are made quick to draw."""
    await asyncio.to_thread(warm, USUAL_SIZES, [PAPER])
    done, _ = await asyncio.wait(work, return_when=asyncio.FIRST_COMPLETED)
    for task in done:
        task.result()


async def _until_told(work: Coroutine[None, None, None]) -> None:
    """Runs `work` until it ends or a signal asks to stop; a second signal waits for nothing."""
    task = asyncio.create_task(work)
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, task.cancel)
    try:
        await task
    except asyncio.CancelledError:
        log.info("stopped")


def _token(settings: Settings) -> str:
    if settings.token is None:
        raise BadSettings("KROPKA_TOKEN: it is missing. `kropka run` alone, with no setting, is the try-out.")
    return settings.token.get_secret_value()


def _database(settings: Settings, name: str) -> str:
    """The address of the database, whose folder is made if need be."""
    database = settings.database or f"sqlite+aiosqlite:///{DATA / name}.db"
    _file(database).parent.mkdir(parents=True, exist_ok=True)
    return database


def _file(database: str) -> Path:
    return Path(database.partition(":///")[2])


def _log(settings: Settings) -> None:
    logging.basicConfig(level=settings.log_level, format="%(asctime)s %(levelname)-7s %(name)s: %(message)s")
    # discord.py warns of what we do on purpose: nothing here speaks, and nothing needs the cache of guilds.
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
    logging.getLogger("discord.state").addFilter(lambda record: "Guilds intent" not in record.getMessage())


def _with_settings(command: Callable[[Settings], Coroutine[None, None, None]]) -> Callable[[argparse.Namespace], int]:
    """What argparse calls for a command that reads the settings and runs until it is told to stop."""

    def run(_: argparse.Namespace) -> int:
        settings = Settings.read()
        _log(settings)
        if settings.discord is not None:
            use_stand_in(str(settings.discord))
        asyncio.run(_until_told(command(settings)))
        return 0

    return run


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="kropka", description="A Discord bot for the squared-paper game Dots.")
    commands = parser.add_subparsers(required=True)
    for name, command, words in (
        ("run", _run, "run the bot; without a token, try it out on a stand-in for Discord"),
        ("sync", _sync, "tell Discord the slash commands, after an installation or a change"),
        ("migrate", _migrate, "bring the database up to date (run does it as well)"),
    ):
        commands.add_parser(name, help=words, description=words).set_defaults(run=_with_settings(command))
    replay.add_parser(commands)
    return parser


def main(arguments: list[str] | None = None) -> int:
    """Runs a command and returns its exit status: 1 for a failure, 2 for settings or records that have to be mended."""
    parsed = _parser().parse_args(arguments)
    try:
        status: int = parsed.run(parsed)
    except BadSettings as error:
        return _complain(str(error), BAD_SETTINGS)
    except discord.LoginFailure:
        return _complain("KROPKA_TOKEN: Discord does not know this token.", BAD_SETTINGS)
    except (InUse, OSError) as error:
        return _complain(str(error), FAILED)
    return status


def _complain(sentence: str, status: int) -> int:
    print(sentence, file=sys.stderr)  # noqa: T201
    return status


if __name__ == "__main__":
    sys.exit(main())
