"""A chat whose client shows the site as a Mini App: all that the site hears of it are signed data."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from bot.platforms import Chat
from chat.parts import ChatParts
from loopback import Person
from play.ids import UserId
from telegram.launches import Launches
from tests.chat.fake import FakePlatform
from tests.telegram.signed import signed
from tests.telegram.stand_in import TOKEN
from use_cases import UseCases


def chat_with_app(use_cases: UseCases) -> Chat:
    """Returns the chat. A person there has the account that their first name says, so tests know people of one."""

    async def listen(_: ChatParts) -> None:
        await asyncio.Event().wait()

    async def meet(user: Mapping[str, Any]) -> UserId:
        return UserId(int(user["first_name"]))

    return Chat(FakePlatform(use_cases), listen, lambda _: Launches(TOKEN, meet))


def data_of(person: Person, now: int, **fields: Any) -> str:
    """Returns the data with which a person opens the Mini App at a moment."""
    return signed(now, user={"id": 777, "first_name": str(person.id)}, **fields)
