"""What Discord shows of the application: `kropka sync` tells it, and `kropka doctor` says what is still missing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import discord

from bot.invitation import ACCOUNT_SCOPES, INVITED, SERVER_SCOPES
from bot.services.discord_errors import ErrorCode
from presentation.words.words import SOURCE, Languages, Words
from web.sign_in import LINKING

if TYPE_CHECKING:
    from bot.settings import Hosting

TAGS: Final = ("games", "board game", "strategy", "multiplayer", "dots")
"""What people search for: five of at most twenty characters, all that Discord takes."""


async def describe_application(client: discord.Client, languages: Languages, hosting: Hosting | None = None) -> bool:
    """Tells Discord what the application is, how it is installed in servers and to accounts, and where a site with
    `hosting` links accounts for roles.

    Returns whether the text is there in all languages, as in Discord's OpenAPI description. Its documentation and
    discord.py have plain text: if Discord takes nothing else, it gets the English one.

    Raises discord.HTTPException. If that was about the text, all the rest is told.
    """
    texts = {tag: _description(languages.of(tag)) for tag in languages.names}
    default = texts.pop(SOURCE)
    in_servers = {"scopes": SERVER_SCOPES, "permissions": INVITED.value}
    to_accounts = {"scopes": ACCOUNT_SCOPES, "permissions": 0}
    rest: dict[str, Any] = {
        "tags": TAGS,
        "install_params": in_servers,
        "integration_types_config": {
            "0": {"oauth2_install_params": in_servers},
            "1": {"oauth2_install_params": to_accounts},
        },
    }
    if hosting is not None and hosting.web and hosting.client_secret:
        rest["role_connections_verification_url"] = f"{hosting.web}{LINKING}"
    refused: list[discord.HTTPException] = []
    for text in ({"description": {"default": default, "localizations": texts}}, {"description": default}, {}):
        try:
            await client.http.edit_application_info(reason=None, payload=rest | text)
        except discord.HTTPException as error:
            if error.code != ErrorCode.INVALID_FORM:
                raise
            refused.append(error)
        else:
            break
    if len(refused) > 1:
        raise refused[0]
    return not refused


def _description(words: Words) -> str:
    return words("application.description")


def missing_for_discovery(application: dict[str, Any], hosting: Hosting, *, is_verified: bool) -> Iterator[str]:
    """Yields what keeps the application out of Discord's directory, each with the command or page that adds it.

    `is_verified` says whether Discord has verified the bot.

    Source: https://docs.discord.com/developers/discovery/enabling-discovery
    """
    is_installable = application.get("custom_install_url") or application.get("install_params")
    synced = {
        "a description": application.get("description"),
        "tags": application.get("tags"),
        "a way to install it": is_installable,
    }
    for name, there in synced.items():
        if not there:
            yield f"{name}: run `kropka sync`"
    pages = {
        "Terms of Service": (application.get("terms_of_service_url"), hosting.terms, "TERMS.md"),
        "Privacy Policy": (application.get("privacy_policy_url"), hosting.privacy, "PRIVACY.md"),
    }
    for name, (there, page, file) in pages.items():
        if not there:
            yield f"{name}: in the portal, General Information > {name} URL, enter {page or f'the address of {file}'}"
    if not application.get("bot_public"):
        yield "a public bot: in the portal, Bot > Public Bot"
    if application.get("team") is None:
        yield "a team whose members use two-factor authentication: in the portal, Teams, then transfer the application"
    if not is_verified:
        yield "verification: in the portal, App Verification"
    if application.get("guild_id") is None:
        yield "a support server and languages: in the portal, Discovery > Discovery Settings"
