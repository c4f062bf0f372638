"""Users who ask too often, or while the bot stops, are told so in private; nothing fails in silence."""

from __future__ import annotations

import discord as library
import pytest

from bot.services.rate_limits import Rate, RateLimits
from play.ids import UserId
from storage.errors import Unavailable
from tests.bot.room import Room, private_words
from tests.bot.templates import COMPONENTS

CLOSING = "I'm restarting and will be back in a moment. Your games are safe. Try again in a minute."


async def test_a_late_command_is_told_that_the_bot_will_be_back(room: Room) -> None:
    room.services.gate.close()
    assert await private_words(room.ola.command(room.channel, "games")) == CLOSING


async def test_a_late_click_is_told_that_the_bot_will_be_back(room: Room) -> None:
    card = await room.challenge(opponent=room.maksim)
    room.services.gate.close()
    assert await private_words(room.maksim.click(card, "Accept")) == CLOSING


async def test_a_late_click_changes_nothing(room: Room) -> None:
    card = await room.challenge(opponent=room.maksim)
    room.services.gate.close()
    await room.maksim.click(card, "Accept").answered()
    assert await room.use_cases.matches.list_open(UserId(room.ola.id)) == []


@pytest.fixture
async def slow(room: Room) -> Room:
    """The room, where each user may ask once a minute."""
    room.options["limits"] = RateLimits(person=Rate(1, 60.0))
    await room.restart()
    return room


async def test_who_clicks_on_and_on_is_told_when_to_go_on(slow: Room) -> None:
    await private_words(slow.ola.command(slow.channel, "games"))
    words = await private_words(slow.ola.command(slow.channel, "games"))
    assert words.startswith("Too many clicks. Try again in ")


async def test_one_persons_haste_is_no_other_persons(slow: Room) -> None:
    for _ in range(2):
        await private_words(slow.ola.command(slow.channel, "games"))
    assert "faster" not in await private_words(slow.maksim.command(slow.channel, "games"))


async def test_a_database_that_is_away_is_said_and_not_an_incident(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    def away() -> None:
        raise Unavailable("gone")

    monkeypatch.setattr(room.services.store, "read", away)
    words = await private_words(room.ola.command(room.channel, "games"))
    assert words.startswith("I can't reach my database.")


@pytest.mark.parametrize("button", COMPONENTS, ids=lambda button: button.__name__)
def test_every_button_is_behind_the_gate(
    button: type[library.ui.DynamicItem[library.ui.Button[library.ui.View]]],
) -> None:
    assert button.interaction_check.__module__.startswith("bot."), "see bot/interactions/admission.py"
