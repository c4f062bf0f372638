"""An analysis sheet: the turns that a player tries in private, as a tree with notes beside the game's own moves."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple, Self

from play.ids import MatchId, UserId
from play.match.match import Match
from play.refusal import Reason, Refused
from rules.game import AnyPosition, RuleError
from rules.point import Seat

MAX_TURNS = 500
"""Turns on one sheet."""

MAX_NOTE_LENGTH = 500
"""Characters in one note."""

MAX_NOTES_LENGTH = 20_000
"""Characters in all notes of one sheet."""


@dataclass(frozen=True, slots=True)
class TriedTurn:
    """A turn on a sheet, as its notation. `parent` is the `id` of the turn before it; a turn without one comes `after`
    so many moves of the game."""

    id: int
    parent: int | None
    after: int
    text: str
    note: str = ""


class Branch(NamedTuple):
    """The turns of a branch that the game has not reached, as conditional moves: the player's `own` next turn if it is
    theirs to play, then what they `expect`, each with its reply."""

    own: str | None
    line: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """What one player has tried in one match. A turn comes after its parent, and no two turns have one place and text.

    `next_id` is above all ids that the sheet has ever had, so that a late request never finds another turn.
    """

    match: MatchId
    user: UserId
    turns: tuple[TriedTurn, ...] = ()
    next_id: int = 1

    def turn(self, number: int) -> TriedTurn:
        """Returns the turn with this id. Raises Refused (`sheet_turn_gone`)."""
        for turn in self.turns:
            if turn.id == number:
                return turn
        raise Refused(Reason.SHEET_TURN_GONE)

    def path(self, number: int) -> tuple[TriedTurn, ...]:
        """Returns the turns from the game to the one with this id. Raises Refused (`sheet_turn_gone`)."""
        path = [self.turn(number)]
        while path[-1].parent is not None:
            path.append(self.turn(path[-1].parent))
        return tuple(reversed(path))

    def remove(self, number: int) -> Self:
        """Returns the sheet without this turn and all that follow it. Raises Refused (`sheet_turn_gone`)."""
        gone = {self.turn(number).id}
        for turn in self.turns:
            if turn.parent in gone:
                gone.add(turn.id)
        return replace(self, turns=tuple(turn for turn in self.turns if turn.id not in gone))

    def annotate(self, number: int, note: str) -> Self:
        """Returns the sheet with this note at a turn; an empty one removes it.

        Raises Refused (`sheet_turn_gone`, `note_too_long`, `sheet_full`).
        """
        noted, note = self.turn(number), note.strip()
        if len(note) > MAX_NOTE_LENGTH:
            raise Refused(Reason.NOTE_TOO_LONG, most=MAX_NOTE_LENGTH)
        turns = tuple(replace(turn, note=note) if turn is noted else turn for turn in self.turns)
        if sum(len(turn.note) for turn in turns) > MAX_NOTES_LENGTH:
            raise Refused(Reason.SHEET_FULL, most=MAX_TURNS)
        return replace(self, turns=turns)


def try_turn(
    sheet: Sheet, match: Match, text: str, *, after: int, parent: int | None = None
) -> tuple[Sheet, TriedTurn]:
    """Returns the sheet with a turn of the seat to act there, and that turn; one that is there already is not added.

    It follows `parent`, or else comes `after` so many moves of the game. Raises Refused (`sheet_turn_gone`,
    `sheet_full`, and what the rules refuse).
    """
    after = after if parent is None else sheet.turn(parent).after
    position = position_after(match, after) if parent is None else position_at(sheet, match, parent)
    try:
        turn = match.game.parse(text)
        position.play(turn)
    except RuleError as error:
        raise Refused.by_rules(error) from error
    for known in sheet.turns:
        if (known.parent, known.after, known.text) == (parent, after, str(turn)):
            return sheet, known
    if len(sheet.turns) >= MAX_TURNS:
        raise Refused(Reason.SHEET_FULL, most=MAX_TURNS)
    tried = TriedTurn(sheet.next_id, parent, after, str(turn))
    return replace(sheet, turns=(*sheet.turns, tried), next_id=tried.id + 1), tried


def position_after(match: Match, moves: int) -> AnyPosition:
    """Returns the position after so many moves of the match. Raises Refused (`sheet_turn_gone`) if it has fewer."""
    if not 0 <= moves <= len(match.moves):
        raise Refused(Reason.SHEET_TURN_GONE)
    if moves == len(match.moves):
        return match.position
    position = match.game.start(match.seed)
    for move in match.moves[:moves]:
        position = position.play(match.game.parse(move.text))
    return position


def position_at(sheet: Sheet, match: Match, number: int) -> AnyPosition:
    """Returns the position after a turn of the sheet.

    Raises Refused: `sheet_turn_gone`, and what the rules refuse where moves were taken back and others played.
    """
    path = sheet.path(number)
    position = position_after(match, path[0].after)
    try:
        for turn in path:
            position = position.play(match.game.parse(turn.text))
    except RuleError as error:
        raise Refused.by_rules(error) from error
    return position


def branch_to(sheet: Sheet, match: Match, user: UserId, number: int) -> Branch:
    """Returns the branch that ends with this turn, from the current position on. A last turn without reply is left out.

    Raises Refused (`sheet_turn_gone`, `plan_needs_two`, `plan_after_end` if a seat moves twice, and `branch_left` if
    the game has left the branch or nothing in it can be planned).
    """
    if match.game.seats != 2:
        raise Refused(Reason.PLAN_NEEDS_TWO)
    path, seat = sheet.path(number), match.seat_of(user)
    played = [move.text for move in match.moves[path[0].after :]]
    if [turn.text for turn in path[: len(played)]] != played or len(match.moves) < path[0].after or match.outcome:
        raise Refused(Reason.BRANCH_LEFT)
    texts = [turn.text for turn in path[len(played) :]]
    _require_alternation(match, texts)
    own = texts.pop(0) if texts and match.to_act == seat else None
    line = tuple(zip(texts[::2], texts[1::2], strict=False))
    if own is None and not line:
        raise Refused(Reason.BRANCH_LEFT)
    return Branch(own, line)


def _require_alternation(match: Match, texts: list[str]) -> None:
    """Raises Refused (`plan_after_end`, and what the rules refuse) unless both seats take turns in `texts`."""
    position, player = match.position, match.position.to_act
    try:
        for text in texts:
            if position.outcome or position.to_act != player:
                raise Refused(Reason.PLAN_AFTER_END)
            position, player = position.play(match.game.parse(text)), Seat(1 - player)
    except RuleError as error:
        raise Refused.by_rules(error) from error
