"""How high a private panel is on a phone, where its picture has to be seen together with its buttons.

A picture that leaves them no room gets paper on both sides: messages scale pictures to their width, so a wider one is
lower. The sizes are those of Discord's client, which the chat page has too, in a window of 390x700.
"""

import asyncio
import re
from collections.abc import Iterable, Mapping, Sequence
from io import BytesIO
from typing import Any, Final

import discord
from discord import ComponentType

from bot.interactions.layout import MAX_ROW, Part, layout
from renderer.paper import widen
from renderer.pen import Weight, font

WIDTH, HEIGHT = 318, 490
"""Pixels that the parts of a panel have in the window: it also shows the channel's name, the bot's, the line below the
panel that says who sees it, and the field for messages."""

MIN_PICTURE = 150
"""Pixels. A lower picture of a 9x9 board is hard to read. Where texts above it leave no room for that, they are read
first, and then the picture is seen with what is below it."""

GAP: Final = 8
BUTTON, SELECT, FILE = 40, 44, 68
"""Heights in pixels."""

LETTERS: Final = {"#": (20, 30), "-# ": (13, 18), "": (16, 22)}
"""The size of letters and the height of a line in pixels, by the beginning of the line."""

SPREAD = 1.12
"""Other typefaces are wider than Inter by so much."""

LABEL, LABEL_MARGIN, MIN_BUTTON, MAX_PAD = 14, 32, 56, 60
"""The size of a label, what a button has on both sides of it, the least width of a button, and the greatest of five
that keep to one row, in pixels."""

_SHOWN = re.compile(r"\[([^\]]*)\]\([^)]*\)|</([^:>]+):\d+>|(<t:\d+(?::[a-zA-Z])?>)|<@&?\d+>|\*\*|__|`")
_MOMENT = "in 12 days"


async def fit_to_phone(parts: Sequence[Part]) -> Sequence[Part]:
    """Returns the parts, whose only picture is low enough to be seen with what is below it, and if that leaves it
    MIN_PICTURE also with what is above it. Several pictures are read one after the other, and stay as they are."""
    if sum(isinstance(part, discord.File) for part in parts) != 1:
        return parts
    return await asyncio.to_thread(fitted, parts)


def fitted(parts: Sequence[Part]) -> Sequence[Part]:
    """Returns parts with one picture, as `fit_to_phone` does. Takes 10 to 30 ms if it has to be widened."""
    place = next(place for place, part in enumerate(parts) if isinstance(part, discord.File))
    rest, below = (
        HEIGHT - GAP - panel_height(layout(each).to_components())  # type: ignore[no-untyped-call]
        for each in ([*parts[:place], *parts[place + 1 :]], parts[place + 1 :])
    )
    room = max(rest, min(MIN_PICTURE, below))
    return [_lowered(part, WIDTH / room) if isinstance(part, discord.File) else part for part in parts]


def _lowered(file: discord.File, proportion: float) -> discord.File:
    """Returns a picture that is as wide in parts of its height as the `proportion` says, or wider."""
    drawn = widen(file.fp.read(), proportion)
    return discord.File(BytesIO(drawn), file.filename, description=file.description)


def panel_height(components: Iterable[Mapping[str, Any]]) -> int:
    """Returns the pixels of a panel's components but for its pictures, which Discord's API describes."""
    heights = [height for height in map(_height, components) if height]
    return sum(heights) + GAP * max(0, len(heights) - 1)


def _height(part: Mapping[str, Any]) -> int:
    kind = part["type"]
    if kind == ComponentType.text_display.value:
        return _text_height(part["content"], WIDTH)
    if kind == ComponentType.section.value:
        room = WIDTH - GAP - _button_width(part["accessory"])
        return max(BUTTON, sum(_text_height(each["content"], room) for each in part["components"]))
    if kind == ComponentType.action_row.value:
        return _row_height(part["components"])
    return FILE if kind == ComponentType.file.value else 0


def _text_height(text: str, room: float) -> int:
    return sum(_line_height(line, room) for line in text.split("\n"))


def _line_height(line: str, room: float) -> int:
    """Returns the pixels of a line that is wrapped to a width."""
    begin = next(begin for begin in LETTERS if line.startswith(begin))
    size, height = LETTERS[begin]
    seen = _SHOWN.sub(lambda found: found[1] or found[2] or (_MOMENT if found[3] else ""), line)
    lines, left = 1, room
    for word in seen.removeprefix(begin).split(" "):
        width = SPREAD * font(Weight.MEDIUM, size).getlength(f"{word} ")
        if width > left:
            lines, left = lines + 1, room
        left -= width
    return height * lines


def _row_height(controls: Sequence[Mapping[str, Any]]) -> int:
    """Returns the pixels of a select, or of a row of buttons: those that are too wide for one row are wrapped."""
    if controls[0]["type"] != ComponentType.button.value:
        return SELECT
    widths = [_button_width(control) for control in controls]
    if len(widths) == MAX_ROW and max(widths) <= MAX_PAD:
        return BUTTON
    lines, left = 1, float(WIDTH + GAP)
    for width in widths:
        if width + GAP > left:
            lines, left = lines + 1, float(WIDTH + GAP)
        left -= width + GAP
    return lines * (BUTTON + GAP) - GAP


def _button_width(control: Mapping[str, Any]) -> float:
    label, emoji = control.get("label") or "", bool(control.get("emoji"))
    letters = SPREAD * font(Weight.MEDIUM, LABEL).getlength(label) + emoji * (LABEL + GAP * bool(label))
    return max(MIN_BUTTON, letters + LABEL_MARGIN)
