"""A cache of drawn parts, bounded in bytes and shared between threads."""

from collections.abc import Hashable
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Cache(Generic[K, V]):
    """A cache of values by key, with at most `limit` bytes as the caller counts them.

    It has two halves. New and requested values go into the young one. When it is full it becomes the old one, and the
    former old one is dropped. Reading takes no lock.
    """

    def __init__(self, limit: int) -> None:
        self._half = limit // 2
        self._lock = Lock()
        self._young: dict[K, tuple[V, int]] = {}
        self._old: dict[K, tuple[V, int]] = {}
        self._filled = 0

    def get(self, key: K) -> V | None:
        entry = self._young.get(key)
        if entry is None:
            entry = self._old.get(key)
            if entry is None:
                return None
            self.put(key, *entry)
        return entry[0]

    def put(self, key: K, value: V, size: int) -> V:
        """Caches `value`, which takes `size` bytes with its key, and returns it."""
        with self._lock:
            if key not in self._young:
                if self._filled + size > self._half:
                    self._old, self._young, self._filled = self._young, {}, 0
                self._young[key] = value, size
                self._filled += size
        return value

    def clear(self) -> None:
        with self._lock:
            self._young, self._old, self._filled = {}, {}, 0
