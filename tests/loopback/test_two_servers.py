"""A further server: its own members, channels, roles and language, beside the first one."""

from typing import Any

import discord as library
import pytest

from loopback import Discord, Impossible
from loopback.dispatches import interaction_json
from loopback.permissions import Permission
from tests.loopback.bot import Bot

UNKNOWN_GUILD, UNKNOWN_MEMBER, NO_MUTUAL_GUILDS = 10004, 10007, 50278


async def test_the_bot_hears_of_each_server_and_its_channels(bot: Bot, discord: Discord) -> None:
    zagroda = discord.add_server("Zagroda", "Jadwiga", locale="pl")
    channel = discord.open_channel("kropki", guild=zagroda)
    found = await bot.http.get_guild(zagroda.id)
    assert (found["name"], found["preferred_locale"]) == ("Zagroda", "pl")
    assert [each["name"] for each in await bot.http.get_all_guild_channels(zagroda.id)] == ["kropki"]
    described: Any = await bot.http.get_channel(channel.id)
    assert described["guild_id"] == str(zagroda.id)
    assert channel.name not in discord.channels
    assert "kropki" not in [each["name"] for each in await bot.http.get_all_guild_channels(discord.guild.id)]


async def test_people_of_one_server_are_no_members_of_the_other_and_do_not_see_it(bot: Bot, discord: Discord) -> None:
    zagroda = discord.add_server("Zagroda", "Jadwiga")
    kropki, jadwiga, ola = (
        discord.open_channel("kropki", guild=zagroda),
        discord.people["Jadwiga"],
        discord.people["Ola"],
    )
    for guild, person in ((discord.guild, jadwiga), (zagroda, ola)):
        with pytest.raises(library.NotFound) as unknown:
            await bot.http.get_member(guild.id, person.id)
        assert unknown.value.code == UNKNOWN_MEMBER
    assert (await bot.http.get_member(zagroda.id, jadwiga.id))["user"]["global_name"] == "Jadwiga"
    assert not ola.can_see(kropki)
    assert not jadwiga.can_see(discord.channels["dots"])
    with pytest.raises(Impossible):
        jadwiga.say(discord.channels["dots"], "hello")
    assert jadwiga.say(kropki, "dzień dobry").channel_id == kropki.id


async def test_each_server_has_its_own_roles(bot: Bot, discord: Discord) -> None:
    zagroda = discord.add_server("Zagroda", "Jadwiga", "Bogdan")
    role = discord.make_role("Strażnik", permissions=Permission.MANAGE_MESSAGES, guild=zagroda)
    bogdan = discord.people["Bogdan"]
    await bot.http.add_role(zagroda.id, bogdan.id, role.id)
    assert (await bot.http.get_member(zagroda.id, bogdan.id))["roles"] == [str(role.id)]
    assert "Strażnik" not in [each["name"] for each in await bot.http.get_roles(discord.guild.id)]
    channel = discord.open_channel("kropki", guild=zagroda)
    assert Permission.MANAGE_MESSAGES in discord.world.permissions(bogdan.id, channel)


async def test_a_server_that_the_bot_was_taken_off_tells_it_nothing(bot: Bot, discord: Discord) -> None:
    zagroda = discord.add_server("Zagroda", "Jadwiga")
    channel = discord.open_channel("kropki", guild=zagroda)
    discord.expel_bot(zagroda)
    with pytest.raises(library.NotFound) as unknown:
        await bot.http.get_guild(zagroda.id)
    assert unknown.value.code == UNKNOWN_GUILD
    with pytest.raises(library.Forbidden):
        await bot.http.get_channel(channel.id)
    direct = await bot.http.start_private_message(discord.people["Jadwiga"].id)
    with pytest.raises(library.Forbidden) as refused:
        await bot.http.send_message(int(direct["id"]), params=library.http.handle_message_parameters(content="hello"))
    assert refused.value.code == NO_MUTUAL_GUILDS
    assert (await bot.http.get_guild(discord.guild.id))["id"] == str(discord.guild.id)


async def test_an_interaction_names_the_server_that_it_comes_from(bot: Bot, discord: Discord) -> None:
    zagroda = discord.add_server("Zagroda", "Jadwiga", locale="pl")
    channel = discord.open_channel("kropki", guild=zagroda)
    begun = discord.people["Jadwiga"].command(channel, "counter")
    await begun.answered()
    heard = interaction_json(discord.wire, begun)
    assert (heard["guild_id"], heard["guild_locale"]) == (str(zagroda.id), "pl")
    assert bot.interactions[-1].guild_id == zagroda.id
