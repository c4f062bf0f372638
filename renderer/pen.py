"""The forms and letters that a pen draws: dots of every shape, strokes, lines, and the bundled Inter."""

from __future__ import annotations

import unicodedata
from enum import Enum
from functools import lru_cache
from io import BytesIO
from math import hypot
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image, ImageFont
from PIL.ImageDraw import Draw

from renderer.theme import Shape

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw

    from renderer.theme import Colour, Theme

Place = tuple[float, float]
"""Pixels from the top left."""

TRIANGLE = ((0.0, -1.12), (1.08, 0.78), (-1.08, 0.78))
DIAMOND = ((0.0, -1.18), (1.18, 0.0), (0.0, 1.18), (-1.18, 0.0))
CROWN = ((-1.1, -0.55), (-0.5, 0.05), (0, -0.9), (0.5, 0.05), (1.1, -0.55), (0.85, 0.8), (-0.85, 0.8))
RING = (0.78, 0.58)
"""The outer and the inner radius of the lighter ring in a dot, in parts of its radius."""
OPEN = 0.58
CORE = 0.40
BAR = (0.62, 0.17)
SQUARE = 0.9

COVERED = (
    "0020-007E 00A0-00AC 00AE-0148 014A-01C3 01C5-0254 0256-027B 027E-0284 0286-0290 0292-02A4 02A6-02AF 02BB-02BC "
    "0386 0388-038A 038C 038E-03A1 03A3-03CE "  # Greek
    "0400-0479 0480-0482 048A-049D 04A0-04FF 052F "  # Cyrillic
    "1E00-1E9B 1E9D-1EFF "  # Latin with two accents, as in Vietnamese
    "2010-2015 2018-201E 2022 2026 2116 2190-2193 2212"  # punctuation and arrows
)
"""The characters in fonts/, as hexadecimal ranges; fonts/README.md tells how the files are made from them.

These are the letters of Latin and Cyrillic that Inter has. Of Cyrillic it lacks some of U+0500 to U+052F (Komi, Abkhaz
and others) and six historical letters. Combining marks are left out: with the basic layout they'd stand beside."""

_FOLDER = Path(__file__).parent / "fonts"
_SMALL_CAPITALS = str.maketrans("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢ", "ABCDEFGHIJKLMNOPQRSTUVWYZ")
"""Letters that names are styled with, and that compatibility normalization leaves alone."""

_NAME_CATEGORIES = ("L", "N")
"""The Unicode categories that a name cannot lose: letters and digits."""


def dot(draw: ImageDraw, shape: Shape, place: Place, radius: float, ink: Colour, light: Colour) -> None:
    """Draws a dot; `light` is the colour of the parts that its shape leaves open."""
    outline(draw, shape, place, radius, ink)
    if shape is Shape.RING:
        disc(draw, place, RING[0] * radius, light)
        disc(draw, place, RING[1] * radius, ink)
    elif shape is Shape.CORE:
        disc(draw, place, CORE * radius, light)
    elif shape is Shape.OPEN:
        disc(draw, place, OPEN * radius, light)
    elif shape is Shape.BAR:
        box(draw, place, BAR[0] * radius, BAR[1] * radius, BAR[1] * radius, light)


def outline(draw: ImageDraw, shape: Shape, place: Place, radius: float, ink: Colour) -> None:
    """Draws a dot's outer form alone, filled."""
    if shape is Shape.SQUARE:
        box(draw, place, SQUARE * radius, SQUARE * radius, 0.2 * radius, ink)
    elif shape is Shape.TRIANGLE:
        polygon(draw, TRIANGLE, place, radius, ink)
    elif shape is Shape.DIAMOND:
        polygon(draw, DIAMOND, place, radius, ink)
    else:
        disc(draw, place, radius, ink)


def disc(draw: ImageDraw, place: Place, radius: float, ink: Colour) -> None:
    x, y = place
    draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=ink)


def box(draw: ImageDraw, place: Place, across: float, up: float, corner: float, ink: Colour) -> None:
    """Draws a rectangle with round corners, `across` and `up` from its middle."""
    x, y = place
    draw.rounded_rectangle((x - across, y - up, x + across, y + up), corner, ink)


def polygon(draw: ImageDraw, corners: tuple[Place, ...], place: Place, radius: float, ink: Colour) -> None:
    draw.polygon([(place[0] + x * radius, place[1] + y * radius) for x, y in corners], fill=ink)


def stroke(draw: ImageDraw, start: Place, end: Place, width: float, ink: Colour) -> None:
    """Draws a straight stroke, as a polygon: `ImageDraw.line` puts half a pixel more on one side."""
    (x, y), (u, v) = start, end
    reach = (width / 2 - 0.5) / hypot(u - x, v - y)
    dx, dy = (v - y) * reach, (x - u) * reach
    draw.polygon([(x + dx, y + dy), (u + dx, v + dy), (u - dx, v - dy), (x - dx, y - dy)], fill=ink)


@lru_cache(maxsize=16)
def hatch(side: int, waves: tuple[int, int]) -> Image.Image:
    """Returns a mask of the lines on which `waves` times the place (in cells) is half of an odd number."""
    mask = Image.new("L", (side, side), 0)
    draw = Draw(mask)
    a, b = waves
    for k in range(min(0, a) + min(0, b), max(0, a) + max(0, b)):
        foot = (k + 0.5) / (a * a + b * b)
        ends = [((foot * a + t * b) * side, (foot * b - t * a) * side) for t in (-1, 1)]
        draw.line([(x - 0.5, y - 0.5) for x, y in ends], fill=255, width=round(side / 18))
    return mask


_LETTERS = frozenset(
    chr(code)
    for low, _, high in (part.partition("-") for part in COVERED.split())
    for code in range(int(low, 16), int(high or low, 16) + 1)
)


class Weight(Enum):
    """The weights of Inter that are bundled."""

    MEDIUM = "Inter-Medium.ttf"
    BOLD = "Inter-Bold.ttf"


def covers(text: str) -> bool:
    """Returns whether every character of `text` can be written."""
    return _LETTERS.issuperset(text)


def legible(text: str, fallback: str) -> str:
    """Returns the part of `text` that the font covers, without ornaments and emoji, with styled letters made plain.

    If a letter is missing in the font, returns that part of `fallback` instead.
    """
    plain = _plain(text)
    if any(not covers(sign) and unicodedata.category(sign)[0] in _NAME_CATEGORIES for sign in plain):
        return _only_covered(_plain(fallback))
    return _only_covered(plain) or _only_covered(_plain(fallback))


@lru_cache(maxsize=48)
def font(weight: Weight, size: int) -> ImageFont.FreeTypeFont:
    """Returns Inter at `size` pixels. Basic layout, because the other one depends on a library that not every host
    has."""
    return ImageFont.truetype(BytesIO(_file(weight)), size, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=1024)
def shortened(text: str, weight: Weight, size: int, width: int) -> str:
    """Returns `text`, or as much of its beginning as fits into `width` pixels with an ellipsis, or nothing."""
    face = font(weight, size)
    if face.getlength(text) <= width:
        return text
    for end in range(len(text) - 1, 0, -1):
        short = text[:end].rstrip() + "…"
        if face.getlength(short) <= width:
            return short
    return ""


def fitted(text: str, weight: Weight, sizes: tuple[int, int], width: int) -> tuple[str, ImageFont.FreeTypeFont]:
    """Returns a text with the font in which it fits into a width, between the largest and the least of two `sizes`;
    shortened if it must be."""
    size, least = sizes
    while size > least and font(weight, size).getlength(text) > width:
        size = max(least, size - 2)
    return shortened(text, weight, size, width), font(weight, size)


def write_heading(draw: ImageDraw, ends: tuple[int, int], base: int, title: str, note: str, theme: Theme) -> None:
    """Writes a title at the left one of two `ends`, as long as the small note at the right one leaves room."""
    (left, right), small = ends, font(Weight.MEDIUM, 22)
    note = legible(note, "")
    draw.text((right, base), note, theme.quiet_text, small, anchor="rs")
    room = round(right - left - small.getlength(note) - 24)
    draw.text(
        (left, base),
        shortened(legible(title, ""), Weight.BOLD, 36, room),
        theme.text,
        font(Weight.BOLD, 36),
        anchor="ls",
    )


@lru_cache(maxsize=len(Weight))
def _file(weight: Weight) -> bytes:
    return (_FOLDER / weight.value).read_bytes()


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).translate(_SMALL_CAPITALS)


def _only_covered(text: str) -> str:
    return " ".join("".join(sign for sign in text if sign in _LETTERS).split())
