"""The cache keeps values used lately, and drops others."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from renderer.cache import Cache


def test_a_stored_value_is_found() -> None:
    cache: Cache[str, int] = Cache(100)
    assert cache.put("a", 1, 10) == 1
    assert cache.get("a") == 1
    assert cache.get("b") is None


def test_the_limit_is_kept_however_much_is_put() -> None:
    cache: Cache[int, int] = Cache(100)
    for key in range(1000):
        cache.put(key, key, 10)
    assert 5 <= sum(cache.get(key) is not None for key in range(1000)) <= 10


def test_a_requested_value_stays() -> None:
    cache: Cache[int, int] = Cache(100)
    for key in range(1000):
        cache.put(key, key, 10)
        assert cache.get(0) == 0


def test_a_value_larger_than_the_limit_is_dropped_with_the_next() -> None:
    cache: Cache[str, int] = Cache(100)
    cache.put("large", 1, 1000)
    cache.put("small", 2, 1)
    cache.put("other", 3, 60)
    assert cache.get("large") is None


def test_clearing_forgets_everything() -> None:
    cache: Cache[str, int] = Cache(100)
    cache.put("a", 1, 10)
    cache.clear()
    assert cache.get("a") is None


def test_many_threads_at_once_find_the_value_of_their_key_or_none() -> None:
    cache: Cache[int, int] = Cache(200)

    def work(seed: int) -> bool:
        for step in range(2000):
            key = (seed * 7 + step) % 50
            if cache.get(key) not in (None, key):
                return False
            cache.put(key, key, 10)
        return True

    with ThreadPoolExecutor(8) as threads:
        assert all(threads.map(work, range(8)))
