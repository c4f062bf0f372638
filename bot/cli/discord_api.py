"""Discord's HTTP API for `kropka doctor`: one request for each question, without discord.py's tries and waits."""

from __future__ import annotations

import json
from contextlib import suppress
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Any

import aiohttp
import discord
from pydantic import SecretStr

from bot.cli.findings import CannotTell
from bot.edge import USER_AGENT, refusal_of_edge
from bot.services.discord_errors import describe
from bot.telemetry.reach import UNREACHABLE, reason

HEADERS = {"User-Agent": USER_AGENT}

SCOPE = "identify"
"""What a grant of the client's own is for: a scope that Discord gives to applications of teams as well."""


class DiscordRefuses(CannotTell):
    """A refusal by Discord, with its status, its own code and its sentence."""

    def __init__(self, status: int, code: int, sentence: str) -> None:
        super().__init__(f"Discord refuses to tell ({status}, code {code}: {sentence}); {_advice(status)}")
        self.status = status


class DiscordApi:
    """The API as the bot itself may ask it. All methods raise CannotTell; refusals are DiscordRefuses.

    No answer leads it to another address, which would get a secret.
    """

    def __init__(self, http: aiohttp.ClientSession, token: SecretStr | None) -> None:
        self._http = http
        self._token = token

    async def get(self, path: str, **query: str) -> Any:
        """Returns what Discord answers to the bot."""
        assert self._token is not None, "nothing is asked without a token"
        headers = {**HEADERS, "Authorization": f"Bot {self._token.get_secret_value()}"}
        return await self._ask("GET", path, headers=headers, params=query)

    async def grant(self, application: str, secret: SecretStr) -> None:
        """Asks for a token of the application's own, by its client secret, and forgets it."""
        form = {
            "client_id": application,
            "client_secret": secret.get_secret_value(),
            "grant_type": "client_credentials",
            "scope": SCOPE,
        }
        await self._ask("POST", "/oauth2/token", headers=HEADERS, data=form)

    async def time(self) -> float:
        """Returns Discord's clock, in whole seconds since 1970. Any status will do."""
        try:
            async with self._http.get(f"{discord.http.Route.BASE}/gateway", headers=HEADERS) as answer:
                return parsedate_to_datetime(answer.headers["Date"]).timestamp()
        except (KeyError, ValueError):
            raise CannotTell("Discord's answer has no date; compare the clock with another one") from None
        except UNREACHABLE as error:
            raise _unreachable(error) from error

    async def _ask(self, method: str, path: str, **options: Any) -> Any:
        try:
            async with self._http.request(
                method, f"{discord.http.Route.BASE}{path}", allow_redirects=False, **options
            ) as answer:
                return await _read(answer)
        except UNREACHABLE as error:
            raise _unreachable(error) from error


async def _read(answer: aiohttp.ClientResponse) -> Any:
    """Returns the JSON of an answer."""
    if answer.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        raise CannotTell(f"Discord can't be reached (it answers {answer.status}); try again later")
    body = await answer.read()
    told: Any = None
    with suppress(ValueError):
        told = json.loads(body)
    if answer.status < HTTPStatus.MULTIPLE_CHOICES and told is not None:
        return told
    if (blocked := refusal_of_edge(answer, body)) is not None:
        if answer.status == HTTPStatus.TOO_MANY_REQUESTS:
            raise DiscordRefuses(answer.status, 0, "it has shut this address out")
        raise CannotTell(
            f"what answers in Discord's place isn't Discord ({describe(blocked)}); look for a proxy or a filter on the"
            " way, or try again later"
        )
    said = told.get("message") or told.get("error") or answer.reason
    raise DiscordRefuses(answer.status, int(told.get("code") or 0), "; ".join(str(said).splitlines()))


def _unreachable(error: BaseException) -> CannotTell:
    return CannotTell(f"Discord can't be reached ({reason(error)}); try again later")


def _advice(status: int) -> str:
    """Returns what to do about a refusal."""
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        return "too many requests come from this address; look what else asks from here, and try again in an hour"
    return "if that stays so, report this line"
