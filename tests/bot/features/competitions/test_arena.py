"""Players of two servers in an arena: joined by button, paired without a question, and shown where a server follows."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from loopback import Message, Permission
from play.competitions.arena import Stage
from play.ids import MINUTE, ChannelId, GuildId, UserId
from tests.bot.arenas import begin, gather
from tests.bot.border import Border
from tests.bot.panels import choose
from tests.bot.room import Room, private_message, private_words


@pytest.fixture
async def border(room: Room) -> AsyncIterator[Border]:
    border = Border(room)
    yield border
    assert border.wall.violations == []


async def test_play_offers_the_arena_only_while_there_is_one(room: Room) -> None:
    panel = await private_message(room.ola.command(room.channel, "play"))
    assert "Join the arena" not in panel.labels
    await gather(room)
    panel = await private_message(room.ola.command(room.channel, "play"))
    assert "Join the arena" in panel.labels
    assert "It begins" in panel.text


async def test_a_player_joins_and_pauses_by_buttons(border: Border) -> None:
    room = border.room
    await gather(room)
    panel = await private_message(border.ola.command(border.here, "play"))
    joined = await border.ola.click(panel, "Join the arena").followed()
    assert "You're in" in joined.text
    arena = await room.use_cases.arenas.newest()
    assert arena is not None
    assert arena.present == (UserId(border.ola.id),)
    paused = await border.ola.click(joined, "Pause").followed()
    assert "Your points stay" in paused.text
    panel = await private_message(border.ola.command(border.here, "play"))
    assert "Join the arena" in panel.labels


async def test_two_of_two_servers_are_paired_without_a_question_and_neither_learns_the_others_server(
    border: Border,
) -> None:
    room = border.room
    await gather(room)
    for person, channel in ((border.ola, border.here), (border.jadwiga, border.there)):
        panel = await private_message(person.command(channel, "play"))
        await person.click(panel, "Join the arena").followed()
    for number in (1, 2):
        user = UserId(7_000_000 + number)
        await room.use_cases.arenas.join(user, GuildId(room.discord.guild.id), ChannelId(border.here.id), room.clock())
    await begin(room)

    async def playing() -> bool:
        async with room.services.store.read() as reader:
            return bool(await reader.matches.open_of(UserId(border.ola.id)))

    await room.until(playing)
    calls = [each for each in room.discord.messages(border.here) if "opponent is found" in each.text]
    assert calls
    assert all("I'm here" not in call.labels for call in calls)


async def follow(room: Room) -> Message:
    """Lets the channel follow the arenas by the settings; returns the panel."""
    room.discord.allow(room.channel, Permission.MANAGE_GUILD, room.ola)
    settings = await private_message(room.ola.command(room.channel, "settings server"))
    panel = await room.ola.click(settings, "Arena").followed()
    assert "No channel follows them." in panel.text
    return await choose(room.ola, panel, "arenapost:channel", room.channel.id)


async def test_a_channel_that_follows_has_the_arena_and_what_became_of_it(room: Room) -> None:
    await follow(room)
    await gather(room)

    async def shown() -> Message | None:
        found = [each for each in room.discord.messages(room.channel) if "Arena:" in each.text]
        return found[-1] if found else None

    message = await room.until(shown)
    assert "Join the arena" in message.labels
    await begin(room)

    async def over() -> bool:
        arena = await room.use_cases.arenas.newest()
        return arena is not None and arena.stage is Stage.TOO_FEW

    await room.until(over)
    await room.pass_time(MINUTE)  # the message may have been edited in this minute before the arena was over

    async def told() -> bool:
        room.bot.workers.arena_posts.wake()
        return "fewer than four players" in (await shown()).text  # type: ignore[union-attr]

    await room.until(told)


async def test_a_server_without_strangers_lets_nobody_join_in_its_channels(room: Room) -> None:
    await gather(room)
    panel = await private_message(room.ola.command(room.channel, "play"))
    async with room.services.store.write() as tx:
        server = await tx.servers.get(GuildId(room.discord.guild.id))
        await tx.servers.save(replace(server, strangers=False))
    assert "no games with players of other servers" in await private_words(room.ola.click(panel, "Join the arena"))
