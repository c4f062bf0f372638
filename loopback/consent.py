"""Discord's question whether a person allows the application something: a page, and where its answer leads to.

Source: https://discord.com/developers/docs/topics/oauth2#authorization-code-grant
"""

import html
from collections.abc import Iterable

from yarl import URL

FIELDS = ("client_id", "redirect_uri", "response_type", "scope", "state")

PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Authorize</title>
<link rel="stylesheet" href="/page/consent.css">
<main><h1>Kropka wants to</h1><ul>{scopes}</ul><p>Who are you?</p>{people}
<p><a href="{cancel}">Cancel</a></p></main>
</html>
"""


def consent_of(address: str) -> dict[str, str]:
    """Returns what an application asks for at an address; ValueError if a field is missing."""
    asked = {name: URL(address).query.get(name, "") for name in FIELDS}
    if not all(asked.values()) or asked["response_type"] != "code":
        raise ValueError(f"a question without one of {FIELDS}, or for no code")
    return asked


def consent_page(asked: dict[str, str], people: Iterable[tuple[str, str]], cancel: str) -> str:
    """Returns the page: `people` are names, and the addresses at which they allow it."""
    scopes = "".join(f"<li>{html.escape(scope)}</li>" for scope in asked["scope"].split())
    links = "".join(f'<p><a href="{html.escape(to)}">{html.escape(name)}</a></p>' for name, to in people)
    return PAGE.format(scopes=scopes, people=links, cancel=html.escape(cancel))
