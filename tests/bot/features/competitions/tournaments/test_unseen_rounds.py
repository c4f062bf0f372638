"""The time of a round, which begins when its players can see its games."""

from __future__ import annotations

from loopback import Permission
from tests.bot.features.competitions.tournaments.cup import (
    begin_with,
    invite,
    is_open,
    load_tournament,
    resign_all,
    told,
    wait_for,
)
from tests.bot.room import Room
from tests.clock import HOUR


async def test_nobody_loses_a_game_of_a_round_that_the_bot_could_not_post(room: Room) -> None:
    now = await begin_with(room, invite(room, 4), format="round-robin", pace="12h")
    assert now.round_ends == room.clock() + 12 * HOUR
    room.discord.deny(room.channel, Permission.SEND_MESSAGES)
    await resign_all(room, now)

    async def paired() -> bool:
        return (await load_tournament(room)).round == 2

    await room.until(paired)
    assert (await load_tournament(room)).round_ends is None
    await room.pass_time(13 * HOUR)
    room.discord.allow(room.channel, Permission.SEND_MESSAGES)
    room.use_cases.events.tournament_changed()
    now = await wait_for(room, lambda later: is_open(2)(later) and later.round_ends is not None)
    assert [bout.points for bout in now.current_pairings] == [None, None]
    assert now.round_ends == room.clock() + 12 * HOUR


async def test_a_round_links_to_the_places_where_its_games_are_played(room: Room) -> None:
    room.discord.fault("POST", "/channels/{channel_id}/messages/{message_id}/threads", 403, code=50013, times=2)
    now = await begin_with(room, invite(room, 4), format="round-robin")
    (announcement,) = told(room, "🔔")
    channels = [(await room.use_cases.matches.load(pair.match)).channel for pair in now.current_pairings if pair.match]
    assert room.channel.id in channels
    assert all(f"<#{channel}>" in announcement.content for channel in channels)
