"""The changes of the state, which are published as events; and a new world."""

import math
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
    MessagesPurged,
    ReactionAdded,
    RoleDeleted,
    RoleMade,
    ServerChanged,
)
from loopback.ids import Snowflakes, made_at
from loopback.model import Attachment, Channel, ChannelKind, Guild, Message, Role, ScheduledEvent, User
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
        self._next_idle = math.inf  # no open thread is idle before

    def publish(self, event: Event) -> None:
        """Calls the listeners, the oldest first."""
        for listener in tuple(self.listeners):
            listener(event)

    # Writing

    def create(self, channel: Channel) -> Channel:
        """Adds a channel, thread or DM."""
        self.place(channel)
        self.publish(ChannelCreated(channel))
        return channel

    def place(self, channel: Channel) -> None:
        """Adds a channel, or replaces its state, without an event."""
        self.channels[channel.id] = channel
        if channel.is_thread and not channel.archived:
            self._next_idle = min(self._next_idle, self._idle_at(channel))

    def change(self, channel: Channel) -> Channel:
        """Replaces a channel's state."""
        self.place(channel)
        self.publish(ChannelChanged(channel))
        return channel

    def remove(self, channel: Channel) -> None:
        """Deletes a channel with its messages."""
        for message in list(self.messages.in_channel(channel.id)):
            self._drop(message)
        del self.channels[channel.id]
        self.publish(ChannelDeleted(channel))

    def make_role(self, role: Role) -> Role:
        """Adds a role of the server."""
        self.roles[role.id] = role
        self.publish(RoleMade(role))
        return role

    def delete_role(self, role: Role) -> None:
        """Deletes a role, with its overwrites; members no longer have it."""
        del self.roles[role.id]
        for user in [each for each in self.users.values() if role.id in each.roles]:
            self.update(replace(user, roles=tuple(each for each in user.roles if each != role.id)))
        for channel in tuple(self.channels.values()):
            kept = tuple(each for each in channel.overwrites if each.id != role.id)
            if kept != channel.overwrites:
                self.change(replace(channel, overwrites=kept))
        self.publish(RoleDeleted(role))

    def enrol(self, user: User) -> User:
        """Adds a user to the first server, or replaces the state of a member."""
        if not (user.id in self.users and self.is_member(user.id, self.guild)):
            self.joined[user.id, self.guild.id] = self.now()
        self.left.discard(user.id)
        return self.update(user)

    def update(self, user: User) -> User:
        """Replaces the state of a user, whatever servers they are on."""
        self.users[user.id] = user
        self.publish(MemberChanged(user))
        return user

    def leave(self, user: User) -> None:
        """Removes a user from the server, with their roles."""
        self.users[user.id] = replace(user, roles=())
        self.left.add(user.id)
        self.publish(MemberLeft(user))

    def add_bot(self, joined: float) -> None:
        """Adds the bot to the server; `joined` is when that happened."""
        self.brought_along, self.bot_joined = False, joined
        self.publish(BotJoined(self.guild))

    def remove_bot(self) -> None:
        """Removes the bot from the first server."""
        self.brought_along = True
        self.publish(BotLeft(self.guild))

    def add_server(self, guild: Guild) -> Guild:
        """Adds a server beside the first one, with the bot on it."""
        self.others[guild.id] = guild = replace(guild, members=(*guild.members, self.bot.id))
        self.publish(BotJoined(guild))
        return guild

    def change_server(self, guild: Guild) -> None:
        """Replaces the state of a server beside the first one."""
        before, self.others[guild.id] = self.others[guild.id], guild
        self.publish(ServerChanged(guild))
        if self.bot.id in before.members and self.bot.id not in guild.members:
            self.publish(BotLeft(guild))

    def settle(self, user: User) -> User:
        """Adds a user who is on no server yet."""
        self.left.add(user.id)
        return self.update(user)

    def join_server(self, user: User, guild: Guild) -> None:
        """Adds a user, who may be new, to a server: the first one or another."""
        if guild.id not in self.others:
            self.enrol(user)
            return
        if user.id not in self.users:
            self.users[user.id] = user
            self.left.add(user.id)
        if not self.is_member(user.id, guild):
            self.joined[user.id, guild.id] = self.now()
        members = dict.fromkeys((*self.others[guild.id].members, user.id))
        self.change_server(replace(self.others[guild.id], members=tuple(members)))
        self.update(user)

    def schedule(self, event: ScheduledEvent) -> None:
        """Adds an event of the server, or replaces its state. A bot without the intent for events hears nothing."""
        self.scheduled[event.id] = event

    def unschedule(self, event: ScheduledEvent) -> None:
        """Deletes an event of the server."""
        del self.scheduled[event.id]

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

    def silence(self, user: User, until: float | None) -> User:
        """Times a member out until a time in seconds; None ends that."""
        return self.update(replace(user, timed_out_until=until))

    def note_act(self, user_id: int, channel: Channel) -> None:
        """Notes that a user writes or clicks now, where slow mode counts that."""
        if channel.slowmode:
            self.acted[user_id, channel.id] = self.now()

    def archive(self, thread: Channel, *, archived: bool = True) -> Channel:
        """Archives a thread, or opens it again."""
        return self.change(replace(thread, archived=archived, archive_changed=self.now()))

    def archive_idle(self) -> None:
        """Archives the threads in which nothing has happened for as long as each allows."""
        if self.now() < self._next_idle:
            return
        open_threads = [each for each in self.channels.values() if each.is_thread and not each.archived]
        for thread in open_threads:
            if self._idle_at(thread) <= self.now():
                self.archive(thread)
        left = (self._idle_at(each) for each in open_threads if not self.channels[each.id].archived)
        self._next_idle = min(left, default=math.inf)

    def _idle_at(self, thread: Channel) -> float:
        """Returns when a thread is archived, in seconds, if nothing more happens in it."""
        newest = max((message.id for message in self.messages.in_channel(thread.id)), default=thread.id)
        active = max(made_at(thread.id), made_at(newest), thread.archive_changed)
        return active + thread.auto_archive * 60

    def post(self, message: Message) -> Message:
        """Adds a message; opens its thread if that is archived, and adds the mentioned users who see its channel."""
        self.restore(message)
        channel = self.channels[message.channel_id]
        if channel.archived:
            channel = self.archive(channel, archived=False)
        if message.visible_to is None and channel.is_thread:
            parent = self.channels[channel.parent_id or 0]
            seeing = (each for each in message.mentions if Permission.VIEW_CHANNEL in self.permissions(each, parent))
            self.join(channel, (message.author_id, *seeing))
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
        self._drop(message)
        self.publish(MessageDeleted(message))

    def purge(self, messages: Iterable[Message]) -> None:
        """Deletes messages of one channel together."""
        gone = tuple(messages)
        for message in gone:
            self._drop(message)
        self.publish(MessagesPurged(gone))

    def _drop(self, message: Message) -> None:
        self.retired.retire(message, None)
        del self.messages[message.id]

    def sync(self, commands: list[Json]) -> None:
        """Overwrites all commands, global and of the guild."""
        self.commands = commands
        self.publish(CommandsSynced())

    def overwrite(self, channel: Channel, who: int, *, allow: Permission, deny: Permission) -> None:
        """Allows and denies a user or a role permissions in a channel; other decisions stay."""
        others = tuple(each for each in channel.overwrites if each.id != who)
        old = next((each for each in channel.overwrites if each.id == who), Overwrite(who))
        new = Overwrite(who, (old.allow & ~deny) | allow, (old.deny & ~allow) | deny)
        self.change(replace(channel, overwrites=(*others, new)))


def new_world(now: Callable[[], float], age: float = 0.0) -> World:
    """Returns a new world: three people and the bot on one server with the channels #dots and #general.

    The server and its people are there for `age` seconds, the bot has just joined.
    """
    ids = Snowflakes(now)
    names = {"ola": "Ola", "maksim": "Максим", "kasia.w": "Kasia Wiśniewska"}
    people = [User(ids.next(age), username, name) for username, name in names.items()]
    bot = User(ids.next(age), "Kropka", "Kropka", bot=True)
    guild = Guild(ids.next(age), "Kropka try-out", owner_id=people[0].id, bot_role_id=ids.next(age))
    world = World(now, ids, guild, bot, people)
    world.bot_joined = now()
    for name, topic in {"dots": "Games of Dots", "general": "Anything else"}.items():
        world.create(Channel(ids.next(), ChannelKind.TEXT, name, topic=topic))
    for name in ("Champion", "Podium", "Top ten"):
        world.make_role(Role(ids.next(), name))
    return world
