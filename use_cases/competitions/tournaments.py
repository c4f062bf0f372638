"""The use cases of tournaments: make, sign up, begin, withdraw, cancel."""

from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Sequence

from play.community.news import LogAction, LogEntry, channel_value, setting_changed
from play.competitions import entries, hosting, rounds
from play.competitions.tournament import Format, Stage, Tournament, TournamentId
from play.ids import ChannelId, Millis, UserId
from play.match.length import estimate
from play.refusal import Reason, Refused
from storage import Database
from storage.unit_of_work import Reader, Transaction
from use_cases.barriers import check_may_enter, check_may_meet
from use_cases.events import Events, log_entry, logged
from use_cases.match_writer import automatic_key, irreversible, retry_on_conflict, undone_by
from use_cases.matches import Matches
from use_cases.ratings import load_ratings

Check = Callable[[Transaction, Tournament], Awaitable[None]]
"""Raises Refused where the store knows a reason against a decision."""


class TournamentService:
    """What hosts and players do; `seeds` draws lots. All methods raise Refused."""

    def __init__(self, store: Database, events: Events, matches: Matches, seeds: Callable[[], int]) -> None:
        self._store = store
        self._events = events
        self._matches = matches
        self._seeds = seeds

    @logged
    async def make(self, tournament: Tournament) -> Tournament:
        """Stores a new tournament, open for sign-up, and gives it its id (that of the argument counts for nothing).

        A channel has one at a time. One interaction makes one, however often the chat delivers it.
        """
        hosting.check_terms(tournament.format, tournament.terms)
        async with self._store.write() as tx:
            await tx.tournaments.lock()
            if tournament.format is Format.EXHIBITION:  # its host plays
                await check_may_enter(tx, tournament.guild, tournament.host, await tx.clock.now())
            if (made := await tx.tournaments.by_key(tournament.key)) is not None:
                return made
            before = await tx.tournaments.in_channel(tournament.channel)
            if before is not None and before.is_open:
                raise Refused(Reason.TOURNAMENT_HERE)
            made = await tx.tournaments.add(tournament)
            await log_entry(tx, made.guild, _entry(LogAction.TOURNAMENT_MADE, made.host, made))
        self._publish(made)
        self._events.news_added()
        return made

    async def load(self, tournament: TournamentId) -> Tournament:
        """Returns the tournament as it is now."""
        async with self._store.read() as reader:
            return await _load(reader, tournament)

    async def load_newest(self, channel: ChannelId) -> Tournament:
        """Returns the newest tournament of a channel. Raises Refused (`no_tournament_here`)."""
        async with self._store.read() as reader:
            tournament = await reader.tournaments.in_channel(channel)
        if tournament is None:
            raise Refused(Reason.NO_TOURNAMENT_HERE)
        return tournament

    @logged
    async def sign_up(self, tournament: TournamentId, user: UserId, by: UserId | None = None) -> Tournament:
        """Signs `user` up, also late; `by` the host, who may not do so with players whom they could not meet, and whose
        act is logged."""

        async def attempt() -> Tournament:
            async with self._store.write() as tx:
                stored = await _load(tx, tournament)
                opponents = {stored.host} if stored.format is Format.EXHIBITION else set[UserId]()
                asks, others = (by, {user}) if by is not None and by != user else (user, opponents)
                await check_may_meet(tx, stored.guild, asks, others, await tx.clock.now())
                ratings = await load_ratings(tx, stored.terms, {user})
                if by is not None:
                    await log_entry(tx, stored.guild, _entry(LogAction.TOURNAMENT_ADDED, by, stored, user))
                return await tx.tournaments.save(entries.sign_up(stored, user, ratings[user]), stored)

        signed_up = await retry_on_conflict(attempt)
        self._publish(signed_up)
        if by is not None:
            self._events.news_added()
        return signed_up

    async def arrive(self, tournament: TournamentId, user: UserId) -> Tournament:
        """Notes that `user` is there, in the hour before the beginning."""
        return await self._update(tournament, lambda stored: entries.arrive(stored, user))

    @logged
    async def wish(self, tournament: TournamentId, by: UserId, first: UserId, second: UserId) -> Tournament:
        """Has two players meet in the next round for the host or a moderator, `by`, or takes that back."""
        return await self._update(
            tournament,
            lambda stored: rounds.wish(stored, first, second),
            entry=lambda stored: _entry(LogAction.TOURNAMENT_PAIRED, by, stored, first),
        )

    async def estimate(self, tournament: Tournament) -> Millis:
        """Returns about how long a tournament takes with those who have signed up."""
        async with self._store.read() as reader:
            return await load_length(reader, tournament)

    @undone_by("sign_up")
    async def cancel_sign_up(self, tournament: TournamentId, user: UserId) -> Tournament:
        """Takes `user` off the list before the first round."""

        def decide(stored: Tournament) -> Tournament:
            stored.require(Stage.SIGN_UP)
            return entries.exclude(stored, user)

        return await self._update(tournament, decide)

    @logged
    async def change(
        self, tournament: TournamentId, by: UserId, decision: Callable[[Tournament], Tournament]
    ) -> Tournament:
        """Changes what the host may change before a round; see `play.competitions.hosting.change`."""
        return await self._update(
            tournament,
            lambda stored: hosting.change(stored, decision(stored)),
            entry=lambda stored: _entry(LogAction.TOURNAMENT_CHANGED, by, stored),
        )

    @irreversible
    async def withdraw(self, tournament: TournamentId, user: UserId, at: Millis) -> Tournament:
        """Withdraws `user` from all rounds to come, and resigns their running game."""
        before = await self.load(tournament)
        withdrawn = await self._update(tournament, lambda stored: entries.withdraw(stored, user))
        for pairing in before.current_pairings:
            if pairing.points is None and pairing.match is not None and user in (pairing.first, pairing.second):
                match = await self._matches.load(pairing.match)
                if not match.outcome:
                    await self._matches.resign(match.id, user, at, automatic_key(match))
        return withdrawn

    @logged
    @irreversible
    async def remove(self, tournament: TournamentId, user: UserId, by: UserId) -> Tournament:
        """Takes `user` out for the host or a moderator, `by`, and logs that. A game that they play goes on and counts.

        The caller has checked that `by` may do so.
        """

        async def check(tx: Transaction, stored: Tournament) -> None:
            if user not in stored.playing:
                raise Refused(Reason.TOURNAMENT_NOT_PLAYING)

        return await self._update(
            tournament,
            lambda stored: entries.exclude(stored, user),
            check,
            entry=lambda stored: _entry(LogAction.REMOVED, by, stored, user),
        )

    @logged
    async def begin(
        self, tournament: TournamentId, at: Millis, left: Collection[UserId] = (), by: UserId | None = None
    ) -> Tournament:
        """Pairs the first round of those who have not `left` the server; for `by`, or at the appointed time."""
        seed = self._seeds()

        async def attempt() -> Tournament:
            async with self._store.write() as tx:
                stored = await _load(tx, tournament)
                there = entries.pass_over(stored, left)
                ratings = await load_ratings(tx, stored.terms, {*there.users, stored.host})
                avoided = await load_avoided(tx, there.users)
                if by is not None:
                    await log_entry(tx, stored.guild, _entry(LogAction.TOURNAMENT_BEGUN, by, stored))
                return await tx.tournaments.save(rounds.start(there, ratings, seed, at, avoided), stored)

        begun = await retry_on_conflict(attempt)
        self._publish(begun)
        if by is not None:
            self._events.news_added()
        return begun

    @logged
    @irreversible
    async def cancel(self, tournament: TournamentId, by: UserId) -> Tournament:
        """Ends the tournament before its last round; running games go on by themselves."""
        return await self._update(
            tournament, hosting.cancel, entry=lambda stored: _entry(LogAction.TOURNAMENT_CANCELLED, by, stored)
        )

    @logged
    async def move(self, tournament: TournamentId, by: UserId, channel: ChannelId) -> Tournament:
        """Lets a tournament go on in another channel; running games stay where they are."""

        def entry(stored: Tournament) -> LogEntry:
            return setting_changed(by, "tournament", channel_value(stored.channel), channel_value(channel))

        return await self._update(tournament, lambda stored: hosting.move(stored, channel), entry=entry)

    async def drop_channel(self, channel: ChannelId) -> None:
        """Has the director look at the open tournament of a channel that was deleted: its host is told."""
        async with self._store.read() as reader:
            newest = await reader.tournaments.in_channel(channel)
        if newest is not None and newest.is_open:
            await self._update(newest.id, lambda stored: stored)

    async def _update(
        self,
        tournament: TournamentId,
        decision: Callable[[Tournament], Tournament],
        check: Check | None = None,
        entry: Callable[[Tournament], LogEntry] | None = None,
    ) -> Tournament:
        """Saves what is decided. `entry` returns that of the log, by the tournament as it was."""

        async def attempt() -> Tournament:
            async with self._store.write() as tx:
                stored = await _load(tx, tournament)
                if check is not None:
                    await check(tx, stored)
                if entry is not None:
                    await log_entry(tx, stored.guild, entry(stored))
                return await tx.tournaments.save(decision(stored), stored)

        decided = await retry_on_conflict(attempt)
        self._publish(decided)
        if entry is not None:
            self._events.news_added()
        return decided

    def _publish(self, tournament: Tournament) -> None:
        self._events.tournament_changed()
        self._events.guild_changed(tournament.guild)


def _entry(action: LogAction, by: UserId, tournament: Tournament, user: UserId | None = None) -> LogEntry:
    return LogEntry(action, by, user, (tournament.name,))


async def _load(reader: Reader, tournament: TournamentId) -> Tournament:
    stored = await reader.tournaments.get(tournament)
    if stored is None:
        raise Refused(Reason.NO_TOURNAMENT)
    return stored


async def load_length(reader: Reader, tournament: Tournament) -> Millis:
    """Loads about how long a tournament takes with those who have signed up, by the last games of its server."""
    terms, rounds_ahead = tournament.terms, tournament.planned_rounds
    move_time = await reader.matches.move_time(tournament.guild, terms.control)
    return estimate(terms.game, move_time, rounds=rounds_ahead, longest=tournament.pace)


async def load_avoided(reader: Reader, users: Sequence[UserId]) -> rounds.Avoided:
    """Loads whom each player should not meet, since one has blocked the other."""
    avoided = defaultdict[UserId, set[UserId]](set)
    for block in await reader.blocks.among(users):
        avoided[block.user].add(block.blocked)
        avoided[block.blocked].add(block.user)
    return {user: frozenset(others) for user, others in avoided.items()}
