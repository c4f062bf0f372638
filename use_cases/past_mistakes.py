"""The use cases of *My mistakes*: what reviews have found comes back until its player finds the better move."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from play.community.exercise import Exercise, Goal, Kind, TaskId, found_tree
from play.ids import DAY, MatchId, Millis, UserId
from play.match.match import Match
from play.people.past_mistake import Finding, PastMistake, ReviewedGame, Week, compare_weeks, could_help
from play.refusal import Reason, Refused
from storage import Database
from storage.unit_of_work import Reader, Transaction
from use_cases.causes import causes_of
from use_cases.exercises import note_solved
from use_cases.match_writer import retry_on_conflict

MAX_MISTAKES: Final = 200
"""Mistakes of a user. Of more, those stay that cost most."""

MAX_LOOKED_AT: Final = 20
"""Due mistakes among which one is looked for that could help in no running game."""

WEEK_DAYS, EARLIER_DAYS = 7, 28

BETTER = Goal("better.ask")


class PosedMistake(NamedTuple):
    """A mistake with its match as it was before the move, the move that was `played`, and the `numbers` of all kept
    mistakes of its player in that match, this one's included."""

    mistake: PastMistake
    match: Match
    played: str
    numbers: tuple[int, ...]

    @property
    def exercise(self) -> Exercise:
        """Returns the exercise to find a move that is as good as the better one."""
        match, finding = self.match, self.mistake.finding
        what = match.game, match.seed, tuple(move.text for move in match.moves)
        tree = found_tree(match.game, finding.line, finding.good)
        return Exercise(TaskId(f"m{match.id}"), *what, BETTER, tree, players=tuple(match.players))


@dataclass(frozen=True, slots=True)
class Due:
    """The next mistake of a user; how many are due, and how many return.

    `posed` is None where none is due, and where all that are could help in a running game.
    """

    posed: PosedMistake | None
    count: int
    returning: int


class PastMistakes:
    """The use cases of past mistakes. Raises Refused for what cannot be done."""

    def __init__(self, store: Database) -> None:
        self._store = store

    async def note_review(
        self, match: Match, findings: Mapping[UserId, Sequence[Finding]], asker: UserId | None = None
    ) -> None:
        """Stores what a review has found, once, for those of its players who learn and for an `asker` among them."""

        async def attempt() -> None:
            async with self._store.read() as reader:
                readers = await _readers_of(reader, match, asker)
            if not readers:
                return
            causes = {user: await asyncio.to_thread(causes_of, match, findings.get(user, ())) for user in readers}
            async with self._store.write() as tx:
                now = await tx.clock.now()
                for user in await _readers_of(tx, match, asker):
                    await _note(tx, user, match.id, findings.get(user, ()), causes.get(user), now)

        await retry_on_conflict(attempt)

    async def open(self, user: UserId, now: Millis) -> Due:
        """Returns the next mistake of a user. From then on their games are reviewed."""

        async def attempt() -> Due:
            async with self._store.write() as tx:
                await tx.past_mistakes.add_learner(user, now)
                return await _load_due(tx, user, now)

        return await retry_on_conflict(attempt)

    async def get(self, user: UserId, match: MatchId, number: int) -> PosedMistake:
        """Returns a mistake. Raises Refused (`no_mistake`)."""
        async with self._store.read() as reader:
            mistake = await reader.past_mistakes.get(user, match, number)
            if mistake is None:
                raise Refused(Reason.NO_MISTAKE)
            return await _pose(reader, mistake)

    async def first(self, user: UserId, match: MatchId) -> PosedMistake | None:
        """Returns the first mistake of a user in a match that is kept for them, if there is one."""
        async with self._store.read() as reader:
            numbers = await reader.past_mistakes.numbers(user, match)
            mistake = await reader.past_mistakes.get(user, match, numbers[0]) if numbers else None
            return None if mistake is None else await _pose(reader, mistake)

    async def answer(self, user: UserId, match: MatchId, number: int, at: Millis, *, right: bool) -> PastMistake:
        """Stores an answer, if it is the first one since the mistake is due; returns the mistake then.

        Raises Refused (`no_mistake`).
        """

        async def attempt() -> PastMistake:
            async with self._store.write() as tx:
                mistake = await tx.past_mistakes.get(user, match, number)
                if mistake is None:
                    raise Refused(Reason.NO_MISTAKE)
                today = (await tx.people.get(user)).local_day(at)
                if right:
                    await note_solved(tx, user, at)
                answered = mistake.answer(today, at, right=right)
                if answered != mistake:
                    await tx.past_mistakes.save(answered)
                return answered

        return await retry_on_conflict(attempt)

    async def days_until(self, mistake: PastMistake, now: Millis) -> int | None:
        """Returns in how many days of its user a mistake returns; None for one that was learned."""
        if mistake.day is None:
            return None
        async with self._store.read() as reader:
            return max(0, mistake.day - (await reader.people.get(mistake.user)).local_day(now))

    async def count_due(self, user: UserId, now: Millis) -> int:
        """Counts the mistakes of a user that are due."""
        async with self._store.read() as reader:
            return await reader.past_mistakes.count_due(user, (await reader.people.get(user)).local_day(now))


