"""Rulings about a game of two servers: one proposes what the moderators of both have to agree to."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from play.ids import DAY, GuildId, MatchId, Millis, side_of
from play.match.match import Match
from rules.game import Seat

RULING_MILLIS = Millis(3 * DAY)
"""Milliseconds after which a proposal lapses: as long as the slowest move that games of servers usually have."""


class RulingKind(StrEnum):
    """`ANNUL`: the game ends undecided. `DRAW`, `WIN`: it ends so, the latter for `seat`. `EXTEND`: `seat` gets more
    time."""

    ANNUL = "annul"
    DRAW = "draw"
    WIN = "win"
    EXTEND = "extend"


@dataclass(frozen=True, slots=True)
class Ruling:
    """What is to be done; `time` is that of an extension."""

    kind: RulingKind
    seat: Seat | None = None
    time: Millis | None = None

    def needs_both(self, match: Match) -> bool:
        """Returns whether the server that `match` is looked at from may not do this alone: all but what costs nobody
        on the other server anything.

        A server gives up a game of its own player, gives time to the other one, and calls off what has hardly begun, as
        its player may. A game of sides has no such player.
        """
        if self.kind is RulingKind.ANNUL:
            return match.all_have_moved or any(side_of(player) is not None for player in match.players)
        return self.kind is RulingKind.DRAW or self.seat in match.hosts


@dataclass(frozen=True, slots=True)
class ProposedRuling:
    """A ruling that the moderators of `guild` have proposed."""

    match: MatchId
    guild: GuildId
    ruling: Ruling
    made: Millis

    def holds(self, now: Millis) -> bool:
        """Returns whether the other server may still agree to it."""
        return now < self.made + RULING_MILLIS
