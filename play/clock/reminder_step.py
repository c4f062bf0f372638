"""The moments of a turn at which a player may want a reminder."""

from __future__ import annotations

from enum import IntFlag

from play.ids import HOUR, Millis

MOST_FRACTION = 0.8
"""The part of a turn's time that is most of it."""


class ReminderStep(IntFlag):
    """A step, or a set of steps. `MOST`: most of the turn's time is over. The others: so much of it is left.

    The numbers are stored.
    """

    MOST = 1
    DAY = 2
    HALF_DAY = 4
    QUARTER_DAY = 8
    HOUR = 16

    def time_before(self, time: Millis) -> Millis:
        """Returns how much of a turn's `time` has run at this one step; 0 or less if the turn begins after it."""
        if self is ReminderStep.MOST:
            return Millis(int(time * MOST_FRACTION))
        return Millis(time - HOURS[self] * HOUR)


HOURS = {
    ReminderStep.DAY: 24,
    ReminderStep.HALF_DAY: 12,
    ReminderStep.QUARTER_DAY: 6,
    ReminderStep.HOUR: 1,
}
"""The hours that are left at the steps other than `MOST`."""
