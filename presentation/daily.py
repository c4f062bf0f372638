"""The daily as it is told: the grid of a result, which gives nothing of the answers away, and the recap of a day."""

from __future__ import annotations

from collections.abc import Sequence

from play.community.daily import SHOWN, STEPS, Recap, Run
from play.community.exercises import Exercise, Kind
from play.ids import Millis
from presentation.match.seats import colour_name, emblem
from presentation.words.words import Words

MAX_DRAWN = 5
"""Wrong moves of a step that a grid draws."""

NOT_FOUND = "⚪"
"""Ends the line of a step whose solution was shown."""

SECOND_MILLIS, MINUTE_SECONDS = 1000, 60


def goal_text(exercise: Exercise, words: Words, theme: str) -> str:
    """Returns who is to move, and what is to be done."""
    seat = exercise.position.to_act
    who = {"emblem": emblem(theme, seat), "colour": colour_name(theme, seat, words)}
    if exercise.kind is Kind.STOP:
        return words(exercise.goal, **who)
    return words(exercise.goal, count=exercise.points, **who)


def grid(results: Sequence[int], theme: str) -> str:
    """Returns a line for each step: a dot of the opponent's for each wrong move, then one of the solver's.

    It is made of the counts alone: a reader learns how it went, and nothing of the board.
    """
    solved, missed = emblem(theme, 0), emblem(theme, 1)
    lines = []
    for result in results:
        if result == SHOWN:
            lines.append(NOT_FOUND)
        else:
            more = "…" if result > MAX_DRAWN else ""
            lines.append(missed * min(result, MAX_DRAWN) + more + solved)
    return "\n".join(lines)


def shared_text(run: Run, streak: int, words: Words, theme: str) -> str:
    """Returns the result of a run, as its user shows it to others."""
    head = words("daily.share", day=run.day, number=run.solved, all=STEPS)
    return "\n".join([f"{head} · 🔥 {streak}" if streak > 1 else head, grid(run.results, theme)])


def recap_lines(recap: Recap, fastest: str, words: Words) -> list[str]:
    """Returns how a day went on a server; `fastest` is the name of its fastest solver without a wrong move."""
    if not recap.solvers:
        return [words("daily.recap.none")]
    lines = [words("daily.recap.solvers", count=recap.solvers)]
    if recap.millis is not None:
        lines.append(words("daily.recap.fastest", name=fastest, time=minutes(recap.millis)))
    if recap.streak > 1:
        lines.append(words("daily.recap.streak", count=recap.streak))
    if recap.comparison is not None:
        lines.append(words("daily.recap.place", place=recap.comparison.place, count=recap.comparison.servers))
    return lines


def minutes(millis: Millis) -> str:
    """Returns a time in minutes and seconds, as 2:05."""
    seconds = millis // SECOND_MILLIS
    return f"{seconds // MINUTE_SECONDS}:{seconds % MINUTE_SECONDS:02}"
