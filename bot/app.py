"""The composition root: builds the bot of its parts, and starts and stops them in order."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Self

from bot import platforms
from bot.client import Handlers, Kropka
from bot.features.match.turn.replies import Replies
from bot.interactions.context import Services
from bot.parts import (
    DiscordParts,
    Publishers,
    Setup,
    add_discord,
    build_chat,
    build_services,
    build_website,
    build_workers,
)
from bot.platforms import Chat, Routes
from bot.services.breaker import Breaker
from bot.services.drawing_pool import DrawingPool
from bot.telemetry.metrics import Metrics
from bot.telemetry.reach import wait_for_discord
from chat.parts import ChatParts
from play.community.news import TOLD_RELEASE
from renderer.board import warm
from renderer.theme import PAPER
from storage import Database
from storage.match_notices import MatchNotices
from use_cases import UseCases
from use_cases.workers.computer_player import ComputerPlayer
from use_cases.workers.workers import Workers
from web.access.links import LinkSigner
from web.site import Website

WARM_SIZES = ((20, 20), (39, 32))
"""The fields that most matches are played on, in crossings."""

FLUSH_SECONDS = 5.0
"""Seconds that boards get to be posted when the bot is told to stop."""


Work = list[asyncio.Task[None]]
"""Tasks of which none ends by itself."""


@dataclass(frozen=True, slots=True)
class Bot:
    """The parts of a bot on a store."""

    store: Database
    use_cases: UseCases
    client: Kropka
    metrics: Metrics
    breaker: Breaker
    publishers: Publishers
    workers: Workers
    services: Services
    website: Website | None
    replies: Replies
    chats: tuple[tuple[Chat, ChatParts], ...] = ()

    @classmethod
    def build(cls, store: Database, signer: LinkSigner, setup: Setup, *, on_discord: bool = True) -> Self:
        """Returns a bot of which nothing runs yet, but whose client knows what to do with what it hears."""
        use_cases = UseCases.over(store, setup.seeds, clock=setup.clock)
        chats, routes = [make(use_cases) for make in setup.chats], Routes()
        here = DiscordParts.build(store, use_cases, setup, chats)
        publishers = Publishers.build(store, use_cases, here, signer, setup)
        if on_discord:
            add_discord(store, routes, here, publishers, setup)
        workers = build_workers(store, use_cases, here, publishers, setup, routes)
        services = build_services(use_cases, here, publishers, workers, setup, routes)
        use_cases.events.match_changed.subscribe(here.metrics.match_changed)
        replies = Replies(here.client, services, publishers.greeter.introduce)
        use_cases.events.match_changed.subscribe(replies.note_match)
        use_cases.events.votes_changed.subscribe(publishers.vote_counts.note_votes)
        here.client.serve(
            Handlers(
                services=services,
                read_message=replies.read_message,
                note_guild=publishers.greeter.note_guild,
                forget_guild=use_cases.forget_guild,
                drop_cards=use_cases.challenges.drop_cards,
                check_thread=use_cases.actions.check_thread,
                forget_channel=use_cases.forget_channel,
                let_all_vote=use_cases.votes.let_all_vote,
                drop_hints=replies.drop_hints,
            )
        )
        told = services, publishers, here, setup
        built = tuple((chat, build_chat(chat, *told, on_discord=on_discord)) for chat in chats)
        for _, chat_parts in built:
            routes.add_chat(chat_parts)
        launchers = [chat.launcher(chat_parts) for chat, chat_parts in built if chat.launcher]
        launcher = next(iter(launchers), None)
        website = build_website(services, here, publishers, signer, setup, routes, launcher, on_discord=on_discord)
        parts = here.client, here.metrics, here.breaker
        return cls(store, use_cases, *parts, publishers, workers, services, website, replies, built)

    async def close(self) -> None:
        """Lets running handlers end, then leaves Discord."""
        await self.services.jobs.close()
        await self.client.settle()
        await self.replies.close()
        await self.services.answers.close()
        await self.publishers.vote_counts.close()
        await self.publishers.publisher.close()
        await self.client.close()


@asynccontextmanager
async def run(
    database: AbstractAsyncContextManager[Database],
    token: str,
    setup: Setup,
    notices: AbstractAsyncContextManager[MatchNotices] | None = None,
    *,
    on_discord: bool = True,
) -> AsyncIterator[tuple[Bot, Work]]:
    """Logs the bot in and runs it for the block; on the way out everything is closed in order.

    Unless it plays `on_discord`, the token signs links alone, and the other platforms are the whole of it.

    `notices` tell the open boards of its site what other processes have played. Raises discord.LoginFailure, InUse and
    Unavailable; the work raises Gone when the database goes.
    """
    async with AsyncExitStack() as stack:
        store = await stack.enter_async_context(database)
        bot = Bot.build(store, LinkSigner.of(token), setup, on_discord=on_discord)
        client = bot.client
        async with client:
            asyncio.get_running_loop().set_default_executor(DrawingPool(bot.metrics))
            if on_discord:
                await wait_for_discord(way=setup.way)
                await client.login(token)
            if setup.cluster is not None:
                client.leases = await stack.enter_async_context(setup.cluster.leases(client))
            # A downtime has to be known before anything is decided by the clock, and who is blocked before they ask.
            await bot.use_cases.clocks.record_heartbeat()
            await bot.workers.blocks.poll()
            await bot.use_cases.releases.tell(TOLD_RELEASE)
            own = [asyncio.create_task(each.run()) for each in bot.workers.all]
            computer = [asyncio.create_task(task) for task in play_as_computer(bot, setup, on_discord=on_discord)]
            gateway = [asyncio.create_task(client.connect())] if on_discord else []
            chats = [asyncio.create_task(chat.listen(parts)) for chat, parts in bot.chats]
            if client.leases is not None:
                gateway.append(asyncio.create_task(client.leases.run(client)))
            watch = asyncio.create_task(store.watch())
            site = await start_site(bot, stack, notices)
            try:
                yield bot, [watch, *own, *gateway, *computer, *chats, *site]
            finally:
                for task in (*computer, *chats, *site):
                    task.cancel()
                await client.settle()
                for each in bot.workers.all:
                    each.stop()
                await asyncio.wait(own, timeout=FLUSH_SECONDS)
                for task in gateway:  # before the client closes: discord.py would try to connect once more
                    task.cancel()
                await bot.close()
                for task in (watch, *own, *gateway):
                    task.cancel()
                await asyncio.gather(watch, *own, *gateway, *computer, *chats, *site, return_exceptions=True)


def play_as_computer(bot: Bot, setup: Setup, *, on_discord: bool = True) -> list[Coroutine[None, None, None]]:
    """Returns what has to run so that the computer plays on each platform, if it does. A client `on_discord` is logged
    in."""
    computer, thinking = bot.publishers.computer, setup.thinking
    if computer is None or thinking is None:
        return []
    cases, timing = bot.use_cases, setup.timing.for_play
    work = [platforms.play_as_computer(chat, cases, computer, timing) for chat, _ in bot.chats]
    if on_discord:
        player = ComputerPlayer(
            *(bot.store, cases.matches, cases.actions, computer, computer.user), pace=thinking.pace, timing=timing
        )
        cases.events.match_changed.subscribe(player.note_match)
        work.append(player.run())
    return [thinking.pool.run(), *work]


async def start_site(
    bot: Bot, stack: AsyncExitStack, notices: AbstractAsyncContextManager[MatchNotices] | None
) -> Work:
    """Starts what keeps open boards up to date, if the bot has a site; with `notices` also of what others play."""
    if bot.website is None:
        return []
    hub, site = bot.website.hub, [asyncio.create_task(bot.website.hub.run())]
    if notices is not None:
        shared = await stack.enter_async_context(notices)
        bot.use_cases.events.match_changed.subscribe(shared.note_match)
        site.append(asyncio.create_task(shared.run(hub.hear)))
    return site


async def wait_for_failure(work: Work) -> None:
    """Waits until a task fails, and raises what it raised. Meanwhile the first boards are made quick to draw."""
    await asyncio.to_thread(warm, WARM_SIZES, [PAPER])
    done, _ = await asyncio.wait(work, return_when=asyncio.FIRST_COMPLETED)
    for task in done:
        task.result()
