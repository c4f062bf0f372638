"""The next reminder of a turn in SQL, from the steps that its player wants and those that are done.

It is part of each update of a match's row, so that no statement more reads the player's settings.
"""

from typing import Any

from sqlalchemy import BigInteger, ColumnElement, Integer, and_, bindparam, case, cast, func, literal, select

from play.clock import Speed
from play.clock.clock import ReminderStep
from play.match.match import Match
from storage import schema
from storage.statements import Values

_match = schema.match.c
_person = schema.person.c

ALL_STEPS = sum(ReminderStep)

_PLACES = range(len(ReminderStep))
_is_this_turn = _match.reminded == bindparam("since", type_=BigInteger)
_wanted = func.coalesce(
    select(_person.steps).where(_person.user == bindparam("player", type_=BigInteger)).scalar_subquery(),
    ReminderStep.MOST.value,
)


def done_steps(*told: ColumnElement[int]) -> ColumnElement[int]:
    """Returns the steps of the turn that are done, those `told` now included."""
    before: ColumnElement[int] = case(
        (_is_this_turn, func.coalesce(_match.steps, ALL_STEPS)), else_=literal(0, Integer)
    )
    for steps in told:
        before = before.bitwise_or(steps)
    return before


def next_reminder(done: ColumnElement[int]) -> ColumnElement[Any]:
    """Returns the moment of the first step of the turn that its player wants and that is not done."""
    moments = []
    for place in _PLACES:
        at, step = bindparam(f"at_{place}", type_=BigInteger), bindparam(f"step_{place}", type_=Integer)
        is_next = and_(at.is_not(None), _wanted.bitwise_and(step) != 0, done.bitwise_and(step) == 0)
        moments.append((is_next, at))
    return cast(case(*moments, else_=None), BigInteger)


def reminder_values(match: Match) -> Values:
    """Returns the values of the parameters of `next_reminder`. A live game has no reminders."""
    reminders = match.clock.reminders if match.clock.control.speed is Speed.DAYS else ()
    values: Values = {
        "since": match.clock.since,
        "player": None if match.to_act is None else match.players[match.to_act],
    }
    for place in _PLACES:
        at, step = reminders[place] if place < len(reminders) else (None, ReminderStep(0))
        values |= {f"at_{place}": at, f"step_{place}": int(step)}
    return values
