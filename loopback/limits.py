"""Refusals that have nothing to do with the request: rate limits, and trouble that a test asks for.

Source: https://discord.com/developers/docs/topics/rate-limits
"""

import math
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

GLOBAL = (50, 1.0)
BUCKETS: Mapping[str, tuple[int, float]] = {
    "POST /channels/{channel_id}/messages": (5, 5.0),
    "PATCH /channels/{channel_id}/messages/{message_id}": (5, 5.0),
    "DELETE /channels/{channel_id}/messages/{message_id}": (5, 1.0),
    "POST /channels/{channel_id}/messages/{message_id}/threads": (50, 300.0),
    "POST /channels/{channel_id}/threads": (50, 300.0),
    "PATCH /channels/{channel_id}": (5, 20.0),
    "POST /channels/{channel_id}/typing": (5, 5.0),
    "POST /users/@me/channels": (10, 10.0),
    "POST /webhooks/{webhook_id}/{webhook_token}": (5, 2.0),
}
"""Requests and seconds by endpoint, each for one channel or token: what Discord's headers are seen to say."""


def counts_for_all(endpoint: str) -> bool:
    """Whether a request counts against the 50 a second that the whole bot may make: not what an interaction's token is
    for."""
    return "/interactions/" not in endpoint and "/webhooks/" not in endpoint


@dataclass(frozen=True, slots=True)
class Refused:
    """A status with the headers and the body that go with it."""

    status: int
    headers: Mapping[str, str]
    body: dict[str, Any]


def too_many(retry_after: float, headers: Mapping[str, str], *, everywhere: bool = False) -> Refused:
    """A 429 as Discord sends it; without ``Via`` a client takes it for a ban."""
    body = {"message": "You are being rate limited.", "retry_after": retry_after, "global": everywhere, "code": 0}
    extra = {"Via": "1.1 loopback", "Retry-After": str(math.ceil(retry_after))}
    scope = {"X-RateLimit-Scope": "global" if everywhere else "user"} | (
        {"X-RateLimit-Global": "true"} if everywhere else {}
    )
    return Refused(429, dict(headers) | extra | scope, body)


class Limits:
    """Counts requests by bucket in fixed windows, as Discord does."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._windows: dict[str, tuple[float, int]] = {}

    def take(self, endpoint: str, major: str) -> tuple[Mapping[str, str], Refused | None]:
        """Counts a request; gives the headers for its answer, and the refusal if it was one too many."""
        if "/interactions/" in endpoint:
            return {}, None
        used, limit, left = self._count("global", GLOBAL) if counts_for_all(endpoint) else (0, 1, 0.0)
        if used > limit:
            return {}, too_many(left, {}, everywhere=True)
        if endpoint not in BUCKETS:
            return {}, None
        used, limit, left = self._count(f"{endpoint}:{major}", BUCKETS[endpoint])
        headers = {
            "X-RateLimit-Bucket": f"{zlib.crc32(endpoint.encode()):08x}",
            "X-RateLimit-Limit": str(limit),
            "X-RateLimit-Remaining": str(max(0, limit - used)),
            "X-RateLimit-Reset": f"{self._now() + left:.3f}",
            "X-RateLimit-Reset-After": f"{left:.3f}",
        }
        return headers, too_many(left, headers) if used > limit else None

    def _count(self, key: str, rule: tuple[int, float]) -> tuple[int, int, float]:
        """Requests in the window with this one, how many are allowed, and the seconds until the window ends."""
        limit, seconds = rule
        began, used = self._windows.get(key, (-math.inf, 0))
        if self._now() - began >= seconds:
            began, used = self._now(), 0
        self._windows[key] = (began, min(used + 1, limit + 1))
        return used + 1, limit, began + seconds - self._now()


@dataclass(slots=True)
class Fault:
    """Trouble for the next requests to one endpoint; with ``applied`` they take effect and only the answer is lost."""

    endpoint: str
    status: int
    times: int
    retry_after: float
    code: int
    applied: bool

    def refusal(self) -> Refused:
        """The answer in place of the true one."""
        if self.status == 429:
            return too_many(self.retry_after, {"X-RateLimit-Remaining": "0", "X-RateLimit-Limit": "5"})
        return Refused(self.status, {}, {"code": self.code, "message": f"{self.status}: asked for by a test"})
