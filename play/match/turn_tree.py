"""A tree of turns that are tried, with notes and marks: what an analysis sheet and a board of one's own share."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from play.refusal import Reason, Refused
from rules.game import Seat

MAX_NOTE_LENGTH = 500
"""Characters in one note."""


@dataclass(frozen=True, slots=True)
class TriedTurn:
    """A turn of a `seat` in a tree, as its notation. `parent` is the `id` of the turn before it; a turn without one
    comes `after` so many moves of the game. `marks` are those of play/boards/marks.py in the position after it."""

    id: int
    parent: int | None
    after: int
    seat: Seat
    text: str
    note: str = ""
    marks: tuple[str, ...] = ()


class TurnTree:
    """What both are: `turns`, each after its parent, no two with one place and text.

    `next_id` is above all ids that the tree has ever had, so that a late request never finds another turn. `removed`
    are the turns that were removed last, and can come back.
    """

    __slots__ = ()
    __dataclass_fields__: ClassVar[dict[str, Any]]

    MOST_TURNS: ClassVar[int]
    MOST_CHARACTERS: ClassVar[int]
    """Of all turns, notes and marks."""

    turns: tuple[TriedTurn, ...]
    next_id: int
    removed: tuple[TriedTurn, ...]

    @property
    def length(self) -> int:
        """The characters of all turns, notes and marks."""
        return length_of(self.turns)

    def turn(self, number: int) -> TriedTurn:
        """Returns the turn with this id. Raises Refused (`sheet_turn_gone`)."""
        for turn in self.turns:
            if turn.id == number:
                return turn
        raise Refused(Reason.SHEET_TURN_GONE)

    def path(self, number: int) -> tuple[TriedTurn, ...]:
        """Returns the turns from the first one to the one with this id. Raises Refused (`sheet_turn_gone`)."""
        known = {turn.id: turn for turn in self.turns}
        path = [self.turn(number)]
        while (parent := path[-1].parent) is not None:
            path.append(known[parent])
        return tuple(reversed(path))

    def add(self, text: str, seat: Seat, *, after: int, parent: int | None) -> tuple[Self, TriedTurn]:
        """Returns the tree with a turn, and that turn; one that is there already is not added. Raises Refused
        (`sheet_full`)."""
        for known in self.turns:
            if (known.parent, known.after, known.seat, known.text) == (parent, after, seat, text):
                return self, known
        added = TriedTurn(self.next_id, parent, after, seat, text)
        changed = replace(self, turns=(*self.turns, added), next_id=added.id + 1, removed=())
        return changed.require_room(), added

    def remove(self, number: int) -> Self:
        """Returns the tree without this turn and all that follow it. Raises Refused (`sheet_turn_gone`)."""
        if self.removed and self.removed[0].id == number:
            return self  # the browser has sent it twice
        first = self.turn(number)
        gone = {first.id}
        for turn in self.turns:
            if turn.parent in gone:
                gone.add(turn.id)
        stay = tuple(turn for turn in self.turns if turn.id not in gone)
        followers = (turn for turn in self.turns if turn.id in gone and turn is not first)
        return replace(self, turns=stay, removed=(first, *followers))

    def restore(self, number: int) -> Self:
        """Returns the tree with this turn again, if it was removed last, and all that followed it.

        Raises Refused (`sheet_turn_gone`, `sheet_full`).
        """
        if any(turn.id == number for turn in self.turns):
            return self  # the browser has sent it twice
        if not self.removed or self.removed[0].id != number:
            raise Refused(Reason.SHEET_TURN_GONE)
        turns = tuple(sorted((*self.turns, *self.removed), key=_by_id))
        return replace(self, turns=turns, removed=()).require_room()

    def annotate(self, number: int, note: str) -> Self:
        """Returns the tree with this note at a turn; an empty one removes it.

        Raises Refused (`sheet_turn_gone`, `note_too_long`, `sheet_full`).
        """
        return self._change(number, note=checked_note(note))

    def mark(self, number: int, marks: tuple[str, ...]) -> Self:
        """Returns the tree with these marks at a turn. Raises Refused (`sheet_turn_gone`, `sheet_full`)."""
        return self._change(number, marks=marks)

    def require_room(self) -> Self:
        """Returns the tree. Raises Refused (`sheet_full`) if it has too many turns, or too long ones."""
        if len(self.turns) > self.MOST_TURNS or self.length > self.MOST_CHARACTERS:
            raise Refused(Reason.SHEET_FULL, most=self.MOST_TURNS)
        return self

    def _change(self, number: int, **changes: Any) -> Self:
        changed = self.turn(number)
        turns = tuple(replace(turn, **changes) if turn is changed else turn for turn in self.turns)
        return replace(self, turns=turns).require_room()


def length_of(turns: Iterable[TriedTurn]) -> int:
    """Returns the characters of turns with their notes and marks."""
    return sum(len(turn.text) + len(turn.note) + sum(map(len, turn.marks)) for turn in turns)


def checked_note(note: str) -> str:
    """Returns a note without blanks around it. Raises Refused (`note_too_long`)."""
    note = note.strip()
    if len(note) > MAX_NOTE_LENGTH:
        raise Refused(Reason.NOTE_TOO_LONG, most=MAX_NOTE_LENGTH)
    return note


def _by_id(turn: TriedTurn) -> int:
    return turn.id
