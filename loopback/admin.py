"""The server as a test arranges it: who and what is there, and what a moderator does to it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from loopback.interactions import Interactions
from loopback.model import Channel, ChannelKind, Guild, Message, Role, User
from loopback.permissions import NONE, Permission
from loopback.person import Person
from loopback.wire import Wire
from loopback.world import World


class Scene:
    """Messages and channels may be given as such or by their id.

    Attributes:
        people: those who can sit at a client, by name.
    """

    def __init__(self, world: World, wire: Wire, interactions: Interactions) -> None:
        self._world = world
        self._wire = wire
        self._interactions = interactions
        self.people = {user.name: Person(wire, interactions, user.id) for user in world.people}

    # What there is

    @property
    def bot(self) -> User:
        """The bot's account; its id is also that of the application."""
        return self._world.bot

    @property
    def guild(self) -> Guild:
        """The one server."""
        return self._world.guild

    @property
    def channels(self) -> dict[str, Channel]:
        """The text channels by name."""
        return {each.name: each for each in self._world.channels.values() if each.kind is ChannelKind.TEXT}

    @property
    def threads(self) -> list[Channel]:
        """All threads, oldest first."""
        return sorted((each for each in self._world.channels.values() if each.is_thread), key=lambda thread: thread.id)

    @property
    def commands(self) -> list[dict[str, Any]]:
        """The application commands as Discord returns them."""
        return self._world.commands

    def roles_of(self, person: Person) -> set[str]:
        """The names of the roles that somebody has."""
        return {self._world.roles[role].name for role in person.user.roles if role in self._world.roles}

    def channel(self, channel: Channel | int) -> Channel:
        """A channel or thread as it is now."""
        return self._world.channels[channel if isinstance(channel, int) else channel.id]

    def message(self, message: Message | int) -> Message | None:
        """A message as it is now; None if it has been deleted."""
        return self._world.messages.get(message if isinstance(message, int) else message.id)

    def messages(self, channel: Channel | int) -> list[Message]:
        """What everybody sees in a channel, oldest first."""
        return self._world.history(channel if isinstance(channel, int) else channel.id)

    # What is arranged

    def know(self, commands: Sequence[dict[str, Any]]) -> None:
        """Takes `commands` over that a Discord before this one has returned."""
        self._world.sync(list(commands))

    def invite(self, name: str) -> Person:
        """Somebody new on the server."""
        user = self._world.enrol(User(self._world.ids.next(), name.lower(), name))
        self.people[name] = Person(self._wire, self._interactions, user.id)
        return self.people[name]

    def make_role(self, name: str, *, above: bool = False) -> Role:
        """A new role of the server, below the bot's own or above it."""
        return self._world.make_role(Role(self._world.ids.next(), name, above))

    def delete_role(self, role: Role) -> None:
        """Deletes a role, as a moderator would."""
        del self._world.roles[role.id]

    def trust(self, permissions: Permission) -> None:
        """From now on the bot may do this in the whole server, and nothing else."""
        self._world.bot_may = permissions

    def open_channel(self, name: str) -> Channel:
        """A new text channel."""
        return self._world.create(Channel(self._world.ids.next(), ChannelKind.TEXT, name))

    def open_private(self, *people: Person, name: str = "") -> Channel:
        """A conversation of people alone: a DM between two, a group of more, or of two if it has a name."""
        kind = ChannelKind.GROUP if name or len(people) > 2 else ChannelKind.DM
        members = tuple(person.id for person in people)
        return self._world.create(Channel(self._world.ids.next(), kind, name, owner_id=members[0], members=members))

    def bring_along(self) -> None:
        """From now on the bot is not in the server: everybody has installed it to his own account."""
        self._world.brought_along = True
        for person in self.people.values():
            person.install()

    def allow(self, channel: Channel | int, permissions: Permission, who: Person | None = None) -> None:
        """Grants the bot, or somebody else, permissions in one channel."""
        self._world.overwrite(self.channel(channel), who.id if who else self.bot.id, allow=permissions, deny=NONE)

    def deny(self, channel: Channel | int, permissions: Permission, who: Person | None = None) -> None:
        """Takes permissions away from the bot, or from somebody else, in one channel."""
        self._world.overwrite(self.channel(channel), who.id if who else self.bot.id, allow=NONE, deny=permissions)

    def archive(self, thread: Channel | int, *, locked: bool = False) -> None:
        """Archives a thread, as its silence or a moderator would."""
        now = self._world.now()
        self._world.change(replace(self.channel(thread), archived=True, locked=locked, archive_changed=now))

    def delete(self, message: Message | int) -> None:
        """Deletes a message, as a moderator would."""
        self._world.delete(self._world.messages[message if isinstance(message, int) else message.id])

    def remove(self, channel: Channel | int) -> None:
        """Deletes a channel with its threads, as a moderator would."""
        gone = self.channel(channel)
        for each in [thread for thread in self.threads if thread.parent_id == gone.id] + [gone]:
            self._world.remove(each)

    def forget(self, message: Message | int) -> None:
        """Drops a message of which nobody is told, so that a long run does not fill the memory."""
        self._world.messages.pop(message if isinstance(message, int) else message.id, None)
