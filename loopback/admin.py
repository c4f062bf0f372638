"""The server as a test sets it up: its content, and what a moderator does to it."""

import secrets
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

from loopback.events import InteractionBegun
from loopback.interaction import Interaction
from loopback.interactions import Interactions
from loopback.model import Channel, ChannelKind, Guild, Message, Role, ScheduledEvent, User
from loopback.permissions import NONE, Permission
from loopback.person import Person
from loopback.wire import Wire
from loopback.world import World


class Admin:
    """Reads and changes the server. Messages and channels may be given as such or by their id.

    Attributes:
        world: the world, for what the methods do not offer.
        wire: its conversion to JSON.
        interactions: the open interactions, for one that no client sends.
        people: the people at their clients, by name.
    """

    def __init__(self, world: World, wire: Wire, interactions: Interactions) -> None:
        self.world = world
        self.wire = wire
        self.interactions = interactions
        self.people = {user.name: Person(wire, interactions, user.id) for user in world.people}

    # Reading

    @property
    def bot(self) -> User:
        """Returns the bot's account; its id is also that of the application."""
        return self.world.bot

    @property
    def guild(self) -> Guild:
        """Returns the first server."""
        return self.world.guild

    @property
    def channels(self) -> dict[str, Channel]:
        """Returns the first server's channels by name, without threads."""
        return {each.name: each for each in self.world.channels_in(self.guild) if not each.is_thread}

    @property
    def threads(self) -> list[Channel]:
        """Returns all threads, oldest first."""
        return sorted((each for each in self.world.channels.values() if each.is_thread), key=lambda thread: thread.id)

    @property
    def commands(self) -> list[dict[str, Any]]:
        """Returns the application commands as Discord returns them."""
        return self.world.commands

    @property
    def scheduled_events(self) -> list[ScheduledEvent]:
        """Returns the server's events as they are now, oldest first."""
        return self.world.present_events()

    def roles_of(self, person: Person) -> set[str]:
        """Returns the names of a person's roles."""
        return {self.world.roles[role].name for role in person.user.roles if role in self.world.roles}

    def channel(self, channel: Channel | int) -> Channel:
        """Returns a channel or thread as it is now."""
        return self.world.channels[channel if isinstance(channel, int) else channel.id]

    def message(self, message: Message | int) -> Message | None:
        """Returns a message as it is now; None if it was deleted."""
        return self.world.messages.get(message if isinstance(message, int) else message.id)

    def messages(self, channel: Channel | int) -> list[Message]:
        """Returns the messages of a channel that everyone sees, oldest first."""
        return self.world.history(channel if isinstance(channel, int) else channel.id)

    # Setting up

    def set_commands(self, commands: Sequence[dict[str, Any]]) -> None:
        """Registers commands that an earlier `Discord` has returned."""
        self.world.sync(list(commands))

    def invite(self, name: str, guild: Guild | None = None) -> Person:
        """Adds a person to the first server, or to another ``guild``: a new one, or one whom a server has already."""
        person = self.people.get(name)
        user = person.user if person else User(self.world.ids.next(), name.lower(), name)
        self.people[name] = person or Person(self.wire, self.interactions, user.id)
        self.world.join_server(user, guild or self.guild)
        return self.people[name]

    def make_role(
        self, name: str, *, above: bool = False, permissions: Permission = NONE, guild: Guild | None = None
    ) -> Role:
        """Makes a role of the first server or of another ``guild``, below the bot's own or above it."""
        server = None if guild is None else guild.id
        return self.world.make_role(Role(self.world.ids.next(), name, above, permissions, server))

    def add_server(self, name: str, *people: str, locale: str = "en-US", age: float = 0.0) -> Guild:
        """Makes a further server, with the bot, in a language of its own. The first of the people owns it; those whom
        another server has already are on both. The server and new people are there for ``age`` seconds."""
        for each in people:
            if each not in self.people:
                user = self.world.settle(User(self.world.ids.next(age), each.lower(), each))
                self.people[each] = Person(self.wire, self.interactions, user.id)
        members = tuple(self.people[each].id for each in people)
        server, bot_role = self.world.ids.next(age), self.world.ids.next(age)
        return self.world.add_server(Guild(server, name, members[0], bot_role, locale, ("COMMUNITY",), members))

    def expel_bot(self, guild: Guild) -> None:
        """Removes the bot from a further server."""
        known = self.world.others[guild.id]
        self.world.change_server(replace(known, members=tuple(each for each in known.members if each != self.bot.id)))

    def delete_role(self, role: Role) -> None:
        """Deletes a role, as a moderator does."""
        self.world.delete_role(role)

    def make_community(self, locale: str, *features: str) -> None:
        """Makes the server a Community server, whose owner has chosen a language."""
        self.world.guild = replace(self.world.guild, locale=locale, features=("COMMUNITY", *features))

    def time_out(self, who: Person | None, seconds: float) -> None:
        """Silences a person, or the bot, for so long; 0 ends that."""
        user = who.user if who else self.bot
        self.world.silence(user, self.world.now() + seconds if seconds else None)

    def screen(self, person: Person, *, on: bool = True) -> None:
        """Makes a person one who has yet to accept the server's rules (membership screening), or no longer."""
        self.world.update(replace(person.user, pending=on))

    def slow_down(self, channel: Channel | int, seconds: int) -> None:
        """Gives a channel a slow mode; 0 ends it."""
        self.world.change(replace(self.channel(channel), slowmode=seconds))

    def set_bot_permissions(self, permissions: Permission) -> None:
        """Replaces the bot's permissions in the whole server."""
        self.world.bot_may = permissions

    def open_channel(
        self, name: str, kind: ChannelKind = ChannelKind.TEXT, *, topic: str | None = None, guild: Guild | None = None
    ) -> Channel:
        """Makes a channel of the first server, or of another ``guild``."""
        server = None if guild is None else guild.id
        return self.world.create(Channel(self.world.ids.next(), kind, name, topic=topic, guild_id=server))

    def block_words(self, channel: Channel | int, *words: str, bots: bool = False) -> None:
        """Sets AutoMod's words of a channel and its threads; only if ``bots``, it binds members that are bots, too."""
        self.world.filters_bots = bots
        self.world.change(replace(self.channel(channel), blocked_words=words))

    def refuse_names(self, *words: str) -> None:
        """Sets the words that no thread can be named with, as in a server in Discovery."""
        self.world.refused_names = words

    def limit_threads(self, active: int) -> None:
        """Sets how many threads may be active at once, in news channels and elsewhere each."""
        self.world.max_threads = active

    def limit_new_dms(self, count: int | None) -> None:
        """Sets how many more DMs the bot may open before that is too fast; None for any number."""
        self.world.new_dms = count

    def quarantine(self, *, on: bool = True) -> None:
        """Takes the bot for a spammer, so that it opens no DM, or no longer does."""
        self.world.quarantined = on

    def enable_activity(self, *, on: bool = True) -> None:
        """Gives the application an Activity in the portal, or takes it away."""
        self.world.has_activity = on

    def send_full_channels(self, *, on: bool = True) -> None:
        """Sets whether interactions carry their whole channel, or only its documented part."""
        self.world.has_full_channels = on

    def take_description(self, form: Literal["string", "object", "either"]) -> None:
        """Sets the form in which the application's description is taken; the others are invalid."""
        self.world.description_form = form

    def open_webhook(self, channel: Channel) -> str:
        """Makes a webhook that posts to a channel, as the bot; returns its address as Discord writes it."""
        token = secrets.token_urlsafe(51)
        self.world.webhooks[token] = channel.id
        return f"https://discord.com/api/webhooks/{self.world.ids.next()}/{token}"

    def open_private(self, *people: Person, name: str = "") -> Channel:
        """Makes a conversation without the bot: a DM of two, a group of more, or of two if it has a name."""
        kind = ChannelKind.GROUP if name or len(people) > 2 else ChannelKind.DM
        members = tuple(person.id for person in people)
        return self.world.create(Channel(self.world.ids.next(), kind, name, owner_id=members[0], members=members))

    def bring_along(self) -> None:
        """Removes the bot from the server and installs it to every person's account."""
        self.world.remove_bot()
        for person in self.people.values():
            person.install()

    def add_bot(self, *, ago: float = 0.0) -> None:
        """Adds the bot to the server, so many seconds ago."""
        self.world.add_bot(self.world.now() - ago)

    def remove_bot(self) -> None:
        """Removes the bot from the server."""
        self.world.remove_bot()

    def allow(self, channel: Channel | int, permissions: Permission, who: Person | Role | Guild | None = None) -> None:
        """Grants permissions in one channel to the bot, or to ``who``: a person, a role, or @everyone of the server."""
        self.world.overwrite(self.channel(channel), who.id if who else self.bot.id, allow=permissions, deny=NONE)

    def deny(self, channel: Channel | int, permissions: Permission, who: Person | Role | Guild | None = None) -> None:
        """Takes permissions in one channel away from the bot, or from ``who``."""
        self.world.overwrite(self.channel(channel), who.id if who else self.bot.id, allow=NONE, deny=permissions)

    def archive(self, thread: Channel | int, *, locked: bool = False) -> None:
        """Archives a thread, as inactivity or a moderator does."""
        self.world.archive(replace(self.channel(thread), locked=locked))

    def lock(self, thread: Channel | int, *, locked: bool = True) -> None:
        """Locks a thread, or unlocks it, as a moderator does."""
        self.world.change(replace(self.channel(thread), locked=locked))

    def add_to_thread(self, thread: Channel | int, *people: Person) -> None:
        """Adds people to a thread."""
        self.world.join(self.channel(thread), [person.id for person in people])

    def delete_message(self, message: Message | int) -> None:
        """Deletes a message, as a moderator does."""
        self.world.delete(self.world.messages[message if isinstance(message, int) else message.id])

    def purge(self, *messages: Message | int) -> None:
        """Deletes messages of one channel together, as a moderator's bot does."""
        ids = (each if isinstance(each, int) else each.id for each in messages)
        self.world.purge(self.world.messages[each] for each in ids)

    def delete_channel(self, channel: Channel | int) -> None:
        """Deletes a channel with its threads, as a moderator does."""
        gone = self.channel(channel)
        for each in (gone, *(thread for thread in self.threads if thread.parent_id == gone.id)):
            self.world.remove(each)

    def redeliver(self, interaction: Interaction) -> None:
        """Delivers an interaction to the bot once more, as Discord may."""
        self.world.publish(InteractionBegun(interaction))

    def discard_message(self, message: Message | int) -> None:
        """Drops a message without an event, so that a long run does not fill the memory."""
        self.world.messages.pop(message if isinstance(message, int) else message.id, None)
