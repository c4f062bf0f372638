"""The page on which a person allows an application something: for the owner of the try-out alone."""

from __future__ import annotations

import aiohttp
import pytest
import yarl

from loopback import Discord


def question(discord: Discord, **changes: str) -> str:
    """Returns the address of a question."""
    asked = {
        "client_id": str(discord.bot.id),
        "response_type": "code",
        "redirect_uri": f"{discord.address}linked-roles/return",
        "scope": "identify role_connections.write",
        "state": "x&y",
    }
    return str(yarl.URL(discord.address) / "oauth2/authorize" % {**asked, **changes})


async def test_the_page_names_what_is_asked_and_who_may_answer(discord: Discord, owner: aiohttp.ClientSession) -> None:
    async with owner.get(question(discord)) as answer:
        page = await answer.text()
    assert answer.status == 200
    assert "<li>role_connections.write</li>" in page
    assert "Максим" in page


async def test_an_answer_leads_back_with_the_state_and_a_code_for_that_address(
    discord: Discord, owner: aiohttp.ClientSession
) -> None:
    ola = discord.people["Ola"]
    asked = yarl.URL(question(discord)).update_query(answer=str(ola.id))
    async with owner.get(asked, allow_redirects=False) as answer:
        back = yarl.URL(answer.headers["Location"])
    assert (back.path, back.query["state"]) == ("/linked-roles/return", "x&y")
    assert discord.world.activities.exchange(back.query["code"]) is None
    assert discord.world.activities.exchange(back.query["code"], f"{discord.address}linked-roles/return") is None


async def test_who_cancels_comes_back_without_a_code(discord: Discord, owner: aiohttp.ClientSession) -> None:
    asked = yarl.URL(question(discord)).update_query(answer="none")
    async with owner.get(asked, allow_redirects=False) as answer:
        back = yarl.URL(answer.headers["Location"])
    assert dict(back.query) == {"error": "access_denied", "state": "x&y"}


@pytest.mark.parametrize(
    "changes",
    [{"redirect_uri": "https://example.org/x"}, {"client_id": "5"}, {"response_type": "token"}, {"state": ""}],
    ids=["another site", "another application", "a token", "no state"],
)
async def test_a_question_that_discord_would_not_ask_is_refused(
    discord: Discord, owner: aiohttp.ClientSession, changes: dict[str, str]
) -> None:
    async with owner.get(question(discord, **changes), allow_redirects=False) as answer:
        assert answer.status == 400


async def test_nobody_but_the_owner_answers(discord: Discord) -> None:
    async with aiohttp.ClientSession() as stranger, stranger.get(question(discord)) as answer:
        assert answer.status == 403
