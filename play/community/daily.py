"""The daily: three exercises of a day, the same for everyone, and how users and servers get through them."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from functools import cache
from typing import NamedTuple
from zoneinfo import ZoneInfo

from play.community.exercise import Kind
from play.community.exercises import exercises
from play.community.puzzle import SETTLED_DEVIATION, puzzle_day
from play.community.streak import day_start, next_day
from play.ids import DAY, HOUR, ChannelId, GuildId, MessageId, Millis, UserId
from play.posts import KeptPost, PostKey, PostKind, PostProblem
from play.ratings.glicko import Rating

STEPS = 3
"""Exercises of a day, each harder than the one before."""

REST_DAYS = 60
"""Days for which an exercise of the daily does not come again, if there are enough of them."""

KEPT_DAYS = 90
"""Days after which ways through a daily are deleted; streaks stay."""

MIN_COMPARED_SOLVERS = 5
"""Solvers on a day from which on a server has a place among the others: fewer would tell how one of them did."""

MAX_STEP_POINTS = 3
"""Points of a step without a wrong move; each wrong move takes one, and a solution that was shown all of them."""

CLEAN_POINTS = STEPS * MAX_STEP_POINTS
"""Points of a day without a wrong move."""

SHOWN = -1
"""The result of a step whose solution was shown; other results count wrong moves."""

MIN_LEFT_MILLIS = Millis(3 * HOUR)
"""What is left of a day at least when its daily is posted."""

RETRY_MILLIS = HOUR
"""Between two tries to post where the bot may not, and after how long of that a place ends."""

FIRST_DAYS = (1682, 716, 328), (1048, 1438, 1481), (303, 906, 410)
"""The exercises of a newcomer's first days, the same for all of them: a capture, an escape and a net on small boards,
which the weakest level of the computer finds. The first day whose list has one is 5 May 2027: by then an edition should
leave them out."""


class Edition(NamedTuple):
    """The lists of the days from `day` on are made of the exercises up to the number `last`, but those `without`."""

    day: str
    last: int
    without: Set[int] = frozenset()


EDITIONS: tuple[Edition, ...] = (Edition("2026-11-01", 2100), Edition("2026-12-01", 2100, frozenset({120, 126, 1454})))
"""The next one begins on a day to come: the list of a day must not change once it was seen."""


class _Order(NamedTuple):
    """The lists from the day `start` on: the exercises of each step in the order of their days, and what takes the
    place of each special one."""

    start: date
    bands: Sequence[Sequence[int]]
    spares: Mapping[int, int]


class Calendar:
    """The lists of all days. `ratings` are the first ratings of the exercises by their numbers, which never change.
    Those that are `special` need a rule that not everyone knows."""

    def __init__(
        self, ratings: Mapping[int, float], editions: Sequence[Edition], special: Set[int] = frozenset()
    ) -> None:
        self._orders: list[_Order] = []
        for edition in editions:
            start = date.fromisoformat(edition.day)
            recent = self._recent(start) if self._orders else {}
            used = (number for number in ratings if number <= edition.last and number not in edition.without)
            numbers = sorted(used, key=lambda each: ratings[each])
            cuts = [len(numbers) * step // STEPS for step in range(STEPS + 1)]
            bands = [numbers[low:high] for low, high in itertools.pairwise(cuts)]
            ordered = [sorted(band, key=lambda each: (recent.get(each, 0), _shuffle(each))) for band in bands]
            used_last = {number for day in self._last_days(start) for number in self._plain(day)} if recent else set()
            spares = {number: spare for band in ordered for number, spare in _spares(band, special, used_last)}
            self._orders.append(_Order(start, ordered, spares))

    def of(self, day: str) -> tuple[int, ...]:
        """Returns the numbers of a day's exercises, the easiest first."""
        return self._of(date.fromisoformat(day))

    def of_run(self, run: Run) -> tuple[int, ...]:
        """Returns the numbers of the exercises of a user's way through a day."""
        if run.first:
            return FIRST_DAYS[run.first - 1]
        return self._plain(date.fromisoformat(run.day)) if run.plain else self.of(run.day)

    def around(self, day: str) -> set[int]:
        """Returns the exercises of all days that are less than REST_DAYS before or after a day, its own included, what
        may take their place, and those of all first days."""
        middle = date.fromisoformat(day)
        days = [middle + timedelta(days) for days in range(1 - REST_DAYS, REST_DAYS)]
        return {number for each in days for number in (*self._of(each), *self._plain(each))}.union(*FIRST_DAYS)

    def _of(self, day: date) -> tuple[int, ...]:
        order = self._order(day)
        return tuple(band[(day - order.start).days % len(band)] for band in order.bands)

    def _plain(self, day: date) -> tuple[int, ...]:
        """Returns a day's exercises with others in the place of those that are special."""
        spares = self._order(day).spares
        return tuple(spares.get(number, number) for number in self._of(day))

    def _order(self, day: date) -> _Order:
        return next((order for order in reversed(self._orders) if order.start <= day), self._orders[0])

    def _recent(self, start: date) -> dict[int, int]:
        """Returns the exercises of the last days before `start`; the newer, the later they come again."""
        days = enumerate(self._last_days(start), start=1)
        return {number: place for place, day in days for number in self._of(day)}

    def _last_days(self, start: date) -> list[date]:
        return [start + timedelta(days) for days in range(-REST_DAYS, 0)]


