"""The units of work: a view that reads and a transaction that writes, each with one repository an aggregate."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from storage.bans import BanReader, BanRepository
from storage.blocks import BlockReader, BlockRepository
from storage.careers import CareerReader, CareerRepository
from storage.challenges import ChallengeReader, ChallengeRepository
from storage.clock import ClockReader, ClockRepository
from storage.contests import ContestReader, ContestRepository
from storage.dailies import DailyReader, DailyRepository
from storage.deadlines import DeadlineReader, DeadlineRepository
from storage.digests import DigestReader, DigestRepository
from storage.greetings import GreetingReader, GreetingRepository
from storage.happenings import HappeningReader, HappeningRepository
from storage.homes import HomeReader, HomeRepository
from storage.kept_posts import KeptPostReader, KeptPostRepository
from storage.ladders import LadderReader, LadderRepository
from storage.leaderboards import LeaderboardReader
from storage.leagues import LeagueReader, LeagueRepository
from storage.lessons import LessonReader, LessonRepository
from storage.linked_accounts import LinkedAccountReader, LinkedAccountRepository
from storage.match_cache import MatchCache
from storage.matches import MatchReader, MatchRepository
from storage.milestones import MilestoneReader, MilestoneRepository
from storage.news import NewsReader, NewsRepository
from storage.outbox import OutboxReader, OutboxRepository
from storage.past_mistakes import PastMistakeReader, PastMistakeRepository
from storage.people import PersonReader, PersonRepository
from storage.plans import PlanReader, PlanRepository
from storage.predictions import PredictionReader, PredictionRepository
from storage.privacy import PrivacyReader, PrivacyRepository
from storage.puzzles import PuzzleReader, PuzzleRepository
from storage.ratings import RatingReader, RatingRepository
from storage.role_rewards import RoleRewardReader, RoleRewardRepository
from storage.rule_sets import RuleSetReader, RuleSetRepository
from storage.rulings import RulingReader, RulingRepository
from storage.rushes import RushReader, RushRepository
from storage.servers import ServerReader, ServerRepository
from storage.sheets import SheetReader, SheetRepository
from storage.statements import Connection, Statements
from storage.steady_clock import SteadyClock
from storage.tournaments import TournamentReader, TournamentRepository
from storage.vacations import VacationReader, VacationRepository
from storage.votes import DecidedCounts, VoteReader, VoteRepository
from storage.web import WebReader, WebRepository

R = TypeVar("R", covariant=True)


class _Lazy(Generic[R]):
    """A repository that is made when it is first asked for: a unit of work needs a few of them."""

    def __init__(self, make: Callable[[Statements], R]) -> None:
        self._make = make

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, unit: Reader, owner: object = None) -> R:
        made = unit.__dict__[self._name] = self._make(unit.sql)
        return made


class Reader:
    """One consistent view of what is stored, which cannot write."""

    bans = _Lazy(BanReader)
    blocks = _Lazy(BlockReader)
    careers = _Lazy(CareerReader)
    challenges = _Lazy(ChallengeReader)
    contests = _Lazy(ContestReader)
    dailies = _Lazy(DailyReader)
    deadlines = _Lazy(DeadlineReader)
    digests = _Lazy(DigestReader)
    greetings = _Lazy(GreetingReader)
    happenings = _Lazy(HappeningReader)
    homes = _Lazy(HomeReader)
    kept_posts = _Lazy(KeptPostReader)
    ladders = _Lazy(LadderReader)
    leaderboards = _Lazy(LeaderboardReader)
    leagues = _Lazy(LeagueReader)
    lessons = _Lazy(LessonReader)
    linked_accounts = _Lazy(LinkedAccountReader)
    milestones = _Lazy(MilestoneReader)
    news = _Lazy(NewsReader)
    past_mistakes = _Lazy(PastMistakeReader)
    people = _Lazy(PersonReader)
    plans = _Lazy(PlanReader)
    predictions = _Lazy(PredictionReader)
    privacy = _Lazy(PrivacyReader)
    puzzles = _Lazy(PuzzleReader)
    ratings = _Lazy(RatingReader)
    role_rewards = _Lazy(RoleRewardReader)
    rule_sets = _Lazy(RuleSetReader)
    rulings = _Lazy(RulingReader)
    rushes = _Lazy(RushReader)
    servers = _Lazy(ServerReader)
    sheets = _Lazy(SheetReader)
    tournaments = _Lazy(TournamentReader)
    vacations = _Lazy(VacationReader)
    web = _Lazy(WebReader)

    clock: ClockReader
    matches: MatchReader
    outbox: OutboxReader
    votes: VoteReader

    def __init__(self, connection: Connection, cache: MatchCache, decided: DecidedCounts, clock: SteadyClock) -> None:
        self.connection = connection
        self.sql = sql = Statements(connection)
        self.outbox = OutboxReader(sql)
        self.clock = ClockReader(sql, clock)
        self.matches = MatchReader(sql, cache, self.outbox)
        self.votes = VoteReader(sql, decided)


class Transaction(Reader):
    """A unit of work: all or nothing. It is committed when its block ends without an exception."""

    bans = _Lazy(BanRepository)
    blocks = _Lazy(BlockRepository)
    careers = _Lazy(CareerRepository)
    challenges = _Lazy(ChallengeRepository)
    contests = _Lazy(ContestRepository)
    dailies = _Lazy(DailyRepository)
    digests = _Lazy(DigestRepository)
    greetings = _Lazy(GreetingRepository)
    happenings = _Lazy(HappeningRepository)
    homes = _Lazy(HomeRepository)
    kept_posts = _Lazy(KeptPostRepository)
    ladders = _Lazy(LadderRepository)
    leagues = _Lazy(LeagueRepository)
    lessons = _Lazy(LessonRepository)
    linked_accounts = _Lazy(LinkedAccountRepository)
    milestones = _Lazy(MilestoneRepository)
    news = _Lazy(NewsRepository)
    past_mistakes = _Lazy(PastMistakeRepository)
    people = _Lazy(PersonRepository)
    plans = _Lazy(PlanRepository)
    predictions = _Lazy(PredictionRepository)
    privacy = _Lazy(PrivacyRepository)
    puzzles = _Lazy(PuzzleRepository)
    ratings = _Lazy(RatingRepository)
    role_rewards = _Lazy(RoleRewardRepository)
    rule_sets = _Lazy(RuleSetRepository)
    rulings = _Lazy(RulingRepository)
    rushes = _Lazy(RushRepository)
    servers = _Lazy(ServerRepository)
    sheets = _Lazy(SheetRepository)
    tournaments = _Lazy(TournamentRepository)
    vacations = _Lazy(VacationRepository)
    votes = _Lazy(VoteRepository)
    web = _Lazy(WebRepository)

    clock: ClockRepository
    deadlines: DeadlineRepository
    matches: MatchRepository
    outbox: OutboxRepository

    def __init__(self, connection: Connection, cache: MatchCache, clock: SteadyClock) -> None:
        self.connection = connection
        self.sql = sql = Statements(connection)
        self.outbox = OutboxRepository(sql)
        self.clock = ClockRepository(sql, clock)
        self.deadlines = DeadlineRepository(sql, self.outbox)
        self.matches = MatchRepository(sql, cache, self.outbox)

    def committed(self) -> None:
        """Applies the changes of the transaction to caches and clock."""
        self.matches.committed()
        self.clock.committed()
