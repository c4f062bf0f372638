"""What a homeserver tells, read into values. Anything else in it is passed over: strangers write it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

Json = Mapping[str, Any]

MAX_ID: Final = 255
"""Characters of an id. Source: https://spec.matrix.org/latest/appendices/#common-identifier-format"""

MAX_BODY: Final = 8000
"""Characters of a message that are read: the longest command, with an invitation or a position in it."""

MAX_MENTIONS: Final = 20

_USER = re.compile(r"@[^:\0\n]*:[^\0\n\s]+")
_MXC = re.compile(r"mxc://[\w.\-:\[\]]+/[\w\-]+")
_FALLBACK = re.compile(r"\A(?:> .*\n?)+\n?")
"""What older clients put before a reply: the message replied to."""

KINDS: Final = (
    *("m.room.message", "m.reaction", "m.room.redaction", "m.room.encrypted", "m.room.member", "m.room.power_levels"),
    *("m.room.tombstone", "m.room.encryption", "m.room.name", "m.room.canonical_alias"),
)
"""The types of events that are read."""

MADE: Final = "m.room.create"
"""The first event of a room: sync tells it once, when the bot has come in."""


@dataclass(frozen=True, slots=True)
class Said:
    """A line that a user has typed. `thread` is the event in which its thread begins, `reply_to` the event that it
    answers, `file` the address of a file that came with it."""

    room: str
    event: str
    sender: str
    at: int
    text: str
    thread: str | None = None
    reply_to: str | None = None
    mentions: tuple[str, ...] = ()
    file: str | None = None


@dataclass(frozen=True, slots=True)
class Reacted:
    """A sign that a user has put below an event."""

    room: str
    event: str
    sender: str
    at: int
    to: str
    sign: str


@dataclass(frozen=True, slots=True)
class Redacted:
    """An event whose content was taken away."""

    room: str
    event: str


@dataclass(frozen=True, slots=True)
class Membership:
    """What a `user` is in a room now (`invite`, `join`, `leave`, `ban`), by whose deed."""

    room: str
    user: str
    membership: str
    by: str
    is_direct: bool = False


@dataclass(frozen=True, slots=True)
class Upgraded:
    """A room that goes on in another one."""

    room: str
    to: str
    by: str


@dataclass(frozen=True, slots=True)
class Encrypted:
    """A room in which messages are encrypted from now on, or an encrypted message in one."""

    room: str


@dataclass(frozen=True, slots=True)
class Changed:
    """A room whose name or rights have changed."""

    room: str


Event = Said | Reacted | Redacted | Membership | Upgraded | Encrypted | Changed


@dataclass(frozen=True, slots=True)
class Gap:
    """What a room has seen since the last sync and sync left out: all before the position `before`."""

    room: str
    before: str


@dataclass(frozen=True, slots=True)
class Batch:
    """What one sync has brought: the `events` of joined rooms in their order, the `gaps` before them, and what became
    of the bot itself in others."""

    position: str
    events: tuple[Event, ...] = ()
    gaps: tuple[Gap, ...] = ()
    own: tuple[Membership, ...] = ()
    encrypted: frozenset[str] = frozenset()
    """Rooms to which the bot is invited and that are encrypted."""
    fresh: frozenset[str] = frozenset()
    """Rooms that the bot has just joined: what was said there before is none of its business."""


def read_batch(found: Json, me: str) -> Batch | None:
    """Returns what a sync has brought; None for what is no answer to it."""
    position = found.get("next_batch")
    if not isinstance(position, str) or not position:
        return None
    rooms = _object(found.get("rooms"))
    events: list[Event] = []
    gaps: list[Gap] = []
    fresh: set[str] = set()
    for room, joined in _rooms(rooms, "join"):
        timeline = _object(joined.get("timeline"))
        before = timeline.get("prev_batch")
        if timeline.get("limited") is True and isinstance(before, str):
            gaps.append(Gap(room, before))
        for event in (*_list(_object(joined.get("state")).get("events")), *_list(timeline.get("events"))):
            events += read_event(room, event)
            if _object(event).get("type") == MADE:
                fresh.add(room)
    own: list[Membership] = []
    encrypted: set[str] = set()
    for room, invited in _rooms(rooms, "invite"):
        for event in _list(_object(invited.get("invite_state")).get("events")):
            match read_stripped(room, event):
                case Membership(user=user) as invitation if user == me:
                    own.append(invitation)
                case Encrypted():
                    encrypted.add(room)
    for room, left in _rooms(rooms, "leave"):
        deed = [
            each
            for event in (
                *_list(_object(left.get("state")).get("events")),
                *_list(_object(left.get("timeline")).get("events")),
            )
            for each in read_event(room, event)
            if isinstance(each, Membership) and each.user == me
        ]
        own.append(deed[-1] if deed else Membership(room, me, "leave", me))
    return Batch(position, tuple(events), tuple(gaps), tuple(own), frozenset(encrypted), frozenset(fresh))


