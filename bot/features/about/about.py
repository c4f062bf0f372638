"""`/about`: what the bot is, how much is played on it, and the pages of its operator."""

from __future__ import annotations

from typing import Any, Final

import discord

from bot import __version__
from bot.interactions.commands import declare
from bot.interactions.context import Context
from bot.interactions.layout import Control, Part, rows
from bot.invitation import invite_url
from presentation.words.words import Words

LINK_ROW: Final = 2
"""Buttons with addresses in a row: their arrows make them wider than others, and a phone shows two whole."""


async def about(ctx: Context) -> None:
    await ctx.show(await _about_page(ctx))


async def _about_page(ctx: Context) -> list[Part]:
    words = await ctx.words()
    async with ctx.services.store.read() as reader:
        running = await reader.matches.count_open()
        finished = max(0, await reader.matches.count_begun() - running)
    lines = [
        f"### {words('about.title', version=__version__)}",
        words("about.text"),
        words("about.finished", count=finished, number=words.number(finished))
        + " "
        + words("about.running", count=running, number=words.number(running)),
        words("about.languages", languages=", ".join(ctx.services.languages.names.values())),
        words("about.more"),
        *([words("about.feedback")] if ctx.services.hosting.feedback else []),
        f"-# {words('about.licence')}",
    ]
    return ["\n".join(lines), *rows(_links(ctx, words), LINK_ROW)]


def _links(ctx: Context, words: Words) -> list[Control]:
    """Returns buttons to the pages that there are; an invitation first, for those who want the bot, too."""
    hosting = ctx.services.hosting
    pages = {
        "invite": invite_url(ctx.interaction.application_id) if hosting.can_invite else None,
        "support": hosting.support,
        "source": hosting.source,
        "terms": hosting.terms,
        "privacy": hosting.privacy,
    }
    offered = [(words(f"about.link.{name}"), address) for name, address in pages.items() if address]
    return [discord.ui.Button[Any](label=label, url=address) for label, address in offered]


COMMANDS = declare(about)
