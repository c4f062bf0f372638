"""The contract of every game: values that say what is legal, and nothing about people, time or pixels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, Self, TypeVar

from rules.picture import Picture
from rules.point import Seat


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a contest. `winners` has one seat for a win, several for a draw, none where nothing was decided.
    `reason` is a key (`full`, `resign`, `time`, `abort`), never prose."""

    winners: tuple[Seat, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Opening:
    """The turns before the first move of a game that begins in the middle of another one, in their notation. They are
    those of a `match` up to its `move` of that number, or of an imported record where the match is 0.

    They belong to the game and to none of its players: no clock runs for them, and nobody takes them back. Dots alone
    could not say the same: which areas were drawn or painted, and who has stopped, follow from the turns.
    """

    turns: tuple[str, ...]
    match: int
    move: int


class RuleError(Exception):
    """A request that the rules reject: a reason key, and the details that its sentence needs. The tree:

    RuleError
    ├── BadNotation   the text is no move
    ├── BadOption     the options make no game
    └── IllegalMove   a move, but not here and now
    """

    def __init__(self, key: str, **details: str | int) -> None:
        super().__init__(key, details)
        self.key = key
        self.details = details


class BadNotation(RuleError):
    """A text that cannot be read as a move of this game."""


class BadOption(RuleError):
    """Options that make no game, alone or together."""


class IllegalMove(RuleError):
    """A readable move that the position does not allow."""


M = TypeVar("M")


class Position(Protocol[M]):
    """A moment of a game. Immutable: `play` returns the next one."""

    @property
    def to_act(self) -> Seat:
        """The seat whose move it is; seats do not always alternate."""

    @property
    def outcome(self) -> Outcome | None:
        """The end of the game by its own rules, or None while it goes on."""

    @property
    def score(self) -> tuple[float, ...]:
        """Points won so far, one entry a seat."""

    def moves(self) -> Iterable[M]:
        """Lists the legal moves, each once; empty exactly when there is an outcome."""

    def play(self, move: M) -> Self:
        """Returns the position after `move` by the seat to act. Raises IllegalMove."""

    def picture(self) -> Picture:
        """Returns the visible shapes."""


class Game(Protocol[M]):
    """A configured rule set: a frozen, hashable value. Its `key` names the preset that it was made from."""

    def __hash__(self) -> int: ...

    @property
    def key(self) -> str: ...

    @property
    def seats(self) -> int: ...

    @property
    def options(self) -> Mapping[str, str]:
        """Every option as text, for storage and for display; `with_options` reads it back."""

    def with_options(self, options: Mapping[str, str]) -> Self:
        """Returns this game with some options changed. Raises BadOption for an unknown, unreadable or impossible
        one."""

    @property
    def opening(self) -> Opening | None:
        """The turns before the first move; None for a game that begins at its own start."""

    @property
    def score_unit(self) -> str:
        """The unit of the score, as a key: `dots`, `fives`."""

    def resolve_chance(self, seed: int) -> Self:
        """Returns this game with everything left to chance decided by `seed`. A match stores the game that it began
        with."""

    def start(self, seed: int) -> Position[M]:
        """Returns the first position, with chance decided by `seed`."""

    def parse(self, text: str) -> M:
        """Returns the move that `text` names: `parse(str(move)) == move`. Raises BadNotation."""


AnyGame = Game[Any]
AnyPosition = Position[Any]
"""A match does not know which game it plays, so its moves are of any type."""
