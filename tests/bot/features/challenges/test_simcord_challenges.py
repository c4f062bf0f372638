"""Challenges and settings on simcord, a simulation of Discord by others: it may refuse what ours forgives."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from simcord import MemberActor

from play.ids import UserId
from play.workers.card_refresher import Clerk
from tests.bot.simcord_room import panel_of, simcord_room


def custom_id(message: Any, ending: str) -> str:
    """Returns the custom id of the one component whose id has this ending."""

    def walk(parts: Any) -> Any:
        for part in parts:
            part = part if isinstance(part, dict) else part.to_dict()
            yield part.get("custom_id", "")
            yield from walk(part.get("components", ()))

    (found,) = (each for each in walk(message.components) if each.endswith(ending))
    return str(found)


async def choose(person: MemberActor, message: Any, ending: str, *values: str) -> Any:
    """Chooses values in the menu whose custom id has this ending; returns the message."""
    await person.select(message, list(values), custom_id=custom_id(message, ending))
    return message


async def test_a_counter_offer_is_made_and_accepted(tmp_path: Path) -> None:
    async with simcord_room(tmp_path) as room:
        await room.ola.slash(room.channel, "challenge", opponent=room.maksim, size="5x5", clock="3d")
        card = room.channel.last_message
        assert card is not None
        panel = panel_of(await room.maksim.click(card, label="Change..."))
        panel = await choose(room.maksim, panel, ":clock", "1d")
        panel = await choose(room.maksim, panel, ":agreed", "weekends", "quiet")
        await room.maksim.click(panel, custom_id=custom_id(panel, ":save"))
        await Clerk(room.bot.store, room.bot.cards).round()
        (card, news) = room.channel.history()
        assert "would rather play on other terms" in card.content
        assert "has changed the terms" in news.content
        await room.ola.click(card, label="Accept")
        await room.env.settle()
        assert "Accepted" in room.channel.history()[0].content
        assert room.boards()


async def test_settings_are_changed_by_selects_and_a_form(tmp_path: Path) -> None:
    async with simcord_room(tmp_path) as room:
        panel = panel_of(await room.ola.slash(room.channel, "settings me"))
        assert panel.ephemeral
        panel = await choose(room.ola, panel, "me:theme", "dark")
        form = await room.ola.click(panel, custom_id="me:clock")
        await room.ola.submit_modal(form, {"zone": "warsaw", "night": "22-7"})
        async with room.bot.store.read() as reader:
            stored = await reader.person(UserId(room.ola.id))
        assert (stored.theme, str(stored.night)) == ("dark", "22:00-07:00")


async def test_the_rules_turn_their_pages(tmp_path: Path) -> None:
    async with simcord_room(tmp_path) as room:
        panel = panel_of(await room.ola.slash(room.channel, "rules"))
        panel = await choose(room.ola, panel, "rules:contents", "quick")
        await room.ola.click(panel, custom_id="rules:back:two-squares")
