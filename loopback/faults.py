"""Why a right request may fail: rate limits, and the faults that a test orders: which requests, how and how often."""

import json
import math
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from fnmatch import fnmatchcase
from typing import Any, Literal

from loopback.errors import REFUSALS, TOO_MANY_OLD_EDITS, Page, Refusal
from loopback.ids import made_at

GLOBAL_LIMIT = (50, 1.0)  # requests of the whole bot, and seconds
THREAD_LIMIT = (50, 300.0)  # threads of one channel, by all who open any, and seconds (discord-api-docs#7816)
OPENING_THREADS = frozenset(
    {"POST /channels/{channel_id}/messages/{message_id}/threads", "POST /channels/{channel_id}/threads"}
)
BUCKET_LIMITS: Mapping[str, tuple[int, float]] = {
    "POST /channels/{channel_id}/messages": (5, 5.0),
    "PATCH /channels/{channel_id}/messages/{message_id}": (5, 5.0),
    "DELETE /channels/{channel_id}/messages/{message_id}": (5, 1.0),
    **dict.fromkeys(OPENING_THREADS, THREAD_LIMIT),
    "PATCH /channels/{channel_id}": (5, 20.0),
    "POST /channels/{channel_id}/typing": (5, 5.0),
    "POST /users/@me/channels": (10, 10.0),
    "POST /webhooks/{webhook_id}/{webhook_token}": (5, 2.0),
}
"""Requests and seconds by endpoint, each for one channel or token, as observed in Discord's headers."""
MAJOR = ("channel_id", "guild_id", "webhook_token")
OLD_EDIT = "PATCH /channels/{channel_id}/messages/{message_id}"
OLD_SECONDS = 3600.0  # the age from which a message counts as old
OLD_EDIT_LIMIT = (3, 6.0)  # edits of one channel's old messages, and seconds

Json = dict[str, Any]


def counts_globally(endpoint: str) -> bool:
    """Returns whether a request counts against the bot's 50 a second: requests with an interaction's token do not."""
    return "/interactions/" not in endpoint and "/webhooks/" not in endpoint


@dataclass(frozen=True, slots=True)
class ErrorResponse:
    """An error status with its headers and its body: JSON, or the text of a page."""

    status: int
    headers: Mapping[str, str]
    body: dict[str, Any] | str


def rate_limited(
    retry_after: float,
    headers: Mapping[str, str],
    *,
    scope: Literal["user", "shared", "global"] = "user",
    refusal: Refusal | None = None,
) -> ErrorResponse:
    """Returns a 429 as Discord sends it, with a refusal's own code; without ``Via`` a client takes it for a ban.

    The limit of a ``shared`` scope is one that others use up as well."""
    words = {"message": "You are being rate limited.", "code": 0}
    if refusal is not None:
        words = {"message": refusal.message, "code": refusal.code}
    body = {"retry_after": retry_after, "global": scope == "global", **words}
    extra = {"Via": "1.1 loopback", "Retry-After": str(math.ceil(retry_after))}
    scopes = {"X-RateLimit-Scope": scope} | ({"X-RateLimit-Global": "true"} if scope == "global" else {})
    return ErrorResponse(429, dict(headers) | extra | scopes, body)


