"""Conditional moves: what a player will reply if their opponent plays what they expect."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Self

from play.ids import MatchId, UserId
from play.match.endings import STOP, STOP_WAITING
from play.match.events import Event, EventKind
from play.match.match import Match
from play.match.moves import acting_seat
from play.refusal import Reason, Refused
from rules.game import IllegalMove, RuleError, Seat

MAX_REPLIES = 5
"""Replies in one line."""


class ConditionalReply(NamedTuple):
    """The `reply` to an `expected` turn of the opponent, both as notations."""

    expected: str
    reply: str


@dataclass(frozen=True, slots=True)
class ConditionalLine:
    """The conditional moves of one player, which no other player sees. They end as soon as the game leaves them."""

    match: MatchId
    seat: Seat
    replies: tuple[ConditionalReply, ...]

    def rest(self) -> Self:
        """Returns the rest of the line after its first reply."""
        return replace(self, replies=self.replies[1:])


def plan_line(match: Match, user: UserId, line: Sequence[tuple[str, str]]) -> ConditionalLine:
    """Returns `line` as conditional moves of `user`, whose opponent is to move, with every turn checked in its order.

    Raises Refused (`plan_needs_two`, `plan_in_own_turn`, `plan_too_long`, `plan_after_end`, and what the rules refuse).
    """
    seat = acting_seat(match, user)
    if match.game.seats != 2:
        raise Refused(Reason.PLAN_NEEDS_TWO)
    if match.to_act == seat:
        raise Refused(Reason.PLAN_IN_OWN_TURN)
    if not 1 <= len(line) <= MAX_REPLIES:
        raise Refused(Reason.PLAN_TOO_LONG, most=MAX_REPLIES)
    position, answers = match.position, []
    try:
        for expected, reply in line:
            turns = []
            for player, text in ((1 - seat, expected), (seat, reply)):
                if position.outcome or position.to_act != player:
                    raise Refused(Reason.PLAN_AFTER_END)
                turn = match.game.parse(STOP if text.strip().lower() == STOP_WAITING else text)
                position = position.play(turn)
                turns.append(str(turn))
            answers.append(ConditionalReply(*turns))
    except RuleError as error:
        raise Refused.by_rules(error) from error
    return ConditionalLine(match.id, seat, tuple(answers))


def apply_reply(match: Match, plan: ConditionalLine) -> Match | None:
    """Returns the match after the planned reply to its last event, at the same moment.

    None if the game has left the line.
    """
    last = match.events[-1]
    if not last.is_move or match.to_act != plan.seat or not plan.replies or plan.replies[0].expected != last.text:
        return None
    try:
        return match.after(Event(EventKind.PLANNED, plan.seat, plan.replies[0].reply, last.at, None))
    except IllegalMove:
        return None
