"""The use cases of training: exercises of one kind, played out on the board, and how a user does with each kind."""

from collections.abc import Mapping
from typing import NamedTuple

from play.community.exercise import Exercise, Kind
from play.community.puzzle import Figure, weakest_kind
from play.community.solving import Right, Solved, Solving, Verdict
from play.ids import Millis, UserId
from play.ratings.glicko import Rating
from storage import Database
from use_cases.exercises import knows_stop, note_solved, rate_try, read_offer
from use_cases.match_writer import retry_on_conflict

EASIER_POINTS = 100.0
"""Points by which an exercise should be easier than its user is strong, so that they find two of three."""


class Standing(NamedTuple):
    """A user's figures of the kinds that they have tried, and the kind of which they solve the least."""

    figures: Mapping[Kind, Figure]
    weakest: Kind


class Training:
    """The use cases of training."""

    def __init__(self, store: Database) -> None:
        self._store = store

    async def figures(self, user: UserId) -> Mapping[Kind, Figure]:
        """Returns how a user does with each kind that they have tried."""
        async with self._store.read() as reader:
            return await reader.puzzles.figures(user)

    async def standing(self, user: UserId) -> Standing:
        """Returns how a user does with each kind, and with which the least well."""
        async with self._store.read() as reader:
            figures = await reader.puzzles.figures(user)
            return Standing(figures, weakest_kind(figures, knows_stop=await knows_stop(reader, user)))

    async def choose(self, user: UserId, kind: Kind, at: Millis) -> Exercise | None:
        """Returns an exercise of a kind which suits a user and which they have not met, else the one that they have met
        the longest ago; None if all of them are put by for the daily."""
        async with self._store.read() as reader:
            offer, skill = await read_offer(reader, user, at), await reader.puzzles.skill(user)
            unmet = [each for each in offer.unmet if each.kind == kind]
            grades = await reader.puzzles.grades([each.id for each in unmet])
        aim = skill.value - EASIER_POINTS
        again = next((each for each in offer.again if each.kind == kind), None)
        nearest = ((abs(grades.get(each.id, each.rating).value - aim), each.number, each) for each in unmet)
        return min(nearest, key=lambda each: each[:2])[2] if unmet else again

    async def note(
        self, user: UserId, solving: Solving, verdict: Verdict, at: Millis, *, gave_up: bool
    ) -> tuple[Rating, Rating] | None:
        """Stores what a move leads to: the first wrong one, or the solution, is rated if the user has not met the
        exercise before. Returns their rating before and after."""
        if isinstance(verdict, Right):
            return None
        right, choices = isinstance(verdict, Solved) and not gave_up, solving.count_choices()

        async def attempt() -> tuple[Rating, Rating] | None:
            async with self._store.write() as tx:
                if right:
                    await note_solved(tx, user, at)
                return await rate_try(tx, user, solving.exercise, at, right=right, choices=choices)

        return await retry_on_conflict(attempt)
