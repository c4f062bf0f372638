"""Files as Discord keeps them: a safe name, the media type, and the size of an image, read from its first bytes."""

import mimetypes
import struct
from collections import deque

from loopback.model import Attachment, Message

MAX_FILE_BYTES = 10 * 1024 * 1024  # of one file; Discord's limit where nobody pays for more
MAX_RETIRED_BYTES = 2 * MAX_FILE_BYTES  # of files that no message has any more: some hundred boards
TYPES = mimetypes.MimeTypes()  # Python's own table, the same on every machine


class RetiredFiles:
    """The files that messages had a short time ago; the oldest make room.

    A client asks for a picture some time after it has got the message, which may be edited or deleted by then. Discord
    goes on serving such a file for a while, too.
    """

    def __init__(self, max_bytes: int = MAX_RETIRED_BYTES) -> None:
        self._max_bytes = max_bytes
        self._files: deque[tuple[int, Attachment]] = deque()
        self._bytes = 0

    def retire(self, before: Message, after: Message | None) -> None:
        """Keeps the files that an edit of a message took away, or its deletion."""
        kept = {each.id for each in after.files} if after is not None else set()
        for file in before.files:
            if file.id not in kept:
                self._files.append((before.channel_id, file))
                self._bytes += len(file.data)
        while self._bytes > self._max_bytes:
            self._bytes -= len(self._files.popleft()[1].data)

    def find(self, channel_id: int, attachment_id: int) -> Attachment | None:
        """Returns a file by its address."""
        wanted = (channel_id, attachment_id)
        return next((file for channel, file in self._files if (channel, file.id) == wanted), None)


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
