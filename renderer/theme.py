"""What a board looks like: colours and proportions as values, so that a further theme is a further value."""

from __future__ import annotations

from dataclasses import dataclass

Colour = tuple[int, int, int]
"""Red, green and blue, 0 to 255 each."""


@dataclass(frozen=True, slots=True)
class Ink:
    """What one seat draws with. `hatch` is how many pen lines an area has per cell along x and along y (down), as a
    wave vector: whole numbers, so that the lines of neighbouring tiles meet; its direction tells seats apart without
    colour."""

    colour: Colour
    hatch: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Theme:
    """Colours, and sizes in parts of a cell. `inks` holds one ink a seat and limits how many seats there can be."""

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
    dot: float = 0.375
    captured_dot: float = 0.27
    last_disc: float = 0.6
    last_pip: float = 0.16
    chain: float = 0.13


PAPER = Theme(
    paper=(252, 251, 246),
    grid=(185, 201, 228),
    margin_grid=(224, 230, 238),
    frame=(128, 149, 192),
    rule=(242, 196, 204),
    text=(31, 45, 74),
    quiet_text=(116, 130, 160),
    zone=(255, 242, 191),
    last=(255, 176, 0),
    inks=(
        Ink((216, 31, 60), (3, 3)),
        Ink((29, 73, 200), (3, -3)),
        Ink((16, 138, 78), (0, 4)),
        Ink((138, 50, 178), (4, 0)),
    ),
)
"""A page of a squared copybook, written on in red, blue, green and violet ink."""


def blend(under: Colour, over: Colour, part: float) -> Colour:
    """The colour of `over` laid on `under` with the opacity `part`, 0 to 1."""
    red, green, blue = (round(a + (b - a) * part) for a, b in zip(under, over, strict=True))
    return red, green, blue
