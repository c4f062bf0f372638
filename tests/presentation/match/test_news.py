"""To whom the end of a game is news."""

from __future__ import annotations

from dataclasses import replace

import pytest

from play.ids import Millis, UserId
from play.match.events import Event, EventKind
from presentation.match.narration import news_seats
from rules.game import Seat
from rules.registry import make_game
from tests.clock import HOUR, NOON
from tests.matches import a_match

AT = Millis(NOON + HOUR)
EMPTY = make_game("zagram", {"size": "5x5", "start": "empty"})
RED, BLUE = ([f"{column}{row}" for row in rows for column in "BCDEA"] for rows in ((3, 1), (2, 4)))
STRIPES = [point for pair in zip([*RED, "A5", "B5"], [*BLUE, "D5", "E5"], strict=True) for point in pair] + ["C5"]
"""All crossings of a field, with no capture."""


def ended(kind: EventKind, seat: int, text: str = "", *, control: str = "3d", **details: object) -> tuple[Seat, ...]:
    """Returns the seats that hear of an end in a game in which both have moved."""
    match = a_match(control=control, game=EMPTY)
    for mover, point in ((0, "C3"), (1, "C2")):
        match = match.after(Event(EventKind.MOVE, Seat(mover), point, AT, None))
    event = replace(Event(kind, Seat(seat), text, AT, None), **details)  # type: ignore[arg-type]
    return news_seats(match.after(event))


@pytest.mark.parametrize("seat", [0, 1])
def test_who_resigns_knows_it(seat: int) -> None:
    assert ended(EventKind.RESIGN, seat) == (1 - seat,)


def test_a_clock_ends_a_game_for_both() -> None:
    assert ended(EventKind.TIME, 0) == (0, 1)


def test_a_moderator_ends_a_game_for_both() -> None:
    assert ended(EventKind.ADJUDGE, 0, "win", by=UserId(9)) == (0, 1)
    assert ended(EventKind.ANNUL, 0, by=UserId(9)) == (0, 1)


def test_the_program_ends_a_game_for_both() -> None:
    assert ended(EventKind.ADJUDGE, 1, "draw", key=-7) == (0, 1)


def test_a_live_game_has_both_at_the_board() -> None:
    assert ended(EventKind.RESIGN, 0, control="10m") == ()


def test_a_game_that_goes_on_has_no_end() -> None:
    assert news_seats(a_match(control="3d")) == ()


@pytest.mark.parametrize(
    ("kind", "told"), [(EventKind.MOVE, (1,)), (EventKind.PLANNED, (0,)), (EventKind.RANDOM, (0, 1))]
)
def test_the_last_move_is_known_to_who_was_at_the_board(kind: EventKind, told: tuple[int, ...]) -> None:
    """A conditional move answers what the other player has just played, and chance plays for nobody."""
    match, last = a_match(control="3d", game=EMPTY), len(STRIPES) - 1
    for number, point in enumerate(STRIPES):
        match = match.after(Event(kind if number == last else EventKind.MOVE, Seat(number % 2), point, AT, None))
    assert news_seats(match) == told
