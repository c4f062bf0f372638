"""A further server: its own members, channels, roles and language, beside the first one."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import discord as library
import pytest

from loopback import Discord, Guild, Impossible, Person
from loopback.dispatches import interaction_json
from loopback.ids import made_at
from loopback.permissions import Permission
from loopback.statefile import AGE_SECONDS
from tests.loopback.bot import Bot
from tests.loopback.conftest import Clock, Page, visitor

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
    assert not discord.world.is_member(bogdan.id, discord.guild)


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


@pytest.fixture
def zagroda(discord: Discord) -> Guild:
    return discord.add_server("Zagroda", "Jadwiga", "Ola")


@asynccontextmanager
async def page_on(discord: Discord, guild: Guild, person: Person) -> AsyncIterator[Page]:
    """Opens a person's page of a server."""
    where = {"seat": str(person.id), "server": str(guild.id)}
    async with (
        visitor(discord) as session,
        session.ws_connect(f"{discord.address}page/ws", params=where) as socket,
    ):
        yield Page(socket)


def names(users: list[dict[str, Any]]) -> list[str]:
    return [each["global_name"] for each in users if not each["bot"]]


async def test_a_page_shows_one_server_with_its_people_and_the_direct_messages(
    discord: Discord, zagroda: Guild, ola: Person
) -> None:
    discord.open_channel("kropki", guild=zagroda)
    discord.make_role("Strażnik", guild=zagroda)
    direct = ola.open_dm()
    async with page_on(discord, zagroda, ola) as page:
        hello = await page.next("hello")
    assert hello["guild"]["name"] == "Zagroda"
    assert {each["id"] for each in hello["channels"]} == {str(direct.id), str(discord.world.channels_in(zagroda)[0].id)}
    assert names(hello["seats"]) == names(hello["users"]) == ["Ola", "Jadwiga"]
    assert "Strażnik" in [each["name"] for each in hello["roles"]]
    assert "Champion" not in [each["name"] for each in hello["roles"]]


async def test_a_page_leads_to_each_server_in_a_seat_that_the_person_can_take(
    discord: Discord, zagroda: Guild, maksim: Person, ola: Person
) -> None:
    for person, seat in ((ola, "Ola"), (maksim, "Jadwiga")):
        async with page_on(discord, discord.guild, person) as page:
            first, second = (await page.next("hello"))["servers"]
        assert (first["name"], first["seat"]["id"]) == (discord.guild.name, str(person.id))
        assert (second["name"], second["seat"]["global_name"]) == ("Zagroda", seat)


async def test_a_page_of_a_server_that_the_person_is_not_on_shows_one_of_theirs(
    discord: Discord, zagroda: Guild, maksim: Person
) -> None:
    async with page_on(discord, zagroda, maksim) as page:
        assert (await page.next("hello"))["guild"]["name"] == discord.guild.name
    async with page_on(discord, discord.guild, discord.people["Jadwiga"]) as page:
        assert (await page.next("hello"))["guild"]["name"] == "Zagroda"


async def test_a_page_hears_nothing_of_the_other_server(discord: Discord, zagroda: Guild, ola: Person) -> None:
    kropki = discord.open_channel("kropki", guild=zagroda)
    async with page_on(discord, zagroda, ola) as page:
        await page.next("hello")
        ola.say(discord.channels["dots"], "said there")
        discord.open_channel("new", guild=zagroda)
        assert (await page.next("channel"))["channel"]["name"] == "new"
        ola.say(kropki, "said here")
        assert (await page.next("message"))["message"]["content"] == "said here"


async def test_a_page_adds_people_to_its_server_also_those_of_the_other_one(
    discord: Discord, zagroda: Guild, ola: Person
) -> None:
    async with page_on(discord, zagroda, ola) as page:
        for name in ("максим", "Łucja"):
            await page.send("invite", request=1, name=name)
            seats = names((await page.next("seats"))["seats"])
            assert name.casefold() in [each.casefold() for each in seats]
            await page.next("done")
    assert [each.id for each in discord.people.values() if discord.world.is_member(each.id, discord.guild)] == [
        discord.people[name].id for name in ("Ola", "Максим", "Kasia Wiśniewska")
    ]
    on_both = discord.people["Максим"]
    assert discord.world.is_member(on_both.id, zagroda)
    assert [each.id for each in discord.world.people if each.name == "Максим"] == [on_both.id]


async def test_the_servers_and_who_is_on_them_outlive_the_process(tmp_path: Path, clock: Clock) -> None:
    state = tmp_path / "discord.db"
    async with Discord(now=clock, state=state) as before:
        zagroda = before.add_server("Zagroda", "Jadwiga", "Ola", age=AGE_SECONDS)
        kropki = before.open_channel("kropki", guild=zagroda)
        said = before.people["Jadwiga"].say(kropki, "dzień dobry")
        before.invite("Łucja", zagroda)
        before.people["Максим"].leave()
    async with Discord(now=clock, state=state) as after:
        there = {name for name, person in after.people.items() if person.can_see(kropki)}
        here = {name for name, person in after.people.items() if person.can_see(after.channels["dots"])}
        assert after.message(said) == said
    assert there == {"Jadwiga", "Ola", "Łucja"}
    assert here == {"Ola", "Kasia Wiśniewska"}


async def test_a_server_and_its_people_can_be_old(discord: Discord, clock: Clock) -> None:
    zagroda = discord.add_server("Zagroda", "Jadwiga", "Bogdan", age=AGE_SECONDS)
    new = [zagroda.id, zagroda.bot_role_id, discord.people["Jadwiga"].id, discord.people["Bogdan"].id]
    assert {round(clock() - made_at(each)) for each in new} == {round(AGE_SECONDS)}
    assert len({*new, *(each.id for each in discord.world.people), discord.guild.id}) == 8
