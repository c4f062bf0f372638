"""What Discord has of the application: `kropka sync` tells it, and `kropka doctor` says what is still missing.

The developer portal has settings without which nobody, or only a team, can install Kropka, open its Activity, sign
in on its site or link an account.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import discord

from bot.invitation import ACCOUNT_SCOPES, INVITED, SERVER_SCOPES
from bot.services.discord_errors import ErrorCode
from presentation.words.words import SOURCE, Languages, Words
from web.access.links import LINKING, LINKING_RETURN, SIGN_IN_RETURN

if TYPE_CHECKING:
    from bot.settings import Hosting

RELEASED, EMBEDDED = 1 << 1, 1 << 17
"""Flags of an application: its Activity is open to everybody, and it has one.

Source: https://docs.discord.food/resources/application#application-flags
"""

INSTALLS: Final = {"0": "servers", "1": "accounts"}
"""To what an application can be added, by Discord's number (`integration_types_config`)."""

TAGS: Final = ("games", "board game", "strategy", "multiplayer", "dots")
"""What people search for: five of at most twenty characters, all that Discord takes."""


def missing_installs(application: dict[str, Any]) -> Iterator[str]:
    """Yields a sentence for each way to install the bot that Discord doesn't offer."""
    offered = application.get("integration_types_config") or {}
    for number, place in INSTALLS.items():
        if number not in offered:
            yield f"Discord doesn't let people add the bot to {place}; run `kropka sync`"


def missing_for_activity(application: dict[str, Any]) -> Iterator[str]:
    """Yields a sentence for each thing that keeps people from opening the Activity."""
    flags = int(application.get("flags") or 0)
    if not flags & EMBEDDED:
        yield "Activities are off; enable them in the portal under Activities, Settings, or remove KROPKA_CLIENT_SECRET"
    if not application.get("redirect_uris"):
        yield "there is no redirect; add https://127.0.0.1 in the portal under OAuth2"


def missing_for_links(application: dict[str, Any], site: str) -> Iterator[str]:
    """Yields a sentence for each thing that keeps people from linking their accounts for roles on a site."""
    yield from _missing_redirect(application, f"{site}{LINKING_RETURN}")
    if application.get("role_connections_verification_url") != f"{site}{LINKING}":
        yield "Discord doesn't know the page for it; run `kropka sync`"


def missing_for_sign_in(application: dict[str, Any], site: str) -> Iterator[str]:
    """Yields a sentence for what keeps people from signing in on a site with Discord."""
    yield from _missing_redirect(application, f"{site}{SIGN_IN_RETURN}")


def _missing_redirect(application: dict[str, Any], redirect: str) -> Iterator[str]:
    if redirect not in (application.get("redirect_uris") or ()):
        yield f"there is no redirect for it; add {redirect} in the portal under OAuth2"


def is_for_team_only(application: dict[str, Any]) -> bool:
    """Returns whether Discord opens the Activity to the application's team alone, and only in small servers."""
    return not (application.get("is_verified") and int(application.get("flags") or 0) & RELEASED)


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
