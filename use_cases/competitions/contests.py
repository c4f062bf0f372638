"""The use cases of contests of two servers: challenge by code, accept, sign up, leave, cancel, the season."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from play.codes import digest_of
from play.community.news import LogAction, LogEntry, channel_value, setting_changed, switch_value
from play.competitions import contest as contests
from play.competitions.contest import MAX_OPEN_CONTESTS, Contest, ContestId, Side, Stage, Team
from play.competitions.contest_pairing import place_player
from play.competitions.contest_season import SeasonRow, known_servers, season_table
from play.ids import ChannelId, GuildId, Millis, UserId
from play.match.length import estimate
from play.people.membership import Member
from play.ratings.leaderboard import Season
from play.refusal import Reason, Refused
from play.votes import estimate_votes, schedule_at
from storage import Database
from storage.unit_of_work import Reader, Transaction
from use_cases.barriers import check_may_enter, check_other_people
from use_cases.events import Events, log_entry, logged
from use_cases.limits import Capacity
from use_cases.match_writer import irreversible, retry_on_conflict, undone_by
from use_cases.ratings import load_ratings

MAX_LISTED: Final = 5
"""Contests in a list of a server's: the open ones and a few before."""

MAX_PLAYED: Final = 2000
"""Contests that a table of a season counts, the newest ones: more than a quarter has had."""

Check = Callable[[Transaction, Contest], Awaitable[None]]
"""Raises Refused where the store knows a reason against a decision."""


@dataclass(frozen=True, slots=True)
class SeasonTable:
    """The table of a season as one server may read it. `known` are the servers whose names it may read; `is_listed`
    says that all may read its own."""

    season: Season
    rows: list[SeasonRow]
    known: set[GuildId]
    is_listed: bool


