"""News of a release, as a server reads them in its log."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import delete

from bot import __version__
from loopback import Discord, Message
from loopback.permissions import Permission
from play.ids import ChannelId, GuildId
from storage import schema
from tests.bot.features.settings.test_settings import open_settings
from tests.bot.room import Room
from tests.web.test_front import public


@pytest.fixture
def run_options(discord: Discord) -> dict[str, Any]:
    return {"hosting": public(discord.address.rstrip("/"))}


async def upgrade(room: Room) -> None:
    """Starts the bot as a release that has not run before."""
    async with room.services.store.write() as tx:
        await tx.connection.execute(delete(schema.release))
    await room.restart()


async def keep_log(room: Room) -> None:
    async with room.services.store.write() as tx:
        server = await tx.servers.get(GuildId(room.discord.guild.id))
        await tx.servers.save(replace(server, log_channel=ChannelId(room.general.id)))


def heard(room: Room) -> list[Message]:
    return [each for each in room.discord.messages(room.general) if "New in Kropka" in each.text]


async def settled(room: Room) -> bool:
    async with room.services.store.read() as reader:
        return not await reader.news.pending(1)


async def test_it_is_told_once_with_where_to_read_more(room: Room) -> None:
    await keep_log(room)
    await upgrade(room)
    (message,) = await room.discord.until(lambda: heard(room))
    assert f"[Guides](<{room.discord.address}help>)" in message.text
    assert f"[All changes](<https://kropka.example/source/blob/v{__version__}/CHANGELOG.md>)" in message.text
    await room.restart()
    await room.until(lambda: settled(room))
    assert len(heard(room)) == 1


async def test_a_manager_switches_it_off(room: Room) -> None:
    room.discord.allow(room.general, Permission.MANAGE_GUILD, room.ola)
    await keep_log(room)
    panel = await open_settings(room, room.ola, "server")
    await room.ola.click(panel, "What's new: on").followed()
    await upgrade(room)
    await room.until(lambda: settled(room))
    assert heard(room) == []
