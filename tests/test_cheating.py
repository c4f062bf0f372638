"""The searches of `benchmarks.cheating` find what brings the most, and what a few plans bring that they have found."""

from __future__ import annotations

import pytest

from benchmarks.cheating import contests, ladders, leagues, predictions, votes
from benchmarks.cheating.plans import Gains, Plan, Search, Subject
from tests.conftest import Files

SLOTS = {"hour": ("noon", "night"), "account 1": ("sleeps", "votes"), "account 2": ("sleeps", "votes")}


async def play_at_night(plan: Plan) -> Gains:
    """Two together bring something at night, where one alone brings less."""
    return {"gain": plan.count("votes") ** 2 * 1.0 if plan[0] == "night" else 0.0}


@pytest.mark.parametrize("climbs", [True, False])
async def test_a_search_finds_what_only_accounts_together_can_do(*, climbs: bool) -> None:
    search = Search(Subject("night", SLOTS, play_at_night, {"gain": 3}))
    await (search.climb(4, seed=1) if climbs else search.try_all())
    ((aim, plan, gain, honest),) = search.found()
    assert (aim, plan, gain, honest) == ("gain", ("night", "votes", "votes"), 4, 0)
    assert [figure.holds for figure in search.figures()] == [False]


async def test_of_equal_plans_the_most_honest_one_is_shown() -> None:
    search = Search(Subject("nothing", SLOTS, lambda plan: play_at_night(("noon", *plan[1:])), {"gain": 0}))
    await search.try_all()
    assert [search.subject.tell(found.plan) for found in search.found()] == ["honest"]


@pytest.mark.parametrize("act", [votes.RESIGN, votes.DRAW])
async def test_three_accounts_end_no_vote_game_that_begins_at_night(files: Files, act: str) -> None:
    plan = (votes.OFFERING, "22:00", *(act,) * 12)
    gains = await votes.play_plan(files(None), votes.Server(6, 3), 2, plan)
    assert gains[votes.ENDED] == 0


async def test_two_accounts_play_quiet_turns_badly_and_no_others(files: Files) -> None:
    at_night, by_day = ((votes.STRANGER, begins, *(votes.BAD,) * 12) for begins in ("22:00", "12:00"))
    server = votes.Server(6, 3)
    assert 0 < (await votes.play_plan(files(None), server, 2, at_night))[votes.TAKEN] <= 3
    assert (await votes.play_plan(files(None), server, 2, by_day))[votes.ENDED] == 0


@pytest.mark.parametrize("origin", ["made for it", "joins for it"])
async def test_accounts_that_come_for_a_contest_take_no_board(origin: str) -> None:
    act = f"{origin}, rated best, signs up first, {contests.LOSES}"
    assert await contests.play_plan(contests.BOARDS, 2, (act,) * 3) == {contests.TAKEN: 0}


async def test_three_members_who_lose_take_less_than_three_boards_of_a_contest() -> None:
    act = f"member of old, rated as the average, signs up first, {contests.LOSES}"
    gains = await contests.play_plan(20, 4, (act,) * 3)
    assert 0 < gains[contests.TAKEN] < 2


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    ("plan", "points"),
    [
        ((predictions.VOTES, predictions.PREDICTS, "the second player wins", predictions.ENDS, predictions.EARLY), 0),
        ((predictions.VOTES, predictions.MANAGES, "the second player wins", predictions.ENDS, predictions.LATE), 0),
        ((predictions.FINAL, predictions.PREDICTS, "the second player wins", predictions.JUDGES, predictions.LATE), 0),
        ((predictions.VOTES, predictions.VOTED, "the first player wins", predictions.GIVES_UP, predictions.LATE), 0),
        ((predictions.FINAL, predictions.PLAYS, "the first player wins", predictions.GIVES_UP, predictions.LATE), 0),
        (
            (
                predictions.FINAL,
                predictions.PREDICTS,
                "the first player wins",
                predictions.GIVES_UP,
                predictions.AT_ONCE,
            ),
            0,
        ),
        (
            (predictions.FINAL, predictions.PREDICTS, "the first player wins", predictions.GIVES_UP, predictions.EARLY),
            8,
        ),
    ],
)
async def test_who_decides_a_game_gains_nothing_by_predictions_but_through_its_loser(
    files: Files, plan: Plan, points: int
) -> None:
    assert sum((await predictions.play_plan(files(None), plan)).values()) == points


@pytest.mark.parametrize("act", [leagues.BLOCKS_ALL, leagues.BLOCKS_STRONGER])
async def test_blocks_bring_a_league_player_about_a_point(act: str) -> None:
    gains = await leagues.play_plan(1500.0, 2, (act, leagues.AWAY))
    assert gains[leagues.POINTS] <= 1
    assert gains[leagues.RISEN] <= 1


async def test_a_slow_game_with_an_own_account_keeps_few_places_on_a_ladder() -> None:
    plan = (ladders.SITS, f"{ladders.SHIELDS_SLOWLY}, from below", ladders.AWAY)
    assert (await ladders.play_plan(3, 2, plan))[ladders.PLACES] <= 5
