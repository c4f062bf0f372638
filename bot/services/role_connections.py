"""Linked roles at Discord: what a user has granted, figures for the roles of servers, and a note when a link ends."""

import asyncio
import logging
from collections.abc import Collection, Mapping
from http import HTTPStatus
from typing import Any, Final

import aiohttp
import discord
import yarl
from pydantic import SecretStr

from bot.edge import Blocked
from bot.services.discord_errors import describe, describe_answer, is_final
from bot.services.locales import Locales
from bot.services.messages import DirectMessages
from bot.services.rate_limits import Pace
from bot.services.web_links import WebLinks
from play.community.roles import FigureName, Figures
from play.ids import UserId
from play.refusal import Reason, Refused
from presentation.words.words import SOURCE, Languages
from use_cases.worker import RetryLater
from use_cases.workers.role_sync import Access, Withdrawn
from web.ports import LinkedGrant

SCOPES: Final = ("identify", "role_connections.write")
"""What a user allows the application: to know who they are, and to tell Discord their figures."""

AT_MOST, AT_LEAST = 1, 2
"""Discord's kinds of a figure: a role needs a number at most, or at least (INTEGER_LESS_THAN_OR_EQUAL, ...)."""

PLATFORM: Final = "Kropka"

TIMEOUT_SECONDS: Final = 10.0
"""Seconds that Discord gets to answer."""

NOT_GRANTED: Final = frozenset({HTTPStatus.BAD_REQUEST})
"""The status of a code or a refresh token that is good no more."""

NOT_ALLOWED: Final = frozenset({HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN})
"""The statuses of access that is good no more."""

log = logging.getLogger(__name__)


class RoleConnections:
    """Implements use_cases.workers.role_sync.AccountGateway and web.ports.RoleApplication.

    The client secret and all tokens go to Discord alone, in the bodies and heads of requests, and into no log.
    """

    def __init__(self, client: discord.Client, secret: SecretStr, trace: aiohttp.TraceConfig, pace: Pace) -> None:
        """`trace` counts the requests among those of the bot; those of workers go at a `pace`."""
        self._client = client
        self._secret = secret
        self._trace = trace
        self._pace = pace

    @property
    def application(self) -> int:
        """The id of the application; 0 before the bot has logged in."""
        return self._client.application_id or 0

    def consent(self, redirect: str, state: str) -> str:
        """Returns the address at which Discord asks a user, who comes back to `redirect` with the same `state`."""
        asked = {
            "client_id": str(self.application),
            "response_type": "code",
            "redirect_uri": redirect,
            "scope": " ".join(SCOPES),
            "state": state,
            "prompt": "consent",
        }
        return str(yarl.URL(discord.http.Route.BASE).origin() / "oauth2/authorize" % asked)

    async def grant(self, code: str, redirect: str) -> LinkedGrant:
        """Returns what a user has granted, for the code that they came back with. Raises Refused (`link_not_taken`,
        `entrance_busy`)."""
        form = {"grant_type": "authorization_code", "code": code, "redirect_uri": redirect}
        try:
            granted = await self._token(form)
            if not {*SCOPES} <= {*str(granted.get("scope")).split()}:
                raise Refused(Reason.LINK_NOT_TAKEN)
            status, user = await self._ask("GET", "/users/@me", bearer=str(granted["access_token"]))
            if status != HTTPStatus.OK:
                log.warning("Discord doesn't say who links an account (%s)", describe_answer(status, user))
                raise Refused(Reason.LINK_NOT_TAKEN)
            return LinkedGrant(UserId(int(user["id"])), str(granted["refresh_token"]))
        except Withdrawn as error:
            raise Refused(Reason.LINK_NOT_TAKEN) from error
        except (RetryLater, KeyError, ValueError, TypeError) as error:
            log.warning("Discord grants no link (%s)", error)
            raise Refused(Reason.ENTRANCE_BUSY, count=round(TIMEOUT_SECONDS)) from error

    async def access(self, refresh: str) -> Access:
        """See use_cases.workers.role_sync.AccountGateway."""
        await self._pace.wait_turn()
        granted = await self._token({"grant_type": "refresh_token", "refresh_token": refresh})
        try:
            return Access(str(granted["access_token"]), str(granted.get("refresh_token") or refresh))
        except KeyError as error:
            raise RetryLater("Discord grants no access") from error

    async def push(self, token: str, figures: Figures) -> None:
        """See use_cases.workers.role_sync.AccountGateway."""
        metadata = {str(name): str(value) for name, value in figures.items()}
        body = {"platform_name": PLATFORM, "metadata": metadata}
        await self._pace.wait_turn()
        _require(await self._ask("PUT", self._connection, bearer=token, json=body), NOT_ALLOWED)

    async def take_back(self, access: Access) -> None:
        """See use_cases.workers.role_sync.AccountGateway."""
        await self._pace.wait_turn()
        deleted = await self._ask("DELETE", self._connection, bearer=access.token)
        if deleted[0] != HTTPStatus.NOT_FOUND:  # an earlier try has done so
            _require(deleted, NOT_ALLOWED)
        form = {"token": access.refresh, "token_type_hint": "refresh_token"}
        _require(await self._ask("POST", "/oauth2/token/revoke", form=form), NOT_GRANTED)

    @property
    def _connection(self) -> str:
        return f"/users/@me/applications/{self.application}/role-connection"

    async def _token(self, form: Mapping[str, str]) -> dict[str, Any]:
        """Returns what Discord grants. Raises Withdrawn for a code or token that it does not take, and RetryLater."""
        status, granted = await self._ask("POST", "/oauth2/token", form=form)
        if status == HTTPStatus.UNAUTHORIZED:
            raise RetryLater(f"the client secret is wrong ({describe_answer(status, granted)})")
        _require((status, granted), NOT_GRANTED)
        return dict(granted)

    async def _ask(
        self,
        method: str,
        path: str,
        *,
        bearer: str | None = None,
        form: Mapping[str, str] | None = None,
        json: Mapping[str, Any] | None = None,
    ) -> tuple[int, Any]:
        """Returns the status and the JSON of an answer. A form is sent in the application's name. Raises RetryLater."""
        head = {"Authorization": f"Bearer {bearer}"} if bearer else {}
        own = {"client_id": str(self.application), "client_secret": self._secret.get_secret_value()}
        data = None if form is None else {**own, **form}
        connector = self._client.http.connector
        try:
            async with (
                asyncio.timeout(TIMEOUT_SECONDS),
                aiohttp.ClientSession(connector=connector, connector_owner=False, trace_configs=[self._trace]) as http,
                http.request(method, f"{discord.http.Route.BASE}{path}", headers=head, data=data, json=json) as answer,
            ):
                is_json = answer.content_type == "application/json"
                return answer.status, await answer.json() if is_json else None
        except Blocked as error:
            raise RetryLater(describe(error)) from None
        except (aiohttp.ClientError, OSError, ValueError) as error:
            raise RetryLater(type(error).__name__) from None


