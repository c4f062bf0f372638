"""What is kept in a channel of a server, and what becomes of it when the bot cannot post there any more."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, NamedTuple, Self

from play.ids import DAY, ChannelId, GuildId, Millis, UserId

MAX_GONE_MILLIS: Final = Millis(30 * DAY)
"""What has been without a channel for so long ends: nobody chooses another one."""


class PostProblem(StrEnum):
    """Why nothing can be posted. The values are stored, and end the keys of its sentences (`kept.trouble.<value>`)."""

    CHANNEL = "channel"
    PERMISSION = "permission"
    KIND = "kind"
    REFUSED = "refused"


class PostKind(StrEnum):
    """What is kept. The values are stored, and end the keys of its names (`kept.what.<value>`)."""

    TOURNAMENT = "tournament"
    LEAGUE = "league"
    CONTEST = "contest"
    LADDER = "ladder"
    HOME = "home"
    DAILY = "daily"
    SEATS = "seats"
    ARENA = "arena"


class PostKey(NamedTuple):
    """Which one: the number of a tournament, or of a contest and its `side`; for all else that of the server. As text
    it is a part of custom ids."""

    kind: PostKind
    number: int
    side: int = 0

    def __str__(self) -> str:
        return f"{self.kind}.{self.number}.{self.side}"

    @classmethod
    def read(cls, text: str) -> Self:
        kind, number, side = text.split(".")
        return cls(PostKind(kind), int(number), int(side))


@dataclass(frozen=True, slots=True)
class KeptPost:
    """Something in its `channel`. The `keeper` is told of its troubles; None for nobody. `name` is what people have
    called it. `players` are told of its end with its channel, unless it `is_over` before that is gone."""

    key: PostKey
    guild: GuildId
    channel: ChannelId
    keeper: UserId | None = None
    name: str = ""
    players: tuple[UserId, ...] = ()
    is_over: bool = False


@dataclass(frozen=True, slots=True)
class PostTrouble:
    """The `problem` of a post, which has been the same `since` then, and of which its keeper was told; also that it
    has `ended` by that."""

    problem: PostProblem
    since: Millis
    ended: bool = False

    def renewed(self, problem: PostProblem, now: Millis) -> PostTrouble:
        """Returns the trouble with its present problem. A channel that is only closed may be opened again at any time;
        what has been without one for too long has ended."""
        if self.ended:
            return self
        if problem is not self.problem:
            return replace(self, problem=problem, since=now)
        return replace(self, ended=problem is PostProblem.CHANNEL and now - self.since > MAX_GONE_MILLIS)
