"""Settings of the developer portal without which nobody, or only a team, can install Kropka, open its Activity, sign in
on its site or link an account."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from web import sign_in

RELEASED, EMBEDDED = 1 << 1, 1 << 17
"""Flags of an application: its Activity is open to everybody, and it has one.

Source: https://docs.discord.food/resources/application#application-flags
"""

INSTALLS: Final = {"0": "servers", "1": "accounts"}
"""To what an application can be added, by Discord's number (`integration_types_config`)."""


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
    yield from _missing_redirect(application, f"{site}{sign_in.LINKING_RETURN}")
    if application.get("role_connections_verification_url") != f"{site}{sign_in.LINKING}":
        yield "Discord doesn't know the page for it; run `kropka sync`"


def missing_for_sign_in(application: dict[str, Any], site: str) -> Iterator[str]:
    """Yields a sentence for what keeps people from signing in on a site with Discord."""
    yield from _missing_redirect(application, f"{site}{sign_in.SIGN_IN_RETURN}")


def _missing_redirect(application: dict[str, Any], redirect: str) -> Iterator[str]:
    if redirect not in (application.get("redirect_uris") or ()):
        yield f"there is no redirect for it; add {redirect} in the portal under OAuth2"


def is_for_team_only(application: dict[str, Any]) -> bool:
    """Returns whether Discord opens the Activity to the application's team alone, and only in small servers."""
    return not (application.get("is_verified") and int(application.get("flags") or 0) & RELEASED)
