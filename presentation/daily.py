"""The daily as it is told: the grid of a result, which gives nothing of the answers away, and the recap of a day."""

from collections.abc import Sequence

from play.community.daily import FIRST_DAYS, SHOWN, STEPS, Recap, Run
from play.community.streak import day_start, next_day, noon
from play.ids import Millis
from play.ratings.glicko import Rating
from presentation.markup import Stamp
from presentation.match.phrases import emblem
from presentation.words.words import Words

MAX_DRAWN = 5
"""Wrong moves of a step that a grid draws."""

NOT_FOUND = "⚪"
"""Ends the line of a step whose solution was shown."""

SECOND_MILLIS, MINUTE_SECONDS = 1000, 60


def title_text(day: str, words: Words) -> str:
    """Returns the title of a day."""
    return words("daily.title", day=words.moment(noon(day), Stamp.DATE))


def head_text(run: Run, words: Words, *, ended: bool = False) -> str:
    """Returns the number of the present step, or of the one that has just `ended`."""
    return words("daily.head", number=run.step + (0 if ended else 1), all=STEPS)


def first_text(run: Run, words: Words) -> str:
    """Returns that the exercises of a run are those of a first day; empty if they are not."""
    return words("daily.head.first", day=run.first, days=len(FIRST_DAYS)) if run.first else ""


def score_text(run: Run, streak: int, words: Words, theme: str) -> str:
    """Returns how a daily that is over went: how much was solved, its grid, and the streak."""
    lines = [words("daily.score", number=run.solved, all=STEPS), grid(run.results, theme)]
    return "\n".join([*lines, words("quiz.streak", count=streak)] if streak else lines)


def result_text(run: Run, streak: int, rating: Rating, now: Millis, words: Words, theme: str) -> str:
    """Returns all that a daily that is over has come to, and when the next one begins."""
    lines = [score_text(run, streak, words, theme)]
    if streak:
        lines.append(words.markup.small(words("daily.grace")))
    lines.append(words("daily.rating", rating=round(rating.value)))
    lines.append(next_text(run, now, words) if run.is_in_time else words("daily.late"))
    return "\n".join([*lines, words("daily.first")] if run.first else lines)


def next_text(run: Run, now: Millis, words: Words) -> str:
    """Returns when the daily after that of a run begins."""
    return words("daily.next", when=words.until(day_start(next_day(run.day)), now))


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
    key = "daily.share.first" if run.first else "daily.share"
    head = words(key, day=run.day, number=run.solved, all=STEPS, first=run.first)
    return "\n".join([f"{head} · 🔥 {streak}" if streak > 1 else head, grid(run.results, theme)])


def recap_lines(recap: Recap, fastest: str, words: Words) -> list[str]:
    """Returns how a day went on a server, nothing of one without solvers; `fastest` is the name of its fastest solver
    without a wrong move."""
    if not recap.solvers:
        return []
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
