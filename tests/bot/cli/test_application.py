"""The description of the application by `kropka sync`, and what Discord's directory then still lacks."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import discord as library
import pytest

from bot.cli.application import TAGS, describe_application, missing_for_discovery
from bot.client import use_stand_in
from bot.invitation import INVITED
from bot.markup import spoken
from bot.settings import Hosting
from loopback import TOKEN, Discord

MAX_DESCRIPTION, MAX_TAG, MAX_TAGS = 400, 20, 5
"""Discord's limits."""


@pytest.fixture
async def client(discord: Discord) -> AsyncIterator[library.Client]:
    async with library.Client(intents=library.Intents.none()) as client:
        await client.login(TOKEN)
        yield client


async def missing(client: library.Client, hosting: Hosting = Hosting()) -> str:  # noqa: B008 - it is frozen
    application: dict[str, Any] = dict(await client.http.application_info())
    return "\n".join(missing_for_discovery(application, hosting, is_verified=False))


async def test_discord_is_told_what_the_application_is_and_how_it_is_installed(client: library.Client) -> None:
    await describe_application(client, spoken())
    info = await client.application_info()
    assert info.description == spoken().of()("application.description")
    assert info.tags == list(TAGS)
    assert info.install_params is not None
    assert info.install_params.permissions == INVITED
    assert info.guild_integration_config is not None
    assert info.user_integration_config is not None
    account = info.user_integration_config.oauth2_install_params
    assert account is not None
    assert account.scopes == ["applications.commands"]


@pytest.fixture
async def outspoken(discord: Discord) -> AsyncIterator[tuple[Discord, library.Client]]:
    """A stand-in, beside the usual one, that takes plain text as well, which Discord's OpenAPI description lacks."""
    async with Discord() as other:
        use_stand_in(other.address)
        async with library.Client(intents=library.Intents.none()) as client:
            await client.login(TOKEN)
            yield other, client


async def test_a_description_that_is_refused_by_language_is_told_in_plain_text(
    outspoken: tuple[Discord, library.Client],
) -> None:
    discord, client = outspoken
    discord.fault("PATCH", "/applications/@me", 400, code=50035)
    assert not await describe_application(client, spoken())
    info = await client.application_info()
    assert info.description == spoken().of()("application.description")
    assert info.tags == list(TAGS)
    assert info.install_params is not None


async def test_tags_and_install_settings_are_told_without_a_description_that_is_refused(
    outspoken: tuple[Discord, library.Client],
) -> None:
    discord, client = outspoken
    discord.fault("PATCH", "/applications/@me", 400, code=50035, times=2)
    with pytest.raises(library.HTTPException, match="50035"):
        await describe_application(client, spoken())
    info = await client.application_info()
    assert info.description != spoken().of()("application.description")
    assert info.tags == list(TAGS)
    assert info.install_params is not None


async def test_a_refusal_of_something_else_is_told_at_once(outspoken: tuple[Discord, library.Client]) -> None:
    discord, client = outspoken
    discord.fault("PATCH", "/applications/@me", 403, code=50001)
    with pytest.raises(library.Forbidden):
        await describe_application(client, spoken())


def test_tags_are_such_as_discord_takes() -> None:
    assert len(set(TAGS)) == len(TAGS) <= MAX_TAGS
    assert all(1 <= len(tag) <= MAX_TAG for tag in TAGS)


@pytest.mark.parametrize("language", list(spoken().names))
def test_the_description_fits_in_every_language(language: str) -> None:
    assert 50 <= len(spoken().of(language)("application.description")) <= MAX_DESCRIPTION


async def test_what_a_sync_adds_is_missing_only_before_it(client: library.Client) -> None:
    assert "tags: run `kropka sync`" in await missing(client)
    await describe_application(client, spoken())
    assert "kropka sync" not in await missing(client)


async def test_what_only_the_portal_can_set_is_named_with_its_place(client: library.Client) -> None:
    said = await missing(client, Hosting(terms="https://example.org/terms"))
    assert "General Information > Terms of Service URL, enter https://example.org/terms" in said
    assert "General Information > Privacy Policy URL, enter the address of PRIVACY.md" in said
    assert "Bot > Public Bot" in said
    assert "App Verification" in said


async def test_with_all_of_it_verification_alone_is_missing(discord: Discord, client: library.Client) -> None:
    await describe_application(client, spoken())
    team: dict[str, Any] = {"id": "1", "icon": None, "name": "x", "owner_user_id": "1", "members": []}
    discord.world.described |= {
        "terms_of_service_url": "https://example.org/terms",
        "privacy_policy_url": "https://example.org/privacy",
        "bot_public": True,
        "guild_id": str(discord.guild.id),
        "team": team,
    }
    assert await missing(client) == "verification: in the portal, App Verification"
