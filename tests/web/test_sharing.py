"""Tokens and pictures for what the Activity shows others: for the session's own user, of games that they may see."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from loopback import Channel, Discord, Person
from tests.bot.room import Room
from tests.web.visit import Visit, with_client_secret

STATUS = ["identify", "rpc.activities.write"]


@pytest.fixture
def run_options(discord: Discord) -> dict[str, Any]:
    return with_client_secret(discord)


def code_of(discord: Discord, person: Person, scopes: list[str] | None = None) -> str:
    return person.authorize(str(discord.bot.id), scopes or ["identify"])


@pytest.fixture
async def token(discord: Discord, room: Room, thread: Channel, visit: Callable[..., Visit]) -> str:
    """The token of Ola's Activity in the channel of her game."""
    body = {"code": code_of(discord, room.ola), "instance": room.ola.launch(thread, "launch").id}
    status, told = await visit().post("/activity/enter", body)
    assert status == 200, told
    return str(told["token"])


async def test_the_users_own_client_gets_a_token_of_what_it_was_granted(
    discord: Discord, room: Room, token: str, visit: Callable[..., Visit]
) -> None:
    body = {"token": token, "match": "1", "code": code_of(discord, room.ola, STATUS)}
    status, told = await visit().post("/activity/status", body)
    assert (status, told["named"]) == (200, True)
    grant = discord.world.activities.granted(told["access"])
    assert grant is not None
    assert (grant.user, list(grant.scopes)) == (room.ola.id, STATUS)
    assert (await visit().post("/activity/status", body))[0] == 403  # the code is used up


async def test_a_picture_is_kept_at_discord(
    discord: Discord, room: Room, token: str, visit: Callable[..., Visit]
) -> None:
    body = {"token": token, "match": "1", "code": code_of(discord, room.ola)}
    status, told = await visit().post("/activity/picture", body)
    assert status == 200, told
    assert told["media"].startswith(f"{discord.address}cdn/ephemeral-attachments/{discord.bot.id}/")
    assert (await visit().headers(told["media"]))["Content-Type"] == "image/png"


@pytest.mark.parametrize("path", ["/activity/status", "/activity/picture"])
async def test_nobody_gets_a_token_of_another_user_or_for_a_game_of_others(
    discord: Discord, room: Room, token: str, visit: Callable[..., Visit], path: str
) -> None:
    await room.start_match()  # which Ola plays, too
    other = room.discord.invite("Zoë")
    refusals = {
        "a code of another user": {"token": token, "match": "1", "code": code_of(discord, other)},
        "no session": {"token": "made-up", "match": "1", "code": code_of(discord, room.ola)},
        "no such game": {"token": token, "match": "99", "code": code_of(discord, room.ola)},
        "no number": {"token": token, "match": "x", "code": code_of(discord, room.ola)},
        "no code": {"token": token, "match": "1"},
    }
    statuses = {why: (await visit().post(path, body))[0] for why, body in refusals.items()}
    assert statuses == {
        "a code of another user": 403,
        "no session": 401,
        "no such game": 404,
        "no number": 404,
        "no code": 400,
    }
    foreign = visit(origin="https://evil.example")
    body = {"token": token, "match": "1", "code": code_of(discord, room.ola)}
    assert (await foreign.post(path, body))[0] == 403


async def test_a_picture_that_discord_does_not_keep_is_told(
    discord: Discord, room: Room, token: str, visit: Callable[..., Visit], caplog: pytest.LogCaptureFixture
) -> None:
    discord.fault("POST", "/applications/{application_id}/attachment", 400, code=400001)
    body = {"token": token, "match": "1", "code": code_of(discord, room.ola)}
    status, told = await visit().post("/activity/picture", body)
    assert (status, told["line"]) == (403, "Discord didn't take the picture. Try again later.")
    assert "code 400001" in caplog.text
