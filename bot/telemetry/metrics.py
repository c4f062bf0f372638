"""Metrics of the bot, in the format of Prometheus."""

from __future__ import annotations

import json
import re
import time
from collections import deque
from collections.abc import Callable, Collection
from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import aiohttp
from cachetools import LRUCache
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.platform_collector import PlatformCollector
from prometheus_client.process_collector import ProcessCollector

from bot.edge import Blocked
from bot.request import Interaction, time_of

if TYPE_CHECKING:
    from play.match.match import Match

ANSWER_BUCKETS = (0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0)
"""Buckets in seconds; after 3 Discord takes no acknowledgement."""

DRAWING_BUCKETS = (0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.25, 0.5, 1.0)
JOB_BUCKETS = (0.01, 0.05, 0.1, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 40.0)
HOLD_BUCKETS = (0.1, 0.25, 0.5, 1.0, 2.0, 5.0)
LATENESS_BUCKETS = (0.05, 0.1, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 120.0)

MAX_PENDING = 10_000

INVALID_STATUSES = (401, 403, 429)
"""Statuses that Discord counts: after 10,000 of them in ten minutes it bans an address.
Source: https://discord.com/developers/docs/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans"""

INVALID_REQUESTS = "kropka_invalid_requests"
"""A metric that `kropka doctor` reads."""

PAUSE = "kropka_pause_seconds"
"""The other one."""

RECENT_SECONDS = 3600.0
"""Seconds for which it counts a request."""

MAX_RECENT = 10_000
"""Requests of each status that it counts."""

_CALLBACK = re.compile(r"/interactions/(\d+)/[^/]+/callback")
_IDS = re.compile(r"/\d{5,}")
_SECRET = re.compile(r"(/(?:webhooks|interactions)/{id}/)[^/]+")


