"""Which part of the board a player sees while they decide, what it shows, and what is below it."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO

import discord
import pytest
from PIL import Image

from bot.features.match.turn.keypad import turn_panel, waiting_panel
from bot.interactions.layout import Part
from bot.markup import spoken
from play.match.match import Match
from play.turns import TurnStep, step_at
from presentation.match.crops import crop_zone, decision_zone
from rules.game import Area, Picture, Point, Seat, Stone, Zone, parse_point
from rules.registry import make_game
from tests.bot.table import a_match, match_of
from tests.renderer.page import diamond

WORDS = spoken().of()


def match_with(preset: str, size: str, *areas: Area, stones: str) -> Match:
    """Returns a match that begins with the dots of these chains and other `stones`."""
    dots = [f"{area.seat}:{_name(point)}" for area in areas for point in area.ring]
    return match_of(make_game(preset, {"size": size, "start": "stones", "stones": " ".join([*dots, stones])}))


def _name(point: Point) -> str:
    return f"{'ABCDEFGHIJKLMNOPQRST'[point.x]}{point.y + 1}"


def step_of(match: Match, code: str) -> TurnStep:
    found = step_at(match, code)
    assert found is not None
    return found


def kinds(parts: Sequence[Part]) -> list[str]:
    return [
        "picture" if isinstance(part, discord.File) else "text" if isinstance(part, str) else "row" for part in parts
    ]


OPEN = diamond(0, 15, 15, 2)
"""Left open before, and far from the dot."""
TWO = match_with("sport-territory", "20x20", OPEN, stones="0:D5 0:E4 0:E6 0:G4 0:G6 0:H5 1:E5 1:G5 1:P16")
"""A dot on F5 closes two areas."""


def test_the_chosen_areas_are_drawn_and_their_numbers_marked() -> None:
    nothing, first, both = (step_of(TWO, code).picture for code in ("F5", "F5+1", "F5+3"))
    assert (nothing.plans, nothing.taken) == ((), frozenset())
    assert [set(area.ring) for area in first.plans] == [set(diamond(0, 4, 4).ring)]
    assert first.taken == {1}
    assert (len(both.plans), set(both.taken)) == (2, {1, 2})
    assert len(nothing.offers) == len(first.offers) == 3


def test_a_preview_opens_where_the_chosen_chain_is() -> None:
    far = step_of(TWO, "F5+4").picture
    zone = decision_zone(far, parse_point("F5"))
    assert all(zone.contains(point) for point in OPEN.ring)
    assert not zone.contains(parse_point("F5"))


def test_a_preview_shows_the_whole_chosen_chain() -> None:
    ring = [(x, y) for x in range(4, 18) for y in (3, 7)] + [(x, y) for x in (3, 18) for y in (4, 5, 6)]
    stones = " ".join(f"0:{_name(Point(x, y))}" for x, y in ring if (x, y) != (18, 5))
    match = match_with("zagram", "20x20", stones=f"{stones} 1:F6 1:M6")
    picture = step_of(match, "S6").picture
    assert all(decision_zone(picture, parse_point("S6")).contains(Point(x, y)) for x, y in ring)


def test_before_a_choice_a_preview_shows_the_dot_with_the_areas_near_it() -> None:
    zone = decision_zone(step_of(TWO, "F5").picture, parse_point("F5"))
    assert zone == Zone(Point(1, 0), Point(9, 8))


@pytest.mark.parametrize(
    ("size", "shown"), [((10, 10), (10, 10)), ((11, 11), (11, 11)), ((12, 12), (9, 9)), ((11, 30), (11, 9))]
)
def test_a_crop_that_would_cut_off_one_or_two_lines_shows_the_whole_field(
    size: tuple[int, int], shown: tuple[int, int]
) -> None:
    zone = crop_zone(Picture(*size), Point(5, 5))
    assert (zone.high.x - zone.low.x + 1, zone.high.y - zone.low.y + 1) == shown


@pytest.mark.parametrize("middle", [(0, 0), (38, 31), (0, 31), (20, 3)])
def test_a_crop_lies_in_the_field(middle: tuple[int, int]) -> None:
    zone = crop_zone(Picture(39, 32), Point(*middle))
    assert zone.contains(Point(*middle))
    assert (zone.high.x - zone.low.x, zone.high.y - zone.low.y) == (8, 8)
    assert zone.low >= (0, 0)
    assert zone.high.x < 39
    assert zone.high.y < 32


DRAWN = match_with("zagram-territory", "20x20", diamond(0, 10, 10, 3), stones="1:K11 1:A5")


def test_a_chain_drawn_by_hand_grows_as_a_line_with_the_next_dots_marked() -> None:
    begun, grown = (step_of(DRAWN, code).picture for code in ("A1/", "A1/K14hhh"))
    assert begun.line is None
    assert begun.choices == {*diamond(0, 10, 10, 3).ring, parse_point("A1")}
    assert grown.line is not None
    assert grown.line.points == tuple(map(parse_point, ("K14", "L13", "M12", "N11")))
    assert grown.choices == {parse_point("M10")}
    assert grown.last == (parse_point("N11"),)


def test_chains_drawn_before_stay_in_the_picture_of_the_next_one() -> None:
    match = match_with("zagram-territory", "20x20", diamond(0, 4, 4), diamond(0, 10, 4), stones="1:E5 1:K5")
    (chosen,) = step_of(match, "A1+1/").picture.plans
    assert set(chosen.ring) == set(diamond(0, 4, 4).ring)


def test_the_keypad_shows_the_line_as_far_as_it_can_be_read() -> None:
    (file,) = (part for part in turn_panel(DRAWN, WORDS, "paper", "A1/K14hhhff") if isinstance(part, discord.File))
    assert file.description is not None
    assert "Columns H to P, rows 6 to 15." in file.description


def test_areas_that_may_still_be_painted_are_part_of_the_board_for_everybody() -> None:
    assert [set(area.ring) for area in TWO.position.picture().open] == [set(OPEN.ring)]
    assert a_match("zagram", "e5", "d5").position.picture().open == ()


def test_after_the_end_nothing_is_left_to_paint() -> None:
    match = match_with("sport-territory", "5x5", diamond(0, 2, 2), stones="1:C3")
    free = [str(move) for move in match.position.moves()]
    position = match.position
    for move in free:
        position = position.play(match.game.parse(move))
    assert position.outcome is not None
    assert position.picture().open == ()


@pytest.mark.parametrize("code", ["", "F5", "F5+1"])
def test_the_question_and_the_warning_stand_between_the_picture_and_the_buttons(code: str) -> None:
    parts = turn_panel(TWO, WORDS, "paper", code, notice="The game has moved on.")
    assert kinds(parts)[:3] == ["text", "picture", "row"]
    assert str(parts[0]).startswith("The game has moved on.")


def test_a_warning_about_the_dot_stands_below_the_picture() -> None:
    match = match_with("zagram", "9x9", diamond(1, 4, 4), stones="0:A1")
    parts = turn_panel(match, WORDS, "paper", "E5")
    assert kinds(parts)[:3] == ["text", "picture", "row"]
    assert "⚠️" in str(parts[0])


def test_a_player_who_waits_reads_why_below_the_picture() -> None:
    assert kinds(waiting_panel(TWO, WORDS, "paper", "Wait.")) == ["picture", "text", "row"]


def test_the_picture_of_a_choice_has_amber_only_round_what_is_chosen() -> None:
    def amber(code: str) -> int:
        (file,) = (part for part in turn_panel(TWO, WORDS, "paper", code) if isinstance(part, discord.File))
        pixels = Image.open(BytesIO(file.fp.read())).convert("RGB").tobytes()
        return sum(pixels[at : at + 3] == bytes((255, 176, 0)) for at in range(0, len(pixels), 3))

    assert amber("F5") == 0
    assert 0 < amber("F5+1") < amber("F5+3")


def test_a_dash_is_shown_from_its_first_crossing_to_its_last() -> None:
    assert decision_zone(Picture(13, 13), Point(6, 6)) == crop_zone(Picture(13, 13), Point(6, 6))
    ghost = Picture(13, 13, ghost=Stone(Point(1, 1), Seat(0)))
    assert decision_zone(ghost, Point(6, 6)).contains(Point(1, 1))
