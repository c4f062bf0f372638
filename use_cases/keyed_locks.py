"""Locks by key: what happens for one key happens once at a time in this process."""

import asyncio
from collections.abc import Hashable
from typing import Generic, TypeVar
from weakref import WeakValueDictionary

K = TypeVar("K", bound=Hashable)


class KeyedLocks(Generic[K]):
    """A lock for each key, kept in memory only while it is held or awaited."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[K, asyncio.Lock] = WeakValueDictionary()

    def of(self, key: K) -> asyncio.Lock:
        """Returns the lock of a key: the same one for all who hold or await it."""
        return self._locks.setdefault(key, asyncio.Lock())
