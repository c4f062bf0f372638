"""A chat platform in memory: messages as they were posted, edited and folded, for tests of what all platforms share."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import count

from chat.actions import MAX_CODE_BYTES
from chat.messages import Button, Message
from chat.port import Asked, Buttons, Once, Person, Place, Press, Private, Promises, Typed
from play.ids import ChannelId, GuildId, IdentityKind, MessageId, Millis, Platform, UserId, request_key
from presentation.markup import Markup
from use_cases import UseCases
from use_cases.worker import RetryLater, Undeliverable


class FakeMarkup(Markup):
    """No marks, on a platform with a name."""

    platform = "Fake"


FAKE = FakeMarkup("FAKE")

PROMISES = Promises(
    once=Once.KEY,
    private=Private.DIRECT,
    buttons=Buttons.INLINE,
    max_buttons=100,
    message_length=4096,
    caption_length=1024,
    threads=True,
)


@dataclass
class Shown:
    """A message as people see it now."""

    id: MessageId
    channel: ChannelId
    message: Message
    reader: UserId | None = None
    edits: int = 0

    @property
    def buttons(self) -> list[Button]:
        return [button for row in self.message.buttons for button in row]

    def button(self, label: str) -> Button:
        """Returns the button with this label, or one that contains it."""
        found = sorted((each for each in self.buttons if label in each.label), key=lambda each: each.label != label)
        assert found, f"{label!r} is none of {[each.label for each in self.buttons]}"
        return found[0]


@dataclass
class FakePlatform:
    """A platform whose people are known by their numbers. While it is `down`, nothing reaches it."""

    use_cases: UseCases
    kind: Platform = Platform.MATRIX
    shows_pages: bool = False
    promises: Promises = PROMISES
    markup: Markup = FAKE
    own_id: UserId | None = None
    people: dict[UserId, Person] = field(default_factory=dict)
    shown: list[Shown] = field(default_factory=list)
    closed: set[UserId] = field(default_factory=set)
    managers: set[UserId] = field(default_factory=set)
    down: bool = False
    directs: dict[ChannelId, UserId] = field(default_factory=dict)
    keys: dict[str, MessageId] = field(default_factory=dict)
    numbers: Iterable[int] = field(default_factory=lambda: count(1))

    async def join(self, name: str, language: str | None = None, *, is_bot: bool = False) -> Person:
        """Returns a new person."""
        user = UserId(await self.use_cases.identities.take(self.kind, IdentityKind.USER, f"@{name}:test"))
        person = self.people[user] = Person(user, name, language, is_bot)
        return person

    async def place(self, name: str) -> ChannelId:
        """Returns a place by its name."""
        return ChannelId(await self.use_cases.identities.take(self.kind, IdentityKind.PLACE, f"!{name}"))

    async def post(
        self, channel: ChannelId, message: Message, once: str, *, reply_to: MessageId | None = None
    ) -> MessageId:
        self._check()
        key = f"{channel}:{once}"
        if self.promises.once is Once.KEY and key in self.keys:
            return self.keys[key]
        posted = self.keys[key] = await self._add(channel, message)
        return posted

    async def edit(self, channel: ChannelId, posted: MessageId, message: Message) -> None:
        self._check()
        found = self.message(posted)
        found.message, found.edits = _fitting(message), found.edits + 1

    async def fold(self, channel: ChannelId, posted: MessageId) -> None:
        self._check()
        found = self.message(posted)
        found.message = found.message.folded()

    async def answer(self, asked: Asked, message: Message) -> None:
        self._check()
        is_open = isinstance(asked, Typed) and not message.private
        is_here = is_open or asked.place.is_direct
        channel = asked.place.channel if is_here else await self.direct(asked.author.id)
        await self._add(channel, message, None if is_open else asked.author.id)

    async def tell(self, user: UserId, message: Message, once: str) -> MessageId:
        self._check()
        if user in self.closed:
            raise Undeliverable("they take no messages")
        return await self._add(await self.direct(user), message, user)

    async def open_place(self, parent: Place, title: str, once: str) -> ChannelId | None:
        self._check()
        return await self.place(f"{parent.channel}/{once}")

    async def who(self, user: UserId, guild: GuildId | None) -> Person | None:
        self._check()
        return self.people.get(user)

    async def find(self, name: str, place: Place) -> Person | None:
        plain = name.removeprefix("@").casefold()
        return next((each for each in self.people.values() if each.name.casefold() == plain), None)

    async def may_manage(self, user: UserId, place: Place) -> bool:
        return user in self.managers

    async def is_member(self, user: UserId, channel: ChannelId) -> bool:
        return True

    async def title(self, guild: GuildId) -> str | None:
        return "Group"

    def link(self, channel: ChannelId, message: MessageId | None = None) -> str | None:
        return f"https://fake.example/{channel}/{message or ''}"

    async def direct(self, user: UserId) -> ChannelId:
        channel = await self.place(f"direct/{user}")
        self.directs[channel] = user
        return channel

    def message(self, posted: MessageId) -> Shown:
        """Returns a message by its id."""
        found = [each for each in self.shown if each.id == posted]
        if not found:
            raise Undeliverable("there is no such message")
        return found[0]

    def in_place(self, channel: ChannelId) -> list[Shown]:
        """Returns the messages of a place, in their order."""
        return [each for each in self.shown if each.channel == channel]

    async def _add(self, channel: ChannelId, message: Message, reader: UserId | None = None) -> MessageId:
        native = f"${next(iter(self.numbers))}"
        posted = MessageId(await self.use_cases.identities.take(self.kind, IdentityKind.MESSAGE, native))
        self.shown.append(Shown(posted, channel, _fitting(message), reader or self.directs.get(channel)))
        return posted

    def _check(self) -> None:
        if self.down:
            raise RetryLater("the platform is down")


def _fitting(message: Message) -> Message:
    """Returns a message whose buttons were checked."""
    for row in message.buttons:
        assert row, "no row is empty"
        for each in row:
            assert each.label, "a button has a label"
            assert (each.action is None) != (each.url is None), each
            if each.action is not None:
                assert len(each.action.code.encode()) <= MAX_CODE_BYTES, each.action.code
    return replace(message)


def typed(place: Place, author: Person, text: str, at: Millis, number: int, **more: object) -> Typed:
    """Returns a line."""
    key = request_key(Platform.MATRIX, f"line {number}")
    return Typed(place, author, text, key, at, **more)  # type: ignore[arg-type]


def pressed(place: Place, author: Person, button: Button, shown: Shown, at: Millis, number: int) -> Press:
    """Returns a press of a button."""
    assert button.action is not None, "a link is opened, not pressed"
    return Press(place, author, button.action.code, request_key(Platform.MATRIX, f"press {number}"), at, shown.id)
