"""What messages and private panels (Components V2) are made of: texts, pictures, rows of buttons, and selects.

Buttons and selects outlive the process: all they know is in their options and their custom id, and every click is
judged anew.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import PurePosixPath
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import discord

from bot.interactions import custom_ids as ids
from bot.services.messages import MAX_PANEL_TEXT, fit
from presentation.match.crops import Drawing, Sign
from presentation.text import MAX_ALT

MAX_COMPONENTS = 40
"""Components that a message may have, nested ones counted; Discord's limit."""

MAX_ROW, PHONE_ROW = 5, 3
"""Buttons in a row: Discord's limit, and as many labelled ones as a phone shows whole."""

Control = discord.ui.DynamicItem[Any] | discord.ui.Button[Any]

MAX_OPTION, MAX_HINT = 100, 150
"""Characters; Discord's limits for an option and for the placeholder of a select."""

Select = discord.ui.Select[discord.ui.LayoutView]

MAX_LABEL = 80
"""Characters of a button's label; Discord's limit."""

COLOUR_STYLES = {
    "red": discord.ButtonStyle.danger,
    "crimson": discord.ButtonStyle.danger,
    "orange": discord.ButtonStyle.danger,
    "pink": discord.ButtonStyle.danger,
    "blue": discord.ButtonStyle.primary,
    "green": discord.ButtonStyle.success,
}
"""The style of Discord's buttons that is nearest to a colour of dots; the others are grey."""


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


class Choice(NamedTuple):
    """What may be chosen: its `value`, how it is called, whether it is what holds now, and a line below it."""

    value: str
    label: str
    chosen: bool
    note: str = ""


def select(custom_id: str, hint: str, choices: Iterable[Choice], *, several: bool = False) -> Select:
    """A select of one of the choices or, `several`, of any number of them. The `hint` shows while none is chosen."""
    options = [
        discord.SelectOption(
            label=choice.label[:MAX_OPTION],
            value=choice.value,
            description=choice.note[:MAX_OPTION] or None,
            default=choice.chosen,
        )
        for choice in choices
    ]
    least, most = (0, len(options)) if several else (1, 1)
    return discord.ui.Select(
        custom_id=custom_id, placeholder=hint[:MAX_HINT] or None, min_values=least, max_values=most, options=options
    )


def button(
    custom_id: str,
    label: str,
    style: discord.ButtonStyle = discord.ButtonStyle.secondary,
    emoji: str | None = None,
    *,
    disabled: bool = False,
    row: int | None = None,
) -> discord.ui.Button[Any]:
    """Returns a button; the feature to which its id belongs answers it, if any does."""
    shown = label[:MAX_LABEL]
    return discord.ui.Button(custom_id=custom_id, label=shown, style=style, emoji=emoji, disabled=disabled, row=row)


def link_button(label: str, url: str) -> discord.ui.Button[Any]:
    """Returns a button that leads to an address; no press of it reaches the bot."""
    return discord.ui.Button(label=label[:MAX_LABEL], url=url)


def occupied_pad(number: int, sign: Sign | None) -> discord.ui.Button[Any]:
    """Returns a crossing of a keypad that cannot be chosen: it keeps the others in their places, and looks like the dot
    on it."""
    style = COLOUR_STYLES.get(sign.colour if sign else "", discord.ButtonStyle.secondary)
    return button(ids.TAKEN(number=number), sign.shape if sign else "·", style, disabled=True)


def row(*buttons: discord.ui.DynamicItem[Any] | discord.ui.Button[Any]) -> discord.ui.View:
    """Returns a view that is only sent: discord.py keeps nothing of it in memory, the templates answer the clicks."""
    view = discord.ui.View(timeout=None)
    for button in buttons:
        view.add_item(button)
    view.stop()
    return view


def without(message: discord.Message, custom_id: str) -> discord.ui.View | None:
    """Returns the buttons of a message but for one, in as few rows as hold them; None if no other is left."""
    view = discord.ui.View(timeout=None)
    for item in discord.ui.View.from_message(message).children:
        if getattr(item, "custom_id", None) != custom_id:
            item.row = None
            view.add_item(item)
    view.stop()
    return view if view.children else None
