"""The layout of private panels (Components V2): texts, pictures and rows of buttons."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import discord

from bot.services.text_limits import MAX_PANEL_TEXT, fit

MAX_COMPONENTS = 40
"""Components that a message may have, nested ones counted; Discord's limit."""

MAX_ROW, PHONE_ROW = 5, 3
"""Buttons in a row: Discord's limit, and as many labelled ones as a phone shows whole."""

Control = discord.ui.DynamicItem[Any] | discord.ui.Button[Any]


@dataclass(frozen=True, slots=True)
class Gallery:
    """Pictures beside each other."""

    pictures: tuple[discord.File, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """A text with a button beside it."""

    text: str
    control: Control


Part = str | Section | discord.File | discord.MediaGalleryItem | Gallery | discord.ui.File[Any] | Sequence[Control]
"""A text, one with a button, a picture or several, also one that the message has already, a file of the message to
save, or a row of buttons."""


def layout(parts: Iterable[Part]) -> discord.ui.LayoutView:
    """Returns the parts from top to bottom, as a view that is only sent: discord.py keeps nothing of it in memory."""
    view, left = discord.ui.LayoutView(timeout=None), MAX_PANEL_TEXT
    for part in parts:
        if isinstance(part, str):
            if left <= 1:
                continue
            part = fit(part, left)
            left -= len(part)
        elif isinstance(part, Section):
            if left <= 1:
                continue
            part = Section(fit(part.text, left), part.control)
            left -= len(part.text)
        view.add_item(_item(part))
    view.stop()
    return view


def text_length(parts: Iterable[Part]) -> int:
    """Returns the characters of all texts, which count towards MAX_PANEL_TEXT."""
    texts = (part.text if isinstance(part, Section) else part for part in parts)
    return sum(len(text) for text in texts if isinstance(text, str))


def files(parts: Iterable[Part]) -> list[discord.File]:
    """Returns the pictures of the parts, which are uploaded beside the layout."""
    found: list[discord.File] = []
    for part in parts:
        if isinstance(part, discord.File):
            found.append(part)
        elif isinstance(part, Gallery):
            found += part.pictures
    return found


def rows(controls: Sequence[Control], widest: int = MAX_ROW) -> list[Sequence[Control]]:
    """Returns the controls in as few rows as hold them."""
    return [controls[start : start + widest] for start in range(0, len(controls), widest)]


def _item(part: Part) -> discord.ui.Item[Any]:
    if isinstance(part, str):
        return discord.ui.TextDisplay(part)
    if isinstance(part, Section):
        return discord.ui.Section(part.text, accessory=part.control)
    if isinstance(part, discord.File):
        return discord.ui.MediaGallery(discord.MediaGalleryItem(part))
    if isinstance(part, discord.MediaGalleryItem):
        return discord.ui.MediaGallery(part)
    if isinstance(part, discord.ui.File):
        return part
    if isinstance(part, Gallery):
        return discord.ui.MediaGallery(*map(discord.MediaGalleryItem, part.pictures))
    return discord.ui.ActionRow(*part)
