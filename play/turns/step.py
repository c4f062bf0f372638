"""How far a turn is, and how it can go on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from rules.game import Picture, Point

MAX_CODE = 60
"""Characters of a code that a button of Discord has room for."""

MAX_OPTIONS = 20
"""Options with a button of Discord: seven rows of a panel."""


class Phrase(NamedTuple):
    """A text of the catalogues: its key below `step.`, and its details."""

    key: str
    details: Mapping[str, str | int] = {}

    def text(self, words: Callable[..., str]) -> str:
        """Returns the phrase in the words of a language."""
        return words(f"step.{self.key}", **self.details)


class StepOption(NamedTuple):
    """One way to go on: the label of its button and the code that it leads to. A `chosen` one leads back, and a
    `disabled` one only keeps the others in their places."""

    label: Phrase
    code: str = ""
    chosen: bool = False
    disabled: bool = False


@dataclass(frozen=True, slots=True)
class TurnStep:
    """A turn as far as its `code` says; the empty code is the first step.

    Attributes:
        prompt: what the player does now; for a complete turn the label of the button that plays it.
        heading: what a complete turn is, above its effects; None for a turn that its notation names well.
        complete_turn: the turn in its notation, once it can be played.
        asks: whether the player decides what a complete turn closes, or has decided it already.
        closable: how many areas the turn could close.
        plain: the label and the code of the same turn without what it closes.
        effects: what the turn would do.
        points: the codes of the crossings that a player can choose next.
        chances: how likely the points are, in any measure.
        options: the other ways to go on.
        back: the code of the step before.
        focus: the crossing that the turn is about.
    """

    code: str
    prompt: Phrase
    picture: Picture
    heading: Phrase | None = None
    complete_turn: str | None = None
    asks: bool = False
    closable: int = 0
    plain: StepOption | None = None
    effects: tuple[Phrase, ...] = ()
    points: Mapping[Point, str] = field(default_factory=dict)
    chances: Mapping[Point, float] = field(default_factory=dict)
    options: tuple[StepOption, ...] = ()
    back: str | None = None
    focus: Point | None = None

    @property
    def available_points(self) -> dict[Point, str]:
        """The points whose codes fit into a button."""
        return {point: code for point, code in self.points.items() if len(code) <= MAX_CODE}

    @property
    def available_options(self) -> list[StepOption]:
        """The options that fit on a panel and into a button."""
        return [option for option in self.options if len(option.code) <= MAX_CODE][:MAX_OPTIONS]
