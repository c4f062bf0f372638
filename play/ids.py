"""The ids and the unit of time that every table speaks of."""

from __future__ import annotations

from typing import NewType

UserId = NewType("UserId", int)
GuildId = NewType("GuildId", int)
ChannelId = NewType("ChannelId", int)
MessageId = NewType("MessageId", int)
RoleId = NewType("RoleId", int)
ChallengeId = NewType("ChallengeId", int)
MatchId = NewType("MatchId", int)

SourceId = NewType("SourceId", int)
"""The interaction or message that an event came from: unique, so that nothing counts twice."""

Millis = NewType("Millis", int)
"""Milliseconds: a moment since the UTC epoch, or a duration."""
