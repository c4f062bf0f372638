"""Ratings in words."""

from __future__ import annotations

from collections.abc import Iterator

from play.ratings.glicko import Rating
from play.ratings.settlement import WEAK_LEVEL_GAP, RatingChange
from play.ratings.weight import MAX_FULL_GAMES, MIN_MOVES
from presentation.words.words import Words


def rating_text(rating: Rating) -> str:
    """Returns a rating in whole points, with a question mark while it is provisional."""
    return f"{round(rating.value)}{'?' if rating.provisional else ''}"


def range_text(rating: Rating) -> str:
    """Returns a rating with its deviation, both in whole points."""
    return f"{round(rating.value)} ± {round(rating.deviation)}"


def change_text(before: float, after: float) -> str:
    """Returns the change of a rating in whole points: the difference of what players read before and after it."""
    return f"{round(after) - round(before):+d}"


def change_line(change: RatingChange, name: str, words: Words) -> str:
    """Returns how a match changed a player's rating."""
    return words(
        "rating.changed",
        name=name,
        pool=words(f"pool.{change.pool}"),
        before=rating_text(change.before),
        after=rating_text(change.after),
        change=change_text(change.before.value, change.after.value),
    )


def weight_lines(change: RatingChange, name: str, words: Words) -> Iterator[str]:
    """Yields the reasons why the match counts for less than a whole game for a player, as far as they are told.

    How much less it counts is not told: a number would show a reason that is not.
    """
    for reason in change.weight.reasons:
        limits = {"full": MAX_FULL_GAMES, "moves": MIN_MOVES, "points": round(WEAK_LEVEL_GAP)}
        yield words.markup.small(words(f"weight.{reason}", name=name, **limits))
