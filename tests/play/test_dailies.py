"""A user's way through the daily: tries, replies, ratings by first tries, streaks, and what counts for a server."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

from play.community.daily import FIRST_DAYS, SHOWN, STEPS, Comparison, Run
from play.community.lesson import STOP_LESSONS, LessonState
from play.community.puzzle import puzzle_day
from play.community.solving import DailyState, Right, Solved, Wrong
from play.community.streak import day_start
from play.ids import ChannelId, GuildId, MessageId, Millis, UserId
from play.refusal import Reason, Refused
from storage import Database
from tests.clock import DAY
from tests.exercises import CALENDAR, EXERCISES
from tests.matches import ANNA, BORIS, GUILD
from use_cases import UseCases
from use_cases.dailies import Dailies

TODAY = "2026-11-26"
NOW = Millis(day_start(TODAY) + DAY // 2)
SOLVERS = (ANNA, BORIS, *map(UserId, range(1000, 1030)))


@pytest.fixture
async def dailies(store: Database, use_cases: UseCases) -> Dailies:
    """The use cases, to people who have had their first days, and a lesson of STOP."""
    async with store.write() as tx:
        for user in SOLVERS:
            await tx.lessons.save(user, STOP_LESSONS[0], LessonState(done=NOW))
            for day, _ in enumerate(FIRST_DAYS, start=1):
                await tx.dailies.add_run(Run(f"2026-10-{day:02}", user, NOW))
    return Dailies(store, use_cases.events, lambda: CALENDAR, lambda: EXERCISES)


async def play(dailies: Dailies, move: str, user: UserId = ANNA, at: Millis = NOW) -> DailyState:
    """Plays a move in the present step of the day's daily."""
    day = puzzle_day(at)
    return await dailies.play(day, user, (await dailies.state(day, user)).run.tries, move, at)


async def solve_step(dailies: Dailies, user: UserId = ANNA, at: Millis = NOW) -> DailyState:
    """Solves the present step by its main line."""
    state = await dailies.state(puzzle_day(at), user)
    step = state.run.step
    while state.run.step == step:
        assert state.solving is not None
        state = await play(dailies, state.solving.node.line[0], user, at)
    return state


async def solve_all(dailies: Dailies, user: UserId = ANNA, at: Millis = NOW, guild: GuildId = GUILD) -> DailyState:
    await dailies.open(user, guild, at)
    for _ in range(STEPS):
        state = await solve_step(dailies, user, at)
    return state


async def test_a_step_is_played_out_against_the_best_reply(dailies: Dailies) -> None:
    state = await dailies.open(ANNA, GUILD, NOW)
    while state.solving is not None and state.solving.exercise.tree.depth == 1:
        state = await solve_step(dailies)
    assert state.solving is not None, "one of three exercises has two moves"
    state = await play(dailies, "C4")
    assert isinstance(state.verdict, Right)
    assert state.verdict.reply == "C2"
    assert state.run.moves == ("C4",)
    again = await dailies.state(TODAY, ANNA)
    assert again.solving is not None
    assert again.solving.found == ("C4",)
    solved = await play(dailies, "A3")
    assert isinstance(solved.verdict, Solved)
    assert solved.run.results[-1:] == (0,)


async def test_a_wrong_move_shows_what_refutes_it_and_the_step_goes_on(dailies: Dailies) -> None:
    await dailies.open(ANNA, GUILD, NOW)
    state = await play(dailies, "E5")
    assert state.verdict == Wrong(("E5", "C2"))
    assert (state.run.missed, state.run.step) == (1, 0)
    assert (await solve_step(dailies)).run.results == (1,)


async def test_only_the_first_try_of_a_step_is_rated(dailies: Dailies, store: Database) -> None:
    await dailies.open(ANNA, GUILD, NOW)
    missed = await play(dailies, "E5")
    assert missed.before is not None
    assert missed.after is not None
    assert missed.after.value < missed.before.value
    assert (await play(dailies, "E5")).after is None
    assert (await solve_step(dailies)).after is None
    first = await solve_step(dailies)
    assert first.before == missed.after
    assert first.after is not None
    assert first.after.value > missed.after.value
    async with store.read() as reader:
        assert await reader.puzzles.skill(ANNA) == first.after
        assert await reader.puzzles.tried(ANNA) == []


