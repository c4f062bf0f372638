"""The use cases of the daily: how a user goes through its steps, and what a server has of it."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from datetime import date, timedelta

from cachetools import LRUCache

from play.community.daily import (
    KEPT_DAYS,
    MIN_COMPARED_SOLVERS,
    Calendar,
    DailyPlace,
    DailyPost,
    Newcomer,
    Recap,
    Run,
    ServerResult,
    calendar,
    compare,
    make_recap,
)
from play.community.exercise import Exercise
from play.community.exercises import exercises
from play.community.news import LogEntry, channel_value, setting_changed, switch_value
from play.community.puzzle import puzzle_day
from play.community.solving import DailyState, Right, Solved, Solving, Wrong
from play.community.streak import day_before, next_day
from play.ids import ChannelId, GuildId, MessageId, Millis, UserId
from play.refusal import Reason, Refused
from rules.game import RuleError
from storage import Database
from storage.errors import Stale
from storage.unit_of_work import Reader, Transaction
from use_cases.events import Events, log_entry, logged
from use_cases.exercises import knows_stop, note_solved, rate_first_answer, read_streak
from use_cases.match_writer import retry_on_conflict

MAX_DAYS = 3
"""Days whose results are remembered: recaps are of the last one or two."""


class Dailies:
    """The use cases of the daily. Raises Refused for what cannot be done."""

    def __init__(
        self,
        store: Database,
        events: Events,
        calendar: Callable[[], Calendar] = calendar,
        exercises: Callable[[], Mapping[int, Exercise]] = exercises,
    ) -> None:
        self._store = store
        self._events = events
        self._calendar = calendar
        self._exercises = exercises
        self._results: LRUCache[str, list[ServerResult]] = LRUCache(MAX_DAYS)

    def exercise(self, day: str, step: int) -> Exercise:
        """Returns the exercise of a step, from 0, of a day. Raises Refused (`no_puzzle`)."""
        return self._exercise(self._calendar().of(day)[step])

    def exercise_of(self, run: Run, step: int) -> Exercise:
        """Returns the exercise of a step, from 0, of a user's way. Raises Refused (`no_puzzle`)."""
        return self._exercise(self.number(run, step))

    def _exercise(self, number: int) -> Exercise:
        if number not in self._exercises():
            raise Refused(Reason.NO_PUZZLE)
        return self._exercises()[number]

    async def open(self, user: UserId, guild: GuildId | None, at: Millis) -> DailyState:
        """Returns today's daily of a user, begun now if it was not. On a server it counts there from now on."""
        day = puzzle_day(at)

        async def attempt() -> tuple[Run, bool]:
            async with self._store.write() as tx:
                run = await tx.dailies.run(day, user)
                if run is None:
                    run = Run.begin(day, user, at, await _newcomer(tx, user))
                    await tx.dailies.add_run(run)
                joined = guild is not None and await tx.dailies.add_member(day, guild, user)
                return run, joined

        run, joined = await retry_on_conflict(attempt)
        if joined and run.over and guild is not None:
            self._events.puzzle_answered(guild)
        return self._state(run)

    async def state(self, day: str, user: UserId) -> DailyState:
        """Returns the daily of a user as it is. Raises Refused (`no_puzzle`) if they have not begun it."""
        async with self._store.read() as reader:
            return self._state(await _run(reader, day, user))

    async def play(
        self, day: str, user: UserId, tries: int, move: str | None, at: Millis, *, chosen: bool = False
    ) -> DailyState:
        """Judges a move of a user in their present step, or gives it up (None), unless they have gone on since it had
        so many `tries`. One that was `chosen` among its answers solves the step.

        Only the first move of a step can be a first try: what follows is rated no more. Raises Refused (`no_puzzle`,
        and the reasons of the rules).
        """

        async def attempt() -> DailyState:
            async with self._store.write() as tx:
                run = await _run(tx, day, user)
                state = self._state(run)
                if run.tries != tries or state.solving is None:
                    return state._replace(is_stale=True)
                return await self._judge(tx, state, state.solving, move, at, chosen=chosen)

        state = await retry_on_conflict(attempt)
        if state.run.over and not state.is_stale:
            async with self._store.read() as reader:
                guilds = await reader.dailies.guilds(day, user)
            for guild in guilds:
                self._events.puzzle_answered(guild)
        return state

    async def _judge(
        self, tx: Transaction, state: DailyState, solving: Solving, move: str | None, at: Millis, *, chosen: bool
    ) -> DailyState:
        run, exercise = state.run, solving.exercise
        try:
            verdict = solving.judge(move, chosen=chosen)
        except RuleError as error:
            raise Refused.by_rules(error) from error
        if isinstance(verdict, Right):
            after = run.go_on(*verdict.next.found[len(run.moves) :])
        elif isinstance(verdict, Wrong):
            after = run.miss()
        else:
            after = run.end_step(at, shown=move is None)
        await tx.dailies.save_run(after, run.tries)
        decided = run.missed == 0 and not isinstance(verdict, Right)
        right = isinstance(verdict, Solved) and move is not None
        if right:
            await note_solved(tx, run.user, at)
        before, now = None, None
        if decided:
            choices = solving.count_choices(chosen=chosen)
            before, now = await rate_first_answer(tx, run.user, exercise, at, right=right, choices=choices)
        return self._state(after)._replace(verdict=verdict, judged=solving, before=before, after=now)

    def _state(self, run: Run) -> DailyState:
        solving = None if run.over else Solving.begin(self.exercise_of(run, run.step), run.moves)
        return DailyState(run, solving)

    async def place_of(self, user: UserId, number: int, at: Millis) -> tuple[Run, int | None]:
        """Returns a user's way through today, as it would begin if it has not, and the step in which it has an
        exercise; None if it has not."""
        day = puzzle_day(at)
        async with self._store.read() as reader:
            run = await reader.dailies.run(day, user) or Run(day, user, at)
        numbers = self._calendar().of_run(run)
        return run, numbers.index(number) if number in numbers else None

    def number(self, run: Run, step: int) -> int:
        """Returns the number of the exercise of a step, from 0."""
        return self._calendar().of_run(run)[step]

    async def streak(self, user: UserId, now: Millis) -> int:
        """Returns the streak of a user as it is today."""
        async with self._store.read() as reader:
            return await read_streak(reader, user, now)

    # The daily of a server

    async def place(self, guild: GuildId) -> DailyPlace:
        """Returns where and how a server has the daily."""
        async with self._store.read() as reader:
            return await reader.dailies.place(guild) or DailyPlace(guild)

    @logged
    async def change_place(self, guild: GuildId, change: Callable[[DailyPlace], DailyPlace], by: UserId) -> DailyPlace:
        """Changes where and how a server has the daily. Who has chosen its channel, `by`, is told of its troubles."""

        async def attempt() -> DailyPlace:
            async with self._store.write() as tx:
                before = await tx.dailies.place(guild) or DailyPlace(guild)
                place = change(before)
                await tx.dailies.save_place(place)
                if place.channel is not None and place.channel != before.channel:
                    await tx.kept_posts.place(place.post.key, by)
                for entry in _changes(by, before, place):
                    await log_entry(tx, guild, entry)
                return place

        place = await retry_on_conflict(attempt)
        self._events.daily_set()
        self._events.news_added()
        return place

    async def announce(self, guild: GuildId, channel: ChannelId, now: Millis) -> DailyPost:
        """Returns today's post of a server, stored now, before it is sent, if there was none."""
        day = puzzle_day(now)

        async def attempt() -> DailyPost:
            async with self._store.write() as tx:
                post = await tx.dailies.post(guild, day)
                if post is None:
                    post = DailyPost(guild, day, channel, streak=await _server_streak(tx, guild, day))
                    await tx.dailies.add_post(post)
                elif post.message is None and post.channel != channel:  # a manager has chosen another one
                    post = replace(post, channel=channel)
                    await tx.dailies.move_post(post)
                return post

        return await retry_on_conflict(attempt)

    async def mark_posted(self, post: DailyPost, message: MessageId) -> DailyPost:
        """Notes which message shows a daily."""
        await self._change(lambda tx: tx.dailies.mark_posted(post.guild, post.day, message))
        return replace(post, message=message)

    async def mark_recapped(self, post: DailyPost) -> None:
        """Notes that a post tells how its day went."""
        await self._change(lambda tx: tx.dailies.mark_recapped(post.guild, post.day))

    async def _change(self, change: Callable[[Transaction], Awaitable[None]]) -> None:
        try:
            async with self._store.write() as tx:
                await change(tx)
        except Stale:
            return  # it is so old that it was swept

    async def last_post(self, guild: GuildId, now: Millis) -> DailyPost | None:
        """Returns the newest post of a server before today's."""
        async with self._store.read() as reader:
            return await reader.dailies.last_post(guild, puzzle_day(now))

    async def recap(self, guild: GuildId, day: str) -> Recap:
        """Returns how a day that is over went on a server."""
        async with self._store.read() as reader:
            place = await reader.dailies.place(guild)
            post, tally = await reader.dailies.post(guild, day), await reader.dailies.tally(day, guild)
            comparison = compare(guild, await self._results_of(reader, day)) if place and place.compared else None
            return make_recap(day, tally, post.streak if post else 0, comparison)

    async def _results_of(self, reader: Reader, day: str) -> list[ServerResult]:
        """Returns the results of a day that is over: they are read once for the recaps of all servers."""
        if day not in self._results:
            self._results[day] = await reader.dailies.results(day, MIN_COMPARED_SOLVERS)
        return self._results[day]

    async def solvers(self, guild: GuildId, day: str) -> int:
        """Returns how many have solved a step or more of a day's daily, and counted on this server."""
        async with self._store.read() as reader:
            return await reader.dailies.count_solvers(day, guild)

    async def sweep(self, now: Millis, limit: int) -> int:
        """Deletes at most so many rows of days long past; returns how many."""
        before = (date.fromisoformat(puzzle_day(now)) - timedelta(KEPT_DAYS)).isoformat()
        async with self._store.write() as tx:
            return await tx.dailies.sweep(before, limit)


