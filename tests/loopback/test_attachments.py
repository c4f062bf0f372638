"""The size of a picture, read from its first bytes."""

import pytest

from loopback.attachments import content_type, dimensions
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
