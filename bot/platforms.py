"""The chat platforms beside Discord that run in this process, and what is routed to them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import aiohttp

from bot.settings import Settings
from bot.way_out import WayOut
from chat.parts import ChatParts
from chat.port import ChatPlatform
from chat.routing import (
    ChatMembers,
    RoutedCards,
    RoutedDailies,
    RoutedDigests,
    RoutedMembers,
    RoutedPublisher,
    RoutedThreads,
)
from play.ids import Platform
from presentation.words.words import languages
from telegram.api import BotApi
from telegram.platform import TelegramPlatform
from telegram.updates import Updates
from use_cases import UseCases
from use_cases.channel_rights import Members
from use_cases.worker import Timing
from use_cases.workers.computer_player import ComputerPlayer, Engine

LOGIN_POLL_SECONDS = 1.0
"""Seconds between two looks whether a platform has told the bot's account."""


@dataclass(frozen=True, slots=True)
class Chat:
    """A platform, and what listens to it until it is cancelled, once its parts are there."""

    platform: ChatPlatform
    listen: Callable[[ChatParts], Coroutine[Any, Any, None]]


MakeChat = Callable[[UseCases], Chat]


@dataclass(frozen=True, slots=True)
class Routes:
    """What serves each platform that runs here. Discord is among them only if it does."""

    publisher: RoutedPublisher = field(default_factory=lambda: RoutedPublisher({}))
    cards: RoutedCards = field(default_factory=lambda: RoutedCards({}))
    digests: RoutedDigests = field(default_factory=lambda: RoutedDigests({}))
    dailies: RoutedDailies = field(default_factory=lambda: RoutedDailies({}))
    threads: RoutedThreads = field(default_factory=lambda: RoutedThreads({}))

    def add_chat(self, parts: ChatParts) -> None:
        """Routes what is for a platform to its parts."""
        self.publisher.by_platform[parts.kind] = parts.publisher
        self.cards.by_platform[parts.kind] = parts.cards
        self.digests.by_platform[parts.kind] = parts.digests
        self.dailies.by_platform[parts.kind] = parts.dailies


def routed_members(discord: Members, chats: Sequence[Chat]) -> RoutedMembers:
    """Returns the members of all groups, each as their platform knows them."""
    return RoutedMembers(
        {Platform.DISCORD: discord, **{each.platform.kind: ChatMembers(each.platform) for each in chats}}
    )


@asynccontextmanager
async def open_chats(settings: Settings, way: WayOut) -> AsyncIterator[list[MakeChat]]:
    """Yields what makes each platform whose token is set."""
    if settings.telegram_token is None:
        yield []
        return
    token, opens_inside = settings.telegram_token.get_secret_value(), settings.has_secure_site
    async with aiohttp.ClientSession(connector=way.connector()) as session:
        api = BotApi(session, token, settings.telegram_address)
        yield [lambda use_cases: telegram(api, use_cases, opens_inside=opens_inside)]


def telegram(api: BotApi, use_cases: UseCases, *, opens_inside: bool = False) -> Chat:
    """Returns Telegram."""
    platform = TelegramPlatform(api, use_cases, opens_inside=opens_inside)

    async def listen(parts: ChatParts) -> None:
        updates = Updates(api, platform, parts.conversation, use_cases.store, languages(), use_cases.forget_channel)
        try:
            await updates.run()
        finally:
            await updates.close()

    return Chat(platform, listen)


async def play_as_computer(chat: Chat, use_cases: UseCases, engine: Engine, timing: Timing) -> None:
    """Plays as the bot's account of a platform, from when that is known until it is cancelled."""
    while (account := chat.platform.own_id) is None:  # noqa: ASYNC110 - once, at the start
        await asyncio.sleep(LOGIN_POLL_SECONDS)
    player = ComputerPlayer(use_cases.store, use_cases.matches, use_cases.actions, engine, account, timing=timing)
    use_cases.events.match_changed.subscribe(player.note_match)
    await player.run()
