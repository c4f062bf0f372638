"""Checks of `kropka doctor` that ask the web board from outside, as browsers and Discord's clients do."""

import asyncio
import re
import ssl
import time
from collections.abc import AsyncIterator, Callable
from http import HTTPStatus
from typing import Any, Final, NamedTuple

import aiohttp
import yarl
from aiohttp import hdrs
from multidict import CIMultiDictProxy

from bot.cli.discord_checks import DiscordChecks
from bot.cli.findings import Answer, CannotAsk, CannotTell, Check, bad, good, hint, judge
from bot.services.web_discord import PROXY_ORIGIN
from bot.settings import Settings
from bot.telemetry.reach import reason
from bot.way_out import WayOut
from web.framed import OPAQUE_ORIGIN
from web.headers import framed_policy, security_headers

MIN_DAYS: Final = 14
"""Days that a certificate should be good for: those that renew themselves do so earlier."""

DAY_SECONDS: Final = 86_400

POLICY: Final = "Content-Security-Policy"

NONCE: Final = re.compile(r"'nonce-([\w-]+)'")

SCRIPT: Final = "/static/board/page.js"
"""A file that a frame of opaque origin has to read."""

NO_BOARD: Final = "/live/1"
"""A socket that the site opens for everybody, to say that they have no session."""

SOCKET_ADVICE: Final[dict[int, str]] = {
    HTTPStatus.BAD_REQUEST: "let the proxy pass Upgrade and Connection on (docs/operators.md, The web board)",
    HTTPStatus.FORBIDDEN: "the bot runs with another KROPKA_WEB_URL; start it again",
}
"""What to do about the answers of Kropka to what should have become a socket."""

REACH: Final = "start the bot, and look at the DNS and the proxy of that address"
"""What to do where nothing answers."""

MAX_BYTES: Final = 256 * 1024
"""Bytes of an answer that are read; the pages have a tenth of it."""


class _Page(NamedTuple):
    """An answer of the site, or of a program in its place."""

    status: int
    headers: CIMultiDictProxy[str]
    body: str


