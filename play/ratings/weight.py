"""How much a game counts. The limits make it pointless to farm points; each has a key by which players are told.

One is told to nobody: what makes a game count less must not show how old an account is
(docs/decisions/community.md#0135).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from play.ids import DAY, Millis, UserId

MIN_MOVES = 10
"""Moves of each player. In a shorter game nobody gains by a resignation or an agreed draw: a friend can lose such a
game in ten seconds. The loser loses as always, so that resigning early saves no rating."""

DECIDED_WITHOUT_MOVE = frozenset({"resign", "time", "draw", "agreed", "adjudged"})
"""Ends by the decision of a player, a moderator or a clock, and not by a move."""

PAIR_WINDOW = DAY
MAX_FULL_GAMES = 3
"""The first games of two players within PAIR_WINDOW count in full. Each further one counts half of the one before, so a
day never brings more than four games' worth."""

YOUNG_AGE = Millis(14 * DAY)
YOUNG_WEIGHT = 0.25
"""Discord accounts cost nothing, so a game against one made within the last two weeks counts a quarter. All such
accounts together count as one opponent, so that many of them are worth no more than one."""

ADJUDGED_WEIGHT = 0.25
"""A game that a moderator or the end of a round decided was not played to its end, so it counts a quarter for those who
gain. It costs the loser as usual: otherwise a friend who moderates could make losses cheap."""

_DISCORD_EPOCH = 1_420_070_400_000


@dataclass(frozen=True, slots=True)
class Weight:
    """How much of a game counts, and the reasons that players are told if it is not all of it.

    Reasons: `repeated_pair`, `adjudged`, `many_decisions`, `decided_computer`, `short_game`, `late_computer`,
    `weak_level`, `unsettled_handicap`, `komi_alone`.
    """

    value: float = 1.0
    reasons: tuple[str, ...] = ()

    def times(self, part: float, reason: str) -> Weight:
        """Returns this weight times `part`, for a further reason."""
        return Weight(self.value * part, (*self.reasons, reason))

    def times_untold(self, part: float) -> Weight:
        """Returns this weight times `part`, for a reason that nobody is told."""
        return Weight(self.value * part, self.reasons)


def weight(games_before: int, opponents: Sequence[UserId], now: Millis, *, young_before: int = 0) -> Weight:
    """Returns the weight for a player who has met `opponents` in `games_before` rated games of this pool within
    PAIR_WINDOW, and young accounts in `young_before`, if one of the opponents is one. Of several opponents the one whom
    they have met most often counts."""
    value = Weight()
    if games_before >= MAX_FULL_GAMES:
        value = value.times(_repeated(games_before), "repeated_pair")
    if any(is_young(opponent, now) for opponent in opponents):
        value = value.times_untold(YOUNG_WEIGHT * min(1.0, _repeated(young_before) / _repeated(games_before)))
    return value


def _repeated(games_before: int) -> float:
    """Returns how much a further game of a pair counts."""
    return 0.5 ** max(0, games_before - MAX_FULL_GAMES + 1)


def is_young(user: UserId, now: Millis) -> bool:
    """Returns whether the account was made within YOUNG_AGE."""
    return user >= first_young_id(now)


def first_young_id(now: Millis) -> UserId:
    """Returns the lowest id that an account made within YOUNG_AGE can have: later accounts have higher ids."""
    return UserId(now - YOUNG_AGE - _DISCORD_EPOCH + 1 << 22)


def creation_time(user: UserId) -> Millis:
    """Returns when an account was made. Discord's ids (snowflakes) contain the time."""
    return Millis((user >> 22) + _DISCORD_EPOCH)
