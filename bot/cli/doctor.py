"""`kropka doctor`: checks everything that the bot needs, part by part, and changes nothing."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any, NamedTuple

import aiohttp
import discord

from bot.cli.activity import is_for_team_only, missing_for_activity, missing_installs
from bot.cli.application import missing_for_discovery
from bot.connection import LOGIN_REFUSED
from bot.invitation import NEEDED, invite_url
from bot.settings import Settings
from bot.telemetry.reach import UNREACHABLE, reason
from play.store import CannotOpen
from renderer.board import draw
from renderer.header import Header, Plate
from rules.picture import Picture, Stone
from rules.point import Point, Seat
from storage import database_time, file_of
from storage.backup import Unsound, check

MAX_SKEW_SECONDS = 2.0
"""Seconds by which a clock may be wrong: a flag waits as long for a move that was made in time."""


PAGE_SIZE = 200
"""Servers on a page of Discord's list."""


class Finding(NamedTuple):
    part: str
    good: bool
    sentence: str
    is_hint: bool = False
    """Whether the bot works without it."""


async def run_checks(settings: Settings) -> AsyncIterator[Finding]:
    """Yields a finding for each part; a failure of one part keeps no other from being checked."""
    parts: dict[str, Callable[[Settings], Awaitable[list[Finding]]]] = {
        "fonts": _fonts,
        "database": _database,
        "clock": _clock,
        "token": _discord,
    }
    for name, look in parts.items():
        try:
            findings = await look(settings)
        except UNREACHABLE as error:
            findings = [Finding(name, False, f"Discord can't be reached ({reason(error)})")]
        except Exception as error:
            findings = [Finding(name, False, f"{type(error).__name__}: {error}")]
        for finding in findings:
            yield finding


async def _fonts(_: Settings) -> list[Finding]:
    began = time.perf_counter()
    stones = Stone(Point(3, 3), Seat(0)), Stone(Point(4, 4), Seat(1))
    png = draw(Picture(20, 20, stones), Header((Plate("Łukasz", "1"), Plate("Максим", "0"))))
    spent = (time.perf_counter() - began) * 1000
    return [Finding("fonts", True, f"a board was drawn and lettered: {len(png):,} bytes in {spent:.0f} ms")]


async def _database(settings: Settings) -> list[Finding]:
    file = file_of(settings.present_address())
    if file is not None:
        return [await asyncio.to_thread(_database_file, file)]
    try:
        skew = await database_time(settings.address()) / 1000 - time.time()
    except CannotOpen as error:
        return [Finding("database", False, f"KROPKA_DATABASE: {error}")]
    return [
        Finding("database", abs(skew) <= MAX_SKEW_SECONDS, f"reached; its clock is {skew:+.1f} s from this machine's")
    ]


def _database_file(file: Path) -> Finding:
    """Returns whether a database file is whole, or can be made."""
    try:
        check(file)
    except FileNotFoundError:
        place = next(folder for folder in file.parents if folder.exists())
        if place.is_dir() and os.access(place, os.W_OK | os.X_OK):
            return Finding("database", True, f"{file} isn't there yet; the first `kropka run` makes it")
        return Finding("database", False, f"KROPKA_DATABASE: {place} can't be written to; choose another place")
    except Unsound as error:
        return Finding("database", False, f"{error}; `kropka restore` puts a copy in its place")
    return Finding("database", True, f"{file} is whole")


async def _clock(_: Settings) -> list[Finding]:
    began = time.time()
    async with aiohttp.ClientSession() as session, session.get(f"{discord.http.Route.BASE}/gateway") as answer:
        theirs = parsedate_to_datetime(answer.headers["Date"]).timestamp()
    ours = (began + time.time()) / 2
    skew = ours - theirs - 0.5  # theirs is a whole second, rounded down
    good = abs(skew) <= MAX_SKEW_SECONDS
    return [Finding("clock", good, f"{skew:+.1f} s from Discord's" + ("" if good else "; let NTP set it"))]


async def _discord(settings: Settings) -> list[Finding]:
    if settings.token is None:
        return [Finding("token", False, "KROPKA_TOKEN is missing, so `kropka run` is the try-out")]
    async with discord.Client(intents=discord.Intents.none()) as client:
        try:
            await client.login(settings.token.get_secret_value())
        except discord.LoginFailure:
            return [Finding("token", False, LOGIN_REFUSED)]
        assert client.user is not None
        assert client.application_id is not None
        commands = await client.http.get_global_commands(client.application_id)
        shards, _, limit = await client.http.get_bot_gateway()
        return [
            Finding("token", True, f"it is that of {client.user}"),
            Finding("commands", bool(commands), f"Discord knows {len(commands)}" if commands else "run `kropka sync`"),
            Finding(
                "gateway",
                limit["remaining"] >= shards,
                f"{shards} shards recommended, {limit['remaining']} of {limit['total']} sessions left today",
            ),
            *[finding async for finding in _permissions(client)],
            *await _publicity(client, settings),
            *await _portal(client, settings),
        ]


async def _publicity(client: discord.Client, settings: Settings) -> list[Finding]:
    """Returns how people add the bot to their servers, and what keeps it out of Discord's directory."""
    info = await client.application_info()
    assert client.user is not None, "it has logged in"
    missing = missing_for_discovery(info, client.user, settings.hosting())
    hints = [Finding("discovery", False, f"missing is {each}", is_hint=True) for each in missing]
    listed = Finding("discovery", True, "nothing is missing that Discord tells; the portal has the rest: Discovery")
    return [Finding("invite", True, invite_url(info.id)), *(hints or [listed])]


async def _portal(client: discord.Client, settings: Settings) -> list[Finding]:
    """Returns what is wrong with the application in the developer portal."""
    application: dict[str, Any] = dict(await client.http.application_info())
    findings = [Finding("installation", False, each) for each in missing_installs(application)]
    if settings.hosting().client_secret is None:
        return findings
    findings += [Finding("activity", False, each) for each in missing_for_activity(application)]
    if is_for_team_only(application):
        sentence = "opens for your team only, in servers below 25 members, until Discord has verified the application"
        findings.append(Finding("activity", False, sentence, is_hint=True))
    return findings


async def _permissions(client: discord.Client) -> AsyncIterator[Finding]:
    """Yields the servers in which the bot's own role lacks a permission; a channel may still take away more."""
    lacking = servers = 0
    last: str | None = None
    while page := await client.http.get_guilds(PAGE_SIZE, after=last, with_counts=False):
        for guild in page:
            granted = discord.Permissions(int(guild["permissions"]))
            if missing := [name for name, wanted in NEEDED if wanted and not getattr(granted, name)]:
                lacking += 1
                yield Finding("permissions", False, f"server {guild['id']} does not grant {', '.join(missing)}")
        servers += len(page)
        last = str(page[-1]["id"])
        if len(page) < PAGE_SIZE:
            break
    yield Finding("permissions", not lacking, f"{servers - lacking} of {servers} servers grant what a game needs")
