"""The director of tournaments: opens the matches of a round, counts results, ends rounds in time."""

import logging
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Protocol

from play.challenge.terms import Order
from play.community.happening import tournament_happening
from play.competitions.entries import pass_over
from play.competitions.hosting import cancel
from play.competitions.rounds import (
    advance,
    begin_round_time,
    enter_result,
    host_time,
    is_deciding,
    remind,
    set_match,
    start_when_due,
    will_pair,
)
from play.competitions.tournament import Notice, NoticeKind, Pairing, Stage, Tournament, TournamentId
from play.ids import MessageId, Millis, UserId
from play.match.match import Match
from play.match.points import DRAWN
from play.posts import KeptPost, PostKey
from storage import Database
from storage.unit_of_work import Transaction
from use_cases.competitions.called_match import CalledGames, add_called, challenge_of_call
from use_cases.competitions.director import Director
from use_cases.competitions.tournaments import load_avoided
from use_cases.post_keeper import PostKeeper
from use_cases.ratings import load_ratings
from use_cases.verdicts import match_points
from use_cases.worker import Timing, Unshowable

log = logging.getLogger(__name__)

NO_TIME = Millis(0)


class TournamentDisplay(Protocol):
    """The messages that show a tournament; bot/ implements it. Posting the same twice makes one message. Raises
    Undeliverable if its channel is gone, and ChannelClosed while the bot may not post there; anything else is tried
    again."""

    async def show(self, tournament: Tournament) -> MessageId:
        """Edits the tournament's message, or posts it. Raises Unshowable."""

    async def call(self, tournament: Tournament, pairing: Pairing) -> MessageId:
        """Posts the message that calls a pair to play, from which the thread of their match opens."""

    async def announce(self, tournament: Tournament, notice: Notice, late: Sequence[UserId]) -> None:
        """Posts a notice, which mentions those whom it concerns; `late` are the players who have yet to move. Raises
        Unshowable."""

    async def tell_decided(self, tournament: Tournament, pairing: Pairing) -> None:
        """Tells the thread of a game that was cancelled, or drawn for the last time, what it brings its players in the
        tournament; nobody if it cannot be posted."""


