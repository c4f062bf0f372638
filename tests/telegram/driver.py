"""Telegram's stand-in as tests of all chat platforms drive it."""

from __future__ import annotations

from collections.abc import Sequence

import aiohttp

from chat.parts import ChatParts
from presentation.words.words import languages
from telegram.api import BotApi
from telegram.places import Where
from telegram.platform import TelegramPlatform
from telegram.updates import Updates
from tests.chat.driving import Seen, Who
from tests.clock import SECOND, StoppedClock
from tests.telegram.stand_in import TOKEN, Sent, Telegram
from use_cases import UseCases


class TelegramDriver:
    """The stand-in with a group, and the adapter before it."""

    tells_languages = True

    def __init__(
        self,
        use_cases: UseCases,
        clock: StoppedClock,
        telegram: Telegram,
        session: aiohttp.ClientSession,
        app: str | None = None,
    ) -> None:
        self.telegram = telegram
        self.api = BotApi(session, TOKEN, telegram.address)
        self.platform = TelegramPlatform(self.api, use_cases, app=app)
        self.group = telegram.group("Dots")
        self._use_cases = use_cases
        self._clock = clock
        self.updates: Updates

    async def open(self, parts: ChatParts) -> None:
        cases = self._use_cases
        told = cases.store, cases.outages, languages(), cases.forget_channel
        self.updates = Updates(self.api, self.platform, parts.conversation, *told)
        await self.platform.log_in()

    async def place(self) -> int:
        """Returns the place of the group."""
        return (await self.platform.place_of(Where(self.group))).channel

    async def make_manager(self, who: Who) -> None:
        self.telegram.managers.add((self.group, who.native.id))

    async def remove(self, who: Who) -> None:
        self.telegram.gone.add((self.group, who.native.id))
        self.telegram.service(self.group, left_chat_member=who.native.told)
        await self.updates.poll()

    async def remove_bot(self) -> None:
        self.telegram.remove_bot(self.group, next(iter(self.telegram.users.values())))
        await self.updates.poll()

    async def join(self, name: str, language: str | None = None) -> Who:
        user = self.telegram.join(name, language)
        return Who(await self.platform.user_id(user.id), name, user)

    async def say(
        self, who: Who, text: str, *, direct: bool = False, reply_to: Seen | None = None, mention: Who | None = None
    ) -> None:
        self._clock.advance(SECOND)
        chat = who.native.id if direct else self.group
        if mention is not None:
            await self.platform.meet(mention.native.told)
        number = None if reply_to is None else reply_to.key[1]
        self.telegram.write(who.native, chat, text, reply_to=number)
        await self.updates.poll()

    async def press(self, who: Who, seen: Seen, label: str) -> None:
        self._clock.advance(SECOND)
        self.telegram.press(who.native, self._sent(seen), label)
        await self.updates.poll()

    def seen(self) -> Sequence[Seen]:
        found = [
            Seen(
                (each.chat, each.number),
                each.text,
                tuple(button["text"] for button in each.buttons),
                each.photo,
                each.document[1] if each.document else None,
                self.telegram.users[each.chat].first_name if each.chat > 0 else None,
                each.edits,
            )
            for each in self.telegram.sent
        ]
        alerts = [
            Seen(each["callback_query_id"], each["text"], reader="?") for each in self.telegram.alerts if "text" in each
        ]
        return [*found, *alerts]

    def _sent(self, seen: Seen) -> Sent:
        return next(each for each in self.telegram.sent if (each.chat, each.number) == seen.key)
