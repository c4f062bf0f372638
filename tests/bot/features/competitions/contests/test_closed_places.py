"""A contest whose channel is closed to the bot on one server, deleted, or left: the other server goes on, and knows."""

from __future__ import annotations

import re

import pytest

from loopback import Permission, errors
from play.competitions.contest import SHOW_MILLIS, Cause, Stage
from play.posts import MAX_GONE_MILLIS
from tests.bot.features.competitions.contests.test_contests import Fair
from tests.bot.features.match.delivery.test_lost_channels import direct_message
from tests.bot.room import Room
from tests.clock import DAY

MESSAGES = "/channels/{channel_id}/messages"
MESSAGE = f"{MESSAGES}/{{message_id}}"


@pytest.fixture
async def fair(room: Room) -> Fair:
    return Fair(room)


async def test_a_closed_channel_holds_the_games_until_it_is_open(fair: Fair) -> None:
    room = fair.room
    await fair.accept()
    await fair.sign_up()
    room.discord.deny(fair.there, Permission.SEND_MESSAGES)
    await room.pass_time(2 * DAY)
    room.use_cases.events.contest_changed()
    said = (await direct_message(room, fair.jadwiga, "Spotkanie z innym serwerem")).content
    assert f"<#{fair.there.id}>" in said
    assert not any(board.match for board in (await room.use_cases.contests.load(fair.id)).boards)
    room.discord.allow(fair.there, Permission.SEND_MESSAGES)
    contest = await fair.contest(lambda now: bool(now.boards) and all(board.match for board in now.boards))
    calls = [each for each in room.discord.messages(fair.here) if "pair" in each.content and each.mentions]
    assert len(calls) == len(contest.boards) == 3
    assert fair.wall.violations == []


async def test_a_server_without_a_channel_for_a_month_loses_what_has_not_begun(fair: Fair) -> None:
    await fair.accept()
    await fair.sign_up()
    fair.room.discord.delete_channel(fair.there)
    await fair.room.wait_for_handlers()
    await fair.room.pass_time(SHOW_MILLIS)
    fair.room.use_cases.events.contest_changed()
    await direct_message(fair.room, fair.jadwiga, "Kanału już nie ma")
    await fair.room.pass_time(MAX_GONE_MILLIS + DAY)
    contest = await fair.contest(lambda now: now.stage is Stage.ENDED)
    assert contest.score.boards == (3, 0)
    assert "Spotkanie z innym serwerem" in (await direct_message(fair.room, fair.jadwiga, "To już koniec")).content


async def test_a_server_that_removes_the_bot_cancels_what_has_not_begun(fair: Fair) -> None:
    await fair.accept()
    await fair.sign_up()
    fair.room.discord.expel_bot(fair.zagroda)
    contest = await fair.contest(lambda now: now.stage is Stage.CANCELLED)
    assert contest.cause is Cause.CHANNEL
    assert "no channel" in fair.message(fair.here).content


@pytest.mark.parametrize("code", [200000, 240000, 50035])
async def test_a_table_that_is_refused_ends_no_contest(fair: Fair, code: int) -> None:
    await fair.accept()
    fault = fair.room.discord.fault("PATCH", MESSAGE, 400, code=code, times=None)
    await fair.sign_up()
    await fair.room.pass_time(2 * DAY)
    contest = await fair.contest(lambda now: bool(now.boards) and all(board.match for board in now.boards))
    assert contest.stage is Stage.RUNNING
    assert fault.hits


async def test_a_call_with_names_that_a_filter_refuses_comes_without_them(fair: Fair) -> None:
    fair.room.discord.fault("POST", MESSAGES, errors.MESSAGE_BLOCKED, times=None, word="Zofia")
    contest = await fair.begin_games()
    calls = [each.content for each in fair.room.discord.messages(fair.here) if each.content.startswith("Pair ")]
    number = next(board.number for board in contest.boards if fair.zofia in contest.users_of(board))
    assert calls == [f"Pair {number}"]


async def test_a_contest_does_not_link_to_threads_that_discord_has_not_opened(fair: Fair) -> None:
    """The games are played in the channel then, where the table is."""
    fair.room.discord.fault("POST", f"{MESSAGE}/threads", 400, code=160006, times=None)
    await fair.accept(vote="12h")
    await fair.contest(lambda now: bool(now.boards and now.boards[0].match))
    for channel in (fair.here, fair.there):
        linked = re.findall(r"<#(\d+)>", fair.message(channel).content)
        assert linked == [str(channel.id)]
