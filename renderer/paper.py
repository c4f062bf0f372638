"""More paper beside a drawn picture."""

from io import BytesIO
from math import ceil

from PIL import Image


def widen(png: bytes, proportion: float) -> bytes:
    """Returns a picture whose width is at least this `proportion` of its height: its edges are drawn out to both sides
    alike.

    Takes 10 to 30 ms unless it is as wide already.
    """
    image: Image.Image = Image.open(BytesIO(png))
    left = ceil((image.height * proportion - image.width) / 2)
    if left <= 0:
        return png
    width = image.width + 2 * left
    wide = Image.new(image.mode, (width, image.height))
    if palette := image.getpalette():
        wide.putpalette(palette)
    for edge, start, end in ((0, 0, left), (image.width - 1, left + image.width, width)):
        column = image.crop((edge, 0, edge + 1, image.height))
        wide.paste(column.resize((end - start, image.height), Image.Resampling.NEAREST), (start, 0))
    wide.paste(image, (left, 0))
    drawn = BytesIO()
    wide.save(drawn, "PNG")
    return drawn.getvalue()
