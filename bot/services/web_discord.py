"""What the web board asks Discord: who a user is, and who has an Activity open where."""

import asyncio
import logging
import time
from collections.abc import Callable
from http import HTTPStatus
from math import ceil, isfinite
from typing import Any, Final

import aiohttp
import discord
import yarl
from cachetools import TTLCache
from pydantic import SecretStr

from bot.edge import Blocked
from bot.services.discord_errors import describe, describe_answer
from bot.services.rate_limits import EXCHANGES, FAILED_ENTRIES, INSTANCES, Rate, SharedPace
from bot.telemetry.metrics import INVALID_STATUSES
from play.ids import ChannelId, UserId
from play.refusal import Reason, Refused
from storage.errors import Unavailable
from use_cases.keyed_locks import KeyedLocks
from web.ports import Grant, Place

PROXY_ORIGIN: Final = "https://{}.discordsays.com"
"""The origin that Discord's proxy gives an application's Activity."""

TIMEOUT_SECONDS: Final = 10.0
"""Seconds that Discord gets to answer."""

PAUSE_SECONDS: Final = 60.0
"""Seconds without exchanges after an answer that says no more than that Discord takes none, such as 401."""

AWAY_SECONDS: Final = 5.0
"""Seconds without exchanges after a failure that may have passed by then."""

KEPT_SECONDS: Final = 60.0
"""Seconds for which it is known that an Activity runs, and who has it open."""

UNKNOWN_SECONDS: Final = 5.0
"""Seconds for which an Activity counts as one that doesn't run: it may begin."""

CACHE_SIZE: Final = 4000
"""Activities of each kind that are remembered."""

SCOPE: Final = "identify"
"""What a user allows the application; without it Discord refuses to say who they are, by a 401."""

log = logging.getLogger(__name__)


