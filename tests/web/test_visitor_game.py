"""A visitor's game on the page of the site's own address: the computer answers each record, and nothing is kept."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Final

import pytest

from bot.markup import spoken
from loopback import Discord
from opponent.choice import HARDEST, Budget, Choice
from play.refusal import Reason
from rules.game import AnyPosition
from tests.bot.room import Room
from tests.opponent.quick import Inside
from tests.web.test_front import public
from tests.web.visit import Visit
from web.pages.page import MAX_OF_NETWORK
from web.pages.visitor_game import MAX_RECORD, PATH

FIRST_CAPTURE: Final = ("C5", "D4")
"""Dots that surround D5, which the start has between E5 and D6."""

SECOND_CAPTURE: Final = ("F6", "E7")
"""The same for E6."""

REFUSED: Final = {
    "no record": ({}, 400),
    "a list": ({"moves": ["C5"]}, 400),
    "a longer record than any game": ({"moves": "C5 " * (MAX_RECORD // 3 + 1)}, 400),
    "an occupied crossing": ({"moves": "D5"}, 403),
    "a crossing twice": ({"moves": "A1 A1"}, 403),
    "a crossing beside the board": ({"moves": "K12"}, 403),
    "a chain, by other rules": ({"moves": "C5(C5D4E5D6)"}, 403),
    "a call, by other rules": ({"moves": "C5 A1 stop"}, 403),
    "HTML": ({"moves": "<script>alert(1)</script>"}, 403),
    "a line that no database takes": ({"moves": "C5\x00"}, 400),
}
"""Bodies, and the status of each."""


class Orderly(Inside):
    """A computer that plays the first free crossing, and expects what it is told to."""

    def __init__(self, value: float = 0.0, win: float = 0.5) -> None:
        super().__init__()
        self.value, self.win = value, win

    async def choose(
        self, position: AnyPosition, budget: Budget | None, seed: int, level: int = HARDEST, asker: int | None = None
    ) -> Choice:
        self.thoughts += 1
        return Choice(str(next(iter(position.moves()))), self.value, self.win)


@pytest.fixture
def engine() -> Orderly:
    return Orderly()


@pytest.fixture
def run_options(discord: Discord, engine: Orderly) -> dict[str, Any]:
    return {"hosting": public(discord.address.rstrip("/")), "thinkers": lambda: engine}


async def play(browser: Visit, *dots: str, record: str = "") -> dict[str, Any]:
    """Plays dots one after the other, and returns the last answer."""
    told: dict[str, Any] = {"moves": record}
    for dot in dots:
        status, told = await browser.post(PATH, {"moves": f"{told['moves']} {dot}"})
        assert status == 200, told
    return told


async def test_a_dot_is_answered_with_both_boards(room: Room, visit: Callable[..., Visit]) -> None:
    told = await play(visit(), "C5")
    own, answered = told["boards"]
    assert told["moves"] == "C5 A1"
    assert told["line"] == "I play A1. Your turn."
    assert [own["picture"]["last"], answered["picture"]["last"]] == [[[2, 4]], [[0, 0]]]
    assert not told["over"]


async def test_what_surrounding_is_is_said_when_it_first_happens(room: Room, visit: Callable[..., Visit]) -> None:
    browser, words = visit(), spoken().of("en").plain
    first = await play(browser, *FIRST_CAPTURE)
    assert first["line"].startswith(f"You capture 1 dot! {words('web.front.surrounded')} I play ")
    assert [board["score"] for board in first["boards"]] == [["1", "0"], ["1", "0"]]
    second = await play(browser, *SECOND_CAPTURE, record=first["moves"])
    assert second["line"].startswith("You capture 1 dot! I play ")


async def test_a_record_that_is_read_again_has_the_same_answer(
    room: Room, visit: Callable[..., Visit], engine: Orderly
) -> None:
    browser = visit()
    told = await play(browser, *FIRST_CAPTURE)
    thoughts = engine.thoughts
    assert (await browser.post(PATH, {"moves": told["moves"]}))[1] == told
    assert engine.thoughts == thoughts


async def test_a_game_is_played_to_its_end(room: Room, visit: Callable[..., Visit]) -> None:
    browser = visit()
    told: dict[str, Any] = {"moves": "", "over": False}
    while not told["over"]:
        taken = told["moves"].split()
        for dot in (f"{column}{row}" for row in range(9, 0, -1) for column in "ABCDEFGHI"):
            status, answer = (
                (403, {}) if dot in taken else await browser.post(PATH, {"moves": f"{told['moves']} {dot}"})
            )
            if status == 200:
                told = answer
                break
        else:
            pytest.fail(f"no dot is taken after {told['moves']}: {answer}")
    assert len(told["moves"].split()) > 60
    assert " : " in told["line"]
    status, answer = await browser.post(PATH, {"moves": told["moves"] + " A1"})
    assert (status, answer["line"]) == (403, spoken().of("en").plain("refused.game_over"))


@pytest.mark.parametrize("engine", [Orderly(value=-20.0, win=0.0)])
async def test_a_computer_without_a_chance_resigns(room: Room, visit: Callable[..., Visit]) -> None:
    dots = (*FIRST_CAPTURE, *SECOND_CAPTURE, *(f"{column}9" for column in "ABCDEFGHI"), *(f"{c}8" for c in "ABCDEFGHI"))
    browser, told = visit(), await play(visit(), "C5")
    for dot in dots[1:]:
        if not told["over"]:
            told = await play(browser, dot, record=told["moves"])
    assert told["over"]
    assert told["line"] == "I resign, so you win, 2 : 0. Well played!"
    assert (await browser.post(PATH, {"moves": told["moves"]}))[1] == told


@pytest.mark.sample(6)
@pytest.mark.parametrize("language", spoken().names)
async def test_it_speaks_the_language_of_the_browser(room: Room, visit: Callable[..., Visit], language: str) -> None:
    told = await play(visit(accept=language), "C5")
    assert told["line"] == spoken().of(language).plain("web.front.answered", move="A1")


@pytest.mark.sample(4)
@pytest.mark.parametrize(("body", "status"), REFUSED.values(), ids=REFUSED.keys())
async def test_a_bad_record_is_refused_and_asks_nothing_of_the_computer(
    room: Room, visit: Callable[..., Visit], engine: Orderly, body: object, status: int
) -> None:
    found, answer = await visit().post(PATH, body)
    assert found == status, answer
    assert "<" not in answer["line"]
    assert engine.thoughts == 0


async def test_a_page_of_another_site_is_refused(room: Room, visit: Callable[..., Visit]) -> None:
    assert (await visit(origin="https://other.example").post(PATH, {"moves": "C5"}))[0] == 403


async def test_a_thousand_requests_of_a_network_are_few_thoughts_and_another_network_plays_on(
    room: Room, visit: Callable[..., Visit], engine: Orderly
) -> None:
    flood, visitor = visit(network="9.9.9.9"), visit(network="8.8.8.8")
    asked = [flood.post(PATH, {"moves": "C5"}) for _ in range(1000)]
    *answers, (status, told) = await asyncio.gather(*asked, visitor.post(PATH, {"moves": "C5"}))
    assert (status, told["moves"]) == (200, "C5 A1")
    served = [status for status, _ in answers].count(200)
    assert 0 < served <= MAX_OF_NETWORK + 3
    assert {status for status, _ in answers} == {200, 429}
    assert engine.thoughts == served + 1


class TestWithoutAComputer:
    """A bot whose operator has switched the computer off."""

    @pytest.fixture
    def run_options(self, discord: Discord) -> dict[str, Any]:
        return {"hosting": public(discord.address.rstrip("/"))}

    async def test_the_page_shows_the_film_and_no_record_is_answered(
        self, room: Room, visit: Callable[..., Visit]
    ) -> None:
        page = (await visit().get("/front"))[1]
        assert "/static/pages/front.js" in page
        assert "data-game" not in page
        status, answer = await visit().post(PATH, {"moves": "C5"})
        assert (status, answer["line"]) == (403, spoken().of("en").plain(f"refused.{Reason.NO_COMPUTER}"))
