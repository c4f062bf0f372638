"""An analysis sheet: the turns that a player tries in private, as a tree with notes beside the game's own moves."""

from dataclasses import dataclass, replace
from typing import NamedTuple, Self

from play.ids import MatchId, UserId
from play.match.conditional_moves import MAX_REPLIES
from play.match.events import Event, EventKind
from play.match.match import Match
from play.match.turn_tree import TriedTurn, TurnTree
from play.refusal import Reason, Refused
from rules.game import RuleError, Seat

MAX_TURNS = 500
"""Turns on one sheet."""

MAX_TEXT_LENGTH = 40_000
"""Characters in all turns and notes of one sheet."""

MAX_SHEETS = 100
"""Sheets of one user; a further one takes the place of the oldest."""


class Branch(NamedTuple):
    """The turns of a branch that the game has not reached, as conditional moves: the player's `own` next turn if it is
    theirs to play, then what they `expect`, each with its reply."""

    own: str | None
    line: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Sheet(TurnTree):
    """What one player has tried in one match.

    `version` counts the changes. The other players see a sheet that is `published`, once the match is over. One that is
    `barred` was taken off by moderators, and stays private.
    """

    MOST_TURNS = MAX_TURNS
    MOST_CHARACTERS = MAX_TEXT_LENGTH

    match: MatchId
    user: UserId
    turns: tuple[TriedTurn, ...] = ()
    next_id: int = 1
    removed: tuple[TriedTurn, ...] = ()
    version: int = 0
    published: bool = False
    barred: bool = False

    def publish(self, *, published: bool) -> Self:
        """Returns the sheet as one that others see, or no longer. Raises Refused (`sheet_taken_off`)."""
        if published and self.barred:
            raise Refused(Reason.SHEET_TAKEN_OFF)
        return replace(self, published=published)


def try_turn(
    sheet: Sheet, match: Match, text: str, *, after: int, parent: int | None = None
) -> tuple[Sheet, TriedTurn]:
    """Returns the sheet with a turn of the seat to act there, and that turn; one that is there already is not added.

    It follows `parent`, or else comes `after` so many moves of the game. Raises Refused (`sheet_turn_gone`,
    `sheet_full`, and what the rules refuse).
    """
    after = after if parent is None else sheet.turn(parent).after
    position = match_at(sheet, match, after=after, turn=parent).position
    try:
        turn = match.game.parse(text)
        position.play(turn)
    except RuleError as error:
        raise Refused.by_rules(error) from error
    return sheet.add(str(turn), position.to_act, after=after, parent=parent)


def match_at(sheet: Sheet, match: Match, *, after: int, turn: int | None = None) -> Match:
    """Returns the match as it would be after a turn of the sheet, or else `after` so many of its moves. Only its
    position, moves and outcome are those of that moment, so nothing may be kept by its version. Where a player
    resigned, the game can be tried further.

    Raises Refused: `sheet_turn_gone`, and what the rules refuse where moves were taken back and others played.
    """
    path = () if turn is None else sheet.path(turn)
    after = path[0].after if path else after
    if not 0 <= after <= len(match.moves):
        raise Refused(Reason.SHEET_TURN_GONE)
    played = match.moves[:after]
    tried = tuple(Event(EventKind.MOVE, step.seat, step.text, match.started, None) for step in path)
    is_newest = after == len(match.moves)
    position = match.position if is_newest else match.game.start(match.seed)
    try:
        for move in tried if is_newest else (*played, *tried):
            position = position.play(match.game.parse(move.text))
    except RuleError as error:
        raise Refused.by_rules(error) from error
    return replace(match, position=position, moves=(*played, *tried), outcome=position.outcome, offers=())


def branch_to(sheet: Sheet, match: Match, user: UserId, number: int) -> Branch:
    """Returns the branch that ends with this turn, from the current position on. A last turn without reply is left out.

    Raises Refused (`sheet_turn_gone`, `plan_needs_two`, `plan_after_end` if a seat moves twice, `plan_too_long`, and
    `branch_left` if the game has left the branch or no reply in it can be planned).
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
    if not line:
        raise Refused(Reason.BRANCH_LEFT)
    if len(line) > MAX_REPLIES:
        raise Refused(Reason.PLAN_TOO_LONG, most=MAX_REPLIES)
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
