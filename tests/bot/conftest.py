"""The real client, on real sockets and a real database, against the stand-in."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import discord as library
import pytest

from bot.client import use_stand_in
from loopback import Discord
from tests.bot.room import Room
from tests.bot.waiting import skip_confirmations
from tests.clock import StoppedClock
from tests.facts import OPENAPI

YEAR_SECONDS = 365 * 86_400
"""Since the bot has joined the server: nobody expects a greeting any more."""


@asynccontextmanager
async def stand_in(
    clock: StoppedClock, monkeypatch: pytest.MonkeyPatch, *, limits: bool = False
) -> AsyncIterator[Discord]:
    """Runs the stand-in, with `limits` of how often the bot may ask; the problems that it finds fail the test."""
    for place, name in (
        (library.http.Route, "BASE"),
        (library.gateway.DiscordWebSocket, "DEFAULT_GATEWAY"),
        (library.asset.Asset, "BASE"),
    ):
        monkeypatch.setattr(place, name, getattr(place, name))  # put back after the test
    async with Discord(now=lambda: clock() / 1000, openapi=OPENAPI, limits=limits) as discord:
        discord.world.bot_joined -= YEAR_SECONDS
        use_stand_in(discord.address)
        yield discord
        assert discord.problems == []


@asynccontextmanager
async def running_room(
    discord: Discord, url: str, clock: StoppedClock, run_options: dict[str, Any]
) -> AsyncIterator[Room]:
    """Runs a bot with a channel, whose people are told nothing that leads nowhere or that they may not see."""
    room = Room(discord, url, clock, **run_options)
    await room.start()
    yield room
    await room.stop()
    assert room.signposts.violations == []
    assert room.phones.too_high == {}


@pytest.fixture
async def discord(clock: StoppedClock, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Discord]:
    """The stand-in."""
    async with stand_in(clock, monkeypatch) as discord:
        yield discord


@pytest.fixture
async def room(discord: Discord, url: str, clock: StoppedClock, run_options: dict[str, Any]) -> AsyncIterator[Room]:
    """A channel with a running bot."""
    async with running_room(discord, url, clock, run_options) as room:
        yield room


@pytest.fixture
async def no_confirmation(room: Room) -> None:
    """Moves count at once, whatever the clock."""
    await skip_confirmations(room)
