"""The use cases of playing: load, move, resign, list; the thread of a game is its own, and what is stored beside its
history."""

from collections.abc import Collection
from typing import NamedTuple

from cachetools import LRUCache

from play.community.news import LogAction, LogEntry
from play.ids import ChannelId, IdempotencyKey, MatchId, Millis, UserId, side_of
from play.match import moves
from play.match.listed import OpenMatch
from play.match.match import Match
from play.people.settings import ServerSettings
from play.ratings.settlement import RatingChange
from play.votes import Choice, ClosedVote, OpenVote, Side, closing, total_votes, turn_of
from storage import Database
from storage.unit_of_work import Reader, Transaction
from use_cases.clock_service import LostTime
from use_cases.events import log_entry, logged
from use_cases.match_writer import MatchRef, MatchWriter, irreversible, load_match
from use_cases.outages import Outages

CACHE_SIZE = 10_000
"""Versions of matches."""


async def is_rated(reader: Reader, match: MatchId) -> bool:
    """Returns whether a match is rated, which never changes."""
    challenge = await reader.challenges.of_match(match)
    return challenge is not None and challenge.terms.pool is not None


class Matches:
    """What players do at every turn. All methods raise Refused."""

    def __init__(self, writer: MatchWriter, lost_time: LostTime, outages: Outages) -> None:
        self._writer = writer
        self._lost_time = lost_time
        self._outages = outages

    async def load(self, ref: MatchRef) -> Match:
        """Returns the match as it is now."""
        async with self._writer.store.read() as reader:
            return await load_match(reader, ref)

    async def list_open(self, user: UserId) -> list[OpenMatch]:
        """Returns the open matches of a player, the most urgent first."""
        async with self._writer.store.read() as reader:
            return await reader.matches.open_of(user)

    async def waiting_for(self, user: UserId, but: MatchId) -> list[OpenMatch]:
        """Returns the open matches in which a player is to move, the most urgent first, without one and without those
        whose board cannot be posted."""
        return [each for each in await self.list_open(user) if each.waits_for(user) and each.id != but]

    async def move(
        self,
        ref: MatchRef,
        user: UserId,
        text: str,
        at: Millis,
        key: IdempotencyKey,
        *,
        version: int | None = None,
        delivers: bool = False,
    ) -> Match:
        """Plays the turn `text` for `user`; with a `version` (a button's) only if the match still has it.

        Their clock does not charge what they have lost by being turned away, and while their platform was out of reach.

        A caller that `delivers` the board itself has reserved the match. Then this raises Late for a click that may be
        too old to be answered.
        """

        def decide(match: Match) -> Match:
            lost = self._lost_time.of(user) + self._outages.lost_by(user, match, at)
            return moves.move(match, user, text, at, key, Millis(lost))

        return await self._writer.apply(
            ref,
            key,
            version,
            decide,
            clicked=at if delivers else None,
        )

    @irreversible
    async def resign(
        self, ref: MatchRef, user: UserId, at: Millis, key: IdempotencyKey, *, version: int | None = None
    ) -> Match:
        """Resigns for `user`; with a `version` only if the match still has it."""
        return await self._writer.apply(ref, key, version, lambda match: moves.resign(match, user, at, key))

    @logged
    @irreversible
    async def resign_side(self, side: Side, by: UserId, at: Millis, key: IdempotencyKey) -> Match:
        """Resigns for the side of a server, without a vote about it, for `by`, who manages that."""

        def decide(match: Match) -> Match:
            return moves.resign(match, side.account, at, key)

        async def check(tx: Transaction, match: Match) -> None:
            await log_entry(tx, side.guild, LogEntry(LogAction.VOTE_RESIGNED, by), at, match.id)

        resigned = await self._writer.apply(side.match, key, None, decide, check)
        self._writer.events.news_added()
        return resigned


async def place_of_game(
    reader: Reader, channel: ChannelId, players: Collection[UserId | None], seats: int
) -> ChannelId:
    """Returns where a game of so many `seats` belongs that is asked for in a channel: there, or in the channel of the
    thread, if that is the thread of another game.

    Its players go on in it once their game is over. `players` are those who are known; None is anyone.
    """
    parent = await reader.matches.parent_of_thread(channel)
    if parent is None:
        return channel
    own = await reader.matches.in_channel(channel)
    goes_on = own is not None and own.outcome is not None and own.game.seats == seats and {*players} <= {*own.players}
    return channel if goes_on else parent


