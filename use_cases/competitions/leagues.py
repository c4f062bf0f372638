"""The use cases of leagues: open, change, join, pause, leave, close."""

from collections.abc import Awaitable, Callable

from play.challenge.terms import Terms
from play.community.happening import season_happenings
from play.community.news import LogAction, LogEntry, channel_value, setting_changed, switch_value
from play.competitions import league as leagues
from play.competitions.league import League
from play.competitions.season import Season
from play.ids import ChannelId, GuildId, Millis, UserId
from play.refusal import Reason, Refused
from storage import Database
from storage.unit_of_work import Reader, Transaction
from use_cases.barriers import check_may_enter
from use_cases.events import Events, log_entry, logged
from use_cases.match_writer import irreversible, retry_on_conflict, undone_by

Check = Callable[[Transaction], Awaitable[None]]
"""Raises Refused where the store knows a reason against a decision."""


class Leagues:
    """What managers and players do. The caller has checked who may manage. All methods raise Refused."""

    def __init__(self, store: Database, events: Events) -> None:
        self._store = store
        self._events = events

    @logged
    async def open(self, league: League) -> League:
        """Opens a league for its keeper. Raises Refused (`league_open`) if the server has one."""

        async def attempt() -> League:
            async with self._store.write() as tx:
                known = await tx.leagues.get(league.guild)
                if known is not None and not known.closed:
                    raise Refused(Reason.LEAGUE_OPEN)
                opened = await tx.leagues.add(league)
                await announce_seasons(tx, opened)
                await log_entry(tx, league.guild, LogEntry(LogAction.LEAGUE_OPENED, league.keeper))
            return opened

        opened = await retry_on_conflict(attempt)
        self._changed(league.guild)
        self._events.news_added()
        return opened

    @logged
    async def move(self, guild: GuildId, channel: ChannelId, keeper: UserId) -> League:
        """Moves the league to another channel, as it is, with a new keeper. Its former message says where it is."""

        def entry(league: League) -> LogEntry:
            return setting_changed(keeper, "league", channel_value(league.channel), channel_value(channel))

        return await self._update(guild, lambda league: leagues.move(league, channel, keeper), entry=entry)

    @logged
    async def change_terms(self, guild: GuildId, by: UserId, terms: Terms) -> League:
        """Changes the terms of the seasons to come; those of the present season withdraw the change."""
        return await self._update(
            guild,
            lambda league: leagues.change_terms(league, terms),
            entry=lambda _: LogEntry(LogAction.LEAGUE_TERMS, by),
        )

    async def load(self, guild: GuildId) -> League:
        """Returns the league of a server as it is now. Raises Refused (`no_league`), also if it is closed."""
        league = await self.look(guild)
        if league.closed:
            raise Refused(Reason.NO_LEAGUE)
        return league

    async def look(self, guild: GuildId) -> League:
        """Returns the league of a server, also one that is closed: its past seasons stay. Raises Refused
        (`no_league`)."""
        async with self._store.read() as reader:
            return await load_league(reader, guild)

    async def load_season(self, league: League, number: int) -> Season:
        """Returns a season of a league, of which a past one is read. Raises Refused (`no_league_season`)."""
        if league.season is not None and league.season.number == number:
            return league.season
        async with self._store.read() as reader:
            season = await reader.leagues.season(league.guild, number)
        if season is None:
            raise Refused(Reason.NO_LEAGUE_SEASON)
        return season

    async def join(self, guild: GuildId, user: UserId, at: Millis) -> League:
        """Puts `user` at the foot of the league; a member who pauses or was away plays in the next season again."""

        async def check(tx: Transaction) -> None:
            await check_may_enter(tx, guild, user, at)

        return await self._update(guild, lambda league: leagues.join(league, user, at), check)

    @undone_by("join")
    async def pause(self, guild: GuildId, user: UserId) -> League:
        """Lets `user` skip the next season."""
        return await self._update(guild, lambda league: leagues.pause(league, user))

    @irreversible
    async def leave(self, guild: GuildId, user: UserId, at: Millis) -> League:
        """Takes `user` out: the computer plays their games that have not begun; those that have go on and count."""
        return await self._update(guild, lambda league: leagues.leave(league, user, at))

    @logged
    async def set_pins(self, guild: GuildId, by: UserId, *, pins: bool) -> League:
        """Changes whether the table is to be pinned."""

        def entry(league: League) -> LogEntry:
            return setting_changed(by, "league_pins", switch_value(on=league.pins), switch_value(on=pins))

        return await self._update(guild, lambda league: leagues.set_pins(league, pins=pins), entry=entry)

    @logged
    @irreversible
    async def close(self, guild: GuildId, by: UserId) -> League:
        """Ends the league; running games go on by themselves."""
        return await self._update(
            guild, leagues.close, announces=True, entry=lambda _: LogEntry(LogAction.LEAGUE_CLOSED, by)
        )

    async def _update(
        self,
        guild: GuildId,
        decision: Callable[[League], League],
        check: Check | None = None,
        *,
        announces: bool = False,
        entry: Callable[[League], LogEntry] | None = None,
    ) -> League:
        """Saves what is decided. `entry` returns that of the log, by the league as it was."""

        async def attempt() -> League:
            async with self._store.write() as tx:
                if check is not None:
                    await check(tx)
                league = await load_league(tx, guild)
                saved = await tx.leagues.save(decision(league), league)
                if announces:
                    await announce_seasons(tx, saved)
                if entry is not None:
                    await log_entry(tx, guild, entry(league))
            return saved

        changed = await retry_on_conflict(attempt)
        self._changed(guild)
        if entry is not None:
            self._events.news_added()
        return changed

    def _changed(self, guild: GuildId) -> None:
        self._events.league_changed()
        self._events.guild_changed(guild)


async def announce_seasons(tx: Transaction, league: League) -> None:
    """Plans the present and the next season among the events of the server."""
    now = await tx.clock.now()
    for happening in season_happenings(league):
        await tx.happenings.plan(happening, now)


async def load_league(reader: Reader, guild: GuildId) -> League:
    """Loads the league of a server, also one that is closed. Raises Refused (`no_league`)."""
    league = await reader.leagues.get(guild)
    if league is None:
        raise Refused(Reason.NO_LEAGUE)
    return league
