"""The director: opens the matches of a round, counts their results, ends rounds in time, also after a restart."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from play.challenge.challenge import Challenge, ChallengeState
from play.challenge.terms import Order
from play.ids import ChallengeId, ChannelId, MessageId, Millis, UserId
from play.match.match import Match
from play.people.career import quitters
from play.refusal import Refused
from play.services.matches import Tables, match_of
from play.store import Stale, Store
from play.tournaments.rounds import advanced, opened, scored
from play.tournaments.tournament import FORFEITED, LOST, WON, Bout, Stage, Tournament, TournamentId, cancelled
from play.workers.computer_player import source_of
from play.workers.outbox_relay import Undeliverable
from play.workers.retry_queue import Errands
from rules.point import Seat

log = logging.getLogger(__name__)

DRAWN = (0.5, 0.5)


class Scene(Protocol):
    """Where a tournament is seen; bot/ implements it. Posting the same twice makes one message. Raises Undeliverable if
    its channel is gone; anything else is tried again."""

    async def show(self, tournament: Tournament) -> MessageId:
        """Writes the tournament's message anew, or posts it."""

    async def call(self, tournament: Tournament, bout: Bout) -> MessageId:
        """Posts the message that calls a pair to play, from which the thread of their match opens."""


class Director(Errands[TournamentId]):
    """`user` judges games whose round is over: the bot itself."""

    def __init__(
        self,
        store: Store,
        tables: Tables,
        scene: Scene,
        user: Callable[[], UserId],
        seeds: Callable[[], int],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(clock)
        self._store = store
        self._tables = tables
        self._scene = scene
        self._user = user
        self._seeds = seeds

    async def found(self, limit: int) -> list[TournamentId]:
        async with self._store.read() as reader:
            return await reader.tournaments.to_update(await reader.clock.now(), limit)

    async def do(self, key: TournamentId) -> None:
        async with self._store.read() as reader:
            now = await reader.clock.now()
        try:
            await self._direct(key, now)
        except (Stale, Refused) as error:
            log.info("tournament %d has changed meanwhile: %s", key, error)
            self.wake()
        except Undeliverable as reason:
            log.warning("tournament %d is called off, since nobody can be told of it: %s", key, reason)
            await self._call_off(key)

    async def _direct(self, id: TournamentId, now: Millis) -> None:  # noqa: A002 - the field's name
        tournament = await self._counted(id, now)
        if tournament.stage is Stage.RUNNING:
            if tournament.until is not None and now >= tournament.until:
                await self._judge(tournament, now)
                tournament = await self._counted(id, now)
            for bout in tournament.present:
                if bout.points is None and bout.match is None:
                    tournament = await self._open(tournament, bout, now)
        message = await self._scene.show(tournament)
        async with self._store.write() as tx:
            await tx.tournaments.mark_posted(id, tournament.version, message)

    async def _call_off(self, id: TournamentId) -> None:  # noqa: A002 - the field's name
        """Ends a tournament whose channel is gone. The games that are being played go on by themselves."""
        async with self._store.write() as tx:
            stored = await tx.tournaments.get(id)
            assert stored is not None, "it was found a moment ago"
            if stored.stage in (Stage.SIGN_UP, Stage.RUNNING):
                stored = await tx.tournaments.save(cancelled(stored))
            await tx.tournaments.mark_posted(id, stored.version, stored.message)

    async def _counted(self, id: TournamentId, now: Millis) -> Tournament:  # noqa: A002 - the field's name
        """With the results of all matches that are over, and in the next round if that decides this one."""
        async with self._store.write() as tx:
            stored = await tx.tournaments.get(id)
            assert stored is not None, "it was found a moment ago"
            counted = stored
            if stored.stage is not Stage.RUNNING:
                return stored
            for bout in stored.present:
                match = await tx.matches.get(bout.match) if bout.match and bout.points is None else None
                if match is not None and match.outcome:
                    counted = scored(counted, bout, points(match, bout))
            counted = advanced(counted, now)
            return stored if counted == stored else await tx.tournaments.save(counted)

    async def _open(self, tournament: Tournament, bout: Bout, now: Millis) -> Tournament:
        """Begins the match of a pair in a thread of its own."""
        assert bout.second is not None, "a free round is decided"
        message = await self._scene.call(tournament, bout)
        challenge = Challenge(
            ChallengeId(0),
            tournament.guild,
            tournament.channel,
            bout.first,
            bout.second,
            replace(tournament.terms, order=Order.FIRST, window=None),
            made=now,
            state=ChallengeState.ACCEPTED,
            joined=(bout.second,),
            message=message,
        )
        async with self._store.write() as tx:
            match = await tx.matches.add(await match_of(tx, challenge, self._seeds(), now, ChannelId(message)))
            added = await tx.challenges.add(replace(challenge, match=match.id))
            await tx.challenges.mark_card_posted(added.id, added.version, message)
            saved = await tx.tournaments.save(opened(tournament, bout, match.id))
        self._tables.announce(match)
        return saved

    async def _judge(self, tournament: Tournament, now: Millis) -> None:
        """Ends the games of a round whose time is over: whoever leads by the score has won."""
        for bout in tournament.present:
            if bout.points is not None or bout.match is None:
                continue
            async with self._store.read() as reader:
                match = await reader.matches.get(bout.match)
            if match is not None and not match.outcome:
                await self._tables.close(match.id, self._user(), leader(match), now, source_of(match))


def leader(match: Match) -> UserId | None:
    """Who is given a game of two that is not over in time: whoever leads or, where not both have moved, did not keep
    the other waiting; None makes it a draw."""
    if not match.all_have_moved:
        return match.players[1 - match.position.to_act]
    first, second = match.score
    return None if first == second else match.players[Seat(0) if first > second else Seat(1)]


def points(match: Match, bout: Bout) -> tuple[float, float]:
    """What a match that is over gives its pair. Whoever let it come to nothing has lost; a moderator's annulment is a
    draw."""
    assert match.outcome is not None, "it is over"
    winners = {match.players[seat] for seat in match.outcome.winners}
    fled = {match.players[seat] for seat in quitters(match)}
    if len(winners) == 1:
        return WON if bout.first in winners else LOST
    if fled:
        return FORFEITED if len(fled) == 2 else LOST if bout.first in fled else WON
    return DRAWN