def _spares(band: Sequence[int], special: Set[int], used_last: Set[int]) -> Iterator[tuple[int, int]]:
    """Yields the special exercises of a band, each with another one whose own day is at least REST_DAYS away.

    Those that were `used_last`, before the edition, come again last.
    """
    queue = sorted((number for number in band if number not in special), key=used_last.__contains__)
    days = {number: day for day, number in enumerate(band)}
    for day, number in enumerate(band):
        if number in special:
            far = range(REST_DAYS + 1, len(band) - REST_DAYS)
            spare = next(each for each in queue if (days[each] - day) % len(band) in far)
            queue.remove(spare)
            queue.append(spare)
            yield number, spare


def _shuffle(number: int) -> int:
    """Returns a place for an exercise which has nothing to do with its neighbours', the same on all machines."""
    return number * 2_654_435_761 % 2**32


@cache
def calendar() -> Calendar:
    """Returns the lists of all days, made of the built-in exercises."""
    special = {number for number, task in exercises().items() if task.kind is Kind.STOP}
    return Calendar({number: task.rating.value for number, task in exercises().items()}, EDITIONS, special)


class Newcomer(NamedTuple):
    """What is known of a user who begins a day: how many `days` they have begun before, their puzzle rating, and
    whether they know STOP from a lesson or a game."""

    days: int
    skill: Rating
    knows_stop: bool


@dataclass(frozen=True, slots=True)
class Run:
    """The way of a user through the exercises of a day.

    `moves` were played in the present step, by the user and in reply; `missed` counts its wrong ones. `results` are
    those of the steps before: wrong moves, or SHOWN. `tries` counts all that the user did, as its version. `first` is
    the number of the first day whose exercises it has, 0 if it has those of the day; if `plain`, others in the place of
    those that need a rule which the user does not know.
    """

    day: str
    user: UserId
    began: Millis
    moves: tuple[str, ...] = ()
    missed: int = 0
    results: tuple[int, ...] = ()
    tries: int = 0
    ended: Millis | None = None
    first: int = 0
    plain: bool = False

    @classmethod
    def begin(cls, day: str, user: UserId, at: Millis, newcomer: Newcomer) -> Run:
        """Returns the way of a user through a day that they begin now."""
        is_new = newcomer.days < len(FIRST_DAYS) and newcomer.skill.deviation > SETTLED_DEVIATION
        first = newcomer.days + 1 if is_new else 0
        return cls(day, user, at, first=first, plain=not newcomer.knows_stop)

    @property
    def step(self) -> int:
        """Returns the place of the present step."""
        return len(self.results)

    @property
    def over(self) -> bool:
        return self.step == STEPS

    @property
    def is_clean(self) -> bool:
        """Returns whether all steps were solved without a wrong move."""
        return self.points == CLEAN_POINTS

    @property
    def missed_steps(self) -> list[int]:
        """Returns the places of the steps before that were not solved at the first try."""
        return [step for step, result in enumerate(self.results) if result]

    @property
    def solved(self) -> int:
        """Returns how many steps were solved, after however many wrong moves."""
        return sum(result != SHOWN for result in self.results)

    @property
    def points(self) -> int:
        return sum(max(0, MAX_STEP_POINTS - result) for result in self.results if result != SHOWN)

    @property
    def is_in_time(self) -> bool:
        """Returns whether the run has ended on its own day."""
        return self.ended is not None and puzzle_day(self.ended) == self.day

    def go_on(self, *moves: str) -> Run:
        """Returns the run after a right move of the user and the reply to it."""
        return replace(self, moves=(*self.moves, *moves), tries=self.tries + 1)

    def miss(self) -> Run:
        """Returns the run after a wrong move."""
        return replace(self, missed=self.missed + 1, tries=self.tries + 1)

    def end_step(self, at: Millis, *, shown: bool = False) -> Run:
        """Returns the run after the present step was solved, or its solution shown."""
        results = (*self.results, SHOWN if shown else self.missed)
        ended = at if len(results) == STEPS else None
        return replace(self, moves=(), missed=0, results=results, tries=self.tries + 1, ended=ended)


