"""`kropka doctor`: checks everything that the bot needs, part by part, and changes nothing."""

import time
from collections.abc import AsyncIterator, Callable

import aiohttp

from bot.cli.discord_checks import DiscordApi, DiscordChecks
from bot.cli.findings import Answer, CannotAsk, CannotTell, Check, Mark, bad
from bot.cli.machine_checks import MachineChecks, RunningChecks
from bot.cli.matrix_checks import MatrixChecks
from bot.cli.telegram_checks import TelegramChecks
from bot.cli.web_checks import WebChecks
from bot.services.web_discord import PROXY_ORIGIN
from bot.settings import LOCAL, Settings
from bot.telemetry.reach import ANSWER_SECONDS
from bot.way_out import STRAIGHT


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
    timeout = aiohttp.ClientTimeout(total=answer_seconds)
    host = settings.web_url.host if settings.web_url else None
    way_to_site = settings.way_to(host) if host and host not in LOCAL else STRAIGHT
    async with (
        aiohttp.ClientSession(timeout=timeout) as here,
        aiohttp.ClientSession(timeout=timeout, connector=settings.way_to().connector()) as outside,
        aiohttp.ClientSession(timeout=timeout, connector=way_to_site.connector()) as site,
        aiohttp.ClientSession(timeout=timeout, connector=settings.way_to_homeserver().connector()) as matrix,
    ):
        discord = DiscordChecks(settings, DiscordApi(outside, settings.token), now)
        subjects = (
            MachineChecks(settings),
            discord,
            TelegramChecks(settings, outside),
            MatrixChecks(settings, matrix),
            RunningChecks(settings, here),
            WebChecks(settings, site, outside, way_to_site, discord, now, proxy),
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