class MatchFacts(NamedTuple):
    """What is stored of a version of a match at the time `now`.

    `changes` are those of the ratings by the end of a `rated` match. `voted_before` is the vote by which the version
    before was reached, if that is told as well.
    """

    now: Millis
    server: ServerSettings | None
    theme: str
    rated: bool
    changes: tuple[RatingChange, ...] | None
    vote: OpenVote | None
    voted: ClosedVote | None
    voted_before: ClosedVote | None


class MatchFactReader:
    """Reads the facts of matches, and keeps those that never change."""

    def __init__(self, store: Database) -> None:
        self._store = store
        self._scores: LRUCache[tuple[MatchId, int], tuple[float, ...]] = LRUCache(CACHE_SIZE)
        self._rated: LRUCache[MatchId, bool] = LRUCache(CACHE_SIZE)

    async def read(self, match: Match, *, reader: UserId | None = None, before: Match | None = None) -> MatchFacts:
        """Returns the facts of a version, with the look that its only `reader` or else the match's server has chosen,
        and of the version `before`, if there is one."""
        async with self._store.read() as stored:
            now, rated = await stored.clock.now(), await self._is_rated(stored, match.id)
            changes = await stored.ratings.changes_of(match.id) if match.outcome and rated else None
            vote, voted = await read_votes(stored, match, now)
            _, voted_before = (None, None) if before is None else await read_votes(stored, before, now)
            server = await stored.servers.get(match.guild) if match.guild else None
            theme = await _theme_of(stored, server, reader)
        return MatchFacts(now, server, theme, rated, changes, vote, voted, voted_before)

    async def score_gains(self, match: Match) -> tuple[float, ...]:
        """Returns what the last move did to the scores; zeros if the last event was no move."""
        self._scores[match.id, match.version] = match.position.score
        if not match.events or match.events[-1] is not match.last_move:
            return (0.0,) * match.game.seats
        before = self._scores.get((match.id, match.version - 1)) or await self._score_before(match)
        return tuple(now - then for now, then in zip(match.position.score, before, strict=True))

    async def is_rated(self, match: MatchId) -> bool:
        """Returns whether a match is rated, which never changes."""
        if match in self._rated:
            return self._rated[match]
        async with self._store.read() as stored:
            return await self._is_rated(stored, match)

    async def _is_rated(self, stored: Reader, match: MatchId) -> bool:
        if match not in self._rated:
            self._rated[match] = await is_rated(stored, match)
        return self._rated[match]

    async def _score_before(self, match: Match) -> tuple[float, ...]:
        """Returns the score before the last move, which takes 10 ms to replay in a long match."""
        async with self._store.read() as reader:
            before = await reader.matches.get(match.id, match.version - 1)
        assert before is not None, "a stored match has its whole history"
        self._scores[before.id, before.version] = before.position.score
        return before.position.score


async def read_votes(stored: Reader, match: Match, now: Millis) -> tuple[OpenVote | None, ClosedVote | None]:
    """Returns the vote about the present turn, and the one by which the last turn was played, as far as they are those
    of sides. Of other matches nothing is read."""
    if all(side_of(player) is None for player in match.players):
        return None, None
    sides = {side.seat: side for side in await stored.votes.of_match(match.id)}
    vote = voted = None
    if match.to_act is not None and (side := sides.get(match.to_act)):
        total = None
        if side.seat not in match.guests:
            total = total_votes(await stored.votes.counts(side, turn_of(match), now))
        vote = OpenVote(closing(match, side), side.quorum_of(turn_of(match)), total, side.lacks_role)
    last = match.events[-1] if match.events else None
    if (
        last is not None
        and last is match.last_move
        and last.seat not in match.guests
        and (side := sides.get(last.seat))
    ):
        counts = await stored.votes.counts(side, side.closed, now)
        agreed = total_votes(each for each in counts if each.choice is Choice.MOVE and each.text == last.text)
        voted = ClosedVote(agreed, total_votes(counts)) if agreed else None
    return vote, voted


async def _theme_of(stored: Reader, server: ServerSettings | None, reader: UserId | None) -> str:
    """Returns the look of a match's boards for a reader alone, or for everybody in its channel."""
    if reader is not None:
        return (await stored.people.get(reader)).theme
    return server.theme if server else ""
