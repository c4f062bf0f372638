"""Accounts that are linked for roles."""

from __future__ import annotations

from typing import Protocol

from play.community.linked_account import Figures, LinkedAccount
from play.ids import Millis, UserId


class LinkedAccountReader(Protocol):
    """Linked accounts, as reads see them."""

    async def get(self, user: UserId) -> LinkedAccount | None: ...

    async def due(self, now: Millis, limit: int) -> list[UserId]:
        """Returns the users whose account waits for a look, and is owned by no attempt."""


class LinkedAccountRepository(LinkedAccountReader, Protocol):
    """Linked accounts, as a transaction writes them."""

    async def put(self, user: UserId, refresh: str, now: Millis) -> None:
        """Stores an account that its user has just linked, in place of an earlier grant."""

    async def withdraw(self, user: UserId, now: Millis) -> bool:
        """Notes that an account is to be taken back at Discord; returns False if it is not linked."""

    async def claim(self, user: UserId, now: Millis, until: Millis) -> LinkedAccount | None:
        """Gives an account that is due to a new attempt, which owns it `until` then. None if there is nothing to do."""

    async def note_asked(self, account: LinkedAccount) -> None:
        """Notes that the token of an account is sent, which spends it whether or not the answer arrives."""

    async def end(self, account: LinkedAccount, now: Millis) -> None:
        """Notes that the link of an account has ended, of which its user is to be told `now`. The attempt owns the
        account no more."""

    async def save_refresh(self, account: LinkedAccount) -> bool:
        """Stores the token that takes the place of the last one; returns False if another attempt owns the account."""

    async def note(self, account: LinkedAccount, pushed: Figures, due: Millis) -> None:
        """Notes what Discord was told, and when to look again. The attempt owns the account no more."""

    async def drop(self, account: LinkedAccount) -> None:
        """Deletes an account, unless it was linked anew since it was read."""
