"""All background workers of a process, built and subscribed to the events that wake them."""

from collections.abc import Callable
from typing import Any

from play.ids import UserId
from use_cases import UseCases
from use_cases.channel_rights import MembersLeft
from use_cases.competitions.arena_director import ARENA_POLL_SECONDS, ArenaDirector
from use_cases.competitions.arena_posts import ArenaDisplay, ArenaPosts
from use_cases.competitions.called_match import CalledGames
from use_cases.competitions.contest_director import ContestDirector, ContestDisplay
from use_cases.competitions.ladder_referee import LadderReferee
from use_cases.competitions.ladder_refresher import LadderDisplay, LadderRefresher
from use_cases.competitions.league_director import LeagueDirector, LeagueDisplay
from use_cases.competitions.tournament_director import TournamentDirector, TournamentDisplay
from use_cases.post_keeper import KeeperNotices, PostKeeper
from use_cases.public_pages import Channels
from use_cases.worker import Timing, Worker
from use_cases.workers.announcement_relay import AnnouncementRelay, Announcer, BlockWatch
from use_cases.workers.call_settler import CallSettler
from use_cases.workers.daily_relay import DailyDisplay, DailyRelay
from use_cases.workers.deadline_scheduler import (
    HEARTBEAT_SECONDS,
    MAX_SLEEP_SECONDS,
    DeadlineScheduler,
    FlagHolder,
    Heartbeat,
)
from use_cases.workers.digest_relay import DigestPublisher, DigestRelay
from use_cases.workers.game_reviewer import REVIEW_POLL_SECONDS, GameReviewer, MatchReviewer
from use_cases.workers.happening_sync import HappeningGateway, HappeningSync
from use_cases.workers.home_refresher import HomeDisplay, HomeRefresher
from use_cases.workers.matchmaker import SEEK_POLL_SECONDS, Matchmaker, SeekDisplay
from use_cases.workers.news_relay import (
    YEAR_POLL_SECONDS,
    CardRefresher,
    Cards,
    Greeter,
    GreetingRelay,
    NewsPublisher,
    NewsRelay,
    YearTeller,
)
from use_cases.workers.opening_filler import BACKLOG_POLL_SECONDS, OpeningFiller
from use_cases.workers.outbox_relay import MatchPublisher, MatchThreads, OutboxRelay, ThreadKeeper
from use_cases.workers.prediction_judge import PredictionJudge
from use_cases.workers.role_sync import AccountGateway, AccountNotices, AccountSync, RoleGateway, RoleSync
from use_cases.workers.seats_refresher import SeatsDisplay, SeatsRefresher
from use_cases.workers.vote_counter import VoteCounter