def read_event(room: str, event: object) -> Iterator[Event]:
    """Yields what an event of a joined room says, if it is known."""
    match event:
        case {
            "type": str(kind),
            "event_id": str(id_),
            "sender": str(sender),
            "origin_server_ts": int(at),
            "content": dict(content),
            **rest,
        } if 0 < len(id_) <= MAX_ID and is_user(sender):
            pass
        case _:
            return
    match kind:
        case "m.room.message":
            yield from _read_message(room, id_, sender, at, content)
        case "m.reaction":
            match content.get("m.relates_to"):
                case {"rel_type": "m.annotation", "event_id": str(to), "key": str(sign)} if len(to) <= MAX_ID:
                    yield Reacted(room, id_, sender, at, to, sign[:MAX_ID])
        case "m.room.redaction":
            gone = content.get("redacts", rest.get("redacts"))
            if isinstance(gone, str):
                yield Redacted(room, gone)
        case _:
            found = read_stripped(room, event)
            if found is not None:
                yield found


def read_stripped(room: str, event: object) -> Event | None:
    """Returns what a value of a room's state says, as invitations have it, too."""
    match event:
        case {
            "type": "m.room.member",
            "state_key": str(user),
            "sender": str(by),
            "content": {"membership": str(now), **said},
        }:
            direct = said.get("is_direct") is True
            return Membership(room, user, now, by, direct) if is_user(user) and is_user(by) else None
        case {"type": "m.room.tombstone", "sender": str(by), "content": {"replacement_room": str(to)}}:
            return Upgraded(room, to, by) if 0 < len(to) <= MAX_ID else None
        case {"type": "m.room.encryption" | "m.room.encrypted"}:
            return Encrypted(room)
        case {"type": "m.room.power_levels" | "m.room.name" | "m.room.canonical_alias"}:
            return Changed(room)
    return None


def is_user(text: str) -> bool:
    """Returns whether a text is an id of a user: `@name:server`."""
    return len(text) <= MAX_ID and _USER.fullmatch(text) is not None


def _read_message(room: str, event: str, sender: str, at: int, content: Json) -> Iterator[Said]:
    kind, body = content.get("msgtype"), content.get("body")
    relation = _object(content.get("m.relates_to"))
    if kind not in ("m.text", "m.file") or not isinstance(body, str) or relation.get("rel_type") == "m.replace":
        return  # a notice is another bot's, and an edit is no new line
    thread = relation.get("event_id") if relation.get("rel_type") == "m.thread" else None
    reply = _object(relation.get("m.in_reply_to")).get("event_id")
    if relation.get("is_falling_back") is True:
        reply = None
    mentions = [each for each in _list(_object(content.get("m.mentions")).get("user_ids")) if isinstance(each, str)]
    url = content.get("url")
    yield Said(
        *(room, event, sender, at),
        (_FALLBACK.sub("", body) if reply else body)[:MAX_BODY],
        _id(thread),
        _id(reply),
        tuple(dict.fromkeys(filter(is_user, mentions[:MAX_MENTIONS]))),
        url if kind == "m.file" and isinstance(url, str) and _MXC.fullmatch(url) else None,
    )


def _rooms(rooms: Json, kind: str) -> Iterator[tuple[str, Json]]:
    for room, found in _object(rooms.get(kind)).items():
        if isinstance(room, str) and 0 < len(room) <= MAX_ID:
            yield room, _object(found)


def _id(value: object) -> str | None:
    return value if isinstance(value, str) and 0 < len(value) <= MAX_ID else None


def _object(value: object) -> Json:
    return value if isinstance(value, dict) else {}


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []
