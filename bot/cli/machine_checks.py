"""Checks of `kropka doctor` that look at this machine, and at the database."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from pathlib import Path

from bot.cli.discord_checks import MAX_SKEW_SECONDS
from bot.cli.findings import Answer, CannotTell, Check, bad, good, judge
from bot.settings import Settings
from renderer.board import draw
from renderer.header import Header, Plate
from rules.game import Picture, Point, Seat, Stone
from storage import database_time, file_of, require_known
from storage.backup import Unsound, check
from storage.errors import Broken, CannotOpen, Unavailable
from storage.open_file import not_writable


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
