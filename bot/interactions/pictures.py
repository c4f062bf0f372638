"""Pictures as files that Discord shows."""

from __future__ import annotations

from io import BytesIO

import discord

MAX_ALT = 1024
"""Characters of the description of a picture; Discord's limit."""


def picture_file(png: bytes, name: str, alt: str) -> discord.File:
    """Returns the picture as a file to send. `alt` describes it to players who cannot see it."""
    return discord.File(BytesIO(png), f"{name}.png", description=alt[:MAX_ALT])
