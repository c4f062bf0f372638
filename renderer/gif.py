"""Animated GIF files, frame by frame (CompuServe's GIF89a specification)."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL import Image

COLOURS = 256
UNCHANGED = 255
"""The palette index that leaves a pixel as it was."""
TICK_MILLIS = 10
"""The unit of a frame's time."""
MIN_TICKS = 2
"""Browsers consider a shorter time a mistake and show the frame for 100 ms."""
_KEEP = 1 << 2
"""The disposal method that leaves a frame under the next one."""


def opening(size: tuple[int, int], palette: bytes) -> bytes:
    """Returns the file up to its first frame; `palette` has three bytes a colour. The film repeats for ever."""
    screen = struct.pack("<HHBBB", *size, 0b1111_0111, 0, 0)
    again = b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"
    return b"".join((b"GIF89a", screen, palette.ljust(3 * COLOURS, b"\0"), again))


def frame(pixels: Image.Image, corner: tuple[int, int], ticks: int) -> bytes:
    """Returns a rectangle of palette indices (in mode L), laid over the previous frames for `ticks` ticks.

    `corner` is the position of its top left pixel.
    """
    control = struct.pack("<BBBBHBB", 0x21, 0xF9, 4, _KEEP | 1, ticks, UNCHANGED, 0)
    place = struct.pack("<BHHHHB", 0x2C, *corner, *pixels.size, 0)
    return b"".join((control, place, b"\x08", pixels.tobytes("gif", "L"), b"\0"))


CLOSING = b"\x3b"
"""The end of a file."""
