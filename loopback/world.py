"""The changes of the state, which are published as events; and a new world."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from loopback.events import (
    BotJoined,
    BotLeft,
    ChannelChanged,
    ChannelCreated,
    ChannelDeleted,
    CommandsSynced,
    Event,
    LocaleChanged,
    MemberChanged,
    MemberLeft,
    MessageDeleted,
    MessageEdited,
    MessagePosted,
    ReactionAdded,
    RoleMade,
)
from loopback.ids import Snowflakes
from loopback.model import Attachment, Channel, ChannelKind, Guild, Message, Role, User
from loopback.permissions import Overwrite, Permission
from loopback.state import State

Json = dict[str, Any]
MAX_FILES = 100  # files given to commands that are kept; a bot fetches them at once


class World(State):
    """The state with its changes. Only these methods write, and they publish an event for each change."""

    def __init__(
        self, now: Callable[[], float], ids: Snowflakes, guild: Guild, bot: User, people: Iterable[User]
    ) -> None:
        super().__init__(now, ids, guild, bot, people)
        self.listeners: list[Callable[[Event], None]] = []

    def publish(self, event: Event) -> None:
        """Calls the listeners, the oldest first."""
        for listener in tuple(self.listeners):
            listener(event)

    # Writing

    def create(self, channel: Channel) -> Channel:
        """Adds a channel, thread or DM."""
        self.channels[channel.id] = channel
        self.publish(ChannelCreated(channel))
        return channel

    def change(self, channel: Channel) -> Channel:
        """Replaces a channel's state."""
        self.channels[channel.id] = channel
        self.publish(ChannelChanged(channel))
        return channel

    def remove(self, channel: Channel) -> None:
        """Deletes a channel with its messages."""
        for message in list(self.messages.in_channel(channel.id)):
            self.retired.retire(message, None)
            del self.messages[message.id]
        del self.channels[channel.id]
        self.publish(ChannelDeleted(channel))

    def make_role(self, role: Role) -> Role:
        """Adds a role of the server."""
        self.roles[role.id] = role
        self.publish(RoleMade(role))
        return role

    def enrol(self, user: User) -> User:
        """Adds a user to the server, or replaces their state."""
        self.users[user.id] = user
        self.left.discard(user.id)
        self.publish(MemberChanged(user))
        return user

    def leave(self, user: User) -> None:
        """Removes a user from the server, with their roles."""
        self.users[user.id] = replace(user, roles=())
        self.left.add(user.id)
        self.publish(MemberLeft(user))

    def silence(self, user: User, until: str) -> None:
        """Times a member out until then, in ISO 8601."""
        self.users[user.id] = replace(user, silenced_until=until)

    def add_bot(self, joined: float) -> None:
        """Adds the bot to the server; `joined` is when that happened."""
        self.brought_along, self.bot_joined = False, joined
        self.publish(BotJoined())

    def remove_bot(self) -> None:
        """Removes the bot from the server."""
        self.brought_along = True
        self.publish(BotLeft())

    def react(self, message: Message, emoji: str) -> None:
        """Adds a reaction of the bot."""
        if emoji not in message.reactions:
            self.messages[message.id] = replace(message, reactions=(*message.reactions, emoji))
            self.publish(ReactionAdded(self.messages[message.id]))

    def speak(self, user: User, locale: str) -> None:
        """Switches the client of a user to another language."""
        self.users[user.id] = replace(user, locale=locale)
        self.publish(LocaleChanged(self.users[user.id]))

    def upload(self, file: Attachment) -> Attachment:
        """Stores a file for the bot to fetch; the oldest make room."""
        self.files[file.id] = file
        for old in list(self.files)[:-MAX_FILES]:
            del self.files[old]
        return file

    def open_dm(self, user_id: int) -> Channel:
        """Returns the DM between a person and the bot; opens it if need be."""
        return self.dm(user_id) or self.create(Channel(self.ids.next(), ChannelKind.DM, "", members=(user_id,)))

    def join(self, channel: Channel, user_ids: Iterable[int]) -> Channel:
        """Adds users to a thread; does nothing in another channel."""
        new = tuple(user for user in dict.fromkeys(user_ids) if user not in channel.members)
        if not (channel.is_thread and new):
            return channel
        return self.change(replace(channel, members=(*channel.members, *new)))

    def post(self, message: Message) -> Message:
        """Adds a message; unarchives its thread and adds the mentioned users to it."""
        self.restore(message)
        channel = self.channels[message.channel_id]
        if channel.archived:
            channel = self.change(replace(channel, archived=False, archive_changed=self.now()))
        if message.visible_to is None:
            self.join(channel, (message.author_id, *message.mentions))
        self.publish(MessagePosted(message))
        return message

    def restore(self, message: Message) -> None:
        """Adds a message without an event."""
        self.messages[message.id] = message
        if message.nonce is not None:
            self.nonces[message.author_id, message.nonce] = message.id

    def edit(self, message: Message) -> Message:
        """Replaces a message's state."""
        self.retired.retire(self.messages[message.id], message)
        self.messages[message.id] = message
        self.publish(MessageEdited(message))
        return message

    def delete(self, message: Message) -> None:
        """Deletes a message."""
        self.retired.retire(message, None)
        del self.messages[message.id]
        self.publish(MessageDeleted(message))

    def sync(self, commands: list[Json]) -> None:
        """Overwrites all commands, global and of the guild."""
        self.commands = commands
        self.publish(CommandsSynced())

    def overwrite(self, channel: Channel, user_id: int, *, allow: Permission, deny: Permission) -> None:
        """Allows and denies a user permissions in a channel; other decisions stay."""
        others = tuple(each for each in channel.overwrites if each.id != user_id)
        old = next((each for each in channel.overwrites if each.id == user_id), Overwrite(user_id))
        new = Overwrite(user_id, (old.allow & ~deny) | allow, (old.deny & ~allow) | deny)
        self.change(replace(channel, overwrites=(*others, new)))


def new_world(now: Callable[[], float]) -> World:
    """Returns a new world: three people and the bot on one server with the channels #dots and #general."""
    ids = Snowflakes(now)
    names = {"ola": "Ola", "maksim": "Максим", "kasia.w": "Kasia Wiśniewska"}
    people = [User(ids.next(), username, name) for username, name in names.items()]
    bot = User(ids.next(), "Kropka", "Kropka", bot=True)
    guild = Guild(ids.next(), "Kropka try-out", owner_id=people[0].id, bot_role_id=ids.next())
    world = World(now, ids, guild, bot, people)
    for name, topic in {"dots": "Games of Dots", "general": "Anything else"}.items():
        world.create(Channel(ids.next(), ChannelKind.TEXT, name, topic=topic))
    for name in ("Champion", "Podium", "Top ten"):
        world.make_role(Role(ids.next(), name))
    return world
