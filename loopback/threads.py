"""Threads: who may start one where, name it and open it again, for the bot and for people alike.

Source: https://discord.com/developers/docs/topics/threads
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from loopback.errors import (
    MISSING_PERMISSIONS,
    THREAD_EXISTS,
    TITLE_BLOCKED,
    WRONG_CHANNEL_KIND,
    ApiError,
    InvalidForm,
    Malformed,
)
from loopback.model import OF_POSTS, Channel, ChannelKind, Message, MessageFlag, MessageKind
from loopback.permissions import Permission
from loopback.world import World

ARCHIVE_MINUTES = (60, 1440, 4320, 10080)
STARTED: Mapping[ChannelKind, tuple[ChannelKind, ...]] = {
    ChannelKind.TEXT: (ChannelKind.PUBLIC_THREAD, ChannelKind.PRIVATE_THREAD),
    ChannelKind.NEWS: (ChannelKind.NEWS_THREAD,),
}
"""The threads that a channel can have beside the posts of a forum."""
NEEDED: Mapping[ChannelKind, Permission] = {
    ChannelKind.PUBLIC_THREAD: Permission.CREATE_PUBLIC_THREADS,
    ChannelKind.NEWS_THREAD: Permission.CREATE_PUBLIC_THREADS,
    ChannelKind.PRIVATE_THREAD: Permission.CREATE_PRIVATE_THREADS,
}


@dataclass(frozen=True, slots=True)
class ThreadDraft:
    """A thread that someone wants to start: its name, its minutes until it is archived, its slow mode in seconds."""

    name: str
    archive: int = ARCHIVE_MINUTES[1]
    slowmode: int = 0


def start_from(world: World, starter: int, message: Message, draft: ThreadDraft) -> Channel:
    """Starts the thread of a message; it has the message's id."""
    if world.thread_of(message.id):
        raise ApiError(THREAD_EXISTS)
    parent = world.channels[message.channel_id]
    kind = ChannelKind.NEWS_THREAD if parent.kind is ChannelKind.NEWS else ChannelKind.PUBLIC_THREAD
    thread = _start(world, starter, parent, kind, draft, message.id)
    world.edit(replace(message, flags=message.flags | MessageFlag.HAS_THREAD))
    return thread


def start(world: World, starter: int, parent: Channel, kind: ChannelKind, draft: ThreadDraft) -> Channel:
    """Starts a thread without a message; the channel says so, unless it is private."""
    thread = _start(world, starter, parent, kind, draft, world.ids.next())
    if thread.kind is not ChannelKind.PRIVATE_THREAD:
        world.post(Message(world.ids.next(), parent.id, starter, thread.name, MessageKind.THREAD_CREATED))
    return thread


def start_post(world: World, starter: int, forum: Channel, draft: ThreadDraft) -> Channel:
    """Starts the post of a forum or of a media channel, whose first message has to follow."""
    if forum.kind not in OF_POSTS:
        raise ApiError(WRONG_CHANNEL_KIND)
    world.require(starter, forum, Permission.SEND_MESSAGES)
    return _create(world, starter, forum, ChannelKind.PUBLIC_THREAD, draft, world.ids.next())


def check_name(world: World, namer: int, parent: Channel, name: str) -> str:
    """Returns the name of a thread without space around it; raises ApiError where Discord refuses it."""
    name = name.strip()
    if not 1 <= len(name) <= 100:
        raise Malformed(("name",), f"must be 1 to 100 characters long, is {len(name)}")
    if any(word.lower() in name.lower() for word in world.refused_names):
        reason = "Contains words not allowed for servers in Server Discovery."
        raise InvalidForm(("name",), "INVALID_COMMUNITY_PROPERTY_NAME", reason)
    if world.blocks(namer, parent, name):
        raise ApiError(TITLE_BLOCKED)
    return name


def check_archive(minutes: int) -> int:
    """Returns the minutes until a thread is archived; raises Malformed if Discord does not offer so many."""
    if minutes not in ARCHIVE_MINUTES:
        raise Malformed(("auto_archive_duration",), f"must be one of {ARCHIVE_MINUTES} minutes")
    return minutes


def require_reopening(world: World, user: int, thread: Channel) -> None:
    """Raises ApiError unless the user may open the archived thread: its members may, of a locked one moderators."""
    if Permission.MANAGE_THREADS not in world.permissions(user, thread) and (
        thread.locked or user not in thread.members
    ):
        raise ApiError(MISSING_PERMISSIONS)
    world.require_room_for_thread(thread.kind)


def _start(
    world: World, starter: int, parent: Channel, kind: ChannelKind, draft: ThreadDraft, thread_id: int
) -> Channel:
    if kind not in STARTED.get(parent.kind, ()):
        raise ApiError(WRONG_CHANNEL_KIND)
    world.require(starter, parent, NEEDED[kind])
    return _create(world, starter, parent, kind, draft, thread_id)


def _create(
    world: World, starter: int, parent: Channel, kind: ChannelKind, draft: ThreadDraft, thread_id: int
) -> Channel:
    name, archive = check_name(world, starter, parent, draft.name), check_archive(draft.archive)
    world.require_room_for_thread(kind)
    thread = Channel(thread_id, kind, name, parent.id, owner_id=starter, members=(starter,), auto_archive=archive)
    thread = replace(thread, guild_id=parent.guild_id)
    return world.create(replace(thread, slowmode=draft.slowmode, archive_changed=world.now()))
