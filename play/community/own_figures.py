"""The figures of a player about their own games: results, what mistakes cost and by what, openings, and time."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from statistics import median
from typing import NamedTuple, TypeVar

from play.clock import Clock, Speed, TimeControl, Untimed
from play.community.exercise import Kind
from play.ids import MatchId, Millis, UserId
from play.match.events import EventKind
from play.people.career import Result, Tally
from play.records.openings import Opening
from rules.game import Seat

K = TypeVar("K", bound=Hashable)

MAX_GAMES = 500
"""The latest games that are counted, as in a profile."""

MAX_TIMED_GAMES = 100
"""The latest games of which each move is read: each has some hundred."""

OPENING_PLIES = 4
"""Moves after which openings are told apart. Later hardly any two are the same."""

MIN_OPENING_GAMES = 2
"""Games from which on an opening has a result that says something."""

MAX_LINES = 8
"""Lines of each part: those with the most games."""

EVEN_POINTS = 100.0
"""Points of rating up to which an opponent is about as strong: the stronger one then wins less than two of three."""

TROUBLE_SHARE = 0.1
"""Of the time at the start: who has less left is in time trouble."""


class Strength(StrEnum):
    """How strong an opponent was, by both ratings before the game."""

    STRONGER = "stronger"
    EVEN = "even"
    WEAKER = "weaker"
    UNRATED = "unrated"

    @classmethod
    def of(cls, own: float | None, other: float | None) -> Strength:
        """Returns the strength of an opponent, given both ratings."""
        if own is None or other is None:
            return cls.UNRATED
        if abs(other - own) <= EVEN_POINTS:
            return cls.EVEN
        return cls.STRONGER if other > own else cls.WEAKER


class Happened(NamedTuple):
    """An event of a game: who did what, when, and how much of their time was `lost` to an outage."""

    kind: str
    seat: Seat
    text: str
    at: Millis
    lost: Millis = Millis(0)


class Pace(NamedTuple):
    """The times of a player's moves in a game, in milliseconds, and how many of those moves were made in time trouble;
    None where nobody can be."""

    speed: Speed
    times: tuple[Millis, ...]
    trouble: int | None


class PlayedGame(NamedTuple):
    """A finished game as figures count it.

    `result` is None if nothing was decided. `moves` counts the player's own, also those taken back. `lost` is what
    their biggest mistakes cost, None without a review; `causes` has it by kind, with None for all others, and is None
    for a review of a former version. `capture` is the most dots that they took with one turn, `beaten` the highest
    rating of those whom they beat, and `live` how long a live game went on. `others` are the accounts of the others.
    """

    id: MatchId
    rules: str
    size: str
    ended: Millis
    result: Result | None
    strength: Strength
    opening: Opening | None = None
    pace: Pace | None = None
    moves: int = 0
    lost: float | None = None
    causes: Mapping[Kind | None, float] | None = None
    capture: int = 0
    beaten: float | None = None
    live: Millis = Millis(0)
    others: tuple[UserId, ...] = ()


def beaten_rating(result: Result | None, ratings: Sequence[float | None]) -> float | None:
    """Returns the highest of the ratings of those whom a player has beaten, as far as they are known."""
    return max((each for each in ratings if each is not None), default=None) if result is Result.WON else None


@dataclass(frozen=True, slots=True)
class Results:
    """The results of the `games` that have something in common, the latest first."""

    tally: Tally
    games: tuple[MatchId, ...]


@dataclass(frozen=True, slots=True)
class Losses:
    """What mistakes cost in the `games` that have something in common, the latest first, and how many own moves those
    had."""

    lost: float
    moves: int
    games: tuple[MatchId, ...]

    @property
    def per_move(self) -> float:
        return self.lost / self.moves if self.moves else 0.0


@dataclass(frozen=True, slots=True)
class Times:
    """The usual time of a move in games of one speed. Of `timed` moves in `games` so many were made in `trouble`, in
    the games `pressed`; with what `results`."""

    usual: Millis
    moves: int
    trouble: int
    games: tuple[MatchId, ...]
    pressed: Results


@dataclass(frozen=True, slots=True)
class OwnFigures:
    """All figures. Parts have the most games first, months the newest, causes what cost most, those without a
    kind last. `streak` is how many of
    the latest games were won in a row, `longest` the longest such run."""

    games: int
    rules: Mapping[str, Results]
    sizes: Mapping[str, Results]
    strengths: Mapping[Strength, Results]
    openings: Mapping[Opening, Results]
    months: Mapping[str, Losses]
    causes: Mapping[Kind | None, Losses]
    times: Mapping[Speed, Times]
    streak: int
    longest: int

    @classmethod
    def of(cls, games: Sequence[PlayedGame]) -> OwnFigures:
        """Returns the figures of some games, the latest first."""
        decided = [each for each in games if each.result is not None]
        runs = "".join("w" if each.result is Result.WON else " " for each in decided).split(" ")
        openings = _results([each for each in decided if each.opening], lambda each: each.opening)
        return cls(
            games=len(decided),
            rules=_results(decided, lambda each: each.rules),
            sizes=_results(decided, lambda each: each.size),
            strengths=_results(decided, lambda each: each.strength),
            openings={key: each for key, each in openings.items() if key and each.tally.games >= MIN_OPENING_GAMES},
            months=_months([each for each in games if each.lost is not None]),
            causes=_causes([each for each in games if each.causes is not None]),
            times=_times([each for each in games if each.pace is not None]),
            streak=len(runs[0]),
            longest=max(map(len, runs)),
        )


def _groups(games: Iterable[PlayedGame], key: Callable[[PlayedGame], K]) -> dict[K, list[PlayedGame]]:
    found: dict[K, list[PlayedGame]] = {}
    for each in games:
        found.setdefault(key(each), []).append(each)
    return found


def _results(games: Iterable[PlayedGame], key: Callable[[PlayedGame], K]) -> dict[K, Results]:
    most = sorted(_groups(games, key).items(), key=lambda each: -len(each[1]))[:MAX_LINES]
    return {name: _results_of(some) for name, some in most}


def _results_of(games: Sequence[PlayedGame]) -> Results:
    return Results(Tally.of(each.result for each in games if each.result), tuple(each.id for each in games))


def month_of(moment: Millis) -> str:
    """Returns the month of a moment by UTC, as 2026-11."""
    return datetime.fromtimestamp(moment / 1000, UTC).strftime("%Y-%m")


def _months(games: Iterable[PlayedGame]) -> dict[str, Losses]:
    latest = sorted(_groups(games, lambda each: month_of(each.ended)).items(), reverse=True)[:MAX_LINES]
    return {month: _losses(some, lambda each: each.lost) for month, some in latest}


def _causes(games: Sequence[PlayedGame]) -> dict[Kind | None, Losses]:
    found = {cause for each in games for cause in each.causes or ()}
    losses = {cause: _losses_by(games, cause) for cause in found}
    return dict(sorted(losses.items(), key=lambda each: (each[0] is None, -each[1].lost, each[0] or "")))


def _losses_by(games: Iterable[PlayedGame], cause: Kind | None) -> Losses:
    there = [each for each in games if cause in (each.causes or ())]
    return _losses(there, lambda each: (each.causes or {})[cause])


def _losses(games: Sequence[PlayedGame], lost: Callable[[PlayedGame], float | None]) -> Losses:
    costs, moves = sum(lost(each) or 0.0 for each in games), sum(each.moves for each in games)
    return Losses(costs, moves, tuple(each.id for each in games))


def _times(games: Iterable[PlayedGame]) -> dict[Speed, Times]:
    groups = _groups(games, lambda each: each.pace and each.pace.speed)
    return {speed: _times_of(some) for speed, some in sorted(groups.items(), reverse=True) if speed}


def _times_of(games: Sequence[PlayedGame]) -> Times:
    paces = [(each, each.pace) for each in games if each.pace]
    spans = [span for _, pace in paces for span in pace.times]
    pressed = [each for each, pace in paces if pace.trouble and each.result]
    trouble = sum(pace.trouble or 0 for _, pace in paces)
    return Times(
        Millis(int(median(spans))), len(spans), trouble, tuple(each.id for each in games), _results_of(pressed)
    )


QUIET = frozenset((EventKind.MOVE, EventKind.RESIGN, EventKind.TIME, EventKind.DECLINE))
"""What happens in a game whose times say how long its players thought."""


def pace_of(
    control: TimeControl, seat: Seat, started: Millis, happened: Sequence[Happened], seats: int = 2
) -> Pace | None:
    """Returns the pace of a seat in a game. A move counts if the one before was a move, too, or it is the first: then
    nothing but thought lies between. None if nothing counts."""
    times, since = list[Millis](), started
    previous: str = EventKind.MOVE
    for each in happened:
        if each.kind == EventKind.MOVE and each.seat == seat and previous == EventKind.MOVE:
            times.append(Millis(max(0, each.at - since - each.lost)))
        previous, since = each.kind, each.at
    trouble = _trouble(control, seat, started, happened, seats)
    return Pace(control.speed, tuple(times), trouble) if times else None


def _trouble(control: TimeControl, seat: Seat, started: Millis, happened: Sequence[Happened], seats: int) -> int | None:
    """Counts the moves of a seat in time trouble. None over days, and where more than moves has changed a clock."""
    if isinstance(control, Untimed) or control.speed is not Speed.LIVE or any(e.kind not in QUIET for e in happened):
        return None
    moves = [each for each in happened if each.kind == EventKind.MOVE]
    clock, found = Clock.start(control, seats, moves[0].seat, started), 0
    for each, following in zip(moves, [*moves[1:], None], strict=True):
        left = clock.left(each.seat, Millis(each.at - each.lost))
        found += each.seat == seat and left is not None and left < TROUBLE_SHARE * max(control.start, 1)
        clock = clock.press(None if following is None else following.seat, each.at, each.lost)
    return found
