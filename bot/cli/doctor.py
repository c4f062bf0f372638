"""`kropka doctor`: checks everything that the bot needs, part by part, and changes nothing."""

import time
from collections.abc import AsyncIterator, Callable

import aiohttp

from bot.cli.discord_checks import DiscordApi, DiscordChecks
from bot.cli.findings import Answer, CannotAsk, CannotTell, Check, Mark, bad
from bot.cli.machine_checks import MachineChecks, RunningChecks
from bot.cli.web_checks import WebChecks
from bot.settings import Settings
from bot.telemetry.reach import ANSWER_SECONDS
from web.activity import PROXY_ORIGIN


async def run_checks(
    settings: Settings,
    now: Callable[[], float] = time.time,
    answer_seconds: float = ANSWER_SECONDS,
    proxy: str = PROXY_ORIGIN,
) -> AsyncIterator[tuple[Check, list[Answer]]]:
    """Yields each check with its answers; a failure of one keeps no other from being made.

    `now` is this machine's clock in seconds since 1970. Each request gets `answer_seconds`. `proxy` is the address of
    Discord's proxy, with `{}` for the application's id.
    """
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=answer_seconds)) as http:
        discord = DiscordChecks(settings, DiscordApi(http, settings.token), now)
        subjects = (
            MachineChecks(settings),
            discord,
            RunningChecks(settings, http),
            WebChecks(settings, http, discord, now, proxy),
        )
        for subject in subjects:
            for check in subject.checks():
                yield check, [answer async for answer in _answers(check)]


async def _answers(check: Check) -> AsyncIterator[Answer]:
    try:
        async for answer in check.look():
            yield answer
    except CannotAsk as reason:
        yield Answer(Mark.SKIPPED, str(reason))
    except CannotTell as reason:
        yield bad(str(reason))
    except Exception as error:
        yield bad(f"{type(error).__name__}: {error}; report this line")
