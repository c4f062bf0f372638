"""Pictures as files that Discord shows."""

from __future__ import annotations

from io import BytesIO
from pathlib import PurePosixPath
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import discord

from presentation.match.crops import Drawing
from presentation.text import MAX_ALT


class StoredFile(NamedTuple):
    """A file that a message has, and that stays there where an edit names it."""

    id: int
    filename: str

    def to_dict(self) -> dict[str, Any]:
        """Returns what discord.py sends of a file that stays."""
        return {"id": str(self.id)}


def stored_files(message: discord.Message) -> list[StoredFile]:
    """Returns the files of a message, which Discord lists in two places: those that its components show, and the
    others."""
    listed = [StoredFile(each.id, each.filename) for each in message.attachments]
    galleries = (each for each in message.components if isinstance(each, discord.MediaGalleryComponent))
    shown = [item.media for gallery in galleries for item in gallery.items]
    shown += (each.media for each in message.components if isinstance(each, discord.FileComponent))
    return listed + [
        StoredFile(each.attachment_id, PurePosixPath(urlsplit(each.url).path).name)
        for each in shown
        if each.attachment_id is not None
    ]


def drawing_file(drawing: Drawing, name: str) -> discord.File:
    """Returns a part of a board as a file to send."""
    return picture_file(drawing.png, name, drawing.alt)


def picture_file(png: bytes, name: str, alt: str) -> discord.File:
    """Returns the picture as a file to send. `alt` describes it to players who cannot see it."""
    return discord.File(BytesIO(png), f"{name}.png", description=alt[:MAX_ALT])
