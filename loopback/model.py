"""The values of Discord: users, the guild, channels, messages, modals. Frozen; a change makes a new value."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import IntEnum, IntFlag
from typing import Any

from loopback import components
from loopback.permissions import NONE, Overwrite, Permission

Json = dict[str, Any]


class ChannelKind(IntEnum):
    """Discord's channel types."""

    TEXT = 0
    DM = 1
    VOICE = 2
    GROUP = 3
    NEWS = 5
    NEWS_THREAD = 10
    PUBLIC_THREAD = 11
    PRIVATE_THREAD = 12
    STAGE = 13
    FORUM = 15
    MEDIA = 16


THREADS = frozenset({ChannelKind.NEWS_THREAD, ChannelKind.PUBLIC_THREAD, ChannelKind.PRIVATE_THREAD})
OF_POSTS = frozenset({ChannelKind.FORUM, ChannelKind.MEDIA})
"""The channels that have posts, which are threads, and no messages of their own."""
SPOKEN = frozenset({ChannelKind.VOICE, ChannelKind.STAGE})
"""The channels to talk in, which have a text chat and no threads."""


class MessageKind(IntEnum):
    """Discord's message types."""

    DEFAULT = 0
    THREAD_CREATED = 18
    REPLY = 19
    CHAT_INPUT_COMMAND = 20


class ReferenceKind(IntEnum):
    """Discord's types of references from one message to another."""

    REPLY = 0
    FORWARD = 1


class MessageFlag(IntFlag):
    """Discord's message flags."""

    SUPPRESS_EMBEDS = 1 << 2
    HAS_THREAD = 1 << 5
    EPHEMERAL = 1 << 6
    LOADING = 1 << 7
    SUPPRESS_NOTIFICATIONS = 1 << 12
    HAS_SNAPSHOT = 1 << 14
    COMPONENTS_V2 = 1 << 15


NO_FLAGS = MessageFlag(0)


@dataclass(frozen=True, slots=True)
class User:
    """An account; ``name`` is the display name, ``roles`` are the user's in the server.

    ``timed_out_until`` is the time in seconds until which a moderator has silenced the user there; ``pending`` is
    whether they have yet to accept its rules (membership screening). ``avatar`` is the hash of their own picture.
    """

    id: int
    username: str
    name: str
    bot: bool = False
    locale: str = "en-US"
    roles: tuple[int, ...] = ()
    timed_out_until: float | None = None
    pending: bool = False
    avatar: str | None = None

    @property
    def mention(self) -> str:
        """Returns the text that mentions the user."""
        return f"<@{self.id}>"


@dataclass(frozen=True, slots=True)
class Role:
    """A role of a server, neither @everyone's nor the bot's; the bot cannot give one ``above`` its own.

    ``guild_id`` is the server, if that is not the first one.
    """

    id: int
    name: str
    above: bool = False
    permissions: Permission = NONE
    guild_id: int | None = None


class EventStatus(IntEnum):
    """Discord's statuses of a server's event."""

    SCHEDULED = 1
    ACTIVE = 2
    COMPLETED = 3
    CANCELLED = 4


OPEN_EVENTS = frozenset({EventStatus.SCHEDULED, EventStatus.ACTIVE})


@dataclass(frozen=True, slots=True)
class ScheduledEvent:
    """An event of a server outside of its channels; times in seconds since 1970. ``guild_id`` is the server, if that is
    not the first one."""

    id: int
    creator_id: int
    name: str
    description: str
    location: str
    begins: float
    ends: float
    status: EventStatus = EventStatus.SCHEDULED
    guild_id: int | None = None

    def at(self, now: float) -> "ScheduledEvent":
        """Returns the event as it is at that time: it begins and ends by itself."""
        if self.status not in OPEN_EVENTS or now < self.begins:
            return self
        return replace(self, status=EventStatus.COMPLETED if now >= self.ends else EventStatus.ACTIVE)


@dataclass(frozen=True, slots=True)
class Guild:
    """A server; its id is also that of its @everyone role. ``members`` are those of a server beside the first one, the
    bot included.

    Its owner can choose ``locale`` only where ``features`` has COMMUNITY: `preferred_locale` is what Discord says.
    """

    id: int
    name: str
    owner_id: int
    bot_role_id: int
    locale: str = "en-US"
    features: tuple[str, ...] = ()
    members: tuple[int, ...] = ()

    @property
    def preferred_locale(self) -> str:
        """Returns the language of a Community server, and American English for any other."""
        return self.locale if "COMMUNITY" in self.features else "en-US"


