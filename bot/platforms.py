"""The chat platforms beside Discord that run in this process, and what is routed to them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import aiohttp
from pydantic import SecretStr

from bot.chat_beginnings import ChatBeginnings
from bot.settings import Settings
from bot.way_out import WayOut
from chat.parts import ChatParts
from chat.port import ChatPlatform
from chat.routing import (
    ChatMembers,
    RoutedAccountNotices,
    RoutedArenas,
    RoutedCalls,
    RoutedCards,
    RoutedDailies,
    RoutedDigests,
    RoutedKeepers,
    RoutedMembers,
    RoutedPublisher,
    RoutedThreads,
    Router,
)
from matrix.connection import Connection
from play.ids import GuildId, Platform, UserId
from play.refusal import Reason, Refused
from presentation.words.words import Words, languages
from telegram.api import BotApi
from telegram.launches import Launches
from telegram.platform import TelegramPlatform
from telegram.updates import Updates
from use_cases import UseCases
from use_cases.channel_rights import Members
from use_cases.worker import RetryLater, Timing
from use_cases.workers.computer_player import ComputerPlayer, Engine
from web.ports import Launcher
from web.site import Beginning

LOGIN_POLL_SECONDS = 1.0
"""Seconds between two looks whether a platform has told the bot's account."""


@dataclass(frozen=True, slots=True)
class Chat:
    """A platform, and what listens to it until it is cancelled, once its parts are there."""

    platform: ChatPlatform
    listen: Callable[[ChatParts], Coroutine[Any, Any, None]]
    launcher: Callable[[ChatParts], Launcher] | None = None
    """What reads the signed data of a Mini App, where the platform has those."""


MakeChat = Callable[[UseCases], Chat]


class RoutedBeginnings(Router[Beginning]):
    """Begins games of browsers on the platform of who begins them."""

    def for_user(self, user: UserId) -> Beginning:
        """Returns what begins the games of a user. Raises Refused (`chat_away`)."""
        try:
            return self.of(user)
        except RetryLater as away:
            raise Refused(Reason.CHAT_AWAY) from away


@dataclass(frozen=True, slots=True)
class Routes:
    """What serves each platform that runs here. Discord is among them only if it does."""

    publisher: RoutedPublisher = field(default_factory=lambda: RoutedPublisher({}))
    cards: RoutedCards = field(default_factory=lambda: RoutedCards({}))
    digests: RoutedDigests = field(default_factory=lambda: RoutedDigests({}))
    dailies: RoutedDailies = field(default_factory=lambda: RoutedDailies({}))
    threads: RoutedThreads = field(default_factory=lambda: RoutedThreads({}))
    accounts: RoutedAccountNotices = field(default_factory=lambda: RoutedAccountNotices({}))
    calls: RoutedCalls = field(default_factory=lambda: RoutedCalls({}))
    arenas: RoutedArenas = field(default_factory=lambda: RoutedArenas({}))
    keepers: RoutedKeepers = field(default_factory=lambda: RoutedKeepers({}))
    beginnings: RoutedBeginnings = field(default_factory=lambda: RoutedBeginnings({}))

    def add_chat(self, parts: ChatParts) -> None:
        """Routes what is for a platform to its parts."""
        self.publisher.by_platform[parts.kind] = parts.publisher
        self.cards.by_platform[parts.kind] = parts.cards
        self.digests.by_platform[parts.kind] = parts.digests
        self.dailies.by_platform[parts.kind] = parts.dailies
        self.accounts.by_platform[parts.kind] = parts.account_notices
        self.calls.by_platform[parts.kind] = parts.calls
        self.arenas.by_platform[parts.kind] = parts.arenas
        self.keepers.by_platform[parts.kind] = parts.keepers
        self.beginnings.by_platform[parts.kind] = ChatBeginnings(parts)


def routed_members(discord: Members, chats: Sequence[Chat]) -> RoutedMembers:
    """Returns the members of all groups, each as their platform knows them."""
    return RoutedMembers(
        {Platform.DISCORD: discord, **{each.platform.kind: ChatMembers(each.platform) for each in chats}}
    )


@asynccontextmanager
async def open_chats(settings: Settings, way: WayOut) -> AsyncIterator[list[MakeChat]]:
    """Yields what makes each platform whose token is set."""
    chats: list[MakeChat] = []
    async with AsyncExitStack() as stack:
        if settings.telegram_token is not None:
            token, site = settings.telegram_token.get_secret_value(), settings.secure_site
            session = await stack.enter_async_context(aiohttp.ClientSession(connector=way.connector()))
            api = BotApi(session, token, settings.telegram_address)
            chats.append(lambda use_cases: telegram(api, token, use_cases, site))
        if settings.matrix_homeserver is not None and settings.matrix_token is not None:
            there = settings.way_to_homeserver()
            session = await stack.enter_async_context(aiohttp.ClientSession(connector=there.connector()))
            chats.append(partial(matrix, str(settings.matrix_homeserver), settings.matrix_token, session))
        yield chats


def telegram(api: BotApi, token: str, use_cases: UseCases, site: str | None = None) -> Chat:
    """Returns Telegram, whose Mini App is at a `site` with https."""
    platform = TelegramPlatform(api, use_cases, app=f"{site}/app" if site else None)

    async def listen(parts: ChatParts) -> None:
        store, told = use_cases.store, (languages(), use_cases.forget_channel)
        updates = Updates(api, platform, parts.conversation, store, use_cases.outages, *told)
        try:
            await updates.run()
        finally:
            await updates.close()

    def launcher(parts: ChatParts) -> Launches:
        async def meet(user: Mapping[str, Any]) -> UserId:
            person = await platform.meet(user)
            parts.meet(person)
            return person.id

        return Launches(token, meet)

    return Chat(platform, listen, launcher)


def matrix(address: str, token: SecretStr, session: aiohttp.ClientSession, use_cases: UseCases) -> Chat:
    """Returns Matrix."""
    connection = Connection.build(address, token.get_secret_value().strip(), session, use_cases)

    async def listen(parts: ChatParts) -> None:
        locales = parts.services.locales

        async def words_for(user: UserId | None, guild: GuildId | None) -> Words:
            return await (locales.for_guild(guild) if user is None else locales.for_user(user, guild))

        await connection.run(parts.conversation, words_for)

    return Chat(connection.platform, listen)


async def play_as_computer(chat: Chat, use_cases: UseCases, engine: Engine, timing: Timing) -> None:
    """Plays as the bot's account of a platform, from when that is known until it is cancelled."""
    while (account := chat.platform.own_id) is None:  # noqa: ASYNC110 - once, at the start
        await asyncio.sleep(LOGIN_POLL_SECONDS)
    player = ComputerPlayer(use_cases.store, use_cases.matches, use_cases.actions, engine, account, timing=timing)
    use_cases.events.match_changed.subscribe(player.note_match)
    await player.run()
