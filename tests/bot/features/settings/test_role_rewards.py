"""Roles of a server for the top places of a leaderboard."""

from __future__ import annotations

import asyncio

import pytest

from loopback import HANG_SECONDS, Message, Role
from loopback.permissions import MEMBER, Permission
from play.community.roles import GrantProblem, RoleRewards, grants
from play.ids import GuildId, RoleId, UserId
from tests.bot.panels import choose
from tests.bot.room import Room, private_message, private_words
from tests.league import POOL, add_leaderboard, add_rated_match


@pytest.fixture(autouse=True)
async def _league(room: Room) -> None:
    """Puts Ola first, Максим second and Kasia third."""
    people = [UserId(person.id) for person in (room.ola, room.maksim, room.kasia)]
    await add_leaderboard(room.services.store, *people, guild=GuildId(room.discord.guild.id))


@pytest.fixture
def roles(room: Room) -> list[Role]:
    return [room.discord.make_role(name) for name in ("First", "Second", "Third")]


async def open_rewards(room: Room) -> Message:
    """Opens the panel for Ola, who owns the server."""
    panel = await room.ola.command(room.channel, "settings server").followed()
    return await room.ola.click(panel, "Roles for top places").followed()


async def load_rewards(room: Room) -> RoleRewards:
    async with room.services.store.read() as reader:
        rewards = await reader.role_rewards.get(GuildId(room.discord.guild.id))
    assert rewards is not None
    return rewards


async def wait_for_roles(room: Room, trouble: GrantProblem | None = None) -> None:
    """Returns when all roles are given and taken, or when a `trouble` prevents it. Raises TimeoutError."""
    async with asyncio.timeout(HANG_SECONDS):
        while True:
            async with room.services.store.read() as reader:
                stirring = await reader.role_rewards.to_update(await reader.clock.now(), 1)
            if not stirring or (trouble and (await load_rewards(room)).trouble is trouble):
                return
            room.bot.workers.roles.wake()


async def choose_roles(room: Room, *roles: Role) -> None:
    panel = await open_rewards(room)
    for step, role in enumerate(roles):
        panel = await choose(room.ola, panel, f"podium:role{step}", role.id)
    await wait_for_roles(room)


def roles_of_all(room: Room) -> list[set[str]]:
    """Returns the roles of Ola, Максим and Kasia."""
    return [room.discord.roles_of(person) for person in (room.ola, room.maksim, room.kasia)]


async def let_kasia_lead(room: Room) -> None:
    """Lets Kasia beat Ola, which puts her first."""
    guild = GuildId(room.discord.guild.id)
    await add_rated_match(room.services.store, UserId(room.kasia.id), UserId(room.ola.id), day=60, guild=guild)
    room.bot.workers.roles.wake()


async def test_the_top_places_get_their_roles(room: Room, roles: list[Role]) -> None:
    await choose_roles(room, *roles)
    assert roles_of_all(room) == [{"First"}, {"Second"}, {"Second"}]
    assert "I give these roles automatically" in (await open_rewards(room)).text


async def test_a_role_goes_with_its_place(room: Room, roles: list[Role]) -> None:
    await choose_roles(room, *roles)
    await let_kasia_lead(room)
    await room.restart()
    await wait_for_roles(room)
    assert roles_of_all(room) == [{"Second"}, {"Second"}, {"First"}]


async def test_the_panel_chooses_the_leaderboard_and_leads_back(room: Room, roles: list[Role]) -> None:
    panel = await choose(room.ola, await open_rewards(room), "podium:role2", roles[2].id)
    panel = await choose(room.ola, panel, "podium:pool", "quick-live")
    panel = await room.ola.click(panel, "By rating").followed()
    assert "By season points" in panel.labels
    rewards = await load_rewards(room)
    assert (str(rewards.pool), rewards.seasonal, rewards.roles) == ("quick-live", True, (None, None, roles[2].id))
    panel = await room.ola.click(panel, "Back").followed()
    assert "Change defaults" in panel.labels


async def test_without_the_permission_no_role_is_chosen(room: Room, roles: list[Role]) -> None:
    panel = await open_rewards(room)
    room.discord.set_bot_permissions(MEMBER)
    words = await private_words(room.ola.click(panel, "podium:role0", [roles[0].id]))
    assert "allow me **Manage Roles**" in words
    assert "⚠️ I can't give the roles" in (await open_rewards(room)).text


async def test_a_role_above_the_bots_is_refused_by_name(room: Room) -> None:
    above = room.discord.make_role("Owner", above=True)
    panel = await open_rewards(room)
    words = await private_words(room.ola.click(panel, "podium:role0", [above.id]))
    assert f"<@&{above.id}> is above my own role" in words
    bots = room.discord.guild.bot_role_id
    assert "belongs to everyone or to an app" in await private_words(room.ola.click(panel, "podium:role0", [bots]))


async def test_a_missing_permission_is_told_below_the_leaderboard_until_the_bot_has_it(
    room: Room, roles: list[Role]
) -> None:
    await choose_roles(room, roles[0])
    room.discord.set_bot_permissions(MEMBER)
    await let_kasia_lead(room)
    await wait_for_roles(room, GrantProblem.PERMISSION)
    shown = await private_message(room.ola.command(room.channel, "leaderboard"))
    assert "Allow me **Manage Roles**" in shown.text
    room.discord.set_bot_permissions(MEMBER | Permission.MANAGE_ROLES)
    await wait_for_roles(room)
    assert (await load_rewards(room)).trouble is None
    assert roles_of_all(room) == [set(), set(), {"First"}]


async def test_a_member_who_has_left_is_skipped(room: Room, roles: list[Role]) -> None:
    room.maksim.leave()
    await choose_roles(room, *roles)
    assert roles_of_all(room) == [{"First"}, set(), {"Second"}]
    room.ola.leave()
    await let_kasia_lead(room)
    await wait_for_roles(room)
    assert roles_of_all(room)[2] == {"First"}


async def test_a_player_who_deletes_their_data_loses_their_role_to_the_next(room: Room, roles: list[Role]) -> None:
    await choose_roles(room, roles[0])
    question = await room.ola.command(room.channel, "privacy delete").followed()
    await room.ola.click(question, question.labels[0]).followed()
    await wait_for_roles(room)
    assert roles_of_all(room) == [set(), {"First"}, set()]


async def test_only_managers_of_the_server_choose(room: Room, roles: list[Role]) -> None:
    room.discord.allow(room.channel, Permission.MANAGE_GUILD, room.maksim)
    panel = await room.maksim.command(room.channel, "settings server").followed()
    panel = await room.maksim.click(panel, "Roles for top places").followed()
    room.discord.deny(room.channel, Permission.MANAGE_GUILD, room.maksim)
    words = await private_words(room.maksim.click(panel, "podium:role0", [roles[0].id]))
    assert "Manage Server" in words


async def test_players_without_a_place_get_no_role(room: Room) -> None:
    await let_kasia_lead(room)
    newcomer = room.discord.invite("Newcomer")
    guild, users = GuildId(room.discord.guild.id), (UserId(newcomer.id), UserId(room.ola.id))
    await add_rated_match(room.services.store, *users, day=60, guild=guild)
    async with room.services.store.read() as reader:
        lines = await reader.leaderboards.leaders(POOL, guild, 0, 9)
    assert lines[-1].user == newcomer.id
    assert lines[-1].rating.value > lines[0].rating.value
    rewards = RoleRewards(guild, POOL, roles=(RoleId(1), RoleId(2), RoleId(3)))
    assert newcomer.id not in {grant.user for grant in grants(rewards, lines)}
