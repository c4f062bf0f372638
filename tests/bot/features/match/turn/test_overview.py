"""The overview of a large board: every crossing is four taps away, from the board's message to the played dot.

`python -c "from tests.bot.features.match.turn.test_overview import table; print(table())"` counts the taps.
"""

from __future__ import annotations

import random
from typing import Any

import discord
import pytest

from bot.features.match.turn.keypad import keypad_buttons, turn_panel
from bot.interactions.layout import MAX_COMPONENTS, Part
from bot.markup import spoken
from loopback import Message, components
from play.match.match import Match
from presentation.match.keypad import keypad_middle
from renderer.regions import Region, draw_regions
from rules.game import Picture, Point, RuleError, Zone, parse_point, point_name
from tests.bot.room import Room, answering_board
from tests.bot.table import a_match, panel_components
from tests.bot.waiting import panel as panel_of

WORDS = spoken().of()
MAX_TAPS = 4


def buttons(parts: list[Part]) -> list[dict[str, Any]]:
    """Returns the buttons of a panel that can be pressed, as Discord gets them."""
    found = [control.to_component_dict() for part in parts if isinstance(part, list | tuple) for control in part]
    return [button for button in found if not button.get("disabled")]


def taps_to_dots(match: Match) -> dict[Point, int]:
    """Returns for each free crossing the fewest taps from the board's message to its dot, for a player who does not
    confirm moves: it presses all buttons that the panels have."""
    taps: dict[Point, int] = {}
    waiting = [
        (button.custom_id.partition(":go:")[2], 1) for button in keypad_buttons(match, keypad_middle(match), WORDS)
    ]
    seen: set[str] = set()
    for argument, count in waiting:
        if argument in seen or count >= MAX_TAPS:
            continue
        seen.add(argument)
        code, _, place = argument.partition("@")
        for button in buttons(turn_panel(match, WORDS, "paper", code, place)):
            target = button["custom_id"].partition(":go:")[2]
            dot = target.partition("@")[0]
            if dot:
                taps.setdefault(parse_point(dot.removesuffix("?")), count + 1)
            else:
                waiting.append((target, count + 1))
    return taps


def a_large_match(size: str, preset: str = "classic") -> Match:
    """Returns a match in which both have moved, so that every free crossing may be chosen."""
    return a_match(preset, size=size, start="cross")


def table(crossings: int = 1000, seed: int = 18) -> str:
    """Returns how many crossings need how many taps: all of them, and some at random."""
    lines = ["| board | crossings | 2 taps | 3 taps | 4 taps | more |", "|---|---|---|---|---|---|"]
    for size in ("39x32", "60x60"):
        taps = taps_to_dots(a_large_match(size))
        for name, some in (
            (f"all {len(taps)} free ones", [*taps.values()]),
            (f"{crossings} at random", random.Random(seed).choices([*taps.values()], k=crossings)),
        ):
            counts = [some.count(number) for number in (2, 3, 4)]
            lines.append(f"| {size} | {name} | {' | '.join(map(str, counts))} | {len(some) - sum(counts)} |")
    return "\n".join(lines)


@pytest.mark.parametrize(
    "size", [*(pytest.param(size, marks=pytest.mark.contest) for size in ("21x21", "39x32", "60x60")), "26x7", "60x5"]
)
def test_every_crossing_of_a_large_board_is_four_taps_away_at_most(size: str) -> None:
    match = a_large_match(size)
    free = {move.dot for move in match.position.moves()}
    taps = taps_to_dots(match)
    assert set(taps) == free
    assert max(taps.values()) <= MAX_TAPS


@pytest.mark.parametrize("place", ["*", "*A", "*F", "*P"])
def test_the_largest_overview_fits_into_a_message(place: str) -> None:
    match = a_match("classic", "t16", "t17", "u17", "u16", "c4", "c5", "d5", "d4", size="60x60", start="cross")
    found = turn_panel(match, WORDS, "paper", "", place, "The game has moved on.")
    shown = panel_components(found)
    assert sum(1 for _ in components.walk(shown)) <= MAX_COMPONENTS
    labels = [button.get("label") for button in buttons(found)]
    assert len(labels) == len(set(labels))


