"""Votes: one of each user about each turn, and their tally."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from play.ids import IdempotencyKey, Millis, SideId, UserId
from play.match.endings import LAND, STOP
from play.votes.side import Side

ENDING_MOVES = frozenset({STOP, LAND})
"""Moves that end the game, or the side's own part in it."""


class Choice(StrEnum):
    """How a user votes. STOP is a `MOVE`, by its notation. `DRAW` agrees to a draw, or offers one with the turn."""

    MOVE = "move"
    RESIGN = "resign"
    DRAW = "draw"


@dataclass(frozen=True, slots=True)
class Vote:
    """A vote of `user`, cast or last changed `at` then. `version` names the turn, and `text` is the notation of a move.

    Votes about past turns stay when their `user` is deleted, without them. `key` names the click.
    """

    side: SideId
    version: int
    user: UserId | None
    choice: Choice
    text: str
    at: Millis
    key: IdempotencyKey | None = None


@dataclass(frozen=True, slots=True)
class Count:
    """How many `votes` a choice has in a turn, and its place in the order in which the choices were first voted for:
    when, and the number of the vote."""

    choice: Choice
    text: str
    votes: int
    first: tuple[Millis, int]

    @property
    def needs_two_thirds(self) -> bool:
        """Whether the choice may end the game."""
        return self.choice is not Choice.MOVE or self.text in ENDING_MOVES


@dataclass(frozen=True, slots=True)
class Share:
    """The part of the votes that a choice has, in whole percent."""

    choice: Choice
    text: str
    votes: int
    percent: int


@dataclass(frozen=True, slots=True)
class Tally:
    """The votes about one turn, those with the most first. The percents of all shares make 100."""

    side: Side
    version: int
    total: int
    shares: tuple[Share, ...]

    @property
    def likely(self) -> tuple[Share, ...]:
        """The moves on the board that have votes."""
        return tuple(share for share in self.shares if share.choice is Choice.MOVE and share.text not in ENDING_MOVES)


@dataclass(frozen=True, slots=True)
class Ballot:
    """A vote that is stored, in place of the vote `before` about the same turn.

    It may be changed until it `closes` (`play.votes.turn.closing`), and longer if there are too few votes then.
    """

    side: Side
    vote: Vote
    before: Vote | None
    closes: Millis


def rank(counts: Sequence[Count]) -> list[Count]:
    """Returns choices in the order in which they are tried: the most votes first, then the one voted for earlier."""
    return sorted(counts, key=lambda count: (-count.votes, count.first))


def tally(side: Side, version: int, counts: Sequence[Count]) -> Tally:
    """Returns the shares of choices. What rounding down leaves goes to the shares that it took most from."""
    ranked, total = rank(counts), sum(count.votes for count in counts)
    whole = [100 * count.votes // total for count in ranked]
    by_loss = sorted(range(len(ranked)), key=lambda n: (-(100 * ranked[n].votes % total), n))
    for n in by_loss[: 100 - sum(whole)]:
        whole[n] += 1
    shares = [Share(each.choice, each.text, each.votes, part) for each, part in zip(ranked, whole, strict=True)]
    return Tally(side, version, total, tuple(shares))


class OpenVote(NamedTuple):
    """The vote about the present turn of a side: when it closes, and how many votes there are; None where they are cast
    on another server, which keeps them to itself."""

    closes: Millis
    votes: int | None


class ClosedVote(NamedTuple):
    """The vote about the last turn of a side: how many `votes` of how many were for what was played."""

    votes: int
    total: int
