"""What there is in the little Discord: its people, guild, channels, messages and commands, and who may do what."""

import secrets
from collections.abc import Callable, Iterable
from typing import Any

from loopback.errors import DM_REFUSED, MISSING_ACCESS, MISSING_PERMISSIONS, UNKNOWN_CHANNEL, UNKNOWN_MESSAGE, ApiError
from loopback.ids import Snowflakes, made_at
from loopback.messages import Messages
from loopback.model import Attachment, Channel, ChannelKind, Guild, Message, Role, User
from loopback.permissions import ALL, IN_PRIVATE, MEMBER, Permission, resolved

Json = dict[str, Any]
NONCE_WINDOW = 300.0  # seconds in which a nonce is remembered; Discord says "a few minutes"


class State:
    """Everything that exists, and what follows from it.

    Attributes:
        now: the time in seconds since 1970.
        closed_dms: the people who take no DMs from the bot.
        roles: those that somebody made; everybody's and the bot's are the guild's.
        left: the people who are not on the server any more.
        bot_may: what the bot may do in the whole server.
        files: the newest files that people gave to commands.
        brought_along: whether the bot is not in the server, where then only those can use it who installed it.
        installers: the people who have installed the bot to their accounts.
        commands: the application commands as Discord returns them; the guild's are those with a guild_id.
        secret: what signs the addresses of files and the cookie of the chat page.
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
        self.brought_along = False
        self.installers: set[int] = set()
        self.closed_dms: set[int] = set()
        self.roles: dict[int, Role] = {}
        self.left: set[int] = set()
        self.bot_may = MEMBER | Permission.MANAGE_ROLES
        self.files: dict[int, Attachment] = {}
        self.secret = secrets.token_hex(32)

    # Reading

    @property
    def people(self) -> list[User]:
        """All users but the bot."""
        return [user for user in self.users.values() if not user.bot]

    def channel(self, channel_id: int) -> Channel:
        """The channel of this id; ApiError 10003."""
        try:
            return self.channels[channel_id]
        except KeyError:
            raise ApiError(UNKNOWN_CHANNEL) from None

    def message(self, channel_id: int, message_id: int) -> Message:
        """The message of this id in this channel; ApiError 10008."""
        message = self.messages.get(message_id)
        if message is None or message.channel_id != channel_id:
            raise ApiError(UNKNOWN_MESSAGE)
        return message

    def history(self, channel_id: int, viewer: int | None = None) -> list[Message]:
        """The messages of a channel, oldest first; ephemeral ones only for the person who owns them."""
        seen = (message for message in self.messages.of(channel_id) if message.visible_to in (None, viewer))
        return sorted(seen, key=lambda message: message.id)

    def dm(self, user_id: int) -> Channel | None:
        """The DM between a person and the bot, if it has been opened."""
        return next(
            (channel for channel in self.channels.values() if channel.is_dm and user_id in channel.members), None
        )

    def thread_of(self, message_id: int) -> Channel | None:
        """The thread that was started from a message; it has the message's id."""
        thread = self.channels.get(message_id)
        return thread if thread is not None and thread.is_thread else None

    def repeated(self, author_id: int, nonce: str | int) -> Message | None:
        """The message that its author posted with this nonce a short time ago."""
        first = self.messages.get(self.nonces.get((author_id, nonce), 0))
        return first if first is not None and made_at(first.id) >= self.now() - NONCE_WINDOW else None

    # Permissions

    def permissions(self, user_id: int, channel: Channel) -> Permission:
        """What a user may do in a channel; a thread has its parent's overwrites."""
        if channel.is_dm:
            return MEMBER | Permission.MENTION_EVERYONE
        if channel.is_private:
            return MEMBER if user_id in channel.members else Permission(0)
        if user_id == self.bot.id and self.brought_along:
            return Permission(0)
        if channel.is_thread:
            if channel.kind is ChannelKind.PRIVATE_THREAD and user_id not in channel.members:
                return Permission(0)
            channel = self.channels[channel.parent_id or 0]
        base = ALL if user_id == self.guild.owner_id else self.bot_may if user_id == self.bot.id else MEMBER
        return resolved(base, channel.overwrites, user_id, self.guild.id)

    def is_borrowed(self, channel: Channel) -> bool:
        """Whether the bot is not there, so that it can only answer those for whom somebody has installed it."""
        return channel.is_private or (channel.in_guild and self.brought_along)

    def may_answer(self, user_id: int, channel: Channel) -> Permission:
        """What an answer of the bot to a user may have in a channel."""
        if channel.is_private:
            return IN_PRIVATE
        return self.permissions(user_id if self.is_borrowed(channel) else self.bot.id, channel)

    def require(self, user_id: int, channel: Channel, *needed: Permission) -> None:
        """ApiError 50001 where the user does not see the channel, 50013 where he lacks a needed permission."""
        has = self.permissions(user_id, channel)
        if Permission.VIEW_CHANNEL not in has or (channel.is_dm and user_id not in (*channel.members, self.bot.id)):
            raise ApiError(MISSING_ACCESS)
        if any(permission not in has for permission in needed):
            raise ApiError(MISSING_PERMISSIONS)

    def require_sending(self, user_id: int, channel: Channel) -> None:
        """ApiError where the user cannot send: 50001, 50013, or 50007 in a closed DM."""
        if channel.is_dm and self.closed_dms.intersection(channel.members):
            raise ApiError(DM_REFUSED)
        in_thread = Permission.SEND_MESSAGES_IN_THREADS
        self.require(user_id, channel, in_thread if channel.is_thread else Permission.SEND_MESSAGES)
