"""Channels, threads with their members, and DMs."""

from dataclasses import replace
from typing import Any

from loopback import threads
from loopback.errors import (
    DMS_TOO_FAST,
    MISSING_PERMISSIONS,
    QUARANTINED,
    THREAD_ARCHIVED,
    TOO_MANY_PARTICIPANTS,
    UNKNOWN_MEMBER,
    UNKNOWN_MESSAGE,
    UNKNOWN_USER,
    WRONG_CHANNEL_KIND,
    ApiError,
    Malformed,
)
from loopback.message_builder import build_message
from loopback.model import OF_POSTS, THREADS, Channel, ChannelKind, Message
from loopback.permissions import Permission
from loopback.rest.call import Call, Table

Json = dict[str, Any]
MAX_PARTICIPANTS = 1000  # of a thread


def _get(call: Call) -> Json:
    call.world.require(call.world.bot.id, call.channel)
    return call.wire.channel(call.channel)


def _create_dm(call: Call) -> Json:
    """Opens a DM; one that is open already costs nothing."""
    world, recipient = call.world, int(call.body["recipient_id"])
    if recipient not in world.users or recipient == world.bot.id:
        raise ApiError(UNKNOWN_USER)
    if world.dm(recipient) is None:
        if world.quarantined:
            raise ApiError(QUARANTINED)
        if world.new_dms is not None:
            if world.new_dms <= 0:
                raise ApiError(DMS_TOO_FAST)
            world.new_dms -= 1
    return call.wire.channel(world.open_dm(recipient))


def _draft(body: Json) -> threads.ThreadDraft:
    archive = body.get("auto_archive_duration") or threads.ARCHIVE_MINUTES[1]
    return threads.ThreadDraft(body["name"], archive, body.get("rate_limit_per_user") or 0)


def _thread_from_message(call: Call) -> Json:
    message = call.message
    if message.ephemeral:
        raise ApiError(UNKNOWN_MESSAGE)
    return call.wire.channel(threads.start_from(call.world, call.world.bot.id, message, _draft(call.body)))


def _thread_without_message(call: Call) -> Json:
    """Starts a thread, or in a forum a post with its first message."""
    world, parent, body = call.world, call.channel, call.body
    if parent.kind in OF_POSTS:
        if "message" not in body:
            raise Malformed(("message",), "a post needs a first message")
        thread = threads.start_post(world, world.bot.id, parent, _draft(body))
        try:
            blank = Message(thread.id, thread.id, world.bot.id)
            first = world.post(build_message(world, blank, body["message"], call.uploads))
        except ApiError:
            world.remove(thread)
            raise
        return call.wire.channel(world.channels[thread.id]) | {"message": call.wire.message(first)}
    kind = body.get("type") or ChannelKind.PRIVATE_THREAD
    if kind not in THREADS:
        raise Malformed(("type",), f"{kind} is no thread")
    return call.wire.channel(threads.start(world, world.bot.id, parent, ChannelKind(kind), _draft(body)))


def _change(call: Call) -> Json:
    channel, body, bot = call.channel, call.body, call.world.bot.id
    if not channel.in_guild:
        raise ApiError(WRONG_CHANNEL_KIND)
    known = {"name", "archived", "locked", "auto_archive_duration", "rate_limit_per_user", "topic"}
    if unknown := body.keys() - known:
        raise Malformed((sorted(unknown)[0],), "the stand-in cannot change this field of a channel")
    call.world.require(bot, channel)
    has = call.world.permissions(bot, channel)
    if not channel.is_thread and Permission.MANAGE_CHANNELS not in has:
        raise ApiError(MISSING_PERMISSIONS)
    if channel.is_thread and Permission.MANAGE_THREADS not in has:
        _require_editable(call, channel, body)
    if channel.archived:
        if body.get("archived") is not False:
            raise ApiError(THREAD_ARCHIVED)
        threads.require_reopening(call.world, bot, channel)
    changed = replace(
        channel,
        name=threads.check_name(call.world, bot, channel, body["name"]) if "name" in body else channel.name,
        topic=body.get("topic", channel.topic),
        archived=body.get("archived", channel.archived),
        locked=body.get("locked", channel.locked),
        slowmode=body.get("rate_limit_per_user", channel.slowmode),
    )
    if "auto_archive_duration" in body:
        changed = replace(changed, auto_archive=threads.check_archive(body["auto_archive_duration"]))
    if changed.archived != channel.archived or changed.auto_archive != channel.auto_archive:
        changed = replace(changed, archive_changed=call.world.now())
    return call.wire.channel(call.world.change(changed))


