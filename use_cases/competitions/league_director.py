"""The director of leagues: begins and ends seasons on their days, begins games, counts results, keeps the table."""

import logging
from collections.abc import Iterable
from dataclasses import replace
from itertools import zip_longest
from typing import Final, Protocol

from play.challenge.terms import Order
from play.competitions import league as leagues
from play.competitions.league import League, LeagueNotice, NoticeKind, Presence
from play.competitions.season import (
    Division,
    LeagueGame,
    Season,
    close_waiting,
    enter_result,
    leave_unplayed,
    set_match,
)
from play.ids import HOUR, MINUTE, ChannelId, GuildId, MessageId, Millis, UserId
from play.match.events import EventKind
from play.match.match import Match
from play.match.points import DRAWN, LOST, WON
from play.posts import KeptPost, PostKey
from storage import Database
from storage.errors import Stale
from storage.unit_of_work import Reader, Transaction
from use_cases.competitions.called_match import CalledGames, add_called, challenge_of_call
from use_cases.competitions.director import Director
from use_cases.competitions.leagues import announce_seasons, load_league
from use_cases.post_keeper import PostKeeper
from use_cases.ratings import load_ratings
from use_cases.verdicts import match_points
from use_cases.worker import ChannelClosed, RetryLater, Timing, Unshowable

log = logging.getLogger(__name__)

EDIT_MILLIS: Final = Millis(4 * HOUR)
"""Between two edits of a table during a season. `/league table` is always new."""

JOINING_MILLIS: Final = MINUTE
"""Between two edits of a message that shows who has joined, before a season."""

REQUESTS_A_GAME: Final = 2
"""What a game of the league asks of the chat besides its boards: its call, and the thread."""


class LeagueDisplay(Protocol):
    """The messages of a league; bot/ implements it. Posting the same twice makes one message. Raises Undeliverable if
    the channel is gone, ChannelClosed while the bot may not post there, and Unshowable if the chat takes the message in
    no form; anything else is tried again."""

    async def show(self, league: League) -> MessageId:
        """Edits the message with the table, or posts it."""

    async def pin(self, league: League, message: MessageId, *, pinned: bool) -> bool:
        """Pins a message, or takes it off; returns False if the bot may not."""

    async def tell_moved(self, league: League, channel: ChannelId, message: MessageId) -> None:
        """Says in a former message of the league, which loses its buttons, where the league is."""

    async def call(self, league: League, season: Season, index: int, game: LeagueGame) -> MessageId:
        """Posts the message that calls the players of a game, from which the thread of their match opens."""

    async def announce(self, league: League, notice: LeagueNotice, season: Season | None) -> None:
        """Posts a notice of a season."""


