"""Buttons that lead from an answer to the same thing on the web."""

from __future__ import annotations

from collections.abc import Callable

import discord

from bot.interactions import permissions
from bot.interactions.context import Context
from bot.interactions.layout import Control
from bot.services.web_links import WebLinks
from play.people.settings import ServerSettings
from presentation.words.words import Words
from web.access.paths import Paths


async def page_links(ctx: Context, words: Words, path: Callable[[Paths], str]) -> list[Control]:
    """Returns the button to a page of this server; none where it has no pages."""
    links = ctx.services.web_links
    if links is None or permissions.installed_guild(ctx) is None:
        return []
    return links_of(links, await permissions.server_settings(ctx), words, path)


def links_of(
    links: WebLinks | None, server: ServerSettings, words: Words, path: Callable[[Paths], str]
) -> list[Control]:
    """Returns the button to a page of a server, as for an answer; none where it has no pages."""
    if links is None or not server.pages:
        return []
    return [discord.ui.Button(label=words("button.web.place"), url=links.place(path))]
