"""Every option of the rules is reached by pressing the controls of the panel."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from bot.features.terms.terms_menus import FIRST_PAGE, PAGES
from bot.features.terms.terms_panel import read_draft
from bot.markup import spoken
from loopback import Message
from presentation.terms import option_line, phrase
from presentation.words.words import CATALOGUES
from rules.dots import Dots
from rules.dots.options import CHOICES
from rules.registry import GAMES
from tests.bot.room import Room

OPTION_OF = {"width": "size", "height": "size", "setup": "start", "measure": "chain", "extra_move": "extra-move"}
"""The options of the fields that have another name."""

NO_OPTION = {"key", "stones", "areas", "begins", "former", "opening"}
"""The name of the rules, set-ups, the dots that chance has drawn for a match, and how a stored match goes on."""

OPTIONS = sorted({OPTION_OF.get(field.name, field.name) for field in fields(Dots)} - NO_OPTION)


def draft_of(panel: Message) -> Any:
    """Returns the terms that a panel shows."""
    return read_draft(panel.controls[-1]["custom_id"].split(":")[2])


async def open_panel(room: Room, **options: Any) -> Message:
    shown = (await room.ola.command(room.channel, "challenge", **options).answered()).message
    assert shown is not None
    return shown


def control(panel: Message, field: str) -> dict[str, Any] | None:
    found = (part for part in panel.controls if part["custom_id"].endswith(f":{field}"))
    return next(found, None)


async def choose(room: Room, panel: Message, field: str, value: str) -> Message:
    part = control(panel, field)
    assert part is not None
    return await room.ola.click(panel, part["custom_id"], [value]).followed()


async def turn_to(room: Room, panel: Message, field: str) -> Message:
    """Turns to the page on which a setting is, by the labels that a player sees."""
    if control(panel, field) is None and "More options…" in panel.labels:
        panel = await room.ola.click(panel, "More options…").followed()
    for page in ("Score and end…", "Handicap…"):
        if control(panel, field) is None:
            panel = await room.ola.click(panel, page).followed()
    return panel


@pytest.mark.sample(5)
@pytest.mark.parametrize("option", OPTIONS)
async def test_every_field_of_the_rules_is_reached_by_pressing_controls(room: Room, option: str) -> None:
    panel = await open_panel(room, rules="sport", options="panel")
    if option == "crosses":
        panel = await choose(room, panel, "start", "random")
    panel = await turn_to(room, panel, option)
    part = control(panel, option)
    assert part is not None
    offered = [each["value"] for each in part["options"] if each["value"] != "other"]
    assert set(CHOICES.get(option, ())) <= set(offered)
    for value in sorted(offered, key=offered.index, reverse=True):
        before = draft_of(panel).game.options[option]
        panel = await choose(room, panel, option, value)
        if "Change all" in panel.labels:
            assert draft_of(panel).game.options[option] == before
            panel = await room.ola.click(panel, "Change all").followed()
        assert draft_of(panel).game.options[option] == value


def test_every_option_and_value_has_its_words_in_every_language() -> None:

    for path in CATALOGUES.iterdir():
        words = spoken().of(path.name)
        for option in OPTIONS:
            assert words(f"called.{option}")
            for value in CHOICES.get(option, ["none", "5 captured", "5 ahead"] if option == "win" else []):
                assert words(f"explain.{option}")
                assert option_line(option, value, words)
                assert phrase(option, {"start": "cross", "crosses": "1", option: value}, words)


def test_every_option_is_on_one_page() -> None:
    listed = [option for options in PAGES.values() for option in options]
    assert sorted(listed) == sorted({*OPTIONS, "play_out"} - {"size", "start", "crosses"})
    assert FIRST_PAGE not in PAGES
    assert set(CHOICES) | {"size", "win"} == set(GAMES["zagram"].options)