async def load_week(reader: Reader, user: UserId, now: Millis) -> Week:
    """Returns what has got better for a player within the last seven days."""
    since = Millis(now - WEEK_DAYS * DAY)
    games = await reader.past_mistakes.reviewed(user, Millis(since - EARLIER_DAYS * DAY))
    lost = [game.lost for game in games if game.at >= since], [game.lost for game in games if game.at < since]
    return compare_weeks(*lost, await reader.past_mistakes.answered_right(user, since))


async def _readers_of(reader: Reader, match: Match, asker: UserId | None) -> list[UserId]:
    """Returns the players of a match for whom its review is to be stored, and is not yet."""
    stored = await reader.matches.get(match.id)
    return [
        user
        for user in (stored.players if stored else ())  # of a player who was deleted meanwhile, nothing is stored
        if (user == asker or await reader.past_mistakes.is_learner(user))
        and not await reader.past_mistakes.is_reviewed(user, match.id)
    ]


async def _note(
    tx: Transaction,
    user: UserId,
    match: MatchId,
    found: Sequence[Finding],
    causes: Mapping[Kind | None, float] | None,
    at: Millis,
) -> None:
    named = None if causes is None else {kind or "": lost for kind, lost in causes.items()}
    await tx.past_mistakes.add_review(ReviewedGame(user, match, at, sum(each.lost for each in found), named))
    today = (await tx.people.get(user)).local_day(at)
    for each in found:
        if each.good:  # others cannot be answered by a dot
            await tx.past_mistakes.save(PastMistake.found(user, match, each, today, at))
    if found:
        await tx.past_mistakes.keep_most(user, MAX_MISTAKES)


async def _load_due(reader: Reader, user: UserId, now: Millis) -> Due:
    today = (await reader.people.get(user)).local_day(now)
    count, returning = await reader.past_mistakes.count_due(user, today), await reader.past_mistakes.count(user)
    running = [await reader.matches.get(each.id) for each in await reader.matches.open_of(user)] if count else []
    for mistake in await reader.past_mistakes.due(user, today, MAX_LOOKED_AT):
        posed = await _pose(reader, mistake)
        if not any(each and could_help(each, posed.match) for each in running):
            return Due(posed, count, returning)
    return Due(None, count, returning)


async def _pose(reader: Reader, mistake: PastMistake) -> PosedMistake:
    """Returns a mistake with its match. Raises Refused (`no_mistake`)."""
    match, number = await reader.matches.get(mistake.match), mistake.finding.number
    if match is None or len(match.moves) < number:
        raise Refused(Reason.NO_MISTAKE)
    numbers = await reader.past_mistakes.numbers(mistake.user, mistake.match)
    return PosedMistake(mistake, match.before_move(number), match.moves[number - 1].text, tuple(numbers))
