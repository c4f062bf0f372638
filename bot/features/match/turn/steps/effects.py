"""What a turn of Dots would do: in words, and drawn over the position before it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from bot.features.match.turn.steps.step import Said
from opponent.suggest.survey import Survey
from rules.dots import DotsPosition, Offer
from rules.game import Point, Seat
from rules.picture import Area, Picture, Stone


def pictured(position: DotsPosition, after: DotsPosition, dot: Point, offers: Sequence[Offer]) -> Picture:
    """The position with the dot as a ghost, the areas that would be closed, and what would fall in them."""
    before, then, mover = position.picture(), after.picture(), position.to_act
    standing = {stone.point for stone in before.stones if not stone.captured}
    known = set(before.areas)
    return replace(
        before,
        ghost=Stone(dot, mover),
        plans=tuple(area for area in then.areas if area not in known) if not offers else (),
        offers=tuple(Area(mover, offer.chain) for offer in offers),
        falling=tuple(stone.point for stone in then.stones if stone.captured and stone.point in standing | {dot}),
        last=(),
    )


def effects(position: DotsPosition, dot: Point, after: DotsPosition, *, offered: bool) -> Iterator[Said]:
    """What a dot does; `offered` if more may be closed with it."""
    mover = position.to_act
    fallen = {stone.point for stone in after.picture().stones if stone.captured and stone.seat == mover}
    gains = [*_gains(position, after, mover)]
    if dot in fallen:
        yield Said("falls")
    yield from gains
    survey = Survey(position)
    owner = survey.house(dot, mover)
    if owner not in (None, mover) and dot not in fallen:
        yield Said("enters")
    if not gains and dot not in fallen:
        if offered:
            yield Said("alone")
        elif Survey(after).closes(mover) > survey.closes(mover):
            yield Said("house")
        elif owner in (None, mover):
            yield Said("quiet")
    if after.outcome is not None:
        yield Said("ends")


def _gains(position: DotsPosition, after: DotsPosition, mover: Seat) -> Iterator[Said]:
    """How the scores change: what the mover wins, and what the others do."""
    for seat, (new, old) in enumerate(zip(after.score, position.score, strict=True)):
        change = int(new - old)
        if seat == mover and change > 0:
            yield Said("captures", {"count": change})
        elif seat != mover and change > 0:
            yield Said("loses", {"count": change})
        elif seat != mover and change < 0:
            yield Said("frees", {"count": -change})
