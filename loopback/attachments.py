"""What a file is: its media type, and the size of an image, read from its first bytes."""

import mimetypes
import struct

TYPES = mimetypes.MimeTypes()  # Python's own table, the same on every machine


def content_type(filename: str) -> str:
    """The media type that Discord would give a file of this name."""
    return TYPES.guess_type(filename)[0] or "application/octet-stream"


def dimensions(data: bytes) -> tuple[int, int] | None:
    """Width and height in pixels of a PNG or GIF, None for anything else."""
    if len(data) >= 24 and data[:8] == b"\x89PNG\r\n\x1a\n":
        width, height = struct.unpack(">II", data[16:24])
        return width, height
    if len(data) >= 10 and data[:6] in (b"GIF87a", b"GIF89a"):
        width, height = struct.unpack("<HH", data[6:10])
        return width, height
    return None
