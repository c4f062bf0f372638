"""Ids, and the units of time."""

from typing import NewType

UserId = NewType("UserId", int)
GuildId = NewType("GuildId", int)
ChannelId = NewType("ChannelId", int)
MessageId = NewType("MessageId", int)
RoleId = NewType("RoleId", int)
ChallengeId = NewType("ChallengeId", int)
MatchId = NewType("MatchId", int)
RuleSetId = NewType("RuleSetId", int)
SideId = NewType("SideId", int)

IdempotencyKey = NewType("IdempotencyKey", int)
"""Names the request that caused an event, so that it counts once: the id of an interaction or a message on Discord, or
a number below zero where the program acts by itself."""

Millis = NewType("Millis", int)
"""Milliseconds: a moment since the UTC epoch, or a duration."""

SECOND, MINUTE, HOUR, DAY = Millis(1000), Millis(60_000), Millis(3_600_000), Millis(86_400_000)

DISCORD_EPOCH = 1_420_070_400_000
"""The moment from which Discord's ids (snowflakes) count."""

SIDES = -(1 << 40)
"""Accounts of sides have ids below this one; deleted users have ids from it to 0. JavaScript has them exactly."""


def side_account(side: SideId) -> UserId:
    """Returns the account that plays for a side: a server or a role whose members vote. Discord has no such account."""
    return UserId(SIDES - side)


def side_of(user: UserId) -> SideId | None:
    """Returns the side that an account plays for; None for a person, deleted or not."""
    return SideId(SIDES - user) if user < SIDES else None


def is_forgotten(user: UserId) -> bool:
    """Returns whether an id takes the place of a user who was deleted."""
    return SIDES <= user < 0


def is_person(user: UserId) -> bool:
    """Returns whether an id is a Discord account, of which there is a name, and which may be told things."""
    return user > 0


def creation_time(user: UserId) -> Millis:
    """Returns when an account was made: its id contains the time."""
    return Millis((user >> 22) + DISCORD_EPOCH)
