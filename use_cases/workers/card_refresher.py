"""The refresher of cards: shows on every challenge's card what became of the challenge, also after a restart."""

from __future__ import annotations

from typing import Protocol

from play.challenge.challenge import Challenge
from play.ids import ChallengeId
from storage import Database
from use_cases.worker import Timing, Worker


class Cards(Protocol):
    """The messages that show challenges; bot/ implements it."""

    async def redraw(self, challenge: Challenge) -> None:
        """Edits the card, and notes that it shows this version, or that no try ever will. Raises RetryLater."""


class CardRefresher(Worker[ChallengeId]):
    """Redraws outdated cards."""

    def __init__(self, store: Database, cards: Cards, timing: Timing = Timing()) -> None:  # noqa: B008 - frozen
        super().__init__(timing)
        self._store = store
        self._cards = cards

    async def pending(self, limit: int) -> list[ChallengeId]:
        async with self._store.read() as reader:
            return [challenge.id for challenge in await reader.challenges.cards_to_update(limit)]

    async def process(self, key: ChallengeId) -> None:
        async with self._store.read() as reader:
            challenge = await reader.challenges.get(key)
        if challenge is not None:  # else its user was forgotten meanwhile
            await self._cards.redraw(challenge)