class WebDiscord:
    """The application at Discord. Its `secret` goes to Discord alone, in the body of a request.

    Strangers can ask for exchanges and for Activities, so both have a pace of their own; when Discord exchanges no code
    it is left alone.
    """

    def __init__(
        self,
        client: discord.Client,
        secret: SecretStr,
        trace: aiohttp.TraceConfig,
        exchanges: Rate = EXCHANGES,
        instances: Rate = INSTANCES,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`trace` counts the requests of exchanges among those of the bot."""
        self._client = client
        self._secret = secret
        self._trace = trace
        self._exchanges = SharedPace(exchanges, Reason.NOT_CONFIRMED, FAILED_ENTRIES)
        self._lookups = SharedPace(instances, Reason.ACTIVITY_ENDED, FAILED_ENTRIES)
        self._clock = clock
        self._running: TTLCache[str, Place] = TTLCache(CACHE_SIZE, KEPT_SECONDS, clock)
        self._unknown: TTLCache[str, None] = TTLCache(CACHE_SIZE, UNKNOWN_SECONDS, clock)
        self._locks: KeyedLocks[str] = KeyedLocks()
        self._opens_at = float("-inf")

    @property
    def id(self) -> int:
        """See web.ports.Application."""
        return self._client.application_id or 0

    @property
    def proxy(self) -> str:
        """See web.ports.Application."""
        return PROXY_ORIGIN.format(self.id)

    async def find_instance(self, instance: str, asker: int) -> Place:
        """See web.ports.Application."""
        async with self._locks.of(instance):
            if (known := self._running.get(instance)) is not None:
                return known
            if instance in self._unknown:
                raise Refused(Reason.ACTIVITY_ENDED)
            with self._lookups.turn(asker, self._clock()):
                return await self.instance(instance)

    async def instance(self, instance: str) -> Place:
        """See web.ports.Application."""
        route = discord.http.Route(
            "GET",
            "/applications/{application_id}/activity-instances/{instance_id}",
            application_id=self.id,
            instance_id=instance,
        )
        try:
            async with asyncio.timeout(TIMEOUT_SECONDS):
                told: dict[str, Any] = await self._client.http.request(route)
        except discord.NotFound:
            self._running.pop(instance, None)
            self._unknown[instance] = None
            raise Refused(Reason.ACTIVITY_ENDED) from None
        except (discord.HTTPException, OSError) as error:
            raise Unavailable(f"Discord tells nothing of an Activity: {error}") from error
        users = frozenset(UserId(int(user)) for user in told["users"])
        found = self._running[instance] = Place(ChannelId(int(told["location"]["channel_id"])), users)
        return found

    async def exchange(self, code: str, asker: int, redirect: str | None = None) -> Grant:
        """See web.ports.Application: `entrance_busy` is raised without a request while none may be made."""
        now = self._clock()
        if (wait := self._opens_at - now) > 0:
            raise Refused(Reason.ENTRANCE_BUSY, count=ceil(wait))
        with self._exchanges.turn(asker, now):
            try:
                return await self._exchange(code, redirect)
            except Blocked as error:
                raise self._pause(max(AWAY_SECONDS, error.retry_after), describe(error)) from error
            except (aiohttp.ClientError, TimeoutError, ValueError, KeyError) as error:
                raise self._pause(AWAY_SECONDS, type(error).__name__) from error

    async def _exchange(self, code: str, redirect: str | None) -> Grant:
        form = {
            "client_id": str(self.id),
            "client_secret": self._secret.get_secret_value(),
            "grant_type": "authorization_code",
            "code": code,
            **({} if redirect is None else {"redirect_uri": redirect}),
        }
        base, timeout = discord.http.Route.BASE, aiohttp.ClientTimeout(total=TIMEOUT_SECONDS)
        async with self._session(timeout) as http:
            async with http.post(f"{base}/oauth2/token", data=form) as answer:
                granted = await self._read(answer)
            if SCOPE not in str(granted.get("scope")).split():
                raise Refused(Reason.NOT_CONFIRMED)
            access = str(granted["access_token"])
            async with http.get(f"{base}/users/@me", headers=_bearer(access)) as answer:
                return Grant(UserId(int((await self._read(answer))["id"])), access)

    def consent(self, redirect: str, state: str) -> str:
        """See web.ports.Application."""
        asked = {
            "client_id": str(self.id),
            "response_type": "code",
            "redirect_uri": redirect,
            "scope": SCOPE,
            "state": state,
            "prompt": "none",
        }
        return str(yarl.URL(discord.http.Route.BASE).origin() / "oauth2/authorize" % asked)

    async def upload(self, grant: Grant, picture: bytes) -> str:
        """Returns the address of a picture that Discord keeps for a while. Raises Refused (`picture_not_taken`)."""
        form = aiohttp.FormData()
        form.add_field("file", picture, filename="board.png", content_type="image/png")
        address = f"{discord.http.Route.BASE}/applications/{self.id}/attachment"
        timeout = aiohttp.ClientTimeout(total=TIMEOUT_SECONDS)
        try:
            async with (
                self._session(timeout) as http,
                http.post(address, data=form, headers=_bearer(grant.access)) as answer,
            ):
                told = await _told(answer)
                if answer.status == HTTPStatus.OK:
                    return str(told["attachment"]["url"])
                why = describe_answer(answer.status, told)
        except (Blocked, aiohttp.ClientError, TimeoutError, ValueError, KeyError) as error:
            why = type(error).__name__
        log.warning("Discord keeps no picture to share (%s)", why)
        raise Refused(Reason.PICTURE_NOT_TAKEN)

    def _session(self, timeout: aiohttp.ClientTimeout) -> aiohttp.ClientSession:
        """Returns a session without the bot's token, by the bot's way out."""
        connector = self._client.http.connector
        return aiohttp.ClientSession(
            connector=connector, connector_owner=False, timeout=timeout, trace_configs=[self._trace]
        )

    async def _read(self, answer: aiohttp.ClientResponse) -> dict[str, Any]:
        """Returns what Discord answered. Raises Refused (`not_confirmed`, `entrance_busy`)."""
        if answer.status == HTTPStatus.OK:
            return dict(await answer.json())
        why = describe_answer(answer.status, await _told(answer))
        if answer.status == HTTPStatus.BAD_REQUEST:
            log.info("Discord confirms no name (%s)", why)
            raise Refused(Reason.NOT_CONFIRMED)
        seconds = _retry_seconds(answer) if answer.status in INVALID_STATUSES else AWAY_SECONDS
        raise self._pause(seconds, why)  # 401: the client secret is wrong

    def _pause(self, seconds: float, why: str) -> Refused:
        """Lets no exchange begin for some time; returns what those who ask are told."""
        log.warning("Discord exchanges no code (%s); the next one is tried in %.0f s", why, seconds)
        self._opens_at = max(self._opens_at, self._clock() + seconds)
        return Refused(Reason.ENTRANCE_BUSY, count=ceil(seconds))


async def _told(answer: aiohttp.ClientResponse) -> Any:
    """Returns the JSON of an answer; None if it has none."""
    return await answer.json() if answer.content_type == "application/json" else None


def _bearer(access: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {access}"}


def _retry_seconds(answer: aiohttp.ClientResponse) -> float:
    """Returns the seconds after which Discord may be asked again."""
    try:
        seconds = float(answer.headers.get("Retry-After", ""))
    except ValueError:
        return PAUSE_SECONDS
    return max(1.0, seconds) if isfinite(seconds) else PAUSE_SECONDS
