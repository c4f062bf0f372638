"""Roles of the server for the top places of a leaderboard, on the wire."""

from __future__ import annotations

import asyncio
from typing import cast

import pytest

from loopback import Message, Role
from loopback.permissions import MEMBER, Permission
from play.community.role_rewards import Podium, Trouble
from play.ids import GuildId, UserId
from storage import Database
from tests.bot.room import Room, private_words
from tests.bot.features.leaderboards.test_leaderboards import posted
from tests.bot.features.settings.test_settings import chosen
from tests.league import played, ranked


@pytest.fixture(autouse=True)
async def _league(room: Room) -> None:
    """Ola leads, Максим is second and Kasia third."""
    people = [UserId(person.id) for person in (room.ola, room.maksim, room.kasia)]
    await ranked(cast("Database", room.services.store), *people, guild=GuildId(room.discord.guild.id))


@pytest.fixture
def roles(room: Room) -> list[Role]:
    return [room.discord.make_role(name) for name in ("First", "Second", "Third")]


async def opened(room: Room) -> Message:
    """The panel that Ola, whose server it is, has opened."""
    panel = await room.ola.command(room.channel, "settings server").followed()
    return await room.ola.click(panel, "Roles for the best").followed()


async def stored(room: Room) -> Podium:
    async with room.services.store.read() as reader:
        podium = await reader.podium(GuildId(room.discord.guild.id))
    assert podium is not None
    return podium


async def settled(room: Room, trouble: Trouble | None = None) -> None:
    """Returns when the roles are as they should be, or cannot be because of a `trouble`."""
    async with asyncio.timeout(20):
        while True:
            async with room.services.store.read() as reader:
                stirring = await reader.stirring_podiums(await reader.now(), 1)
            if not stirring or (trouble and (await stored(room)).trouble is trouble):
                return
            room.bot.steward.wake()


async def set_up(room: Room, *roles: Role) -> None:
    panel = await opened(room)
    for step, role in enumerate(roles):
        panel = await chosen(room.ola, panel, f"podium:role{step}", role.id)
    await settled(room)


def worn(room: Room) -> list[set[str]]:
    return [room.discord.roles_of(person) for person in (room.ola, room.maksim, room.kasia)]


async def overtaken(room: Room) -> None:
    """Kasia beats Ola, and leads."""
    guild = GuildId(room.discord.guild.id)
    await played(room.services.store, UserId(room.kasia.id), UserId(room.ola.id), day=60, guild=guild)
    room.bot.steward.wake()


async def test_the_top_places_get_their_roles(room: Room, roles: list[Role]) -> None:
    await set_up(room, *roles)
    assert worn(room) == [{"First"}, {"Second"}, {"Second"}]
    assert "I give these roles by myself" in (await opened(room)).text


async def test_a_role_goes_with_its_place(room: Room, roles: list[Role]) -> None:
    await set_up(room, *roles)
    await overtaken(room)
    await room.restart()
    await settled(room)
    assert worn(room) == [{"Second"}, {"Second"}, {"First"}]


async def test_the_panel_chooses_the_leaderboard_and_leads_back(room: Room, roles: list[Role]) -> None:
    panel = await chosen(room.ola, await opened(room), "podium:role2", roles[2].id)
    panel = await chosen(room.ola, panel, "podium:pool", "quick-live")
    panel = await room.ola.click(panel, "By rating").followed()
    assert "By points of the season" in panel.labels
    podium = await stored(room)
    assert (str(podium.pool), podium.seasonal, podium.roles) == ("quick-live", True, (None, None, roles[2].id))
    panel = await room.ola.click(panel, "Back").followed()
    assert "Usual challenge" in panel.labels


async def test_without_the_permission_no_role_is_chosen(room: Room, roles: list[Role]) -> None:
    panel = await opened(room)
    room.discord.trust(MEMBER)
    words = await private_words(room.ola.click(panel, "podium:role0", [roles[0].id]))
    assert "allow me **Manage Roles**" in words
    assert "⚠️ I cannot give the roles" in (await opened(room)).text


async def test_a_role_above_the_bots_is_refused_by_name(room: Room) -> None:
    above = room.discord.make_role("Owner", above=True)
    panel = await opened(room)
    words = await private_words(room.ola.click(panel, "podium:role0", [above.id]))
    assert f"<@&{above.id}> stands above my own role" in words
    bots = room.discord.guild.bot_role_id
    assert "belongs to everybody or to an app" in await private_words(room.ola.click(panel, "podium:role0", [bots]))


async def test_what_keeps_the_bot_from_it_stands_below_the_leaderboard_until_it_is_gone(
    room: Room, roles: list[Role], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("play.workers.retry_queue.FIRST_PAUSE", 0.0)
    await set_up(room, roles[0])
    room.discord.trust(MEMBER)
    await overtaken(room)
    await settled(room, Trouble.PERMISSION)
    assert "I need **Manage Roles**" in (await posted(room.ola.command(room.channel, "leaderboard"))).content
    room.discord.trust(MEMBER | Permission.MANAGE_ROLES)
    await settled(room)
    assert (await stored(room)).trouble is None
    assert worn(room) == [set(), set(), {"First"}]


async def test_a_member_who_left_is_passed_over(room: Room, roles: list[Role]) -> None:
    room.maksim.leave()
    await set_up(room, *roles)
    assert worn(room) == [{"First"}, set(), {"Second"}]
    room.ola.leave()
    await overtaken(room)
    await settled(room)
    assert worn(room)[2] == {"First"}


async def test_whoever_is_forgotten_loses_his_role_to_the_next(room: Room, roles: list[Role]) -> None:
    await set_up(room, roles[0])
    question = await room.ola.command(room.channel, "privacy delete").followed()
    await room.ola.click(question, question.labels[0]).followed()
    await settled(room)
    assert worn(room) == [set(), {"First"}, set()]


async def test_only_who_runs_the_server_chooses(room: Room, roles: list[Role]) -> None:
    room.discord.allow(room.channel, Permission.MANAGE_GUILD, room.maksim)
    panel = await room.maksim.command(room.channel, "settings server").followed()
    panel = await room.maksim.click(panel, "Roles for the best").followed()
    room.discord.deny(room.channel, Permission.MANAGE_GUILD, room.maksim)
    words = await private_words(room.maksim.click(panel, "podium:role0", [roles[0].id]))
    assert "Manage Server" in words