class WebChecks:
    """The checks of one examination. `site` asks the web board, the `way` that it goes, and `outside` Discord's proxy:
    `proxy` is its address, with `{}` for the application's id."""

    def __init__(
        self,
        settings: Settings,
        site: aiohttp.ClientSession,
        outside: aiohttp.ClientSession,
        way: WayOut,
        discord: DiscordChecks,
        now: Callable[[], float] = time.time,
        proxy: str = PROXY_ORIGIN,
    ) -> None:
        self._settings = settings
        self._hosting = settings.hosting()
        self._http = site
        self._outside = outside
        self._way = way
        self._discord = discord
        self._now = now
        self._proxy = proxy
        self._tls = ssl.create_default_context()

    def checks(self) -> tuple[Check, ...]:
        """Returns the checks in their order."""
        return (
            Check("web", "Do browsers reach the web board?", self._site),
            Check("certificate", "Do browsers trust its certificate, and for how long?", self._certificate),
            Check("socket", "Do WebSockets reach it?", self._socket),
            Check("frame", "May Discord show its page in a frame?", self._frame),
            Check("mapping", "Does Discord's proxy lead to it?", self._mapping),
        )

    def _address(self) -> yarl.URL:
        """Returns the address of the web board. Raises CannotAsk."""
        if self._hosting.web is None:
            raise CannotAsk("KROPKA_WEB_URL isn't set, so there is no web board")
        return yarl.URL(self._hosting.web)

    def _address_of_activity(self) -> yarl.URL:
        """Returns it if the web board is an Activity, too. Raises CannotAsk."""
        address = self._address()
        if self._hosting.client_secret is None:
            raise CannotAsk("KROPKA_CLIENT_SECRET isn't set, so there is no Activity")
        return address

    async def _site(self) -> AsyncIterator[Answer]:
        address = self._address()
        page = await self._get(address / "enter")
        policies = page.headers.getall(POLICY, [])
        yield judge(
            page.status == HTTPStatus.OK and policies == [security_headers(address)[POLICY]],
            f"{address / 'enter'} answers {page.status}" + ("" if policies else " without Kropka's headers"),
            self._advice(page),
        )

    def _advice(self, page: _Page) -> str:
        """Returns what to do about an answer that isn't Kropka's."""
        if page.status in (HTTPStatus.BAD_GATEWAY, HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.GATEWAY_TIMEOUT):
            listening = f"{self._settings.web_host}:{self._settings.web_port}"
            return f"the proxy doesn't reach the bot at {listening}; start the bot, and compare the proxy's target"
        if page.status in range(300, 400):
            return (
                f"it leads to {page.headers.get(hdrs.LOCATION, 'no address')}; KROPKA_WEB_URL has to be the address"
                " that browsers show in the end"
            )
        return (
            "another program answers, or the proxy changes the headers, or the bot runs with another KROPKA_WEB_URL;"
            " docs/operators.md has a proxy's settings"
        )

    async def _certificate(self) -> AsyncIterator[Answer]:
        address = self._address()
        if address.scheme != "https":
            raise CannotAsk("an http address of this machine has none")
        assert address.host is not None
        assert address.port is not None
        try:
            async with asyncio.timeout(self._http.timeout.total):
                _, writer = await self._way.connect(address.host, address.port, self._tls)
        except ssl.SSLCertVerificationError as error:
            yield bad(f"they don't: {error.verify_message}; renew it, and let the proxy send the whole chain")
            return
        except OSError as error:
            raise CannotAsk(f"{address} has to be reached first") from error
        told: dict[str, Any] = writer.get_extra_info("peercert")
        writer.close()
        days = int(ssl.cert_time_to_seconds(told["notAfter"]) - self._now()) // DAY_SECONDS
        sentence = f"they do, for {days} days"
        yield good(sentence) if days >= MIN_DAYS else hint(f"{sentence}; see why it isn't renewed by itself")

    async def _socket(self) -> AsyncIterator[Answer]:
        address = self._address()
        target, origin = address.join(yarl.URL(NO_BOARD)), str(address.origin())
        page = await self._get(target)
        if page.status in range(300, 400):  # which aiohttp would follow, and browsers do not
            yield bad(f"they don't: the answer is {page.status}; look at `web` first")
            return
        try:
            async with (
                asyncio.timeout(self._http.timeout.total),
                self._http.ws_connect(target, origin=origin, ssl=self._tls) as socket,
            ):
                told = await socket.receive_json()
        except aiohttp.WSServerHandshakeError as error:
            advice = SOCKET_ADVICE.get(error.status, "look at `web` first")
            yield bad(f"they don't: the answer is {error.status}; {advice}")
        except (aiohttp.ClientError, OSError) as error:
            raise _unreachable(address, error) from error
        except (TypeError, ValueError):
            yield bad("one opens, but isn't Kropka's; compare the proxy's target")
        else:
            yield judge(
                isinstance(told, dict) and told.get("is") == "gone",
                "they do",
                "but this one isn't Kropka's; compare the proxy's target",
            )

    async def _frame(self) -> AsyncIterator[Answer]:
        address = self._address_of_activity()
        page = await self._get(address / "activity")
        if page.status != HTTPStatus.OK:
            yield bad(
                f"{address / 'activity'} answers {page.status}; start the bot again, so that it knows"
                " KROPKA_CLIENT_SECRET"
            )
            return
        problems = [*_frame_problems(address, page)]
        for path, origin in ((SCRIPT, "*"), ("/activity/client", OPAQUE_ORIGIN)):
            answer = await self._get(address.join(yarl.URL(path)))
            if answer.headers.getall(hdrs.ACCESS_CONTROL_ALLOW_ORIGIN, []) != [origin]:
                problems.append(f"{path} lacks its {hdrs.ACCESS_CONTROL_ALLOW_ORIGIN}: {origin}")
        yield judge(not problems, "; ".join(problems) or "its headers allow that", "let the proxy change no headers")

    async def _mapping(self) -> AsyncIterator[Answer]:
        self._address_of_activity()
        if self._settings.discord is not None:
            raise CannotAsk("the stand-in for Discord has no proxy")
        application = str((await self._discord.application())["id"])
        target = yarl.URL(self._proxy.format(application)) / "activity" / "client"
        where = "in the portal under Activities, URL Mappings, set the target of / to the host of KROPKA_WEB_URL"
        page = await self._get(target, where, self._outside)
        if page.status != HTTPStatus.OK or '"client"' not in page.body:
            yield bad(f"{target} answers {page.status}, and isn't Kropka's; {where}")
        else:
            yield judge(f'"{application}"' in page.body, f"{target} is Kropka's", f"but another application's; {where}")

    async def _get(self, address: yarl.URL, advice: str = REACH, http: aiohttp.ClientSession | None = None) -> _Page:
        """Returns an answer. Raises CannotAsk where the certificate is refused, and CannotTell with the advice."""
        try:
            async with (http or self._http).get(address, ssl=self._tls, allow_redirects=False) as answer:
                body = await _read(answer.content)
                return _Page(answer.status, answer.headers, body.decode(errors="replace"))
        except (aiohttp.ClientError, OSError) as error:
            raise _unreachable(address.origin(), error, advice) from error


async def _read(content: aiohttp.StreamReader) -> bytes:
    """Returns the whole content, or as much of it as is read."""
    try:
        return await content.readexactly(MAX_BYTES)
    except asyncio.IncompleteReadError as whole:
        return whole.partial


def _unreachable(address: yarl.URL, error: Exception, advice: str = REACH) -> Exception:
    """Returns what an error says about a site."""
    through_proxy = isinstance(error.__cause__, ssl.SSLCertVerificationError)
    if through_proxy or isinstance(error, aiohttp.ClientConnectorCertificateError):
        return CannotAsk(f"the certificate of {address} has to be good first")
    return CannotTell(f"{address} can't be reached ({reason(error)}); {advice}")


def _frame_problems(address: yarl.URL, page: _Page) -> list[str]:
    """Returns what in the headers of the Activity's page keeps it from being shown or from running its script."""
    problems = []
    if "X-Frame-Options" in page.headers:
        problems.append(f"the page has X-Frame-Options: {page.headers['X-Frame-Options']}")
    policies = page.headers.getall(POLICY, [])
    nonce = NONCE.search(policies[0]) if policies else None
    if nonce is None or policies != [framed_policy(address, nonce[1])]:
        problems.append(f"its {POLICY} isn't Kropka's")
    elif nonce[1] not in page.body:
        problems.append("it is an old copy, since its script has another nonce than its headers")
    return problems
