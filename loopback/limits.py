"""Rate limits, and the faults that a test injects.

Source: https://discord.com/developers/docs/topics/rate-limits
"""

import math
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

GLOBAL_LIMIT = (50, 1.0)  # requests of the whole bot, and seconds
BUCKET_LIMITS: Mapping[str, tuple[int, float]] = {
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
"""Requests and seconds by endpoint, each for one channel or token, as observed in Discord's headers."""


def counts_globally(endpoint: str) -> bool:
    """Returns whether a request counts against the bot's 50 a second: requests with an interaction's token do not."""
    return "/interactions/" not in endpoint and "/webhooks/" not in endpoint


@dataclass(frozen=True, slots=True)
class ErrorResponse:
    """An error status with its headers and its body."""

    status: int
    headers: Mapping[str, str]
    body: dict[str, Any]


def rate_limited(retry_after: float, headers: Mapping[str, str], *, everywhere: bool = False) -> ErrorResponse:
    """Returns a 429 as Discord sends it; without ``Via`` a client takes it for a ban."""
    body = {"message": "You are being rate limited.", "retry_after": retry_after, "global": everywhere, "code": 0}
    extra = {"Via": "1.1 loopback", "Retry-After": str(math.ceil(retry_after))}
    scope = {"X-RateLimit-Scope": "global" if everywhere else "user"} | (
        {"X-RateLimit-Global": "true"} if everywhere else {}
    )
    return ErrorResponse(429, dict(headers) | extra | scope, body)


class RateLimiter:
    """A counter of requests by bucket in fixed windows, as Discord has."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._windows: dict[str, tuple[float, int]] = {}

    def take(self, endpoint: str, major: str) -> tuple[Mapping[str, str], ErrorResponse | None]:
        """Counts a request; returns the headers for its response, and a 429 if it is over a limit."""
        if "/interactions/" in endpoint:
            return {}, None
        used, limit, left = self._count("global", GLOBAL_LIMIT) if counts_globally(endpoint) else (0, 1, 0.0)
        if used > limit:
            return {}, rate_limited(left, {}, everywhere=True)
        if endpoint not in BUCKET_LIMITS:
            return {}, None
        used, limit, left = self._count(f"{endpoint}:{major}", BUCKET_LIMITS[endpoint])
        headers = {
            "X-RateLimit-Bucket": f"{zlib.crc32(endpoint.encode()):08x}",
            "X-RateLimit-Limit": str(limit),
            "X-RateLimit-Remaining": str(max(0, limit - used)),
            "X-RateLimit-Reset": f"{self._now() + left:.3f}",
            "X-RateLimit-Reset-After": f"{left:.3f}",
        }
        return headers, rate_limited(left, headers) if used > limit else None

    def _count(self, key: str, rule: tuple[int, float]) -> tuple[int, int, float]:
        """Counts a request; returns the requests in the window, their limit, and the seconds until the window ends."""
        limit, seconds = rule
        began, used = self._windows.get(key, (-math.inf, 0))
        if self._now() - began >= seconds:
            began, used = self._now(), 0
        self._windows[key] = (began, min(used + 1, limit + 1))
        return used + 1, limit, began + seconds - self._now()


@dataclass(slots=True)
class Fault:
    """An error for the next requests to an endpoint; with ``applied`` they take effect, only the response is lost."""

    endpoint: str
    status: int
    times: int
    retry_after: float
    code: int
    applied: bool

    def refusal(self) -> ErrorResponse:
        """Returns the error response."""
        if self.status == 429:
            return rate_limited(self.retry_after, {"X-RateLimit-Remaining": "0", "X-RateLimit-Limit": "5"})
        return ErrorResponse(self.status, {}, {"code": self.code, "message": f"{self.status}: injected by a test"})
