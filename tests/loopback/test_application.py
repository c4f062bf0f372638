"""The application: its Activity with the command that opens it, and its description."""

import asyncio
from typing import Any

import discord as library
import pytest

from loopback import Channel, Discord, Person
from loopback.client import Resolver
from loopback.guild_wire import EMBEDDED, IN_PARTIAL
from tests.loopback.bot import Bot

ENTRY_POINT = {"type": 4, "name": "launch", "handler": 2}
HELLO = {"type": 1, "name": "hello", "description": "Answers"}


async def test_commands_keep_the_one_that_opens_the_activity(discord: Discord, bot: Bot) -> None:
    assert bot.application_id is not None
    await bot.http.bulk_upsert_global_commands(bot.application_id, [HELLO])
    discord.enable_activity()
    with pytest.raises(library.HTTPException, match="Entry Point command") as caught:
        await bot.http.bulk_upsert_global_commands(bot.application_id, [HELLO])
    assert (caught.value.status, caught.value.code) == (400, 50240)
    await bot.http.bulk_upsert_global_commands(bot.application_id, [HELLO, ENTRY_POINT])
    await bot.http.bulk_upsert_guild_commands(bot.application_id, discord.guild.id, [HELLO])
    assert (await bot.http.application_info())["flags"] & EMBEDDED
    discord.enable_activity(on=False)
    await bot.http.bulk_upsert_global_commands(bot.application_id, [HELLO])


async def describe(bot: Bot, description: Any) -> Any:
    """Changes the description of the application; returns the new one."""
    return (await bot.http.edit_application_info(payload={"description": description}, reason=None))["description"]


TRANSLATED = {"default": "Dots", "localizations": {"pl": "Kropki"}}


async def test_a_description_is_a_string_or_an_object(discord: Discord, bot: Bot) -> None:
    assert await describe(bot, "Dots") == await describe(bot, TRANSLATED) == "Dots"
    discord.take_description("string")
    with pytest.raises(library.HTTPException, match="In description: Must be string") as caught:
        await describe(bot, TRANSLATED)
    assert (caught.value.status, caught.value.code) == (400, 50035)
    assert await describe(bot, "More dots") == "More dots"
    discord.take_description("object")
    with pytest.raises(library.HTTPException, match="In description: Must be object"):
        await describe(bot, "Dots")
    assert discord.problems == []


@pytest.mark.parametrize("features", [(), ("COMMUNITY", "DISCOVERABLE")])
async def test_a_server_has_a_language_only_as_a_community(
    discord: Discord, bot: Bot, dots: Channel, ola: Person, features: tuple[str, ...]
) -> None:
    if features:
        discord.make_community("pl", *features[1:])
    await ola.command(dots, "hello").answered()
    (interaction,) = bot.interactions
    assert str(interaction.guild_locale) == ("pl" if features else "en-US")
    guild = await bot.http.get_guild(discord.guild.id)
    assert (guild["preferred_locale"], guild["features"]) == ("pl" if features else "en-US", list(features))


@pytest.mark.parametrize("full", [True, False])
async def test_an_interaction_has_a_whole_channel_or_its_documented_part(
    discord: Discord,
    bot: Bot,
    dots: Channel,
    ola: Person,
    full: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    received = asyncio.Queue[Any]()
    monkeypatch.setitem(bot._connection.parsers, "INTERACTION_CREATE", received.put_nowait)
    thread = ola.open_thread(dots, "A match")
    discord.send_full_channels(on=full)
    ola.command(thread, "hello")
    channel = (await received.get())["channel"]
    assert (channel.keys() <= IN_PARTIAL) is not full
    assert {"owner_id", "message_count", "member_count"}.issubset(channel) is full
    assert {"id", "type", "permissions", "thread_metadata"} <= channel.keys()


async def test_a_chosen_channel_is_partial(discord: Discord, dots: Channel, ola: Person) -> None:
    resolver = Resolver(discord.wire, ola.user, dots)
    chosen = resolver.channel(ola.open_thread(dots, "A match"))
    assert resolver.fields["resolved"]["channels"][chosen].keys() <= IN_PARTIAL
