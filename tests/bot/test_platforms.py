"""A bot of several platforms in one process, and one without Discord."""

from __future__ import annotations

import asyncio
from typing import Any

import aiohttp

from bot import app
from bot.features.registry import offered_presets
from bot.parts import Setup
from bot.platforms import telegram as make_telegram
from storage import Database
from telegram.api import BotApi
from tests.bot.jobs import job_pool
from tests.clock import StoppedClock
from tests.telegram import stand_in
from tests.telegram.stand_in import TOKEN, Sent, Telegram


async def shown(telegram: Telegram, chat: int, part: str) -> Sent:
    """Waits for a message with this part."""
    async with asyncio.timeout(20):
        while True:
            for each in reversed(telegram.in_chat(chat)):
                if part in each.text:
                    return each
            await asyncio.sleep(0.02)


async def test_telegram_alone_is_a_whole_bot(url: str, clock: StoppedClock) -> None:
    async with stand_in.serve(clock) as telegram, aiohttp.ClientSession() as session:
        api = BotApi(session, TOKEN, telegram.address)
        setup = Setup(
            offered_presets(dot_dash=True),
            job_pool=job_pool,
            chats=[lambda use_cases: make_telegram(api, TOKEN, use_cases)],
        )
        database: Any = Database.open(url, now=clock)
        async with app.run(database, TOKEN, setup, on_discord=False):
            group, ola, bob = telegram.group("Dots"), telegram.join("ola", "en"), telegram.join("bob", "en")
            telegram.write(bob, group, "/help")
            await shown(telegram, group, "Dots")
            telegram.write(ola, group, "/challenge @bob 20x20, first")
            card = await shown(telegram, group, "challenges you")
            telegram.press(bob, card, "Accept")
            await shown(telegram, group, "your turn")
            telegram.write(ola, group, "C3")
            await shown(telegram, group, "C3")