def test_regions_are_in_the_order_of_their_buttons() -> None:
    found = turn_panel(a_large_match("39x32"), WORDS, "paper", "", "*")
    signs = [[control.to_component_dict()["label"] for control in part] for part in found if isinstance(part, list)]
    assert signs[:3] == [["A", "B", "C"], ["D", "E", "F"], ["G", "H", "I"]]


def test_a_region_in_which_nothing_can_be_chosen_is_off() -> None:
    match = a_match("classic", size="60x60", start="empty")  # the first dot must lie in the central third
    found = turn_panel(match, WORDS, "paper", "", "*")
    assert {button["label"] for button in buttons(found) if len(button["label"]) == 1} == set("FGJK")


def test_the_overview_is_described_in_words() -> None:
    found = turn_panel(a_large_match("39x32"), WORDS, "paper", "", "*")
    (picture,) = [part for part in found if isinstance(part, discord.File)]
    assert "A: columns A to M, rows 22 to 32." in (picture.description or "")


def test_small_boards_have_no_overview() -> None:
    match = a_large_match("9x9")
    assert len(keypad_buttons(match, keypad_middle(match), WORDS)) == 1
    shown = turn_panel(match, WORDS, "paper")
    assert "Elsewhere" not in [button.get("label") for button in buttons(shown)]


@pytest.mark.parametrize("place", ["*Z", "*J"])
def test_a_region_that_the_board_does_not_have_is_refused(place: str) -> None:
    with pytest.raises(RuleError):
        turn_panel(a_large_match("39x32"), WORDS, "paper", "", place)


def test_a_chain_drawn_by_hand_is_found_on_the_overview_too() -> None:
    match = a_match("zagram-territory", "a1", "b1", size="39x32", start="cross")
    found = turn_panel(match, WORDS, "paper", "C3/", "*")
    assert "which of your dots does it start from?" in str(found[0])
    assert any(button["custom_id"].endswith(":go:C3/@*G") for button in buttons(found))


def test_an_overview_is_a_picture_of_the_board() -> None:
    regions = [Region(Zone(Point(0, 0), Point(9, 9)), "A"), Region(Zone(Point(10, 0), Point(20, 9)), "")]
    assert draw_regions(Picture(21, 10), regions).startswith(b"\x89PNG")


async def open_overview(room: Room, board: Message) -> Message:
    return await panel_of(room.ola.click(board, "Elsewhere"))


async def test_four_taps_play_a_dot_in_the_corner_with_a_restart_between_any_two(room: Room) -> None:
    thread = await room.start_match(size="39x32", start="cross")
    board = await room.wait_for_board(thread, 0)
    await room.restart()
    panel = await open_overview(room, board)
    await room.restart()
    panel = await room.ola.click(panel, "I").followed()
    await room.restart()
    panel = await room.ola.click(panel, "6").followed()
    corner = next(part["custom_id"] for part in panel.controls if ":go:AM1@" in str(part["custom_id"]))
    await room.restart()
    assert "played **AM1**" in (await answering_board(room.ola.click(panel, corner))).content


async def test_an_overview_that_was_overtaken_shows_the_game_as_it_is(room: Room) -> None:
    thread = await room.start_match(size="39x32", start="cross")
    panel = await open_overview(room, await room.wait_for_board(thread, 0))
    await room.play(thread, "a1", "b1")
    now = await room.ola.click(panel, "A").followed()
    assert "The game has moved on" in now.text
    assert await room.version() == 2


async def test_thirty_presses_on_a_pad_play_once(room: Room) -> None:
    thread = await room.start_match(size="39x32", start="cross")
    board = await room.wait_for_board(thread, 0)
    panel = await panel_of(room.ola.click(board, board.labels[0]))
    pad = next(part["custom_id"] for part in panel.controls if not part.get("disabled"))
    for pressed in [room.ola.click(panel, pad) for _ in range(30)]:
        await pressed.answered()
    assert await room.version() == 1


def test_places_are_named_by_crossings() -> None:
    match = a_large_match("39x32")
    targets = [button["custom_id"].partition("@")[2] for button in buttons(turn_panel(match, WORDS, "paper", "", "*C"))]
    assert point_name(Point(36, 29)) in targets