class Metrics:
    """The metrics of one process, in a registry of their own.

    `known_codes` of Discord's refusals are labels of their own: one for whatever Discord sends would have no bound.
    `clock` has the seconds by which requests are recent.
    """

    def __init__(self, known_codes: Collection[int] = (), clock: Callable[[], float] = time.monotonic) -> None:
        self._known_codes = known_codes
        self._clock = clock
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        PlatformCollector(registry=self.registry)
        mine: dict[str, Any] = {"registry": self.registry, "namespace": "kropka"}
        self._answered = Histogram(
            "acknowledgement_seconds",
            "From the click, by the time in Discord's id, to our acknowledgement",
            ("request",),
            buckets=ANSWER_BUCKETS,
            **mine,
        )
        self._calls = Counter("discord_requests", "Requests to Discord", ("method", "route", "status"), **mine)
        self._called = Histogram("discord_request_seconds", "Their duration", ("method", "route"), **mine)
        self._limited = Counter("rate_limited", "Requests that Discord turned away as too many", ("scope",), **mine)
        self._refused_by_discord = Counter(
            "discord_refusals", "Requests that Discord refused, by its own code", ("code",), **mine
        )
        self._blocked = Counter("blocked_requests", "Requests that the edge answered in Discord's place", **mine)
        self.pause = Gauge(PAUSE, "How long what can wait is not sent after such an answer", registry=self.registry)
        self._invalid = {status: deque[float](maxlen=MAX_RECENT) for status in INVALID_STATUSES}
        invalid = Gauge(
            INVALID_REQUESTS, "Requests of the last hour that Discord counts", ("status",), registry=self.registry
        )
        for status in INVALID_STATUSES:
            invalid.labels(str(status)).set_function(partial(self._count_recent, status))
        self._events = Counter("events", "What happened in matches, by kind", ("kind",), **mine)
        self._refused = Counter("refusals", "Requests that were refused, by reason", ("reason",), **mine)
        self._unreadable = Counter("unreadable_events", "Events that could not be read, by name", ("event",), **mine)
        self._drawn = Histogram(
            "drawing_seconds", "Time that a picture took", ("picture",), buckets=DRAWING_BUCKETS, **mine
        )
        self.waiting = Gauge("requests_waiting", "Clicks, moves and commands that wait to be worked on", **mine)
        self._turned_away = Counter("turned_away", "Those that were not worked on, as too many waited", **mine)
        self.drawing = Gauge("drawings_waiting", "Pictures that wait to be drawn", **mine)
        self.jobs = Gauge("lane_waiting", "Films, pictures and files beside the boards, asked for", ("line",), **mine)
        self._made = Histogram("lane_seconds", "Time that one of them took", ("work",), buckets=JOB_BUCKETS, **mine)
        self._held = Histogram(
            "loop_held_seconds",
            "Times above a tenth of a second for which a handler held the event loop",
            ("handler",),
            buckets=HOLD_BUCKETS,
            **mine,
        )
        self.lateness = Histogram("clock_lateness_seconds", "How late a flag fell", buckets=LATENESS_BUCKETS, **mine)
        self.clock_skew = Gauge("clock_skew_seconds", "How far the database's clock is ahead of Discord's", **mine)
        self.outbox = Gauge("outbox_matches", "Matches with something that was not posted yet", **mine)
        self.open_matches = Gauge("open_matches", "Matches that go on, in the whole database", **mine)
        self.shards = Gauge("gateway_shards", "Gateway sessions of this process, by state", ("state",), **mine)
        self._pending = LRUCache[int, str](MAX_PENDING)

    def text(self) -> bytes:
        """Returns all metrics, in the text format of Prometheus."""
        return generate_latest(self.registry)

    def interaction_started(self, interaction: Interaction) -> None:
        """Notes that a handler has begun with an interaction."""
        self._pending[interaction.id] = _name(interaction)

    def match_changed(self, match: Match) -> None:
        """Counts the event that made a new version of a match."""
        if match.events:
            self._events.labels(match.events[-1].kind.value).inc()
        else:
            self._events.labels("begin").inc()

    def count_call(self, method: str, route: str, status: str) -> None:
        """Counts a request to Discord that discord.py knows nothing of; its duration is not measured."""
        self._calls.labels(method, route, status).inc()
        if status in map(str, INVALID_STATUSES):
            self._invalid[int(status)].append(self._clock())

    def count_turned_away(self) -> None:
        self._turned_away.inc()

    def count_refusal(self, reason: str) -> None:
        self._refused.labels(reason).inc()

    def count_unreadable(self, event: str) -> None:
        self._unreadable.labels(event).inc()

    def observe_drawing(self, picture: str, seconds: float) -> None:
        self._drawn.labels(picture).observe(seconds)

    def observe_job(self, work: str, seconds: float) -> None:
        self._made.labels(work).observe(seconds)

    def observe_hold(self, handler: str, seconds: float) -> None:
        self._held.labels(handler).observe(seconds)

    @property
    def trace(self) -> aiohttp.TraceConfig:
        """The trace of discord.py's requests."""
        config = aiohttp.TraceConfig()
        config.on_request_start.append(self._request_begins)
        config.on_request_end.append(self._request_ends)
        config.on_response_chunk_received.append(self._response_read)
        config.on_request_exception.append(self._request_fails)
        return config

    async def _request_begins(self, _: Any, context: SimpleNamespace, params: aiohttp.TraceRequestStartParams) -> None:
        context.began = time.perf_counter()

    async def _request_ends(self, _: Any, context: SimpleNamespace, params: aiohttp.TraceRequestEndParams) -> None:
        path, status = params.url.path, params.response.status
        self._count(params.method, path, str(status), context)
        context.is_refusal = 400 <= status < 500
        scope = params.response.headers.get("X-RateLimit-Scope", "unknown")
        if status == 429:
            self._limited.labels(scope).inc()
        if status in INVALID_STATUSES and scope != "shared":  # which is no fault of the bot's
            self._invalid[status].append(self._clock())
        if (callback := _CALLBACK.search(path)) and (name := self._pending.pop(int(callback[1]), None)):
            self._answered.labels(name).observe(max(0.0, time.time() - time_of(int(callback[1])) / 1000))

    async def _response_read(
        self, _: Any, context: SimpleNamespace, params: aiohttp.TraceResponseChunkReceivedParams
    ) -> None:
        if context.is_refusal:
            self._refused_by_discord.labels(self._code(params.chunk)).inc()

    def _count_recent(self, status: int) -> int:
        """Returns how many requests of the last hour had this status."""
        times, begin = self._invalid[status], self._clock() - RECENT_SECONDS
        while times and times[0] < begin:
            times.popleft()
        return len(times)

    def _code(self, body: bytes) -> str:
        """Returns Discord's own code in the body of a refusal: a known one, 0 for none, else `other`."""
        try:
            code = json.loads(body)["code"]
        except (ValueError, TypeError, LookupError):
            return "0"
        return str(int(code)) if code == 0 or code in self._known_codes else "other"

    async def _request_fails(
        self, _: Any, context: SimpleNamespace, params: aiohttp.TraceRequestExceptionParams
    ) -> None:
        if isinstance(params.exception, Blocked):
            self._blocked.inc()  # its status is counted
        else:
            self._count(params.method, params.url.path, type(params.exception).__name__, context)

    def _count(self, method: str, path: str, status: str, context: SimpleNamespace) -> None:
        route = _route(path)
        self._calls.labels(method, route, status).inc()
        self._called.labels(method, route).observe(time.perf_counter() - context.began)


def _route(path: str) -> str:
    """Returns the path without ids and secrets, which would make a label each."""
    return _SECRET.sub(r"\1{token}", _IDS.sub("/{id}", path.partition("/api/v10")[2] or path))


def _name(interaction: Interaction) -> str:
    """Returns the name of the command, or the part of the custom id that has no numbers."""
    if interaction.command is not None:
        return f"/{interaction.command.qualified_name}"
    parts = (interaction.custom_id or "").split(":")
    return ":".join(part for part in parts[:4] if part.replace("_", "").isalpha()) or "unknown"
