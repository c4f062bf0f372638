"""Makes what Discord's directory and the lists of bots ask for, in six languages, in dist/listing/: `make listing`.

The texts are those of the site's front page and of the commands; the pictures are what the bot draws. So nothing of it
is kept, and nothing is out of date (docs/decisions/words.md#0314).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Final
from xml.etree import ElementTree

from PIL import Image, ImageColor, ImageDraw, ImageOps

from bot.cli.application import TAGS
from bot.markup import spoken
from play.records import sgf
from renderer.board import draw
from renderer.crosstable import Cell, CrossLine, Result, crosstable
from renderer.graph import graph
from renderer.header import Header, Mark, Plate
from renderer.pen import Weight, font
from renderer.theme import DARK, PAPER, blend
from rules.dots import Dots
from rules.game import Number, Picture, Point, Zone
from rules.registry import GAMES
from web.pages.front import FEATURES, RECORD, STEPS

if TYPE_CHECKING:
    from presentation.words.words import Words
    from renderer.theme import Colour

ROOT: Final = Path(__file__).parents[1]
FOLDER: Final = ROOT / "dist" / "listing"
MARK: Final = ROOT / "web" / "static" / "shared" / "mark.svg"
SVG: Final = "{http://www.w3.org/2000/svg}"

COMMANDS: Final = ("challenge", "learn", "help")
"""With which a new player begins."""

ICON_SIDE: Final = 1024
BANNER: Final = (1360, 480)
SLIDE: Final = (1280, 720)
"""Pixels."""
COLUMN: Final = (64, 520)
"""The left and right end of a slide's words, in pixels."""
CENTRE: Final = (900, 360)
ROOM: Final = (676, 636)
FRAME: Final = 2
"""The place of a slide's picture, its largest size, and the line around it, in pixels."""
SQUARE: Final = 40
"""Pixels of a square of the paper behind it."""
SCALE: Final = 4
"""The icon is drawn so many times larger and then reduced."""

MIDDLE: Final = 31
"""The move of the recorded game at which slides show it."""
PLAYERS: Final = ("Ola", "Максим", "Kasia", "Jonas", "Олена", "Jana")
RESULTS: Final = ("#1½111", "0#1111", "½0#101", "000#11", "0010#½", "0000½#")
"""A tournament of these players, a line each, the best first."""
POINTS: Final = (4.5, 4, 2.5, 2, 1.5, 0.5)


def summary(words: Words) -> str:
    """Returns the short description."""
    return f"{words('web.front.title')}. {words('web.front.lead')}"


def description(words: Words) -> str:
    """Returns the long description, as Markdown."""
    steps = (f"{number}. {words(f'web.front.step.{step}')}" for number, step in enumerate(STEPS, start=1))
    features = (f"**{words(f'web.front.{each}')}.** {words(f'web.front.{each}.text')}" for each in FEATURES)
    commands = (f"- `{words.plain.command(each)}`: {words(f'command.{each}')}" for each in COMMANDS)
    how = f"## {words('web.front.how')}"
    return "\n\n".join([words("application.description"), *features, how, "\n".join(steps), "\n".join(commands)]) + "\n"


@cache
def _game() -> tuple[tuple[Picture, tuple[float, ...]], ...]:
    """Returns the recorded game: picture and score after each move."""
    preset = GAMES["zagram"]
    assert isinstance(preset, Dots)
    return tuple((each.picture(), each.score) for each in sgf.read(RECORD.read_bytes()).replay(preset))


def _header(move: int, words: Words) -> Header:
    over, score = move == len(_game()) - 1, _game()[move][1]
    marks = (
        Mark.WON if over and points == max(score) else Mark.TO_ACT if not over and seat == move % 2 else Mark.NONE
        for seat, points in enumerate(score)
    )
    plates = (Plate(name, f"{points:g}", mark) for name, points, mark in zip(PLAYERS, score, marks, strict=False))
    return Header(tuple(plates), words("header.move", number=move))


def _keypad() -> bytes:
    """Returns the middle of the game with numbers on the free crossings round the last dot."""
    picture, _ = _game()[MIDDLE]
    focus = Zone.around(picture.last[0], 2, picture.width, picture.height)
    taken = {stone.point for stone in picture.stones}
    rows, columns = range(focus.high.y, focus.low.y - 1, -1), range(focus.low.x, focus.high.x + 1)
    free = (point for y in rows for x in columns if (point := Point(x, y)) not in taken)
    numbers = tuple(Number(point, value) for value, point in enumerate(free, start=1))
    window = Zone.around(picture.last[0], 4, picture.width, picture.height)
    return draw(replace(picture, numbers=numbers, focus=focus), None, PAPER, window)


def _table(words: Words) -> bytes:
    kinds = {"1": Result.WON, "½": Result.DRAWN, "0": Result.LOST, "#": Result.SELF}
    lines = [
        CrossLine(f"{place}", name, "", tuple(Cell(sign.strip("#"), kinds[sign]) for sign in row), words.number(points))
        for place, (name, row, points) in enumerate(zip(PLAYERS, RESULTS, POINTS, strict=True), start=1)
    ]
    labels = [f"{number}" for number in range(1, len(PLAYERS) + 1)]
    return crosstable("Kropka", words("tournament.round.numbered", round=5), labels, lines)


