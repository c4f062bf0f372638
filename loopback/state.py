"""The content of the little Discord: people, guild, channels, messages, commands and permissions."""

import secrets
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, MutableMapping
from typing import Any

from loopback.activities import Activities
from loopback.attachments import MAX_FILE_BYTES, RetiredFiles
from loopback.errors import (
    DM_REFUSED,
    MISSING_ACCESS,
    MISSING_PERMISSIONS,
    NO_MUTUAL_GUILDS,
    NO_TEXT_CHANNEL,
    THREAD_ARCHIVED,
    THREAD_LOCKED,
    TOO_MANY_NEWS_THREADS,
    TOO_MANY_THREADS,
    UNKNOWN_CHANNEL,
    UNKNOWN_MESSAGE,
    ApiError,
)
from loopback.ids import Snowflakes, made_at
from loopback.model import (
    OF_POSTS,
    SPOKEN,
    Attachment,
    Channel,
    ChannelKind,
    Guild,
    Message,
    Role,
    ScheduledEvent,
    User,
)
from loopback.permissions import (
    ALL,
    IN_PRIVATE,
    MEMBER,
    NONE,
    READING,
    WITHOUT_SLOWMODE,
    Permission,
    effective_permissions,
)

Json = dict[str, Any]
NONCE_SECONDS = 300.0  # for which a nonce is remembered; Discord says "a few minutes"
MAX_ACTIVE_THREADS = 1000  # in one server, of news channels and of others; Discord does not document its numbers


class Messages(MutableMapping[int, Message]):
    """All messages by id, with an index by channel: each interaction carries the newest message of its channel."""

    def __init__(self) -> None:
        self._all: dict[int, Message] = {}
        self._by_channel: defaultdict[int, dict[int, Message]] = defaultdict(dict)

    def in_channel(self, channel_id: int) -> Collection[Message]:
        """Returns the messages of a channel."""
        return self._by_channel.get(channel_id, {}).values()

    def __getitem__(self, message_id: int) -> Message:
        return self._all[message_id]

    def __setitem__(self, message_id: int, message: Message) -> None:
        self._all[message_id] = self._by_channel[message.channel_id][message_id] = message

    def __delitem__(self, message_id: int) -> None:
        channel_id = self._all.pop(message_id).channel_id
        del self._by_channel[channel_id][message_id]
        if not self._by_channel[channel_id]:
            del self._by_channel[channel_id]

    def __iter__(self) -> Iterator[int]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)


