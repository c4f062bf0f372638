"""What a challenge offers where nobody says otherwise."""

from __future__ import annotations

from dataclasses import replace

from bot.interactions import permissions
from bot.interactions.context import Context
from play.challenge.terms import Terms
from play.clock import parse_control
from rules.registry import DEFAULT, configured

FIRST = Terms(configured(DEFAULT, {"size": "20x20"}), parse_control("3d"))
"""What friends want for a first game: a field that a phone shows well, a fight from the first move, time to answer."""


async def default_terms(ctx: Context) -> Terms:
    """What the person's challenges offer by his own settings, else by those of the server."""
    async with ctx.services.store.read() as reader:
        person = await reader.people.get(ctx.user)
    server = await permissions.server_settings(ctx)
    return person.terms or server.terms or replace(FIRST, rated=server.rated)
