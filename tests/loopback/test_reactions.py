"""Reactions of the bot: seen by people, and kept with the message."""

from __future__ import annotations

import discord as library
import pytest

from loopback import Channel, Discord, Permission, Person
from tests.loopback.bot import Bot


async def test_a_reaction_shows_once(bot: Bot, discord: Discord, ola: Person, dots: Channel) -> None:
    said = ola.say(dots, "z99")
    there = bot.get_partial_messageable(dots.id).get_partial_message(said.id)
    await there.add_reaction("❓")
    await there.add_reaction("❓")
    assert ola.sees(dots)[-1].reactions == ("❓",)
    assert (await there.fetch()).reactions[0].emoji == "❓"


async def test_a_reaction_needs_its_permission(bot: Bot, discord: Discord, ola: Person, dots: Channel) -> None:
    said = ola.say(dots, "z99")
    discord.deny(dots, Permission.ADD_REACTIONS)
    with pytest.raises(library.Forbidden):
        await bot.get_partial_messageable(dots.id).get_partial_message(said.id).add_reaction("❓")
    assert ola.sees(dots)[-1].reactions == ()
