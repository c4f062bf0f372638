"""Direct messages of the bot, and the reasons for which Discord delivers none."""

import discord as library
import pytest

from loopback import Discord, Person
from tests.loopback.bot import Bot


async def refusal_of(bot: Bot, person: Person) -> tuple[int, int]:
    """The status and the code with which a direct message is refused."""
    with pytest.raises(library.HTTPException) as caught:
        await (await bot.create_dm(library.Object(person.id))).send("hello")
    bot._connection._private_channels.clear()  # which would spare the library the next request
    bot._connection._private_channels_by_user.clear()
    return caught.value.status, caught.value.code


async def test_a_closed_dm_is_50007(discord: Discord, bot: Bot, ola: Person) -> None:
    ola.close_dms()
    assert await refusal_of(bot, ola) == (403, 50007)


async def test_without_a_common_server_it_is_50278(discord: Discord, bot: Bot, maksim: Person) -> None:
    maksim.leave()
    assert await refusal_of(bot, maksim) == (403, 50278)
    maksim.rejoin()
    await (await bot.create_dm(library.Object(maksim.id))).send("hello")


async def test_where_the_bot_is_in_no_server_it_writes_to_those_who_installed_it(
    discord: Discord, bot: Bot, ola: Person, maksim: Person
) -> None:
    discord.remove_bot()
    ola.install()
    await (await bot.create_dm(library.Object(ola.id))).send("hello")
    assert await refusal_of(bot, maksim) == (403, 50278)


async def test_new_dms_are_counted_and_open_ones_are_not(
    discord: Discord, bot: Bot, ola: Person, maksim: Person
) -> None:
    discord.limit_new_dms(1)
    for _ in range(2):
        await (await bot.create_dm(library.Object(ola.id))).send("hello")
    assert await refusal_of(bot, maksim) == (403, 40003)
    await (await bot.create_dm(library.Object(ola.id))).send("hello")
    discord.limit_new_dms(None)
    await (await bot.create_dm(library.Object(maksim.id))).send("hello")


async def test_a_quarantined_bot_opens_no_dm(discord: Discord, bot: Bot, ola: Person) -> None:
    discord.quarantine()
    assert await refusal_of(bot, ola) == (403, 20026)
    discord.quarantine(on=False)
    await (await bot.create_dm(library.Object(ola.id))).send("hello")
