"""Managers of a server run what is on it, and nothing on any other server."""

from __future__ import annotations

from dataclasses import replace

import pytest

from loopback import Channel, Message
from loopback.permissions import Permission
from play.competitions.tournament import Stage, TournamentId
from play.ids import GuildId, UserId
from tests.bot import forging
from tests.bot.room import Room, private_words
from tests.storage.sql import execute

ELSEWHERE = GuildId(7)


async def create_tournament(room: Room) -> Message:
    """Creates a tournament of Ola, for which all three sign up; returns its card."""
    room.discord.allow(room.channel, Permission.MANAGE_MESSAGES, room.ola)
    asked = {"name": "Autumn Cup", "format": "swiss", "size": "5x5", "clock": "1d", "rated": False}
    await private_words(room.ola.command(room.channel, "tournament create", **asked))
    card: Message = await room.discord.until(
        lambda: next((each for each in room.discord.messages(room.channel) if "Sign up" in each.labels), None)
    )
    for person in (room.ola, room.maksim, room.kasia):
        await private_words(person.click(card, "Sign up"))
    return card


async def stage(room: Room) -> Stage:
    return (await room.use_cases.tournaments.load(TournamentId(1))).stage


async def move_away(room: Room) -> None:
    """Gives tournament 1 to another server, which none of the three manages."""
    await execute(room.url, f"UPDATE kept_post SET guild = {ELSEWHERE}, host = 1")  # noqa: S608 - a constant


async def test_a_manager_of_another_server_does_not_begin_its_tournament(room: Room) -> None:
    await create_tournament(room)
    await move_away(room)
    pressed = forging.click(room, room.ola, room.channel, "tournament:1:begin")
    assert "belongs to another server" in await private_words(pressed)
    assert await stage(room) is Stage.SIGN_UP


async def test_its_host_does_not_begin_it_from_a_direct_message(room: Room) -> None:
    await create_tournament(room)
    pressed = forging.click(room, room.ola, room.ola.open_dm(), "tournament:1:begin")
    assert "belongs to another server" in await private_words(pressed)
    assert await stage(room) is Stage.SIGN_UP


async def test_nobody_signs_up_from_another_server_whose_roles_are_not_checked(room: Room) -> None:
    await create_tournament(room)
    pressed = forging.click(room, room.discord.invite("Zoe"), room.maksim.open_dm(), "tournament:1:join")
    assert "belongs to another server" in await private_words(pressed)
    assert len((await room.use_cases.tournaments.load(TournamentId(1))).entrants) == 3


async def test_on_its_own_server_its_host_begins_it(room: Room) -> None:
    card = await create_tournament(room)
    assert "has begun" in await private_words(room.ola.click(card, "Begin"))


async def test_who_has_left_the_server_may_still_withdraw(room: Room) -> None:
    await create_tournament(room)
    pressed = forging.click(room, room.maksim, room.maksim.open_dm(), "tournament:1:withdraw")
    assert "off the list" in await private_words(pressed)


async def test_a_challenge_of_another_server_is_not_accepted_past_its_roles(room: Room) -> None:
    await room.challenge()
    pressed = forging.click(room, room.maksim, room.maksim.open_dm(), "challenge:1:0:accept")
    assert "This challenge no longer exists" in await private_words(pressed)
    assert await room.use_cases.matches.list_open(UserId(room.maksim.id)) == []


PANELS = ("server:threads0", "server:rated0", "server:forget", "server:shown", "podium:open", "podium:season")


@pytest.mark.parametrize("where", ["where one runs nothing", "in a direct message"])
async def test_the_panels_of_a_server_change_nothing_for_users_who_do_not_run_it(room: Room, where: str) -> None:
    here: Channel = room.channel if "nothing" in where else room.maksim.open_dm()
    before = await settings(room)
    for custom_id in PANELS:
        assert await private_words(forging.click(room, room.maksim, here, custom_id))
    assert await settings(room) == before


async def test_the_panels_of_one_server_change_nothing_on_another(room: Room) -> None:
    room.discord.allow(room.channel, Permission.MANAGE_GUILD, room.ola)
    async with room.services.store.write() as tx:
        await tx.servers.save(replace(await tx.servers.get(ELSEWHERE), rated=True))
    await forging.click(room, room.ola, room.channel, "server:rated0").answered()
    await room.discord.until(lambda: True)
    async with room.services.store.read() as reader:
        assert (await reader.servers.get(ELSEWHERE)).rated


async def settings(room: Room) -> object:
    """Returns the settings and the role rewards of the server."""
    guild = GuildId(room.discord.guild.id)
    async with room.services.store.read() as reader:
        return await reader.servers.get(guild), await reader.role_rewards.get(guild)
