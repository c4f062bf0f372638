"""Activities: callback 12, the entry-point command, the instance, and the grants of OAuth2."""

from typing import Any

import aiohttp
import pytest

from loopback import Discord, Impossible
from tests.loopback.conftest import AS_BOT, NAMED, Clock

ENTRY_POINT: dict[str, Any] = {"name": "board", "description": "Opens the board", "type": 4, "handler": 2}


async def ask(discord: Discord, path: str, headers: dict[str, str] = AS_BOT, **options: Any) -> tuple[int, Any]:
    """Sends a request: a GET, or with `data` or `json` a POST."""
    method = "POST" if options else "GET"
    async with (
        aiohttp.ClientSession(headers=NAMED) as http,
        http.request(method, f"{discord.api}{path}", headers=headers, **options) as answer,
    ):
        return answer.status, await answer.json()


def form(discord: Discord, code: str, **changed: str) -> dict[str, str]:
    known = {"client_id": str(discord.bot.id), "client_secret": discord.client_secret, "code": code}
    return known | {"grant_type": "authorization_code"} | changed


async def add_entry_point(discord: Discord) -> None:
    status, _ = await ask(discord, f"/applications/{discord.bot.id}/commands", json=ENTRY_POINT)
    assert status == 200


async def test_the_entry_point_opens_one_activity_at_a_time_that_its_channel_shares(
    discord: Discord,
) -> None:
    await add_entry_point(discord)
    ola, maksim = discord.people["Ola"], discord.people["Максим"]
    dots, general = discord.channels["dots"], discord.channels["general"]
    here = ola.launch(dots, "board")
    assert maksim.launch(dots, "board") is here
    elsewhere = ola.launch(general, "board")
    assert here.users == [maksim.id]
    path = f"/applications/{discord.bot.id}/activity-instances"
    status, told = await ask(discord, f"{path}/{elsewhere.id}")
    assert (status, told["users"], told["location"]["channel_id"]) == (200, [str(ola.id)], str(general.id))
    ola.close_activity()
    assert (await ask(discord, f"{path}/{elsewhere.id}"))[0] == 404
    assert (await ask(discord, f"{path}/made-up"))[0] == 404
    with pytest.raises(Impossible):
        ola.launch(dots, "challenge")


async def test_a_code_is_good_once_and_for_a_minute_and_only_with_the_client_secret(
    discord: Discord, clock: Clock
) -> None:
    ola = discord.people["Ola"]
    code = ola.authorize(str(discord.bot.id), ["identify"])
    refused = await ask(discord, "/oauth2/token", {}, data=form(discord, code, client_secret="guessed"))  # noqa: S106
    assert refused == (401, {"error": "invalid_client"})
    status, told = await ask(discord, "/oauth2/token", {}, data=form(discord, code))
    assert (status, told["scope"]) == (200, "identify")
    status, user = await ask(discord, "/users/@me", {"Authorization": f"Bearer {told['access_token']}"})
    assert (status, user["id"]) == (200, str(ola.id))
    assert await ask(discord, "/oauth2/token", {}, data=form(discord, code)) == (400, {"error": "invalid_grant"})
    late = ola.authorize(str(discord.bot.id), ["identify"])
    clock.time += 61
    assert await ask(discord, "/oauth2/token", {}, data=form(discord, late)) == (400, {"error": "invalid_grant"})
    assert (await ask(discord, "/users/@me", {"Authorization": "Bearer made-up"}))[0] == 401
    with pytest.raises(Impossible):
        ola.authorize("1", ["identify"])
    with pytest.raises(Impossible):
        ola.authorize(str(discord.bot.id), ["bot.of.everything"])


async def test_a_client_gets_a_token_of_its_owner_by_its_secret_alone(discord: Discord) -> None:
    own = {"grant_type": "client_credentials", "scope": "identify"}
    status, told = await ask(discord, "/oauth2/token", {}, data=form(discord, "", **own))
    assert (status, told["scope"]) == (200, "identify")
    status, user = await ask(discord, "/users/@me", {"Authorization": f"Bearer {told['access_token']}"})
    assert (status, user["id"]) == (200, str(discord.guild.owner_id))
    guessed = form(discord, "", client_secret="guessed", **own)  # noqa: S106
    assert await ask(discord, "/oauth2/token", {}, data=guessed) == (401, {"error": "invalid_client"})
    for scope in ("", "everything"):
        asked = form(discord, "", **own | {"scope": scope})
        assert await ask(discord, "/oauth2/token", {}, data=asked) == (400, {"error": "invalid_scope"})
    other = form(discord, "", grant_type="password")
    assert await ask(discord, "/oauth2/token", {}, data=other) == (400, {"error": "unsupported_grant_type"})
