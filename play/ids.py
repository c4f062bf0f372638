"""Ids, and the unit of time."""

from __future__ import annotations

from typing import NewType

UserId = NewType("UserId", int)
GuildId = NewType("GuildId", int)
ChannelId = NewType("ChannelId", int)
MessageId = NewType("MessageId", int)
RoleId = NewType("RoleId", int)
ChallengeId = NewType("ChallengeId", int)
MatchId = NewType("MatchId", int)
RuleSetId = NewType("RuleSetId", int)

IdempotencyKey = NewType("IdempotencyKey", int)
"""Names the request that caused an event, so that it counts once: the id of an interaction or a message on Discord, or
a number below zero where the program acts by itself."""

Millis = NewType("Millis", int)
"""Milliseconds: a moment since the UTC epoch, or a duration."""