def slides(words: Words) -> Iterator[tuple[str, Image.Image]]:
    """Yields the five pictures of a language by their names: what the bot draws, beside what it is for."""
    last = len(_game()) - 1
    shown = {
        "lead": draw(_game()[last][0], _header(last, words)),
        "where": _keypad(),
        "whom": graph([score for _, score in _game()], _header(last, words)),
        "pace": draw(_game()[MIDDLE][0], _header(MIDDLE, words), DARK),
        "server": _table(words),
    }
    assert tuple(shown) == ("lead", *FEATURES)
    for name, png in shown.items():
        title, text = (name, f"{name}.text") if name in FEATURES else ("title", name)
        yield name, _slide(words(f"web.front.{title}"), words(f"web.front.{text}"), png)


def paper() -> Image.Image:
    """Returns a slide without anything on it."""
    page = Image.new("RGB", SLIDE, PAPER.paper)
    pen = ImageDraw.Draw(page)
    for place in range(SQUARE // 2, max(SLIDE), SQUARE):
        pen.line((place, 0, place, SLIDE[1]), PAPER.margin_grid)
        pen.line((0, place, SLIDE[0], place), PAPER.margin_grid)
    return page


def _slide(title: str, text: str, png: bytes) -> Image.Image:
    page, (begin, end) = paper(), COLUMN
    with Image.open(BytesIO(png)) as opened:
        shown = ImageOps.contain(opened.convert("RGB"), ROOM)
    shown = ImageOps.expand(shown, FRAME, PAPER.frame)
    page.paste(shown, (CENTRE[0] - shown.width // 2, CENTRE[1] - shown.height // 2))
    page.paste(icon().resize((72, 72), Image.Resampling.LANCZOS), (begin, 72))
    pen = ImageDraw.Draw(page)
    pen.text((begin + 92, 108), "Kropka", PAPER.text, font(Weight.BOLD, 40), anchor="lm")
    below = _write(pen, (begin, 200), end - begin, title, Weight.BOLD, 52)
    _write(pen, (begin, below + 24), end - begin, text, Weight.MEDIUM, 30)
    return page


def _write(pen: ImageDraw.ImageDraw, at: tuple[int, int], width: int, text: str, weight: Weight, size: int) -> int:
    """Writes a text in lines of at most `width` pixels, and returns where the next line would begin."""
    face, (x, y), line = font(weight, size), at, ""
    for word in [*text.split(" "), ""]:
        if word and face.getlength(f"{line} {word}".strip()) <= width:
            line = f"{line} {word}".strip()
            continue
        pen.text((x, y), line, PAPER.text, face)
        y, line = y + round(size * 1.3), word
    return y


@cache
def icon() -> Image.Image:
    """Returns the mark of the pages without round corners: Discord cuts its own."""
    svg = ElementTree.fromstring(MARK.read_text("utf-8"))  # noqa: S314 - our own file
    sheet, grid, base, group, middle = svg
    _, _, across, _ = svg.attrib["viewBox"].split()
    unit = ICON_SIDE * SCALE / float(across)
    page = Image.new("RGB", (ICON_SIDE * SCALE,) * 2, sheet.attrib["fill"])
    pen = ImageDraw.Draw(page)
    for x, y, way, length in re.findall(r"M([\d.]+) ([\d.]+)([hv])(\d+)", grid.attrib["d"]):
        right, down = (float(length), 0.0) if way == "h" else (0.0, float(length))
        ends = (float(x), float(y)), (float(x) + right, float(y) + down)
        pen.line([(unit * a, unit * b) for a, b in ends], grid.attrib["stroke"], round(unit))
    corners = [unit * float(number) for number in re.findall(r"[\d.]+", base.attrib["d"])]
    ink, under = _colour(base.attrib["stroke"]), _colour(sheet.attrib["fill"])
    tint = blend(under, ink, float(base.attrib["fill-opacity"]))
    pen.polygon(corners, tint, ink, round(unit * float(base.attrib["stroke-width"])))
    for circle, colour in [*((each, group.attrib["fill"]) for each in group), (middle, middle.attrib["fill"])]:
        x, y, radius = (unit * float(circle.attrib[name]) for name in ("cx", "cy", "r"))
        pen.circle((x, y), radius, colour)
    return page.resize((ICON_SIDE,) * 2, Image.Resampling.LANCZOS)


def _colour(name: str) -> Colour:
    red, green, blue, *_ = ImageColor.getrgb(name)
    return red, green, blue


def banner() -> Image.Image:
    """Returns the banner of the bot's profile: the middle of the recorded game's last board."""
    with Image.open(BytesIO(draw(_game()[-1][0], None))) as opened:
        board = opened.convert("RGB")
    width = board.width * 5 // 6
    height = width * BANNER[1] // BANNER[0]
    left, top = (board.width - width) // 2, (board.height - height) // 2
    return board.crop((left, top, left + width, top + height)).resize(BANNER, Image.Resampling.LANCZOS)


def _save(picture: Image.Image, path: Path) -> None:
    picture.save(path, "PNG", optimize=True)


if __name__ == "__main__":
    for words in spoken():
        folder = FOLDER / words.tag
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "summary.txt").write_text(summary(words) + "\n", "utf-8")
        (folder / "description.md").write_text(description(words), "utf-8")
        for number, (name, slide) in enumerate(slides(words), start=1):
            _save(slide, folder / f"{number}-{name}.png")
    (FOLDER / "tags.txt").write_text("\n".join(TAGS) + "\n", "utf-8")
    _save(icon(), FOLDER / "icon.png")
    _save(banner(), FOLDER / "banner.png")
