"""The effects of a turn of Dots: in words, and drawn over the position before it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from play.turns.step import Phrase
from rules.dots import DotsPosition, Offer, Turn
from rules.dots.adjacency import Adjacency
from rules.game import Area, Line, Picture, Point, Seat, Stone


def preview_picture(position: DotsPosition, after: DotsPosition, turn: Turn, offers: Sequence[Offer] = ()) -> Picture:
    """Returns the position with the dot as a ghost, the areas that the turn closes, and the dots that it captures; and
    the `offers`, of which those that it takes are marked."""
    before, then, mover = position.picture(), after.picture(), position.to_act
    free = {stone.point for stone in before.stones if not stone.captured} | {turn.dot}
    known, closed = set(before.areas), {*turn.paints, *(chain[0] for chain in turn.chains if len(chain) == 1)}
    return replace(
        before,
        ghost=Stone(turn.dot, mover),
        plans=tuple(area for area in then.areas if area not in known),
        open=tuple(area for area in before.open if area.seat != mover),
        offers=tuple(Area(mover, offer.chain) for offer in offers),
        taken=frozenset(number for number, offer in enumerate(offers, start=1) if offer.point in closed),
        falling=tuple(stone.point for stone in then.stones if stone.captured and stone.point in free),
        last=(),
    )


def drawing_picture(
    position: DotsPosition, after: DotsPosition, turn: Turn, chain: Sequence[Point], choices: Iterable[Point]
) -> Picture:
    """Returns the position with a turn that can be played so far, and the chain that its player is drawing: its newest
    dot stands out, and the next ones are marked."""
    picture = preview_picture(position, after, turn)
    line = Line(position.to_act, tuple(chain)) if len(chain) > 1 else None
    return replace(picture, line=line, choices=frozenset(choices), last=tuple(chain[-1:]))


def describe_effects(position: DotsPosition, dot: Point, after: DotsPosition, *, offered: bool) -> Iterator[Phrase]:
    """Yields what a dot does; `offered` says that the player may still close areas with it."""
    mover = position.to_act
    captured = {stone.point for stone in after.picture().stones if stone.captured and stone.seat == mover}
    gains = [*_describe_gains(position, after, mover)]
    if dot in captured:
        yield Phrase("falls")
    yield from gains
    survey = Adjacency(position)
    owner = survey.house_owner(dot, mover)
    if owner not in (None, mover) and dot not in captured:
        yield Phrase("enters")
    if not gains and dot not in captured:
        if offered:
            yield Phrase("alone")
        elif Adjacency(after).count_enclosed(mover) > survey.count_enclosed(mover):
            yield Phrase("house")
        elif owner in (None, mover):
            yield Phrase("quiet")
    if after.outcome is not None:
        yield Phrase("ends")


def _describe_gains(position: DotsPosition, after: DotsPosition, mover: Seat) -> Iterator[Phrase]:
    """Yields how many dots the mover and the others capture, whatever else the score counts."""
    for seat, (new, old) in enumerate(zip(after.field.scores, position.field.scores, strict=True)):
        change = new - old
        if seat == mover and change > 0:
            yield Phrase("captures", {"count": change})
        elif seat != mover and change > 0:
            yield Phrase("loses", {"count": change})
        elif seat != mover and change < 0:
            yield Phrase("frees", {"count": -change})
