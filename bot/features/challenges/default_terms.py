"""What a challenge offers where nobody says otherwise."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bot.interactions import permissions
from play.challenge.terms import Terms
from play.clock import parse_control
from play.ids import UserId
from rules.registry import DEFAULT, configured

if TYPE_CHECKING:
    from bot.client import Interaction

FIRST = Terms(configured(DEFAULT, {"size": "20x20"}), parse_control("3d"))
"""What friends want for a first game: a field that a phone shows well, a fight from the first move, time to answer."""


async def usual(interaction: Interaction) -> Terms:
    """What the person's challenges offer by his own settings, else by those of the server."""
    async with interaction.client.store.read() as reader:
        person = await reader.people.get(UserId(interaction.user.id))
    server = await permissions.server(interaction)
    return person.terms or server.terms or replace(FIRST, rated=server.rated)
