"""Users, the guild, its channels and the application as the JSON of Discord's API v10."""

from collections.abc import Iterable
from typing import Any

from loopback.ids import iso, made_at
from loopback.model import OF_POSTS, SPOKEN, Channel, ChannelKind, Guild, User
from loopback.permissions import MEMBER, Overwrite, Permission
from loopback.world import World

Json = dict[str, Any]

IN_PARTIAL = frozenset({
    "id", "name", "type", "permissions", "last_message_id", "last_pin_timestamp", "nsfw", "parent_id", "guild_id",
    "flags", "rate_limit_per_user", "topic", "position", "thread_metadata",
})  # fmt: skip
"""The keys of a partial channel. Source: Resolved Data, in the documentation of receiving and responding."""
EMBEDDED = 1 << 17  # the flag of an application that has an Activity


class GuildWire:
    """Converts users, the guild and channels to JSON.

    Args:
        world: the world they are in.
        cdn: the address under which attachments are served.
    """

    def __init__(self, world: World, cdn: str) -> None:
        self.world = world
        self.cdn = cdn

    def user(self, user: User) -> Json:
        """Returns a user object."""
        return {
            "id": str(user.id),
            "username": user.username,
            "global_name": None if user.bot else user.name,
            "discriminator": "0000" if user.bot else "0",
            "avatar": user.avatar,
            "banner": None,
            "accent_color": None,
            "bot": user.bot,
            "flags": 0,
            "public_flags": 0,
            "avatar_decoration_data": None,
            "collectibles": None,
            "primary_guild": None,
        }

    def myself(self, user_id: int | None = None) -> Json:
        """Returns the bot's own user object as only the bot gets it, or that of a user for their own token."""
        return self.user(self.world.users[user_id or self.world.bot.id]) | {
            "mfa_enabled": False,
            "locale": "en-US",
            "verified": True,
            "email": None,
        }

    def users(self, ids: Iterable[int]) -> list[Json]:
        """Returns the user objects of the ids that exist."""
        return [self.user(self.world.users[each]) for each in ids if each in self.world.users]

    def partial_member(self, user: User, guild: Guild) -> Json:
        """Returns a guild member object without its user, as messages carry it."""
        return {
            "avatar": None,
            "banner": None,
            "collectibles": None,
            "avatar_decoration_data": None,
            "communication_disabled_until": user.timed_out_until and iso(user.timed_out_until),
            "flags": 0,
            "joined_at": iso(self.world.joined_at(user.id, guild)),
            "nick": None,
            "pending": user.pending,
            "premium_since": None,
            "roles": [str(role) for role in self.world.roles_of(user.id, guild)],
            "mute": False,
            "deaf": False,
        }

    def member(self, user: User, guild: Guild) -> Json:
        """Returns a guild member object."""
        return self.partial_member(user, guild) | {"user": self.user(user)}

    def guild(self, guild: Guild) -> Json:
        """Returns the guild object, with roles."""
        server = guild.id if guild.id in self.world.others else None
        own = [role for role in self.world.roles.values() if role.guild_id == server]
        below, above = ([role for role in own if role.above is each] for each in (False, True))
        order = [
            (guild.id, "@everyone", MEMBER),
            *((role.id, role.name, role.permissions) for role in below),
            (guild.bot_role_id, self.world.bot.name, self.world.bot_may),
            *((role.id, role.name, role.permissions) for role in above),
        ]
        roles = [self._role(role, name, place, may) for place, (role, name, may) in enumerate(order)]
        roles[1 + len(below)] |= {"managed": True, "tags": {"bot_id": str(self.world.bot.id)}}
        return {
            "id": str(guild.id),
            "name": guild.name,
            "owner_id": str(guild.owner_id),
            "roles": roles,
            "preferred_locale": guild.preferred_locale,
            "emojis": [],
            "stickers": [],
            "features": list(guild.features),
            "incidents_data": None,
            **dict.fromkeys(("icon", "description", "home_header", "splash", "discovery_splash", "banner"), None),
            **dict.fromkeys(("application_id", "afk_channel_id", "system_channel_id", "widget_channel_id"), None),
            **dict.fromkeys(("rules_channel_id", "safety_alerts_channel_id", "public_updates_channel_id"), None),
            **dict.fromkeys(("max_presences", "vanity_url_code", "premium_progress_bar_enabled_user_updated_at"), None),
            **dict.fromkeys(("system_channel_flags", "verification_level", "default_message_notifications"), 0),
            **dict.fromkeys(("mfa_level", "explicit_content_filter", "premium_tier", "premium_subscription_count"), 0),
            **dict.fromkeys(("widget_enabled", "premium_progress_bar_enabled", "nsfw"), False),
            "nsfw_level": 0,
            "afk_timeout": 300,
            "region": "deprecated",
            "max_members": 500_000,
            "max_video_channel_users": 25,
            "max_stage_video_channel_users": 50,
        }

    def joined_guild(self, guild: Guild) -> Json:
        """Returns the guild as GUILD_CREATE carries it: with its channels, and of its members the bot.

        For a guild that the bot has just joined; one that is available again says so (discord-api-docs#4518).
        """
        world = self.world
        channels = world.channels_in(guild)
        threads = [each for each in channels if each.is_thread and not each.archived and world.sees(world.bot.id, each)]
        return self.guild(guild) | {
            "joined_at": iso(world.bot_joined),
            "large": False,
            "member_count": sum(world.is_member(user, guild) for user in world.users),
            "members": [self.member(world.bot, guild)],
            "channels": [self.channel(each) for each in channels if not each.is_thread],
            "threads": [self.channel(each) for each in threads],
            **{key: [] for key in ("voice_states", "presences", "stage_instances", "guild_scheduled_events")},
            "soundboard_sounds": [],
        }

    @staticmethod
    def _role(role_id: int, name: str, position: int, permissions: Permission) -> Json:
        return {
            "id": str(role_id),
            "name": name,
            "permissions": str(int(permissions)),
            "position": position,
            "color": 0,
            "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
            "hoist": False,
            "managed": False,
            "mentionable": False,
            "icon": None,
            "unicode_emoji": None,
            "flags": 0,
        }

    def owners(self, channel: Channel, installer: int | None) -> Json:
        """Returns which installation an interaction uses: the server's, or a user's own."""
        if installer is not None:
            return {"1": str(installer)}
        return {"0": str(self.world.guild_of(channel).id) if channel.in_guild else "0"}

    def partial_channel(self, channel: Channel, viewer: int) -> Json:
        """Returns the documented part of a channel object, with that user's permissions."""
        return {key: value for key, value in self.channel(channel, viewer).items() if key in IN_PARTIAL}

    def channel(self, channel: Channel, viewer: int | None = None) -> Json:
        """Returns a channel object; with a viewer it has that user's permissions."""
        public = (each.id for each in self.world.messages.in_channel(channel.id) if not each.ephemeral)
        newest = max(public, default=None)
        base: Json = {
            "id": str(channel.id),
            "type": int(channel.kind),
            "flags": 0,
            "last_message_id": newest and str(newest),
            "last_pin_timestamp": None,
        }
        if not channel.in_guild:
            base |= {"recipients": self.users(channel.members)}
            if channel.kind is ChannelKind.GROUP:
                base |= {"name": channel.name or None, "icon": None, "owner_id": str(channel.owner_id)}
            return base
        base |= {
            "guild_id": str(self.world.guild_of(channel).id),
            "name": channel.name,
            "parent_id": channel.parent_id and str(channel.parent_id),
            "rate_limit_per_user": channel.slowmode,
        }
        if viewer is not None:
            base["permissions"] = str(int(self.world.permissions(viewer, channel)))
        if channel.is_thread:
            return base | self._thread(channel)
        base |= {
            "nsfw": False,
            "position": sum(
                each.kind is channel.kind and each.id < channel.id for each in self.world.channels.values()
            ),
            "permission_overwrites": [self._overwrite(each) for each in channel.overwrites],
        }
        if channel.kind in SPOKEN:
            return base | {"bitrate": 64_000, "user_limit": 0, "rtc_region": None, "topic": channel.topic}
        base |= {"topic": channel.topic, "default_auto_archive_duration": 1440}
        return base | self._of_posts() if channel.kind in OF_POSTS else base

    @staticmethod
    def _of_posts() -> Json:
        return {
            "available_tags": [],
            "default_reaction_emoji": None,
            "default_sort_order": None,
            "default_forum_layout": 0,
            "default_thread_rate_limit_per_user": 0,
            "template": "",
        }

    def _thread(self, thread: Channel) -> Json:
        written = len(self.world.messages.in_channel(thread.id))
        metadata = {
            "archived": thread.archived,
            "archive_timestamp": iso(thread.archive_changed),
            "auto_archive_duration": thread.auto_archive,
            "locked": thread.locked,
            "create_timestamp": iso(made_at(thread.id)),
        }
        if thread.kind is ChannelKind.PRIVATE_THREAD:
            metadata["invitable"] = True
        member = (
            {"member": self.thread_member(thread, self.world.bot.id)} if self.world.bot.id in thread.members else {}
        )
        parent = self.world.channels.get(thread.parent_id or 0)
        tags: Json = {"applied_tags": []} if parent is not None and parent.kind in OF_POSTS else {}
        return {
            **member,
            **tags,
            "owner_id": str(thread.owner_id),
            "thread_metadata": metadata,
            "message_count": written,
            "total_message_sent": written,
            "member_count": len(thread.members),
        }

    def thread_member(self, thread: Channel, user_id: int) -> Json:
        """Returns a thread member object."""
        joined = iso(made_at(thread.id))
        return {"id": str(thread.id), "user_id": str(user_id), "join_timestamp": joined, "flags": 0}

    def _overwrite(self, overwrite: Overwrite) -> Json:
        roles = {*self.world.roles, *(id_ for each in self.world.guilds for id_ in (each.id, each.bot_role_id))}
        kind = 0 if overwrite.id in roles else 1
        allow, deny = str(int(overwrite.allow)), str(int(overwrite.deny))
        return {"id": str(overwrite.id), "type": kind, "allow": allow, "deny": deny}

    @property
    def application_flags(self) -> int:
        """Returns the flags of the application."""
        return EMBEDDED if self.world.has_activity else 0

    def application(self) -> Json:
        """Returns the application object, as only its bot gets it."""
        bot = self.world.bot
        flags = self.application_flags
        return {
            "id": str(self.world.application_id),
            "name": bot.name,
            "icon": None,
            "description": "A stand-in for the application that one registers with Discord",
            "type": None,
            "bot": self.user(bot),
            "owner": self.user(self.world.users[self.world.guild.owner_id]),
            "bot_public": False,
            "bot_require_code_grant": False,
            "verify_key": "0" * 64,
            "flags": flags,
            "flags_new": str(flags),
            "summary": "",
            "hook": True,
            "storefront_available": False,
            "is_monetized": False,
            "is_verified": False,
            "is_discoverable": False,
            "max_participants": None,
            "team": None,
            "tags": [],
            "redirect_uris": [],
            "interactions_endpoint_url": None,
            "role_connections_verification_url": None,
            "approximate_guild_count": 1,
            "approximate_user_install_count": 0,
            "approximate_user_authorization_count": 0,
            "explicit_content_filter": 0,
            "eligible_oauth2_scopes": [],
            "integration_types_config": {"0": {}, "1": {}},
            **self.world.described,
        }