async def test_a_solution_that_is_shown_counts_as_a_miss_and_ends_the_step(dailies: Dailies) -> None:
    state = await dailies.open(ANNA, GUILD, NOW)
    shown = await dailies.play(TODAY, ANNA, state.run.tries, None, NOW)
    assert isinstance(shown.verdict, Solved)
    assert shown.run.results == (SHOWN,)
    assert shown.after is not None
    assert shown.before is not None
    assert shown.after.value < shown.before.value


async def test_an_old_panel_changes_nothing(dailies: Dailies) -> None:
    await dailies.open(ANNA, GUILD, NOW)
    await play(dailies, "E5")
    stale = await dailies.play(TODAY, ANNA, 0, "D5", NOW)
    assert stale.is_stale
    assert stale.run.missed == 1
    assert (await dailies.play(TODAY, ANNA, 0, None, NOW)).is_stale


@pytest.mark.parametrize(("move", "reason"), [("C3", "occupied"), ("Z99", "off_field"), ("nonsense", "no_point")])
async def test_what_is_no_move_is_refused_and_is_no_miss(dailies: Dailies, move: str, reason: str) -> None:
    await dailies.open(ANNA, GUILD, NOW)
    with pytest.raises(Refused) as refused:
        await play(dailies, move)
    assert refused.value.key == reason
    assert (await dailies.state(TODAY, ANNA)).run.tries == 0


async def test_who_has_not_begun_has_nothing_to_play(dailies: Dailies) -> None:
    with pytest.raises(Refused) as refused:
        await dailies.play(TODAY, ANNA, 0, "C2", NOW)
    assert refused.value.key == Reason.NO_PUZZLE


async def test_among_choices_the_right_one_solves_the_step(dailies: Dailies) -> None:
    state = await dailies.open(ANNA, GUILD, NOW)
    assert state.solving is not None
    right, wrong, *_ = state.solving.exercise.answers
    assert isinstance((await dailies.play(TODAY, ANNA, 0, wrong, NOW, chosen=True)).verdict, Wrong)
    solved = await dailies.play(TODAY, ANNA, 1, right, NOW, chosen=True)
    assert isinstance(solved.verdict, Solved)
    assert solved.run.results == (1,)
    assert solved.solving is not None
    assert solved.run.step == 1


async def test_a_guess_among_choices_moves_a_rating_less(dailies: Dailies) -> None:
    gained = []
    for user, choose in ((ANNA, True), (BORIS, False)):
        state = await dailies.open(user, GUILD, NOW)
        if choose and state.solving is not None:
            state = await dailies.play(TODAY, user, 0, state.solving.exercise.answers[0], NOW, chosen=True)
        else:
            state = await solve_step(dailies, user)
        assert state.after is not None
        assert state.before is not None
        gained.append(state.after.value - state.before.value)
    assert 0 < gained[0] < gained[1]