def _changes(by: UserId, before: DailyPlace, after: DailyPlace) -> list[LogEntry]:
    """Returns an entry for each setting of the daily that has another value now."""
    values = [
        ("daily", *(channel_value(place.channel) for place in (before, after))),
        ("daily_hour", *(f"{place.hour}:00" for place in (before, after))),
        ("daily_choices", *(switch_value(on=place.choices) for place in (before, after))),
        ("daily_compared", *(switch_value(on=place.compared) for place in (before, after))),
    ]
    return [setting_changed(by, name, old, new) for name, old, new in values if old != new]


async def _newcomer(reader: Reader, user: UserId) -> Newcomer:
    days, skill = await reader.dailies.count_runs(user), await reader.puzzles.skill(user)
    return Newcomer(days, skill, await knows_stop(reader, user))


async def _run(reader: Reader, day: str, user: UserId) -> Run:
    run = await reader.dailies.run(day, user)
    if run is None:
        raise Refused(Reason.NO_PUZZLE)
    return run


async def _server_streak(reader: Reader, guild: GuildId, day: str) -> int:
    """Returns the days in a row, up to the one before, on which members of a server have solved the daily."""
    last = await reader.dailies.last_post(guild, day)
    streak, each = (last.streak, last.day) if last else (0, day_before(day))
    while each < day:
        streak = streak + 1 if await reader.dailies.has_solver(each, guild) else 0
        each = next_day(each)
    return streak
