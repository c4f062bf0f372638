"""Pictures as files that Discord shows."""

from __future__ import annotations

from io import BytesIO

import discord

from presentation.match.crops import Drawing
from presentation.text import MAX_ALT


def drawing_file(drawing: Drawing, name: str) -> discord.File:
    """Returns a part of a board as a file to send."""
    return picture_file(drawing.png, name, drawing.alt)


def picture_file(png: bytes, name: str, alt: str) -> discord.File:
    """Returns the picture as a file to send. `alt` describes it to players who cannot see it."""
    return discord.File(BytesIO(png), f"{name}.png", description=alt[:MAX_ALT])
