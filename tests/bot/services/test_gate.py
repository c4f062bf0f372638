"""Who comes too often, or while the bot is being stopped, is told so in private; nothing fails in silence."""

from __future__ import annotations

import discord as library
import pytest

from bot.services.rate_limits import Rate, RateLimits
from play.ids import UserId
from play.store.store import Unavailable
from tests.bot.room import Room, private_words
from tests.bot.templates import COMPONENTS

CLOSING = "I am being restarted and will be back in a moment. Your matches are safe; please try again then."


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
    assert await room.services.tables.games(UserId(room.ola.id)) == []


async def test_who_clicks_on_and_on_is_told_when_to_go_on(room: Room) -> None:
    room.services.gate._limits = RateLimits(person=Rate(1, 60.0))
    await private_words(room.ola.command(room.channel, "games"))
    words = await private_words(room.ola.command(room.channel, "games"))
    assert words.startswith("You are faster than I can follow. Please go on in ")


async def test_one_persons_haste_is_no_other_persons(room: Room) -> None:
    room.services.gate._limits = RateLimits(person=Rate(1, 60.0))
    for _ in range(2):
        await private_words(room.ola.command(room.channel, "games"))
    assert "faster" not in await private_words(room.maksim.command(room.channel, "games"))


async def test_a_database_that_is_away_is_said_and_not_an_incident(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    def away() -> None:
        raise Unavailable("gone")

    monkeypatch.setattr(room.services.store, "read", away)
    words = await private_words(room.ola.command(room.channel, "games"))
    assert words.startswith("I cannot reach my records at the moment.")


@pytest.mark.parametrize("button", COMPONENTS, ids=lambda button: button.__name__)
def test_every_button_is_behind_the_gate(
    button: type[library.ui.DynamicItem[library.ui.Button[library.ui.View]]],
) -> None:
    assert button.interaction_check.__module__.startswith("bot."), "see bot.gate.admitted"