def _require_editable(call: Call, thread: Channel, body: Json) -> None:
    """Raises ApiError unless the bot may edit a thread that it does not manage: its own, or to open it again."""
    reopens = thread.archived and body == {"archived": False}
    own = thread.owner_id == call.world.bot.id and not thread.locked
    if not reopens and not (own and body.keys() <= {"name", "archived", "auto_archive_duration"}):
        raise ApiError(MISSING_PERMISSIONS)


def _delete(call: Call) -> Json:
    channel = call.channel
    if channel.is_dm:
        return call.wire.channel(channel)
    needed = Permission.MANAGE_THREADS if channel.is_thread else Permission.MANAGE_CHANNELS
    call.world.require(call.world.bot.id, channel, needed)
    gone = call.wire.channel(channel)
    call.world.remove(channel)
    return gone


def _member_id(call: Call) -> int:
    if not call.channel.is_thread:
        raise ApiError(WRONG_CHANNEL_KIND)
    call.world.require(call.world.bot.id, call.channel)
    return call.id("user_id") if "user_id" in call.path else call.world.bot.id


def _add_member(call: Call) -> None:
    member = _member_id(call)
    if member not in call.world.users:
        raise ApiError(UNKNOWN_USER)
    if member != call.world.bot.id:
        call.world.require(call.world.bot.id, call.channel, Permission.SEND_MESSAGES_IN_THREADS)
    if call.channel.archived:
        raise ApiError(THREAD_ARCHIVED)
    if member not in call.channel.members and len(call.channel.members) >= MAX_PARTICIPANTS:
        raise ApiError(TOO_MANY_PARTICIPANTS)
    call.world.join(call.channel, [member])


def _remove_member(call: Call) -> None:
    member = _member_id(call)
    channel, bot = call.channel, call.world.bot.id
    if member != bot and not (channel.kind is ChannelKind.PRIVATE_THREAD and channel.owner_id == bot):
        call.world.require(bot, channel, Permission.MANAGE_THREADS)
    if channel.archived:
        raise ApiError(THREAD_ARCHIVED)
    call.world.change(replace(channel, members=tuple(each for each in channel.members if each != member)))


def _get_member(call: Call) -> Json:
    member = _member_id(call)
    if member not in call.channel.members:
        raise ApiError(UNKNOWN_MEMBER)
    return call.wire.thread_member(call.channel, member)


ENDPOINTS: Table = {
    "POST /users/@me/channels": _create_dm,
    "GET /channels/{channel_id}": _get,
    "PATCH /channels/{channel_id}": _change,
    "DELETE /channels/{channel_id}": _delete,
    "POST /channels/{channel_id}/threads": _thread_without_message,
    "POST /channels/{channel_id}/messages/{message_id}/threads": _thread_from_message,
    "PUT /channels/{channel_id}/thread-members/@me": _add_member,
    "DELETE /channels/{channel_id}/thread-members/@me": _remove_member,
    "GET /channels/{channel_id}/thread-members/{user_id}": _get_member,
    "PUT /channels/{channel_id}/thread-members/{user_id}": _add_member,
    "DELETE /channels/{channel_id}/thread-members/{user_id}": _remove_member,
}
