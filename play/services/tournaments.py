"""The use cases of tournaments: making one, signing up, beginning, withdrawing."""

from __future__ import annotations

from collections.abc import Callable

from play.challenge.pool import pool_of
from play.ids import ChannelId, Millis, UserId
from play.ratings.glicko import MEAN
from play.refusal import Refused
from play.services.match_writer import undisturbed
from play.services.matches import Tables
from play.store import Reader, Store
from play.tournaments import rounds
from play.tournaments import tournament as tournaments
from play.tournaments.tournament import Stage, Tournament, TournamentId
from play.workers.computer_player import source_of


class Organising:
    """With `seeds` lots are drawn. All raise Refused."""

    def __init__(self, store: Store, tables: Tables, seeds: Callable[[], int]) -> None:
        self._store = store
        self._tables = tables
        self._seeds = seeds
        self.listeners: list[Callable[[], None]] = []

    async def make(self, tournament: Tournament) -> Tournament:
        """A new tournament, to which people can sign up; its id counts for nothing. One channel has one at a time, and
        one interaction makes one, however often it is delivered."""
        async with self._store.write() as tx:
            await tx.tournaments.lock()
            if (made := await tx.tournaments.by_key(tournament.source)) is not None:
                return made
            before = await tx.tournaments.in_channel(tournament.channel)
            if before is not None and before.stage in (Stage.SIGN_UP, Stage.RUNNING):
                raise Refused("tournament_here")
            made = await tx.tournaments.add(tournament)
        self._tell()
        return made

    async def find(self, tournament: TournamentId) -> Tournament:
        async with self._store.read() as reader:
            return await _found(reader, tournament)

    async def here(self, channel: ChannelId) -> Tournament:
        """The newest tournament of a channel."""
        async with self._store.read() as reader:
            tournament = await reader.tournaments.in_channel(channel)
        if tournament is None:
            raise Refused("no_tournament_here")
        return tournament

    async def sign_up(self, tournament: TournamentId, user: UserId) -> Tournament:
        return await self._decided(tournament, lambda stored: tournaments.signed_up(stored, user))

    async def withdraw(self, tournament: TournamentId, user: UserId, at: Millis) -> Tournament:
        """`user` plays in no round to come; the game that he is playing is lost."""
        before = await self.find(tournament)
        withdrawn = await self._decided(tournament, lambda stored: tournaments.withdrawn(stored, user))
        for bout in before.present:
            if bout.points is None and bout.match is not None and user in (bout.first, bout.second):
                match = await self._tables.board(bout.match)
                if not match.outcome:
                    await self._tables.resign(match.id, user, at, source_of(match))
        return withdrawn

    async def begin(self, tournament: TournamentId, at: Millis) -> Tournament:
        """Pairs the first round."""
        seed = self._seeds()

        async def attempt() -> Tournament:
            async with self._store.write() as tx:
                stored = await _found(tx, tournament)
                ratings = await _ratings(tx, stored)
                return await tx.tournaments.save(rounds.begun(stored, ratings, seed, at))

        begun = await undisturbed(attempt)
        self._tell()
        return begun

    async def cancel(self, tournament: TournamentId) -> Tournament:
        """Nothing is paired any more; the games that are being played go on by themselves."""
        return await self._decided(tournament, tournaments.cancelled)

    async def _decided(self, tournament: TournamentId, decision: Callable[[Tournament], Tournament]) -> Tournament:
        async def attempt() -> Tournament:
            async with self._store.write() as tx:
                stored = await _found(tx, tournament)
                return await tx.tournaments.save(decision(stored))

        decided = await undisturbed(attempt)
        self._tell()
        return decided

    def _tell(self) -> None:
        for listener in self.listeners:
            listener()


async def _found(reader: Reader, tournament: TournamentId) -> Tournament:
    stored = await reader.tournaments.get(tournament)
    if stored is None:
        raise Refused("no_tournament")
    return stored


async def _ratings(reader: Reader, tournament: Tournament) -> dict[UserId, float]:
    """What the players are seeded by: their ratings at such games, or the same for all where there are none."""
    terms = tournament.terms
    try:
        pool = pool_of(terms.game, terms.control)
    except Refused:
        return dict.fromkeys(tournament.users, MEAN)
    return {user: rating.value for user, rating in (await reader.ratings.get(pool, tournament.users)).items()}
