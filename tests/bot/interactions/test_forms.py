"""A form loses nothing: refused, it can be tried again with all that was typed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from pydantic import SecretStr

from bot.interactions.components import Form
from bot.interactions.errors import written_down
from bot.interactions.offers import TextField
from bot.settings import Hosting
from loopback import Discord, Interaction, Message, Modal
from tests.bot import forging
from tests.bot.room import Room, private_message
from tests.bot.templates import COMPONENTS, FORMS

AWKWARD = "perhaps ```**@everyone**\u202f`x``"
"""A text with what ends a block of code, and with marks."""


@pytest.fixture
def run_options(discord: Discord) -> dict[str, Any]:
    return {"hosting": Hosting(feedback=SecretStr(str(discord.open_channel("feedback").id)))}


def _id(form: Form) -> str:
    return f"{form.id_form.template}: {', '.join(field.name for field in form.fields)}"


def _texts(form: Form) -> list[str]:
    return [field.name for field in form.fields if isinstance(field, TextField)]


@pytest.mark.parametrize("form", FORMS, ids=_id)
def test_a_button_opens_each_form_again(form: Form) -> None:
    opener = form.again or form.id_form
    assert [each for each in COMPONENTS if each.id_form is opener or _covers(each.id_form, form)]


def _covers(wider: Any, form: Form) -> bool:
    """Returns whether the ids of a component are those of the form, too."""
    examples = {"target": "me", "draft": "zagram|20x20", "field": "size", "whose": "me", "number": 1, "match": 1}
    examples |= {"day": "2026-11-26", "lesson": "capture", "subject": "capture", "found": "ab"}
    names = {name: examples.get(name, 1) for name in form.id_form.pattern.groupindex}
    return bool(wider.pattern.fullmatch((form.again or form.id_form)(**names)))


async def _settings(room: Room) -> Modal:
    panel = await private_message(room.ola.command(room.channel, "settings me"))
    return await _opened(room.ola.click(panel, "Set quiet hours"))


async def _opened(press: Interaction) -> Modal:
    opened = (await press.answered()).modal
    assert opened is not None
    return opened


async def _size(room: Room) -> Modal:
    panel = await private_message(room.ola.command(room.channel, "challenge"))
    return await _opened(room.ola.click(panel, "Custom size…"))


async def _win(room: Room) -> Modal:
    panel = await private_message(room.ola.command(room.channel, "challenge"))
    for label in ("More options…", "Score and end…"):
        panel = await room.ola.click(panel, label).followed()
    control = next(part["custom_id"] for part in panel.controls if part["custom_id"].endswith(":win"))
    return await _opened(room.ola.click(panel, control, ["other"]))


async def _move(room: Room) -> Modal:
    thread = await room.start_match()
    return await _opened(room.ola.click(await room.wait_for_board(thread, 0), "Type a move"))


async def _plan(room: Room) -> Modal:
    thread = await room.start_match()
    panel = await private_message(room.maksim.command(thread, "if"))
    return await _opened(room.maksim.click(panel, "Write a plan"))


async def _name(room: Room) -> Modal:
    panel = await private_message(room.ola.command(room.channel, "challenge"))
    panel = await room.ola.click(panel, "More options…").followed()
    return await _opened(room.ola.click(panel, "Save as rule set"))


async def _new_set(room: Room) -> Modal:
    panel = await private_message(room.ola.command(room.channel, "settings me"))
    panel = await room.ola.click(panel, "Rule sets").followed()
    return await _opened(room.ola.click(panel, "New rule set"))


async def _rename(room: Room) -> Modal:
    kept = await room.ola.submit(await _new_set(room), {"name": "Mine"}).followed()
    return await _opened(room.ola.click(kept, "Rename"))


async def _feedback(room: Room) -> Modal:
    return await _opened(room.ola.command(room.channel, "feedback"))


async def _set_up(room: Room) -> Modal:
    thread = await room.start_match(rules="dot-dash", size=None, start=None)
    return await _opened(room.ola.click(await room.wait_for_board(thread, 0), "Type the crossings"))


async def _jump(room: Room) -> Modal:
    thread = await room.start_match()
    await room.play(thread, "c3", "c2")
    panel = await private_message(room.ola.command(thread, "replay"))
    return await _opened(room.ola.click(panel, "Go to move…"))


REFUSED: dict[str, tuple[Callable[[Room], Awaitable[Modal]], dict[str, str]]] = {
    "quiet hours": (_settings, {"zone": f"Nowhere {AWKWARD}", "night": "late"}),
    "one field": (_settings, {"zone": "", "night": "22-7"}),
    "a size": (_size, {"value": "huge ```x```"}),
    "an instant win": (_win, {"value": "perhaps"}),
    "a move": (_move, {"point": AWKWARD}),
    "a set-up": (_set_up, {"one": "A1", "other": "??", "single": "C 3"}),
    "a plan": (_plan, {"line": f"{AWKWARD}\nC3 -> nowhere"}),
    "the name of rules": (_name, {"name": "<@1> `x`"}),
    "the name of a new rule set": (_new_set, {"name": "@everyone"}),
    "another name": (_rename, {"name": "https://x.y"}),
    "a move of a replay": (_jump, {"number": "99"}),
    "a feedback": (_feedback, {"text": " \n ", "contact": "me on `IRC`"}),
}
"""A form of each kind, and what it refuses."""


def _default(modal: Modal, name: str) -> str:
    fields = (label["component"] for label in modal.components)
    return str(next(field for field in fields if field["custom_id"] == name).get("value", ""))


@pytest.mark.sample(5)
@pytest.mark.parametrize("kind", REFUSED)
async def test_a_refused_form_opens_again_with_what_was_typed_also_after_a_restart(room: Room, kind: str) -> None:
    opener, typed = REFUSED[kind]
    form = await opener(room)
    person = room.maksim if kind == "a plan" else room.ola
    refused = await private_message(person.submit(form, typed))
    assert "⚠️" in refused.text
    await room.restart()
    again = await _opened(person.click(refused, _again(refused)))
    assert {name: _default(again, name).strip() for name in typed} == {
        name: text.strip() for name, text in typed.items()
    }
    assert again.custom_id == form.custom_id


def _again(refused: Message) -> str:
    return next(label for label in refused.labels if label in ("Try again", "Type another move", "Type the crossings"))


def test_each_form_with_texts_is_tried() -> None:
    tried = {name for _, typed in REFUSED.values() for name in typed}
    assert {name for form in FORMS for name in _texts(form)} == tried


async def test_after_another_try_the_form_is_filled_as_usual(room: Room) -> None:
    refused = await private_message(room.ola.submit(await _settings(room), {"zone": "Nowhere", "night": ""}))
    again = await _opened(room.ola.click(refused, "Try again"))
    panel = await room.ola.submit(again, {"zone": "Warsaw", "night": "22-7"}).followed()
    assert "Nowhere" not in panel.text
    assert _default(await _opened(room.ola.click(panel, "Set quiet hours")), "night") == "22:00-07:00"


async def test_what_others_wrote_fills_no_form(room: Room) -> None:
    thread = await room.start_match()
    said = room.maksim.say(thread, written_down({"point": "A1"}))
    press = forging.click(room, room.ola, thread, f"match:1:{await room.version()}:point")
    assert said.content
    assert _default(await _opened(press), "point") == ""
