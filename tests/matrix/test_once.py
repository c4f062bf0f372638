"""A bot that is killed between the sending of a board and its commit posts none twice and loses none."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from chat.publisher import ChatPublisher
from play.ids import MessageId
from play.match.match import Match
from play.match.outbox_entry import OutboxEntry
from storage import Database
from tests.matrix.conftest import Meet
from tests.matrix.game import GameBot, begin_game, boards, wait_for_boards
from tests.matrix.synapse import Synapse

KILLS = 30


class Killed(BaseException):
    """The end of a process: nothing catches it."""


class Killing:
    """Posts a board as its publisher does, and ends the process before that is noted."""

    def __init__(self, publisher: ChatPublisher) -> None:
        self._publisher = publisher

    async def announce(self, match: Match, announcement: OutboxEntry) -> MessageId:
        await self._publisher.announce(match, announcement)
        raise Killed

    def __getattr__(self, name: str) -> Any:
        return getattr(self._publisher, name)


async def test_thirty_kills_between_sending_and_commit_post_no_board_twice_and_lose_none(
    synapse: Synapse, store: Database, meet: Meet
) -> None:
    ola, piet = await meet("ola"), await meet("piet")
    account = await asyncio.to_thread(synapse.register, "once")
    async with GameBot(synapse, store, account) as bot:
        room = await begin_game(bot, ola, piet)
        await bot.stop_posting()
        for number in range(KILLS):
            player, move = (ola, piet)[number % 2], f"{'ABCDEFGHJK'[number % 10]}{1 + 2 * (number // 10) + number % 2}"
            await player.say(room, move)
            await bot.moved(number + 1)
            with pytest.raises(Killed):
                await bot.post(Killing(bot.parts.publisher))
            await bot.post(bot.parts.publisher)
        await wait_for_boards(ola, room, KILLS + 1)
        names = [event["content"]["filename"] for event in boards(ola, room)]
    assert len(names) == KILLS + 1
    assert len(set(names)) == KILLS + 1
