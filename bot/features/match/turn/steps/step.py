"""How far a turn has come, and how it can go on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from rules.picture import Picture
from rules.point import Point

if TYPE_CHECKING:
    from bot.i18n.words import Words

MAX_CODE = 60
"""Characters of a custom id for what is begun of a turn."""

MAX_OPTIONS = 20


class Said(NamedTuple):
    """A sentence by its key behind `step.`, and its details."""

    key: str
    details: Mapping[str, str | int] = {}

    def told(self, words: Words) -> str:
        return words(f"step.{self.key}", **self.details)


class Option(NamedTuple):
    """One way to go on: what its button says, what is begun then, and whether that has happened already (the button
    then takes it back)."""

    said: Said
    begun: str
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """A turn as far as it was `begun`: a code that a button carries, the empty one for nothing yet.

    `whole` is the turn in its notation, if it can be played as it is; `asks` what to do now; `news` what the turn would
    do. Going on is pointing at one of `points` (what is begun then, by crossing) or choosing an option; `back` is what
    was begun one step before. `chances` tells which points are likely, in any measure; `place` is where it happens.
    """

    begun: str
    asks: Said
    picture: Picture
    whole: str | None = None
    news: tuple[Said, ...] = ()
    points: Mapping[Point, str] = field(default_factory=dict)
    chances: Mapping[Point, float] = field(default_factory=dict)
    options: tuple[Option, ...] = ()
    back: str | None = None
    place: Point | None = None

    @property
    def reachable(self) -> dict[Point, str]:
        """The points whose codes fit into a button."""
        return {point: begun for point, begun in self.points.items() if len(begun) <= MAX_CODE}

    @property
    def offered(self) -> list[Option]:
        """The options that there is room for, on a panel and in a button."""
        return [option for option in self.options if len(option.begun) <= MAX_CODE][:MAX_OPTIONS]
