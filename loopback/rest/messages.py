"""Messages in channels: create, read, edit and delete them; typing."""

from dataclasses import replace
from typing import Any

from loopback.errors import (
    MISSING_ACCESS,
    NOT_OWN_MESSAGE,
    THREAD_ARCHIVED,
    UNKNOWN_MESSAGE,
    ApiError,
    InvalidForm,
    Malformed,
)
from loopback.events import TypingStarted
from loopback.message_builder import build_message
from loopback.model import Channel, Message, MessageKind, Reference
from loopback.permissions import Permission
from loopback.rest.call import Call, Table

Json = dict[str, Any]


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


def _create(call: Call) -> Json:
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


def _edit(call: Call) -> Json:
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


def _delete(call: Call) -> None:
    message = _reachable_message(call)
    if message.author_id != call.world.bot.id:
        call.world.require(call.world.bot.id, call.channel, Permission.MANAGE_MESSAGES)
    _require_unarchived(call.channel)
    call.world.delete(message)


def _get(call: Call) -> Json:
    message = _reachable_message(call)
    call.world.require(call.world.bot.id, call.channel, Permission.READ_MESSAGE_HISTORY)
    return call.wire.message(message)


def _list(call: Call) -> list[Json]:
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
    "GET /channels/{channel_id}/messages": _list,
    "POST /channels/{channel_id}/messages": _create,
    "GET /channels/{channel_id}/messages/{message_id}": _get,
    "PATCH /channels/{channel_id}/messages/{message_id}": _edit,
    "DELETE /channels/{channel_id}/messages/{message_id}": _delete,
    "PUT /channels/{channel_id}/messages/{message_id}/reactions/{emoji_name}/@me": _react,
    "PUT /channels/{channel_id}/messages/pins/{message_id}": _pin,
    "DELETE /channels/{channel_id}/messages/pins/{message_id}": _unpin,
    "POST /channels/{channel_id}/typing": _type,
}
