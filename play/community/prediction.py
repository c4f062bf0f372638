"""Predictions of a game of two by those who do not play it: when they may be made, and what they are worth.

A pick is one step of a scale of results: 0 is a draw, 1 to 4 are wins of the first seat by ever more dots, -1 to -4
those of the second one.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import NormalDist
from typing import Final, NamedTuple

from play.ids import GuildId, MatchId, Millis, UserId, side_of
from play.match.events import EventKind
from play.match.length import expected_moves
from play.match.match import Match
from rules.game import Outcome, Seat

FIRST_MOVES: Final = 20
"""Moves before which the first prediction is due; later windows are open for no more."""

WINDOWS: Final = 4
"""Windows of a game: one at its beginning, and one from each quarter of its expected length on."""

MARGINS: Final = (0, 5, 10, 20)
"""The dots from which each step of a win is counted: by less than 5, 5 to 9, 10 to 19, 20 or more."""

WINNER_STEP: Final = 2
"""Steps between a draw and the closest win, on the scale by which predictions are compared: the winner counts more
than the margin."""

WEIGHTS: Final = (4, 3, 2, 1)
"""Points for each step of the scale, by window: an early prediction is worth more."""

PICKS: Final = tuple(range(len(MARGINS), -len(MARGINS) - 1, -1))
"""All picks, from a clear win of the first seat to one of the second."""

_SPREAD: Final = 0.06
"""The standard deviation of margins, as a share of the expected moves."""

_ELO_SCALE: Final = 400.0
"""Points of rating by which a player is expected to win ten times as often."""

_WON_BY_WORD: Final = frozenset({"resign", "time"})
"""Reasons of an end at which nobody knows how many dots the winner would have been ahead."""

_BY_WORD: Final = _WON_BY_WORD | {"draw"}
"""Reasons of an end that the players bring about at any time."""


class Window(NamedTuple):
    """A time for predictions, in moves that were made: from the first of them on, and before the last one."""

    number: int
    opens: int
    closes: int


class Result(NamedTuple):
    """The steps of the scale that a finished game may be: several if its margin is not known."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Prediction:
    """A user's pick in a window of a match. `obvious` is what the board and the ratings said at that time."""

    match: MatchId
    window: int
    user: UserId
    guild: GuildId
    pick: int
    obvious: int
    at: Millis


class Tally(NamedTuple):
    """The picks of a closed window that are the same, and how many were made."""

    window: int
    pick: int
    made: int


class Foreteller(NamedTuple):
    """A line of a season's table: the points of a member, and how many of the predictions that they made named the
    winner."""

    place: int
    user: UserId
    points: int
    right: int
    made: int


def moves_made(match: Match, version: int | None = None) -> int:
    """Returns the moves up to a version, those included that were taken back: so a closed window stays closed."""
    return sum(event.is_move for event in match.events[:version])


