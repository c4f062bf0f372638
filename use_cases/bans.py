"""The use cases of bans: moderators keep a member from playing on their server, and let them play again."""

from typing import NamedTuple

from play.challenge.challenge import ChallengeState, decline, leave, withdraw
from play.community.ban import MAX_BANS, Ban
from play.community.news import LogAction, LogEntry
from play.competitions import contest as contests
from play.competitions import entries
from play.competitions import ladder as ladders
from play.competitions import league as leagues
from play.ids import GuildId, Millis, UserId
from play.match.match import Match
from play.refusal import Reason, Refused
from storage import Database
from storage.unit_of_work import Reader, Transaction
from use_cases.events import Events, log_entry, logged
from use_cases.match_writer import irreversible, retry_on_conflict
from use_cases.moderation import Moderation


class EndedGames(NamedTuple):
    """How many running games of a member a moderator has ended, and how many could not be."""

    ended: int
    left: int


class Bans:
    """Bans of a server; the caller has checked that the moderator may ban that member. All methods raise Refused."""

    def __init__(self, store: Database, events: Events, moderation: Moderation) -> None:
        self._store = store
        self._events = events
        self._moderation = moderation

    async def load(self, guild: GuildId) -> list[Ban]:
        """Returns the bans of a server that hold, the newest first."""
        async with self._store.read() as reader:
            now = await reader.clock.now()
            return [ban for ban in await reader.bans.of_server(guild) if ban.holds(now)]

    @logged
    @irreversible
    async def ban(self, ban: Ban) -> None:
        """Bans a member, in place of an earlier ban.

        Their open challenges on the server end, and they leave its ladder, its league and its tournaments: no further
        round pairs them. Their running games go on and count. Raises Refused (`ban_self`, `too_many_bans`).
        """
        if ban.user == ban.by:
            raise Refused(Reason.BAN_SELF)

        async def attempt() -> None:
            async with self._store.write() as tx:
                await tx.bans.remove_ended(ban.at)
                known = await tx.bans.of_server(ban.guild)
                if len(known) >= MAX_BANS and ban.user not in [each.user for each in known]:
                    raise Refused(Reason.TOO_MANY_BANS, count=MAX_BANS)
                await tx.bans.put(ban)
                await _take_out(tx, ban)
                until = "" if ban.until is None else str(ban.until)
                entry = LogEntry(LogAction.BANNED, ban.by, ban.user, (ban.reason, until))
                await log_entry(tx, ban.guild, entry, ban.at)

        await retry_on_conflict(attempt)
        self._publish()
        self._events.challenges_changed()
        self._events.ladder_changed()
        self._events.league_changed()
        self._events.tournament_changed()
        self._events.contest_changed()

    @logged
    async def lift(self, guild: GuildId, moderator: UserId, user: UserId, at: Millis) -> None:
        """Lets a member play again. Raises Refused (`ban_self`, `not_banned`)."""
        if user == moderator:
            raise Refused(Reason.BAN_SELF)
        async with self._store.write() as tx:
            ban = await tx.bans.get(guild, user)
            if ban is None or not ban.holds(at):
                raise Refused(Reason.NOT_BANNED, user=user)
            await tx.bans.remove(guild, user)
            await log_entry(tx, guild, LogEntry(LogAction.UNBANNED, moderator, user), at)
        self._publish()

    @logged
    @irreversible
    async def end_games(self, guild: GuildId, moderator: UserId, user: UserId, at: Millis) -> EndedGames:
        """Ends the running games of a member that began on the server, as far as a moderator may decide them.

        The opponent wins a game of two in which both have moved; any other game is annulled.
        """
        async with self._store.read() as reader:
            matches = await _matches_on(reader, guild, user)
        ended = 0
        for match in matches:
            try:
                await self._moderation.end_against(match, moderator, guild, user, at)
            except Refused:
                continue
            ended += 1
        return EndedGames(ended, len(matches) - ended)

    def _publish(self) -> None:
        self._events.news_added()


async def _take_out(tx: Transaction, ban: Ban) -> None:
    """Ends the challenges of a banned member on the server; takes them off ladder, league, tournaments and contests."""
    for number in await tx.challenges.open_of(ban.user):
        challenge = await tx.challenges.get(number)
        if challenge is None or challenge.guild != ban.guild or challenge.state is not ChallengeState.OPEN:
            continue
        if ban.user == challenge.challenger or await tx.ladders.of_challenge(number) is not None:
            await tx.challenges.save(withdraw(challenge))
        elif ban.at < challenge.expires:
            step = leave if ban.user in challenge.joined else decline
            await tx.challenges.save(step(challenge, ban.user, ban.at))
    ladder = await tx.ladders.get(ban.guild)
    if ladder is not None and ban.user in ladder.users:
        await tx.ladders.save(ladders.leave(ladder, ban.user), ladder)
    league = await tx.leagues.get(ban.guild)
    if league is not None and ban.user in league.users:
        await tx.leagues.save(leagues.leave(league, ban.user, ban.at), league)
    for tournament in await tx.tournaments.open_of(ban.user):
        stored = await tx.tournaments.get(tournament)
        if stored is not None and stored.guild == ban.guild:
            await tx.tournaments.save(entries.exclude(stored, ban.user), stored)
    for entered in await tx.contests.open_of(ban.user):
        contest = await tx.contests.get(entered)
        player = None if contest is None else contest.number_of(ban.user)
        if contest is None or player is None:
            continue
        if contest.team(contest.players[player].side).guild == ban.guild:
            await tx.contests.save(contests.leave(contest, ban.user), contest)


async def _matches_on(reader: Reader, guild: GuildId, user: UserId) -> list[Match]:
    entries = [entry for entry in await reader.matches.open_of(user) if entry.guild == guild]
    found = [await reader.matches.get(entry.id) for entry in entries]
    return [match for match in found if match is not None]
