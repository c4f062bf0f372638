"""Messages at which Discord's servers fail each time, though other messages of the bot pass: so it is this one message.

A refusal says at once that another form is worth a try. A failure (500, or an answer of the edge, which may dislike a
word) says nothing, and most pass by themselves. So such a message waits first, and then takes another step at each try.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import discord
from cachetools import LRUCache

from bot.edge import Blocked, HeldBack

STUCK_SECONDS: Final = 180.0
"""Seconds after its first failure in which a message is tried as it is."""

CACHE_SIZE: Final = 1000
"""Messages that fail at once."""


@dataclass(slots=True)
class _Failing:
    """A message that fails `since` that second; `others` have passed when it failed last."""

    since: float
    others: int
    is_alone: bool = False
    step: int = 0


class StuckMessages:
    """The messages that fail now, by their nonces. `clock` has seconds; `passed` counts what Discord has taken."""

    def __init__(self, clock: Callable[[], float], passed: Callable[[], int]) -> None:
        self._clock = clock
        self._passed = passed
        self._failing: LRUCache[str, _Failing] = LRUCache(CACHE_SIZE)

    def step_of(self, once: str) -> int:
        """Returns how many forms of a message are to be left out at its next try: none, unless it is stuck."""
        failing = self._failing.get(once)
        return 0 if failing is None else failing.step

    def note_failure(self, once: str, error: discord.HTTPException) -> None:
        """Notes that a message has failed. If another one has passed since its last failure, it is alone with that."""
        if isinstance(error, HeldBack) or not isinstance(error, Blocked | discord.DiscordServerError):
            return
        failing, passed, now = self._failing.get(once), self._passed(), self._clock()
        if failing is None:
            self._failing[once] = _Failing(now, passed)
            return
        failing.is_alone |= passed > failing.others
        failing.others = passed
        if failing.is_alone and now - failing.since >= STUCK_SECONDS:
            failing.step += 1

    def begin_anew(self, once: str) -> None:
        """Has all forms of a message tried again, one at each try."""
        self._failing[once].step = 0

    def forget(self, once: str) -> None:
        """Drops a message that has passed, or that nobody waits for any more."""
        self._failing.pop(once, None)
