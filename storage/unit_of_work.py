"""The units of work in SQL: the same repositories on every engine."""

from __future__ import annotations

from functools import cached_property

from storage.bans import SqlBanReader, SqlBanRepository
from storage.blocks import SqlBlockReader, SqlBlockRepository
from storage.careers import SqlCareerReader, SqlCareerRepository
from storage.challenges import SqlChallengeReader, SqlChallengeRepository
from storage.clock import SqlClockReader, SqlClockRepository
from storage.deadlines import SqlDeadlineReader, SqlDeadlineRepository
from storage.digests import SqlDigestReader, SqlDigestRepository
from storage.greetings import SqlGreetingReader, SqlGreetingRepository
from storage.homes import SqlHomeReader, SqlHomeRepository
from storage.ladders import SqlLadderReader, SqlLadderRepository
from storage.leaderboards import SqlLeaderboardReader
from storage.match_cache import MatchCache
from storage.matches import SqlMatchReader, SqlMatchRepository
from storage.news import SqlNewsReader, SqlNewsRepository
from storage.outbox import SqlOutboxReader, SqlOutboxRepository
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


class SqlReader:
    """A `play.store.Reader` on a connection in a transaction. Each repository is made when it is first asked for."""

    def __init__(self, connection: Connection, cache: MatchCache, clock: SteadyClock) -> None:
        self.connection = connection
        self._sql = Statements(connection)
        self._cache = cache
        self._clock = clock

    @cached_property
    def bans(self) -> SqlBanReader:
        return SqlBanReader(self._sql)

    @cached_property
    def blocks(self) -> SqlBlockReader:
        return SqlBlockReader(self._sql)

    @cached_property
    def careers(self) -> SqlCareerReader:
        return SqlCareerReader(self._sql)

    @cached_property
    def challenges(self) -> SqlChallengeReader:
        return SqlChallengeReader(self._sql)

    @cached_property
    def clock(self) -> SqlClockReader:
        return SqlClockReader(self._sql, self._clock)

    @cached_property
    def deadlines(self) -> SqlDeadlineReader:
        return SqlDeadlineReader(self._sql)

    @cached_property
    def digests(self) -> SqlDigestReader:
        return SqlDigestReader(self._sql)

    @cached_property
    def greetings(self) -> SqlGreetingReader:
        return SqlGreetingReader(self._sql)

    @cached_property
    def homes(self) -> SqlHomeReader:
        return SqlHomeReader(self._sql)

    @cached_property
    def ladders(self) -> SqlLadderReader:
        return SqlLadderReader(self._sql)

    @cached_property
    def leaderboards(self) -> SqlLeaderboardReader:
        return SqlLeaderboardReader(self._sql)

    @cached_property
    def matches(self) -> SqlMatchReader:
        return SqlMatchReader(self._sql, self._cache, self.outbox)

    @cached_property
    def news(self) -> SqlNewsReader:
        return SqlNewsReader(self._sql)

    @cached_property
    def outbox(self) -> SqlOutboxReader:
        return SqlOutboxReader(self._sql)

    @cached_property
    def people(self) -> SqlPersonReader:
        return SqlPersonReader(self._sql)

    @cached_property
    def plans(self) -> SqlPlanReader:
        return SqlPlanReader(self._sql)

    @cached_property
    def privacy(self) -> SqlPrivacyReader:
        return SqlPrivacyReader(self._sql)

    @cached_property
    def puzzles(self) -> SqlPuzzleReader:
        return SqlPuzzleReader(self._sql)

    @cached_property
    def ratings(self) -> SqlRatingReader:
        return SqlRatingReader(self._sql)

    @cached_property
    def role_rewards(self) -> SqlRoleRewardReader:
        return SqlRoleRewardReader(self._sql)

    @cached_property
    def rule_sets(self) -> SqlRuleSetReader:
        return SqlRuleSetReader(self._sql)

    @cached_property
    def rushes(self) -> SqlRushReader:
        return SqlRushReader(self._sql)

    @cached_property
    def servers(self) -> SqlServerReader:
        return SqlServerReader(self._sql)

    @cached_property
    def sheets(self) -> SqlSheetReader:
        return SqlSheetReader(self._sql)

    @cached_property
    def tournaments(self) -> SqlTournamentReader:
        return SqlTournamentReader(self._sql)

    @cached_property
    def vacations(self) -> SqlVacationReader:
        return SqlVacationReader(self._sql)

    @cached_property
    def web(self) -> SqlWebReader:
        return SqlWebReader(self._sql)


