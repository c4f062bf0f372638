"""The events of the server: an external one begins and ends by itself at its times.

Source: https://discord.com/developers/docs/resources/guild-scheduled-event
"""

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from loopback.errors import (
    BAD_EVENT_CHANGE,
    MISSING_PERMISSIONS,
    TOO_MANY_EVENTS,
    UNKNOWN_EVENT,
    ApiError,
    InvalidForm,
    Malformed,
)
from loopback.model import OPEN_EVENTS, EventStatus, ScheduledEvent
from loopback.permissions import Permission
from loopback.rest.call import Call, Table

Json = dict[str, Any]
MAX_EVENTS = 100  # that are scheduled or go on
LENGTHS = {"name": 100, "description": 1000}
NEXT = {
    EventStatus.SCHEDULED: (EventStatus.SCHEDULED, EventStatus.ACTIVE, EventStatus.CANCELLED),
    EventStatus.ACTIVE: (EventStatus.ACTIVE, EventStatus.COMPLETED),
}
"""The statuses that may follow each."""


def _require_right(call: Call) -> None:
    assert call.guild, "the bot is on it"
    if not call.world.bot_may & (Permission.CREATE_EVENTS | Permission.ADMINISTRATOR):
        raise ApiError(MISSING_PERMISSIONS)


def _list(call: Call) -> list[Json]:
    return [_wire(call, each) for each in _open_events(call)]


def _events(call: Call) -> Iterable[ScheduledEvent]:
    """Returns the events of the path's server; ApiError 10004."""
    guild = call.guild
    return [each for each in call.world.present_events() if (each.guild_id or call.world.guild.id) == guild.id]


def _open_events(call: Call) -> Iterable[ScheduledEvent]:
    return [each for each in _events(call) if each.status in OPEN_EVENTS]


def _event(call: Call) -> ScheduledEvent:
    wanted = call.id("guild_scheduled_event_id")
    found = next((each for each in _events(call) if each.id == wanted), None)
    if found is None:
        raise ApiError(UNKNOWN_EVENT)
    return found


def _create(call: Call) -> Json:
    _require_right(call)
    if len([*_open_events(call)]) >= MAX_EVENTS:
        raise ApiError(TOO_MANY_EVENTS)
    body = call.body
    if body["entity_type"] != 3 or not body.get("scheduled_end_time"):
        raise Malformed(("entity_type",), "an event that is not external, or has no end")
    server = call.guild.id if call.guild.id in call.world.others else None
    blank = ScheduledEvent(call.world.ids.next(), call.world.bot.id, "", "", "", 0, 0, guild_id=server)
    made = _checked(call, _with(blank, body))
    if made.begins <= call.world.now():
        raise InvalidForm(("scheduled_start_time",), "GUILD_SCHEDULED_EVENT_SCHEDULE_PAST", "Cannot be in the past.")
    call.world.schedule(made)
    return _wire(call, made)


def _modify(call: Call) -> Json:
    _require_right(call)
    event = _event(call)
    if event.creator_id != call.world.bot.id and Permission.MANAGE_EVENTS not in call.world.bot_may:
        raise ApiError(MISSING_PERMISSIONS)
    if event.status not in NEXT:
        raise ApiError(BAD_EVENT_CHANGE)
    changed = _checked(call, _with(event, call.body))
    if changed.status not in NEXT[event.status]:
        raise InvalidForm(("status",), "TRANSITION_INVALID", "Invalid Guild Scheduled Event Status Transition")
    if changed.begins != event.begins and (event.status is EventStatus.ACTIVE or changed.begins <= call.world.now()):
        raise InvalidForm(("scheduled_start_time",), "GUILD_SCHEDULED_EVENT_SCHEDULE_PAST", "Cannot be in the past.")
    call.world.schedule(changed)
    return _wire(call, changed)


def _delete(call: Call) -> None:
    _require_right(call)
    call.world.unschedule(_event(call))


def _with(event: ScheduledEvent, body: Json) -> ScheduledEvent:
    """Returns an event with the fields of a body."""
    changes: Json = {each: body[each] or "" for each in ("name", "description") if each in body}
    for field, name in (("begins", "scheduled_start_time"), ("ends", "scheduled_end_time")):
        if name in body:
            changes[field] = datetime.fromisoformat(body[name]).timestamp()
    if "entity_metadata" in body:
        changes["location"] = body["entity_metadata"]["location"]
    if "status" in body:
        changes["status"] = EventStatus(body["status"])
    return replace(event, **changes)


def _checked(call: Call, event: ScheduledEvent) -> ScheduledEvent:
    """Returns an event that Discord takes. The limits of texts are those of its documentation."""
    if not 1 <= len(event.name) <= LENGTHS["name"] or len(event.description) > LENGTHS["description"]:
        raise Malformed(("name",), "a name or a description of a wrong length")
    if not 1 <= len(event.location) <= 100:
        raise Malformed(("entity_metadata", "location"), "must be 1 to 100 characters long")
    if event.ends <= max(event.begins, call.world.now()):
        raise InvalidForm(
            ("scheduled_end_time",), "GUILD_SCHEDULED_EVENT_SCHEDULE_PAST", "Cannot end before it begins."
        )
    return event


def _wire(call: Call, event: ScheduledEvent) -> Json:
    return {
        "id": str(event.id),
        "guild_id": str(event.guild_id or call.world.guild.id),
        "channel_id": None,
        "creator_id": str(event.creator_id),
        "name": event.name,
        "description": event.description,
        "image": None,
        "scheduled_start_time": _time(event.begins),
        "scheduled_end_time": _time(event.ends),
        "status": int(event.status),
        "entity_type": 3,
        "entity_id": None,
        "entity_metadata": {"location": event.location},
        "privacy_level": 2,
        "recurrence_rule": None,
        "guild_scheduled_event_exceptions": [],
    }


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat()


_ONE = "/guilds/{guild_id}/scheduled-events/{guild_scheduled_event_id}"

ENDPOINTS: Table = {
    "GET /guilds/{guild_id}/scheduled-events": _list,
    "POST /guilds/{guild_id}/scheduled-events": _create,
    f"GET {_ONE}": lambda call: _wire(call, _event(call)),
    f"PATCH {_ONE}": _modify,
    f"DELETE {_ONE}": _delete,
}
