"""Messages in channels: create, read, edit, delete; typing."""

from dataclasses import replace
from typing import Any

from loopback.errors import (
    MISSING_ACCESS,
    NOT_OWN_MESSAGE,
    THREAD_ARCHIVED,
    UNKNOWN_MESSAGE,
    ApiError,
    Malformed,
)
from loopback.events import TypingStarted
from loopback.message_builder import composed
from loopback.model import Channel, Message, MessageKind, Reference
from loopback.permissions import Permission
from loopback.rest.call import Call, Table

Json = dict[str, Any]


def _public(call: Call) -> Message:
    """The message of the path, as far as the bot can reach it without an interaction's token."""
    call.world.require(call.world.bot.id, call.channel)
    message = call.message
    if message.ephemeral:
        raise ApiError(UNKNOWN_MESSAGE)
    return message


def _awake(channel: Channel) -> None:
    if channel.archived:
        raise ApiError(THREAD_ARCHIVED)


def _create(call: Call) -> Json:
    world, channel, body = call.world, call.channel, call.body or {}
    world.require_sending(world.bot.id, channel)
    if call.uploads:
        world.require(world.bot.id, channel, Permission.ATTACH_FILES)
    if channel.locked:
        _awake(channel)
    nonce = body.get("nonce")
    if nonce is not None and body.get("enforce_nonce") and (first := world.repeated(world.bot.id, nonce)):
        return call.wire.message(first)
    blank = Message(world.ids.next(), channel.id, world.bot.id, nonce=nonce)
    answered = _answered(call, channel, body.get("message_reference"))
    if answered is not None:
        world.require(world.bot.id, channel, Permission.READ_MESSAGE_HISTORY)
        blank = replace(blank, kind=MessageKind.REPLY, reference=Reference(channel.id, answered.id))
    author = None if answered is None else answered.author_id
    return call.wire.message(world.post(composed(world, blank, body, call.uploads, answered=author)))


def _answered(call: Call, channel: Channel, reference: Json | None) -> Message | None:
    """The message that a new one replies to."""
    if reference is None:
        return None
    if reference.get("type") or int(reference.get("channel_id") or channel.id) != channel.id:
        raise Malformed(("message_reference",), "the stand-in knows replies within a channel only, no forwarding")
    message = call.world.messages.get(int(reference["message_id"]))
    if message is not None and message.channel_id == channel.id and not message.ephemeral:
        return message
    if reference.get("fail_if_not_exists", True):
        raise Malformed(("message_reference",), "Unknown message")
    return None


def _edit(call: Call) -> Json:
    message = _public(call)
    if message.author_id != call.world.bot.id:
        raise ApiError(NOT_OWN_MESSAGE)
    _awake(call.channel)
    if call.uploads:
        call.world.require(call.world.bot.id, call.channel, Permission.ATTACH_FILES)
    edited = composed(call.world, message, call.body or {}, call.uploads, answered=_author_answered(call, message))
    return call.wire.message(call.world.edit(replace(edited, edited=call.world.now())))


def _author_answered(call: Call, message: Message) -> int | None:
    answered = call.world.messages.get(message.reference.message_id) if message.reference else None
    return answered.author_id if answered and answered.author_id in message.mentions else None


def _delete(call: Call) -> None:
    message = _public(call)
    if message.author_id != call.world.bot.id:
        call.world.require(call.world.bot.id, call.channel, Permission.MANAGE_MESSAGES)
    _awake(call.channel)
    call.world.delete(message)


def _get(call: Call) -> Json:
    message = _public(call)
    call.world.require(call.world.bot.id, call.channel, Permission.READ_MESSAGE_HISTORY)
    return call.wire.message(message)


def _list(call: Call) -> list[Json]:
    """The newest first, as Discord lists them; ``before``, ``after`` and ``limit`` as there."""
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


def _type(call: Call) -> None:
    call.world.require_sending(call.world.bot.id, call.channel)
    call.world.tell(TypingStarted(call.channel.id, call.world.bot.id))


ENDPOINTS: Table = {
    "GET /channels/{channel_id}/messages": _list,
    "POST /channels/{channel_id}/messages": _create,
    "GET /channels/{channel_id}/messages/{message_id}": _get,
    "PATCH /channels/{channel_id}/messages/{message_id}": _edit,
    "DELETE /channels/{channel_id}/messages/{message_id}": _delete,
    "POST /channels/{channel_id}/typing": _type,
}