async def test_days_in_a_row_are_a_streak_and_a_vacation_does_not_break_it(
    dailies: Dailies, use_cases: UseCases
) -> None:
    await solve_all(dailies)
    await dailies.open(ANNA, GUILD, Millis(NOW + DAY))
    await solve_step(dailies, at=Millis(NOW + DAY))
    assert await dailies.streak(ANNA, Millis(NOW + DAY)) == 2
    assert await dailies.streak(ANNA, Millis(NOW + 2 * DAY)) == 2
    assert await dailies.streak(ANNA, Millis(NOW + 3 * DAY)) == 2, "there is a day of grace"
    assert await dailies.streak(ANNA, Millis(NOW + 4 * DAY)) == 0
    await use_cases.actions.start_vacation(ANNA, 2, Millis(NOW + 2 * DAY - DAY // 4))
    assert await dailies.streak(ANNA, Millis(NOW + 6 * DAY)) == 2
    assert await dailies.streak(ANNA, Millis(NOW + 7 * DAY)) == 0
    await solve_all(dailies, at=Millis(NOW + 6 * DAY))
    assert await dailies.streak(ANNA, Millis(NOW + 6 * DAY)) == 3


async def test_what_was_given_up_is_no_streak_and_what_is_solved_late_counts_then(
    dailies: Dailies,
) -> None:
    await dailies.open(ANNA, GUILD, NOW)
    for tries in range(STEPS):
        await dailies.play(TODAY, ANNA, tries, None, NOW)
    assert await dailies.streak(ANNA, NOW) == 0
    await dailies.open(BORIS, GUILD, NOW)
    while (state := await dailies.state(TODAY, BORIS)).solving is not None:
        move = state.solving.node.line[0]
        await dailies.play(TODAY, BORIS, state.run.tries, move, Millis(NOW + DAY))
    assert await dailies.streak(BORIS, Millis(NOW + DAY)) == 1
    assert await dailies.streak(BORIS, Millis(NOW + 4 * DAY)) == 0


async def test_a_server_counts_those_who_opened_it_there(dailies: Dailies, use_cases: UseCases) -> None:
    told: list[GuildId] = []
    use_cases.events.puzzle_answered.subscribe(told.append)
    await solve_all(dailies)
    assert told == [GUILD]
    await dailies.open(ANNA, GuildId(8), NOW)
    await dailies.open(ANNA, GuildId(8), NOW)
    assert told == [GUILD, 8]
    await dailies.open(BORIS, None, NOW)
    assert await dailies.solvers(GUILD, TODAY) == 1
    assert await dailies.solvers(GuildId(8), TODAY) == 1


async def test_the_streak_of_a_server_goes_on_while_one_member_solves(dailies: Dailies) -> None:
    streaks = []
    for day in range(5):
        at = Millis(NOW + day * DAY)
        post = await dailies.announce(GUILD, ChannelId(5), at)
        assert post == await dailies.announce(GUILD, ChannelId(5), at)
        streaks.append(post.streak)
        if day != 2:
            await solve_all(dailies, at=at)
    assert streaks == [0, 1, 2, 0, 1]
    recap = await dailies.recap(GUILD, puzzle_day(at))
    assert (recap.solvers, recap.clean, recap.fastest, recap.streak) == (1, 1, ANNA, 2)
    assert recap.comparison is None


async def test_a_post_that_is_not_sent_yet_moves_with_its_place(dailies: Dailies) -> None:
    await dailies.announce(GUILD, ChannelId(5), NOW)
    moved = await dailies.announce(GUILD, ChannelId(6), NOW)
    assert moved.channel == 6
    assert await dailies.last_post(GUILD, Millis(NOW + DAY)) == moved
    sent = await dailies.mark_posted(moved, MessageId(1))
    assert await dailies.announce(GUILD, ChannelId(7), NOW) == sent


async def test_a_place_among_servers_is_for_those_that_want_one_and_have_five_solvers(dailies: Dailies) -> None:
    servers = {GuildId(1): (range(5), True), GuildId(2): (range(5, 11), True), GuildId(3): (range(11, 15), True)}
    servers[GuildId(4)] = (range(20, 26), False)
    for guild, (users, compared) in servers.items():
        await dailies.change_place(guild, partial(replace, compared=compared), UserId(1))
        for user in users:
            if guild == 1 and user == 0:
                await dailies.open(UserId(1000), guild, NOW)
                await play(dailies, "E5", UserId(1000))
            await solve_all(dailies, UserId(1000 + user), guild=guild)
    places = {guild: (await dailies.recap(guild, TODAY)).comparison for guild in servers}
    assert places == {GuildId(1): Comparison(2, 2), GuildId(2): Comparison(1, 2), GuildId(3): None, GuildId(4): None}
