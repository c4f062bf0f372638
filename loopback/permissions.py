"""What members may do: the permission bits, and who has which where.

Source: https://discord.com/developers/docs/topics/permissions
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntFlag


class Permission(IntFlag):
    """The bits that matter to a bot of this kind; Discord knows more."""

    ADMINISTRATOR = 1 << 3
    MANAGE_CHANNELS = 1 << 4
    MANAGE_GUILD = 1 << 5
    ADD_REACTIONS = 1 << 6
    VIEW_CHANNEL = 1 << 10
    SEND_MESSAGES = 1 << 11
    MANAGE_MESSAGES = 1 << 13
    EMBED_LINKS = 1 << 14
    ATTACH_FILES = 1 << 15
    READ_MESSAGE_HISTORY = 1 << 16
    MENTION_EVERYONE = 1 << 17
    MANAGE_ROLES = 1 << 28
    USE_APPLICATION_COMMANDS = 1 << 31
    MANAGE_THREADS = 1 << 34
    CREATE_PUBLIC_THREADS = 1 << 35
    CREATE_PRIVATE_THREADS = 1 << 36
    SEND_MESSAGES_IN_THREADS = 1 << 38
    USE_EXTERNAL_APPS = 1 << 50


NONE = Permission(0)
ALL = ~NONE
MEMBER = (
    Permission.ADD_REACTIONS
    | Permission.VIEW_CHANNEL
    | Permission.SEND_MESSAGES
    | Permission.EMBED_LINKS
    | Permission.ATTACH_FILES
    | Permission.READ_MESSAGE_HISTORY
    | Permission.USE_APPLICATION_COMMANDS
    | Permission.CREATE_PUBLIC_THREADS
    | Permission.CREATE_PRIVATE_THREADS
    | Permission.SEND_MESSAGES_IN_THREADS
    | Permission.USE_EXTERNAL_APPS
)
"""What a new server lets everybody do."""

IN_PRIVATE = Permission.ATTACH_FILES | Permission.EMBED_LINKS | Permission.MENTION_EVERYONE
"""What an answer of the bot may have in a conversation that it is not in."""


@dataclass(frozen=True, slots=True)
class Overwrite:
    """What one member or role (the id) may and may not do in one channel, whatever the server says."""

    id: int
    allow: Permission = NONE
    deny: Permission = NONE


def resolved(base: Permission, overwrites: Iterable[Overwrite], user: int, everyone: int) -> Permission:
    """The permissions of a user in a channel: his server permissions, then everyone's overwrite, then his own.

    Without VIEW_CHANNEL nothing is left, since one cannot act in a channel that one does not see.
    """
    if Permission.ADMINISTRATOR in base:
        return ALL
    by_id = {overwrite.id: overwrite for overwrite in overwrites}
    for who in (everyone, user):
        if overwrite := by_id.get(who):
            base = (base & ~overwrite.deny) | overwrite.allow
    return base if Permission.VIEW_CHANNEL in base else NONE
