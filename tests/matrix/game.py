"""The whole bot on Matrix: the adapter with the conversation of chat/ behind it, and the workers that post."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Self
from uuid import uuid4

import aiohttp

from bot.features.registry import offered_presets
from bot.telemetry.metrics import Metrics
from chat.parts import ChatParts
from chat.routing import RoutedAccountNotices
from matrix.connection import Connection
from play.ids import GuildId, UserId
from presentation.words.words import Words
from storage import Database
from tests.bot.jobs import job_pool
from tests.chat.world import NoCoach, NoMembers, NoRoles, Unlimited
from tests.matrix.hearing import WAIT_SECONDS
from tests.matrix.people import Player
from tests.matrix.synapse import Account, Synapse
from use_cases import UseCases
from use_cases.channel_rights import ChannelRights
from use_cases.own_accounts import OwnAccounts
from use_cases.privacy import Privacy
from use_cases.web_sessions import WebSessions
from use_cases.worker import Backoff, Timing
from use_cases.workers.news_relay import CardRefresher
from use_cases.workers.outbox_relay import OutboxRelay

EAGER = Timing(poll_seconds=0.2, backoff=Backoff(0.05, 0.2))


class GameBot:
    """A bot with an account of its own, at work for the block."""

    def __init__(
        self, synapse: Synapse, store: Database, account: Account | None = None, address: str | None = None
    ) -> None:
        self.account = account or synapse.register(f"kropka-{uuid4().hex[:8]}")
        self.user, self.store = self.account.user, store
        self.use_cases = UseCases.over(store, seeds=lambda: 0)
        self._address = address or synapse.address

    async def __aenter__(self) -> Self:
        self._session = aiohttp.ClientSession()
        timing = replace(Timing(), sleep=lambda seconds: asyncio.sleep(min(seconds, 0.05)))
        self.connection = Connection.build(self._address, self.account.token, self._session, self.use_cases, timing)
        rights = ChannelRights(self.store, NoMembers())  # type: ignore[arg-type]
        self.parts = ChatParts.build(
            self.connection.platform,
            self.use_cases,
            presets=offered_presets(dot_dash=True),
            limits=Unlimited(),
            coach=NoCoach(),
            jobs=job_pool(Metrics(frozenset())),
            privacy=Privacy(self.use_cases, NoRoles()),
            own_accounts=OwnAccounts(self.store, RoutedAccountNotices({})),
            sessions=WebSessions(self.store, self.use_cases.events, rights),
        )
        self.relay = OutboxRelay(self.store, self.parts.publisher, EAGER)
        self.use_cases.events.match_changed.subscribe(self.relay.note_match)
        cards = CardRefresher(self.store, self.parts.cards, EAGER)
        self.use_cases.events.challenges_changed.subscribe(cards.wake)
        hearing = self.connection.run(self.parts.conversation, self.words_for, WAIT_SECONDS)
        self.tasks = [asyncio.create_task(each) for each in (hearing, self.relay.run(), cards.run())]
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        await self._session.close()

    async def stop_posting(self) -> None:
        """Ends the worker that posts boards: `post` does so from now on."""
        self.tasks[1].cancel()
        await asyncio.gather(self.tasks[1], return_exceptions=True)

    async def moved(self, version: int) -> None:
        """Waits until the newest board in the outbox is that of a version."""
        async with asyncio.timeout(60):
            while True:
                async with self.store.read() as reader:
                    for match in await reader.outbox.pending_matches(away=False):
                        stored = await reader.matches.get(match)
                        if stored is not None and stored.version >= version:
                            return
                await asyncio.sleep(0.02)

    async def post(self, publisher: Any) -> None:
        """Posts all boards that wait, as a worker of a new process."""
        relay = OutboxRelay(self.store, publisher, EAGER)
        for place in await relay.pending(50):
            while await relay.process(place):
                pass

    async def words_for(self, user: UserId | None, guild: GuildId | None) -> Words:
        locales = self.parts.services.locales
        return await (locales.for_guild(guild) if user is None else locales.for_user(user, guild))


async def settle_terms(store: Database, bot: GameBot, *players: Player) -> None:
    """Lets moves of players count at once, without a preview."""
    from play.people.settings import PlayerSettings

    for player in players:
        user = await bot.connection.places.user(player.user)
        async with store.write() as tx:
            await tx.people.save(PlayerSettings(user, confirm_days=False))


async def seated(bot: GameBot, one: Player, other: Player) -> str:
    """Returns a room with two players and the bot."""
    room = await one.make_room(bot.user, other.user)
    await other.join(room)
    await one.wait_for_text("begins a game here", room)
    return room


async def begin_game(bot: GameBot, one: Player, other: Player) -> str:
    """Returns the room of a game that has begun, with `one` to move."""
    await settle_terms(bot.store, bot, one, other)
    room = await seated(bot, one, other)
    await one.say(room, f"!challenge {other.user} 20x20, 3d, first", to=other.user)
    card = await other.wait_for_text("challenges you", room)
    await other.react(room, card["event_id"], "1️⃣")
    await wait_for_boards(one, room, 1)
    return room


def boards(player: Player, room: str) -> Sequence[dict[str, Any]]:
    """Returns the boards of a room, as they were posted."""
    events = [event for event in player.heard if event["room"] == room]
    return [
        event
        for event in events
        if event["content"].get("msgtype") == "m.image" and "m.new_content" not in event["content"]
    ]


async def wait_for_boards(player: Player, room: str, number: int) -> dict[str, Any]:
    """Returns the board of that number, counted from one."""
    await player.wait_for(lambda _: len(boards(player, room)) >= number)
    return boards(player, room)[number - 1]
