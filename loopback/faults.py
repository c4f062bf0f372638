"""The fault table: a test says which requests fail, how and how often."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from fnmatch import fnmatchcase
from typing import Any

from loopback.errors import REFUSALS, Page, Refusal
from loopback.limits import ErrorResponse, rate_limited

Json = dict[str, Any]


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
