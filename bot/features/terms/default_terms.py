"""The terms that a challenge offers where its command names no others."""

from __future__ import annotations

from dataclasses import replace

from bot.interactions import permissions
from bot.interactions.context import Context
from play.challenge.terms import USUAL_CONTROL, Terms
from play.people.settings import ServerSettings
from rules.registry import DEFAULT, make_game

FIRST_TERMS = Terms(make_game(DEFAULT, {"size": "20x20"}), USUAL_CONTROL)
"""For a first game between friends: a board that a phone shows well, a fight from the first move, time to answer."""


async def default_terms(ctx: Context) -> Terms:
    """Returns the terms of the player's settings, else those of the server's, else the first ones."""
    player, server = await ctx.settings(), await permissions.server_settings(ctx)
    return player.terms or server_terms(server)


def server_terms(server: ServerSettings) -> Terms:
    """Returns the terms that a server offers: its own, else the first ones, rated if games are by default there."""
    return server.terms or replace(FIRST_TERMS, rated=server.rated)
