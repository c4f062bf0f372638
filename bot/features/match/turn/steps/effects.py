"""The effects of a turn of Dots: in words, and drawn over the position before it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from bot.features.match.turn.steps.step import Phrase
from opponent.suggest.adjacency import Adjacency
from rules.dots import DotsPosition, Offer
from rules.picture import Area, Picture, Stone
from rules.point import Point, Seat


def preview_picture(position: DotsPosition, after: DotsPosition, dot: Point, offers: Sequence[Offer]) -> Picture:
    """Returns the position with the dot as a ghost, the areas that it closes, and the dots that it captures.

    As long as there are `offers`, those are the areas.
    """
    before, then, mover = position.picture(), after.picture(), position.to_act
    free = {stone.point for stone in before.stones if not stone.captured} | {dot}
    known = set(before.areas)
    return replace(
        before,
        ghost=Stone(dot, mover),
        plans=tuple(area for area in then.areas if area not in known) if not offers else (),
        offers=tuple(Area(mover, offer.chain) for offer in offers),
        falling=tuple(stone.point for stone in then.stones if stone.captured and stone.point in free),
        last=(),
    )


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