class Contests:
    """What managers and players do. The caller has checked who manages a server. All methods raise Refused."""

    def __init__(self, store: Database, events: Events, capacity: Capacity) -> None:
        self._store = store
        self._events = events
        self._capacity = capacity

    @logged
    async def challenge(self, contest: Contest) -> Contest:
        """Stores an invitation, and gives it its id (that of the argument counts for nothing).

        One interaction makes one, however often the chat delivers it. Raises Refused (`too_many_team_matches`,
        `team_of_two`).
        """
        if contest.terms.game.seats != 2:
            raise Refused(Reason.TEAM_OF_TWO)
        async with self._store.write() as tx:
            await tx.contests.lock()
            if (made := await tx.contests.by_key(contest.key)) is not None:
                return made
            await _check_room(tx, contest.home.guild)
            added = await tx.contests.add(contest)
            await log_entry(tx, contest.home.guild, LogEntry(LogAction.CONTEST_MADE, contest.home.manager))
        self._events.contest_changed()
        self._events.news_added()
        return added

    async def estimate(self, contest: Contest) -> Millis:
        """Returns about how long the games of a contest take."""
        async with self._store.read() as reader:
            return await load_length(reader, contest)

    async def load(self, contest: ContestId) -> Contest:
        """Returns the contest as it is now. Raises Refused (`no_team_match`)."""
        async with self._store.read() as reader:
            return await _load(reader, contest)

    async def of_guild(self, guild: GuildId) -> list[Contest]:
        """Returns the newest contests of a server."""
        async with self._store.read() as reader:
            return await reader.contests.of_guild(guild, MAX_LISTED)

    async def open_of_guild(self, guild: GuildId) -> list[Contest]:
        """Returns the open contests of a server. Raises Refused (`no_team_match`) if it has none."""
        async with self._store.read() as reader:
            found = await reader.contests.open_of_guild(guild)
        if not found:
            raise Refused(Reason.NO_TEAM_MATCH)
        return found

    async def look_up(self, letters: str, guild: GuildId, at: Millis) -> Contest:
        """Returns the contest to which a code invites the server `guild`, or that it has accepted by it.

        Raises Refused (`no_team_code`, `team_own_code`, `team_met`, `too_many_team_matches`).
        """
        async with self._store.read() as reader:
            found = await _find(reader, letters, guild, at)
            if found.guest is None:
                await _check_guest(reader, found, guild)
            return found

    @logged
    async def accept(self, letters: str, guest: Team, at: Millis) -> Contest:
        """Accepts for the server of `guest`. A second time changes nothing. Raises what `look_up` raises."""

        async def attempt() -> Contest:
            async with self._store.write() as tx:
                await tx.contests.lock()
                found = await _find(tx, letters, guest.guild, at)
                if found.guest is not None:
                    return found
                await _check_guest(tx, found, guest.guild)
                await log_entry(tx, guest.guild, LogEntry(LogAction.CONTEST_ACCEPTED, guest.manager))
                return await tx.contests.save(contests.accept(found, guest, at), found)

        accepted = await retry_on_conflict(attempt)
        self._changed(accepted)
        self._events.news_added()
        return accepted

    @logged
    @irreversible
    async def decline(self, letters: str, guild: GuildId, by: UserId, at: Millis) -> Contest:
        """Declines for the server `guild`; the code is used then. Raises Refused (`no_team_code`, `team_own_code`)."""

        async def attempt() -> Contest:
            async with self._store.write() as tx:
                found = await _find(tx, letters, guild, at)
                await log_entry(tx, guild, LogEntry(LogAction.CONTEST_DECLINED, by))
                return await tx.contests.save(contests.decline(found, guild, at), found)

        declined = await retry_on_conflict(attempt)
        self._events.contest_changed()
        self._events.news_added()
        return declined

    async def sign_up(self, contest: ContestId, member: Member, at: Millis) -> Contest:
        """Signs a member up for their server, which may have banned them; the other server's bans count for nothing.
        Raises Refused."""
        user, guild = member.user, member.guild

        async def check(tx: Transaction, stored: Contest) -> None:
            await check_may_enter(tx, guild, user, await tx.clock.now())
            await check_other_people(tx, user, [each.user for each in stored.players])
            if await tx.matches.count_open(user=user) >= self._capacity.max_of_player:
                raise Refused(Reason.TOO_MANY_MATCHES, user=user, count=self._capacity.max_of_player)

        return await self._update(
            contest, lambda stored: contests.sign_up(stored, member, stored.require_side(guild), at), check
        )

    @logged
    @irreversible
    async def begin_early(self, contest: ContestId, guild: GuildId | None, by: UserId, at: Millis) -> Contest:
        """Begins the games for the server `guild` before the sign-up closes: both sides are full. Raises Refused."""

        def decide(stored: Contest) -> Contest:
            stored.require_side(guild)
            return contests.begin_early(stored, at)

        return await self._update(contest, decide, entry=lambda _: (guild, LogEntry(LogAction.CONTEST_BEGUN, by)))

    @undone_by("sign_up")
    async def cancel_sign_up(self, contest: ContestId, user: UserId) -> Contest:
        """Takes `user` off the list before the games begin. Raises Refused."""

        def decide(stored: Contest) -> Contest:
            stored.require(Stage.SIGN_UP)
            return contests.leave(stored, user)

        return await self._update(contest, decide)

    @logged
    async def place(self, contest: ContestId, guild: GuildId, by: UserId, user: UserId, place: int) -> Contest:
        """Gives a player of the server `guild` a place in its line-up, from 1. Raises Refused."""

        async def attempt() -> Contest:
            async with self._store.write() as tx:
                stored = await _load(tx, contest)
                seeds = await load_seeds(tx, stored)
                placed = place_player(stored, stored.require_side(guild), user, place, *seeds)
                await log_entry(tx, guild, LogEntry(LogAction.CONTEST_PLACED, by, user))
                return await tx.contests.save(placed, stored)

        placed = await retry_on_conflict(attempt)
        self._changed(placed)
        self._events.news_added()
        return placed

    @logged
    @undone_by("place")
    async def remove(self, contest: ContestId, guild: GuildId, by: UserId, user: UserId) -> Contest:
        """Takes a player of the server `guild` off its list before the games begin. Raises Refused."""
        return await self._update(
            contest,
            lambda stored: contests.remove(stored, user, stored.require_side(guild)),
            entry=lambda _: (guild, LogEntry(LogAction.CONTEST_REMOVED, by, user)),
        )

    @irreversible
    async def leave(self, contest: ContestId, user: UserId) -> Contest:
        """Gives up the games of `user` that are not under way, which a substitute plays. Raises Refused."""
        return await self._update(contest, lambda stored: contests.leave(stored, user))

    @logged
    @irreversible
    async def withdraw(self, contest: ContestId, guild: GuildId | None, by: UserId, at: Millis) -> Contest:
        """Cancels for the server `guild` before the games begin. Later it proposes that, or confirms the other's
        proposal. Raises Refused."""
        return await self._update(
            contest,
            lambda stored: contests.withdraw(stored, stored.require_side(guild), at),
            entry=lambda _: (guild, LogEntry(LogAction.CONTEST_WITHDRAWN, by)),
        )

    async def season(self, guild: GuildId, season: Season) -> SeasonTable:
        """Returns the table of a season as a server may read it."""
        async with self._store.read() as reader:
            played = await reader.contests.played(season.previous.ends, season.ends, MAX_PLAYED)
            listed = await reader.contests.listed()
        return SeasonTable(season, season_table(played), known_servers(guild, played, listed), guild in listed)

    @logged
    async def set_listed(self, guild: GuildId, by: UserId, *, listed: bool) -> None:
        """Notes whether everybody may read a server's name in the table of a season."""
        async with self._store.write() as tx:
            before = guild in await tx.contests.listed()
            await tx.contests.set_listed(guild, listed=listed)
            entry = setting_changed(by, "contest_name", switch_value(on=before), switch_value(on=listed))
            await log_entry(tx, guild, entry)
        self._events.news_added()

    @logged
    async def move(self, contest: ContestId, side: Side, by: UserId, channel: ChannelId) -> Contest:
        """Lets a side read of a contest in another channel; running games stay where they are."""

        def entry(stored: Contest) -> tuple[GuildId, LogEntry]:
            team = stored.team(side)
            return team.guild, setting_changed(by, "contest", channel_value(team.channel), channel_value(channel))

        return await self._update(contest, lambda stored: contests.move(stored, side, channel), entry=entry)

    async def drop_server(self, guild: GuildId) -> None:
        """Notes that the bot was removed from a server: it loses what has not begun of its open contests."""
        async with self._store.read() as reader:
            found = await reader.contests.open_of_guild(guild)
        for contest in found:
            await self._update(contest.id, lambda stored: contests.lose_channel(stored, stored.require_side(guild)))

    async def drop_channel(self, channel: ChannelId) -> None:
        """Has the director look at the contests that a server reads of in a channel that was deleted."""
        async with self._store.read() as reader:
            found = await reader.contests.open_in(channel)
        for contest in found:
            await self._update(contest, lambda stored: stored)

    def _changed(self, contest: Contest) -> None:
        self._events.contest_changed()
        for side in contest.sides:
            self._events.guild_changed(contest.team(side).guild)

    async def _update(
        self,
        contest: ContestId,
        decision: Callable[[Contest], Contest],
        check: Check | None = None,
        entry: Callable[[Contest], tuple[GuildId | None, LogEntry]] | None = None,
    ) -> Contest:
        """Saves what is decided. `entry` returns that of the log of one of the servers, by the contest as it was."""

        async def attempt() -> Contest:
            async with self._store.write() as tx:
                stored = await _load(tx, contest)
                if check is not None:
                    await check(tx, stored)
                saved = await tx.contests.save(decision(stored), stored)
                if entry is not None:
                    guild, made = entry(stored)
                    if guild is not None:
                        await log_entry(tx, guild, made)
                return saved

        decided = await retry_on_conflict(attempt)
        self._changed(decided)
        if entry is not None:
            self._events.news_added()
        return decided