class TournamentDirector(Director[TournamentId]):
    """Runs tournaments; it judges games whose round is over."""

    def __init__(
        self,
        store: Database,
        posts: PostKeeper,
        games: CalledGames,
        display: TournamentDisplay,
        timing: Timing = Timing(),  # noqa: B008 - frozen
    ) -> None:
        super().__init__(store, posts, timing)
        self._games = games
        self._display = display

    async def pending(self, limit: int) -> list[TournamentId]:
        async with self._store.read() as reader:
            return await reader.tournaments.to_update(await reader.clock.now(), limit)

    async def direct(self, key: TournamentId, now: Millis) -> None:
        tournament = await self._count_results(key, now)
        if tournament.stage is Stage.RUNNING:
            if tournament.round_ends is not None and now >= tournament.round_ends:
                late = [pairing.match for pairing in tournament.current_pairings if pairing.points is None]
                await self._games.judge(late, now)
                tournament = await self._count_results(key, now)
            for pairing in tournament.current_pairings:
                if pairing.points is None and pairing.match is None:
                    tournament = await self._open(tournament, pairing, now)
            tournament = await self._begin_round_time(tournament)
            if await self._awaits_first_boards(tournament):
                return  # each of them wakes the director, for which the tournament stays pending
        await self._announce(tournament)
        message = tournament.message
        try:
            message = await self._display.show(tournament)
        except Unshowable as reason:
            log.warning("tournament %d is not shown until it changes: %s", key, reason)
        async with self._store.write() as tx:
            await tx.kept_posts.mark_shown(tournament.post.key, tournament.version, message)
            await tx.kept_posts.heal(tournament.post.key)
            await announce_beginning(tx, tournament)

    async def place(self, key: TournamentId) -> KeptPost:
        async with self._store.read() as reader:
            stored = await reader.tournaments.get(key)
        assert stored is not None, "it was found a moment ago"
        return stored.post

    async def end(self, key: PostKey) -> None:
        async with self._store.write() as tx:
            stored = await tx.tournaments.get(TournamentId(key.number))
            assert stored is not None, "it was found a moment ago"
            if stored.is_open:
                stored = await tx.tournaments.save(cancel(stored), stored)
            await tx.kept_posts.mark_shown(key, stored.version, stored.message)
            await announce_beginning(tx, stored)

    async def _begin_round_time(self, tournament: Tournament) -> Tournament:
        """Lets the time of the round run, once the first board of each of its games is posted."""
        async with self._store.write() as tx:
            if not tournament.awaits_boards or await tx.tournaments.has_unseen_games(tournament.id):
                return tournament
            return await tx.tournaments.save(begin_round_time(tournament, await tx.clock.now()), tournament)

    async def _awaits_first_boards(self, tournament: Tournament) -> bool:
        """Returns whether a new round has games without a board: what is said of it links to where they are played."""
        if not any(notice.kind is NoticeKind.ROUND for notice in tournament.pending_notices):
            return False
        async with self._store.read() as reader:
            return await reader.tournaments.has_unseen_games(tournament.id)

    async def _announce(self, tournament: Tournament) -> None:
        """Posts what the channel has not been told. A notice is noted as posted before the next one is."""
        for notice in tournament.pending_notices:
            late = await self._late_players(tournament) if notice.kind is NoticeKind.LATE else []
            try:
                await self._display.announce(tournament, notice, late)
            except Unshowable as reason:
                log.warning("tournament %d, notice %s: %s", tournament.id, notice.kind, reason)
            async with self._store.write() as tx:
                await tx.kept_posts.mark_announced(tournament.post.key, notice.version)

    async def _late_players(self, tournament: Tournament) -> list[UserId]:
        """Returns the players who would lose if the round ended now, since they have not moved."""
        async with self._store.read() as reader:
            found = [
                await reader.matches.get(pairing.match) for pairing in tournament.current_pairings if pairing.match
            ]
        return [
            match.players[match.position.to_act]
            for match in found
            if match is not None and not match.outcome and not match.all_have_moved
        ]

    async def _count_results(self, id: TournamentId, now: Millis) -> Tournament:  # noqa: A002 - the field's name
        """Stores what time and finished matches bring: the beginning, results, the next round, reminders. Tells the
        threads of decided games, once; who misses that reads it in the table.

        Before a round is paired, the chat is asked who has left the server, and that takes no transaction.
        """
        left: Collection[UserId] | None = None
        while True:
            async with self._store.write() as tx:
                stored = await tx.tournaments.get(id)
                assert stored is not None, "it was found a moment ago"
                counted = await self._counted(tx, stored)
                told = [each for each in counted.pairings if each not in stored.pairings and each.points is not None]
                asks = left is None and will_pair(counted, now)
                if not asks:
                    counted = await self._paired(tx, pass_over(counted, left or ()), now)
                if counted != stored:
                    counted = await tx.tournaments.save(counted, stored)
            for pairing in told:
                if pairing.match is not None and (pairing.unplayed or pairing.is_seeded):
                    await self._display.tell_decided(counted, pairing)
            if not asks:
                return counted
            left = await self._games.left(counted.guild, counted.playing)

    async def _counted(self, tx: Transaction, stored: Tournament) -> Tournament:
        """Returns a tournament with the results of the matches that are over."""
        counted = stored
        for pairing in stored.current_pairings if stored.stage is Stage.RUNNING else ():
            match = await tx.matches.get(pairing.match) if pairing.match and pairing.points is None else None
            if match is not None and match.outcome:
                gained, unplayed = points(match, pairing, stored.gone), not match.outcome.winners
                counted = enter_result(counted, pairing, gained, unplayed=unplayed)
        return counted

    async def _paired(self, tx: Transaction, tournament: Tournament, now: Millis) -> Tournament:
        """Returns a tournament with its first or next round, if that is due, and its reminder."""
        avoided = await load_avoided(tx, tournament.users)
        if tournament.stage is Stage.SIGN_UP and will_pair(tournament, now):
            ratings = await load_ratings(tx, tournament.terms, {*tournament.users, tournament.host})
            tournament = start_when_due(tournament, ratings, self._games.seeds(), now, avoided)
        return remind(advance(tournament, now, avoided), now)

    async def _open(self, tournament: Tournament, pairing: Pairing, now: Millis) -> Tournament:
        """Begins the match of a pair in a thread of its own."""
        await self._games.check_open(now)
        second, level = (pairing.second, None) if pairing.second else (self._games.user(), tournament.computer)
        assert pairing.second or level, "a free round is decided"
        message = await self._display.call(tournament, pairing)
        terms = replace(tournament.terms, order=Order.FIRST, level=level)
        challenge = challenge_of_call(
            tournament.guild, tournament.channel, message, (pairing.first, second), terms, now
        )
        async with self._store.write() as tx:
            built = await self._games.build(tx, challenge, now)
            if extra := host_time(tournament):
                built = built.with_extra(
                    tuple(extra if user == tournament.users[0] else NO_TIME for user in built.players)
                )
            built = replace(built, predictable=is_deciding(tournament, pairing))
            match = await add_called(tx, challenge, built)
            saved = await tx.tournaments.save(set_match(tournament, pairing, match.id), tournament)
        self._games.events.match_changed(match)
        return saved


async def announce_beginning(tx: Transaction, tournament: Tournament) -> None:
    """Plans a tournament among the events of its server, with what has changed of it."""
    if (happening := tournament_happening(tournament)) is not None:
        await tx.happenings.plan(happening, await tx.clock.now())


def points(match: Match, pairing: Pairing, gone: Collection[UserId] = ()) -> tuple[float, float]:
    """Returns the points of a pair for their finished match. A moderator's annulment is a draw, but lost by a player
    who has `gone` from the tournament."""
    gained = match_points(match)
    if gained is None:
        return pairing.forfeit(gone).points or DRAWN
    return gained[::-1] if match.players[1] == pairing.first else gained
