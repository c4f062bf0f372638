"""Channels, threads with their members, DMs, and the messages in them."""

from dataclasses import replace
from typing import Any

from loopback import threads
from loopback.errors import (
    DMS_TOO_FAST,
    MISSING_ACCESS,
    MISSING_PERMISSIONS,
    NOT_OWN_MESSAGE,
    QUARANTINED,
    THREAD_ARCHIVED,
    TOO_MANY_PARTICIPANTS,
    UNKNOWN_MEMBER,
    UNKNOWN_MESSAGE,
    UNKNOWN_USER,
    WRONG_CHANNEL_KIND,
    ApiError,
    InvalidForm,
    Malformed,
)
from loopback.events import TypingStarted
from loopback.message_builder import build_message
from loopback.model import OF_POSTS, THREADS, Channel, ChannelKind, Message, MessageKind, Reference
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


def _reachable_message(call: Call) -> Message:
    """Returns the message of the path if the bot can reach it without an interaction's token."""
    call.world.require(call.world.bot.id, call.channel)
    message = call.message
    if message.ephemeral:
        raise ApiError(UNKNOWN_MESSAGE)
    return message


def _require_unarchived(channel: Channel) -> None:
    if channel.archived:
        raise ApiError(THREAD_ARCHIVED)


def _create_message(call: Call) -> Json:
    world, channel, body = call.world, call.channel, call.body or {}
    world.require_sending(world.bot.id, channel)
    if call.uploads:
        world.require(world.bot.id, channel, Permission.ATTACH_FILES)
    nonce = body.get("nonce")
    if nonce is not None and body.get("enforce_nonce") and (first := world.find_by_nonce(world.bot.id, nonce)):
        return call.wire.message(first)
    blank = Message(world.ids.next(), channel.id, world.bot.id, nonce=nonce)
    original = _replied_to(call, channel, body.get("message_reference"))
    if original is not None:
        world.require(world.bot.id, channel, Permission.READ_MESSAGE_HISTORY)
        blank = replace(blank, kind=MessageKind.REPLY, reference=Reference(channel.id, original.id))
    author = None if original is None else original.author_id
    return call.wire.message(world.post(build_message(world, blank, body, call.uploads, replied_to=author)))


def _replied_to(call: Call, channel: Channel, reference: Json | None) -> Message | None:
    """Returns the message that a new one replies to."""
    if reference is None:
        return None
    if reference.get("type") or int(reference.get("channel_id") or channel.id) != channel.id:
        raise Malformed(("message_reference",), "the stand-in knows replies within a channel only, no forwarding")
    message = call.world.messages.get(int(reference["message_id"]))
    if message is not None and message.channel_id == channel.id and not message.ephemeral:
        return message
    if reference.get("fail_if_not_exists", True):
        raise InvalidForm(("message_reference",), "REPLIES_UNKNOWN_MESSAGE", "Unknown message")
    return None


def _edit_message(call: Call) -> Json:
    message = _reachable_message(call)
    if message.author_id != call.world.bot.id:
        raise ApiError(NOT_OWN_MESSAGE)
    _require_unarchived(call.channel)
    if call.uploads:
        call.world.require(call.world.bot.id, call.channel, Permission.ATTACH_FILES)
    edited = build_message(call.world, message, call.body or {}, call.uploads, replied_to=_pinged_author(call, message))
    return call.wire.message(call.world.edit(replace(edited, edited=call.world.now())))


def _pinged_author(call: Call, message: Message) -> int | None:
    original = call.world.messages.get(message.reference.message_id) if message.reference else None
    return original.author_id if original and original.author_id in message.mentions else None


def _delete_message(call: Call) -> None:
    message = _reachable_message(call)
    if message.author_id != call.world.bot.id:
        call.world.require(call.world.bot.id, call.channel, Permission.MANAGE_MESSAGES)
    _require_unarchived(call.channel)
    call.world.delete(message)


def _get_message(call: Call) -> Json:
    message = _reachable_message(call)
    call.world.require(call.world.bot.id, call.channel, Permission.READ_MESSAGE_HISTORY)
    return call.wire.message(message)


def _list_messages(call: Call) -> list[Json]:
    """Lists messages, the newest first, with Discord's ``before``, ``after`` and ``limit``."""
    call.world.require(call.world.bot.id, call.channel)
    if Permission.READ_MESSAGE_HISTORY not in call.world.permissions(call.world.bot.id, call.channel):
        raise ApiError(MISSING_ACCESS)
    if "around" in call.query:
        raise Malformed(("around",), "the stand-in lists messages before or after one, not around it")
    limit = int(call.query.get("limit", 50))
    if not 1 <= limit <= 100:
        raise Malformed(("limit",), "must be 1 to 100")
    found = call.world.history(call.channel.id)
    if "after" in call.query:
        found = [each for each in found if each.id > int(call.query["after"])][:limit]
    if "before" in call.query:
        found = [each for each in found if each.id < int(call.query["before"])]
    return [call.wire.message(each) for each in reversed(found[-limit:])]


def _react(call: Call) -> None:
    """Adds a reaction; the first one of its kind needs a permission of its own."""
    message = _reachable_message(call)
    call.world.require(call.world.bot.id, call.channel, Permission.READ_MESSAGE_HISTORY, Permission.ADD_REACTIONS)
    _require_unarchived(call.channel)
    call.world.react(message, call.path["emoji_name"])


def _pin(call: Call) -> None:
    _set_pinned(call, pinned=True)


def _unpin(call: Call) -> None:
    _set_pinned(call, pinned=False)


def _set_pinned(call: Call, *, pinned: bool) -> None:
    message = _reachable_message(call)
    call.world.require(call.world.bot.id, call.channel, Permission.READ_MESSAGE_HISTORY, Permission.PIN_MESSAGES)
    _require_unarchived(call.channel)
    call.world.edit(replace(message, pinned=pinned))


def _type(call: Call) -> None:
    call.world.require_sending(call.world.bot.id, call.channel)
    call.world.publish(TypingStarted(call.channel.id, call.world.bot.id))


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
    "GET /channels/{channel_id}/messages": _list_messages,
    "POST /channels/{channel_id}/messages": _create_message,
    "GET /channels/{channel_id}/messages/{message_id}": _get_message,
    "PATCH /channels/{channel_id}/messages/{message_id}": _edit_message,
    "DELETE /channels/{channel_id}/messages/{message_id}": _delete_message,
    "PUT /channels/{channel_id}/messages/{message_id}/reactions/{emoji_name}/@me": _react,
    "PUT /channels/{channel_id}/messages/pins/{message_id}": _pin,
    "DELETE /channels/{channel_id}/messages/pins/{message_id}": _unpin,
    "POST /channels/{channel_id}/typing": _type,
}
