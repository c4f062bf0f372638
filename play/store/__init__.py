"""The ports: what the use cases ask of a store, one repository an aggregate. storage/ implements them."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from typing import Protocol

from play.ids import Millis
from play.store.bans import BanReader, BanRepository
from play.store.blocks import BlockReader, BlockRepository
from play.store.careers import CareerReader, CareerRepository
from play.store.challenges import ChallengeReader, ChallengeRepository
from play.store.clock import ClockReader, ClockRepository
from play.store.dailies import DailyReader, DailyRepository
from play.store.deadlines import DeadlineReader, DeadlineRepository
from play.store.digests import DigestReader, DigestRepository
from play.store.greetings import GreetingReader, GreetingRepository
from play.store.happenings import HappeningReader, HappeningRepository
from play.store.homes import HomeReader, HomeRepository
from play.store.ladders import LadderReader, LadderRepository
from play.store.leaderboards import LeaderboardReader
from play.store.leagues import LeagueReader, LeagueRepository
from play.store.lessons import LessonReader, LessonRepository
from play.store.linked_accounts import LinkedAccountReader, LinkedAccountRepository
from play.store.matches import MatchReader, MatchRepository
from play.store.milestones import MilestoneReader, MilestoneRepository
from play.store.news import NewsReader, NewsRepository
from play.store.outbox import OutboxReader, OutboxRepository
from play.store.past_mistakes import PastMistakeReader, PastMistakeRepository
from play.store.people import PersonReader, PersonRepository
from play.store.plans import PlanReader, PlanRepository
from play.store.predictions import PredictionReader, PredictionRepository
from play.store.privacy import PrivacyReader, PrivacyRepository
from play.store.puzzles import PuzzleReader, PuzzleRepository
from play.store.ratings import RatingReader, RatingRepository
from play.store.role_rewards import RoleRewardReader, RoleRewardRepository
from play.store.rule_sets import RuleSetReader, RuleSetRepository
from play.store.rulings import RulingReader, RulingRepository
from play.store.rushes import RushReader, RushRepository
from play.store.servers import ServerReader, ServerRepository
from play.store.sheets import SheetReader, SheetRepository
from play.store.teams import TeamReader, TeamRepository
from play.store.tournaments import TournamentReader, TournamentRepository
from play.store.vacations import VacationReader, VacationRepository
from play.store.votes import VoteReader, VoteRepository
from play.store.web import WebReader, WebRepository


class Stale(Exception):
    """The row has changed since it was read; nothing was written."""


class ChannelTaken(Exception):
    """The channel has an open match already; nothing was written."""


class RematchOffered(Exception):
    """A rematch of that match is on offer already; nothing was written."""


class NameTaken(Exception):
    """The owner has another rule set of that name; nothing was written."""


class OutOfRange(Exception):
    """A number that no row can have: an id of 64 bits or more. Nothing was written."""


class Unavailable(Exception):
    """The store cannot be reached, or cannot write, at the moment. The caller cannot know whether a write was
    committed."""


class Broken(Unavailable):
    """The store needs its operator before it can be used again; the text tells them what to do."""


class CannotOpen(Broken):
    """The database cannot be opened as it is set up; the text says why and what to do, without the setting's name."""


class Gone(Broken):
    """The database was taken away from under the store: it would keep nothing that is written now."""


class Reader(Protocol):
    """One consistent view of what is stored, which cannot write."""

    bans: BanReader
    blocks: BlockReader
    careers: CareerReader
    challenges: ChallengeReader
    clock: ClockReader
    dailies: DailyReader
    deadlines: DeadlineReader
    digests: DigestReader
    greetings: GreetingReader
    happenings: HappeningReader
    homes: HomeReader
    ladders: LadderReader
    leaderboards: LeaderboardReader
    leagues: LeagueReader
    lessons: LessonReader
    linked_accounts: LinkedAccountReader
    matches: MatchReader
    milestones: MilestoneReader
    news: NewsReader
    outbox: OutboxReader
    past_mistakes: PastMistakeReader
    people: PersonReader
    plans: PlanReader
    predictions: PredictionReader
    privacy: PrivacyReader
    puzzles: PuzzleReader
    ratings: RatingReader
    role_rewards: RoleRewardReader
    rule_sets: RuleSetReader
    rulings: RulingReader
    rushes: RushReader
    servers: ServerReader
    sheets: SheetReader
    teams: TeamReader
    tournaments: TournamentReader
    vacations: VacationReader
    votes: VoteReader
    web: WebReader


class Transaction(Reader, Protocol):
    """A unit of work: all or nothing. It is committed when its block ends without an exception."""

    bans: BanRepository
    blocks: BlockRepository
    careers: CareerRepository
    challenges: ChallengeRepository
    clock: ClockRepository
    dailies: DailyRepository
    deadlines: DeadlineRepository
    digests: DigestRepository
    greetings: GreetingRepository
    happenings: HappeningRepository
    homes: HomeRepository
    ladders: LadderRepository
    leagues: LeagueRepository
    lessons: LessonRepository
    linked_accounts: LinkedAccountRepository
    matches: MatchRepository
    milestones: MilestoneRepository
    news: NewsRepository
    outbox: OutboxRepository
    past_mistakes: PastMistakeRepository
    people: PersonRepository
    plans: PlanRepository
    predictions: PredictionRepository
    privacy: PrivacyRepository
    puzzles: PuzzleRepository
    ratings: RatingRepository
    role_rewards: RoleRewardRepository
    rule_sets: RuleSetRepository
    rulings: RulingRepository
    rushes: RushRepository
    servers: ServerRepository
    sheets: SheetRepository
    teams: TeamRepository
    tournaments: TournamentRepository
    vacations: VacationRepository
    votes: VoteRepository
    web: WebRepository


class Store(Protocol):
    """A place that keeps what was played."""

    def read(self) -> AbstractAsyncContextManager[Reader]: ...

    def write(self) -> AbstractAsyncContextManager[Transaction]: ...


class WatchedStore(Store, Protocol):
    """A store that knows its own health."""

    async def examine(self) -> None:
        """Returns if the store can read and write. Raises Unavailable, as late as the store does."""

    def moment(self) -> Millis | None:
        """Returns the time of the store's clock without asking it; None before it was asked."""

    async def watch(self) -> None:
        """Waits for as long as the database is there. Raises Gone."""
