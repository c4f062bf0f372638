"""PNG and GIF files read by plain code that shares nothing with Pillow: a second opinion on our output."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from typing import NamedTuple


class Screen(NamedTuple):
    """Palette indices row by row from the top left, and the colours behind them."""

    width: int
    height: int
    palette: bytes
    pixels: bytes

    @property
    def colours(self) -> bytes:
        """Three bytes a pixel."""
        return b"".join(self.palette[3 * pixel : 3 * pixel + 3] for pixel in self.pixels)


def png(file: bytes) -> Screen:
    """Reads a PNG with a palette of up to 256 colours and no filters. Raises AssertionError for anything else, and
    zlib.error for a wrong checksum."""
    assert file[:8] == b"\x89PNG\r\n\x1a\n"
    chunks = list(_chunks(file))
    assert [kind for kind, _ in chunks if kind != b"IDAT"] == [b"IHDR", b"PLTE", b"IEND"]
    assert {kind for kind, _ in chunks[2:-1]} == {b"IDAT"}
    width, height, *rest = struct.unpack(">IIBBBBB", chunks[0][1])
    assert rest == [8, 3, 0, 0, 0]
    stream = zlib.decompressobj()
    lines = stream.decompress(b"".join(data for kind, data in chunks if kind == b"IDAT"))
    assert stream.eof
    assert not stream.unused_data
    assert len(lines) == (width + 1) * height
    assert not any(lines[:: width + 1])
    rows = (lines[start + 1 : start + 1 + width] for start in range(0, len(lines), width + 1))
    return Screen(width, height, chunks[1][1], b"".join(rows))


def _chunks(file: bytes) -> Iterator[tuple[bytes, bytes]]:
    place = 8
    while place < len(file):
        (length,) = struct.unpack_from(">I", file, place)
        kind, data = file[place + 4 : place + 8], file[place + 8 : place + 8 + length]
        assert struct.unpack_from(">I", file, place + 8 + length) == (zlib.crc32(kind + data),)
        yield kind, data
        place += 12 + length


def gif(file: bytes) -> Iterator[tuple[int, Screen]]:
    """Lists the screen of an animation after each frame, and its milliseconds. Raises AssertionError for features
    that our films do not use."""
    assert file[:6] == b"GIF89a"
    width, height, flags, _, _ = struct.unpack_from("<HHBBB", file, 6)
    assert flags == 0b1111_0111
    palette, place = file[13 : 13 + 768], 13 + 768
    screen, time, transparent = bytearray(width * height), 0, -1
    while file[place] != 0x3B:
        if file[place : place + 2] == b"\x21\xf9":
            flags, time, transparent = struct.unpack_from("<BHB", file, place + 3)
            assert flags == 0b101
            place += 8
        elif file[place : place + 2] == b"\x21\xff":
            assert file[place + 3 : place + 14] == b"NETSCAPE2.0"
            _, place = _blocks(file, place + 14)
        else:
            assert file[place] == 0x2C
            left, top, across, down, flags = struct.unpack_from("<HHHHB", file, place + 1)
            assert flags == 0
            data, after = _blocks(file, place + 11)
            pixels = _unpack(data, file[place + 10])
            assert len(pixels) == across * down
            for row in range(down):
                for column in range(across):
                    if (pixel := pixels[row * across + column]) != transparent:
                        screen[(top + row) * width + left + column] = pixel
            place = after
            yield 10 * time, Screen(width, height, palette, bytes(screen))
    assert place == len(file) - 1


def _blocks(file: bytes, place: int) -> tuple[bytes, int]:
    found = []
    while length := file[place]:
        found.append(file[place + 1 : place + 1 + length])
        place += 1 + length
    return b"".join(found), place + 1


def _unpack(data: bytes, bits: int) -> bytes:
    """Unpacks LZW as in the GIF specification, appendix F."""
    clear, end = 1 << bits, (1 << bits) + 1
    words = [bytes([code]) for code in range(clear)] + [b"", b""]
    size, before = bits + 1, b""
    found: list[bytes] = []
    buffer = filled = 0
    for byte in data:
        buffer |= byte << filled
        filled += 8
        while filled >= size:
            code, buffer, filled = buffer & ((1 << size) - 1), buffer >> size, filled - size
            if code == end:
                return b"".join(found)
            if code == clear:
                del words[end + 1 :]
                size, before = bits + 1, b""
                continue
            word = words[code] if code < len(words) else before + before[:1]
            if before and len(words) < 4096:
                words.append(before + word[:1])
            if len(words) == 1 << size and size < 12:
                size += 1
            found.append(word)
            before = word
    raise AssertionError("no end")