class LeagueDirector(Director[GuildId]):
    """Runs leagues; it judges games that the end of a season ends.

    With a `computer`, that plays in place of players who have dropped out.
    """

    def __init__(
        self,
        store: Database,
        posts: PostKeeper,
        games: CalledGames,
        display: LeagueDisplay,
        timing: Timing = Timing(),  # noqa: B008 - frozen
        *,
        computer: bool,
    ) -> None:
        super().__init__(store, posts, timing)
        self._games = games
        self._display = display
        self._computer = computer

    async def pending(self, limit: int) -> list[GuildId]:
        async with self._store.read() as reader:
            return await reader.leagues.to_update(await reader.clock.now(), limit)

    async def direct(self, key: GuildId, now: Millis) -> None:
        """Does what is due. Seasons end and begin whether or not the bot can post."""
        league = await self._count_results(key)
        if league.season is not None and now >= league.season.ends:
            late = [game.match for game in league.season.games if game.is_running]
            await self._games.judge(late, now)
            league = await self._end_season(key, league.season)
        if not league.closed and league.season is None and now >= league.begins:
            league = await self._begin_season(key, now)
        league = await self._announce(league)
        league = await self._pass_over_left(league, now)
        problem: RetryLater | None = None
        try:
            for index, game in league.season.startable(now) if league.season is not None else ():
                league = await self._begin_game(league, index, game, now)
        except ChannelClosed:
            raise
        except RetryLater as error:  # the table still shows what has changed
            problem = error
        league = await self._announce(league)
        if league.is_behind(now):
            await self._show(league, now)
        if problem is not None:
            raise problem

    async def place(self, key: GuildId) -> KeptPost:
        async with self._store.read() as reader:
            return (await load_league(reader, key)).post

    async def end(self, key: PostKey) -> None:
        async with self._store.write() as tx:
            stored = await load_league(tx, GuildId(key.number))
            saved = stored if stored.closed else await tx.leagues.save(leagues.close(stored), stored)
            await tx.kept_posts.mark_shown(key, saved.version, None, saved.edits)
            await announce_seasons(tx, saved)

    async def _count_results(self, guild: GuildId) -> League:
        """Stores what finished matches bring."""
        async with self._store.write() as tx:
            stored = await load_league(tx, guild)
            counted = stored
            ended = await tx.leagues.ended(guild)
            for index, division in enumerate(stored.season.divisions if ended and stored.season else ()):
                for game in division.games:
                    if game.match in ended:
                        counted = await _count_game(tx, counted, index, game)
            return stored if counted is stored else await tx.leagues.save(counted, stored)

    async def _end_season(self, guild: GuildId, season: Season) -> League:
        """Ends a season. Raises Stale if another process has ended it meanwhile: the next one may have begun."""
        counted = await self._count_results(guild)
        if counted.season is None or counted.season.id != season.id:
            raise Stale
        async with self._store.write() as tx:
            league = await load_league(tx, guild)
            if league.season is None or league.version != counted.version:
                raise Stale
            decided = await tx.leagues.save(replace(league, season=close_waiting(league.season)), league)
            return await tx.leagues.save(leagues.end_season(decided), decided)

    async def _begin_season(self, guild: GuildId, now: Millis) -> League:
        async with self._store.read() as reader:
            members = (await load_league(reader, guild)).members
        left = await self._games.left(guild, [each.user for each in members if each.presence is Presence.PLAYING])
        async with self._store.write() as tx:
            league = await load_league(tx, guild)
            if league.closed or league.season is not None or now < league.begins:
                raise Stale
            ratings = await load_ratings(tx, league.terms, league.users)
            begun = leagues.begin_season(_without(league, left, now), ratings, now, computer=self._computer)
            saved = await tx.leagues.save(begun, league)
            await announce_seasons(tx, saved)
        return saved

    async def _pass_over_left(self, league: League, now: Millis) -> League:
        """Lets players drop out who have left the server when a game of theirs is to begin."""
        games = league.season.startable(now) if league.season is not None else []
        left = await self._games.left(league.guild, {user for _, game in games for user in game.people})
        if not left:
            return league
        async with self._store.write() as tx:
            return await tx.leagues.save(_without(league, left, now), league)

    async def _announce(self, league: League) -> League:
        """Posts what the channel has not been told; returns the league with that. Notices of one version are noted as
        posted together: each is posted once, however often it is tried."""
        pending = league.pending_notices
        for notice, following in zip_longest(pending, pending[1:]):
            async with self._store.read() as reader:
                season = await reader.leagues.season(league.guild, notice.season)
            try:
                await self._display.announce(league, notice, season)
            except Unshowable as reason:
                log.warning("the league of server %d, notice %s: %s", league.guild, notice.kind, reason)
            if following is not None and following.version == notice.version:
                continue
            async with self._store.write() as tx:
                await tx.kept_posts.mark_announced(league.post.key, notice.version)
            league = replace(league, announced=notice.version)
        return league

    async def _begin_game(self, league: League, index: int, game: LeagueGame, now: Millis) -> League:
        """Begins the match of a game in a thread of its own. Players of whom one has blocked the other do not meet: the
        game is not played, and nobody is told why."""
        season = league.season
        assert season is not None, "the game is of a season"
        async with self._store.read() as reader:
            avoid = await reader.blocks.among(game.people)
        if avoid:
            apart = replace(league, season=leave_unplayed(season, index, game))
            told = apart.with_notice(NoticeKind.UNPLAYED, season.number, [*season.games].index(game))
            async with self._store.write() as tx:
                return await tx.leagues.save(told, league)
        await self._games.check_open(now)
        message = await self._display.call(league, season, index, game)
        players = [self._games.user() if user == game.taken else user for user in game.users]
        if game.first == game.taken:  # the challenger is the player
            players.reverse()
        level = None if game.taken is None else season.divisions[index].level
        order = Order.LAST if game.first == game.taken else Order.FIRST
        terms = replace(league.terms, order=order, level=level)
        challenge = challenge_of_call(league.guild, league.channel, message, (players[0], players[1]), terms, now)
        async with self._store.write() as tx:
            built = await self._games.build(tx, challenge, now)
            match = await add_called(tx, challenge, built)
            saved = await tx.leagues.save(replace(league, season=set_match(season, index, game, match.id)), league)
        self._games.events.match_changed(match)
        return saved

    async def _show(self, league: League, now: Millis) -> None:
        message = league.message
        try:
            message = await self._display.show(league)
        except Unshowable as reason:
            log.warning("the league of server %d is not shown until it changes: %s", league.guild, reason)
        pinned = league.pinned
        wished = message if league.pins and not league.closed else None
        if pinned != wished:
            if pinned is not None:
                await self._display.pin(league, pinned, pinned=False)
            pinned = wished if wished and await self._display.pin(league, wished, pinned=True) else None
        if league.former is not None:
            await self._display.tell_moved(league, *league.former)
            async with self._store.write() as tx:
                league = await tx.leagues.save(replace(league, former=None), league)
        async with self._store.write() as tx:
            pause = JOINING_MILLIS if league.season is None else EDIT_MILLIS
            key = league.post.key
            await tx.kept_posts.mark_shown(key, league.version, message, Millis(now + pause), pinned=pinned)
            await tx.kept_posts.heal(key)


