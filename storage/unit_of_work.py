"""The units of work in SQL: the same repositories on every engine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from play.store import Reader, Transaction
from storage.bans import SqlBanReader, SqlBanRepository
from storage.blocks import SqlBlockReader, SqlBlockRepository
from storage.careers import SqlCareerReader, SqlCareerRepository
from storage.challenges import SqlChallengeReader, SqlChallengeRepository
from storage.clock import SqlClockReader, SqlClockRepository
from storage.dailies import SqlDailyReader, SqlDailyRepository
from storage.deadlines import SqlDeadlineReader, SqlDeadlineRepository
from storage.digests import SqlDigestReader, SqlDigestRepository
from storage.greetings import SqlGreetingReader, SqlGreetingRepository
from storage.happenings import SqlHappeningReader, SqlHappeningRepository
from storage.homes import SqlHomeReader, SqlHomeRepository
from storage.ladders import SqlLadderReader, SqlLadderRepository
from storage.leaderboards import SqlLeaderboardReader
from storage.leagues import SqlLeagueReader, SqlLeagueRepository
from storage.lessons import SqlLessonReader, SqlLessonRepository
from storage.linked_accounts import SqlLinkedAccountReader, SqlLinkedAccountRepository
from storage.match_cache import MatchCache
from storage.matches import SqlMatchReader, SqlMatchRepository
from storage.milestones import SqlMilestoneReader, SqlMilestoneRepository
from storage.news import SqlNewsReader, SqlNewsRepository
from storage.outbox import SqlOutboxReader, SqlOutboxRepository
from storage.past_mistakes import SqlPastMistakeReader, SqlPastMistakeRepository
from storage.people import SqlPersonReader, SqlPersonRepository
from storage.plans import SqlPlanReader, SqlPlanRepository
from storage.predictions import SqlPredictionReader, SqlPredictionRepository
from storage.privacy import SqlPrivacyReader, SqlPrivacyRepository
from storage.puzzles import SqlPuzzleReader, SqlPuzzleRepository
from storage.ratings import SqlRatingReader, SqlRatingRepository
from storage.role_rewards import SqlRoleRewardReader, SqlRoleRewardRepository
from storage.rule_sets import SqlRuleSetReader, SqlRuleSetRepository
from storage.rulings import SqlRulingReader, SqlRulingRepository
from storage.rushes import SqlRushReader, SqlRushRepository
from storage.servers import SqlServerReader, SqlServerRepository
from storage.sheets import SqlSheetReader, SqlSheetRepository
from storage.statements import Connection, Statements
from storage.steady_clock import SteadyClock
from storage.teams import SqlTeamReader, SqlTeamRepository
from storage.tournaments import SqlTournamentReader, SqlTournamentRepository
from storage.vacations import SqlVacationReader, SqlVacationRepository
from storage.votes import DecidedCounts, SqlVoteReader, SqlVoteRepository
from storage.web import SqlWebReader, SqlWebRepository

R = TypeVar("R", covariant=True)


class _Lazy(Generic[R]):
    """A repository that is made when it is first asked for: a unit of work needs a few of them."""

    def __init__(self, make: Callable[[Statements], R]) -> None:
        self._make = make

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, unit: SqlReader | SqlTransaction, owner: object = None) -> R:
        made = unit.__dict__[self._name] = self._make(unit.sql)
        return made


class SqlReader(Reader):
    """A view on a connection in a transaction."""

    bans = _Lazy(SqlBanReader)
    blocks = _Lazy(SqlBlockReader)
    careers = _Lazy(SqlCareerReader)
    challenges = _Lazy(SqlChallengeReader)
    dailies = _Lazy(SqlDailyReader)
    deadlines = _Lazy(SqlDeadlineReader)
    digests = _Lazy(SqlDigestReader)
    greetings = _Lazy(SqlGreetingReader)
    happenings = _Lazy(SqlHappeningReader)
    homes = _Lazy(SqlHomeReader)
    ladders = _Lazy(SqlLadderReader)
    leaderboards = _Lazy(SqlLeaderboardReader)
    leagues = _Lazy(SqlLeagueReader)
    lessons = _Lazy(SqlLessonReader)
    linked_accounts = _Lazy(SqlLinkedAccountReader)
    milestones = _Lazy(SqlMilestoneReader)
    news = _Lazy(SqlNewsReader)
    past_mistakes = _Lazy(SqlPastMistakeReader)
    people = _Lazy(SqlPersonReader)
    plans = _Lazy(SqlPlanReader)
    predictions = _Lazy(SqlPredictionReader)
    privacy = _Lazy(SqlPrivacyReader)
    puzzles = _Lazy(SqlPuzzleReader)
    ratings = _Lazy(SqlRatingReader)
    role_rewards = _Lazy(SqlRoleRewardReader)
    rule_sets = _Lazy(SqlRuleSetReader)
    rulings = _Lazy(SqlRulingReader)
    rushes = _Lazy(SqlRushReader)
    servers = _Lazy(SqlServerReader)
    sheets = _Lazy(SqlSheetReader)
    teams = _Lazy(SqlTeamReader)
    tournaments = _Lazy(SqlTournamentReader)
    vacations = _Lazy(SqlVacationReader)
    web = _Lazy(SqlWebReader)

    clock: SqlClockReader

    def __init__(self, connection: Connection, cache: MatchCache, decided: DecidedCounts, clock: SteadyClock) -> None:
        self.connection = connection
        self.sql = sql = Statements(connection)
        self.outbox = SqlOutboxReader(sql)
        self.clock = SqlClockReader(sql, clock)
        self.matches = SqlMatchReader(sql, cache, self.outbox)
        self.votes = SqlVoteReader(sql, decided)


class SqlTransaction(Transaction):
    """A unit of work on a connection in a transaction."""

    bans = _Lazy(SqlBanRepository)
    blocks = _Lazy(SqlBlockRepository)
    careers = _Lazy(SqlCareerRepository)
    challenges = _Lazy(SqlChallengeRepository)
    dailies = _Lazy(SqlDailyRepository)
    digests = _Lazy(SqlDigestRepository)
    greetings = _Lazy(SqlGreetingRepository)
    happenings = _Lazy(SqlHappeningRepository)
    homes = _Lazy(SqlHomeRepository)
    ladders = _Lazy(SqlLadderRepository)
    leaderboards = _Lazy(SqlLeaderboardReader)
    leagues = _Lazy(SqlLeagueRepository)
    lessons = _Lazy(SqlLessonRepository)
    linked_accounts = _Lazy(SqlLinkedAccountRepository)
    milestones = _Lazy(SqlMilestoneRepository)
    news = _Lazy(SqlNewsRepository)
    past_mistakes = _Lazy(SqlPastMistakeRepository)
    people = _Lazy(SqlPersonRepository)
    plans = _Lazy(SqlPlanRepository)
    predictions = _Lazy(SqlPredictionRepository)
    privacy = _Lazy(SqlPrivacyRepository)
    puzzles = _Lazy(SqlPuzzleRepository)
    ratings = _Lazy(SqlRatingRepository)
    role_rewards = _Lazy(SqlRoleRewardRepository)
    rule_sets = _Lazy(SqlRuleSetRepository)
    rulings = _Lazy(SqlRulingRepository)
    rushes = _Lazy(SqlRushRepository)
    servers = _Lazy(SqlServerRepository)
    sheets = _Lazy(SqlSheetRepository)
    teams = _Lazy(SqlTeamRepository)
    tournaments = _Lazy(SqlTournamentRepository)
    vacations = _Lazy(SqlVacationRepository)
    votes = _Lazy(SqlVoteRepository)
    web = _Lazy(SqlWebRepository)

    clock: SqlClockRepository
    matches: SqlMatchRepository

    def __init__(self, connection: Connection, cache: MatchCache, clock: SteadyClock) -> None:
        self.connection = connection
        self.sql = sql = Statements(connection)
        self.outbox = SqlOutboxRepository(sql)
        self.clock = SqlClockRepository(sql, clock)
        self.deadlines = SqlDeadlineRepository(sql, self.outbox)
        self.matches = SqlMatchRepository(sql, cache, self.outbox)

    def committed(self) -> None:
        """Applies the changes of the transaction to caches and clock."""
        self.matches.committed()
        self.clock.committed()
