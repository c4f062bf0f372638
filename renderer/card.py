"""The result of a match as a picture to be shared: the last position, the winner, and the scores on the way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PIL import Image, ImageDraw

from renderer.board import page_for
from renderer.graph import plot
from renderer.header import Header, Mark, Plate
from renderer.layout import STILL
from renderer.marks import BLOCK, block
from renderer.pen import CROWN, Weight, dot, fitted, font, legible, polygon, shortened
from renderer.theme import PAPER, blend, for_seats, palette_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from renderer.graph import Scores
    from renderer.theme import Theme
    from rules.game import Picture

SIZE = (1200, 630)
"""Pixels, as previews of shared links expect."""
MARGIN = 36
COLUMN = (654, SIZE[0] - MARGIN)
"""The left and right end of the words, in pixels; the board is to the left of them."""
SQUARES = 30
ROW = 84
"""Pixels of a player's line, if there is room."""
SCALE = 3


@dataclass(frozen=True, slots=True)
class Card:
    """The words of a card, in the language of its readers: a `title`, and small print below the curves."""

    title: str
    facts: str = ""


def card(words: Card, picture: Picture, header: Header, scores: Sequence[Scores], theme: Theme = PAPER) -> bytes:
    """Returns a card as a PNG file: the last position, the players with their last scores, and the `scores` after
    each move. Raises ValueError for a field too large to be drawn."""
    theme = for_seats(theme, len(header.plates))
    page = _paper(theme)
    board = _board(picture, header, theme)
    page.paste(board, ((COLUMN[0] - board.width) // 2, (SIZE[1] - board.height) // 2))
    top = _title(page, words.title, theme)
    row = min(ROW, 200 // len(header.plates))
    for seat, plate in enumerate(header.plates):
        line = _player(plate, seat, (COLUMN[1] - COLUMN[0], row - 10), theme, blocks=picture.blocks)
        page.paste(line, (COLUMN[0], top))
        top += row
    bottom = SIZE[1] - MARGIN - 34
    page.paste(plot(scores, (COLUMN[1] - COLUMN[0], bottom - top - 8), theme), (COLUMN[0], top + 8))
    face = font(Weight.MEDIUM, 20)
    facts = shortened(legible(words.facts, ""), Weight.MEDIUM, 20, COLUMN[1] - COLUMN[0])
    ImageDraw.Draw(page).text((COLUMN[0], SIZE[1] - MARGIN), facts, theme.quiet_text, face, anchor="ls")
    return palette_of(theme).png(page)


def _paper(theme: Theme) -> Image.Image:
    page = Image.new("RGB", SIZE, theme.paper)
    draw = ImageDraw.Draw(page)
    for x in range(SQUARES // 2, SIZE[0], SQUARES):
        draw.line((x, 0, x, SIZE[1]), theme.margin_grid)
    for y in range(SQUARES // 2, SIZE[1], SQUARES):
        draw.line((0, y, SIZE[0], y), theme.margin_grid)
    draw.rectangle((COLUMN[0] - 18, 0, SIZE[0], SIZE[1]), theme.paper)
    draw.line((COLUMN[0] - 18, 0, COLUMN[0] - 18, SIZE[1]), theme.rule, 3)
    return page


def _board(picture: Picture, header: Header, theme: Theme) -> Image.Image:
    """Returns the position without its labels, as large as there is room."""
    page = page_for(picture, header, theme, None, STILL)
    image = page.image(page.sheet.rows(picture), header)
    image.putpalette(page.brush.palette.entries)
    left, top = page.layout.squares
    cell, ring = page.layout.cell, page.layout.ring
    box = (
        left + cell * ring,
        top + cell * ring,
        left + cell * (picture.width + ring),
        top + cell * (picture.height + ring),
    )
    board = image.convert("RGB").crop(box)
    board.thumbnail((COLUMN[0] - 18 - 2 * MARGIN, SIZE[1] - 2 * MARGIN), Image.Resampling.LANCZOS)
    return board


def _title(page: Image.Image, title: str, theme: Theme) -> int:
    """Writes the title as large as the column allows, and returns the place below."""
    text, face = fitted(legible(title, ""), Weight.BOLD, (52, 30), COLUMN[1] - COLUMN[0])
    ImageDraw.Draw(page).text((COLUMN[0], MARGIN + 44), text, theme.text, face, anchor="ls")
    return MARGIN + 72


def _player(plate: Plate, seat: int, size: tuple[int, int], theme: Theme, *, blocks: bool) -> Image.Image:
    """Draws sign or crown, name and score; a winner on full ink."""
    width, height = size
    ink, won = theme.inks[seat], plate.mark is Mark.WON
    ground = ink.colour if won else blend(theme.paper, ink.colour, theme.house)
    line = Image.new("RGB", (width * SCALE, height * SCALE), theme.paper)
    draw = ImageDraw.Draw(line)
    draw.rounded_rectangle((0, 0, width * SCALE - 1, height * SCALE - 1), height * SCALE * 0.24, ground)
    place, radius = (height * SCALE * 0.55, height * SCALE / 2), height * SCALE * 0.25
    if won:
        polygon(draw, CROWN, place, radius, theme.last)
    elif blocks:
        block(draw, seat, place, radius / BLOCK, theme)
    else:
        dot(draw, ink.shape, place, radius, ink.colour, theme.light(seat))
    line = line.reduce(SCALE)
    draw = ImageDraw.Draw(line)
    score_face, size_of_name = font(Weight.BOLD, round(height * 0.62)), round(height * 0.44)
    colour = theme.paper if won else theme.text
    draw.text(
        (width - height * 0.35, height / 2 + height * 0.22),
        plate.score,
        theme.paper if won else ink.colour,
        score_face,
        anchor="rs",
    )
    room = round(width - height * 1.7 - score_face.getlength(plate.score))
    name = shortened(legible(plate.name, plate.fallback), Weight.BOLD, size_of_name, room)
    baseline = height / 2 + height * 0.16
    draw.text((height * 1.05, baseline), name, colour, font(Weight.BOLD, size_of_name), anchor="ls")
    return line
