"""Challenges and settings on simcord, a simulation of Discord that others wrote: what ours forgives, theirs may not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from simcord import MemberActor

from play.ids import UserId
from play.workers.card_refresher import CardRefresher
from tests.bot.simcord_room import simcord_room


def panel_of(result: Any) -> Any:
    return result.response or result.followups[-1]


def custom_id(message: Any, ending: str) -> str:
    """Returns the id of the only component whose id has this ending."""

    def walk(parts: Any) -> Any:
        for part in parts:
            part = part if isinstance(part, dict) else part.to_dict()
            yield part.get("custom_id", "")
            yield from walk(part.get("components", ()))

    (found,) = (each for each in walk(message.components) if each.endswith(ending))
    return str(found)


async def chosen(person: MemberActor, message: Any, ending: str, *values: str) -> Any:
    await person.select(message, list(values), custom_id=custom_id(message, ending))
    return message


async def test_a_counter_offer_is_made_and_accepted(tmp_path: Path) -> None:
    async with simcord_room(tmp_path) as scene:
        await scene.ola.slash(scene.channel, "challenge", opponent=scene.maksim, size="5x5", clock="3d")
        card = scene.channel.last_message
        assert card is not None
        panel = panel_of(await scene.maksim.click(card, label="Change terms"))
        panel = await chosen(scene.maksim, panel, ":clock", "1d")
        panel = await chosen(scene.maksim, panel, ":agreed", "weekends", "quiet")
        await scene.maksim.click(panel, custom_id=custom_id(panel, ":save"))
        await CardRefresher(scene.bot.store, scene.bot.cards).poll()
        (card, news) = scene.channel.history()
        assert "suggests other terms" in card.content
        assert "changed the terms" in news.content
        await scene.ola.click(card, label="Accept")
        await scene.env.settle()
        assert "Accepted" in scene.channel.history()[0].content
        assert scene.boards()


async def test_settings_are_changed_by_selects_and_a_form(tmp_path: Path) -> None:
    async with simcord_room(tmp_path) as scene:
        panel = panel_of(await scene.ola.slash(scene.channel, "settings me"))
        assert panel.ephemeral
        panel = await chosen(scene.ola, panel, "me:theme", "dark")
        form = await scene.ola.click(panel, custom_id="me:clock")
        await scene.ola.submit_modal(form, {"zone": "warsaw", "night": "22-7"})
        async with scene.bot.store.read() as reader:
            stored = await reader.people.get(UserId(scene.ola.id))
        assert (stored.theme, str(stored.night)) == ("dark", "22:00-07:00")


async def test_the_rules_turn_their_pages(tmp_path: Path) -> None:
    async with simcord_room(tmp_path) as scene:
        panel = panel_of(await scene.ola.slash(scene.channel, "rules"))
        panel = await chosen(scene.ola, panel, "rules:contents", "quick")
        await scene.ola.click(panel, custom_id="rules:back:two-squares")
