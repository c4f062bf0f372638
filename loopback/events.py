"""What happens in the world: each change is told once, to everyone who listens."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from loopback.interactions import Interaction
    from loopback.model import Channel, Message, Role, User


@dataclass(frozen=True, slots=True)
class MessagePosted:
    """A message is new."""

    message: "Message"


@dataclass(frozen=True, slots=True)
class MessageEdited:
    """A message reads or looks different."""

    message: "Message"


@dataclass(frozen=True, slots=True)
class MessageDeleted:
    """A message is gone."""

    message: "Message"


@dataclass(frozen=True, slots=True)
class ChannelCreated:
    """A thread or a DM is new."""

    channel: "Channel"


@dataclass(frozen=True, slots=True)
class ChannelChanged:
    """A channel or thread has other settings or members."""

    channel: "Channel"


@dataclass(frozen=True, slots=True)
class ChannelDeleted:
    """A thread is gone."""

    channel: "Channel"


@dataclass(frozen=True, slots=True)
class RoleMade:
    """The server has a new role."""

    role: "Role"


@dataclass(frozen=True, slots=True)
class MemberChanged:
    """Somebody is new on the server, or has other roles."""

    user: "User"


@dataclass(frozen=True, slots=True)
class MemberLeft:
    """Somebody is not on the server any more."""

    user: "User"


@dataclass(frozen=True, slots=True)
class CommandsSynced:
    """The bot's commands were overwritten."""


@dataclass(frozen=True, slots=True)
class TypingStarted:
    """Somebody types."""

    channel_id: int
    user_id: int


@dataclass(frozen=True, slots=True)
class InteractionBegun:
    """A person used a command, a component or a modal."""

    interaction: "Interaction"


@dataclass(frozen=True, slots=True)
class InteractionChanged:
    """The bot acknowledged an interaction, or let it fail."""

    interaction: "Interaction"


@dataclass(frozen=True, slots=True)
class PresenceChanged:
    """The bot's gateway connection came or went."""

    online: bool


Event = (
    MessagePosted
    | MessageEdited
    | MessageDeleted
    | ChannelCreated
    | ChannelChanged
    | ChannelDeleted
    | RoleMade
    | MemberChanged
    | MemberLeft
    | CommandsSynced
    | TypingStarted
    | InteractionBegun
    | InteractionChanged
    | PresenceChanged
)
