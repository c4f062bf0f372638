"""The composition root: builds every part of the bot, and starts and stops them in order."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from functools import partial

from bot.client import Kropka
from bot.connection import SETTLE_SECONDS
from bot.features.challenges import feature as challenges
from bot.features.challenges.cards import Cards
from bot.features.challenges.counter_offers import CounterOffer
from bot.features.coach import feature as coach
from bot.features.coach.coach import Coach
from bot.features.coach.computer import Computer, Thinking
from bot.features.help import feature as help_
from bot.features.ladder import feature as ladder
from bot.features.ladder.news import ChannelNews
from bot.features.leaderboards import feature as leaderboards
from bot.features.leaderboards.roles import DiscordRoles
from bot.features.match import feature as match
from bot.features.match import more_panel
from bot.features.match.message import BoardRenderer
from bot.features.match.publisher import Publisher
from bot.features.match.turn.replies import Replies
from bot.features.players import feature as players
from bot.features.records import feature as records
from bot.features.settings import feature as settings
from bot.features.settings.personal import PersonalDefaults
from bot.features.settings.server import ServerDefaults
from bot.features.tournaments import feature as tournaments
from bot.features.tournaments.tournaments import TournamentPublisher
from bot.i18n.words import Languages, languages
from bot.interactions.context import Services
from bot.interactions.deferral import ANSWER_SECONDS
from bot.request import own_id
from bot.services.channels import ChannelMessenger
from bot.services.drawing_pool import DrawingPool
from bot.services.gate import Gate
from bot.services.job_pool import JobPool
from bot.services.locales import Locales
from bot.services.names import Names
from bot.services.rate_limits import POSTS, Pace, Rate, RateLimits
from bot.sharding import Cluster
from bot.telemetry.metrics import Metrics
from play.services.ladder import Climbing, Referee
from play.services.matches import Tables
from play.services.privacy import Privacy
from play.services.tournaments import Organising
from play.store.store import WatchedStore
from play.workers.card_refresher import Clerk
from play.workers.computer_player import Robot
from play.workers.deadline_scheduler import Keeper
from play.workers.heartbeat import Heartbeat
from play.workers.news_relay import Crier
from play.workers.outbox_relay import Herald
from play.workers.role_sync import Steward
from play.workers.tournament_director import Director
from renderer.theme import PAPER
from renderer.warm import warm
from rules.registry import GAMES, NEEDS_CONSENT

FEATURES = (
    challenges.FEATURE,
    match.FEATURE,
    settings.FEATURE,
    help_.FEATURE,
    coach.FEATURE,
    players.FEATURE,
    records.FEATURE,
    leaderboards.FEATURE,
    tournaments.FEATURE,
    ladder.FEATURE,
)

TERMS_TARGETS = (CounterOffer, PersonalDefaults, ServerDefaults)

WARM_SIZES = ((20, 20), (39, 32))
"""The fields that most matches are played on, in crossings."""

FLUSH_SECONDS = 5.0
"""Seconds that boards get to be posted when the bot is told to stop."""

Work = list[asyncio.Task[None]]
"""Tasks of which none ends by itself."""


class Bot:
    """The parts of a bot on a store. Nothing runs yet."""

    def __init__(
        self,
        store: WatchedStore,
        presets: Sequence[str],
        seeds: Callable[[], int],
        *,
        limits: RateLimits | None = None,
        spoken: Languages | None = None,
        job_pool: Callable[[Metrics], JobPool] = JobPool,
        settle_seconds: float = SETTLE_SECONDS,
        processes: int = 1,
        shares_gateway: bool = False,
        answer_seconds: float = ANSWER_SECONDS,
    ) -> None:
        """`processes` share what Discord lets one bot do; `shares_gateway` says that others hear interactions, too.

        `settle_seconds` is how long running handlers get to end when the bot is told to stop.
        """
        self.store = store
        self.seeds = seeds
        self.tables = tables = Tables(store, seeds)
        self.tournaments = Organising(store, tables, seeds)
        self.meters = Metrics()
        spoken, gate = spoken or languages(), Gate(limits or RateLimits())
        self.client = client = Kropka(FEATURES, spoken, presets, gate, self.meters, settle_seconds)
        locales = Locales(client, store, spoken)
        names = Names(client, locales)
        pace = Pace(Rate(max(1, POSTS.burst // processes), POSTS.every * processes))
        channels = ChannelMessenger(client, pace, tables.retell)
        boards = BoardRenderer(store, names)
        self.jobs = job_pool(self.meters)
        self.coach = Coach(client, store, tables, locales, names, self.jobs)
        self.cards = Cards(store, tables, channels, locales, names, self.coach.take_challenge)
        self.publisher = Publisher(client, store, boards, locales, names, channels, shares_gateway=shares_gateway)
        roles = DiscordRoles(client, locales)
        self.heartbeat, self.keeper = Heartbeat(tables), Keeper(store, tables, self.meters.lateness.observe)
        self.relay, self.clerk = Herald(store, self.publisher), Clerk(store, self.cards)
        self.referee, self.crier = Referee(store), Crier(store, ChannelNews(client, store, locales, names))
        self.steward = Steward(store, roles)
        self.director = Director(
            store, tables, TournamentPublisher(client, locales, names), partial(own_id, client), seeds
        )
        self.services = client.services = Services(
            store=store,
            tables=tables,
            tournaments=self.tournaments,
            ladders=Climbing(store),
            privacy=Privacy(store, tables, self.tournaments, self.steward),
            presets=presets,
            languages=spoken,
            locales=locales,
            names=names,
            channels=channels,
            gate=gate,
            metrics=self.meters,
            jobs=self.jobs,
            boards=boards,
            publisher=self.publisher,
            relay=self.relay,
            cards=self.cards,
            coach=self.coach,
            roles=roles,
            terms_targets=TERMS_TARGETS,
            show_match_menu=more_panel.show_match_menu,
            wake_role_sync=self.steward.wake,
            command_tree=client.tree,
            command_ids=client.tree.ids,
            answer_seconds=answer_seconds,
        )
        self.replies = Replies(client, self.services)
        client.read_message = self.replies.read_message
        self._subscribe()

    @property
    def workers(self) -> tuple[Heartbeat | Keeper | Herald | Clerk | Director | Referee | Crier | Steward, ...]:
        """What works in the background, in the order in which it is started and stopped."""
        return (
            self.heartbeat,
            self.keeper,
            self.relay,
            self.clerk,
            self.director,
            self.referee,
            self.crier,
            self.steward,
        )

    def add_computer(self, thinking: Thinking) -> list[Coroutine[None, None, None]]:
        """Lets the computer play; returns what has to run for it. The client is logged in."""
        computer = Computer(self.client, self.store, self.tables, self.services.channels, thinking.pool)
        self.coach.computer = computer
        robot = Robot(self.store, self.tables, computer, computer.user, pace=thinking.pace)
        self.tables.listeners.append(robot.wake)
        return [thinking.pool.run(), robot.run()]

    async def close(self) -> None:
        """Lets running handlers end, then leaves Discord."""
        await self.jobs.close()
        await self.client.settle()
        await self.replies.close()
        await self.publisher.close()
        await self.client.close()

    def _subscribe(self) -> None:
        tables = self.tables
        tables.listeners += [self.relay.wake, self.keeper.wake, self.meters.match_changed]
        tables.listeners += [self.director.wake, self.referee.wake, self.steward.wake]
        tables.card_listeners += [self.clerk.wake, self.referee.wake]
        tables.news_listeners += [self.crier.wake, self.steward.wake]
        self.tournaments.listeners.append(self.director.wake)
        self.referee.listeners.append(self.crier.wake)


@asynccontextmanager
async def run(
    database: AbstractAsyncContextManager[WatchedStore],
    token: str,
    presets: Sequence[str],
    seeds: Callable[[], int] = lambda: secrets.randbits(53),
    *,
    thinking: Thinking | None = None,
    limits: RateLimits | None = None,
    spoken: Languages | None = None,
    job_pool: Callable[[Metrics], JobPool] = JobPool,
    settle_seconds: float = SETTLE_SECONDS,
    fleet: Cluster | None = None,
    answer_seconds: float = ANSWER_SECONDS,
) -> AsyncIterator[tuple[Bot, Work]]:
    """Logs the bot in and runs it for the block; on the way out everything is closed in order.

    Without `thinking` the computer neither plays nor teaches; without a `fleet` the bot keeps all gateway shards
    itself. A click whose answer takes longer than `answer_seconds` is acknowledged first. Raises discord.LoginFailure,
    InUse and Unavailable; the work raises Gone when the database goes.
    """
    async with AsyncExitStack() as stack:
        store = await stack.enter_async_context(database)
        bot = Bot(
            store,
            presets,
            seeds,
            limits=limits,
            spoken=spoken,
            job_pool=job_pool,
            settle_seconds=settle_seconds,
            processes=fleet.processes if fleet else 1,
            shares_gateway=fleet is not None,
            answer_seconds=answer_seconds,
        )
        client = bot.client
        async with client:
            asyncio.get_running_loop().set_default_executor(DrawingPool(bot.meters))
            await client.login(token)
            if fleet is not None:
                client.leases = await stack.enter_async_context(fleet.leases(client))
            await bot.tables.beat()  # before anything is decided by a time in which nobody was here
            own = [asyncio.create_task(each.run()) for each in bot.workers]
            minds = [asyncio.create_task(task) for task in (bot.add_computer(thinking) if thinking else ())]
            gateway = [asyncio.create_task(client.connect())]
            if client.leases is not None:
                gateway.append(asyncio.create_task(client.leases.run(client)))
            watch = asyncio.create_task(store.watch())
            try:
                yield bot, [watch, *own, *gateway, *minds]
            finally:
                for task in minds:
                    task.cancel()
                await client.settle()
                for each in bot.workers:
                    each.stop()
                await asyncio.wait(own, timeout=FLUSH_SECONDS)
                await bot.close()
                for task in (watch, *own, *gateway):
                    task.cancel()
                await asyncio.gather(watch, *own, *gateway, *minds, return_exceptions=True)


def offered_presets(*, dot_dash: bool) -> list[str]:
    """Returns the presets that `/challenge` offers: Dot Dash only where the operator wants it."""
    left_out = frozenset() if dot_dash else NEEDS_CONSENT
    return [key for key in GAMES if key not in left_out]


async def wait_for_failure(work: Work) -> None:
    """Waits until a task fails, and raises what it raised. Meanwhile the first boards are made quick to draw."""
    await asyncio.to_thread(warm, WARM_SIZES, [PAPER])
    done, _ = await asyncio.wait(work, return_when=asyncio.FIRST_COMPLETED)
    for task in done:
        task.result()
