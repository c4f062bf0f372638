"""The commands that need the database or Discord: settings, logs and the event loop for them, and how they fail."""

import argparse
import asyncio
import logging
import signal
import sys
from collections.abc import Callable, Coroutine
from http import HTTPStatus

import aiohttp
import discord

from bot.cli import maintenance, operator, serving
from bot.cli.complaint import MAY_PASS, NEEDS_OPERATOR, complain
from bot.client import use_stand_in
from bot.connection import CLOSE_SENTENCES, DISALLOWED_INTENTS, LOGIN_REFUSED
from bot.edge import Blocked
from bot.services.discord_errors import ErrorCode, describe
from bot.settings import BadSettings, Settings, unknown_settings
from bot.telemetry import logs, sentry
from bot.telemetry.reach import reason
from storage import InUse
from storage.backup import Unsound
from storage.errors import Broken, CannotOpen, Unavailable
from storage.transfer import Mismatch, NotEmpty

if sys.platform == "win32":
    from asyncio import run as run_loop
else:
    from uvloop import run as run_loop

Command = Callable[[Settings, argparse.Namespace], Coroutine[None, None, int]]

COMMANDS: dict[str, Command] = {
    "run": serving.run,
    "sync": maintenance.sync,
    "migrate": maintenance.migrate_database,
    "backup": maintenance.make_backup,
    "restore": maintenance.restore_backup,
    "doctor": maintenance.examine,
    "operator": operator.run,
}

REFUSED_SENTENCES: dict[int, str] = {
    ErrorCode.ENTRY_POINT_MISSING: "Activities are enabled for this application, and then Discord wants the command"
    " that opens them, too. Set KROPKA_CLIENT_SECRET (docs/operators.md, Inside Discord) and run `kropka sync` again,"
    " or disable Activities in the developer portal.",
}
"""What the operator can do where Discord refuses a request with one of these codes: trying again would not help."""

log = logging.getLogger("kropka")


def operate(arguments: argparse.Namespace) -> int:
    """Runs the command, and returns its exit status; a failure is told in one sentence."""
    try:
        settings = Settings.read()
        logs.set_up(settings.log_level, settings.log_format)
        for sentence in (*unknown_settings(), *settings.useless()):
            log.warning("%s", sentence)
        if settings.sentry is not None:
            sentry.set_up(settings.sentry, settings.way_to)
        if settings.discord is not None:
            use_stand_in(str(settings.discord))
        return run_loop(run_until_told(COMMANDS[arguments.command](settings, arguments)))
    except CannotOpen as error:
        return complain(f"KROPKA_DATABASE: {error}", NEEDS_OPERATOR)
    except (BadSettings, Broken, InUse) as error:
        return complain(str(error), NEEDS_OPERATOR)
    except (FileExistsError, FileNotFoundError, NotEmpty, Unsound) as error:
        return complain(f"{error}.", NEEDS_OPERATOR)
    except discord.LoginFailure as error:
        if isinstance(error.__cause__, Blocked):  # with a status that discord.py takes for Discord's
            return complain(*_refusal(error.__cause__))
        return complain(LOGIN_REFUSED, NEEDS_OPERATOR)
    except (discord.ConnectionClosed, discord.PrivilegedIntentsRequired) as error:
        return complain(CLOSE_SENTENCES[getattr(error, "code", DISALLOWED_INTENTS)], NEEDS_OPERATOR)
    except discord.HTTPException as error:
        return complain(*_refusal(error))
    except (discord.GatewayNotFound, aiohttp.ClientError) as error:
        return complain(f"Discord can't be reached ({reason(error)}). Try again later.", MAY_PASS)
    except Unavailable as error:
        return complain(f"The database doesn't answer ({error}). Try again later.", MAY_PASS)
    except Mismatch as error:
        return complain(str(error), MAY_PASS)


def _refusal(error: discord.HTTPException) -> tuple[str, int]:
    """Returns what Discord says of a request that it refuses and what to do about it, and the exit status."""
    if isinstance(error, Blocked):
        return f"What is in front of Discord answers in its place ({describe(error)}). Try again later.", MAY_PASS
    said = "; ".join(error.text.splitlines())
    sentence = f"Discord refuses a request: {said} ({error.status} {error.response.reason}, code {error.code})."
    if (advice := REFUSED_SENTENCES.get(error.code)) is not None:
        return f"{sentence} {advice}", NEEDS_OPERATOR
    may_pass = error.status in (HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_MANY_REQUESTS) or error.status >= 500
    return f"{sentence} {'Try again later.' if may_pass else 'If that stays so, report this line.'}", MAY_PASS


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
        _call_on_signal(number, stop)
    try:
        return await task
    except asyncio.CancelledError:
        log.info("stopped")
        return 0


def _call_on_signal(number: signal.Signals, stop: Callable[[], None]) -> None:
    """Has `stop` called in the running loop at a signal. The loops of Windows take no signals themselves."""
    loop = asyncio.get_running_loop()
    try:
        loop.add_signal_handler(number, stop)
    except NotImplementedError:
        signal.signal(number, lambda *_: loop.call_soon_threadsafe(stop))
