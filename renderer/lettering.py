"""Letters in a picture: the bundled Inter, its characters, and the shortening of names."""

from __future__ import annotations

import unicodedata
from enum import Enum
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import ImageFont

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw

    from renderer.theme import Theme

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

_LETTERS = frozenset(
    chr(code)
    for low, _, high in (part.partition("-") for part in COVERED.split())
    for code in range(int(low, 16), int(high or low, 16) + 1)
)
_FOLDER = Path(__file__).parent / "fonts"
_SMALL_CAPITALS = str.maketrans("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢ", "ABCDEFGHIJKLMNOPQRSTUVWYZ")
"""Letters that names are styled with, and that compatibility normalization leaves alone."""

_NAME_CATEGORIES = ("L", "N")
"""The Unicode categories that a name cannot lose: letters and digits."""


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
