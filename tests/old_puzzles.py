"""Built-in puzzles as servers had them day by day, before the daily: their messages still answer."""

from __future__ import annotations

from play.community.exercises import first_set
from play.community.puzzle import Puzzle, PuzzleId, puzzle_day
from play.ids import GuildId, Millis


def built_in_puzzle(guild: GuildId, now: Millis, number: int = 7) -> Puzzle:
    """Returns the exercise as the puzzle of a server's day; it is not stored."""
    task = first_set()[number]
    place = PuzzleId(0), guild, puzzle_day(now), None, len(task.moves) + 1
    return Puzzle(*place, task.answers, task.tree.line, task.enough or 0.0, exercise=number)
