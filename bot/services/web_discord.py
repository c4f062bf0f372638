"""What the web board asks Discord about an Activity: who has it open, and where."""

from __future__ import annotations

from typing import Any, Final

import aiohttp
import discord
from pydantic import SecretStr

from play.ids import ChannelId, UserId
from play.refusal import Reason, Refused
from play.store import Unavailable
from web.ports import Place

TIMEOUT: Final = aiohttp.ClientTimeout(total=10)


class WebDiscord:
    """The application at Discord. Its `secret` goes to Discord alone, in the body of a request."""

    def __init__(self, client: discord.Client, secret: SecretStr) -> None:
        self._client = client
        self._secret = secret

    @property
    def application(self) -> int:
        """The id of the application; 0 before the bot has logged in."""
        return self._client.application_id or 0

    async def instance(self, instance: str) -> Place:
        """Returns the channel and the people of a running Activity. Raises Refused (`bad_link`), Unavailable."""
        route = discord.http.Route(
            "GET",
            "/applications/{application_id}/activity-instances/{instance_id}",
            application_id=self.application,
            instance_id=instance,
        )
        try:
            told: dict[str, Any] = await self._client.http.request(route)
        except discord.NotFound:
            raise Refused(Reason.BAD_LINK) from None
        except (discord.HTTPException, OSError) as error:
            raise Unavailable(f"Discord tells nothing of an Activity: {error}") from error
        return Place(ChannelId(int(told["location"]["channel_id"])), frozenset(UserId(int(u)) for u in told["users"]))

    async def identify(self, code: str) -> UserId:
        """Returns the user who has allowed the application to know them. Raises Refused (`bad_link`), Unavailable.

        The access token is forgotten at once: nothing else is asked in the user's name.
        """
        form = {
            "client_id": str(self.application),
            "client_secret": self._secret.get_secret_value(),
            "grant_type": "authorization_code",
            "code": code,
        }
        base = discord.http.Route.BASE
        try:
            async with aiohttp.ClientSession(timeout=TIMEOUT) as http:
                async with http.post(f"{base}/oauth2/token", data=form) as answer:
                    granted = await _read(answer)
                bearer = {"Authorization": f"Bearer {granted['access_token']}"}
                async with http.get(f"{base}/users/@me", headers=bearer) as answer:
                    return UserId(int((await _read(answer))["id"]))
        except (aiohttp.ClientError, TimeoutError) as error:
            raise Unavailable(f"Discord exchanges no code: {type(error).__name__}") from error


async def _read(answer: aiohttp.ClientResponse) -> dict[str, Any]:
    """Returns what Discord answered. Raises Refused (`bad_link`), Unavailable."""
    if answer.status in (400, 403):
        raise Refused(Reason.BAD_LINK)
    if answer.status != 200:  # 401: the client secret is wrong
        raise Unavailable(f"Discord exchanges no code: status {answer.status}")
    told: dict[str, Any] = await answer.json()
    return told
