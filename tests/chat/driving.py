"""A chat as a test drives it: people who write and press, and what they see, the same on every platform."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, Protocol

from chat.parts import ChatParts
from chat.port import ChatPlatform, Place
from play.ids import GuildId, UserId
from tests.chat.fake import FakePlatform, pressed, typed
from tests.clock import SECOND, StoppedClock
from use_cases import UseCases


@dataclass(frozen=True)
class Who:
    """A person of a chat: their account in the program, and what their platform calls them."""

    user: UserId
    name: str
    native: Any


@dataclass(frozen=True)
class Seen:
    """A message as people see it now: in the group, to one `reader` directly, or as an alert."""

    key: Any
    text: str
    labels: tuple[str, ...] = ()
    picture: bytes | None = None
    file: bytes | None = None
    reader: str | None = None
    state: Any = None
    """Whatever changes with the message."""


class Driver(Protocol):
    """A platform with a group, the bot, and people. `tells_languages` says whether it names those of its people."""

    tells_languages: bool

    @property
    def platform(self) -> ChatPlatform: ...

    async def open(self, parts: ChatParts) -> None:
        """Lets the bot and the group be there."""

    async def join(self, name: str, language: str | None = None) -> Who:
        """Returns a new person of the group, to whom the bot may write."""

    async def say(
        self, who: Who, text: str, *, direct: bool = False, reply_to: Seen | None = None, mention: Who | None = None
    ) -> None:
        """Lets a person write a line, and the bot read it."""

    async def press(self, who: Who, seen: Seen, label: str) -> None:
        """Lets a person press a button, and the bot hear of it."""

    async def place(self) -> int:
        """Returns the place of the group."""

    async def make_manager(self, who: Who) -> None:
        """Lets a person manage the group."""

    async def remove(self, who: Who) -> None:
        """Removes a person from the group, and lets the bot hear of it."""

    async def remove_bot(self) -> None:
        """Removes the bot from the group, and lets it hear of that."""

    def seen(self) -> Sequence[Seen]:
        """Returns all messages of the bot, in their order."""


class FakeDriver:
    """The platform in memory."""

    tells_languages = True

    def __init__(self, use_cases: UseCases, clock: StoppedClock) -> None:
        self.platform = FakePlatform(use_cases)
        self._clock = clock
        self._numbers = count(1)
        self._parts: ChatParts
        self._group: Place

    async def open(self, parts: ChatParts) -> None:
        self._parts = parts
        self.platform.own_id = (await self.platform.join("Kropka", is_bot=True)).id
        channel = await self.platform.place("group")
        self._group = Place(channel, GuildId(channel))

    async def place(self) -> int:
        """Returns the place of the group."""
        return self._group.channel

    async def make_manager(self, who: Who) -> None:
        self.platform.managers.add(who.user)

    async def remove(self, who: Who) -> None:
        raise NotImplementedError("real platforms tell of it")

    async def remove_bot(self) -> None:
        raise NotImplementedError("real platforms tell of it")

    async def join(self, name: str, language: str | None = None) -> Who:
        person = await self.platform.join(name, language)
        return Who(person.id, name, person)

    async def say(
        self, who: Who, text: str, *, direct: bool = False, reply_to: Seen | None = None, mention: Who | None = None
    ) -> None:
        place = Place(await self.platform.direct(who.user)) if direct else self._group
        more = {"reply_to": reply_to.key if reply_to else None, "mentions": (mention.native,) if mention else ()}
        line = typed(place, who.native, text, self._clock.advance(SECOND), next(self._numbers), **more)
        await self._parts.conversation.read(line)

    async def press(self, who: Who, seen: Seen, label: str) -> None:
        shown = self.platform.message(seen.key)
        is_direct = shown.channel == await self.platform.direct(who.user)
        place = Place(shown.channel) if is_direct else self._group
        press = pressed(place, who.native, shown.button(label), shown, self._clock.advance(SECOND), next(self._numbers))
        await self._parts.conversation.press(press)

    def seen(self) -> Sequence[Seen]:
        names = {person.id: person.name for person in self.platform.people.values()}
        return [
            Seen(
                each.id,
                each.message.text + each.message.fixed,
                tuple(button.label for button in each.buttons),
                each.message.picture.png if each.message.picture else None,
                each.message.file.data if each.message.file else None,
                names.get(each.reader) if each.reader else None,
                each.edits,
            )
            for each in self.platform.shown
        ]
