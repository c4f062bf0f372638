"""The size of a picture, read from its first bytes; and files that messages no longer have."""

from dataclasses import replace

import pytest

from loopback import Message
from loopback.attachments import RetiredFiles, content_type, dimensions, new_attachment
from tests.loopback.bot import png


@pytest.mark.parametrize(
    ("data", "size"),
    [
        (png(40, 30), (40, 30)),
        (b"GIF89a" + bytes([0x2C, 0x01, 0xC8, 0x00]), (300, 200)),
        (b"\x89PNG\r\n\x1a\n", None),
        (b"GIF89a", None),
        (b"plain text", None),
    ],
)
def test_width_and_height_come_from_the_header(data: bytes, size: tuple[int, int] | None) -> None:
    assert dimensions(data) == size


def test_the_type_comes_from_the_name() -> None:
    names = ("a.png", "a.gif", "a.sgf")
    assert [content_type(name) for name in names] == ["image/png", "image/gif", "application/octet-stream"]


def test_a_file_that_a_message_lost_is_kept_until_newer_ones_need_its_room() -> None:
    first, second, third = (new_attachment(number, "a.png", bytes(10)) for number in (1, 2, 3))
    message = Message(id=9, channel_id=5, author_id=7, attachments=(first, second))
    retired = RetiredFiles(max_bytes=25)
    retired.retire(message, replace(message, attachments=(second,)))
    assert (retired.find(5, 1), retired.find(6, 1), retired.find(5, 2)) == (first, None, None)
    retired.retire(replace(message, attachments=(second, third)), None)
    assert (retired.find(5, 1), retired.find(5, 2), retired.find(5, 3)) == (None, second, third)