async def load_seeds(reader: Reader, contest: Contest) -> tuple[dict[UserId, float], dict[UserId, int]]:
    """Loads what players line up by: their seeding values, and how many games each has played on their own server."""
    ratings = await load_ratings(reader, contest.terms, [each.user for each in contest.players])
    played = dict[UserId, int]()
    for side in contest.sides:
        users = [player.user for _, player in contest.of_side(side)]
        played |= await reader.careers.count_on(contest.team(side).guild, users)
    return ratings, played


async def load_length(reader: Reader, contest: Contest) -> Millis:
    """Loads about how long the games of a contest take: if each vote is open to its end, or by the last games of the
    server that has invited."""
    game, control = contest.terms.game, contest.terms.control
    if contest.period is None:
        return estimate(game, await reader.matches.move_time(contest.home.guild, control), longest=contest.time)
    schedules = [schedule_at(await reader.homes.zone(contest.team(side).guild)) for side in contest.sides]
    return estimate_votes(game, [schedule.average(contest.period) for schedule in schedules])


async def _load(reader: Reader, contest: ContestId) -> Contest:
    stored = await reader.contests.get(contest)
    if stored is None:
        raise Refused(Reason.NO_TEAM_MATCH)
    return stored


async def _find(reader: Reader, letters: str, guild: GuildId, at: Millis) -> Contest:
    """Returns the contest of a code that the server may still use, or has used."""
    found = await reader.contests.by_code(digest_of(letters))
    if found is None:
        raise Refused(Reason.NO_TEAM_CODE)
    if found.guest is None or found.guest.guild != guild:
        contests.check_invited(found, guild, at)
    return found


async def _check_guest(reader: Reader, contest: Contest, guild: GuildId) -> None:
    """Raises Refused (`team_met`, `too_many_team_matches`) if the server plays the same opponent already, or too
    much."""
    for other in await reader.contests.open_of_guild(guild):
        if other.side_of(contest.home.guild) is not None:
            raise Refused(Reason.TEAM_MET)
    await _check_room(reader, guild)


async def _check_room(reader: Reader, guild: GuildId) -> None:
    if len(await reader.contests.open_of_guild(guild)) >= MAX_OPEN_CONTESTS:
        raise Refused(Reason.TOO_MANY_TEAM_MATCHES, count=MAX_OPEN_CONTESTS)