async def _count_game(tx: Transaction, league: League, index: int, game: LeagueGame) -> League:
    """Returns the league with the result of a game whose match is over. A player who never moved is told so, and drops
    out if this is their second such game of the season."""
    assert league.season is not None, "the game is of a season"
    match = await _load_ended(tx, game)
    points = match_points(match)
    assert match.outcome is not None, "it has ended"
    season = enter_result(league.season, index, game, points or DRAWN, unplayed=not match.outcome.winners)
    counted = replace(league, season=season).renewed()
    missing = _missing_player(match)
    if missing is None or missing not in game.people or missing in season.divisions[index].gone:
        return counted
    if await _has_missed(tx, league.season.divisions[index], missing):
        counted = leagues.miss(counted, missing, match.events[-1].at)
    return counted.with_notice(NoticeKind.MISSED, season.number, [*league.season.games].index(game))


async def _has_missed(reader: Reader, division: Division, user: UserId) -> bool:
    """Returns whether a player has lost a counted game by time without a move; an annulled one is none."""
    for game in division.games:
        is_lost = game.points in (WON, LOST) and game.unplayed and user in game.people and game.match is not None
        if is_lost and _missing_player(await _load_ended(reader, game)) == user:
            return True
    return False


async def _load_ended(reader: Reader, game: LeagueGame) -> Match:
    assert game.match is not None, "the game has begun"
    match = await reader.matches.get(game.match)
    assert match is not None, "a game keeps its match"
    return match


def _without(league: League, left: Iterable[UserId], now: Millis) -> League:
    """Returns the league without players who have left the server, as after a no-show."""
    for user in left:
        league = leagues.miss(league, user, now)
    return league


def _missing_player(match: Match) -> UserId | None:
    """Returns the player who let the time run out without having moved, if there is one."""
    last = match.events[-1] if match.events else None
    if last is None or last.kind is not EventKind.TIME or match.all_have_moved:
        return None
    return match.players[last.seat] if all(move.seat != last.seat for move in match.moves) else None
