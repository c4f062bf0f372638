"""The panel of a new challenge: it names a friend, says each term once, and tells the rule sets apart."""

from __future__ import annotations

from typing import Any

import pytest

from bot.markup import spoken
from loopback import Message
from play.ids import ChallengeId, UserId
from rules.registry import GAMES
from tests.bot import forging
from tests.bot.forging import USER_SELECT
from tests.bot.room import Room, private_message
from tests.opponent.quick import Inside

ANYONE = "Who to play (nobody chosen: anyone may accept)"


@pytest.fixture
def run_options() -> dict[str, Any]:
    """Has the computer play."""
    return {"thinkers": Inside}


async def panel_of(room: Room) -> Message:
    return await private_message(forging.click(room, room.ola, room.channel, "welcome:challenge"))


def named(panel: Message) -> list[str]:
    """Returns the ids of the users who are chosen."""
    return [each["id"] for each in panel.control(ANYONE).get("default_values", ())]


async def test_a_friend_is_named_in_the_panel_and_asked_by_the_card(room: Room) -> None:
    panel = await room.ola.click(await panel_of(room), ANYONE, [room.maksim]).followed()
    assert named(panel) == [str(room.maksim.id)]
    await room.restart()
    await room.ola.click(panel, "Post challenge").followed()
    challenge = await room.use_cases.challenges.load(ChallengeId(1))
    assert challenge.opponent == UserId(room.maksim.id)
    assert room.discord.messages(room.channel)[-1].mentions == (room.maksim.id,)


async def test_nobody_may_be_named_again(room: Room) -> None:
    panel = await room.ola.click(await panel_of(room), ANYONE, [room.maksim]).followed()
    panel = await room.ola.click(panel, ANYONE, []).followed()
    await room.ola.click(panel, "Post challenge").followed()
    assert (await room.use_cases.challenges.load(ChallengeId(1))).opponent is None


async def test_the_bot_itself_is_the_computer(room: Room) -> None:
    panel = await panel_of(room)
    bot = room.discord.bot
    pressed = forging.send(room, room.ola, panel, _choice(room, panel, bot.id))
    panel = await pressed.followed()
    assert named(panel) == [str(bot.id)]
    assert any("Computer: " in str(part) for part in panel.controls)
    told = await room.ola.click(panel, "Post challenge").followed()
    assert "Your game has begun" in told.text
    back = await room.ola.click(await panel_of(room), ANYONE, [room.kasia]).followed()
    assert not any("Computer: " in str(part) for part in back.controls)


def _choice(room: Room, panel: Message, user: int) -> dict[str, object]:
    part = panel.control(ANYONE)
    wire = {"id": str(user), "username": "x", "discriminator": "0", "avatar": None, "bot": True, "global_name": None}
    member = {"roles": [], "permissions": "0", "joined_at": "2026-01-01T00:00:00+00:00", "deaf": False, "mute": False}
    resolved = {"users": {str(user): wire}, "members": {str(user): member | {"flags": 0}}}
    ids = {"custom_id": part["custom_id"], "component_type": USER_SELECT, "id": part["id"]}
    return {**ids, "values": [str(user)], "resolved": resolved}


async def test_another_bot_and_oneself_are_refused_and_the_draft_stays(room: Room) -> None:
    panel = await panel_of(room)
    told = await forging.send(room, room.ola, panel, _choice(room, panel, 4711)).followed()
    assert "⚠️" in told.text
    told = await room.ola.click(panel, ANYONE, [room.ola]).followed()
    assert "⚠️" in told.text
    assert "Post challenge" in told.labels


async def test_the_panel_says_each_term_once(room: Room) -> None:
    panel = await panel_of(room)
    shown = [option["label"] for part in panel.controls for option in part.get("options", ()) if option.get("default")]
    assert len(shown) > 3
    assert [label for label in shown if label in panel.text] == []


async def test_the_menu_of_rules_has_a_line_for_each_rule_set(room: Room) -> None:
    menu = next(part for part in (await panel_of(room)).controls if part["custom_id"].endswith(":rules"))
    words = spoken().of()
    described = {option["value"]: option.get("description") for option in menu["options"]}
    assert described == {key: words(f"preset.{key}.line") for key in described}
    assert described.keys() <= GAMES.keys()


@pytest.mark.sample(6)
@pytest.mark.parametrize("language", [words.tag for words in spoken()])
async def test_the_name_of_rules_is_understood_in_every_language(room: Room, language: str) -> None:
    name = spoken().of(language)("preset.two-squares.name")
    found = await room.ola.complete(room.channel, "challenge", focused="rules", rules=name.lower())
    assert [each["value"] for each in found] == ["two-squares"]
    await room.challenge(rules=f" {name.upper()} ", size=None, start=None)
    assert (await room.use_cases.challenges.load(ChallengeId(1))).terms.game.key == "two-squares"
