"""The port of a chat platform: what it tells, what it is asked for, and which promises it keeps."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from chat.messages import Message
from play.ids import ChannelId, GuildId, IdempotencyKey, MessageId, Millis, Platform, UserId
from presentation.markup import Markup


class Once(Enum):
    """How a message that is sent twice shows once."""

    KEY = "key"  # The platform drops the second of one key.
    EDIT = "edit"  # Boards are edited, which may be repeated; a ping may come twice.


class Private(Enum):
    """How one person is answered in a place with others."""

    MESSAGE = "message"  # By a message there that only they see.
    ALERT = "alert"  # By a short alert over the button that they have pressed, else directly.
    DIRECT = "direct"  # In the direct place of that person, or openly where there is none.


class Buttons(Enum):
    """What a message offers to press."""

    INLINE = "inline"
    REACTIONS = "reactions"  # A few, numbered.
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Promises:
    """What a platform keeps. Lengths are in characters; `threads` says that games can have places of their own."""

    once: Once
    private: Private
    buttons: Buttons
    max_buttons: int
    message_length: int
    caption_length: int
    alert_length: int = 0
    max_file_bytes: int = 10_000_000
    threads: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """Where a line was typed: a `channel` (a chat, a topic of it, a room, a thread) of a group, which is to the program
    what a server is. A direct place has no `guild`."""

    channel: ChannelId
    guild: GuildId | None = None

    @property
    def is_direct(self) -> bool:
        return self.guild is None


@dataclass(frozen=True, slots=True)
class Person:
    """A person as their platform names them, with the tag of their language, if it tells that."""

    id: UserId
    name: str
    language: str | None = None
    is_bot: bool = False


@dataclass(frozen=True, slots=True)
class Typed:
    """A line that a person has typed in a place.

    `mentions` are the people whom it names so that the platform knows them, `answered` is the author of the message
    that it replies to. `is_addressed` says that it mentions the bot, replies to it, or was written to it alone. `at` is
    when the platform got it, as far as it tells. `file` is a text file that came with it.
    """

    place: Place
    author: Person
    text: str
    key: IdempotencyKey
    at: Millis
    message: MessageId | None = None
    reply_to: MessageId | None = None
    answered: Person | None = None
    mentions: tuple[Person, ...] = ()
    is_addressed: bool = False
    file: bytes | None = None


@dataclass(frozen=True, slots=True)
class Press:
    """A button that a person has pressed below a `message`. `handle` is the platform's own name of the press."""

    place: Place
    author: Person
    action: str
    key: IdempotencyKey
    at: Millis
    message: MessageId
    handle: str = ""


Asked = Typed | Press


class ChatPlatform(Protocol):
    """A chat platform, as the conversation and the workers use it.

    What fails raises as use_cases.worker says: RetryLater where a later try may help, Undeliverable where none will
    (the place or the message is gone, the bot may not write there, or the person takes nothing from it), Unsendable
    where the platform takes no such message. Nothing else is raised.
    """

    kind: Platform
    promises: Promises
    markup: Markup

    @property
    def shows_pages(self) -> bool:
        """Whether buttons with an `app` open the site inside, in direct places."""

    @property
    def own_id(self) -> UserId | None:
        """The bot's own account; None before it is logged in."""

    async def post(
        self, channel: ChannelId, message: Message, once: str, *, reply_to: MessageId | None = None
    ) -> MessageId:
        """Posts a message for everybody. Where the platform promises so, the same `once` makes one message."""

    async def edit(self, channel: ChannelId, posted: MessageId, message: Message) -> None:
        """Shows another message in the place of a posted one; that it is the same already is no failure."""

    async def fold(self, channel: ChannelId, posted: MessageId) -> None:
        """Takes the buttons off a posted message, if they are still there."""

    async def answer(self, asked: Asked, message: Message) -> None:
        """Answers a person, as privately as the platform can.

        A `private` message is never shown where others read it: raises Undeliverable where it reaches only the person
        together with others. An answer to a press is always for who has pressed.
        """

    async def tell(self, user: UserId, message: Message, once: str) -> MessageId:
        """Sends a message to a person alone, who has not asked."""

    async def direct(self, user: UserId) -> ChannelId:
        """Returns the place where the bot writes to a person alone."""

    async def open_place(self, parent: Place, title: str, once: str) -> ChannelId | None:
        """Opens a place for a game in another one; None where the platform has none, or the bot may not."""

    async def who(self, user: UserId, guild: GuildId | None) -> Person | None:
        """Returns a person as a group knows them; None if they are not known, or have left it."""

    async def find(self, name: str, place: Place) -> Person | None:
        """Returns the person of a place whom a typed name or address means."""

    async def may_manage(self, user: UserId, place: Place) -> bool:
        """Returns whether a person manages a place."""

    async def is_member(self, user: UserId, channel: ChannelId) -> bool:
        """Returns whether a person can read a place."""

    async def title(self, guild: GuildId) -> str | None:
        """Returns the name of a group."""

    def link(self, channel: ChannelId, message: MessageId | None = None) -> str | None:
        """Returns the address of a message or place, where those who are there can open it; None if it has none."""