@dataclass(frozen=True, slots=True)
class Channel:
    """A channel of a server, a thread, a DM with the bot, or a DM or group without it. ``guild_id`` is the server, if
    that is not the first one.

    ``members`` are the users of a thread or the people of a DM. ``auto_archive`` are the minutes without activity after
    which a thread is archived; ``archive_changed`` is the time in seconds at which it was archived or opened.
    ``blocked_words`` are those that AutoMod lets nobody write here, nor in a thread's title.
    """

    id: int
    kind: ChannelKind
    name: str
    parent_id: int | None = None
    owner_id: int | None = None
    members: tuple[int, ...] = ()
    overwrites: tuple[Overwrite, ...] = ()
    topic: str | None = None
    slowmode: int = 0
    archived: bool = False
    locked: bool = False
    auto_archive: int = 1440
    archive_changed: float = 0.0
    blocked_words: tuple[str, ...] = ()
    guild_id: int | None = None

    @property
    def is_thread(self) -> bool:
        """Returns whether it belongs to another channel."""
        return self.kind in THREADS

    @property
    def is_dm(self) -> bool:
        """Returns whether it is a person's conversation with the bot."""
        return self.kind is ChannelKind.DM and len(self.members) == 1

    @property
    def is_private(self) -> bool:
        """Returns whether it is a conversation of people without the bot."""
        return self.kind is ChannelKind.GROUP or (self.kind is ChannelKind.DM and len(self.members) > 1)

    @property
    def in_guild(self) -> bool:
        """Returns whether it belongs to a server."""
        return not (self.is_dm or self.is_private)


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file of a message; width and height in pixels, for images."""

    id: int
    filename: str
    content_type: str
    data: bytes = field(repr=False)
    width: int | None = None
    height: int | None = None
    description: str | None = None


@dataclass(frozen=True, slots=True)
class File:
    """A file on a person's computer, for a command."""

    name: str
    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Reference:
    """The message that a reply answers, or that was forwarded."""

    channel_id: int
    message_id: int


@dataclass(frozen=True, slots=True)
class Origin:
    """The interaction that a message is a response to: its id, type, user, command name and message.

    ``installer`` is the user whose installation of the bot it used, where the bot is no member.
    """

    interaction_id: int
    kind: int
    user_id: int
    name: str | None = None
    message_id: int | None = None
    installer: int | None = None


@dataclass(frozen=True, slots=True)
class Message:
    """A message at one moment.

    ``components`` are Discord's JSON, each with its id; ``visible_to`` is the user who sees an ephemeral message;
    ``reactions`` are the emoji of the bot; ``snapshot`` is the forwarded message as it was then, with its files under
    ids of their own.
    """

    id: int
    channel_id: int
    author_id: int
    content: str = ""
    kind: MessageKind = MessageKind.DEFAULT
    flags: MessageFlag = NO_FLAGS
    embeds: tuple[Json, ...] = ()
    components: tuple[Json, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    mentions: tuple[int, ...] = ()
    mention_everyone: bool = False
    mention_roles: tuple[int, ...] = ()
    reference: Reference | None = None
    nonce: str | int | None = None
    edited: float | None = None
    origin: Origin | None = None
    visible_to: int | None = None
    reactions: tuple[str, ...] = ()
    pinned: bool = False
    snapshot: "Message | None" = None

    @property
    def files(self) -> tuple[Attachment, ...]:
        """Returns the files, those of a forwarded message included."""
        return self.attachments if self.snapshot is None else (*self.attachments, *self.snapshot.attachments)

    @property
    def ephemeral(self) -> bool:
        """Returns whether only one person sees it."""
        return MessageFlag.EPHEMERAL in self.flags

    @property
    def loading(self) -> bool:
        """Returns whether it says that the bot is thinking."""
        return MessageFlag.LOADING in self.flags

    @property
    def text(self) -> str:
        """Returns all text: the content, text displays and embeds, line by line."""
        parts = [self.content]
        parts += [
            part["content"] for part in components.walk(self.components) if part["type"] == components.TEXT_DISPLAY
        ]
        for embed in self.embeds:
            parts += [embed.get("title", ""), embed.get("description", "")]
            parts += [f"{each['name']}: {each['value']}" for each in embed.get("fields", ())]
            parts += [embed.get("footer", {}).get("text", "")]
        return "\n".join(part for part in parts if part)

    @property
    def controls(self) -> tuple[Json, ...]:
        """Returns the buttons and selects."""
        return tuple(part for part in components.walk(self.components) if "custom_id" in part)

    @property
    def labels(self) -> list[str]:
        """Returns the labels of the enabled buttons."""
        return [part["label"] for part in self.controls if "label" in part and not part.get("disabled")]

    def control(self, name: str) -> Json:
        """Returns the only button or select with this custom id, label or placeholder; raises LookupError."""
        keys = ("custom_id", "label", "placeholder")
        for key in keys:
            found = [part for part in self.controls if part.get(key) == name]
            if len(found) == 1:
                return found[0]
        names = [part.get("label") or part.get("placeholder") or part["custom_id"] for part in self.controls]
        raise LookupError(f"no single control {name!r} on message {self.id}, which has {names}")


@dataclass(frozen=True, slots=True)
class Modal:
    """A form that the bot opens for one person."""

    interaction_id: int
    custom_id: str
    title: str
    components: tuple[Json, ...]

    @property
    def fields(self) -> Iterator[Json]:
        """Returns the components that a person can fill in."""
        return (part for part in components.walk(self.components) if "custom_id" in part)