class State:
    """Everything that exists, and the queries on it.

    Attributes:
        now: the time in seconds since 1970.
        closed_dms: the people who accept no DMs from the bot.
        roles: the roles of all servers, without @everyone and the bot's own.
        left: the people who have left the first server, or never were on it.
        others: the servers beside the first one, by id.
        scheduled: the servers' events; they end with the process.
        joined: when members joined who came later than their server, by user and server.
        acted: when users have last written or clicked in each channel with slow mode.
        bot_may: the bot's permissions in the whole server.
        files: the newest files that people gave to commands.
        retired: the files that messages had a short time ago.
        attachment_limit: the bytes that an interaction reports as the limit of a file.
        bot_joined: when the bot joined the server, in seconds since 1970.
        brought_along: whether the bot is not in the server, where only people who installed it can use it.
        max_threads: how many threads may be active at once, in news channels and elsewhere each.
        new_dms: how many more DMs the bot may open before Discord finds that too fast; None for any number.
        quarantined: whether Discord takes the bot for a spammer, so that it opens no DM.
        has_activity: whether the application has an Activity, with the command that opens it.
        refused_names: the words that Discord lets no thread be named with, as in a server in Discovery.
        filters_bots: whether AutoMod binds members that are bots as well, which Discord says it does not.
        has_full_channels: whether interactions carry their whole channel, or only the documented part of it.
        description_form: the form in which the application's description is taken: ``string``, ``object`` or either.
        installers: the people who have installed the bot to their accounts.
        commands: the application commands as Discord returns them; the guild's have a guild_id.
        described: what the bot has changed of its application.
        webhooks: the channels that webhooks post to, by token.
        activities: the running Activities, and the grants of OAuth2.
        secret: the key that signs the addresses of files and the cookie of the chat page.
    """

    def __init__(
        self, now: Callable[[], float], ids: Snowflakes, guild: Guild, bot: User, people: Iterable[User]
    ) -> None:
        self.now = now
        self.ids = ids
        self.guild = guild
        self.bot = bot
        self.application_id = bot.id
        self.users = {user.id: user for user in (bot, *people)}
        self.channels: dict[int, Channel] = {}
        self.messages = Messages()
        self.nonces: dict[tuple[int, str | int], int] = {}  # the newest message of an author with each
        self.commands: list[Json] = []
        self.bot_joined = made_at(guild.id)
        self.described: Json = {}
        self.webhooks: dict[str, int] = {}
        self.brought_along = False
        self.installers: set[int] = set()
        self.closed_dms: set[int] = set()
        self.roles: dict[int, Role] = {}
        self.left: set[int] = set()
        self.others: dict[int, Guild] = {}
        self.scheduled: dict[int, ScheduledEvent] = {}
        self.joined: dict[tuple[int, int], float] = {}
        self.acted: dict[tuple[int, int], float] = {}
        self.bot_may = MEMBER | Permission.MANAGE_ROLES | Permission.CREATE_EVENTS
        self.max_threads = MAX_ACTIVE_THREADS
        self.new_dms: int | None = None
        self.quarantined = False
        self.has_activity = False
        self.refused_names: tuple[str, ...] = ()
        self.filters_bots = False
        self.has_full_channels = True
        self.description_form = "either"
        self.files: dict[int, Attachment] = {}
        self.retired = RetiredFiles()
        self.attachment_limit = MAX_FILE_BYTES
        self.activities = Activities(now)
        self.secret = secrets.token_hex(32)

    # Reading

    @property
    def people(self) -> list[User]:
        """Returns all users but the bot."""
        return [user for user in self.users.values() if not user.bot]

    def channel(self, channel_id: int) -> Channel:
        """Returns the channel of this id; ApiError 10003 if there is none."""
        try:
            return self.channels[channel_id]
        except KeyError:
            raise ApiError(UNKNOWN_CHANNEL) from None

    def message(self, channel_id: int, message_id: int) -> Message:
        """Returns the message of this id in this channel; ApiError 10008 if there is none."""
        message = self.messages.get(message_id)
        if message is None or message.channel_id != channel_id:
            raise ApiError(UNKNOWN_MESSAGE)
        return message

    def history(self, channel_id: int, viewer: int | None = None) -> list[Message]:
        """Returns the messages of a channel, oldest first; ephemeral ones only if ``viewer`` owns them."""
        seen = (message for message in self.messages.in_channel(channel_id) if message.visible_to in (None, viewer))
        return sorted(seen, key=lambda message: message.id)

    def attachment(self, channel_id: int, attachment_id: int) -> Attachment | None:
        """Returns a file that a message of a channel has, or had a short time ago."""
        for message in self.messages.in_channel(channel_id):
            for each in message.files:
                if each.id == attachment_id:
                    return each
        return self.retired.find(channel_id, attachment_id)

    @property
    def guilds(self) -> list[Guild]:
        """Returns all servers, the first one first."""
        return [self.guild, *self.others.values()]

    def guild_of(self, channel: Channel) -> Guild:
        """Returns the server of a channel."""
        return self.guild if channel.guild_id is None else self.others[channel.guild_id]

    def is_member(self, user_id: int, guild: Guild) -> bool:
        """Returns whether a user, or the bot, is on a server."""
        if guild.id in self.others:
            return user_id in self.others[guild.id].members
        return not self.brought_along if user_id == self.bot.id else user_id not in self.left

    def dm(self, user_id: int) -> Channel | None:
        """Returns the DM between a person and the bot, if it is open."""
        return next(
            (channel for channel in self.channels.values() if channel.is_dm and user_id in channel.members), None
        )

    def present_events(self) -> list[ScheduledEvent]:
        """Returns the servers' events as they are now."""
        return [each.at(self.now()) for each in self.scheduled.values()]

    def thread_of(self, message_id: int) -> Channel | None:
        """Returns the thread that was started from a message; it has the message's id."""
        thread = self.channels.get(message_id)
        return thread if thread is not None and thread.is_thread else None

    def find_by_nonce(self, author_id: int, nonce: str | int) -> Message | None:
        """Returns the message that its author posted with this nonce a short time ago."""
        first = self.messages.get(self.nonces.get((author_id, nonce), 0))
        return first if first is not None and made_at(first.id) >= self.now() - NONCE_SECONDS else None

    # Permissions

    def permissions(self, user_id: int, channel: Channel) -> Permission:
        """Returns a user's permissions in a channel; a thread has its parent's, a private one for its members only."""
        has = self._permissions_beside_membership(user_id, channel)
        hidden = channel.kind is ChannelKind.PRIVATE_THREAD and user_id not in channel.members
        return has if not hidden or Permission.MANAGE_THREADS in has else NONE

    def _permissions_beside_membership(self, user_id: int, channel: Channel) -> Permission:
        if channel.is_dm:
            return MEMBER | Permission.MENTION_EVERYONE
        if channel.is_private:
            return MEMBER if user_id in channel.members else NONE
        guild = self.guild_of(channel)
        if not self.is_member(user_id, guild):
            return NONE
        if channel.is_thread:
            channel = self.channels[channel.parent_id or 0]
        in_guild, roles = self.permissions_in_guild(user_id, guild), self.roles_of(user_id, guild)
        has = effective_permissions(in_guild, channel.overwrites, user_id, guild.id, roles)
        if Permission.ADMINISTRATOR in has:
            return has
        if channel.kind in SPOKEN and Permission.CONNECT not in has:
            has &= Permission.VIEW_CHANNEL
        return has & READING if self.is_held_back(user_id) else has

    def permissions_in_guild(self, user_id: int, guild: Guild) -> Permission:
        """Returns a user's permissions in a whole server: @everyone's and those of their roles."""
        if user_id == guild.owner_id:
            return ALL
        has = self.bot_may if user_id == self.bot.id else MEMBER
        for role in self.roles_of(user_id, guild):
            has |= self.roles[role].permissions if role in self.roles else NONE
        return has

    def roles_of(self, user_id: int, guild: Guild) -> tuple[int, ...]:
        """Returns the roles of a member without @everyone."""
        if user_id == self.bot.id:
            return (guild.bot_role_id,)
        known = self.users[user_id].roles if user_id in self.users else ()
        server = guild.id if guild.id in self.others else None
        return tuple(role for role in known if role not in self.roles or self.roles[role].guild_id == server)

    def is_held_back(self, user_id: int) -> bool:
        """Returns whether a user can only read: a moderator has silenced them, or they have not accepted the rules."""
        user = self.users.get(user_id)
        return user is not None and (user.pending or (user.timed_out_until or 0.0) > self.now())

    def slowed_seconds(self, user_id: int, channel: Channel) -> float:
        """Returns for how long slow mode holds a user back from the next message, click or command in a channel."""
        if not channel.slowmode or user_id == self.bot.id or self.permissions(user_id, channel) & WITHOUT_SLOWMODE:
            return 0.0
        return max(0.0, self.acted.get((user_id, channel.id), 0.0) + channel.slowmode - self.now())

    def joined_at(self, user_id: int, guild: Guild) -> float:
        """Returns when a member joined a server, in seconds since 1970: with it, unless they came later."""
        if user_id == self.bot.id:
            return self.bot_joined
        return self.joined.get((user_id, guild.id), made_at(guild.id))

    def sees(self, user_id: int, channel: Channel) -> bool:
        """Returns whether a user sees a channel, thread or conversation."""
        if not channel.in_guild:
            return user_id in channel.members or (channel.is_dm and user_id == self.bot.id)
        return Permission.VIEW_CHANNEL in self.permissions(user_id, channel)

    def channels_in(self, guild: Guild) -> list[Channel]:
        """Returns the channels and threads of a server."""
        return [each for each in self.channels.values() if each.in_guild and self.guild_of(each).id == guild.id]

    def channels_of(self, user_id: int) -> list[Channel]:
        """Returns the channels, threads and conversations that a user sees."""
        return [channel for channel in self.channels.values() if self.sees(user_id, channel)]

    def is_user_install(self, channel: Channel) -> bool:
        """Returns whether the bot is no member there, so that it serves only people who installed it: also in its DM
        with one who shares no server with it."""
        if channel.is_dm:
            return self._shares_no_guild(*channel.members)
        return channel.is_private or (channel.in_guild and not self.is_member(self.bot.id, self.guild_of(channel)))

    def may_answer(self, user_id: int, channel: Channel) -> Permission:
        """Returns the permissions of the bot's responses to a user in a channel, which ask for no membership."""
        if channel.is_private:
            return IN_PRIVATE
        return self._permissions_beside_membership(user_id if self.is_user_install(channel) else self.bot.id, channel)

    def require(self, user_id: int, channel: Channel, *needed: Permission) -> None:
        """Raises ApiError 50001 where the user does not see the channel, 50013 where they lack a permission."""
        has = self.permissions(user_id, channel)
        if Permission.VIEW_CHANNEL not in has or (channel.is_dm and user_id not in (*channel.members, self.bot.id)):
            raise ApiError(MISSING_ACCESS)
        if any(permission not in has for permission in needed):
            raise ApiError(MISSING_PERMISSIONS)

    def require_sending(self, user_id: int, channel: Channel) -> None:
        """Raises ApiError where the user cannot send.

        In the server: 50001, 50013, 50008 in a channel of posts, 160005 and 50083 in a locked thread, 160006 and 160007
        where one thread more would be active. In a DM: 50007 where it is closed, 50278 without a server in common.
        """
        if channel.is_dm:
            self._require_open_dm(channel)
        in_thread = Permission.SEND_MESSAGES_IN_THREADS
        self.require(user_id, channel, in_thread if channel.is_thread else Permission.SEND_MESSAGES)
        if channel.kind in OF_POSTS:
            raise ApiError(NO_TEXT_CHANNEL)
        if channel.locked and Permission.MANAGE_THREADS not in self.permissions(user_id, channel):
            raise ApiError(THREAD_ARCHIVED if channel.archived else THREAD_LOCKED)
        if channel.archived:
            self.require_room_for_thread(channel.kind)

    def blocks(self, author: int, channel: Channel, text: str, *, exempt: bool = True) -> bool:
        """Returns whether AutoMod blocks a text: what people and their own apps write, not what ``exempt`` bots do."""
        if exempt and author == self.bot.id and not self.filters_bots:
            return False
        words = self.channels.get(channel.parent_id or 0, channel).blocked_words
        return any(word.lower() in text.lower() for word in words)

    def require_room_for_thread(self, kind: ChannelKind) -> None:
        """Raises ApiError 160006 where the server has all the active threads that it may have, 160007 in news."""
        is_news = kind is ChannelKind.NEWS_THREAD
        active = [each for each in self.channels.values() if each.is_thread and not each.archived]
        if sum((each.kind is ChannelKind.NEWS_THREAD) is is_news for each in active) >= self.max_threads:
            raise ApiError(TOO_MANY_NEWS_THREADS if is_news else TOO_MANY_THREADS)

    def _require_open_dm(self, channel: Channel) -> None:
        (person,) = channel.members
        if person not in self.installers and self._shares_no_guild(person):
            raise ApiError(NO_MUTUAL_GUILDS)
        if person in self.closed_dms:
            raise ApiError(DM_REFUSED)

    def _shares_no_guild(self, person: int) -> bool:
        shared = (each for each in self.guilds if self.is_member(self.bot.id, each))
        return not any(self.is_member(person, each) for each in shared)
