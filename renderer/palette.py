"""The fixed palette of a theme: every colour that a board needs, and the colours between two that meet."""

from __future__ import annotations

from functools import lru_cache, partial
from io import BytesIO
from itertools import chain, permutations
from typing import TYPE_CHECKING

from PIL import Image

from renderer.theme import blend

if TYPE_CHECKING:
    from collections.abc import Iterator

    from renderer.theme import Colour, Theme

MAX_COLOURS = 255
"""One entry of the 256 stays free for the transparency of a replay."""
STEP = 4
"""Values a side of the cubes for which Pillow searches the nearest colour, by the lowest corner of each."""


class Palette:
    """The colours of a theme, the most needed first, and the conversion of true colour."""

    def __init__(self, theme: Theme) -> None:
        colours: list[Colour] = []
        for colour in _wanted_colours(theme):
            if len(colours) < MAX_COLOURS and all(_apart(colour, other) for other in colours):
                colours.append(colour)
        self.colours = tuple(colours)
        self.entries = bytes(chain.from_iterable(colours))
        self._image = Image.new("P", (1, 1))
        self._image.putpalette(self.entries)

    def index(self, colour: Colour) -> int:
        """Returns the place of a colour. Raises ValueError for one that is not here."""
        return self.colours.index(colour)

    def indexed(self, picture: Image.Image) -> Image.Image:
        """Returns an RGB picture with each pixel replaced by the nearest colour here."""
        return picture.quantize(palette=self._image, dither=Image.Dither.NONE)

    def png(self, picture: Image.Image) -> bytes:
        """Returns an RGB picture as a PNG file with the colours here."""
        file = BytesIO()
        self.indexed(picture).save(file, "PNG")
        return file.getvalue()


@lru_cache(maxsize=32)
def palette_of(theme: Theme) -> Palette:
    """Returns the palette of a theme, made once."""
    return Palette(theme)


def _apart(one: Colour, other: Colour) -> bool:
    """Returns whether Pillow maps each of the two to itself and not to the other."""
    return all(_distance(_corner(a), a) < _distance(_corner(a), b) for a, b in ((one, other), (other, one)))


def _corner(colour: Colour) -> Colour:
    red, green, blue = (value - value % STEP for value in colour)
    return red, green, blue


def _distance(one: Colour, other: Colour) -> int:
    return sum((a - b) ** 2 for a, b in zip(one, other, strict=True))


def _between(under: Colour, over: Colour, steps: int) -> Iterator[Colour]:
    return (blend(under, over, step / (steps + 1)) for step in range(1, steps + 1))


def _wanted_colours(theme: Theme) -> Iterator[Colour]:
    """Lists first the flat colours, then the edges between two of them, the longest edges of a board first."""
    paper, inks = theme.paper, [ink.colour for ink in theme.inks]
    tints = [blend(paper, ink, theme.tint) for ink in inks]
    houses = [blend(paper, ink, theme.house) for ink in inks]
    yield from (paper, theme.grid, theme.margin_grid, theme.frame, theme.rule, theme.text, theme.quiet_text)
    yield from (theme.zone, theme.last, *inks, *tints)
    yield from (theme.light(seat) for seat in range(len(inks)))
    for ink, tint in zip(inks, tints, strict=True):
        pen = blend(tint, ink, theme.hatching)
        yield from (pen, *_between(tint, pen, 2))
    yield from (blend(tint, theme.grid, theme.grid_under_tint) for tint in tints)
    for holder, prisoner in permutations(range(len(inks)), 2):
        yield blend(tints[holder], inks[prisoner], theme.fading)
    yield from houses
    yield from (blend(paper, ink, theme.ghost) for ink in inks)
    yield from (blend(paper, ink, theme.bar) for ink in inks)
    for colour in (*inks, *tints, theme.grid):
        yield blend(paper, colour, theme.distant)
    for seat, (ink, tint) in enumerate(zip(inks, tints, strict=True)):
        yield from _between(paper, ink, 7)
        yield from _between(tint, ink, 5)
        yield from _between(tint, theme.text, 5)
        yield from _between(theme.last, ink, 3)
        yield from _between(theme.light(seat), ink, 2)
    yield from _between(paper, theme.text, 8)
    yield from _between(paper, theme.quiet_text, 6)
    yield from _between(paper, theme.last, 4)
    yield from _between(paper, theme.frame, 3)
    yield from (blend(theme.zone, theme.grid, 0.5), blend(paper, theme.grid, 0.5))
    for ink, tint in zip(inks, tints, strict=True):
        yield from _between(tint, paper, 2)
        yield from _between(tint, theme.last, 2)
        yield from _between(theme.grid, ink, 2)
        yield from _between(theme.zone, ink, 2)
    for holder, prisoner in permutations(range(len(inks)), 2):
        yield from _between(tints[holder], blend(tints[holder], inks[prisoner], theme.fading), 2)
    far = partial(blend, paper, part=theme.distant)
    for ink, tint in zip(inks, tints, strict=True):
        yield from _between(paper, far(ink), 3)
        yield from _between(far(tint), far(ink), 3)
        yield from _between(far(tint), far(blend(tint, ink, theme.hatching)), 2)
        yield from _between(paper, blend(paper, ink, theme.bar), 3)
        yield from _between(ink, theme.text, 3)
    yield from _between(theme.last, theme.text, 3)
