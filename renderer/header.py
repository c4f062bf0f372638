"""The strip above a board: the players, the score, and the player to move or the winner."""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, Self

from PIL import Image, ImageDraw

from renderer.cache import Cache
from renderer.marks import BLOCK, block
from renderer.pen import CROWN, Weight, dot, font, legible, polygon, shortened
from renderer.theme import blend, palette_of

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from renderer.theme import Theme
    from rules.game import Picture

_KEY = 1000
"""Bytes of a part's key."""

SCALE = 4
"""Pills and discs are drawn so many times larger and then reduced."""

GAP, RADIUS = 0.22, 0.27
"""The space between the parts of a plate, and the radius of its disc, in parts of its height."""

NOTE = 0.3
"""The most that a note takes, in parts of the header's width. The longest of today's takes 0.26."""


class Mark(Enum):
    """The mark of a plate beside the score: a pill for the side to move, a crown for a winner of a finished game."""

    NONE = 0
    TO_ACT = 1
    WON = 2


@dataclass(frozen=True, slots=True)
class Plate:
    """The words for a seat. `fallback` replaces a name in letters that the font lacks, for example by the seat's
    colour."""

    name: str
    score: str
    mark: Mark = Mark.NONE
    fallback: str = ""


@dataclass(frozen=True, slots=True)
class Header:
    """One plate a seat, seat 0 first, and a few words between them, such as `move 350`. The plates have the signs of
    the board below them: dots, or `blocks`."""

    plates: tuple[Plate, ...]
    note: str = ""
    blocks: bool = False

    def above(self, picture: Picture) -> Header:
        """Returns the header with the signs of a picture."""
        return self if self.blocks == picture.blocks else replace(self, blocks=picture.blocks)

    @property
    def lines(self) -> int:
        """The number of lines, with two plates on a line."""
        return max(1, (len(self.plates) + 1) // 2)


class _Part(NamedTuple):
    """The palette indices of a plate or a note, deflated: most of it is one colour."""

    size: tuple[int, int]
    deflated: bytes

    @classmethod
    def of(cls, picture: Image.Image) -> Self:
        return cls(picture.size, zlib.compress(picture.tobytes(), 1))

    def picture(self) -> Image.Image:
        return Image.frombytes("L", self.size, zlib.decompress(self.deflated))


_parts: Cache[Hashable, _Part] = Cache(5_000_000)
"""Each player has two plates while a score lasts: those of some four hundred games."""


def strip(header: Header, width: int, height: int, theme: Theme) -> Image.Image:
    """Returns the header as indices into the palette of `theme`, in mode L. The note is in the middle. Names are
    shortened to half of what it leaves."""
    palette = palette_of(theme)
    page = Image.new("L", (width, height), palette.index(theme.paper))
    thickness = max(1, round(width / 600))
    page.paste(palette.index(theme.rule), (0, height - thickness, width, height))
    line = (height - thickness) // header.lines
    pad = round(line * 0.16)
    size = round(line * 0.36)
    note = shortened(legible(header.note, ""), Weight.MEDIUM, size, int(width * NOTE))
    widest = (width - 3 * pad) // 2
    if note:
        words = _cached(_draw_note, note, size, line - 2 * pad, theme)
        page.paste(words, ((width - words.width) // 2, (height - thickness - words.height) // 2))
        widest = (width - 4 * pad - _room(note, size)) // 2
    for seat, plate in enumerate(header.plates):
        drawn = _cached(_draw_plate, plate, seat, line - 2 * pad, widest, theme, header.blocks)
        left = width - pad - drawn.width if seat % 2 else pad
        page.paste(drawn, (left, seat // 2 * line + pad))
    return page


def _cached(draw: Callable[..., Image.Image], *args: Hashable) -> Image.Image:
    """Returns what `draw` makes of these arguments, from the cache if it is there."""
    part = _parts.get((draw, *args))
    if part is None:
        part = _Part.of(draw(*args))
        _parts.put((draw, *args), part, _KEY + len(part.deflated))
    return part.picture()


def _room(note: str, size: int) -> int:
    """Returns the pixels that a note takes. They stay the same while a number counts up, and so do the plates."""
    return round(font(Weight.MEDIUM, size).getlength(re.sub(r"\d", "0", note)))


def _draw_note(note: str, size: int, height: int, theme: Theme) -> Image.Image:
    face = font(Weight.MEDIUM, size)
    words = Image.new("RGB", (round(face.getlength(note)) + 2, height), theme.paper)
    ImageDraw.Draw(words).text((1, height / 2), note, theme.quiet_text, face, anchor="lm")
    return palette_of(theme).indexed(words)


def _draw_plate(plate: Plate, seat: int, height: int, widest: int, theme: Theme, blocks: bool) -> Image.Image:
    """Returns sign, name and score from the left; the other way round for an odd seat, which is on the right."""
    won = plate.mark is Mark.WON
    words, digits = (theme.paper, theme.paper) if won else (theme.text, theme.inks[seat].colour)
    size = round(height * 0.66)
    face = font(Weight.BOLD, size)
    gap, disc = height * GAP, 2 * height * RADIUS
    score = face.getlength(plate.score)
    fixed = disc + score + 4.9 * gap
    name = shortened(legible(plate.name, plate.fallback), Weight.BOLD, size, int(widest - fixed))
    width = min(widest, round(fixed + face.getlength(name)))

    def across(x: float) -> float:
        return width - x if seat % 2 else x

    page = _stretch(_bare(plate.mark, seat, height, theme, blocks), width, height // 2 if seat % 2 else height)
    draw = ImageDraw.Draw(page)
    side = "r" if seat % 2 else "l"
    base = height / 2 + size * 0.36
    draw.text((across(2 * gap + disc), base), name, words, face, anchor=side + "s")
    draw.text((across(width - 1.25 * gap - score), base), plate.score, digits, face, anchor=side + "s")
    return palette_of(theme).indexed(page)


@lru_cache(maxsize=64)
def _bare(mark: Mark, seat: int, height: int, theme: Theme, blocks: bool) -> Image.Image:
    """Returns a plate with nothing written on it, narrower than any other: drawn once for all of its height."""
    ink = theme.inks[seat]
    page = Image.new("RGB", (height * 3 // 2 * SCALE, height * SCALE), theme.paper)
    draw = ImageDraw.Draw(page)
    if mark is not Mark.NONE:
        ground = ink.colour if mark is Mark.WON else blend(theme.paper, ink.colour, theme.tint)
        box = (0, 0, page.width - 1, page.height - 1)
        draw.rounded_rectangle(box, page.height * 0.3, ground, ink.colour, round(height * SCALE / 26))
    x, radius = (GAP + RADIUS) * page.height, RADIUS * page.height
    middle = (page.width - x if seat % 2 else x, page.height / 2)
    if mark is Mark.WON:
        polygon(draw, CROWN, middle, radius, theme.last)
    elif blocks:
        block(draw, seat, middle, radius / BLOCK, theme)
    else:
        dot(draw, ink.shape, middle, radius, ink.colour, theme.light(seat))
    return page.reduce(SCALE)


def _stretch(plate: Image.Image, width: int, seam: int) -> Image.Image:
    """Returns a plate as wide as needed: its column at `seam`, which equals those beside it, fills the gap."""
    page = plate.crop((seam, 0, seam + 1, plate.height)).resize((width, plate.height), Image.Resampling.NEAREST)
    page.paste(plate.crop((0, 0, seam, plate.height)))
    page.paste(plate.crop((seam, 0, plate.width, plate.height)), (width - plate.width + seam, 0))
    return page
