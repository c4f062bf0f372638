"""Games of a server in tests: begun, voted in, counted."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from loopback import Channel, Message, Person
from play.ids import GuildId
from tests.bot.room import Room, private_message, private_words
from tests.clock import DAY, HOUR

COUNT_MILLIS = HOUR + 10_000
"""Milliseconds after which a vote of an hour is counted."""


async def begin_votes(room: Room, **options: Any) -> Message:
    """Begins a game of the server against Максим, when accounts are old enough; returns its first board. The server
    moves first."""
    await room.pass_time(8 * DAY)
    return await begin_votes_at_once(room, **options)


async def begin_votes_at_once(room: Room, *, threads: bool = False, **options: Any) -> Message:
    """Begins such a game now, in the channel or, with `threads`, in one of its own."""
    await switch_threads(room, on=threads)
    given = {"opponent": room.maksim, "time": "1h", "quorum": 2, "size": "20x20", **options}
    asked = await private_message(room.ola.command(room.channel, "vote begin", **given))
    await room.ola.click(asked, "Ask them").followed()
    card = room.discord.messages(room.channel)[-1]
    await room.maksim.click(card, "Accept").answered()
    return await room.wait_for_board(await room.wait_for_thread(card) if threads else room.channel, 0)


async def switch_threads(room: Room, *, on: bool) -> None:
    """Lets the server have a thread for each game, or none."""
    async with room.services.store.write() as tx:
        server = await tx.servers.get(GuildId(room.discord.guild.id))
        await tx.servers.save(replace(server, threads=on))


async def vote(person: Person, channel: Channel, point: str) -> str:
    """Votes by command; returns what the voter alone reads."""
    return await private_words(person.command(channel, "move", point=point))


async def count_votes(room: Room, after: int = COUNT_MILLIS) -> None:
    """Lets so many milliseconds pass, after which a vote is due, and has the bot look for it."""
    await room.pass_time(after)
    room.bot.workers.votes.wake()
