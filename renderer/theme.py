"""The look of a board: colours and proportions as values, and the fixed palette of a theme with the colours between."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache, partial
from io import BytesIO
from itertools import chain, permutations
from typing import TYPE_CHECKING

from PIL import Image

if TYPE_CHECKING:
    from collections.abc import Iterator

Colour = tuple[int, int, int]
"""Red, green and blue, 0 to 255 each."""

MAX_COLOURS = 255
"""One entry of the 256 stays free for the transparency of a replay."""
STEP = 4
"""Values a side of the cubes for which Pillow searches the nearest colour, by the lowest corner of each."""


class Shape(Enum):
    """The form of a dot: the first cue beside its colour."""

    DISC = "disc"
    RING = "ring"
    """A disc with a lighter ring in it."""
    CORE = "core"
    """A disc with a lighter middle."""
    OPEN = "open"
    """A circle of a thick pen."""
    BAR = "bar"
    """A disc with a lighter bar across."""
    SQUARE = "square"
    TRIANGLE = "triangle"
    DIAMOND = "diamond"


@dataclass(frozen=True, slots=True)
class Ink:
    """The ink of one seat. `name` is its colour, as texts call it.

    `hatch` is the number of pen lines that an area has per cell along x and along y (down), as a wave vector. It has
    whole numbers, so that the lines of neighbouring tiles meet. Its direction tells seats apart without colour, as does
    the shape of the dots.
    """

    name: str
    colour: Colour
    hatch: tuple[int, int]
    shape: Shape = Shape.DISC


@dataclass(frozen=True, slots=True)
class Theme:
    """Colours, and sizes in parts of a cell. `inks` holds one ink a seat and limits the number of seats. `fading` is
    the rest of a captured dot's colour, `distant` that of everything outside a picture's focus."""

    paper: Colour
    grid: Colour
    margin_grid: Colour
    frame: Colour
    rule: Colour
    text: Colour
    quiet_text: Colour
    zone: Colour
    last: Colour
    inks: tuple[Ink, ...]
    tint: float = 0.20
    hatching: float = 0.2
    grid_under_tint: float = 0.5
    fading: float = 0.42
    distant: float = 0.38
    house: float = 0.09
    ghost: float = 0.45
    bar: float = 0.38
    dot: float = 0.375
    captured_dot: float = 0.27
    last_disc: float = 0.6
    last_pip: float = 0.16
    chain: float = 0.13

    def light(self, seat: int) -> Colour:
        """Returns the colour of the parts that the shape of a seat's dots leaves open."""
        ink = self.inks[seat]
        return self.paper if ink.shape is Shape.OPEN else blend(self.paper, ink.colour, 0.3)


PAPER = Theme(
    paper=(252, 251, 246),
    grid=(185, 201, 228),
    margin_grid=(224, 230, 238),
    frame=(128, 149, 192),
    rule=(242, 196, 204),
    text=(31, 45, 74),
    quiet_text=(92, 106, 136),
    zone=(255, 242, 191),
    last=(255, 176, 0),
    inks=(
        Ink("red", (216, 31, 60), (3, 3)),
        Ink("blue", (29, 73, 200), (3, -3), Shape.RING),
        Ink("green", (16, 138, 78), (0, 4), Shape.CORE),
        Ink("violet", (138, 50, 178), (4, 0), Shape.BAR),
    ),
)
"""A page of a squared copybook, with red, blue, green and violet ink."""

DARK = Theme(
    paper=(30, 32, 38),
    grid=(102, 109, 124),
    margin_grid=(56, 60, 70),
    frame=(132, 148, 176),
    rule=(104, 58, 68),
    text=(240, 242, 248),
    quiet_text=(146, 154, 172),
    zone=(66, 60, 38),
    last=(255, 200, 40),
    inks=(
        Ink("red", (255, 90, 106), (3, 3)),
        Ink("blue", (78, 164, 255), (3, -3), Shape.RING),
        Ink("green", (66, 202, 124), (0, 4), Shape.CORE),
        Ink("violet", (204, 130, 246), (4, 0), Shape.BAR),
    ),
    tint=0.26,
    hatching=0.24,
    house=0.13,
    fading=0.45,
)
"""The same page at night."""

