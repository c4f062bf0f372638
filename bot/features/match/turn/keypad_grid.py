"""The grid of the keypad, and the way to any crossing of a board over 9: its regions, then the parts of one.

`go:K12@*` shows the regions of a board in which the step `K12` goes on, `go:K12@*C` the parts of region C. A part is
what a keypad shows: 5x5 crossings. Regions of three by three parts make every crossing three taps away from here.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby, islice, pairwise
from string import ascii_uppercase, digits
from typing import NamedTuple, Protocol

import discord

from bot.interactions import custom_ids as ids
from bot.interactions.layout import MAX_ROW, Control, Part, button, drawing_file, occupied_pad, picture_file, rows
from play.match.match import Match
from play.turns import TurnStep
from presentation.match.crops import CHOICE_REACH, Crop, centre, choice_middle, crossings, decision_zone, draw_zone
from presentation.match.keypad import (
    ARROWS,
    PAN_CROSSINGS,
    corners_text,
    keypad_middle,
    likely_step_in,
    pad_numbers,
    shows_all,
)
from presentation.text import MAX_ALT
from presentation.words.words import Words
from renderer.layout import LARGE_SIDE
from renderer.regions import Region, draw_regions
from renderer.theme import PAPER, THEMES
from rules.dots import DotsPosition
from rules.game import BadNotation, Picture, Point, Zone, column_name, parse_point, point_name

MAX_KEYPAD_SIDE = 9
"""Crossings a side up to which two arrows of the keypad lead anywhere."""

PART_SIDE = 2 * CHOICE_REACH + 1
"""Crossings a side of what a keypad shows."""

REGION_PARTS = 3
"""Parts a side of a region. A board of 60x60 has 16 regions."""

ANYWHERE = "*"
"""Begins the place of an overview in a code, where a keypad has its middle."""

WHOLE_BOARD = "🗺️"
"""The way to the overview beside the arrows: a phone shows five signs in a row, and no row more."""

MAX_FRONTS = 2
"""Likeliest parts that an overview leads to."""


class MakeButton(Protocol):
    """Makes a button that leads to the step of `code`, at the `place` where its panel is: the middle of a keypad."""

    def __call__(self, label: str, code: str, place: str, style: discord.ButtonStyle | None = None) -> Control: ...


class Tile(NamedTuple):
    """A region or a part: its sign, its place, and where its button leads."""

    sign: str
    zone: Zone
    row: int
    place: str


def has_overview(picture: Picture) -> bool:
    """Returns whether a board is so large that its keypad has an overview; in Dot Dash few crossings can be chosen."""
    return max(picture.width, picture.height) > (LARGE_SIDE if picture.blocks else MAX_KEYPAD_SIDE)


def overview_parts(
    step: TurnStep, crop: Crop, place: str, words: Words, name: str, make_button: MakeButton, notice: str = ""
) -> Iterator[Part]:
    """Yields the overview at a `place`: the picture with its signs, a button for each, and the likeliest parts.

    Takes 60 to 150 ms. Raises BadNotation for a place that the board does not have.
    """
    picture, region = crop.picture, place.removeprefix(ANYWHERE)
    tiles = _parts_of(picture, region) if region else _tiles(picture)
    free = {tile.sign for tile in tiles if any(map(tile.zone.contains, step.available_points))}
    window = _hull([tile.zone for tile in tiles]) if region else None
    begun = step.prompt.text(words) if step.code else ""
    head = words("overview.parts", region=region) if region else words("overview.regions")
    regions = [Region(tile.zone, tile.sign if tile.sign in free else "") for tile in tiles]
    png = draw_regions(picture, regions, THEMES.get(crop.theme, PAPER), window)
    yield "\n".join(filter(None, (notice, begun, head)))
    yield picture_file(png, name, " ".join(_describe(tile, words) for tile in tiles)[:MAX_ALT])
    for _, row in groupby(tiles, key=lambda tile: tile.row):
        yield [
            make_button(tile.sign, step.code, tile.place) if tile.sign in free else _disabled_tile(tile.sign)
            for tile in row
        ]
    if ways := [*_ways_out(step, crop, {tile.place for tile in tiles}, region, words, make_button)]:
        yield ways


def _disabled_tile(sign: str) -> Control:
    """Returns a region in which nothing can be chosen. It keeps the others in their places."""
    return button(ids.FULL(sign=sign), sign, disabled=True)


def _ways_out(
    step: TurnStep, crop: Crop, taken: set[str], region: str, words: Words, make_button: MakeButton
) -> Iterator[Control]:
    """Yields the way back to the regions, and those to the likeliest parts."""
    if region:
        yield make_button(words("button.back"), step.code, ANYWHERE)
    others = (front for front in map(point_name, crop.fronts) if front not in taken)  # ids are unique in a message
    for front in islice(others, MAX_FRONTS):
        yield make_button(words("keypad.front", point=front), step.code, front, discord.ButtonStyle.primary)


def _tiles(picture: Picture) -> list[Tile]:
    """Returns the parts of a board, or its regions if there are more parts than buttons."""
    board = Zone(Point(0, 0), Point(picture.width - 1, picture.height - 1))
    if max(picture.width, picture.height) <= MAX_ROW * PART_SIDE:
        return _parts(picture, board, ascii_uppercase)
    zones = _divide(board, REGION_PARTS * PART_SIDE)
    return [Tile(sign, zone, row, ANYWHERE + sign) for sign, (row, zone) in zip(ascii_uppercase, zones, strict=False)]


def _parts_of(picture: Picture, region: str) -> list[Tile]:
    """Returns the parts of a region. Raises BadNotation if the board has no such region."""
    tile = next((tile for tile in _tiles(picture) if tile.place == ANYWHERE + region), None)
    if tile is None:
        raise BadNotation("no_turn")
    return _parts(picture, tile.zone, digits[1:])


def _parts(picture: Picture, zone: Zone, signs: str) -> list[Tile]:
    return [
        Tile(sign, part, row, point_name(choice_middle(picture, centre(part))))
        for sign, (row, part) in zip(signs, _divide(zone, PART_SIDE), strict=False)
    ]


def _divide(zone: Zone, max_side: int) -> list[tuple[int, Zone]]:
    """Returns the fewest zones of nearly the same size that cover a zone, each with its row, from the top left."""
    columns = _spans(zone.low.x, zone.high.x, max_side)
    rows = _spans(zone.low.y, zone.high.y, max_side)
    return [
        (number, Zone(Point(left, bottom), Point(right, top)))
        for number, (bottom, top) in enumerate(reversed(rows))
        for left, right in columns
    ]


def _spans(first: int, last: int, max_length: int) -> list[tuple[int, int]]:
    """Returns the first and the last crossing of each span along a line of crossings."""
    length = last - first + 1
    count = -(-length // max_length)
    edges = [first + length * number // count for number in range(count + 1)]
    return [(low, high - 1) for low, high in pairwise(edges)]


def _hull(zones: Sequence[Zone]) -> Zone:
    """Returns the smallest rectangle with all of the zones, which are listed from the top left."""
    return Zone(Point(zones[0].low.x, zones[-1].low.y), Point(zones[-1].high.x, zones[0].high.y))


def _describe(tile: Tile, words: Words) -> str:
    low, high = tile.zone.low, tile.zone.high
    left, right = column_name(low.x), column_name(high.x)
    return words("overview.tile", sign=tile.sign, left=left, right=right, low=low.y + 1, high=high.y + 1)


def pad_rows(
    step: TurnStep,
    crop: Crop,
    head: str,
    words: Words,
    make_button: MakeButton,
    name: str,
    below: Iterable[Sequence[Control]],
) -> Iterator[Part]:
    """Yields the keypad: the `head`, the picture with this `name`, 25 pads in the places of its crossings, and the rows
    `below` that have controls."""
    points, here, numbers = crossings(crop.zone), point_name(crop.middle), pad_numbers(step, crop)
    available, taken = step.available_points, crop.signs()
    drawn = crop.draw(words, numbers)
    yield head if numbers else f"{head}\n{words('keypad.full')}"
    yield drawing_file(drawn._replace(alt=f"{corners_text(points, words)} {drawn.alt}" if numbers else drawn.alt), name)
    pads: list[Control] = [
        make_button(str(number), available[point], here) if point in numbers else occupied_pad(number, taken.get(point))
        for number, point in enumerate(points, start=1)
    ]
    yield from rows(pads)
    yield from filter(None, below)


def ways_around(step: TurnStep, crop: Crop, make_button: MakeButton) -> Iterator[Control]:
    """Yields the arrows, and the way to the overview, unless the pads show all."""
    if shows_all(step, crop):
        return
    for arrow, dx, dy in ARROWS:
        middle = crop.shifted(dx * PAN_CROSSINGS, dy * PAN_CROSSINGS)
        yield make_button(arrow, step.code, point_name(middle)) if middle != crop.middle else _disabled_arrow(arrow)
    if has_overview(crop.picture):
        yield make_button(WHOLE_BOARD, step.code, ANYWHERE)


def _disabled_arrow(arrow: str) -> Control:
    """Returns an arrow at the edge of the board. A real one would lead to the same part, and so share a custom id."""
    return button(ids.NOWHERE(arrow=arrow), arrow, disabled=True)


def other_choices(step: TurnStep, crop: Crop, words: Words, make_button: MakeButton) -> Iterator[Control]:
    """Yields the choices that are no crossings, and the way back."""
    here = point_name(crop.middle)
    for option in step.available_options:
        yield make_button(option.label.text(words), option.code, here, discord.ButtonStyle.success)
    if step.back is not None:
        yield make_button(words("button.back"), step.back, here)


def panel_middle(match: Match, step: TurnStep, place: str) -> Point | None:
    """Returns the middle of the part to show: the first step opens where its button said."""
    if place and not place.startswith(ANYWHERE):
        return parse_point(place)
    return keypad_middle(match) if step.code == "" and step.points else step.focus


class PositionKeypad(NamedTuple):
    """The keypad of a `position` after the `recent` dots.

    `to_step` makes the button that leads to a step of a turn, as on the keypad of a match; `to_play` the one that plays
    a complete turn. `name` is that of its pictures. `others` are the controls that belong below it, the most needed
    first. With a `zone` only that part can be chosen from.
    """

    position: DotsPosition
    recent: Sequence[Point]
    theme: str
    name: str
    to_step: MakeButton
    to_play: Callable[[str, str], Control]
    others: Sequence[Control] = ()
    zone: Zone | None = None

    def parts(self, words: Words, code: str, place: str, head: str) -> list[Part]:
        """Returns the keypad, an overview, or a look at the turn of a `code`, below a `head`. Takes 10 to 150 ms.

        Raises RuleError for a code or a place that leads nowhere.
        """
        step = likely_step_in(self.position, self.recent, code)
        middle = None if step.points else step.focus
        if self.zone is not None:
            points = {point: code for point, code in step.points.items() if self.zone.contains(point)}
            step, middle = replace(step, points=points), centre(self.zone)
        if place and not place.startswith(ANYWHERE):
            middle = parse_point(place)
        crop = Crop.of(step.picture, step.chances, middle, self.theme)
        if not step.points:
            zone = decision_zone(step.picture, crop.middle)
            looked = drawing_file(draw_zone(step.picture, zone, words, self.theme), f"{self.name}-look")
            turn = step.complete_turn or ""
            play = self.to_play(step.prompt.text(words), turn)
            another = self.to_step(words("button.another"), step.back or "", point_name(crop.middle))
            return [looked, head, [play, another]]
        if place.startswith(ANYWHERE):
            name = f"{self.name}-overview"
            return [*overview_parts(step, crop, place, words, name, self.to_step, head)]
        below = [*self.others]
        if not shows_all(step, crop):
            below.insert(0, self.to_step(words("overview.open"), step.code, ANYWHERE))
        return [*pad_rows(step, crop, head, words, self.to_step, f"{self.name}-keypad", [below])]
