"""Checks of `kropka doctor` that look at this machine, its database, and the bot that runs on it."""

import asyncio
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

import aiohttp
import yarl
from prometheus_client.parser import text_string_to_metric_families

from bot.cli.discord_checks import MAX_SKEW_SECONDS
from bot.cli.findings import Answer, CannotAsk, CannotTell, Check, bad, good, hint, judge
from bot.settings import Settings, StatusSettings
from bot.telemetry.metrics import INVALID_REQUESTS, PAUSE
from bot.telemetry.reach import reason
from renderer.board import draw
from renderer.header import Header, Plate
from rules.game import Picture, Point, Seat, Stone
from storage import database_time, file_of, require_known
from storage.backup import Unsound, check
from storage.errors import Broken, CannotOpen, Unavailable
from storage.open_file import not_writable

MAX_REFUSALS: Final = 1_000
"""Refusals an hour that call for the operator. After 10,000 in ten minutes Discord shuts an address out."""

ANY_HOST: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - addresses to listen on, and to ask at
"""Where to ask a bot that listens on all addresses."""


class MachineChecks:
    """The checks of one examination."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def checks(self) -> tuple[Check, ...]:
        """Returns the checks in their order."""
        return (
            Check("fonts", "Can boards be drawn?", self._fonts),
            Check("database", "Is the database there and whole?", self._database),
        )

    async def _fonts(self) -> AsyncIterator[Answer]:
        began = time.perf_counter()
        stones = Stone(Point(3, 3), Seat(0)), Stone(Point(4, 4), Seat(1))
        png = draw(Picture(20, 20, stones), Header((Plate("Łukasz", "1"), Plate("Максим", "0"))))
        spent = (time.perf_counter() - began) * 1000
        yield good(f"a board was drawn and lettered: {len(png):,} bytes in {spent:.0f} ms")

    async def _database(self) -> AsyncIterator[Answer]:
        address = self._settings.present_address()
        file = file_of(address)
        try:
            yield await (_examine_server(address) if file is None else _examine_file(address, file))
        except CannotOpen as error:
            yield bad(f"KROPKA_DATABASE: {error}")
        except Broken as error:
            yield bad(str(error))
        except Unavailable as error:
            raise CannotTell(f"it doesn't answer ({error}); start it, or try again later") from error


async def _examine_server(address: str) -> Answer:
    """Returns whether a server's clock is right. Raises Broken if its tables are newer than the program."""
    await require_known(address)
    skew = await database_time(address) / 1000 - time.time()
    sentence = f"reached; its clock is {skew:+.1f} s from this machine's"
    return judge(abs(skew) <= MAX_SKEW_SECONDS, sentence, "let NTP set both")


async def _examine_file(address: str, file: Path) -> Answer:
    """Returns whether a database file is whole and writable, or can be made. Raises Broken if it is newer than the
    program."""
    if (place := not_writable(file)) is not None:
        return bad(f"KROPKA_DATABASE: {place} can't be written to; choose another place, or let Kropka write there")
    try:
        await asyncio.to_thread(check, file)
    except FileNotFoundError:
        return good(f"{file} isn't there yet; the first `kropka run` makes it")
    except Unsound as error:
        return bad(f"{error}; `kropka restore` puts a copy in its place")
    await require_known(address)
    return good(f"{file} is whole")


class RunningChecks:
    """The check of one examination."""

    def __init__(self, settings: StatusSettings, http: aiohttp.ClientSession) -> None:
        self._settings = settings
        self._http = http

    def checks(self) -> tuple[Check, ...]:
        """Returns the check."""
        return (Check("refusals", "Has Discord refused the running bot much in the last hour?", self._refusals),)

    async def _refusals(self) -> AsyncIterator[Answer]:
        host, port = self._settings.status_host, self._settings.status_port
        if not port:
            raise CannotAsk("KROPKA_STATUS_PORT isn't set, so a running bot can't be asked")
        address = yarl.URL.build(scheme="http", host=ANY_HOST.get(host, host), port=port, path="/metrics")
        try:
            async with self._http.get(address, allow_redirects=False) as answer:
                families = [*text_string_to_metric_families(await answer.text())]
        except (aiohttp.ClientError, OSError) as error:
            raise CannotAsk(f"no bot answers on port {port} ({reason(error)}); start it, and ask again") from error
        except ValueError:
            families = []
        values = {family.name: family.samples for family in families}
        if pause := max((sample.value for sample in values.get(PAUSE, ())), default=0.0):
            yield hint(
                f"for {pause:.0f} s the bot sends nothing that can wait, since what is in front of Discord has answered"
                " in its place; the log says what. Leave it running: it tries again by itself"
            )
        counts = {sample.labels["status"]: int(sample.value) for sample in values.get(INVALID_REQUESTS, ())}
        if not counts:
            yield bad(f"another program answers on port {port}, or an older Kropka; compare KROPKA_STATUS_PORT")
            return
        told = ", ".join(f"{status}: {count:,}" for status, count in sorted(counts.items()))
        where = "the log has Discord's sentence for each, and docs/operators.md, Watch it, says what they mean"
        if sum(counts.values()) >= MAX_REFUSALS:
            yield bad(f"{told}; {where}. Stop the bot before Discord shuts its address out (10,000 in ten minutes)")
        elif any(counts.values()):
            yield hint(f"{told}; {where}")
        else:
            yield good(told)
