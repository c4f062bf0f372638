"""Channels, threads with their members, and DMs."""

from dataclasses import replace
from typing import Any

from loopback.errors import (
    MISSING_PERMISSIONS,
    THREAD_ARCHIVED,
    THREAD_EXISTS,
    UNKNOWN_MEMBER,
    UNKNOWN_MESSAGE,
    UNKNOWN_USER,
    WRONG_CHANNEL_KIND,
    ApiError,
    Malformed,
)
from loopback.model import Channel, ChannelKind, Message, MessageFlag, MessageKind
from loopback.permissions import Permission
from loopback.rest.call import Call, Table

Json = dict[str, Any]
ARCHIVE_MINUTES = (60, 1440, 4320, 10080)


def _get(call: Call) -> Json:
    call.world.require(call.world.bot.id, call.channel)
    return call.wire.channel(call.channel)


def _create_dm(call: Call) -> Json:
    recipient = int(call.body["recipient_id"])
    if recipient not in call.world.users or recipient == call.world.bot.id:
        raise ApiError(UNKNOWN_USER)
    return call.wire.channel(call.world.open_dm(recipient))


def _make_thread(call: Call, kind: ChannelKind, thread_id: int) -> Channel:
    parent, body = call.channel, call.body
    if parent.kind is not ChannelKind.TEXT:
        raise ApiError(WRONG_CHANNEL_KIND)
    needed = {
        ChannelKind.PUBLIC_THREAD: Permission.CREATE_PUBLIC_THREADS,
        ChannelKind.PRIVATE_THREAD: Permission.CREATE_PRIVATE_THREADS,
    }
    call.world.require(call.world.bot.id, parent, needed[kind])
    bot = call.world.bot.id
    archive = _archive_minutes(body)
    thread = Channel(thread_id, kind, _name(body), parent.id, owner_id=bot, members=(bot,), auto_archive=archive)
    slowmode = body.get("rate_limit_per_user") or 0
    return call.world.create(replace(thread, slowmode=slowmode, archive_changed=call.world.now()))


def _name(body: Json) -> str:
    name: str = body["name"].strip()
    if not 1 <= len(name) <= 100:
        raise Malformed(("name",), f"must be 1 to 100 characters long, is {len(name)}")
    return name


def _archive_minutes(body: Json) -> int:
    minutes: int = body.get("auto_archive_duration") or ARCHIVE_MINUTES[1]
    if minutes not in ARCHIVE_MINUTES:
        raise Malformed(("auto_archive_duration",), f"must be one of {ARCHIVE_MINUTES} minutes")
    return minutes


def _thread_from_message(call: Call) -> Json:
    message = call.message
    if message.ephemeral:
        raise ApiError(UNKNOWN_MESSAGE)
    if call.world.thread_of(message.id):
        raise ApiError(THREAD_EXISTS)
    thread = _make_thread(call, ChannelKind.PUBLIC_THREAD, message.id)
    call.world.edit(replace(message, flags=message.flags | MessageFlag.HAS_THREAD))
    return call.wire.channel(thread)


def _thread_without_message(call: Call) -> Json:
    kind = call.body.get("type") or ChannelKind.PRIVATE_THREAD
    if kind not in (ChannelKind.PUBLIC_THREAD, ChannelKind.PRIVATE_THREAD):
        raise Malformed(("type",), f"{kind} is no thread")
    thread = _make_thread(call, ChannelKind(kind), call.world.ids.next())
    if thread.kind is ChannelKind.PUBLIC_THREAD:
        notice = Message(
            call.world.ids.next(), call.channel.id, call.world.bot.id, thread.name, MessageKind.THREAD_CREATED
        )
        call.world.post(notice)
    return call.wire.channel(thread)


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
        own = (
            channel.owner_id == bot
            and not channel.locked
            and body.keys() <= {"name", "archived", "auto_archive_duration"}
        )
        if not own:
            raise ApiError(MISSING_PERMISSIONS)
    if channel.archived and body.get("archived") is not False:
        raise ApiError(THREAD_ARCHIVED)
    changed = replace(
        channel,
        name=_name(body) if "name" in body else channel.name,
        topic=body.get("topic", channel.topic),
        archived=body.get("archived", channel.archived),
        locked=body.get("locked", channel.locked),
        slowmode=body.get("rate_limit_per_user", channel.slowmode),
        auto_archive=_archive_minutes(body) if "auto_archive_duration" in body else channel.auto_archive,
    )
    if changed.archived != channel.archived:
        changed = replace(changed, archive_changed=call.world.now())
    return call.wire.channel(call.world.change(changed))


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
    if call.channel.archived:
        raise ApiError(THREAD_ARCHIVED)
    call.world.join(call.channel, [member])


def _remove_member(call: Call) -> None:
    member = _member_id(call)
    if member != call.world.bot.id:
        call.world.require(call.world.bot.id, call.channel, Permission.MANAGE_THREADS)
    call.world.change(replace(call.channel, members=tuple(each for each in call.channel.members if each != member)))


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