COLOUR_BLIND = Theme(
    paper=(253, 252, 248),
    grid=(200, 204, 214),
    margin_grid=(230, 232, 236),
    frame=(130, 140, 160),
    rule=(222, 212, 196),
    text=(28, 36, 54),
    quiet_text=(97, 105, 125),
    zone=(255, 244, 198),
    last=(240, 196, 16),
    inks=(
        Ink("orange", (213, 94, 0), (3, 3)),
        Ink("blue", (13, 58, 140), (3, -3), Shape.SQUARE),
        Ink("green", (0, 128, 98), (0, 4), Shape.TRIANGLE),
        Ink("violet", (150, 64, 128), (4, 0), Shape.DIAMOND),
    ),
    tint=0.24,
    hatching=0.38,
)
"""Discs and squares (triangles and diamonds) in colours that stay apart in every kind of colour vision, after Okabe and
Ito."""

NOTEBOOK = Theme(
    paper=(246, 240, 222),
    grid=(196, 210, 196),
    margin_grid=(224, 227, 210),
    frame=(146, 166, 150),
    rule=(224, 140, 128),
    text=(52, 52, 60),
    quiet_text=(101, 99, 97),
    zone=(238, 226, 172),
    last=(244, 168, 62),
    inks=(
        Ink("blue", (36, 60, 150), (2, 2)),
        Ink("brown", (122, 66, 40), (2, -2), Shape.OPEN),
        Ink("green", (30, 112, 84), (0, 3), Shape.CORE),
        Ink("crimson", (150, 40, 84), (3, 0), Shape.BAR),
    ),
    tint=0.13,
    hatching=0.42,
    dot=0.36,
    chain=0.11,
)
"""An old exercise book: blue ink against brown, discs against circles, areas shaded by pen."""

HIGH_CONTRAST = Theme(
    paper=(0, 0, 0),
    grid=(96, 96, 96),
    margin_grid=(48, 48, 48),
    frame=(200, 200, 200),
    rule=(200, 200, 200),
    text=(255, 255, 255),
    quiet_text=(210, 210, 210),
    zone=(64, 64, 40),
    last=(255, 255, 255),
    inks=(
        Ink("yellow", (255, 214, 0), (3, 3)),
        Ink("blue", (60, 190, 255), (3, -3), Shape.SQUARE),
        Ink("green", (110, 240, 120), (0, 4), Shape.TRIANGLE),
        Ink("pink", (255, 130, 210), (4, 0), Shape.DIAMOND),
    ),
    tint=0.24,
    hatching=0.5,
    grid_under_tint=0.35,
    fading=0.6,
    house=0.16,
    dot=0.39,
    captured_dot=0.29,
    chain=0.16,
)
"""Bright shapes on black, for weak eyes and bright sun."""

THEMES: Mapping[str, Theme] = {
    "paper": PAPER,
    "dark": DARK,
    "colour-blind": COLOUR_BLIND,
    "notebook": NOTEBOOK,
    "high-contrast": HIGH_CONTRAST,
}


@lru_cache(maxsize=64)
def for_seats(theme: Theme, seats: int) -> Theme:
    """Returns the theme with the inks of that many seats: fewer inks leave more colours of a palette to each."""
    return replace(theme, inks=theme.inks[:seats])


@lru_cache(maxsize=64)
def with_blue(theme: Theme, seat: int) -> Theme:
    """Returns the theme in which this one of the first two seats has the blue ink of both."""
    first, second, *others = theme.inks
    return theme if theme.inks[seat].name == "blue" else replace(theme, inks=(second, first, *others))


@lru_cache(maxsize=len(THEMES))
def with_primary_inks(theme: Theme) -> Theme:
    """Returns the theme with inks called red, blue, green and violet, for pictures whose texts name these colours."""
    if [ink.name for ink in theme.inks] == [ink.name for ink in PAPER.inks]:
        return theme
    inks = PAPER.inks if sum(theme.paper) > sum(theme.text) else DARK.inks
    return replace(
        theme,
        inks=tuple(replace(own, name=ink.name, colour=ink.colour) for own, ink in zip(theme.inks, inks, strict=True)),
    )


def blend(under: Colour, over: Colour, part: float) -> Colour:
    """Returns the colour of `over` laid on `under` with the opacity `part`, 0 to 1."""
    red, green, blue = (round(a + (b - a) * part) for a, b in zip(under, over, strict=True))
    return red, green, blue


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
