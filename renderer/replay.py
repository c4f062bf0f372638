"""A whole game as a film: an animated GIF (CompuServe's GIF89a specification) that redraws only the changes."""

from __future__ import annotations

import struct
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from PIL import Image, ImageChops

from renderer.board import page_for
from renderer.header import Header, Mark, strip
from renderer.layout import MOVING
from renderer.sheet import contents
from renderer.theme import PAPER, Theme
from renderer.tile import EMPTY, Tile

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from renderer.tile import Content
    from rules.game import Picture, Point

COLOURS = 256
UNCHANGED = 255
"""The palette index that leaves a pixel as it was."""
TICK_MILLIS = 10
"""The unit of a frame's time."""
MIN_TICKS = 2
"""Browsers consider a shorter time a mistake and show the frame for 100 ms."""
_KEEP = 1 << 2
"""The disposal method that leaves a frame under the next one."""

CLOSING = b"\x3b"
"""The end of a file."""

Box = tuple[int, int, int, int]
"""Left, top, right and bottom in pixels, the latter two just outside."""

_ANY = b"\0" + b"\xff" * 255
"""Makes a mask of differences."""


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


class Moment(NamedTuple):
    """A position of the game and the header above it."""

    picture: Picture
    header: Header


@dataclass(frozen=True, slots=True)
class Pace:
    """The time of each move and of the last one, in milliseconds; a move has 40 at least."""

    move: int = 400
    end: int = 4000

    def ticks(self, *, last: bool) -> int:
        return max(2 * MIN_TICKS, (self.end if last else self.move) // TICK_MILLIS)


class TooLarge(Exception):
    """The file would have more bytes than allowed."""


def replay(moments: Iterable[Moment], pace: Pace = Pace(), theme: Theme = PAPER, max_bytes: int | None = None) -> bytes:
    """Returns the moments, all of one field and one number of seats, as a GIF file.

    Raises ValueError without a moment, for a field too large to be drawn, and if fields or seats differ. Raises
    TooLarge past `max_bytes`, as soon as it is known.
    """
    film = bytearray()
    for part in chain(_frames(moments, pace, theme), (CLOSING,)):
        film += part
        if max_bytes is not None and len(film) > max_bytes:
            raise TooLarge
    return bytes(film)


def _frames(moments: Iterable[Moment], pace: Pace, theme: Theme) -> Iterator[bytes]:
    """Yields the opening of the file, then its frames. A move's frames wait for the next one, which decides their
    time."""
    screen: Screen | None = None
    waiting: list[Patch] = []
    for picture, busy in moments:
        header = _without_pill(busy).above(picture)
        if screen is None:
            screen = Screen(picture, header, theme)
            yield opening(screen.image.size, screen.palette)
            waiting = [Patch(screen.image.copy(), (0, 0))]
        else:
            yield from _move_frames(waiting, pace.ticks(last=False))
            waiting = [*screen.advance(picture, header)]
    if screen is None:
        raise ValueError("no moments, no film")
    yield from _move_frames(waiting, pace.ticks(last=True))


class Patch(NamedTuple):
    """Pixels that replace those on the screen, and the place of the top left one."""

    pixels: Image.Image
    corner: tuple[int, int]


NOTHING = Patch(Image.new("L", (1, 1), UNCHANGED), (0, 0))


def _move_frames(patches: list[Patch], ticks: int) -> Iterator[bytes]:
    """Yields the frames of a move: all but the last one as short as possible."""
    *early, late = patches or [NOTHING]
    for patch in early:
        yield frame(*patch, MIN_TICKS)
    yield frame(*late, ticks - MIN_TICKS * len(early))


class Screen:
    """The picture of the film at a moment. Board and header are patched one after the other: a rectangle round both
    would be most of the picture. For the same reason the labels of the last move are not highlighted."""

    def __init__(self, picture: Picture, header: Header, theme: Theme) -> None:
        self._page = page_for(picture, header, theme, None, MOVING)
        self._kind = _kind(picture, header)
        self._header = header
        self._tiles: dict[Tile, Image.Image] = {}
        self._contents = contents(picture)
        self.image = self._page.image(self._page.sheet.rows(replace(picture, last=())), header)
        self._apply(self._squares(contents(replace(picture, last=())), self._contents))
        self.palette = self._page.brush.palette.entries

    def advance(self, picture: Picture, header: Header) -> Iterator[Patch]:
        """Goes on to the next moment, and yields the changes."""
        if _kind(picture, header) != self._kind:
            raise ValueError("a film has one field and one number of seats")
        before, self._contents = self._contents, contents(picture)
        if patch := self._apply(self._squares(before, self._contents)):
            yield patch
        if header != self._header:
            self._header = header
            size = self._page.layout.size[0], self._page.layout.header
            strip_ = Image.frombytes("L", size, strip(header, *size, self._page.theme).tobytes())
            if patch := self._apply([Patch(strip_, (0, 0))]):
                yield patch

    def _squares(self, before: dict[Point, Content], after: dict[Point, Content]) -> list[Patch]:
        """Returns the squares that have changed."""
        changed = [(point, content) for point, content in after.items() if before.get(point) != content]
        changed += [(point, EMPTY) for point in before.keys() - after.keys()]
        page, half = self._page, self._page.layout.cell // 2
        patches = []
        for point, content in changed:
            x, y = page.layout.centre(point)
            tile = Tile(page.sheet.ground(point), content)
            pixels = self._tiles.get(tile)
            if pixels is None:
                lines = page.brush.lines(tile)
                pixels = self._tiles[tile] = Image.frombytes("L", (len(lines), len(lines)), b"".join(lines))
            patches.append(Patch(pixels, (x - half, y - half)))
        return patches

    def _apply(self, patches: list[Patch]) -> Patch | None:
        """Puts `patches` on the screen. Returns one patch that does the same, as small as possible, without the
        pixels that stay as they are; None if all do."""
        if not patches:
            return None
        box = _around(patches)
        before = self.image.crop(box)
        for pixels, corner in patches:
            self.image.paste(pixels, corner)
        changes = ImageChops.difference(before, self.image.crop(box))
        changed = changes.getbbox()
        if not changed:
            return None
        changes = changes.crop(changed)
        corner, size = (box[0] + changed[0], box[1] + changed[1]), changes.size
        after = self.image.crop((*corner, corner[0] + size[0], corner[1] + size[1]))
        patch = Image.new("L", size, UNCHANGED)
        patch.paste(after, mask=Image.frombytes("L", size, changes.tobytes().translate(_ANY)))
        return Patch(patch, corner)


def _without_pill(header: Header) -> Header:
    """Returns the header without the pill of the side to move: a film does not need it, and it would double the
    size."""
    plates = (replace(plate, mark=Mark.NONE) if plate.mark is Mark.TO_ACT else plate for plate in header.plates)
    return replace(header, plates=tuple(plates))


def _kind(picture: Picture, header: Header) -> tuple[int, int, int]:
    return picture.width, picture.height, len(header.plates)


def _around(patches: list[Patch]) -> Box:
    return (
        min(x for _, (x, _) in patches),
        min(y for _, (_, y) in patches),
        max(x + pixels.width for pixels, (x, _) in patches),
        max(y + pixels.height for pixels, (_, y) in patches),
    )
