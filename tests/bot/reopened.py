"""A chat and its database as they were saved: written as text, read back, and opened with the bot at work on them."""

from __future__ import annotations

import gzip
import json
import sqlite3
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, closing
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import discord as library
import pytest

from bot.client import use_stand_in
from bot.services.rate_limits import RateLimits
from loopback import Discord
from tests.bot.room import Room
from tests.clock import StoppedClock

BEFORE = Path(__file__).parents[1] / "data" / "before"
"""The database and chat of the version before the redesign: see the README there."""

DATABASE, CHAT, NOTES = "kropka", "chat", "notes.json"


@dataclass(frozen=True)
class Press:
    """A button or menu in the chat, whose it is, and what they choose or type in the form that it opens.

    `form` is that form as the version before opened it. `public` says whether everybody sees the message.
    """

    name: str
    by: str
    message: int
    control: str
    values: list[str] | None = None
    form: dict[str, Any] | None = None
    typed: dict[str, str] = field(default_factory=dict)
    public: bool = True


@dataclass(frozen=True)
class Told:
    """The answer of a command to a user."""

    name: str
    by: str
    channel: int
    command: str
    options: dict[str, Any]
    text: str


@dataclass(frozen=True)
class Notes:
    """Facts that are not in the chat: the time, the users of the buttons, the answers of commands, and the places."""

    at: int
    presses: tuple[Press, ...]
    told: tuple[Told, ...]
    places: dict[str, int]

    def write(self, folder: Path) -> None:
        """Writes the notes into the folder of the databases."""
        text = json.dumps(asdict(self), ensure_ascii=False, indent=1)
        (folder / NOTES).write_text(f"{text}\n", encoding="utf-8")

    @classmethod
    def read(cls, folder: Path) -> Notes:
        """Returns the notes that lie in a folder."""
        found = json.loads((folder / NOTES).read_text(encoding="utf-8"))
        presses = tuple(Press(**each) for each in found["presses"])
        told = tuple(Told(**each) for each in found["told"])
        return cls(found["at"], presses, told, found["places"])


def write_sql(file: Path, sql: Path) -> None:
    """Writes a file of SQLite as the statements that make it, packed."""
    with closing(sqlite3.connect(file)) as database:
        text = "".join(f"{line}\n" for line in database.iterdump())
    sql.write_bytes(gzip.compress(text.encode(), mtime=0))


def read_sql(sql: Path, file: Path) -> None:
    """Makes a file of SQLite by packed statements."""
    with closing(sqlite3.connect(file)) as database:
        database.executescript(gzip.decompress(sql.read_bytes()).decode())


@asynccontextmanager
async def at_work(
    folder: Path, clock: StoppedClock, people: Iterable[str] = (), url: str | None = None
) -> AsyncIterator[Room]:
    """The bot at work on the database and the chat of a folder, which need not be there yet, or on a database at `url`;
    `people` join first."""
    addresses = (
        (library.http.Route, "BASE"),
        (library.gateway.DiscordWebSocket, "DEFAULT_GATEWAY"),
        (library.asset.Asset, "BASE"),
    )
    with pytest.MonkeyPatch.context() as patch:
        for place, name in addresses:
            patch.setattr(place, name, getattr(place, name))  # put back at the end
        async with Discord(now=lambda: clock() / 1000, state=folder / f"{CHAT}.db") as discord:
            for name in people:
                discord.invite(name)
            use_stand_in(discord.address)
            address = url or f"sqlite+aiosqlite:///{folder / DATABASE}.db"
            room = Room(discord, address, clock, limits=RateLimits.per_minute(1_000_000))
            yield room


@asynccontextmanager
async def reopened(source: Path, folder: Path, url: str | None = None) -> AsyncIterator[tuple[Room, Notes]]:
    """The bot at work in `folder` on a copy of what was saved in `source`, at the time of its last moment. The database
    at `url`, if there is one, has a copy of its own."""
    notes, clock = Notes.read(source), StoppedClock()
    clock.advance(notes.at - clock.time)
    for name in (DATABASE, CHAT):
        read_sql(source / f"{name}.sql.gz", folder / f"{name}.db")
    async with at_work(folder, clock, url=url) as room:
        await room.start()
        try:
            yield room, notes
        finally:
            await room.stop()
