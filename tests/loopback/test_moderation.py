"""Words that a server does not allow: AutoMod's in messages and titles, Discovery's in names."""

import discord as library
import pytest

from loopback import Channel, Discord, Impossible, Person
from tests.loopback.bot import Bot


@pytest.fixture
def channel(bot: Bot, discord: Discord, dots: Channel) -> library.PartialMessageable:
    return bot.get_partial_messageable(dots.id, guild_id=discord.guild.id)


async def test_a_server_in_discovery_refuses_names(discord: Discord, channel: library.PartialMessageable) -> None:
    discord.refuse_names("#1488")
    card = await channel.send("a card")
    with pytest.raises(library.HTTPException, match="In name: Contains words not allowed") as caught:
        await card.create_thread(name="#1488 Ola, Максим")
    assert (caught.value.status, caught.value.code) == (400, 50035)
    thread = await card.create_thread(name="1487")
    with pytest.raises(library.HTTPException):
        await thread.edit(name="#1488")
    assert discord.problems == []


async def test_automod_binds_people_and_no_bots(
    discord: Discord, channel: library.PartialMessageable, dots: Channel, ola: Person
) -> None:
    discord.block_words(dots, "spam")
    with pytest.raises(Impossible, match="AutoMod"):
        ola.say(dots, "Spam!")
    with pytest.raises(Impossible, match="200001"):
        ola.open_thread(dots, "spam")
    card = await channel.send("spam")
    await card.create_thread(name="spam")


async def test_automod_can_bind_bots_too(discord: Discord, channel: library.PartialMessageable, dots: Channel) -> None:
    discord.block_words(dots, "spam", bots=True)
    card = await channel.send("a card")
    thread = await card.create_thread(name="A match")
    for request, code in (
        (channel.send("spam"), 200000),
        (card.edit(content="spam"), 200000),
        (thread.send("spam"), 200000),
        (thread.edit(name="spam"), 200001),
    ):
        with pytest.raises(library.HTTPException) as caught:
            await request
        assert (caught.value.status, caught.value.code) == (400, code)


async def test_automod_binds_the_apps_of_people(discord: Discord, bot: Bot, dots: Channel, ola: Person) -> None:
    await bot.until(lambda: discord.commands)
    for command in discord.commands:
        command |= {"integration_types": [0, 1], "contexts": None}
    discord.bring_along()
    discord.block_words(dots, "spam")
    used = ola.command(dots, "challenge", opponent=ola, rules="dots")
    await used.answered()
    ola.command(dots, "hello", name="spam")
    await bot.until(lambda: bot.refused)
    assert bot.refused[0].code == 200000
