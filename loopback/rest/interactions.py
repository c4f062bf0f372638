"""The first response to an interaction, and the bot's messages with its token in the 15 minutes after.

Source: https://discord.com/developers/docs/interactions/receiving-and-responding
"""

from dataclasses import replace
from typing import Any

from loopback.components import validate_modal
from loopback.errors import ALREADY_ACKNOWLEDGED, TOO_MANY_FOLLOW_UPS, UNKNOWN_MESSAGE, ApiError, Malformed
from loopback.events import InteractionChanged
from loopback.interaction import Callback, Interaction, InteractionKind
from loopback.message_builder import build_message
from loopback.model import Message, MessageFlag, MessageKind, Modal, Origin
from loopback.permissions import Permission
from loopback.rest.call import Call, Table

Json = dict[str, Any]

ALLOWED = {
    InteractionKind.COMMAND: {Callback.MESSAGE, Callback.DEFERRED_MESSAGE, Callback.MODAL, Callback.LAUNCH_ACTIVITY},
    InteractionKind.COMPONENT: {
        Callback.MESSAGE,
        Callback.DEFERRED_MESSAGE,
        Callback.DEFERRED_UPDATE,
        Callback.UPDATE,
        Callback.MODAL,
        Callback.LAUNCH_ACTIVITY,
    },
    InteractionKind.AUTOCOMPLETE: {Callback.CHOICES},
    InteractionKind.MODAL: {
        Callback.MESSAGE,
        Callback.DEFERRED_MESSAGE,
        Callback.DEFERRED_UPDATE,
        Callback.UPDATE,
        Callback.LAUNCH_ACTIVITY,
    },
}
MAX_FOLLOW_UPS = 5  # where the bot is no member
ON_MESSAGE = (Callback.UPDATE, Callback.DEFERRED_UPDATE)


def _respond(call: Call) -> Json | None:
    interaction = call.services.interactions.for_response(call.id("interaction_id"), call.path["interaction_token"])
    if interaction.callback is not None:
        raise ApiError(ALREADY_ACKNOWLEDGED)
    callback = Callback(_callback_type(call.body))
    if callback not in ALLOWED[interaction.kind] or (callback in ON_MESSAGE and interaction.message is None):
        raise Malformed(("type",), f"{callback.name} does not answer a {interaction.kind.name.lower()}")
    data = call.body.get("data") or {}
    message = None
    match callback:
        case Callback.MESSAGE:
            message = call.world.post(build_message(call.world, _blank(call, interaction, data), data, call.uploads))
        case Callback.DEFERRED_MESSAGE:
            blank = _blank(call, interaction, data)
            message = call.world.post(replace(blank, flags=blank.flags | MessageFlag.LOADING))
        case Callback.UPDATE:
            message = _edit_message(call, _source_message(call, interaction), data)
        case Callback.DEFERRED_UPDATE:
            message = _source_message(call, interaction)
        case Callback.MODAL:
            interaction.modal = _modal(interaction, data)
        case Callback.CHOICES:
            interaction.choices = tuple(_choices(data))
        case Callback.LAUNCH_ACTIVITY:
            interaction.activity = call.world.activities.launch(interaction.user.id, interaction.channel_id)
    if message is not None:
        interaction.original = message.id
        if callback not in ON_MESSAGE:
            interaction.made.append(message.id)
    interaction.callback = callback
    call.world.publish(InteractionChanged(interaction))
    return _callback_response(call, interaction, message) if call.query.get("with_response") in ("1", "true") else None


def _callback_type(body: Any) -> int:
    kind = body.get("type") if isinstance(body, dict) else None
    if kind == Callback.PONG:
        raise Malformed(("type",), "PONG answers a PING, which the gateway never sends")
    if kind not in list(Callback):
        raise Malformed(("type",), f"no response to an interaction has type {kind}")
    return int(kind)


def _blank(call: Call, interaction: Interaction, data: Json) -> Message:
    """Returns an empty message in response to the interaction; ephemeral if the data says so."""
    source = interaction.message.id if interaction.message else None
    name, installer = interaction.data.get("name"), interaction.installer
    origin = Origin(interaction.id, interaction.kind, interaction.user.id, name, source, installer)
    kind = MessageKind.CHAT_INPUT_COMMAND if interaction.kind is InteractionKind.COMMAND else MessageKind.DEFAULT
    blank = Message(call.world.ids.next(), interaction.channel_id, call.world.bot.id, kind=kind, origin=origin)
    channel = call.world.channel(interaction.channel_id)
    forced = installer and Permission.USE_EXTERNAL_APPS not in call.world.permissions(interaction.user.id, channel)
    if MessageFlag.EPHEMERAL not in MessageFlag(data.get("flags") or 0) and not forced:
        return blank
    return replace(blank, flags=MessageFlag.EPHEMERAL, visible_to=interaction.user.id)


def _source_message(call: Call, interaction: Interaction) -> Message:
    """Returns the message whose component the person used, as it is now."""
    assert interaction.message is not None
    return call.world.message(interaction.channel_id, interaction.message.id)