class RateLimiter:
    """A counter of requests by bucket in fixed windows, as Discord has."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._windows: dict[str, tuple[float, int]] = {}

    def take(self, endpoint: str, path: Mapping[str, str]) -> tuple[Mapping[str, str], ErrorResponse | None]:
        """Counts a request with the ids of its path; returns headers for its response, and a 429 if over a limit."""
        if "/interactions/" in endpoint:
            return {}, None
        used, limit, left = self._count("global", GLOBAL_LIMIT) if counts_globally(endpoint) else (0, 1, 0.0)
        if used > limit:
            return {}, rate_limited(left, {}, scope="global")
        if endpoint in OPENING_THREADS and (wait := self.count_thread(int(path["channel_id"]))):
            return {}, rate_limited(wait, {}, scope="shared")
        if endpoint not in BUCKET_LIMITS:
            return {}, None
        major = "+".join(path.get(key, "") for key in MAJOR)
        used, limit, left = self._count(f"{endpoint}:{major}", BUCKET_LIMITS[endpoint])
        headers = {
            "X-RateLimit-Bucket": f"{zlib.crc32(endpoint.encode()):08x}",
            "X-RateLimit-Limit": str(limit),
            "X-RateLimit-Remaining": str(max(0, limit - used)),
            "X-RateLimit-Reset": f"{self._now() + left:.3f}",
            "X-RateLimit-Reset-After": f"{left:.3f}",
        }
        if used > limit:
            return headers, rate_limited(left, headers)
        return headers, self._refuse_old_edit(path) if endpoint == OLD_EDIT else None

    def count_thread(self, channel: int) -> float:
        """Counts a thread that is opened in a channel; returns the seconds to wait if there are too many."""
        used, limit, left = self._count(f"threads:{channel}", THREAD_LIMIT)
        return left if used > limit else 0.0

    def _refuse_old_edit(self, path: Mapping[str, str]) -> ErrorResponse | None:
        """Counts the edit of a message; returns a 429 if too many old ones of its channel are edited."""
        message = path["message_id"]
        if not message.isdecimal() or self._now() - made_at(int(message)) <= OLD_SECONDS:
            return None
        used, limit, left = self._count(f"old:{path['channel_id']}", OLD_EDIT_LIMIT)
        return rate_limited(left, {}, refusal=TOO_MANY_OLD_EDITS) if used > limit else None

    def _count(self, key: str, rule: tuple[int, float]) -> tuple[int, int, float]:
        """Counts a request; returns the requests in the window, their limit, and the seconds until the window ends."""
        limit, seconds = rule
        began, used = self._windows.get(key, (-math.inf, 0))
        if self._now() - began >= seconds:
            began, used = self._now(), 0
        self._windows[key] = (began, min(used + 1, limit + 1))
        return used + 1, limit, began + seconds - self._now()


class Silence(Enum):
    """A request that gets no response."""

    CLOSED = "the connection is closed"
    HANGING = "nothing happens until the client gives up"


@dataclass(frozen=True, slots=True)
class Attempt:
    """A request, as a fault looks at it: its endpoint, the ids of its path, and its JSON (also from multipart)."""

    endpoint: str
    path: Mapping[str, str]
    body: Any


@dataclass(slots=True)
class Fault:
    """A failure of the requests that match all of its conditions.

    Attributes:
        pattern: the endpoints, as in ``POST /channels/{channel_id}/messages``; ``*`` stands for any text.
        failure: the response of Discord or of what is in front of it, or none.
        times: how many more requests fail; None for all.
        word: what the JSON of the request contains, in any case of letters.
        predicate: what the request fulfils.
        errors: the ``errors`` of the response, as of a 50035.
        retry_after: seconds, for a 429.
        applied: whether the request takes effect nevertheless, so that only its response is lost.
        hits: the requests that have failed.
    """

    pattern: str
    failure: Refusal | Page | Silence
    times: int | None = 1
    word: str | None = None
    predicate: Callable[[Attempt], bool] | None = None
    errors: Json | None = None
    retry_after: float = 0.01
    applied: bool = False
    hits: list[Attempt] = field(default_factory=list)

    def end(self) -> None:
        """Lets every request through from now on."""
        self.times = 0

    def is_for(self, attempt: Attempt) -> bool:
        """Returns whether the request has to fail."""
        if self.times == 0 or not matches(self.pattern, attempt.endpoint):
            return False
        if self.word is not None and self.word.lower() not in _text(attempt.body):
            return False
        return self.predicate is None or self.predicate(attempt)

    def fail(self, attempt: Attempt) -> ErrorResponse | Silence:
        """Counts the request; returns its response."""
        self.hits.append(attempt)
        if self.times is not None:
            self.times -= 1
        if isinstance(self.failure, Silence):
            return self.failure
        if isinstance(self.failure, Page):
            return ErrorResponse(self.failure.status, {}, self.failure.html)
        status, code, message = self.failure
        if status == 429:
            headers = {"X-RateLimit-Remaining": "0", "X-RateLimit-Limit": "5"}
            return rate_limited(self.retry_after, headers, refusal=self.failure if code else None)
        errors = {} if self.errors is None else {"errors": self.errors}
        return ErrorResponse(status, {}, {"code": code, "message": message, **errors})


def refusal(status: int, code: int, message: str | None) -> Refusal:
    """Returns a refusal, by default with Discord's words for its code."""
    if message is None:
        message = REFUSALS[code].message if code in REFUSALS else f"{status}: injected by a test"
    return Refusal(status, code, message)


def matches(pattern: str, endpoint: str) -> bool:
    """Returns whether a pattern stands for an endpoint."""
    return fnmatchcase(endpoint, pattern)


def _text(body: Any) -> str:
    return json.dumps(body, ensure_ascii=False).lower()