class SqlTransaction(SqlReader):
    """A `play.store.Transaction`."""

    @cached_property
    def bans(self) -> SqlBanRepository:
        return SqlBanRepository(self._sql)

    @cached_property
    def blocks(self) -> SqlBlockRepository:
        return SqlBlockRepository(self._sql)

    @cached_property
    def careers(self) -> SqlCareerRepository:
        return SqlCareerRepository(self._sql)

    @cached_property
    def challenges(self) -> SqlChallengeRepository:
        return SqlChallengeRepository(self._sql)

    @cached_property
    def clock(self) -> SqlClockRepository:
        return SqlClockRepository(self._sql, self._clock)

    @cached_property
    def deadlines(self) -> SqlDeadlineRepository:
        return SqlDeadlineRepository(self._sql, self.outbox)

    @cached_property
    def digests(self) -> SqlDigestRepository:
        return SqlDigestRepository(self._sql)

    @cached_property
    def greetings(self) -> SqlGreetingRepository:
        return SqlGreetingRepository(self._sql)

    @cached_property
    def homes(self) -> SqlHomeRepository:
        return SqlHomeRepository(self._sql)

    @cached_property
    def ladders(self) -> SqlLadderRepository:
        return SqlLadderRepository(self._sql)

    @cached_property
    def matches(self) -> SqlMatchRepository:
        return SqlMatchRepository(self._sql, self._cache, self.outbox)

    @cached_property
    def news(self) -> SqlNewsRepository:
        return SqlNewsRepository(self._sql)

    @cached_property
    def outbox(self) -> SqlOutboxRepository:
        return SqlOutboxRepository(self._sql)

    @cached_property
    def people(self) -> SqlPersonRepository:
        return SqlPersonRepository(self._sql)

    @cached_property
    def plans(self) -> SqlPlanRepository:
        return SqlPlanRepository(self._sql)

    @cached_property
    def privacy(self) -> SqlPrivacyRepository:
        return SqlPrivacyRepository(self._sql)

    @cached_property
    def puzzles(self) -> SqlPuzzleRepository:
        return SqlPuzzleRepository(self._sql)

    @cached_property
    def ratings(self) -> SqlRatingRepository:
        return SqlRatingRepository(self._sql)

    @cached_property
    def role_rewards(self) -> SqlRoleRewardRepository:
        return SqlRoleRewardRepository(self._sql)

    @cached_property
    def rule_sets(self) -> SqlRuleSetRepository:
        return SqlRuleSetRepository(self._sql)

    @cached_property
    def rushes(self) -> SqlRushRepository:
        return SqlRushRepository(self._sql)

    @cached_property
    def servers(self) -> SqlServerRepository:
        return SqlServerRepository(self._sql)

    @cached_property
    def sheets(self) -> SqlSheetRepository:
        return SqlSheetRepository(self._sql)

    @cached_property
    def tournaments(self) -> SqlTournamentRepository:
        return SqlTournamentRepository(self._sql)

    @cached_property
    def vacations(self) -> SqlVacationRepository:
        return SqlVacationRepository(self._sql)

    @cached_property
    def web(self) -> SqlWebRepository:
        return SqlWebRepository(self._sql)

    def committed(self) -> None:
        """Applies the changes of the transaction to caches and clock."""
        self.matches.committed()
        self.clock.committed()
