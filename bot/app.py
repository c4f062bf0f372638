"""The composition root: builds every part of the bot, and starts and stops them in order."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from functools import partial

from bot.client import Kropka
from bot.connection import SETTLE_SECONDS
from bot.features.challenges.cards import CardPublisher
from bot.features.coach.coach import Coach
from bot.features.coach.computer import Computer, ComputerSetup
from bot.features.home.publisher import HomePublisher
from bot.features.ladder.news import ChannelNews
from bot.features.ladder.standing import LadderStanding
from bot.features.leaderboards.roles import DiscordRoles
from bot.features.match.board.message import BoardRenderer
from bot.features.match.delivery.board_poster import BoardPoster
from bot.features.match.delivery.digests import Digests
from bot.features.match.delivery.notices import Notices
from bot.features.match.delivery.open_threads import OpenThreads
from bot.features.match.delivery.publisher import Publisher
from bot.features.match.delivery.thread_names import ThreadNames
from bot.features.match.turn.replies import Replies
from bot.features.registry import features
from bot.features.tournaments.publisher import TournamentPublisher
from bot.features.welcome.greeter import Greeter
from bot.interactions.context import Boards, Services
from bot.interactions.deferral import ANSWER_SECONDS
from bot.readiness import Readiness
from bot.request import own_id
from bot.services.channels import ChannelMessenger
from bot.services.direct_messages import DirectMessages
from bot.services.discord_clock import DiscordClock
from bot.services.discord_errors import ErrorCode
from bot.services.drawing_pool import DrawingPool
from bot.services.gate import Gate
from bot.services.guild_directory import GuildDirectory
from bot.services.job_pool import JobPool
from bot.services.kept_answers import KeptAnswers
from bot.services.locales import Locales
from bot.services.members import GRACE_SECONDS, DiscordMembers
from bot.services.names import Names
from bot.services.open_channels import OpenChannels
from bot.services.rate_limits import DIGESTS, EXCHANGES, POSTS, Pace, Rate, RateLimits
from bot.services.web_discord import WebDiscord
from bot.services.web_links import WebLinks
from bot.settings import Hosting
from bot.sharding import Cluster
from bot.telemetry.metrics import Metrics
from bot.telemetry.reach import wait_for_discord
from bot.website import Website
from play.challenge.challenge import Challenge
from play.ids import MessageId
from play.match.replies import REPLY_MILLIS
from play.services.channel_rights import ChannelRights
from play.services.privacy import Privacy
from play.services.public_games import PublicGames
from play.services.public_servers import PublicServers
from play.services.use_cases import UseCases
from play.services.web_sessions import WebSessions
from play.store import WatchedStore
from play.workers.computer_player import ComputerPlayer
from play.workers.worker import Timing
from play.workers.workers import Workers
from presentation.match.boards import MatchViews
from presentation.words.words import Languages, languages
from renderer.theme import PAPER
from renderer.warm import warm
from storage.match_notices import MatchNotices
from storage.steady_clock import uptime
from web.access.links import LinkSigner

NOTHING_OFFERED = Hosting()
"""No page and no place for feedback."""

WARM_SIZES = ((20, 20), (39, 32))
"""The fields that most matches are played on, in crossings."""

FLUSH_SECONDS = 5.0
"""Seconds that boards get to be posted when the bot is told to stop."""


Work = list[asyncio.Task[None]]
"""Tasks of which none ends by itself."""


def uptime_seconds() -> float:
    """Returns how long this machine has been running, suspended or not."""
    return uptime() / 1000


class Bot:
    """The parts of a bot on a store. Nothing runs yet."""

    def __init__(
        self,
        store: WatchedStore,
        presets: Sequence[str],
        seeds: Callable[[], int],
        *,
        signer: LinkSigner | None = None,
        limits: RateLimits | None = None,
        clock: Callable[[], float] = uptime_seconds,
        spoken: Languages | None = None,
        job_pool: Callable[[Metrics], JobPool] = JobPool,
        settle_seconds: float = SETTLE_SECONDS,
        processes: int = 1,
        shares_gateway: bool = False,
        hosting: Hosting = NOTHING_OFFERED,
        answer_seconds: float = ANSWER_SECONDS,
        timing: Timing = Timing(),  # noqa: B008 - frozen
    ) -> None:
        """`processes` share what Discord lets one bot do; `shares_gateway` says that others hear interactions, too.

        `clock` has the seconds by which the limits of requests count. `settle_seconds` is how long running handlers get
        to end when the bot is told to stop.
        """
        self.store = store
        self._timing = timing
        self.use_cases = use_cases = UseCases.over(store, seeds)
        self.metrics = Metrics(frozenset(ErrorCode))
        spoken, gate = spoken or languages(), Gate(limits or RateLimits(), clock)
        self.client = client = Kropka(features(hosting), spoken, presets, gate, self.metrics, settle_seconds)
        self.discord_clock = DiscordClock(clock, store.moment)
        client.note_id = self.discord_clock.note
        spoken = spoken.linking(client.tree.ids)
        locales = Locales(client, store, spoken)
        names = Names(client, locales)
        pace = Pace(Rate(max(1, POSTS.burst // processes), POSTS.every * processes))
        directory, seen = GuildDirectory(client), OpenChannels(KeptAnswers(client, clock, pace=pace))
        channels = ChannelMessenger(client, directory, pace, use_cases.actions.repost)
        self.jobs = job_pool(self.metrics)
        self.coach = Coach(directory, seen, use_cases, locales, names, self.jobs)
        signer = signer or LinkSigner.of(secrets.token_urlsafe())
        opened = OpenChannels(KeptAnswers(client, clock))
        rights = ChannelRights(store, DiscordMembers(KeptAnswers(client, clock, GRACE_SECONDS)))
        public, servers = PublicGames(store, opened), PublicServers(store, opened)
        links = WebLinks(hosting.web, signer, public) if hosting.web else None
        views = MatchViews(store, names, lambda: self.coach.has_computer, links.page_of if links else None)
        boards = BoardRenderer(views)
        self.cards = CardPublisher(store, use_cases.challenges, channels, locales, names, self._follow_card)
        direct = DirectMessages(client, store, clock)
        open_threads = OpenThreads(channels, names, use_cases.actions.leave_thread)
        notices = Notices(store, locales, names, channels, direct, boards, open_threads)
        threads = ThreadNames(store, channels, locales, names)
        poster = BoardPoster(
            *(client, store, boards, locales, names, channels, direct, threads, open_threads),
            shares_gateway=shares_gateway,
        )
        self.publisher = Publisher(client, store, channels, poster, notices, threads)
        self.greeter = greeter = Greeter(client, use_cases.greetings, channels, locales, self.coach)
        client.note_guild = greeter.note_guild
        client.forget_guild = use_cases.homes.stop
        client.drop_cards = use_cases.challenges.drop_cards
        client.check_thread = use_cases.actions.check_thread
        client.forget_channel = use_cases.forget_channel
        roles = DiscordRoles(client, locales)
        self.workers = workers = Workers(
            use_cases,
            timing,
            publisher=self.publisher,
            cards=self.cards,
            ladders=LadderStanding(directory, store, locales, names, links),
            news=ChannelNews(directory, store, locales, names),
            greeter=greeter,
            digests=Digests(
                *(direct, locales, names, open_threads, rights),
                Pace(Rate(DIGESTS.burst, DIGESTS.every * processes)),
            ),
            homes=HomePublisher(client, channels, locales, names, self.coach),
            opened=seen,
            roles=roles,
            tournaments=TournamentPublisher(directory, store, locales, names, links, direct),
            threads=open_threads,
            own_id=partial(own_id, client),
            seeds=seeds,
            observe_lateness=self.metrics.lateness.observe,
        )
        use_cases.events.match_changed.subscribe(self.metrics.match_changed)
        self.services = client.services = Services(
            use_cases=use_cases,
            privacy=Privacy(use_cases, workers.roles),
            presets=presets,
            languages=spoken,
            locales=locales,
            names=names,
            channels=channels,
            direct=direct,
            gate=gate,
            discord_clock=self.discord_clock,
            metrics=self.metrics,
            jobs=self.jobs,
            boards=Boards(boards, self.publisher, workers.outbox),
            cards=self.cards,
            directory=directory,
            coach=self.coach,
            hosting=hosting,
            web_sessions=WebSessions(store, use_cases.events, rights),
            rights=rights,
            web_links=links,
            answer_seconds=answer_seconds,
        )
        exchanges = Rate(max(1, EXCHANGES.burst // processes), EXCHANGES.every * processes)
        known = (
            WebDiscord(client, hosting.client_secret, self.metrics.trace, exchanges, clock)
            if hosting.client_secret
            else None
        )
        self.website = (
            Website.build(self.services, use_cases, public, servers, views, signer, hosting.web, known, clock=clock)
            if hosting.web
            else None
        )
        self.replies = Replies(client, self.services, greeter.introduce)
        client.read_message = self.replies.read_message
        client.readiness = Readiness(client.count_servers, partial(count_open_games, store))

    async def _follow_card(self, challenge: Challenge, card: MessageId) -> None:
        """Has the boards of a game show the card of its rematch, and the computer accept it. Raises Refused."""
        if self.website is not None and challenge.rematch_of is not None:
            self.website.hub.show_again(challenge.rematch_of)
        await self.coach.take_challenge(challenge, card)

    def add_computer(self, thinking: ComputerSetup) -> list[Coroutine[None, None, None]]:
        """Lets the computer play; returns what has to run for it. The client is logged in."""
        computer = Computer(self.client, self.store, self.use_cases.challenges, self.services.channels, thinking.pool)
        self.coach.computer = computer
        player = ComputerPlayer(
            self.store,
            self.use_cases.matches,
            self.use_cases.actions,
            computer,
            computer.user,
            pace=thinking.pace,
            timing=self._timing.for_play,
        )
        self.use_cases.events.match_changed.subscribe(player.note_match)
        self.workers.outbox.computer = computer.user if thinking.pace < REPLY_MILLIS else None
        return [thinking.pool.run(), player.run()]

    async def close(self) -> None:
        """Lets running handlers end, then leaves Discord."""
        await self.jobs.close()
        await self.client.settle()
        await self.replies.close()
        await self.publisher.close()
        await self.client.close()


@asynccontextmanager
async def run(
    database: AbstractAsyncContextManager[WatchedStore],
    token: str,
    presets: Sequence[str],
    seeds: Callable[[], int] = lambda: secrets.randbits(53),
    *,
    thinking: ComputerSetup | None = None,
    limits: RateLimits | None = None,
    clock: Callable[[], float] = uptime_seconds,
    spoken: Languages | None = None,
    job_pool: Callable[[Metrics], JobPool] = JobPool,
    settle_seconds: float = SETTLE_SECONDS,
    cluster: Cluster | None = None,
    notices: AbstractAsyncContextManager[MatchNotices] | None = None,
    hosting: Hosting = NOTHING_OFFERED,
    answer_seconds: float = ANSWER_SECONDS,
    timing: Timing = Timing(),  # noqa: B008 - frozen
) -> AsyncIterator[tuple[Bot, Work]]:
    """Logs the bot in and runs it for the block; on the way out everything is closed in order.

    Without `thinking` the computer neither plays nor teaches; without a `cluster` the bot keeps all gateway shards
    itself. `clock` has the seconds by which the limits of requests count. A click whose answer takes longer than
    `answer_seconds` is acknowledged first. `timing` says when background work polls and is tried again. Raises
    discord.LoginFailure, InUse and Unavailable; the work raises Gone when the database goes.
    """
    async with AsyncExitStack() as stack:
        store = await stack.enter_async_context(database)
        bot = Bot(
            store,
            presets,
            seeds,
            signer=LinkSigner.of(token),
            limits=limits,
            clock=clock,
            spoken=spoken,
            job_pool=job_pool,
            settle_seconds=settle_seconds,
            processes=cluster.processes if cluster else 1,
            shares_gateway=cluster is not None,
            hosting=hosting,
            answer_seconds=answer_seconds,
            timing=timing,
        )
        client = bot.client
        async with client:
            asyncio.get_running_loop().set_default_executor(DrawingPool(bot.metrics))
            await wait_for_discord()
            await client.login(token)
            if cluster is not None:
                client.leases = await stack.enter_async_context(cluster.leases(client))
            # A downtime has to be known before anything is decided by the clock.
            await bot.use_cases.clocks.record_heartbeat()
            own = [asyncio.create_task(each.run()) for each in bot.workers.all]
            computer = [asyncio.create_task(task) for task in (bot.add_computer(thinking) if thinking else ())]
            gateway = [asyncio.create_task(client.connect())]
            if client.leases is not None:
                gateway.append(asyncio.create_task(client.leases.run(client)))
            watch = asyncio.create_task(store.watch())
            site = await start_site(bot, stack, notices)
            try:
                yield bot, [watch, *own, *gateway, *computer, *site]
            finally:
                for task in (*computer, *site):
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
                await asyncio.gather(watch, *own, *gateway, *computer, *site, return_exceptions=True)


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


async def count_open_games(store: WatchedStore) -> int:
    """Returns how many games are being played. Raises Unavailable."""
    async with store.read() as reader:
        return await reader.matches.count_open()


async def wait_for_failure(work: Work) -> None:
    """Waits until a task fails, and raises what it raised. Meanwhile the first boards are made quick to draw."""
    await asyncio.to_thread(warm, WARM_SIZES, [PAPER])
    done, _ = await asyncio.wait(work, return_when=asyncio.FIRST_COMPLETED)
    for task in done:
        task.result()
