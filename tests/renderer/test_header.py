"""The strip above a board."""

from __future__ import annotations

import pytest

from renderer.header import Header, Mark, Plate
from renderer.theme import PAPER
from rules.game import Picture
from tests.renderer.page import INKS, TINTS, Page

FIELD = Picture(20, 20)
LEFT, MIDDLE, RIGHT = (0.0, 0.4), (0.42, 0.58), (0.6, 1.0)


def page(*plates: Plate, note: str = "") -> Page:
    return Page(FIELD, Header(plates, note))


def test_names_scores_and_discs_stand_on_both_sides() -> None:
    drawn = page(Plate("Ola", "9"), Plate("Max", "3"))
    assert {PAPER.text, INKS[0]} <= drawn.header_colours(*LEFT)
    assert {PAPER.text, INKS[1]} <= drawn.header_colours(*RIGHT)


def test_dot_dash_has_the_stones_of_the_board_beside_the_names() -> None:
    plates = Header((Plate("Ola", "9"), Plate("Max", "3")))
    dots, stones = Page(Picture(9, 9), plates), Page(Picture(9, 9, blocks=True), plates)
    for side in (LEFT, RIGHT):
        assert dots.header_part(*side) != stones.header_part(*side)
    assert dots.header_part(*MIDDLE) == stones.header_part(*MIDDLE)


def test_the_score_has_the_ink_of_its_seat() -> None:
    with_score, without = page(Plate("", "9")).header(), page(Plate("", "")).header()
    assert with_score != without


def test_the_side_to_move_stands_in_a_filled_pill() -> None:
    drawn = page(Plate("Ola", "9"), Plate("Max", "3", Mark.TO_ACT))
    assert TINTS[1] in drawn.header_colours(*RIGHT)
    assert TINTS[0] not in drawn.header_colours(*LEFT)


def test_a_winner_has_a_crown_on_full_ink_and_no_seat_a_tinted_pill() -> None:
    drawn = page(Plate("Ola", "9", Mark.WON), Plate("Max", "3"))
    assert {PAPER.last, PAPER.paper, INKS[0]} <= drawn.header_colours(*LEFT)
    assert PAPER.text not in drawn.header_colours(*LEFT)
    assert PAPER.last not in drawn.header_colours(*RIGHT)
    assert not {*TINTS} & drawn.header_colours(0, 1)


@pytest.mark.parametrize("name", ["Łukasz Wiśniewski", "Владимир", "Қанат", "Җәмилә", "Ζωή", "Ngọc", "O'Neil-7"])
def test_names_in_letters_of_the_font_are_drawn_as_they_are(name: str) -> None:
    drawn, fallen = (page(Plate(name, "1", fallback="Red")), page(Plate("Red", "1")))
    assert PAPER.text in drawn.header_colours(*LEFT)
    assert drawn.file != fallen.file


@pytest.mark.parametrize("name", ["田中", "みどり", "שלום", "", "🐢"])
def test_other_names_fall_back_to_the_name_that_the_caller_gives(name: str) -> None:
    assert page(Plate(name, "1", fallback="Red")).file == page(Plate("Red", "1")).file


def test_a_name_and_a_fallback_that_cannot_be_written_leave_disc_and_score() -> None:
    assert page(Plate("田中", "1", fallback="赤")).file == page(Plate("", "1")).file


def test_a_long_name_is_shortened_to_its_half_of_the_page() -> None:
    drawn = page(Plate("W" * 200, "100", Mark.TO_ACT), Plate("Щ" * 200, "100"))
    assert drawn.header_colours(0.495, 0.505) == {PAPER.paper}


def test_a_score_of_any_length_keeps_to_its_half_of_the_page() -> None:
    drawn = page(Plate("Ola", "9" * 100, Mark.TO_ACT), Plate("Max", "3"))
    assert drawn.header_colours(0.495, 0.505) == {PAPER.paper}


def test_the_note_stands_in_the_middle() -> None:
    assert PAPER.quiet_text in page(Plate("Ola", "9"), Plate("Max", "3"), note="move 350").header_colours(*MIDDLE)


@pytest.mark.parametrize("names", [("W" * 32, "Max"), ("Ola", "Щ" * 32), ("W" * 32, "Щ" * 32)])
def test_names_of_any_length_leave_the_note_its_place(names: tuple[str, str]) -> None:
    drawn = page(*(Plate(name, "19") for name in names), note="move 350")
    plain = page(Plate("Ola", "19"), Plate("Max", "19"), note="move 350")
    assert drawn.header_part(*MIDDLE) == plain.header_part(*MIDDLE)


def test_a_note_of_any_length_leaves_the_names_their_place() -> None:
    drawn = page(Plate("Ola", "9"), Plate("Max", "3"), note="n" * 200)
    plain = page(Plate("Ola", "9"), Plate("Max", "3"))
    for side in ((0, 0.35), (0.65, 1)):
        assert drawn.header_part(*side) == plain.header_part(*side)


def test_four_seats_stand_on_two_lines() -> None:
    drawn = page(*(Plate("Ola", "1") for _ in range(4)))
    assert [
        ink in drawn.header_colours(*side, *line)
        for ink, side, line in zip(INKS, (LEFT, RIGHT) * 2, [(0, 0.5)] * 2 + [(0.5, 1)] * 2, strict=True)
    ] == [True] * 4


@pytest.mark.sample(5)
@pytest.mark.parametrize("size", [(1, 1), (1, 60), (60, 1), (60, 60)])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_header_fits_on_a_page_of_any_size(size: tuple[int, int], seats: int) -> None:
    drawn = Page(Picture(*size), Header(tuple(Plate("W" * 40, "999", Mark.WON) for _ in range(seats)), "n" * 200))
    assert drawn.image.size == drawn.layout.size