class Workers:
    """The workers over the use cases; what they publish to is implemented outside of play/."""

    def __init__(
        self,
        use_cases: UseCases,
        timing: Timing,
        *,
        publisher: MatchPublisher,
        cards: Cards,
        ladders: LadderDisplay,
        news: NewsPublisher,
        greeter: Greeter,
        announcer: Announcer,
        digests: DigestPublisher,
        homes: HomeDisplay,
        dailies: DailyDisplay,
        opened: Channels,
        roles: RoleGateway,
        scheduled: HappeningGateway,
        connections: AccountGateway | None,
        link_notices: AccountNotices,
        tournaments: TournamentDisplay,
        leagues: LeagueDisplay,
        contests: ContestDisplay,
        arenas: ArenaDisplay,
        threads: MatchThreads,
        reviewer: MatchReviewer,
        keepers: KeeperNotices,
        seeks: SeekDisplay,
        seats: SeatsDisplay,
        own_id: Callable[[], UserId],
        replier: Callable[[], UserId | None],
        computer: bool,
        seeds: Callable[[], int],
        left: MembersLeft,
        observe_lateness: Callable[[float], None],
    ) -> None:
        """`timing` is that of all, but for polls of heartbeat, deadlines and reviews, and the longest pause of boards.

        `replier` finds the account that replies to moves at once, if there is one. `observe_lateness` is told by how
        many seconds each flag was late. `left` tells who has left a server. With a `computer`, that plays for players
        who drop out of a league.
        """
        store, events = use_cases.store, use_cases.events
        posts = PostKeeper(store, keepers)
        self.heartbeat = Heartbeat(use_cases.clocks, timing.polling(HEARTBEAT_SECONDS))
        self.deadlines = DeadlineScheduler(
            store, use_cases.clocks, use_cases.challenges, observe_lateness, timing.polling(MAX_SLEEP_SECONDS)
        )
        self.votes = VoteCounter(
            store,
            use_cases.votes,
            use_cases.matches,
            use_cases.actions,
            timing.polling(MAX_SLEEP_SECONDS).for_play,
        )
        self.flags = FlagHolder(use_cases.lost_time, timing)
        games = CalledGames(store, use_cases.moderation, events, own_id, seeds, left)
        self.tournaments = TournamentDirector(store, posts, games, tournaments, timing)
        self.contests = ContestDirector(store, posts, games, use_cases.capacity, use_cases.votes, contests, timing)
        self.leagues = LeagueDirector(store, posts, games, leagues, timing, computer=computer)
        pairing = timing.polling(ARENA_POLL_SECONDS).for_play
        self.arenas = ArenaDirector(store, use_cases.seeks, games, events, pairing)
        self.arena_posts = ArenaPosts(store, posts, arenas, timing)
        self.outbox = OutboxRelay(store, publisher, timing.for_play, self.tournaments.wake, replier)
        self.cards = CardRefresher(store, cards, timing)
        self.ladders = LadderReferee(store, events, timing)
        self.standings = LadderRefresher(store, posts, ladders, timing)
        self.news = NewsRelay(store, news, timing)
        self.years = YearTeller(store, events, timing.polling(YEAR_POLL_SECONDS))
        self.predictions = PredictionJudge(store, events, timing)
        self.greetings = GreetingRelay(store, greeter, timing)
        self.announcements = AnnouncementRelay(store, announcer, use_cases.blocked, timing)
        self.blocks = BlockWatch(store, use_cases.blocked, timing)
        self.digests = DigestRelay(store, digests, timing)
        self.homes = HomeRefresher(store, posts, homes, opened, timing)
        self.dailies = DailyRelay(store, posts, use_cases.dailies, dailies, timing)
        self.roles = RoleSync(store, roles, timing)
        self.happenings = HappeningSync(store, scheduled, opened, timing)
        self.accounts = AccountSync(store, connections, link_notices, timing) if connections else None
        self.threads = ThreadKeeper(store, threads, timing)
        self.matchmaker = Matchmaker(
            store, use_cases.seeks, events, use_cases.capacity, seeks, seeds, timing.polling(SEEK_POLL_SECONDS).for_play
        )
        self.calls = CallSettler(store, seeks, timing.for_play)
        self.seats = SeatsRefresher(store, posts, use_cases.open_seats, seats, timing.polling(SEEK_POLL_SECONDS))
        self.reviews = GameReviewer(store, reviewer, timing.polling(REVIEW_POLL_SECONDS))
        self.openings = OpeningFiller(store, timing.polling(BACKLOG_POLL_SECONDS))
        events.match_changed.subscribe(self.outbox.note_match, self.deadlines.note_match, self.votes.note_match)
        events.seeks_changed.subscribe(self.matchmaker.wake, self.seats.wake)
        events.calls_answered.subscribe(self.calls.wake)
        events.match_ended.subscribe(
            self.tournaments.wake,
            self.leagues.wake,
            self.contests.wake,
            self.arenas.wake,
            self.ladders.wake,
            self.roles.wake,
            self.predictions.wake,
        )
        events.thread_closed.subscribe(self.threads.wake)
        events.challenges_changed.subscribe(self.cards.wake, self.ladders.wake)
        events.ladder_changed.subscribe(self.standings.wake)
        events.news_added.subscribe(self.news.wake, self.roles.wake)
        events.members_changed.subscribe(self.roles.wake)
        events.guild_changed.subscribe(self.homes.note_change)
        events.daily_set.subscribe(self.dailies.wake)
        events.home_set.subscribe(self.homes.wake)
        if self.accounts is not None:
            events.account_linked.subscribe(self.accounts.wake)
        events.operator_acted.subscribe(self.announcements.wake, self.blocks.wake)
        events.greeting_added.subscribe(self.greetings.wake)
        events.league_changed.subscribe(self.leagues.wake)
        events.tournament_changed.subscribe(self.tournaments.wake)
        events.contest_changed.subscribe(self.contests.wake)
        events.arena_changed.subscribe(self.arenas.wake, self.arena_posts.wake)

    @property
    def all(self) -> tuple[Worker[Any], ...]:
        """All of them, in the order in which they start and stop."""
        return (
            self.heartbeat,
            self.deadlines,
            self.votes,
            self.flags,
            self.outbox,
            self.cards,
            self.tournaments,
            self.leagues,
            self.contests,
            self.arenas,
            self.arena_posts,
            self.ladders,
            self.standings,
            self.predictions,
            self.news,
            self.years,
            self.greetings,
            self.announcements,
            self.blocks,
            self.digests,
            self.homes,
            self.dailies,
            self.roles,
            self.happenings,
            *((self.accounts,) if self.accounts else ()),
            self.threads,
            self.matchmaker,
            self.calls,
            self.seats,
            self.reviews,
            self.openings,
        )
