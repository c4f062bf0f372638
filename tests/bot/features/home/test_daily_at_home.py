"""The home post has the daily, unless that has a channel of its own, and tells how yesterday went."""

from __future__ import annotations

from dataclasses import replace

from loopback import Message
from play.community.puzzle import puzzle_day
from play.ids import ChannelId, GuildId, UserId
from tests.bot.room import Room
from tests.clock import DAY


async def home_text(room: Room) -> str:
    """Gives the server its home anew in #general; returns what it says."""
    guild = GuildId(room.discord.guild.id)
    known = len(room.discord.messages(room.general))
    await room.use_cases.homes.stop(guild)
    await room.use_cases.homes.settle(guild, ChannelId(room.general.id), None, UserId(1))

    def newest() -> Message | None:
        messages = room.discord.messages(room.general)
        return messages[-1] if len(messages) > known else None

    home: Message = await room.discord.until(newest)
    return home.text + " ".join(home.labels)


async def test_the_home_has_the_daily_and_the_recap_of_yesterday(room: Room) -> None:
    day, user, dailies = puzzle_day(room.clock()), UserId(room.kasia.id), room.use_cases.dailies
    shown = await home_text(room)
    assert "Kropka Daily" in shown
    assert "Today's puzzles" in shown
    assert "solved it" not in shown
    state = await dailies.open(user, GuildId(room.discord.guild.id), room.clock())
    while state.solving is not None:
        state = await dailies.play(day, user, state.run.tries, state.solving.node.line[0], room.clock())
    await room.pass_time(DAY)
    assert "1 player here solved it" in await home_text(room)


async def test_a_daily_with_a_channel_of_its_own_is_not_at_home(room: Room) -> None:
    guild = GuildId(room.discord.guild.id)
    await room.use_cases.dailies.change_place(
        guild, lambda place: replace(place, channel=ChannelId(room.channel.id)), UserId(1)
    )
    assert "Kropka Daily" not in await home_text(room)
