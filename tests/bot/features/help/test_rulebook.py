"""`/rules`: every page has its words and its pictures, and leads to the others."""

from __future__ import annotations

from bot.features.help.rulebook import BASICS, GLANCE, PRESET_PAGES, title
from bot.markup import spoken
from loopback import Message
from presentation.terms import rules_help
from rules.registry import GAMES
from tests.bot.room import Room


async def open_rules(room: Room, **options: str) -> Message:
    """Returns the panel that `/rules` opens."""
    shown = (await room.kasia.command(room.general, "rules", **options).answered()).message
    assert shown is not None
    assert shown.ephemeral
    return shown


def test_every_preset_has_a_page() -> None:
    assert set(PRESET_PAGES) == set(GAMES)


async def test_without_rules_it_begins_with_how_dots_is_played(room: Room) -> None:
    shown = await open_rules(room)
    assert "## How to play Dots" in shown.text
    assert [each.filename for each in shown.attachments] == ["capture-before.png", "capture.png"]
    assert shown.attachments[0].description == "Three red dots around a blue one on D4; the crossing E4 is free."
    assert shown.labels == ["→ A chain"]


async def test_the_pages_can_be_turned_also_after_a_restart(room: Room) -> None:
    shown = await open_rules(room)
    await room.restart()
    shown = await room.kasia.click(shown, "→ A chain").followed()
    assert "## A chain" in shown.text
    assert [each.filename for each in shown.attachments] == ["capture-large.png", "gap.png"]
    shown = await room.kasia.click(shown, "← How to play Dots").followed()
    assert "## How to play Dots" in shown.text


async def test_rules_lead_to_their_page(room: Room) -> None:
    shown = await open_rules(room, rules="quick")
    assert rules_help(GAMES["quick"], spoken().of()) in shown.text
    assert [each.filename for each in shown.attachments] == ["quick.png"]


async def test_the_contents_lead_to_every_page(room: Room) -> None:
    shown, words = await open_rules(room), spoken().of()
    (contents,) = (part for part in shown.controls if part["custom_id"] == "rules:contents")
    assert [option["value"] for option in contents["options"]] == [*BASICS, GLANCE, *PRESET_PAGES]
    described = [option.get("description", "") for option in contents["options"] if option["value"] in PRESET_PAGES]
    assert described == [words(f"preset.{key}.line") for key in PRESET_PAGES]
    for page, pictures in (BASICS | PRESET_PAGES).items():
        shown = await room.kasia.click(shown, "rules:contents", [page]).followed()
        assert f"## {title(page, words)}\n" in shown.text
        assert [each.filename for each in shown.attachments] == [f"{name}.png" for name in pictures]
        assert all(each.description for each in shown.attachments)


async def test_all_rule_sets_stand_on_one_page_with_a_line_each(room: Room) -> None:
    words = spoken().of()
    shown = await room.kasia.click(await open_rules(room), "rules:contents", [GLANCE]).followed()
    lines = [f"- **{words(f'preset.{key}.name')}**: {words(f'preset.{key}.line')}" for key in PRESET_PAGES]
    assert shown.text.splitlines() == ["## Rule sets at a glance", *lines]
    assert "→ Zagram" in shown.labels


async def test_the_pictures_are_in_the_theme_of_the_player(room: Room) -> None:
    plain = (await open_rules(room)).attachments[0].data
    panel = (await room.kasia.command(room.general, "settings me").answered()).message
    assert panel is not None
    await room.kasia.click(panel, "me:theme", ["dark"]).followed()
    assert (await open_rules(room)).attachments[0].data != plain


async def test_help_leads_to_the_rules_and_to_the_lesson(room: Room) -> None:
    shown = (await room.kasia.command(room.general, "help").answered()).message
    assert shown is not None
    assert "</rules:" in shown.text
    assert [each.filename for each in shown.attachments] == ["capture-before.png", "capture.png"]
    assert "1" in (await room.kasia.click(shown, "Learn step by step").followed()).text
