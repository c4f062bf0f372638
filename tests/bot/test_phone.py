"""On a phone the picture of a private panel is seen together with all that is below it. The panels that tests of the
features open are measured, too (tests/bot/phones.py)."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import discord
import pytest
from PIL import Image

from bot.features.match.turn.keypad import turn_panel, waiting_panel
from bot.features.match.turn.keypad_grid import PositionKeypad
from bot.interactions.layout import Part, button, picture_file
from bot.interactions.phone import GAP, HEIGHT, MIN_PICTURE, WIDTH, fit_to_phone, fitted, panel_height
from bot.markup import spoken
from play.community.lesson import LESSONS
from play.match.match import Match
from renderer.board import draw
from renderer.paper import widen
from rules.dots import DotsPosition
from rules.game import Picture
from tests.bot.table import a_match, panel_components

TAGS = list(spoken().names)
NOTICE = "You played **D7**. [Go to the newest board](https://discord.com/channels/1/2/3)\n🔵 **Kropka** played **D4**."
LARGE = ("t16", "t17", "u17", "u16", "c4", "c5", "d5", "d4")
OFFERS = ("d5", "e5", "e6", "g5", "e4", "a2", "g6", "a3", "g4", "a4", "h5", "a5")


def size(parts: list[Part]) -> tuple[float, float]:
    """Returns the height of a panel's picture on a phone, and that of all from its top on."""
    panel_components(parts)
    shown = fitted(parts)
    (place,) = (place for place, part in enumerate(shown) if isinstance(part, discord.File))
    picture = shown[place]
    assert isinstance(picture, discord.File)
    width, height = Image.open(BytesIO(picture.fp.read())).size
    drawn = WIDTH * height / width
    return drawn, drawn + GAP + panel_height(panel_components(shown[place + 1 :]))


KEYPADS: dict[str, tuple[Match, str, str]] = {
    "5x5": (a_match("zagram", "c3", size="5x5"), "", ""),
    "a newcomer's": (a_match("zagram", "e5", "d5"), "", ""),
    "39x32": (a_match("zagram", *LARGE, size="39x32"), "", ""),
    "60x60": (a_match("zagram", size="60x60"), "", ""),
    "after a STOP": (a_match("zagram-no-territory", *LARGE, "stop", size="39x32"), "", ""),
    "the overview of 13x13": (a_match("zagram", size="13x13"), "", "*"),
    "the overview of 39x32": (a_match("zagram", *LARGE, size="39x32"), "", "*"),
    "a region of 39x32": (a_match("zagram", *LARGE, size="39x32"), "", "*C"),
    "a preview": (a_match("zagram", "e5", "d5"), "F6", ""),
    "areas to close": (a_match("zagram-territory", *OFFERS), "F5+1", ""),
    "a chain that is drawn": (a_match("zagram-territory", "d5", "e5", "e6", "a1", "e4", "a2"), "F5/F5dfh.", ""),
    "Dot Dash": (a_match("dot-dash", size="9"), "", ""),
}


@pytest.mark.sample(6)
@pytest.mark.parametrize("tag", TAGS)
def test_a_keypad_is_seen_with_its_picture(tag: str) -> None:
    for name, (match, code, place) in KEYPADS.items():
        picture, whole = size(turn_panel(match, spoken().of(tag), "paper", code, place, NOTICE))
        assert whole <= HEIGHT, (name, whole)
        assert picture >= MIN_PICTURE - 1, (name, picture)


def test_the_newcomers_keypad_is_seen_with_its_text_as_well() -> None:
    match, words = KEYPADS["a newcomer's"][0], spoken().of()
    for notice in ("", "You played **D7**.\n🔵 **Kropka** played **D4**."):
        parts = turn_panel(match, words, "paper", notice=notice)
        texts = panel_height(panel_components([part for part in parts if not isinstance(part, discord.File)]))
        assert size(parts)[0] + GAP + texts <= HEIGHT


@pytest.mark.sample(6)
@pytest.mark.parametrize("tag", TAGS)
def test_a_lesson_is_seen_with_its_picture(tag: str) -> None:
    words = spoken().of(tag)
    below: Any = [button(f"x{key}", words(key)) for key in ("button.stop", "button.point", "quiz.show", "path.button")]
    for key, lesson in LESSONS.items():
        position = lesson.exercise.position
        assert isinstance(position, DotsPosition)
        keypad = PositionKeypad(
            *(position, position.picture().last, "paper", key),
            to_step=lambda label, code, place, style=None: button(f"go:{code}@{place}", label),
            to_play=lambda label, move: button(f"play:{move}", label),
            others=below if lesson.exercise.goal.key.endswith(("stop", "early")) else below[1:],
            zone=lesson.zone,
        )
        picture, whole = size(keypad.parts(words, "", "", "A text of any length is read above the picture."))
        assert whole <= HEIGHT, (key, whole)
        assert picture > 100, (key, picture)  # of 7x7, with three rows of long labels below the pads


def test_a_player_who_waits_sees_the_whole_crop() -> None:
    picture, whole = size(waiting_panel(a_match("zagram", "e5"), spoken().of(), "paper", NOTICE))
    assert whole <= HEIGHT
    assert picture > WIDTH - 5


async def test_a_panel_of_several_pictures_is_left_as_it_is() -> None:
    parts: list[Part] = [picture_file(b"", name, "") for name in ("one", "two")]
    assert await fit_to_phone(parts) is parts


def test_a_picture_is_widened_by_its_own_paper() -> None:
    drawn = draw(Picture(9, 9), None)
    before, after = Image.open(BytesIO(drawn)), Image.open(BytesIO(widen(drawn, 2.0)))
    assert after.height == before.height
    assert 2 * before.height <= after.width <= 2 * before.height + 1
    left = (after.width - before.width) // 2
    middle = after.crop((left, 0, left + before.width, before.height))
    assert middle.convert("RGB").tobytes() == before.convert("RGB").tobytes()
    assert after.convert("RGB").getpixel((0, 0)) == before.convert("RGB").getpixel((0, 0))
    assert widen(drawn, 1.0) == drawn
    slightly = Image.open(BytesIO(widen(drawn, (before.width + 1) / before.height)))
    assert slightly.width == before.width + 2, "both sides are drawn out alike"
