"""Ids, and the units of time.

An id is a number of 63 bits. Discord's own ids (snowflakes) are below OWN_IDS until November 2049. People, places and
messages of other platforms get ids of ours, which `storage/identities.py` gives and translates:

    bit      62    1
    bits 58-61     the number of the platform
    bits 17-57     milliseconds from EPOCH until we first saw what it names, until September 2084
    bits  0-16     a count within the millisecond
"""

from enum import Enum, IntEnum
from hashlib import blake2b
from typing import NewType

UserId = NewType("UserId", int)
GuildId = NewType("GuildId", int)
ChannelId = NewType("ChannelId", int)
MessageId = NewType("MessageId", int)
RoleId = NewType("RoleId", int)
ChallengeId = NewType("ChallengeId", int)
MatchId = NewType("MatchId", int)
RuleSetId = NewType("RuleSetId", int)
OwnBoardId = NewType("OwnBoardId", int)
StudyId = NewType("StudyId", int)
ChapterId = NewType("ChapterId", int)
SideId = NewType("SideId", int)

IdempotencyKey = NewType("IdempotencyKey", int)
"""Names the request that caused an event, so that it counts once: the id of an interaction or a message in the chat, or
a number below zero where the program acts by itself."""

Millis = NewType("Millis", int)
"""Milliseconds: a moment since the UTC epoch, or a duration."""

SECOND, MINUTE, HOUR, DAY = Millis(1000), Millis(60_000), Millis(3_600_000), Millis(86_400_000)

EPOCH = Millis(1_420_070_400_000)
"""The moment from which ids count: the first of 2015, as with Discord's."""

OWN_IDS = 1 << 62
"""The first id that is ours, and no snowflake."""

WEB_SOURCE = 15
"""The place of browsers among the platforms whose requests have keys. No platform gets this number."""

_PLATFORM_BIT, _TIME_BIT, _SNOWFLAKE_TIME_BIT = 58, 17, 22
_TIMES = 1 << _PLATFORM_BIT - _TIME_BIT


class Platform(IntEnum):
    """The chats in which people play. A number is in ids, so it never changes; it has four bits."""

    DISCORD = 0
    MATRIX = 1
    TELEGRAM = 2


class IdentityKind(Enum):
    """What an id of ours may name."""

    USER = "user"
    PLACE = "place"
    MESSAGE = "message"


SIDES = -(1 << 40)
"""Accounts of sides have ids below this one; deleted users have ids from it to 0. JavaScript has them exactly."""


def side_account(side: SideId) -> UserId:
    """Returns the account that plays for a side: a server or a role whose members vote. No chat has such an account."""
    return UserId(SIDES - side)


def side_of(user: UserId) -> SideId | None:
    """Returns the side that an account plays for; None for a person, deleted or not."""
    return SideId(SIDES - user) if user < SIDES else None


def is_forgotten(user: UserId) -> bool:
    """Returns whether an id takes the place of a user who was deleted."""
    return SIDES <= user < 0


def is_person(user: UserId) -> bool:
    """Returns whether an id is an account in a chat, of which there is a name, and which may be told things."""
    return user > 0


def is_named(id_: int) -> bool:
    """Returns whether an id is a number of ours for a name of another platform, which is stored beside it."""
    return id_ >= OWN_IDS


def platform_of(id_: int) -> Platform:
    """Returns the platform of a user, place or message. Sides and deleted users have none, and count as DISCORD's."""
    return Platform(id_ >> _PLATFORM_BIT & 0xF) if is_named(id_) else Platform.DISCORD


def creation_time(id_: int) -> Millis:
    """Returns when an account was made, if its platform tells; otherwise when we first saw it, which is later.

    So an account of unknown age counts as young for a while.
    """
    since = (id_ >> _TIME_BIT) % _TIMES if is_named(id_) else id_ >> _SNOWFLAKE_TIME_BIT
    return Millis(since + EPOCH)


def ids_since(platform: Platform, moment: Millis) -> range:
    """Returns all ids of a platform whose `creation_time` is at `moment` or later."""
    since = max(0, moment - EPOCH)
    if platform is Platform.DISCORD:
        return range(since << _SNOWFLAKE_TIME_BIT, OWN_IDS)
    first = OWN_IDS | platform << _PLATFORM_BIT
    return range(first + (since << _TIME_BIT), first + (1 << _PLATFORM_BIT))


def ids_at(platform: Platform, moment: Millis) -> range:
    """Returns the ids of a platform other than DISCORD for what is first seen at a moment."""
    first = ids_since(platform, moment).start
    return range(first, first + (1 << _TIME_BIT))


def request_key(source: int, native: str) -> IdempotencyKey:
    """Returns the key of a request by the name that its platform, or the WEB_SOURCE, has for it, and no other request
    there. Redelivered, it has the same. No two sources share a key, nor has a snowflake one of them."""
    digest = int.from_bytes(blake2b(native.encode(), digest_size=8).digest())
    return IdempotencyKey(OWN_IDS | source << _PLATFORM_BIT | digest % (1 << _PLATFORM_BIT))
