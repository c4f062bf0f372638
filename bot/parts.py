"""The parts of a bot in the order in which they are built, each over those before it; none of them runs yet.

First comes what knows Discord, then what publishes, the workers, what handlers may use, and the site.
"""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Self

from bot.client import Kropka
from bot.connection import SETTLE_SECONDS
from bot.edge import USER_AGENT, guard
from bot.features.announcements import ServerAnnouncer
from bot.features.challenges.cards import CardPublisher
from bot.features.challenges.web_challenges import WebChallenges
from bot.features.coach.coach import Coach
from bot.features.coach.computer import Computer, ComputerSetup
from bot.features.competitions.arena import ArenaPublisher
from bot.features.competitions.contests.publisher import ContestPublisher
from bot.features.competitions.ladder import LadderStanding
from bot.features.competitions.league import LeaguePublisher
from bot.features.competitions.tournaments.publisher import TournamentPublisher
from bot.features.home import HomePublisher
from bot.features.leaderboards import DiscordRoles
from bot.features.match.board import BoardRenderer
from bot.features.match.delivery.board_poster import BoardPoster
from bot.features.match.delivery.notices import Digests, Notices
from bot.features.match.delivery.old_boards import OldBoards, VoteCounts
from bot.features.match.delivery.publisher import Publisher
from bot.features.match.delivery.stuck_messages import StuckMessages
from bot.features.match.delivery.threads import OpenThreads, ThreadNames
from bot.features.news import ChannelNews
from bot.features.players.years import draw_server_year
from bot.features.registry import features
from bot.features.seats_post import SeatsPublisher
from bot.features.stranger_calls import StrangerCalls
from bot.features.welcome import Greeter
from bot.interactions.context import Boards, Services
from bot.interactions.deferral import ANSWER_SECONDS
from bot.interactions.keepers import Keepers
from bot.invitation import invite_url
from bot.markup import DiscordMarkup, spoken
from bot.platforms import Chat, MakeChat, Routes, routed_members
from bot.request import own_id
from bot.services.breaker import PAUSES, Breaker
from bot.services.channels import ChannelMessenger, ServerPosts
from bot.services.discord_clock import DiscordClock
from bot.services.discord_errors import ErrorCode
from bot.services.gate import Gate, Intake, IntakeLimits
from bot.services.guild_directory import GuildDirectory
from bot.services.job_pool import JobPool
from bot.services.kept_answers import KeptAnswers
from bot.services.locales import Locales
from bot.services.members import GRACE_SECONDS, DiscordMembers, OpenChannels, OwnTimeOuts, WebVoters
from bot.services.messages import DirectMessages
from bot.services.names import Names
from bot.services.open_questions import OpenQuestions
from bot.services.own_accounts import OwnAccountNotices
from bot.services.rate_limits import (
    ANNOUNCEMENTS,
    DIGESTS,
    EXCHANGES,
    INSTANCES,
    LINKS,
    PATIENCE_SECONDS,
    POSTS,
    Pace,
    Rate,
    RateLimits,
    ThreadBudget,
)
from bot.services.role_connections import LinkNotices, RoleConnections
from bot.services.scheduled_events import ScheduledEvents
from bot.services.short_answers import ShortAnswers
from bot.services.web_discord import WebDiscord
from bot.services.web_links import WebLinks
from bot.settings import Hosting
from bot.sharding import Cluster
from bot.telemetry.metrics import Metrics
from bot.version import repository_of
from bot.way_out import STRAIGHT, WayOut
from bot.website import site_parts
from chat.parts import ChatParts
from play.ids import Platform
from play.match.outbox_entry import REPLY_MILLIS
from presentation.match.boards import MatchViews
from presentation.words.words import Languages
from storage import Database
from storage.steady_clock import uptime
from use_cases import UseCases
from use_cases.channel_rights import ChannelRights
from use_cases.matches import MatchFactReader
from use_cases.own_accounts import OwnAccounts
from use_cases.privacy import Privacy
from use_cases.public_pages import PublicGames, PublicServers
from use_cases.web_sessions import WebSessions
from use_cases.worker import Backoff, Timing
from use_cases.workers.workers import Workers
from use_cases.years import ServerYears
from web.access.links import LinkSigner
from web.ports import Launcher
from web.site import Website

