"""The units of work: a view that reads and a transaction that writes, each with one repository an aggregate."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar, overload

from storage.absences import AbsenceReader, AbsenceRepository
from storage.arenas import ArenaReader, ArenaRepository
from storage.bans import BanReader, BanRepository
from storage.blocks import BlockReader, BlockRepository
from storage.careers import CareerReader, CareerRepository
from storage.challenges import ChallengeReader, ChallengeRepository
from storage.clock import ClockReader, ClockRepository
from storage.contests import ContestReader, ContestRepository
from storage.dailies import DailyReader, DailyRepository
from storage.deadlines import DeadlineReader, DeadlineRepository
from storage.digests import DigestReader, DigestRepository
from storage.featured import FeaturedReader
from storage.friend_codes import FriendCodeReader, FriendCodeRepository
from storage.greetings import GreetingReader, GreetingRepository
from storage.happenings import HappeningReader, HappeningRepository
from storage.homes import HomeReader, HomeRepository
from storage.identities import IdentityReader, IdentityRepository
from storage.kept_posts import KeptPostReader, KeptPostRepository
from storage.ladders import LadderReader, LadderRepository
from storage.leaderboards import LeaderboardReader
from storage.leagues import LeagueReader, LeagueRepository
from storage.lessons import LessonReader, LessonRepository
from storage.linked_accounts import LinkedAccountReader, LinkedAccountRepository
from storage.made_exercises import MadeExerciseReader, MadeExerciseRepository
from storage.match_cache import MatchCache
from storage.matches import MatchReader, MatchRepository
from storage.milestones import MilestoneReader, MilestoneRepository
from storage.news import NewsReader, NewsRepository
from storage.openings import OpeningReader, OpeningRepository
from storage.operator import OperatorReader, OperatorRepository
from storage.outbox import OutboxReader, OutboxRepository
from storage.own_accounts import OwnAccountReader, OwnAccountRepository
from storage.own_boards import OwnBoardReader, OwnBoardRepository
from storage.own_figures import OwnFigureReader
from storage.past_mistakes import PastMistakeReader, PastMistakeRepository
from storage.people import PersonReader, PersonRepository
from storage.plans import PlanReader, PlanRepository
from storage.platforms import PlatformReader, PlatformRepository
from storage.predictions import PredictionReader, PredictionRepository
from storage.privacy import PrivacyReader, PrivacyRepository
from storage.puzzles import PuzzleReader, PuzzleRepository
from storage.ratings import RatingReader, RatingRepository
from storage.role_rewards import RoleRewardReader, RoleRewardRepository
from storage.rule_sets import RuleSetReader, RuleSetRepository
from storage.rulings import RulingReader, RulingRepository
from storage.rushes import RushReader, RushRepository
from storage.seats_posts import SeatsPostReader, SeatsPostRepository
from storage.seeks import SeekReader, SeekRepository
from storage.servers import ServerReader, ServerRepository
from storage.shared_figures import SharedFigureReader, SharedFigureRepository
from storage.sheets import SheetReader, SheetRepository
from storage.statements import Connection, Statements
from storage.steady_clock import SteadyClock
from storage.studies import StudyReader, StudyRepository
from storage.tournaments import TournamentReader, TournamentRepository
from storage.vacations import VacationReader, VacationRepository
from storage.votes import DecidedCounts, VoteReader, VoteRepository
from storage.web import WebReader, WebRepository
from storage.years import ServerYearReader

R = TypeVar("R")
W = TypeVar("W")


class _Lazy(Generic[R, W]):
    """A repository that is made when it is first asked for, since a unit of work needs a few: one that reads, or in a
    transaction one that writes, too."""

    def __init__(self, reader: Callable[[Statements], R], writer: Callable[[Statements], W]) -> None:
        self._reader = reader
        self._writer = writer

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, unit: Transaction, owner: object = None) -> W: ...
    @overload
    def __get__(self, unit: Reader, owner: object = None) -> R: ...
    def __get__(self, unit: Reader, owner: object = None) -> R | W:
        make = self._writer if isinstance(unit, Transaction) else self._reader
        made = unit.__dict__[self._name] = make(unit.sql)
        return made


class Reader:
    """One consistent view of what is stored, which cannot write."""

    absences = _Lazy(AbsenceReader, AbsenceRepository)
    arenas = _Lazy(ArenaReader, ArenaRepository)
    bans = _Lazy(BanReader, BanRepository)
    blocks = _Lazy(BlockReader, BlockRepository)
    careers = _Lazy(CareerReader, CareerRepository)
    challenges = _Lazy(ChallengeReader, ChallengeRepository)
    contests = _Lazy(ContestReader, ContestRepository)
    dailies = _Lazy(DailyReader, DailyRepository)
    digests = _Lazy(DigestReader, DigestRepository)
    featured = _Lazy(FeaturedReader, FeaturedReader)
    friend_codes = _Lazy(FriendCodeReader, FriendCodeRepository)
    greetings = _Lazy(GreetingReader, GreetingRepository)
    happenings = _Lazy(HappeningReader, HappeningRepository)
    homes = _Lazy(HomeReader, HomeRepository)
    identities = _Lazy(IdentityReader, IdentityRepository)
    kept_posts = _Lazy(KeptPostReader, KeptPostRepository)
    ladders = _Lazy(LadderReader, LadderRepository)
    leaderboards = _Lazy(LeaderboardReader, LeaderboardReader)
    leagues = _Lazy(LeagueReader, LeagueRepository)
    lessons = _Lazy(LessonReader, LessonRepository)
    made_exercises = _Lazy(MadeExerciseReader, MadeExerciseRepository)
    linked_accounts = _Lazy(LinkedAccountReader, LinkedAccountRepository)
    milestones = _Lazy(MilestoneReader, MilestoneRepository)
    news = _Lazy(NewsReader, NewsRepository)
    openings = _Lazy(OpeningReader, OpeningRepository)
    operator = _Lazy(OperatorReader, OperatorRepository)
    own_accounts = _Lazy(OwnAccountReader, OwnAccountRepository)
    own_boards = _Lazy(OwnBoardReader, OwnBoardRepository)
    own_figures = _Lazy(OwnFigureReader, OwnFigureReader)
    past_mistakes = _Lazy(PastMistakeReader, PastMistakeRepository)
    people = _Lazy(PersonReader, PersonRepository)
    plans = _Lazy(PlanReader, PlanRepository)
    platforms = _Lazy(PlatformReader, PlatformRepository)
    predictions = _Lazy(PredictionReader, PredictionRepository)
    privacy = _Lazy(PrivacyReader, PrivacyRepository)
    puzzles = _Lazy(PuzzleReader, PuzzleRepository)
    ratings = _Lazy(RatingReader, RatingRepository)
    role_rewards = _Lazy(RoleRewardReader, RoleRewardRepository)
    rule_sets = _Lazy(RuleSetReader, RuleSetRepository)
    rulings = _Lazy(RulingReader, RulingRepository)
    rushes = _Lazy(RushReader, RushRepository)
    seats_posts = _Lazy(SeatsPostReader, SeatsPostRepository)
    seeks = _Lazy(SeekReader, SeekRepository)
    servers = _Lazy(ServerReader, ServerRepository)
    shared_figures = _Lazy(SharedFigureReader, SharedFigureRepository)
    sheets = _Lazy(SheetReader, SheetRepository)
    studies = _Lazy(StudyReader, StudyRepository)
    tournaments = _Lazy(TournamentReader, TournamentRepository)
    vacations = _Lazy(VacationReader, VacationRepository)
    web = _Lazy(WebReader, WebRepository)
    years = _Lazy(ServerYearReader, ServerYearReader)

    clock: ClockReader
    deadlines: DeadlineReader
    matches: MatchReader
    outbox: OutboxReader
    votes: VoteReader

    def __init__(self, connection: Connection, cache: MatchCache, decided: DecidedCounts, clock: SteadyClock) -> None:
        self.connection = connection
        self.sql = sql = Statements(connection)
        self.outbox = OutboxReader(sql)
        self.clock = ClockReader(sql, clock)
        self.deadlines = DeadlineReader(sql)
        self.matches = MatchReader(sql, cache, self.outbox)
        self.votes = VoteReader(sql, decided)


class Transaction(Reader):
    """A unit of work: all or nothing. It is committed when its block ends without an exception."""

    clock: ClockRepository
    deadlines: DeadlineRepository
    matches: MatchRepository
    outbox: OutboxRepository
    votes: VoteRepository

    def __init__(self, connection: Connection, cache: MatchCache, clock: SteadyClock) -> None:
        self.connection = connection
        self.sql = sql = Statements(connection)
        self.outbox = OutboxRepository(sql)
        self.clock = ClockRepository(sql, clock)
        self.deadlines = DeadlineRepository(sql, self.outbox)
        self.matches = MatchRepository(sql, cache, self.outbox)
        self.votes = VoteRepository(sql)

    def committed(self) -> None:
        """Applies the changes of the transaction to caches and clock."""
        self.matches.committed()
        self.clock.committed()
