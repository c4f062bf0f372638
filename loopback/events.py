"""The events of the world: each change is published once, to every listener."""

from dataclasses import dataclass

from loopback.interaction import Interaction
from loopback.model import Channel, Guild, Message, Role, User


@dataclass(frozen=True, slots=True)
class MessagePosted:
    """A message is new."""

    message: Message


@dataclass(frozen=True, slots=True)
class MessageEdited:
    """A message has new content."""

    message: Message


@dataclass(frozen=True, slots=True)
class ReactionAdded:
    """The bot has reacted to a message; Discord tells it nothing of that without another intent."""

    message: Message


@dataclass(frozen=True, slots=True)
class MessageDeleted:
    """A message is gone."""

    message: Message


@dataclass(frozen=True, slots=True)
class MessagesPurged:
    """Messages of one channel are gone together."""

    messages: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class ChannelCreated:
    """A channel, a thread or a DM is new."""

    channel: Channel


@dataclass(frozen=True, slots=True)
class ChannelChanged:
    """A channel or thread has other settings or members."""

    channel: Channel


@dataclass(frozen=True, slots=True)
class ChannelDeleted:
    """A channel or thread is gone; the threads of a channel follow it."""

    channel: Channel


@dataclass(frozen=True, slots=True)
class RoleMade:
    """The server has a new role."""

    role: Role


@dataclass(frozen=True, slots=True)
class RoleDeleted:
    """A role of the server is gone."""

    role: Role


@dataclass(frozen=True, slots=True)
class MemberChanged:
    """A member is new on the server, has other roles, or is silenced."""

    user: User


@dataclass(frozen=True, slots=True)
class MemberLeft:
    """A member has left the server."""

    user: User


@dataclass(frozen=True, slots=True)
class ServerChanged:
    """A server beside the first one has other members."""

    guild: Guild


@dataclass(frozen=True, slots=True)
class LocaleChanged:
    """A person's client speaks another language."""

    user: User


@dataclass(frozen=True, slots=True)
class CommandsSynced:
    """The bot has overwritten its commands."""


@dataclass(frozen=True, slots=True)
class TypingStarted:
    """A user types."""

    channel_id: int
    user_id: int


@dataclass(frozen=True, slots=True)
class InteractionBegun:
    """A person used a command, a component or a modal."""

    interaction: Interaction


@dataclass(frozen=True, slots=True)
class InteractionChanged:
    """The bot acknowledged an interaction, or failed to."""

    interaction: Interaction


@dataclass(frozen=True, slots=True)
class BotJoined:
    """The bot was added to a server."""

    guild: Guild


@dataclass(frozen=True, slots=True)
class BotLeft:
    """The bot was removed from a server."""

    guild: Guild


@dataclass(frozen=True, slots=True)
class PresenceChanged:
    """The bot's gateway connection opened or closed."""

    online: bool


Event = (
    MessagePosted
    | MessageEdited
    | ReactionAdded
    | MessageDeleted
    | MessagesPurged
    | ChannelCreated
    | ChannelChanged
    | ChannelDeleted
    | RoleMade
    | RoleDeleted
    | MemberChanged
    | MemberLeft
    | ServerChanged
    | LocaleChanged
    | CommandsSynced
    | TypingStarted
    | InteractionBegun
    | InteractionChanged
    | BotJoined
    | BotLeft
    | PresenceChanged
)