def windows(match: Match) -> tuple[Window, ...]:
    """Returns the windows of a match."""
    moves = expected_moves(match.game)
    starts = [number * moves // WINDOWS for number in range(WINDOWS)]
    length = min(FIRST_MOVES, moves // WINDOWS)
    return tuple(Window(number, start, start + length) for number, start in enumerate(starts))


def window_at(match: Match, version: int | None = None) -> Window | None:
    """Returns the window that is open at a version of a match; None between windows, and after its end."""
    if match.outcome is not None:
        return None
    moves = moves_made(match, version)
    return next((each for each in windows(match) if each.opens <= moves < each.closes), None)


def next_window(match: Match) -> Window | None:
    """Returns the next window that is still to open."""
    moves = moves_made(match)
    return next((each for each in windows(match) if each.opens > moves), None)


def step_of(margin: float) -> int:
    """Returns the pick that a lead of the first seat over the second one is; half a dot is a win, too."""
    step = sum(abs(margin) >= least for least in MARGINS)
    return 0 if not margin else step if margin > 0 else -step


def obvious_pick(match: Match, ratings: tuple[float, float] | None) -> int:
    """Returns what the score and the ratings of both players say, without any look at the board.

    The favourite is ahead of the present score by as much as the difference of ratings brings in the rest of the game.
    """
    lead = match.score[0] - match.score[1]
    if ratings is not None:
        moves = expected_moves(match.game)
        rest = max(0.0, 1 - moves_made(match) / moves)
        share = 1 / (1 + 10 ** ((ratings[1] - ratings[0]) / _ELO_SCALE))
        lead += NormalDist(sigma=_SPREAD * moves).inv_cdf(min(max(share, 0.01), 0.99)) * rest
    return step_of(round(lead))


def result_of(match: Match) -> Result | None:
    """Returns the result of a finished match; None if there was none to predict: called off, annulled, abandoned, or
    ended at the will of a few (`_is_made`)."""
    assert match.outcome is not None, "it is over"
    winners = match.outcome.winners
    if _is_made(match, match.outcome):
        return None
    if len(winners) != 1:
        return Result(0, 0) if winners else None
    sign = 1 if winners[0] == Seat(0) else -1
    if match.outcome.reason in _WON_BY_WORD:
        ends = sorted((sign, sign * len(MARGINS)))
        return Result(ends[0], ends[1])
    step = sign * max(1, sign * step_of(match.score[0] - match.score[1]))
    return Result(step, step)


def _is_made(match: Match, outcome: Outcome) -> bool:
    """Returns whether people made a result who could know it before: moderators, a manager who resigned for a server,
    or players who ended the game by word in its first window."""
    last = match.events[-1]
    is_ended_by_manager = (
        last.kind is EventKind.RESIGN and side_of(match.players[last.seat]) is not None and not last.is_automatic
    )
    is_at_once = outcome.reason in _BY_WORD and moves_made(match) < windows(match)[0].closes
    return outcome.reason == "adjudged" or is_ended_by_manager or is_at_once


def points_of(pick: int, obvious: int, window: int, result: Result) -> int:
    """Returns the points of a prediction: how much closer it was to the result than the obvious one, by its window.

    With the obvious pick they are 0, whatever happens. A guess that knows no more than the board says brings nothing
    on average, and what is right where the obvious is wrong brings as much as the opposite costs. Since the obvious
    pick does not depend on the user's, the best pick is the median of what they believe (Gneiting, Making and
    Evaluating Point Forecasts, 2011: the absolute error is consistent for the median, on any scale).
    """
    return WEIGHTS[window] * (_distance(obvious, result) - _distance(pick, result))


def _distance(pick: int, result: Result) -> int:
    place = _place(pick)
    return max(0, _place(result.low) - place, place - _place(result.high))


def _place(pick: int) -> int:
    """Returns the place of a pick on the scale, on which a draw is farther from a win than two margins are apart."""
    return 0 if pick == 0 else pick + (WINNER_STEP - 1) * (1 if pick > 0 else -1)


def names_winner(pick: int, result: Result) -> bool:
    """Returns whether a pick has the right winner, or is a draw that was one."""
    return (pick > 0) == (result.low > 0) and (pick < 0) == (result.high < 0)


def rank(totals: Iterable[tuple[UserId, int, int, int]]) -> list[Foreteller]:
    """Returns the lines of a table, from each member's points, right winners and predictions. Equals share a place."""
    ordered = sorted(totals, key=lambda each: (-each[1], -each[2], each[0]))
    points = [each[1] for each in ordered]
    return [Foreteller(points.index(gained) + 1, user, gained, *rest) for user, gained, *rest in ordered]


class Outlook(NamedTuple):
    """A game as one of those who may predict it sees it: the `window` that is open, what is `obvious` now, their `own`
    predictions, and what others chose in closed windows."""

    match: Match
    window: Window | None
    obvious: int
    own: dict[int, Prediction]
    tallies: list[Tally]
