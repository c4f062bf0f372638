"""The words of `kropka doctor` about the bot's account on Matrix."""

from __future__ import annotations

from collections.abc import AsyncIterator

import aiohttp
import pytest
from aiohttp import web

from bot.cli.findings import Answer, CannotAsk, CannotTell, Mark
from bot.cli.matrix_checks import MatrixChecks
from bot.settings import Settings

TOKEN = "syt_secret_token"  # noqa: S105 - of nobody


@pytest.fixture
async def homeserver() -> AsyncIterator[str]:
    """A homeserver that knows one token, at whose address without that another program answers."""

    async def who(request: web.Request) -> web.Response:
        if request.headers["Authorization"] != f"Bearer {TOKEN}":
            return web.json_response({"errcode": "M_UNKNOWN_TOKEN", "error": "Unknown"}, status=401)
        return web.json_response({"user_id": "@kropka:matrix.example"})

    app = web.Application()
    app.router.add_get("/_matrix/client/v3/account/whoami", who)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    await runner.cleanup()


async def examine(**settings: str) -> list[Answer]:
    async with aiohttp.ClientSession() as session:
        (check,) = MatrixChecks(Settings.model_validate(settings), session).checks()
        return [answer async for answer in check.look()]


async def test_the_account_of_a_known_token_is_named(homeserver: str) -> None:
    (answer,) = await examine(matrix_homeserver=homeserver, matrix_token=TOKEN)
    assert (answer.mark, "@kropka:matrix.example" in answer.sentence) == (Mark.GOOD, True)


async def test_an_unknown_token_is_bad_and_is_not_shown(homeserver: str) -> None:
    (answer,) = await examine(matrix_homeserver=homeserver, matrix_token="syt_other")  # noqa: S106 - of nobody
    assert (answer.mark, "KROPKA_MATRIX_TOKEN" in answer.sentence, "syt" in answer.sentence) == (Mark.BAD, True, False)


async def test_an_address_where_nothing_answers_is_told() -> None:
    with pytest.raises(CannotTell, match="KROPKA_MATRIX_HOMESERVER"):
        await examine(matrix_homeserver="http://127.0.0.1:9", matrix_token=TOKEN)


async def test_who_is_not_on_matrix_is_asked_nothing() -> None:
    with pytest.raises(CannotAsk):
        await examine(matrix_token=TOKEN)
