"""The refusing run: games go on when any one request of a journey is refused, once or for ever, with any code.

`python -m tests.bot.refusing` runs it whole.
"""

from __future__ import annotations

import random
from collections import Counter

import pytest

from play.ids import UserId
from tests.bot.refusing.__main__ import table
from tests.bot.refusing.draws import FAILURES, Draw, draw_all, take_part
from tests.bot.refusing.journeys import JOURNEYS
from tests.bot.refusing.people import begin
from tests.bot.refusing.run import Result, list_dead_pages, list_unaware, requests_of, running, try_draw
from tests.virtual_time import run_virtually

SAMPLE = ("rematch", "digest", "home post")
"""The journeys of which `make test` tries a draw."""

POST = "POST /channels/{channel_id}/messages"

FOUND = (
    Draw("prediction", "40003", lasts=True, endpoint="GET /guilds/{guild_id}", first=0),
    Draw("home post", "50083", lasts=False, endpoint=POST, first=0),
    Draw("events", "40003", lasts=False, endpoint="GET /channels/{channel_id}", first=0),
    Draw("context menus", "240000", lasts=True, endpoint=POST, first=2),
    Draw("home page", "limited", lasts=True, endpoint="GET /users/{user_id}", first=0),
    Draw("home page", "50024", lasts=False, endpoint="GET /channels/{channel_id}", first=1),
    Draw("contest by votes", "unknown", lasts=True, endpoint="GET /guilds/{guild_id}", first=0),
)
"""Draws in which the whole run has found something."""


@pytest.mark.contest
@pytest.mark.parametrize(
    "journey", [pytest.param(each, marks=pytest.mark.smoke if each in SAMPLE else ()) for each in JOURNEYS]
)
def test_a_refused_request_leaves_no_game_hanging(journey: str) -> None:
    draws = list(draw_all(0, {journey: requests_of(journey)}))
    draw = random.Random(journey).choice(draws)
    assert try_draw(draw).violations == [], draw


@pytest.mark.contest
@pytest.mark.parametrize("draw", FOUND, ids=str)
def test_what_the_whole_run_has_found_stays_mended(draw: Draw) -> None:
    assert try_draw(draw).violations == []


def test_a_draw_that_hits_nothing_is_a_violation() -> None:
    result = try_draw(Draw("puzzle", "50035", lasts=False, endpoint="DELETE /channels/{channel_id}", first=0))
    assert result.violations == ["the draw has hit nothing"]


def test_one_who_was_told_nothing_of_their_turn_is_found() -> None:
    async def play() -> list[str]:
        async with running() as run:
            match = await begin(run)
            assert match is not None
            assert [each async for each in list_unaware(run)] == []
            for board in run.room.boards(run.place(match)):
                run.room.discord.delete_message(board)
            return [each async for each in list_unaware(run)]

    assert run_virtually(play()) == ["a day later Ola does not know that it is their turn in match 1"]


def test_an_address_of_the_site_that_leads_nowhere_is_found() -> None:
    async def play() -> list[str]:
        async with running() as run:
            room = run.room
            for path in ("home", "nowhere"):
                content = f"{room.discord.address}{path}"
                await room.services.direct.send(UserId(room.ola.id), content=content, nonce=path)
            return [each async for each in list_dead_pages(run)]

    assert run_virtually(play()) == ["/nowhere answers 404"]


def test_each_failure_is_drawn_once_and_for_ever_and_each_request_about_as_often_as_the_others() -> None:
    made = [POST, POST, "GET /users/{user_id}", "PUT /channels/{channel_id}/thread-members/{user_id}"]
    draws = list(draw_all(7, {"puzzle": made}))
    assert Counter((each.failure, each.lasts) for each in draws) == dict.fromkeys(
        ((failure, lasts) for failure in FAILURES for lasts in (False, True)), 1
    )
    counts = Counter(each.endpoint for each in draws)
    assert set(counts) == set(made)
    assert max(counts.values()) - min(counts.values()) <= 1
    assert {each.first for each in draws if each.endpoint == POST} == {0, 1}


def test_a_seed_draws_the_same_again() -> None:
    made = {"puzzle": [POST, "GET /users/{user_id}"]}
    assert list(draw_all(1, made)) == list(draw_all(1, made)) != list(draw_all(2, made))


def test_the_parts_of_a_run_make_the_whole() -> None:
    draws = list(draw_all(1, {"puzzle": [POST, "GET /users/{user_id}"]}))
    parts = [list(take_part(draws, f"{number}/3")) for number in range(3)]
    assert len({len(each) for each in parts}) <= 2
    assert sorted(draws, key=str) == sorted((draw for part in parts for draw in part), key=str)


def test_the_table_counts_what_has_failed_and_marks_what_was_wrong() -> None:
    draws = [Draw("puzzle", "50035", lasts=lasts, endpoint=POST, first=0) for lasts in (False, True)]
    shown = table(dict(zip(draws, (Result(1, []), Result(3, ["wrong"])), strict=True)))
    assert "| puzzle |" in shown
    assert " 4! |" in shown