NOTHING_OFFERED = Hosting()
"""No page and no place for feedback."""


def uptime_seconds() -> float:
    """Returns how long this machine has been running, suspended or not."""
    return uptime() / 1000


def draw_seed() -> int:
    """Returns a random number of 53 bits, which every database keeps exactly."""
    return secrets.randbits(53)


@dataclass(frozen=True, slots=True)
class Patience:
    """How long the bot waits for what."""

    settle_seconds: float = SETTLE_SECONDS
    """Running handlers get so long to end when the bot is told to stop."""
    answer_seconds: float = ANSWER_SECONDS
    """A click whose answer takes longer is acknowledged first."""
    thread_seconds: float = PATIENCE_SECONDS
    """What takes longer to open is turned away by Discord meanwhile."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What a bot is built with: the choices of its operator, and what tests replace. `presets` are the rules on offer.

    Without `thinking` the computer neither plays nor teaches; without a `cluster` this process is the only one, and
    keeps all gateway shards itself.
    """

    presets: Sequence[str]
    hosting: Hosting = NOTHING_OFFERED
    thinking: ComputerSetup | None = None
    limits: RateLimits = field(default_factory=RateLimits)
    cluster: Cluster | None = None
    seeds: Callable[[], int] = draw_seed
    spoken: Languages = field(default_factory=spoken)
    job_pool: Callable[[Metrics], JobPool] = JobPool
    clock: Callable[[], float] = uptime_seconds
    """The seconds by which the limits of requests count."""
    patience: Patience = Patience()
    timing: Timing = field(default_factory=Timing)
    """When background work polls and is tried again."""
    pauses: Backoff = PAUSES
    """How long what can wait pauses after an answer of what is in front of Discord."""
    intake: IntakeLimits = field(default_factory=IntakeLimits)
    announcements: Rate = ANNOUNCEMENTS
    way: WayOut = STRAIGHT
    """The way to Discord."""
    chats: Sequence[MakeChat] = ()
    """The chat platforms beside Discord."""

    @property
    def processes(self) -> int:
        """How many processes share what Discord lets one bot do."""
        return self.cluster.processes if self.cluster else 1

    def share(self, rate: Rate) -> Rate:
        """Returns this process's part of what all may do together."""
        return Rate(max(1, rate.burst // self.processes), rate.every * self.processes)


@dataclass(frozen=True, slots=True)
class DiscordParts:
    """What asks Discord, and knows people, servers and channels from there."""

    client: Kropka
    gate: Gate
    intake: Intake
    clock: DiscordClock
    metrics: Metrics
    breaker: Breaker
    languages: Languages
    locales: Locales
    names: Names
    channels: ChannelMessenger
    direct: DirectMessages
    directory: GuildDirectory
    threads: ThreadBudget
    opened: OpenChannels
    """For those who wait for an answer."""
    seen: OpenChannels
    """For workers, which leave room for the rest."""
    members: DiscordMembers
    time_outs: OwnTimeOuts
    voters: WebVoters
    rights: ChannelRights
    connections: RoleConnections | None
    """Linked roles, where the operator has a site and the client secret."""

    @classmethod
    def build(cls, store: Database, use_cases: UseCases, setup: Setup, chats: Sequence[Chat] = ()) -> Self:
        """Returns the parts around a client, which is not connected yet. The `chats` know people beside Discord's."""
        clock, metrics = setup.clock, Metrics(frozenset(ErrorCode))
        breaker = Breaker(setup.timing.clock, setup.pauses)
        metrics.pause.set_function(lambda: breaker.seconds)
        intake = Intake(metrics, use_cases.lost_time, setup.intake)
        gate, discord_clock = Gate(setup.limits, intake, use_cases.blocked, clock), DiscordClock(clock, store.moment)
        client = Kropka(
            *(features(setup.hosting), setup.spoken, gate, metrics),
            breaker.watch(guard(metrics.trace)),
            note_id=discord_clock.note,
            count_games=partial(count_open_games, store),
            settle_seconds=setup.patience.settle_seconds,
            connector=setup.way.connector(),
        )
        spoken = setup.spoken.speaking(DiscordMarkup(client.tree.ids))
        locales, directory = Locales(client, store, spoken), GuildDirectory(client, use_cases.blocked)
        pace = Pace(setup.share(POSTS))
        threads = ThreadBudget(clock, setup.patience.thread_seconds)
        answers = KeptAnswers(client, clock, GRACE_SECONDS)
        members = DiscordMembers(answers)
        secret = setup.hosting.client_secret if setup.hosting.web else None
        links = Pace(setup.share(LINKS))
        connections = RoleConnections(client, secret, breaker.watch(guard(metrics.trace)), links) if secret else None
        return cls(
            client=client,
            gate=gate,
            intake=intake,
            clock=discord_clock,
            metrics=metrics,
            breaker=breaker,
            languages=spoken,
            locales=locales,
            names=Names(client, locales, store, use_cases.absences.note),
            channels=ChannelMessenger(client, directory, pace, use_cases.actions.repost, threads),
            direct=DirectMessages(client, store, clock),
            directory=directory,
            threads=threads,
            opened=OpenChannels(KeptAnswers(client, clock)),
            seen=OpenChannels(KeptAnswers(client, clock, pace=pace)),
            members=members,
            time_outs=OwnTimeOuts(members, partial(own_id, client)),
            voters=WebVoters(members, use_cases.votes, store, directory),
            rights=ChannelRights(store, routed_members(members, chats)),
            connections=connections,
        )


@dataclass(frozen=True, slots=True)
class Publishers:
    """What draws and brings to Discord: boards, cards, posts."""

    jobs: JobPool
    computer: Computer | None
    coach: Coach
    public: PublicGames
    links: WebLinks | None
    views: MatchViews
    boards: BoardRenderer
    publisher: Publisher
    vote_counts: VoteCounts
    open_threads: OpenThreads
    cards: CardPublisher
    greeter: Greeter

    @classmethod
    def build(cls, store: Database, use_cases: UseCases, here: DiscordParts, signer: LinkSigner, setup: Setup) -> Self:
        """Returns what publishes through the parts that are `here`; `signer` makes the links to the site."""
        client, channels, direct, locales, names = here.client, here.channels, here.direct, here.locales, here.names
        jobs, thinking, address = setup.job_pool(here.metrics), setup.thinking, setup.hosting.web
        computer = Computer(client, store, use_cases.challenges, channels, thinking.pool) if thinking else None
        coach = Coach(here.directory, here.channels, here.seen, use_cases, locales, names, jobs, computer)
        public = PublicGames(store, here.opened)
        links = WebLinks(address, signer, public) if address else None
        views = MatchViews(MatchFactReader(store), names, lambda: coach.has_computer, links.page_of if links else None)
        boards = BoardRenderer(views)
        threads = ThreadNames(store, channels, locales, names)
        open_threads = OpenThreads(channels, names, use_cases.actions.leave_place)
        old = OldBoards(store, boards, locales, channels)
        poster = BoardPoster(
            *(client, store, boards, locales, names, channels, direct, threads, open_threads, old, here.intake),
            StuckMessages(setup.timing.clock, lambda: here.breaker.messages),
            card_outdated=use_cases.events.challenges_changed,
            shares_gateway=setup.cluster is not None,
        )
        notices = Notices(store, locales, names, channels, direct, boards, open_threads, links)
        return cls(
            jobs=jobs,
            computer=computer,
            coach=coach,
            public=public,
            links=links,
            views=views,
            boards=boards,
            vote_counts=VoteCounts(store, boards, locales, channels),
            publisher=Publisher(client, store, channels, poster, notices, threads, old),
            open_threads=open_threads,
            cards=CardPublisher(use_cases, channels, locales, names, coach.take_challenge),
            greeter=Greeter(client, use_cases.greetings, channels, locales, coach, links),
        )


def add_discord(store: Database, routes: Routes, here: DiscordParts, publishers: Publishers, setup: Setup) -> None:
    """Routes what is for Discord to the parts that are `here`."""
    pace = Pace(Rate(DIGESTS.burst, DIGESTS.every * setup.processes))
    told = here.direct, here.locales, here.names, publishers.open_threads, here.rights, pace, publishers.links
    routes.publisher.by_platform[Platform.DISCORD] = publishers.publisher
    routes.cards.by_platform[Platform.DISCORD] = publishers.cards
    routes.digests.by_platform[Platform.DISCORD] = Digests(*told)
    routes.dailies.by_platform[Platform.DISCORD] = publishers.coach.posts
    routes.threads.by_platform[Platform.DISCORD] = publishers.open_threads
    notices = OwnAccountNotices(here.direct, here.locales, here.names)
    routes.accounts.by_platform[Platform.DISCORD] = notices
    posts = ServerPosts(here.directory, here.threads)
    calls = StrangerCalls(posts, here.channels, store, here.locales, here.names)
    routes.calls.by_platform[Platform.DISCORD] = calls
    arenas = ArenaPublisher(posts, store, here.locales, here.names, publishers.links)
    routes.arenas.by_platform[Platform.DISCORD] = arenas
    about = here.direct, here.locales, here.names, here.members, here.time_outs, partial(own_id, here.client)
    routes.keepers.by_platform[Platform.DISCORD] = Keepers(store, posts, *about)


def build_chat(
    chat: Chat, services: Services, publishers: Publishers, here: DiscordParts, setup: Setup, *, on_discord: bool
) -> ChatParts:
    """Returns the parts of a platform beside Discord, of which names and languages are known from now on."""
    hosting = setup.hosting

    def invitation() -> str | None:
        application = here.client.application_id
        return invite_url(application) if application and hosting.can_invite else None

    parts = ChatParts.build(
        chat.platform,
        services.use_cases,
        presets=setup.presets,
        limits=here.gate,
        coach=publishers.coach,
        jobs=publishers.jobs,
        privacy=services.privacy,
        own_accounts=services.own_accounts,
        sessions=services.web_sessions,
        links=publishers.links,
        invitation=invitation,
        on_discord=on_discord,
    )
    own = parts.services.names
    for kind, others in here.names.elsewhere.items():
        others.elsewhere[parts.kind], own.elsewhere[kind] = own, others
    here.names.elsewhere[parts.kind], own.elsewhere[Platform.DISCORD] = own, here.names
    here.locales.elsewhere[parts.kind] = parts.services.locales
    return parts


def build_workers(
    store: Database, use_cases: UseCases, here: DiscordParts, publishers: Publishers, setup: Setup, routes: Routes
) -> Workers:
    """Returns the background workers, which publish through the parts that are `here`, and by `routes` elsewhere."""
    directory, direct, locales, names = here.directory, here.direct, here.locales, here.names
    posts = ServerPosts(directory, here.threads)
    account, thinking, links = partial(own_id, here.client), setup.thinking, publishers.links
    repository = repository_of(setup.hosting.source)
    more = links.guides if links else None, repository and f"{repository}/CHANGELOG.md"
    draw = partial(draw_server_year, ServerYears(store, here.seen), names, publishers.jobs)
    return Workers(
        use_cases,
        setup.timing,
        publisher=routes.publisher,
        cards=routes.cards,
        ladders=LadderStanding(posts, store, locales, names, links),
        news=ChannelNews(directory, store, locales, names, *more, draw),
        greeter=publishers.greeter,
        announcer=ServerAnnouncer(here.client, store, posts, locales, Pace(setup.share(setup.announcements))),
        digests=routes.digests,
        homes=HomePublisher(here.client, here.channels, locales, names, publishers.coach.posts, use_cases),
        dailies=routes.dailies,
        opened=here.seen,
        roles=DiscordRoles(here.client, locales, here.members),
        scheduled=ScheduledEvents(here.client, locales),
        connections=here.connections,
        link_notices=LinkNotices(direct, locales, links),
        tournaments=TournamentPublisher(posts, store, locales, names, links),
        arenas=routes.arenas,
        contests=ContestPublisher(posts, store, locales, names, direct),
        leagues=LeaguePublisher(posts, store, locales, names, links, directory),
        keepers=routes.keepers,
        seeks=routes.calls,
        seats=SeatsPublisher(here.channels, locales, names),
        threads=routes.threads,
        reviewer=publishers.coach,
        own_id=account,
        replier=(lambda: names.own_id) if thinking and thinking.pace < REPLY_MILLIS else lambda: None,
        computer=thinking is not None,
        seeds=setup.seeds,
        left=here.members.left,
        observe_lateness=here.metrics.lateness.observe,
    )


def build_services(
    use_cases: UseCases, here: DiscordParts, publishers: Publishers, workers: Workers, setup: Setup, routes: Routes
) -> Services:
    """Returns what handlers may use."""
    return Services(
        use_cases=use_cases,
        privacy=Privacy(use_cases, workers.roles, workers.accounts),
        own_accounts=OwnAccounts(use_cases.store, routes.accounts),
        server_years=ServerYears(use_cases.store, here.opened),
        rights=here.rights,
        presets=setup.presets,
        languages=here.languages,
        locales=here.locales,
        names=here.names,
        time_outs=here.time_outs,
        channels=here.channels,
        direct=here.direct,
        directory=here.directory,
        gate=here.gate,
        intake=here.intake,
        answers=ShortAnswers(USER_AGENT, here.metrics, setup.way),
        discord_clock=here.clock,
        metrics=here.metrics,
        jobs=publishers.jobs,
        boards=Boards(publishers.boards, publishers.publisher, workers.outbox),
        cards=publishers.cards,
        coach=publishers.coach,
        hosting=setup.hosting,
        questions=OpenQuestions(),
        web_sessions=WebSessions(use_cases.store, use_cases.events, here.rights),
        web_links=publishers.links,
        answer_seconds=setup.patience.answer_seconds,
    )


def build_website(
    services: Services,
    here: DiscordParts,
    publishers: Publishers,
    signer: LinkSigner,
    setup: Setup,
    routes: Routes,
    launcher: Launcher | None,
    *,
    on_discord: bool,
) -> Website | None:
    """Returns the site, whose games begin on the platforms of `routes`; None where the operator has none."""
    hosting, clock = setup.hosting, setup.clock
    if not hosting.web:
        return None
    paces, secret = (setup.share(EXCHANGES), setup.share(INSTANCES)), hosting.client_secret
    trace = here.breaker.watch(guard(here.metrics.trace))
    discord = WebDiscord(here.client, secret, trace, *paces, clock) if secret else None
    servers = PublicServers(services.store, here.opened)

    def invitation() -> str | None:
        application = here.client.application_id
        return invite_url(application) if application and hosting.can_invite else None

    members, voters = here.members, here.voters
    if on_discord:
        routes.beginnings.by_platform[Platform.DISCORD] = WebChallenges(services, members)
    return Website.build(
        site_parts(
            *(services, publishers.public, servers, publishers.views, signer, members, voters, hosting.web),
            routes.beginnings.for_user,
            application=discord,
            launcher=launcher,
            roles=here.connections,
            invitation=invitation,
            clock=clock,
        )
    )


async def count_open_games(store: Database) -> int:
    """Returns how many games are being played. Raises Unavailable."""
    async with store.read() as reader:
        return await reader.matches.count_open()
