"""Roles of the server: giving and taking them, and the permissions for that."""

import discord as library
import pytest

from loopback import Discord, Person
from loopback.permissions import MEMBER
from tests.loopback.bot import Bot

UNKNOWN_MEMBER, UNKNOWN_ROLE, MISSING_PERMISSIONS, INVALID_ROLE = 10007, 10011, 50013, 50028


async def test_a_role_is_given_and_taken_over_and_over(bot: Bot, discord: Discord, ola: Person) -> None:
    role = discord.make_role("Master")
    for _ in range(2):
        await bot.http.add_role(discord.guild.id, ola.id, role.id, reason="a test")
        assert discord.roles_of(ola) == {"Master"}
    assert (await bot.http.get_member(discord.guild.id, ola.id))["roles"] == [str(role.id)]
    for _ in range(2):
        await bot.http.remove_role(discord.guild.id, ola.id, role.id)
        assert discord.roles_of(ola) == set()


async def test_the_roles_are_in_their_order(bot: Bot, discord: Discord) -> None:
    discord.make_role("Owner", above=True)
    roles = await bot.http.get_roles(discord.guild.id)
    assert [(role["position"], role["name"]) for role in roles] == list(
        enumerate(("@everyone", "Champion", "Podium", "Top ten", "Kropka", "Owner"))
    )


async def refusal_code(bot: Bot, discord: Discord, user: int, role: int) -> int:
    with pytest.raises(library.HTTPException) as refusal:
        await bot.http.add_role(discord.guild.id, user, role)
    return refusal.value.code


async def test_it_takes_the_permission_and_a_role_below_the_bots(bot: Bot, discord: Discord, ola: Person) -> None:
    role, above = discord.make_role("Master"), discord.make_role("Owner", above=True)
    assert await refusal_code(bot, discord, ola.id, above.id) == MISSING_PERMISSIONS
    assert await refusal_code(bot, discord, ola.id, discord.guild.bot_role_id) == MISSING_PERMISSIONS
    discord.set_bot_permissions(MEMBER)
    assert await refusal_code(bot, discord, ola.id, role.id) == MISSING_PERMISSIONS


async def test_what_is_not_there_is_unknown(bot: Bot, discord: Discord, ola: Person) -> None:
    role = discord.make_role("Master")
    assert await refusal_code(bot, discord, ola.id, 5) == UNKNOWN_ROLE
    assert await refusal_code(bot, discord, ola.id, discord.guild.id) == INVALID_ROLE
    ola.leave()
    assert await refusal_code(bot, discord, ola.id, role.id) == UNKNOWN_MEMBER
    ola.rejoin()
    await bot.http.add_role(discord.guild.id, ola.id, role.id)
    discord.delete_role(role)
    assert discord.roles_of(ola) == set()
