"""Reads what the home page of a player shows: their own games and challenges, and what goes on in their servers."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass

from play.challenge.challenge import Challenge
from play.community.daily import Run
from play.community.home import WEEK_MILLIS, HomeGame
from play.community.lesson import PathProgress
from play.community.puzzle import Attempt, Puzzle, puzzle_day
from play.community.rush import Rush
from play.ids import ChannelId, GuildId, MatchId, Millis, UserId
from play.match.listed import OpenMatch
from play.match.match import Match
from play.people.career import FinishedMatch
from play.people.settings import PlayerSettings
from storage import Database
from storage.unit_of_work import Reader
from use_cases.exercises import read_streak

MAX_BOARDS = 12
"""Games that are shown with their boards, as many as `/games` lists: each board is a match to read."""

MAX_CHALLENGES, MAX_FINISHED = 20, 6
"""Challenges and finished games that are shown."""

MAX_SERVERS, MAX_CHANNELS, MAX_AROUND = 3, 8, 6
"""Servers that are looked at, channels of a server of which Discord is asked, and games and challenges of a server."""

Sees = Callable[[GuildId, ChannelId, UserId], Awaitable[bool]]
"""Returns whether a user sees a channel of a server. Raises Refused (`discord_away`)."""


@dataclass(frozen=True, slots=True)
class Lobby:
    """A player's own part of their home at `now`: open `games` in the order of `/games`, of which the first ones have
    `boards`; challenges that wait for their answer, and their other open ones; the games that ended last. `daily` is
    their way through today's puzzles, None if not begun, with their `streak` once it is over, `rush` their last ten in
    a row, and `lessons` their path; so many of their own mistakes are `due`, of all that are `returning`."""

    user: UserId
    now: Millis
    settings: PlayerSettings
    games: tuple[OpenMatch, ...]
    boards: dict[MatchId, Match]
    asked: tuple[Challenge, ...]
    offered: tuple[Challenge, ...]
    finished: tuple[FinishedMatch, ...]
    daily: Run | None
    streak: int
    rush: Rush | None
    lessons: PathProgress
    due: int
    returning: int

    @property
    def waiting(self) -> list[OpenMatch]:
        """Returns the games in which the player is to move, the most urgent first."""
        return [each for each in self.games if each.waits_for(self.user)]


@dataclass(frozen=True, slots=True)
class Surroundings:
    """A server around a player: open challenges that they may accept, and games that they may watch; so many users are
    `watching` them. `puzzle` is that of the server's day, if they see its post, and `attempt` their first try."""

    guild: GuildId
    challenges: tuple[Challenge, ...]
    games: tuple[HomeGame, ...]
    watching: Mapping[MatchId, int]
    puzzle: Puzzle | None
    attempt: Attempt | None


async def load_lobby(store: Database, user: UserId) -> Lobby:
    """Returns a player's own part of their home. It costs no more statements than `/games`, however many games there
    are."""
    async with store.read() as reader:
        now, settings = await reader.clock.now(), await reader.people.get(user)
        games = await reader.matches.open_of(user)
        await asyncio.sleep(0)  # each half takes milliseconds, and others have their turn in between
        boards = await reader.matches.of_ids([each.id for each in games[:MAX_BOARDS]])
        involving = await reader.challenges.involving(user, MAX_CHALLENGES)
        finished = await reader.careers.finished(user, 0, MAX_FINISHED)
        daily = await reader.dailies.run(puzzle_day(now), user)
        streak = await read_streak(reader, user, now) if daily and daily.over else 0
        rush, lessons = await reader.rushes.of_user(user), PathProgress(await reader.lessons.of_user(user))
        returning = await reader.past_mistakes.count(user)
        due = await reader.past_mistakes.count_due(user, settings.local_day(now)) if returning else 0
    standing = [each for each in involving if each.expires > now and each.message is not None]
    return Lobby(
        user=user,
        now=now,
        settings=settings,
        games=tuple(games),
        boards=boards,
        asked=tuple(each for each in standing if each.awaits(user)),
        offered=tuple(each for each in standing if not each.awaits(user)),
        finished=tuple(finished),
        daily=daily,
        streak=streak,
        rush=rush,
        lessons=lessons,
        due=due,
        returning=returning,
    )


async def load_surroundings(store: Database, sees: Sees, user: UserId, here: GuildId | None) -> list[Surroundings]:
    """Returns what goes on in the server `here`, or without one in those where the player has played last: of channels
    that they see, and nothing of players with whom they have a block. Raises Refused (`discord_away`)."""
    async with store.read() as reader:
        now = await reader.clock.now()
        guilds = [here] if here is not None else await _latest_guilds(reader, user)
        named = {each: await reader.homes.channels(each, Millis(now - WEEK_MILLIS), MAX_CHANNELS) for each in guilds}
        puzzles = {each: await reader.puzzles.of_day(each, puzzle_day(now)) for each in guilds}
    found = []
    for guild, channels in named.items():
        seen = [each for each in channels if await sees(guild, each, user)]
        puzzle = puzzles[guild]
        if puzzle is None or puzzle.channel is None or not await sees(guild, puzzle.channel, user):
            puzzle = None
        async with store.read() as reader:
            found.append(await _read_surroundings(reader, guild, seen, puzzle, user, now))
    return [each for each in found if each.challenges or each.games or each.puzzle]


async def latest_places(store: Database, user: UserId) -> list[tuple[GuildId, ChannelId]]:
    """Returns the channels of servers where a player has played last, threads by the channel in which they hang."""
    async with store.read() as reader:
        played = await _latest_games(reader, user)
    places = ((each.guild, each.parent or each.channel) for each in played)
    return list(dict.fromkeys((guild, channel) for guild, channel in places if guild is not None))[:MAX_CHANNELS]


async def _latest_games(reader: Reader, user: UserId) -> list[OpenMatch | FinishedMatch]:
    return [*await reader.matches.open_of(user), *await reader.careers.finished(user, 0, MAX_FINISHED)]


async def _latest_guilds(reader: Reader, user: UserId) -> list[GuildId]:
    played = await _latest_games(reader, user)
    return list(dict.fromkeys(each.guild for each in played if each.guild is not None))[:MAX_SERVERS]


async def _read_surroundings(
    reader: Reader, guild: GuildId, channels: Sequence[ChannelId], puzzle: Puzzle | None, user: UserId, now: Millis
) -> Surroundings:
    challenges = await reader.challenges.open_to_all(guild, MAX_CHALLENGES, channels)
    games = await reader.homes.games(guild, channels, MAX_CHALLENGES)
    people = {user, *(each.challenger for each in challenges), *(player for each in games for player in each.players)}
    blocks = await reader.blocks.among(people)
    apart = {each.blocked if each.user == user else each.user for each in blocks if user in (each.user, each.blocked)}
    watched = [each for each in games if apart.isdisjoint(each.players) and user not in each.players][:MAX_AROUND]
    spectators = await reader.web.watching([each.id for each in watched], now)
    return Surroundings(
        guild,
        tuple(each for each in challenges if _may_accept(each, user, now) and each.challenger not in apart)[
            :MAX_AROUND
        ],
        tuple(watched),
        {match: len(users) for match, users in spectators.items()},
        puzzle,
        None if puzzle is None else await reader.puzzles.attempt(puzzle.id, user),
    )


def _may_accept(challenge: Challenge, user: UserId, now: Millis) -> bool:
    """Returns whether a user may take a seat in a challenge, as far as their rating has no say."""
    return challenge.expires > now and user not in (challenge.challenger, *challenge.joined)