def _require(answer: tuple[int, Any], gone: Collection[int]) -> None:
    """Raises Withdrawn for an answer that says the token is `gone`, and RetryLater for any other that is not good."""
    status, told = answer
    if status in gone:
        log.info("an account is linked no more: %s", describe_answer(status, told))
        raise Withdrawn
    if status not in (HTTPStatus.OK, HTTPStatus.NO_CONTENT):
        raise RetryLater(describe_answer(status, told))


async def register_figures(client: discord.Client, languages: Languages) -> int:
    """Tells Discord which figures there are, in all languages; returns how many. Raises discord.HTTPException."""
    words = {tag: languages.of(tag) for tag in languages.names}
    source = words.pop(SOURCE)
    figures = [
        {
            "type": AT_MOST if name is FigureName.DIVISION else AT_LEAST,
            "key": str(name),
            "name": source(f"linked.{name}.name"),
            "name_localizations": {tag: own(f"linked.{name}.name") for tag, own in words.items()},
            "description": source(f"linked.{name}.about"),
            "description_localizations": {tag: own(f"linked.{name}.about") for tag, own in words.items()},
        }
        for name in FigureName
    ]
    path, application = "/applications/{application_id}/role-connections/metadata", client.application_id
    await client.http.request(discord.http.Route("PUT", path, application_id=application), json=figures)
    return len(figures)


class LinkNotices:
    """Implements use_cases.workers.role_sync.AccountNotices."""

    def __init__(self, direct: DirectMessages, locales: Locales, links: WebLinks | None) -> None:
        self._direct = direct
        self._locales = locales
        self._links = links

    async def tell_ended(self, user: UserId) -> None:
        """See use_cases.workers.role_sync.AccountNotices."""
        assert self._links is not None, "accounts are linked on the site"
        words = await self._locales.for_user(user, None)
        content = words("linked.ended", url=self._links.linking)
        try:
            await self._direct.send(user, content=content, nonce=f"linked:{user:x}")
        except discord.HTTPException as error:
            if not is_final(error):
                raise RetryLater(describe(error)) from error
            log.info("user %d reads only in their settings that their link has ended: %s", user, describe(error))
