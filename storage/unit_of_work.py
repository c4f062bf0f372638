"""The units of work in SQL: the same repositories on every engine."""

from __future__ import annotations

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
from storage.homes import SqlHomeReader, SqlHomeRepository
from storage.ladders import SqlLadderReader, SqlLadderRepository
from storage.leaderboards import SqlLeaderboardReader
from storage.lessons import SqlLessonReader, SqlLessonRepository
from storage.match_cache import MatchCache
from storage.matches import SqlMatchReader, SqlMatchRepository
from storage.news import SqlNewsReader, SqlNewsRepository
from storage.outbox import SqlOutboxReader, SqlOutboxRepository
from storage.past_mistakes import SqlPastMistakeReader, SqlPastMistakeRepository
from storage.people import SqlPersonReader, SqlPersonRepository
from storage.plans import SqlPlanReader, SqlPlanRepository
from storage.privacy import SqlPrivacyReader, SqlPrivacyRepository
from storage.puzzles import SqlPuzzleReader, SqlPuzzleRepository
from storage.ratings import SqlRatingReader, SqlRatingRepository
from storage.role_rewards import SqlRoleRewardReader, SqlRoleRewardRepository
from storage.rule_sets import SqlRuleSetReader, SqlRuleSetRepository
from storage.rushes import SqlRushReader, SqlRushRepository
from storage.servers import SqlServerReader, SqlServerRepository
from storage.sheets import SqlSheetReader, SqlSheetRepository
from storage.statements import Connection, Statements
from storage.steady_clock import SteadyClock
from storage.tournaments import SqlTournamentReader, SqlTournamentRepository
from storage.vacations import SqlVacationReader, SqlVacationRepository
from storage.web import SqlWebReader, SqlWebRepository


class SqlReader(Reader):
    """A view on a connection in a transaction."""

    clock: SqlClockReader

    def __init__(self, connection: Connection, cache: MatchCache, clock: SteadyClock) -> None:
        self.connection = connection
        sql = Statements(connection)
        self.outbox = SqlOutboxReader(sql)
        self.bans = SqlBanReader(sql)
        self.blocks = SqlBlockReader(sql)
        self.careers = SqlCareerReader(sql)
        self.challenges = SqlChallengeReader(sql)
        self.clock = SqlClockReader(sql, clock)
        self.dailies = SqlDailyReader(sql)
        self.deadlines = SqlDeadlineReader(sql)
        self.digests = SqlDigestReader(sql)
        self.greetings = SqlGreetingReader(sql)
        self.homes = SqlHomeReader(sql)
        self.ladders = SqlLadderReader(sql)
        self.leaderboards = SqlLeaderboardReader(sql)
        self.lessons = SqlLessonReader(sql)
        self.matches = SqlMatchReader(sql, cache, self.outbox)
        self.news = SqlNewsReader(sql)
        self.past_mistakes = SqlPastMistakeReader(sql)
        self.people = SqlPersonReader(sql)
        self.plans = SqlPlanReader(sql)
        self.privacy = SqlPrivacyReader(sql)
        self.puzzles = SqlPuzzleReader(sql)
        self.ratings = SqlRatingReader(sql)
        self.role_rewards = SqlRoleRewardReader(sql)
        self.rule_sets = SqlRuleSetReader(sql)
        self.rushes = SqlRushReader(sql)
        self.servers = SqlServerReader(sql)
        self.sheets = SqlSheetReader(sql)
        self.tournaments = SqlTournamentReader(sql)
        self.vacations = SqlVacationReader(sql)
        self.web = SqlWebReader(sql)


class SqlTransaction(Transaction):
    """A unit of work on a connection in a transaction."""

    clock: SqlClockRepository
    matches: SqlMatchRepository

    def __init__(self, connection: Connection, cache: MatchCache, clock: SteadyClock) -> None:
        self.connection = connection
        sql = Statements(connection)
        self.outbox = SqlOutboxRepository(sql)
        self.bans = SqlBanRepository(sql)
        self.blocks = SqlBlockRepository(sql)
        self.careers = SqlCareerRepository(sql)
        self.challenges = SqlChallengeRepository(sql)
        self.clock = SqlClockRepository(sql, clock)
        self.dailies = SqlDailyRepository(sql)
        self.deadlines = SqlDeadlineRepository(sql, self.outbox)
        self.digests = SqlDigestRepository(sql)
        self.greetings = SqlGreetingRepository(sql)
        self.homes = SqlHomeRepository(sql)
        self.ladders = SqlLadderRepository(sql)
        self.leaderboards = SqlLeaderboardReader(sql)
        self.lessons = SqlLessonRepository(sql)
        self.matches = SqlMatchRepository(sql, cache, self.outbox)
        self.news = SqlNewsRepository(sql)
        self.past_mistakes = SqlPastMistakeRepository(sql)
        self.people = SqlPersonRepository(sql)
        self.plans = SqlPlanRepository(sql)
        self.privacy = SqlPrivacyRepository(sql)
        self.puzzles = SqlPuzzleRepository(sql)
        self.ratings = SqlRatingRepository(sql)
        self.role_rewards = SqlRoleRewardRepository(sql)
        self.rule_sets = SqlRuleSetRepository(sql)
        self.rushes = SqlRushRepository(sql)
        self.servers = SqlServerRepository(sql)
        self.sheets = SqlSheetRepository(sql)
        self.tournaments = SqlTournamentRepository(sql)
        self.vacations = SqlVacationRepository(sql)
        self.web = SqlWebRepository(sql)

    def committed(self) -> None:
        """Applies the changes of the transaction to caches and clock."""
        self.matches.committed()
        self.clock.committed()
