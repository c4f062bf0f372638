"""The use cases of home posts: a server chooses a channel for its own, has it posted anew, and ends it; and what it
shows."""

from collections.abc import Callable, Sequence, Set
from dataclasses import replace

from play.community.home import (
    MAX_CHALLENGES,
    MAX_GAMES,
    MAX_OFFERS,
    MAX_PLACES,
    MAX_RESULTS,
    MAX_TOURNAMENTS,
    MIN_RECORD_CAPTURE,
    WEEK_MILLIS,
    Home,
    HomeContent,
    HomeOffer,
    HomeResult,
    HomeTournament,
    OfferKind,
    first_number,
)
from play.community.news import LogEntry, channel_value, role_value, setting_changed
from play.community.prediction import window_at
from play.community.puzzle import puzzle_day
from play.competitions.contest import Stage
from play.ids import MINUTE, ChannelId, GuildId, Millis, RoleId, UserId
from play.match.match import Match
from play.ratings.leaderboard import Leader, Scorer, Season
from play.votes import closing
from storage import Database
from storage.unit_of_work import Reader
from use_cases.events import Events, log_entry, logged
from use_cases.match_writer import load_match, retry_on_conflict, undone_by
from use_cases.public_pages import Channels

MIN_RENEWAL_MILLIS = MINUTE
"""Between two posts that managers ask for: a minute, however often they press."""

MAX_LISTED_CHALLENGES = 50
"""Open challenges of a server that are counted."""

MAX_CHANNELS = 50
"""Channels of a server of which the chat is asked who can read them; the post names nothing of others."""


class Homes:
    """What managers of a server do with its home."""

    def __init__(self, store: Database, events: Events) -> None:
        self._store = store
        self._events = events

    async def of(self, guild: GuildId) -> Home | None:
        """Returns the home of a server."""
        async with self._store.read() as reader:
            return await reader.homes.get(guild)

    @logged
    async def settle(self, guild: GuildId, channel: ChannelId, zone: str | None, by: UserId) -> Home:
        """Gives a server a home, or moves its home; it is posted at once, and each morning in `zone`. Of its troubles
        `by` is told."""

        async def attempt() -> Home:
            async with self._store.write() as tx:
                home = await tx.homes.get(guild)
                before = None if home is None else home.channel
                if home is not None and home.channel == channel and home.trouble is None:
                    return home
                if home is None:
                    known = await tx.challenges.open_to_all(guild, 1)
                    number = first_number(await tx.clock.now())
                    home = Home(guild, channel, posts=number, announced=known[0].id if known else 0)
                await log_entry(tx, guild, _moved(by, before, channel))
                moved = await tx.homes.save(home.moved(channel, zone))
                await tx.kept_posts.place(moved.post.key, by)
                return moved

        settled = await retry_on_conflict(attempt)
        self._events.home_set()
        self._events.news_added()
        return settled

    @logged
    async def set_role(self, guild: GuildId, by: UserId, role: RoleId | None) -> None:
        """Chooses whom the home pings for open challenges: those made from now on."""

        async def attempt() -> None:
            async with self._store.write() as tx:
                if (home := await tx.homes.get(guild)) is not None:
                    newest = await tx.challenges.open_to_all(guild, MAX_CHALLENGES)
                    announced = max([home.announced, *(challenge.id for challenge in newest)])
                    await tx.homes.save(replace(home, role=role, announced=announced))
                    entry = setting_changed(by, "home_role", role_value(home.role), role_value(role))
                    await log_entry(tx, guild, entry)

        await retry_on_conflict(attempt)
        self._events.news_added()

    async def post_now(self, guild: GuildId, at: Millis) -> None:
        """Has the home posted anew, also where it could not be posted before."""
        await self._change(guild, lambda home: _renew(home, at))

    @logged
    @undone_by("settle")
    async def stop(self, guild: GuildId, by: UserId | None = None) -> None:
        """Ends the home, `by` a manager or with the bot's stay; its message stays, as it was last."""
        async with self._store.write() as tx:
            home = await tx.homes.get(guild)
            await tx.homes.remove(guild)
            if home is not None and by is not None:
                await log_entry(tx, guild, _moved(by, home.channel, None))
        self._events.news_added()

    async def _change(self, guild: GuildId, change: Callable[[Home], Home]) -> None:
        async def attempt() -> None:
            async with self._store.write() as tx:
                if (home := await tx.homes.get(guild)) is not None and (changed := change(home)) != home:
                    await tx.homes.save(changed)

        await retry_on_conflict(attempt)
        self._events.home_set()


def _renew(home: Home, at: Millis) -> Home:
    is_new = home.trouble is None and (home.message is None or at - (home.posted or 0) < MIN_RENEWAL_MILLIS)
    return home if is_new else home.renewed()


def _moved(by: UserId, before: ChannelId | None, after: ChannelId | None) -> LogEntry:
    return setting_changed(by, "home", channel_value(before), channel_value(after))


async def load_home_content(store: Database, channels: Channels, home: Home, now: Millis) -> HomeContent:
    """Returns what the post of `home` shows: of channels that all its readers can read. Raises Refused
    (`chat_away`)."""
    since = Millis(now - WEEK_MILLIS)
    async with store.read() as reader:
        named = await reader.homes.channels(home.guild, since, MAX_CHANNELS)
        source = await _puzzle_channel(reader, home.guild, now)
    asked = [*named, *([] if source is None else [source])]
    shown = {home.channel, *[each for each in asked if await channels.shows(home.guild, home.channel, each)]}
    async with store.read() as reader:
        return await _read(reader, home, now, shown, has_puzzle=source is None or source in shown)


