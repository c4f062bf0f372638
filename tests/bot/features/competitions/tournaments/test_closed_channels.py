"""A tournament whose channel is closed to the bot, or deleted: its host is told, once, and its games go on."""

from __future__ import annotations

import pytest

from loopback import Permission
from play.competitions.tournament import Stage
from tests.bot.features.competitions.tournaments.cup import (
    begin_with,
    invite,
    load_tournament,
    make_tournament,
    resign_all,
    wait_for,
)
from tests.bot.features.match.delivery.test_lost_channels import direct_message
from tests.bot.panels import confirm
from tests.bot.room import Room

TITLE = "Tournament **Autumn Cup**"


async def begin_round(room: Room) -> None:
    await begin_with(room, invite(room, 4), format="round-robin")


async def close_in_mid_tournament(room: Room) -> None:
    """Takes the right to write away, and lets the round end."""
    room.discord.deny(room.channel, Permission.SEND_MESSAGES)
    await resign_all(room, await load_tournament(room))


def warnings(room: Room) -> list[str]:
    """Returns what the host was told in private."""
    return [each.content for each in room.discord.messages(room.ola.open_dm()) if TITLE in each.content]


async def retry(room: Room, times: int = 5) -> None:
    """Lets the director try so many times more."""
    for _ in range(times):
        tried = len(room.discord.requests)
        room.use_cases.events.tournament_changed()
        await room.discord.until(lambda tried=tried: len(room.discord.requests) > tried)  # type: ignore[misc]


async def test_the_host_is_told_once_also_over_a_restart(room: Room) -> None:
    await begin_round(room)
    await close_in_mid_tournament(room)
    await direct_message(room, room.ola, TITLE)
    await room.restart()
    room.clock.advance(3_600_000)
    await retry(room)
    assert len(warnings(room)) == 1


async def test_a_round_that_begins_while_the_channel_is_closed_is_announced_afterwards(room: Room) -> None:
    await begin_round(room)
    await close_in_mid_tournament(room)
    await direct_message(room, room.ola, TITLE)
    room.discord.allow(room.channel, Permission.SEND_MESSAGES)
    room.use_cases.events.tournament_changed()
    await wait_for(room, lambda now: now.round == 2 and not now.pending_notices)
    assert [each for each in room.discord.messages(room.channel) if "round 2. The games" in each.content]


@pytest.mark.parametrize("code", [50007, 50278])
async def test_a_host_without_direct_messages_holds_nothing_up(room: Room, code: int) -> None:
    await begin_round(room)
    room.ola.close_dms()
    await close_in_mid_tournament(room)

    async def noted() -> bool:
        async with room.services.store.read() as reader:
            return await reader.kept_posts.trouble((await load_tournament(room)).post.key) is not None

    await room.until(noted)
    room.discord.allow(room.channel, Permission.SEND_MESSAGES)
    room.use_cases.events.tournament_changed()
    await wait_for(room, lambda now: now.round == 2 and not now.pending_notices)


async def test_games_of_a_tournament_go_on_without_its_channel(room: Room) -> None:
    await begin_round(room)
    room.discord.delete_channel(room.channel)
    await direct_message(room, room.ola, "Its channel is gone")
    await direct_message(room, room.kasia, "I can no longer post")
    assert (await load_tournament(room)).stage is Stage.RUNNING


async def test_a_tournament_that_its_host_has_cancelled_is_not_cancelled_again(room: Room) -> None:
    await make_tournament(room)
    await confirm(room.ola, room.ola.command(room.channel, "tournament cancel"), "Cancel tournament")
    await wait_for(room, lambda now: now.stage is Stage.CANCELLED)
    room.discord.delete_channel(room.channel)
    await room.restart()
    assert warnings(room) == []
