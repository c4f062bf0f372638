"""A join on simcord, a simulation of Discord by others: the gateway's words for it are not ours."""

from __future__ import annotations

from pathlib import Path

from simcord.backend import serializers

from tests.bot.simcord_room import SimcordRoom, simcord_room

TEXT = "I play **Dots** with you"


async def tell_of_server(room: SimcordRoom) -> None:
    """Sends GUILD_CREATE, as the gateway does for each server when the bot connects; then posts what is due."""
    backend = room.env.backend
    backend.emit("GUILD_CREATE", serializers.guild_create_payload(backend, backend.guilds[room.guild.id]))
    await room.env.settle()
    await room.bot.workers.greetings.poll()


async def test_a_server_is_greeted_once_in_its_first_channel(tmp_path: Path) -> None:
    async with simcord_room(tmp_path) as room:
        for _ in range(2):
            await tell_of_server(room)
        (card,) = room.channel.history()
        assert TEXT in str(card.components)
        assert len(card.attachments) == 1
        assert len(room.bot.client.guilds) == 0
