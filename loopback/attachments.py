"""Files as Discord keeps them: a safe name, the media type, and the size of an image, read from its first bytes."""

import mimetypes
import struct

from loopback.model import Attachment

MAX_FILE_BYTES = 10 * 1024 * 1024  # of one file; Discord's limit where nobody pays for more
TYPES = mimetypes.MimeTypes()  # Python's own table, the same on every machine


def new_attachment(attachment_id: int, filename: str, data: bytes, description: str | None = None) -> Attachment:
    """Returns the attachment that Discord makes of an uploaded file."""
    filename = filename.replace(" ", "_").replace("/", "_")
    width, height = dimensions(data) or (None, None)
    return Attachment(attachment_id, filename, content_type(filename), data, width, height, description)


def content_type(filename: str) -> str:
    """Returns the media type that Discord gives a file of this name."""
    return TYPES.guess_type(filename)[0] or "application/octet-stream"


def dimensions(data: bytes) -> tuple[int, int] | None:
    """Returns width and height in pixels of a PNG or GIF, None for any other file."""
    if len(data) >= 24 and data[:8] == b"\x89PNG\r\n\x1a\n":
        width, height = struct.unpack(">II", data[16:24])
        return width, height
    if len(data) >= 10 and data[:6] in (b"GIF87a", b"GIF89a"):
        width, height = struct.unpack("<HH", data[6:10])
        return width, height
    return None
