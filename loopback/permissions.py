"""The permission bits, and the permissions of a user in a channel.

Source: https://discord.com/developers/docs/topics/permissions
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntFlag
from functools import reduce
from operator import or_


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
    CONNECT = 1 << 20
    MANAGE_ROLES = 1 << 28
    USE_APPLICATION_COMMANDS = 1 << 31
    MANAGE_THREADS = 1 << 34
    CREATE_PUBLIC_THREADS = 1 << 35
    CREATE_PRIVATE_THREADS = 1 << 36
    SEND_MESSAGES_IN_THREADS = 1 << 38
    MANAGE_EVENTS = 1 << 33
    MODERATE_MEMBERS = 1 << 40
    CREATE_EVENTS = 1 << 44
    USE_EXTERNAL_APPS = 1 << 50
    PIN_MESSAGES = 1 << 51
    BYPASS_SLOWMODE = 1 << 52


NONE = Permission(0)
ALL = ~NONE
MEMBER = (
    Permission.ADD_REACTIONS
    | Permission.VIEW_CHANNEL
    | Permission.SEND_MESSAGES
    | Permission.EMBED_LINKS
    | Permission.ATTACH_FILES
    | Permission.READ_MESSAGE_HISTORY
    | Permission.CONNECT
    | Permission.USE_APPLICATION_COMMANDS
    | Permission.CREATE_PUBLIC_THREADS
    | Permission.CREATE_PRIVATE_THREADS
    | Permission.SEND_MESSAGES_IN_THREADS
    | Permission.USE_EXTERNAL_APPS
)
"""The permissions of @everyone on a new server."""

IN_PRIVATE = Permission.ATTACH_FILES | Permission.EMBED_LINKS | Permission.MENTION_EVERYONE
"""The permissions of a response in a conversation that the bot is no member of."""


READING = Permission.VIEW_CHANNEL | Permission.READ_MESSAGE_HISTORY
"""The permissions that a timeout, and membership screening, leave a member."""

WITHOUT_SLOWMODE = Permission.BYPASS_SLOWMODE | Permission.MANAGE_MESSAGES | Permission.MANAGE_CHANNELS
"""The permissions of which each is enough to be exempt from slow mode."""


@dataclass(frozen=True, slots=True)
class Overwrite:
    """The permissions of one member or role (the id) in one channel, which override those in the server."""

    id: int
    allow: Permission = NONE
    deny: Permission = NONE


def effective_permissions(
    base: Permission, overwrites: Iterable[Overwrite], user: int, everyone: int, roles: Iterable[int] = ()
) -> Permission:
    """Returns a user's permissions in a channel, without those that a timeout or a kind of channel takes.

    The overwrites come in Discord's order: @everyone's, those of all roles together (what one allows no other denies),
    the member's own. Without VIEW_CHANNEL nothing is left, since nobody can act in a channel that they do not see.
    """
    if Permission.ADMINISTRATOR in base:
        return ALL
    by_id = {overwrite.id: overwrite for overwrite in overwrites}
    of_roles = [by_id[role] for role in roles if role in by_id]
    together = Overwrite(0, _union(each.allow for each in of_roles), _union(each.deny for each in of_roles))
    for overwrite in (by_id.get(everyone), together, by_id.get(user)):
        if overwrite is not None:
            base = (base & ~overwrite.deny) | overwrite.allow
    return base if Permission.VIEW_CHANNEL in base else NONE


def _union(permissions: Iterable[Permission]) -> Permission:
    return reduce(or_, permissions, NONE)
