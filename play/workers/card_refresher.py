"""The clerk: brings every challenge's card up to date with what became of the challenge, also after a restart."""

from __future__ import annotations

import logging
from typing import Protocol

from play.challenge.challenge import Challenge
from play.store import Store
from play.workers.loop import Rounds

log = logging.getLogger(__name__)

RESCAN = 15.0
"""Seconds between two looks, for what another process changed or what could not be written."""

CARDS_AT_ONCE = 50


class Cards(Protocol):
    """The messages in which challenges stand; bot/ implements it."""

    async def redraw(self, challenge: Challenge) -> None:
        """Writes the card anew and notes that it shows this version, or that no try ever will."""


class Clerk(Rounds):
    """A card that cannot be written is tried again."""

    def __init__(self, store: Store, cards: Cards) -> None:
        super().__init__()
        self._store = store
        self._cards = cards

    def wake(self) -> None:
        """Something has become of a challenge."""
        self._woken.set()

    def pause(self) -> float:
        return RESCAN

    async def round(self) -> None:
        """Writes the cards that are behind; one that fails holds up no other."""
        async with self._store.read() as reader:
            outdated = await reader.challenges.cards_to_update(CARDS_AT_ONCE)
        for challenge in outdated:
            try:
                await self._cards.redraw(challenge)
            except Exception:
                log.exception("the card of challenge %d could not be written", challenge.id)
