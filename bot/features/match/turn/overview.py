"""The way to any crossing of a board over 9: its regions, then the parts of one, then the keypad.

`go:K12@*` shows the regions of a board in which the step `K12` goes on, `go:K12@*C` the parts of region C. A part is
what a keypad shows: 5x5 crossings. Regions of three by three parts make every crossing three taps away from here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from math import exp
from string import ascii_uppercase, digits
from typing import NamedTuple, Protocol

import discord

from bot.interactions import custom_ids as ids
from bot.interactions.buttons import button
from bot.interactions.layout import MAX_ROW, Control, Part
from bot.interactions.pictures import picture_file
from opponent.suggest.point_ranking import rank_points
from play.match.match import Match
from play.turns import TurnStep, step_at, step_in
from presentation.match.crops import CHOICE_REACH, Crop, centre, choice_middle
from presentation.text import MAX_ALT
from presentation.words.words import Words
from renderer.layout import LARGE_SIDE
from renderer.regions import Region, draw_regions
from renderer.theme import PAPER, THEMES
from rules.dots import DotsPosition
from rules.game import BadNotation
from rules.notation import column_name, point_name
from rules.picture import Picture, Zone
from rules.point import Point

MAX_KEYPAD_SIDE = 9
"""Crossings a side up to which two arrows of the keypad lead anywhere."""

PART_SIDE = 2 * CHOICE_REACH + 1
"""Crossings a side of what a keypad shows."""

REGION_PARTS = 3
"""Parts a side of a region. A board of 60x60 has 16 regions."""

ANYWHERE = "*"
"""Begins the place of an overview in a code, where a keypad has its middle."""


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
    yield picture_file(png, name, " ".join(_describe(tile, words) for tile in tiles)[:MAX_ALT])
    yield "\n".join(filter(None, (notice, begun, head)))
    for _, row in groupby(tiles, key=lambda tile: tile.row):
        yield [
            make_button(tile.sign, step.code, tile.place) if tile.sign in free else _disabled_tile(tile.sign)
            for tile in row
        ]
    yield [*_ways_out(step, crop, {tile.place for tile in tiles}, region, words, make_button)][:MAX_ROW]


def _disabled_tile(sign: str) -> Control:
    """Returns a region in which nothing can be chosen. It keeps the others in their places."""
    return button(ids.FULL(sign=sign), sign, disabled=True)


def _ways_out(
    step: TurnStep, crop: Crop, taken: set[str], region: str, words: Words, make_button: MakeButton
) -> Iterator[Control]:
    """Yields the way back to the regions, and those to the likeliest parts."""
    if region:
        yield make_button(words("button.back"), step.code, ANYWHERE)
    for front in crop.fronts:
        if point_name(front) not in taken:  # custom ids are unique in a message
            label = words("keypad.front", point=point_name(front))
            yield make_button(label, step.code, point_name(front), discord.ButtonStyle.primary)


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


def likely_step(match: Match, code: str = "") -> TurnStep | None:
    """Returns the step that `code` leads to, as `step_at` does, with the chances of its crossings. Raises RuleError."""
    return step_at(match, code, rank)


def likely_step_in(position: DotsPosition, recent: Sequence[Point], code: str = "") -> TurnStep:
    """Returns the step that `code` leads to in a position without a match, as `likely_step` does. Raises RuleError."""
    return step_in(position, recent, code, rank)


def rank(position: DotsPosition, recent: Sequence[Point], reach: int | None = None) -> Mapping[Point, float]:
    """Returns the crossings where a dot may be placed, with the chance of each: with `reach` only those that near to
    the last of the `recent` dots, if there are any."""
    ranked = rank_points(position, recent, reach) or rank_points(position, recent)
    best = ranked[0].weight if ranked else 0.0
    return {one.point: exp(one.weight - best) for one in ranked}