def _edit_message(call: Call, message: Message, data: Json) -> Message:
    draft = build_message(
        call.world, message, {key: value for key, value in data.items() if key != "tts"}, call.uploads
    )
    edited = None if message.loading else call.world.now()  # the message after a deferral does not count as edited
    return call.world.edit(replace(draft, flags=draft.flags & ~MessageFlag.LOADING, edited=edited))


def _modal(interaction: Interaction, data: Json) -> Modal:
    for key, limit in {"custom_id": 100, "title": 45}.items():
        if not 1 <= len(data.get(key) or "") <= limit:
            raise Malformed(("data", key), f"must be 1 to {limit} characters long")
    parts = validate_modal(data.get("components") or (), ("data", "components"))
    return Modal(interaction.id, data["custom_id"], data["title"], parts)


def _choices(data: Json) -> list[Json]:
    choices: list[Json] = data.get("choices") or []
    if len(choices) > 25:
        raise Malformed(("data", "choices"), f"at most 25 choices, are {len(choices)}")
    for index, choice in enumerate(choices):
        if not 1 <= len(choice["name"]) <= 100 or (isinstance(choice["value"], str) and len(choice["value"]) > 100):
            raise Malformed(("data", "choices", index), "name and value must be 1 to 100 characters long")
    return choices


def _callback_response(call: Call, interaction: Interaction, message: Message | None) -> Json:
    json: Json = {"id": str(interaction.id), "type": int(interaction.kind), "channel_id": str(interaction.channel_id)}
    channel = call.world.channels[interaction.channel_id]
    if channel.in_guild:
        json["guild_id"] = str(call.world.guild_of(channel).id)
    if interaction.activity is not None:
        json["activity_instance_id"] = interaction.activity.id
        launched = {"type": Callback.LAUNCH_ACTIVITY, "activity_instance": {"id": interaction.activity.id}}
        return {"interaction": json, "resource": launched}
    if message is None:
        return {"interaction": json}
    json |= {
        "response_message_id": str(message.id),
        "response_message_loading": message.loading,
        "response_message_ephemeral": message.ephemeral,
    }
    if interaction.callback is Callback.DEFERRED_UPDATE:
        return {"interaction": json}
    callback = Callback.UPDATE if interaction.callback is Callback.UPDATE else Callback.MESSAGE
    return {"interaction": json, "resource": {"type": callback, "message": call.wire.message(message)}}


def _interaction(call: Call) -> Interaction:
    """Returns the interaction whose token is in the path."""
    return call.services.interactions.for_follow_up(call.path["webhook_token"])


def _target_message(call: Call, interaction: Interaction) -> Message:
    """Returns the message of the path: ``@original`` or one made with the same token."""
    wanted = call.id("message_id") if "message_id" in call.path else interaction.original
    message = call.world.messages.get(wanted or 0)
    if message is None or message.id not in (interaction.original, *interaction.made):
        raise ApiError(UNKNOWN_MESSAGE)
    return message


def _execute(call: Call) -> Json | None:
    """Posts a message by a webhook: that of an interaction, or one of a channel."""
    channel = call.world.webhooks.get(call.path["webhook_token"])
    if channel is None:
        return _follow_up(call)
    blank = Message(call.world.ids.next(), channel, call.world.bot.id)
    return call.wire.message(call.world.post(build_message(call.world, blank, call.body or {}, call.uploads)))


def _follow_up(call: Call) -> Json | None:
    """Posts a message; the first one after a deferral replaces the message that says the bot is thinking."""
    interaction, body = _interaction(call), call.body or {}
    if interaction.installer is not None and interaction.follow_ups == MAX_FOLLOW_UPS:
        raise ApiError(TOO_MANY_FOLLOW_UPS)
    interaction.follow_ups += 1
    original = call.world.messages.get(interaction.original or 0)
    if original is not None and original.loading:
        message = _edit_message(call, original, body)
    else:
        message = call.world.post(build_message(call.world, _blank(call, interaction, body), body, call.uploads))
        interaction.made.append(message.id)
    return _finish(call, interaction, message)


def _edit(call: Call) -> Json:
    interaction = _interaction(call)
    return _finish(call, interaction, _edit_message(call, _target_message(call, interaction), call.body or {}))


def _finish(call: Call, interaction: Interaction, message: Message) -> Json:
    """Notes a change after the acknowledgement; returns the message's JSON."""
    interaction.touched += 1
    call.world.publish(InteractionChanged(interaction))
    return call.wire.message(message)


def _delete(call: Call) -> None:
    interaction = _interaction(call)
    call.world.delete(_target_message(call, interaction))


ENDPOINTS: Table = {
    "POST /interactions/{interaction_id}/{interaction_token}/callback": _respond,
    "POST /webhooks/{webhook_id}/{webhook_token}": _execute,
    **{
        f"{method} /webhooks/{{webhook_id}}/{{webhook_token}}/messages/{message}": endpoint
        for message in ("@original", "{message_id}")
        for method, endpoint in (
            ("GET", lambda call: call.wire.message(_target_message(call, _interaction(call)))),
            ("PATCH", _edit),
            ("DELETE", _delete),
        )
    },
}
