"""Members who have left a server: its tables pass over them, and they have all again when they are back."""

from __future__ import annotations

import pytest

from loopback import Person
from loopback.permissions import Permission
from play.ids import GuildId, UserId
from tests.bot.room import Room, private_words
from tests.league import add_leaderboard


@pytest.fixture(autouse=True)
async def _ready(room: Room) -> None:
    """Puts Ola, Максим and Kasia on a leaderboard and on a ladder, in this order."""
    people = (room.ola, room.maksim, room.kasia)
    users = [UserId(person.id) for person in people]
    await add_leaderboard(room.services.store, *users, guild=GuildId(room.discord.guild.id))
    room.discord.allow(room.channel, Permission.MANAGE_MESSAGES, room.ola)
    await private_words(room.ola.command(room.channel, "ladder create"))
    for person in people:
        await private_words(person.command(room.channel, "ladder join"))


async def leave(room: Room, person: Person) -> None:
    """Lets a person leave, when the bot has forgotten what it knew of them."""
    person.leave()
    await room.restart()


async def leaderboard(room: Room) -> str:
    return await private_words(room.kasia.command(room.channel, "leaderboard"))


async def ladder(room: Room) -> list[str]:
    shown = await private_words(room.kasia.command(room.channel, "ladder show"))
    return [line.split("**")[1] for line in shown.splitlines() if line[:1].isdigit()]


async def test_the_leaderboard_passes_over_who_has_left_at_the_first_look(room: Room) -> None:
    assert "🥇 **Ola**" in await leaderboard(room)
    await leave(room, room.ola)
    shown = await leaderboard(room)
    assert "Ola" not in shown
    assert "🥇 **Максим**" in shown


async def test_the_leaderboard_of_all_servers_keeps_who_has_left_one(room: Room) -> None:
    await leave(room, room.ola)
    await leaderboard(room)
    shown = await private_words(room.kasia.command(room.channel, "leaderboard", everywhere=True))
    assert "🥇 **Ola**" in shown


async def test_who_is_back_has_the_place_again_with_their_first_click(room: Room) -> None:
    await leave(room, room.ola)
    await leaderboard(room)
    room.ola.rejoin()
    await private_words(room.ola.command(room.channel, "help"))
    await room.wait_for_handlers()
    assert "🥇 **Ola**" in await leaderboard(room)


async def test_the_ladder_passes_over_who_has_left_until_they_are_back(room: Room) -> None:
    await leave(room, room.maksim)
    await ladder(room)
    assert await ladder(room) == ["Ola", "Kasia Wiśniewska"]
    words = await private_words(room.kasia.command(room.channel, "ladder challenge", opponent=room.maksim))
    assert "isn't on the ladder" in words
    room.maksim.rejoin()
    await private_words(room.maksim.command(room.channel, "help"))
    await room.wait_for_handlers()
    assert await ladder(room) == ["Ola", "Максим", "Kasia Wiśniewska"]


async def test_the_standing_of_the_ladder_is_shown_anew_without_who_has_left(room: Room) -> None:
    await leave(room, room.maksim)
    await ladder(room)

    def standing() -> str:
        return next(each.content for each in room.discord.messages(room.channel) if "1. **Ola**" in each.content)

    await room.discord.until(lambda: "2. **Kasia" in standing())
