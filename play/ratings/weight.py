"""How much a game counts: limits that make farming points pointless, each with the key of the sentence that says so."""

from __future__ import annotations

from dataclasses import dataclass

from play.ids import Millis, UserId

PAIR_WINDOW = Millis(86_400_000)
FULL_GAMES = 3
"""Two people's first games within PAIR_WINDOW count in full, each further one half of the one before: never more than
four games' worth a day."""

YOUNG = Millis(14 * 86_400_000)
YOUNG_WEIGHT = 0.25
"""Discord accounts cost nothing, so a game against one made within the last two weeks counts a quarter."""

_DISCORD_EPOCH = 1_420_070_400_000


@dataclass(frozen=True, slots=True)
class Weight:
    """How much of a game counts, and why (`repeated_pair`, `young_account`) where it is not all of it."""

    value: float
    reasons: tuple[str, ...] = ()


def weight(games_before: int, opponent: UserId, now: Millis) -> Weight:
    """The weight for a player who has met `opponent` in `games_before` rated games of this pool within PAIR_WINDOW."""
    value, reasons = 1.0, []
    if games_before >= FULL_GAMES:
        value *= 0.5 ** (games_before - FULL_GAMES + 1)
        reasons.append("repeated_pair")
    if now - made(opponent) < YOUNG:
        value *= YOUNG_WEIGHT
        reasons.append("young_account")
    return Weight(value, tuple(reasons))


def made(user: UserId) -> Millis:
    """When an account was made: its id says so (Discord's snowflakes)."""
    return Millis((user >> 22) + _DISCORD_EPOCH)
