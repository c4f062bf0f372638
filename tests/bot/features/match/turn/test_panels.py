"""The keypad and the preview of a turn, as Discord gets them: what fits, what is where, and the same in words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import discord
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.features.match.turn.keypad import BUTTONS, turn_panel
from bot.interactions.layout import Part
from bot.markup import spoken
from loopback import components
from play.match.match import Match
from presentation.match.crops import Crop, crossings, text_board
from presentation.match.keypad import keypad_middle
from rules.game import Picture, Point, RuleError, Seat, Stone, parse_point, point_name
from rules.registry import make_game
from tests.bot.table import a_match, match_of, panel_components
from tests.examples import examples

WORDS = spoken().of()
PRIMARY, DANGER = discord.ButtonStyle.primary.value, discord.ButtonStyle.danger.value
GREY = discord.ButtonStyle.secondary.value


def parts(match: Match, code: str = "", place: str = "", notice: str = "") -> list[Part]:
    return turn_panel(match, WORDS, "paper", code, place, notice)


def rows(found: list[Part]) -> list[list[dict[str, Any]]]:
    return [[control.to_component_dict() for control in part] for part in found if isinstance(part, list | tuple)]


def labels(found: list[Part]) -> list[str]:
    return [button.get("label") or button["emoji"]["name"] for row in rows(found) for button in row]


async def test_below_the_pads_of_a_large_board_are_the_arrows_and_the_way_to_the_overview() -> None:
    match = a_match("zagram", "t16", "t17", "u17", "u16", "c4", "c5", "d5", "d4", size="39x32")
    found = parts(match, notice="The game has moved on.")
    panel_components(found)
    assert [len(row) for row in rows(found)] == [5, 5, 5, 5, 5, 5]
    assert labels(found)[25:] == ["⬅️", "⬆️", "⬇️", "➡️", "🗺️"]


async def test_on_5x5_the_whole_field_is_the_keypad_and_there_is_nowhere_else_to_go() -> None:
    found = parts(a_match("zagram", "c3", "c2", size="5x5"))
    panel_components(found)
    assert len(rows(found)) == 5
    assert labels(found)[:7] == ["1", "2", "3", "4", "5", "6", "7"]
    taken = rows(found)[2][2], rows(found)[3][2]
    assert [(button["label"], button["style"]) for button in taken] == [("●", DANGER), ("◉", PRIMARY)]


@pytest.mark.parametrize(
    ("theme", "shapes"), [("paper", "●◉◎"), ("colour-blind", "●■▲"), ("notebook", "●○◎"), ("no-such", "●◉◎")]
)
def test_pads_look_like_the_dots_of_the_theme(theme: str, shapes: str) -> None:
    match = a_match("three", size="9")
    stones = tuple(Stone(Point(4 + seat, 4), Seat(seat)) for seat in range(3))
    shown = Crop.of(replace(match.position.picture(), stones=stones), {}, Point(5, 4), theme)
    assert [shown.signs()[stone.point].shape for stone in stones] == list(shapes)


@pytest.mark.parametrize(
    ("theme", "styles"),
    [("paper", [DANGER, PRIMARY]), ("notebook", [PRIMARY, GREY]), ("high-contrast", [GREY, PRIMARY])],
)
def test_pads_have_the_colours_of_the_dots_of_the_theme(theme: str, styles: list[int]) -> None:
    match = a_match("zagram", "c3", "c2", size="5x5")
    pads = [button for row in rows(turn_panel(match, WORDS, theme)) for button in row if button["label"] in "●◉○■"]
    assert [button["style"] for button in pads] == styles


def test_a_pad_tells_a_captured_dot_from_a_free_one() -> None:
    match = a_match("zagram", "d5", "e5", "e6", "d4", "e4", "a2", "f5")
    assert Crop.of(match.position.picture(), {}, None, "paper").signs()[Point(4, 4)].shape == "×"


def test_a_player_who_goes_on_alone_after_a_stop_can_stop_on_the_keypad() -> None:
    moves = ("t16", "t17", "u17", "u16", "c4", "c5", "d5", "d4")
    playing = a_match("zagram-no-territory", *moves, size="39x32")
    alone = a_match("zagram-no-territory", *moves, "stop", size="39x32")
    assert "STOP" not in labels(parts(playing))
    found = parts(alone, notice="The game has moved on.")
    panel_components(found)
    assert labels(found)[25:] == ["⬅️", "⬆️", "⬇️", "➡️", "🗺️", "STOP"]


async def test_numbers_stand_where_their_crossings_are() -> None:
    found = parts(a_match("zagram", "e5", "d5"), place="E5")
    first = rows(found)[0]
    assert [button["custom_id"] for button in first] == [
        f"match:12:2:go:{name}@E5" for name in ("C7", "D7", "E7", "F7", "G7")
    ]


@pytest.mark.parametrize("middle", ["A1", "I9", "A9", "E5", "AM32"])
async def test_all_pads_lie_in_the_field(middle: str) -> None:
    size = "39x32" if middle == "AM32" else "9x9"
    found = parts(a_match("zagram", "e5" if size == "9x9" else "t16", size=size, start="empty"), place=middle)
    panel_components(found)
    assert len(labels(found)) >= 25


async def test_a_full_part_of_the_field_has_no_numbers_and_says_so() -> None:
    moves = ["e5", "e6"] + [point_name(Point(x, y)) for y in range(5) for x in range(5) if (x, y) != (4, 4)]
    match = a_match("zagram", *moves, size="15x15", start="cross")
    found = parts(match, place="C3")
    panel_components(found)
    assert all(button["disabled"] for row in rows(found)[:5] for button in row)
    assert "You can't play anywhere here" in str(found[0])


async def test_at_the_edge_the_arrow_that_leads_nowhere_is_off() -> None:
    found = parts(a_match("zagram", "e5", "d5"), place="A1")
    arrows = {button.get("label") or button["emoji"]["name"]: button for button in rows(found)[5]}
    assert arrows["⬅️"]["disabled"]
    assert arrows["⬇️"]["disabled"]
    assert not arrows["➡️"].get("disabled")


def test_the_picture_tells_in_words_where_the_numbers_and_the_dots_are() -> None:
    (file,) = [part for part in parts(a_match("zagram", "e5", "d5"), place="E5") if isinstance(part, discord.File)]
    numbers, dots = "1 is C7, 5 is G7, 21 is C3, 25 is G3.", "Dots of red: E5. Dots of blue: D5."
    assert file.description == f"{numbers} Columns A to I, rows 1 to 9. {dots}"


def test_a_preview_has_the_button_that_plays_and_the_way_back() -> None:
    found = parts(a_match("zagram", "e5", "d5"), "F6")
    assert labels(found) == ["Play F6", "Choose another"]


async def test_all_offers_of_a_turn_have_their_buttons() -> None:
    match = a_match("zagram-territory", "d5", "e5", "e6", "g5", "e4", "a2", "g6", "a3", "g4", "a4", "h5", "a5")
    found = parts(match, "F5+1")
    panel_components(found)
    assert labels(found) == [
        "Play F5 and close 1 area",
        "Play F5, close nothing",
        "Choose another",
        "✓ Draw 1 around E5: 1 dot",
        "Draw 2 around G5: 1 dot",
        "Draw it yourself",
    ]


def test_a_chain_that_is_too_long_for_a_button_goes_no_further() -> None:
    long = "abcdefghijklmnopqrstuvwx" * 2 + "abcdefgh"
    match = a_match("zagram-territory", "e5", "d5")
    with pytest.raises(RuleError):  # or it is refused for what it is
        match.position.play(match.game.parse("F6 draw " + long))


def test_the_keypad_opens_where_most_is_going_on() -> None:
    match = a_match("zagram", "t16", "t17", "u17", "u16", "c4", "c5", "d5", "d4", size="39x32")
    middle = keypad_middle(match)
    assert middle is not None
    assert max(abs(middle.x - 3), abs(middle.y - 3)) <= 4


def test_fronts_lie_apart() -> None:
    picture = Picture(39, 32, (Stone(Point(31, 21), Seat(0)), Stone(Point(5, 4), Seat(1))))
    chances = {Point(3, 3): 5.0, Point(4, 3): 4.0, Point(30, 20): 1.0, Point(5, 5): 2.0}
    shown = Crop.of(picture, chances, None, "paper")
    assert len(shown.fronts) == 2
    assert shown.middle == shown.fronts[0]
    assert shown.zone.contains(Point(3, 3))


@examples(60)
@given(st.integers(0, 38), st.integers(0, 31))
def test_every_middle_shows_25_crossings_of_the_field(x: int, y: int) -> None:
    shown = Crop.of(Picture(39, 32), {}, Point(x, y), "paper")
    points = crossings(shown.zone)
    assert len(set(points)) == 25
    assert all(0 <= point.x < 39 and 0 <= point.y < 32 for point in points)


def test_every_button_of_every_panel_is_known_to_a_template() -> None:
    match = a_match("zagram-territory", "d5", "e5", "e6", "a1", "e4", "a2")
    for code in ("", "F5", "F5+1", "F5/", "F5/F5", "F5/F5d", "F5/F5dfh."):
        for row in rows(parts(match, code)):
            for button in row:
                known = any(each.__discord_ui_compiled_template__.fullmatch(button["custom_id"]) for each in BUTTONS)
                assert known or button["disabled"], button


@pytest.mark.parametrize("size", ["5x5", "9x9", "39x32", "60x60"])
def test_a_board_in_letters_fits_into_messages(size: str) -> None:
    match = a_match("zagram", size=size)
    blocks = text_board(match.position)
    width, height = map(int, size.split("x"))
    assert all(len(block) <= 2000 for block in blocks)
    assert sum(block.count("." * width) for block in blocks) == height


def test_a_board_in_letters_names_its_columns_and_rows() -> None:
    (block,) = text_board(a_match("zagram", "c3", "c2", size="5x5").position)
    assert block.split("\n")[1:-1] == ["   ABCDE", " 5 .....", " 4 .....", " 3 ..R..", " 2 ..B..", " 1 ....."]


def test_columns_with_two_letters_are_named_in_two_lines() -> None:
    (block, *_) = text_board(a_match("zagram", size="30x10").position)
    head = block.split("\n")[1:3]
    assert head[0].endswith("AAAA")
    assert head[1].endswith("XYZABCD")


def test_a_point_in_a_middle_is_read() -> None:
    assert Crop.of(Picture(9, 9), {}, parse_point("E5"), "paper").middle == Point(4, 4)


def test_the_fullest_preview_fits_into_a_message() -> None:
    """A preview offers at most twelve areas to draw, besides one that is drawn already."""
    squares = [(x, y) for y in (2, 6, 10, 14) for x in (2, 6, 10, 14)][:13]
    red = [point_name(Point(x + dx, y + dy)) for x, y in squares for dx, dy in ((1, 0), (0, 1), (-1, 0), (0, -1))]
    blue = [point_name(Point(x, y)) for x, y in squares] + [point_name(Point(39 - n, 30)) for n in range(1, 40)]
    stones = " ".join([*(f"0:{name}" for name in red[:-1]), *(f"1:{name}" for name in blue)])
    match = match_of(make_game("zagram-territory", {"size": "39x32", "start": "stones", "stones": stones}))
    found = parts(match, f"{red[-1]}+fff")
    assert sum(label.startswith("✓") for label in labels(found)) == 12
    assert sum(1 for _ in components.walk(panel_components(found))) <= 40
