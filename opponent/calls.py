"""The computer's actions beside placing dots: it stops, lands, resigns, and accepts a draw."""

from __future__ import annotations

from opponent.choice import Choice
from rules.dots import Call, DotsPosition
from rules.game import AnyPosition
from rules.point import Seat

HOPELESS, FAR_BEHIND, LATE = 0.03, -8.0, 0.4
"""It resigns with at most this share of the win, if it is so many points behind. This share of the field must be out of
play."""

NEAR_END = 0.7
"""The share of the field that is out of play when the computer accepts a draw on a level score."""

CONTENT, HAPPY = 0.55, 0.45
"""Shares of the win. With equal scores it accepts a draw if it expects no more than the first share. If it is behind
and expects no more than the second, it accepts one from LATE on."""


def ending_call(position: AnyPosition) -> Call | None:
    """Returns the turn without a dot that ends the game as it should end, if there is one."""
    if not isinstance(position, DotsPosition):
        return None
    calls, seat = position.calls(), position.to_act
    if not calls:
        return None
    if position.stopped is not None:  # alone on the field: only further captures could change the result
        stopped = position.play(Call.STOP)
        return Call.STOP if _lead(_filled(position, seat), seat) <= _lead(stopped, seat) else None
    return winning_call(position)


def winning_call(position: DotsPosition) -> Call | None:
    """Returns the turn without a dot by which the player to act wins for sure, if there is one. If the opponent may
    play on, they do their best."""
    calls, seat = position.calls(), position.to_act
    if not position.field.scores[seat] and _progress(position) < LATE:
        return None  # points in advance alone would end the game before it begins
    if Call.LAND in calls:
        return Call.LAND
    if Call.STOP not in calls:
        return None
    stopped = position.play(Call.STOP)
    if stopped.outcome:
        return Call.STOP if stopped.outcome.winners == (seat,) else None
    if _lead(stopped, seat) <= 0:
        return None
    return Call.STOP if _lead(_filled(stopped, stopped.to_act), seat) > 0 else None


def resigns(position: AnyPosition, choice: Choice) -> bool:
    """Returns whether to resign: far behind, late, and without a chance. The score counts as at an agreed end: the
    search counts captured dots, where territory may win.

    Among more than two players none resigns, since that would end the game for the others.
    """
    if not isinstance(position, DotsPosition) or len(position.score) > 2:
        return False
    expected = choice.win <= HOPELESS and choice.value <= FAR_BEHIND
    return expected and _progress(position) >= LATE and _agreed_lead(position, position.to_act) <= 0


def accepts_draw(position: AnyPosition, seat: Seat, choice: Choice) -> bool:
    """Returns whether `seat` accepts a draw; `choice` holds its expectation.

    Never early and never while it leads: a draw with a strong level would be worth more than most wins. Games other
    than Dots have no end that is known to be near, and no level score.
    """
    if not isinstance(position, DotsPosition):
        return False
    lead, progress = _agreed_lead(position, seat), _progress(position)
    if lead < 0 and choice.win <= HAPPY:
        return progress >= LATE
    return lead <= 0 and choice.win <= CONTENT and progress >= NEAR_END


def accepts_end(position: DotsPosition, seat: Seat, choice: Choice) -> bool:
    """Returns whether `seat` agrees to end the game now, by the score of an agreed end.

    It agrees if it wins, if it accepts a draw, or if its position is hopeless.
    """
    outcome = position.agreed_end().outcome
    if seat not in outcome.winners:
        return choice.win <= HOPELESS
    return len(outcome.winners) == 1 or accepts_draw(position, seat, choice)


def _filled(position: DotsPosition, seat: Seat) -> DotsPosition:
    """Returns the position after `seat`, alone on the field, has filled every crossing where its dot is not captured
    at once. The pass over the field repeats, since filled crossings may allow the capture of a dot in a house."""
    placed = True
    while placed:
        placed = False
        for turn in tuple(position.moves()):
            after = position.play(turn)
            gain = _lead(after, seat) - _lead(position, seat)
            if gain >= 0:
                position, placed = after, True
            if gain > 0:
                break  # other crossings are free now
    return position


def _lead(position: DotsPosition, seat: Seat) -> float:
    return position.score[seat] - position.score[1 - seat]


def _agreed_lead(position: DotsPosition, seat: Seat) -> float:
    """Returns the lead if both ended the game now: with territory and pools, where they count."""
    scores = position.agreed_end().scores
    return scores[seat] - scores[1 - seat]


def _progress(position: DotsPosition) -> float:
    """Returns the share of the field that is out of play."""
    return 1 - position.free / (position.rules.width * position.rules.height)