@dataclass(frozen=True, slots=True)
class DailyPlace:
    """The channel in which a server has the daily posted, at an `hour` of its `zone` (None: UTC).

    It is `due` then. With `choices` members choose among moves. `compared` gives the server a place among others that
    want one. What keeps it from being posted is its `trouble`; its post has that.
    """

    guild: GuildId
    channel: ChannelId | None = None
    hour: int = 8
    zone: str | None = None
    choices: bool = False
    compared: bool = False
    due: Millis | None = None
    trouble: PostProblem | None = None

    @property
    def post(self) -> KeptPost:
        """Where it is kept."""
        assert self.channel is not None, "it is kept somewhere"
        return KeptPost(PostKey(PostKind.DAILY, self.guild), self.guild, self.channel)

    def moved(self, channel: ChannelId | None, now: Millis) -> DailyPlace:
        """Returns the place in another channel. Its next post is that of today, if its hour has come."""
        due = None if channel is None else post_time(puzzle_day(now), self.hour, self.zone)
        return replace(self, channel=channel, due=due)

    def posted(self, day: str) -> DailyPlace:
        """Returns the place after the post of a day."""
        return replace(self, due=post_time(next_day(day), self.hour, self.zone))

    def due_at(self, due: Millis) -> DailyPlace:
        """Returns the place with another time for its next post."""
        return replace(self, due=due)

    def fails(self, now: Millis) -> DailyPlace:
        """Returns the place after a try in vain."""
        return replace(self, due=Millis(now + RETRY_MILLIS))

    def ends(self) -> DailyPlace:
        """Returns the place without its channel, which is gone."""
        return replace(self, channel=None, due=None)


def post_time(day: str, hour: int, zone: str | None) -> Millis:
    """Returns when the daily of a day is posted: as soon as it is that hour in the zone, on this day of UTC.

    An hour that would leave less than MIN_LEFT_MILLIS of the day counts for the next one, which is posted when it
    begins. So is a day from which a change of the clocks has taken the hour.
    """
    there, middle, start = ZoneInfo(zone or "UTC"), date.fromisoformat(day), day_start(day)
    moments = [
        int(datetime.combine(middle + timedelta(days), time(hour), there).timestamp()) * 1000 for days in (-1, 0, 1)
    ]
    first = start - MIN_LEFT_MILLIS
    return Millis(max(start, next((each for each in moments if first <= each < first + DAY), start)))


@dataclass(frozen=True, slots=True)
class DailyPost:
    """The daily of a day as it was posted in a channel, with the server's `streak` up to the day before.

    `message` is None until it is known. `recapped` says that it tells how the day went.
    """

    guild: GuildId
    day: str
    channel: ChannelId
    message: MessageId | None = None
    streak: int = 0
    recapped: bool = False


class Comparison(NamedTuple):
    """The place of a server among so many, by the points of its solvers on average."""

    place: int
    servers: int


class Recap(NamedTuple):
    """How a day went on a server: its `solvers`, those without a wrong move and the fastest of them, the days in a row
    with a solver, and its place among others."""

    day: str
    solvers: int
    clean: int
    fastest: UserId | None
    millis: Millis | None
    streak: int
    comparison: Comparison | None


class Tally(NamedTuple):
    """How many of a server have solved a step or more of their daily, all in time; how many have solved that of the day
    without a wrong move, and the fastest of these."""

    solvers: int
    clean: int
    fastest: UserId | None
    millis: Millis | None


def make_recap(day: str, tally: Tally, former_streak: int, comparison: Comparison | None) -> Recap:
    """Returns how a day went on a server."""
    return Recap(day, *tally, former_streak + 1 if tally.solvers else 0, comparison)


class ServerResult(NamedTuple):
    """How many of a server have solved the exercises of a day, and their points together."""

    guild: GuildId
    solvers: int
    points: int


def compare(guild: GuildId, results: Iterable[ServerResult]) -> Comparison | None:
    """Returns the place of a server; None without enough solvers, or where it would be alone."""
    averages = {each.guild: each.points / each.solvers for each in results if each.solvers >= MIN_COMPARED_SOLVERS}
    if guild not in averages or len(averages) == 1:
        return None
    return Comparison(1 + sum(each > averages[guild] for each in averages.values()), len(averages))