async def _puzzle_channel(reader: Reader, guild: GuildId, now: Millis) -> ChannelId | None:
    """Returns the channel of the match that today's puzzle is of; None if it is of no match."""
    puzzle = await reader.puzzles.of_day(guild, puzzle_day(now))
    match = await reader.matches.get(puzzle.match) if puzzle and puzzle.match else None
    return None if match is None else match.parent or match.channel


async def _read(reader: Reader, home: Home, now: Millis, shown: Set[ChannelId], *, has_puzzle: bool) -> HomeContent:
    """Returns the content of these channels. Its list has all places that are kept; the post shows the first ones."""
    guild, season, day = home.guild, Season.at(now), puzzle_day(now)
    found, leaders = await reader.homes.main_pool(guild, str(season)), list[Leader | Scorer]()
    pool, is_rated = found or (None, False)
    if pool is not None and is_rated:
        leaders += await reader.leaderboards.leaders(pool, guild, 0, MAX_PLACES)
    elif pool is not None:
        leaders += await reader.leaderboards.scorers(season, pool, guild, 0, MAX_PLACES)
    offered = await reader.challenges.open_to_all(guild, MAX_LISTED_CHALLENGES, shown)
    challenges = [challenge for challenge in offered if challenge.expires > now]
    puzzle = await reader.puzzles.of_day(guild, day)
    attempts = await reader.puzzles.attempts(puzzle.id) if puzzle else []
    settings = await reader.servers.get(guild)
    tournaments = tuple(await reader.homes.tournaments(guild, shown, MAX_TOURNAMENTS))
    places = await reader.homes.places(guild, latest=home.begins_day(now))
    return HomeContent(
        games=tuple(await reader.homes.games(guild, shown, MAX_GAMES)),
        games_count=await reader.homes.count_games(guild, shown),
        challenges=tuple(challenges[:MAX_CHALLENGES]),
        challenges_count=len(challenges),
        pool=pool,
        leaders=tuple(line for line in leaders if line.place is not None),
        places=places or None,
        tournaments=tournaments,
        offers=await read_offers(reader, guild, tournaments, shown, now),
        results=await _results(reader, guild, shown, Millis(now - WEEK_MILLIS)),
        record=await reader.homes.record(guild, shown, Millis(now - WEEK_MILLIS), MIN_RECORD_CAPTURE),
        day=day,
        has_puzzle=has_puzzle,
        solved=sum(attempt.right and attempt.scored for attempt in attempts),
        daily_solvers=await reader.dailies.count_solvers(day, guild),
        language=settings.language,
        theme=settings.theme,
    )


async def read_offers(
    reader: Reader, guild: GuildId, tournaments: Sequence[HomeTournament], shown: Set[ChannelId], now: Millis
) -> tuple[HomeOffer, ...]:
    """Returns what members can take part in, in these channels: first what can be joined for some days only."""
    found = [HomeOffer(OfferKind.TOURNAMENT, each.channel, each.id) for each in tournaments if not each.round]
    for contest in await reader.contests.open_of_guild(guild):
        side = contest.side_of(guild)
        if contest.stage is Stage.SIGN_UP and side is not None:
            other = contest.team(side.other).guild
            place = OfferKind.CONTEST, contest.team(side).channel, contest.id
            found.append(HomeOffer(*place, len(contest.of_side(side)), contest.closes, guest=other))
    if (league := await reader.leagues.get(guild)) is not None and not league.closed:
        ends = league.begins if league.season is None else league.season.ends
        count = len(league.members)
        found.append(HomeOffer(OfferKind.LEAGUE, league.channel, count=count, until=ends))
    if (ladder := await reader.ladders.get(guild)) is not None:
        found.append(HomeOffer(OfferKind.LADDER, ladder.channel, count=len(ladder.present)))
    for voting in await reader.votes.open_of_guild(guild, MAX_OFFERS):
        match = await load_match(reader, voting.match)
        if match.to_act == voting.seat:
            count, closes = len(match.moves) + 1, closing(match, voting)
            found.append(_of_match(OfferKind.VOTE, match, guild, count, closes))
    for number in await reader.predictions.open_games(guild, MAX_OFFERS):
        match = await load_match(reader, number)
        if window_at(match) is not None:
            found.append(_of_match(OfferKind.PREDICTION, match, guild))
    return tuple(each for each in found if each.place in shown)[:MAX_OFFERS]


def _of_match(kind: OfferKind, match: Match, guild: GuildId, count: int = 0, until: Millis | None = None) -> HomeOffer:
    """Returns the offer of a game, as a server sees it."""
    here = match.look_from(away=match.guild != guild)
    return HomeOffer(kind, here.channel, here.id, count, until, here.players, parent=here.parent)


async def _results(reader: Reader, guild: GuildId, shown: Set[ChannelId], since: Millis) -> tuple[HomeResult, ...]:
    """Returns the newest tournaments of these channels that have ended since then with a winner."""
    ended = await reader.homes.ended(guild, shown, since, MAX_RESULTS)
    found = [await reader.tournaments.get(each) for each in ended]
    return tuple(
        HomeResult(each.id, each.name, each.channel, each.message, each.winners)
        for each in found
        if each is not None and each.winners
    )
