"""Faults between the bot and its homeserver: nothing is lost by it, and nothing is told twice."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from dataclasses import replace

import aiohttp
import pytest

from chat.messages import Message
from matrix.homeserver import Homeserver, SignedOut, TooFast, Unreachable
from matrix.places import Spot
from play.clock.schedule import Span
from play.ids import Millis, Platform
from storage import Database
from tests.clock import HOUR, StoppedClock
from tests.matches import pass_time
from tests.matrix.conftest import Meet
from tests.matrix.hearing import Bot
from tests.matrix.people import Player
from tests.matrix.synapse import Synapse
from tests.matrix.test_hearing import room_with
from tests.matrix.wire import Fault, Wire, cut, empty, html, signed_out, too_fast
from use_cases.worker import Timing

FAULTS = {"cut": cut, "html": html, "empty": empty}


@pytest.fixture
def clock() -> StoppedClock:
    return StoppedClock()


@pytest.fixture
async def store(url: str, clock: StoppedClock) -> AsyncIterator[Database]:
    async with Database.open(url, now=clock) as store:
        yield store


@pytest.fixture
async def wire(synapse: Synapse) -> AsyncIterator[Wire]:
    async with Wire(synapse.address) as wire:
        yield wire


@pytest.fixture
async def bot(synapse: Synapse, store: Database, wire: Wire) -> AsyncIterator[Bot]:
    """The adapter on the wire, whose pauses take no time."""
    timing = replace(Timing(), sleep=lambda seconds: asyncio.sleep(0.01))
    async with Bot(synapse, store, address=wire.address, timing=timing) as bot:
        yield bot


async def is_back(ola: Player, room: str, bot: Bot) -> None:
    """Waits until the bot hears."""
    await ola.say(room, "!now")
    await bot.notes.line("/now")


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
async def test_what_was_said_while_the_homeserver_was_out_of_reach_is_heard_after_it(
    bot: Bot, meet: Meet, wire: Wire, fault: Fault
) -> None:
    ola = await meet("ola")
    room = await room_with(bot, ola)
    wire.fault = fault
    await wire.requests(3, "sync")
    for number in range(120):
        await ola.say(room, f"!say {number}")
    wire.fault = lambda request: None
    await bot.notes.line("/say 119")
    assert [line.text for line in bot.notes.lines] == [f"/say {number}" for number in range(120)]


async def test_an_hour_without_the_homeserver_is_noted_as_an_outage(
    bot: Bot, meet: Meet, wire: Wire, store: Database, clock: StoppedClock
) -> None:
    ola = await meet("ola")
    room = await room_with(bot, ola)
    began = clock()
    wire.fault = cut
    await wire.requests(2, "sync")
    await pass_time(store, clock, HOUR)
    await wire.requests(2, "sync")
    wire.fault = lambda request: None
    await is_back(ola, room, bot)
    async with store.read() as reader:
        assert await reader.platforms.outages(Millis(0)) == [(Platform.MATRIX, Span(began, Millis(began + HOUR)))]


async def test_an_answer_that_takes_too_long_counts_as_none(synapse: Synapse, bot: Bot, wire: Wire) -> None:
    wire.late_seconds = lambda request: 1.0
    async with aiohttp.ClientSession() as session:
        homeserver = Homeserver(wire.address, bot.account.token, session, seconds=0.2)
        with pytest.raises(Unreachable):
            await homeserver.who_am_i()


async def test_a_sync_that_answers_late_loses_nothing_and_is_no_outage(
    bot: Bot, meet: Meet, wire: Wire, store: Database
) -> None:
    ola = await meet("ola")
    room = await room_with(bot, ola)
    wire.late_seconds = lambda request: 1.5 if request.path.endswith("/sync") else 0.0
    for number in range(3):
        await ola.say(room, f"!say {number}")
    await bot.notes.line("/say 2")
    assert [line.text for line in bot.notes.lines] == ["/say 0", "/say 1", "/say 2"]
    async with store.read() as reader:
        assert await reader.platforms.outages(Millis(0)) == []


async def test_a_direct_room_that_was_made_before_a_kill_is_not_made_again(
    synapse: Synapse, store: Database, bot: Bot, meet: Meet, wire: Wire
) -> None:
    ola = await meet("ola")
    await room_with(bot, ola)
    user = await bot.places.user(ola.user)
    wire.deaf = lambda request: cut(request) if request.path.endswith("/createRoom") else None
    with pytest.raises(Unreachable):
        await bot.platform.tell(user, Message("One"), "one")
    bot.task.cancel()
    await asyncio.gather(bot.task, return_exceptions=True)
    async with Bot(synapse, store, bot.account) as again:
        await again.platform.log_in()
        await again.platform.tell(user, Message("Two"), "two")
    direct = await ola.wait_for_invite(bot.user)
    await ola.wait_for_text("Two", direct)
    assert [*ola.invites] == [direct]


async def test_two_messages_at_once_open_one_direct_room(bot: Bot, meet: Meet) -> None:
    ola = await meet("ola")
    await room_with(bot, ola)
    user = await bot.places.user(ola.user)
    await asyncio.gather(*(bot.platform.tell(user, Message(text), text) for text in ("One", "Two")))
    direct = await ola.wait_for_invite(bot.user)
    for text in ("One", "Two"):
        await ola.wait_for_text(text, direct)


async def test_a_message_whose_answer_was_lost_is_posted_once(bot: Bot, meet: Meet, wire: Wire) -> None:
    ola = await meet("ola")
    room = await room_with(bot, ola)
    channel = await bot.places.channel(Spot(room))
    wire.deaf = lambda request: cut(request) if "/send/" in request.path else None
    with pytest.raises(Unreachable):
        await bot.platform.post(channel, Message("Board 7"), "b7")
    wire.deaf = lambda request: None
    await bot.platform.post(channel, Message("Board 7"), "b7")
    await bot.platform.post(channel, Message("Board 8"), "b8")
    await ola.wait_for_text("Board 8", room)
    assert [text for text in ola.texts(room) if "Board" in text] == ["Board 7", "Board 8"]


async def test_a_post_that_is_too_fast_says_for_how_long(bot: Bot, meet: Meet, wire: Wire) -> None:
    ola = await meet("ola")
    channel = await bot.places.channel(Spot(await room_with(bot, ola)))
    wire.fault = lambda request: too_fast(request) if "/send/" in request.path else None
    with pytest.raises(TooFast) as told:
        await bot.platform.post(channel, Message("Board"), "b")
    assert told.value.seconds is not None
    assert 50 < told.value.seconds <= 60


async def test_a_real_limit_lets_all_through_in_the_end(
    synapse: Synapse, bot: Bot, meet: Meet, monkeypatch: pytest.MonkeyPatch
) -> None:
    ola, admin = await meet("ola"), await asyncio.to_thread(synapse.register, "boss", admin=True)
    room = await room_with(bot, ola)
    channel = await bot.places.channel(Spot(room))
    limit = {"messages_per_second": 4, "burst_count": 1}
    path = f"/_synapse/admin/v1/users/{bot.user}/override_ratelimit"
    await asyncio.to_thread(synapse.ask, "POST", path, limit, admin.token)
    await asyncio.gather(*(bot.platform.post(channel, Message(f"Board {n}"), f"b{n}") for n in range(5)))
    await ola.wait_for(lambda event: sum("Board" in text for text in ola.texts(room)) == 5)
    assert sorted(text for text in ola.texts(room) if "Board" in text) == [f"Board {n}" for n in range(5)]


async def test_a_token_that_is_known_no_more_stops_matrix_and_says_so(
    bot: Bot, meet: Meet, wire: Wire, caplog: pytest.LogCaptureFixture
) -> None:
    await room_with(bot, await meet("ola"))
    wire.fault = signed_out
    await wire.requests(1, "sync")
    seen = wire.seen["sync"]
    await asyncio.sleep(0.5)
    said = [record.getMessage() for record in caplog.records if record.levelno == logging.ERROR]
    assert (len(said), "KROPKA_MATRIX_TOKEN" in said[0], bot.account.token in caplog.text) == (1, True, False)
    assert (wire.seen["sync"], bot.task.done()) == (seen, False)


async def test_a_board_waits_for_another_token(bot: Bot, meet: Meet, wire: Wire) -> None:
    channel = await bot.places.channel(Spot(await room_with(bot, await meet("ola"))))
    wire.fault = signed_out
    with pytest.raises(SignedOut):
        await bot.platform.post(channel, Message("Board"), "b")


async def test_after_a_restart_nothing_is_heard_twice_and_nothing_is_missed(
    synapse: Synapse, store: Database, bot: Bot, meet: Meet
) -> None:
    ola = await meet("ola")
    room = await room_with(bot, ola)
    await is_back(ola, room, bot)
    position = None
    async with asyncio.timeout(60):
        while position is None or bot.connection.homeserver is None:
            async with store.read() as reader:
                position = await reader.platforms.position(Platform.MATRIX, bot.user)
    bot.task.cancel()
    await asyncio.gather(bot.task, return_exceptions=True)
    await ola.say(room, "!while away")
    async with Bot(synapse, store, bot.account) as again:
        await again.notes.line("/while away")
        keys = {line.key for line in bot.notes.lines}
        assert [line.text for line in again.notes.lines if line.key not in keys] == ["/while away"]
