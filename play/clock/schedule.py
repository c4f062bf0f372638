"""When a clock stands although somebody is to move: a player's nights, weekends and vacations, pauses, downtimes.

It stands at a moment exactly when what the player's own clock on the wall shows then lies in his night or his weekend,
so that both changes to and from summer time follow by themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple
from zoneinfo import ZoneInfo

from play.ids import Millis

if TYPE_CHECKING:
    from play.people.person import Night

_MINUTE, _DAY = 60_000, 86_400_000
_SATURDAY = 5

UTC = ZoneInfo("UTC")

LONGEST_NIGHT = 12 * 60
"""Minutes; of longer quiet hours the clock stands in the first twelve."""


class Span(NamedTuple):
    """From `start` up to, and without, `end`."""

    start: Millis
    end: Millis


@dataclass(frozen=True, slots=True)
class Calendar:
    """Of one player: his `night` and his `weekends` on the clock of his `zone`, and `spans` such as his vacations."""

    zone: ZoneInfo = UTC
    night: Night | None = None
    weekends: bool = False
    spans: tuple[Span, ...] = ()

    def running(self, start: Millis, end: Millis) -> Millis:
        """How long the clock runs from `start` to `end`, which may not come before it."""
        return Millis(end - start - sum(span.end - span.start for span in self.standing(start, end)))

    def after(self, start: Millis, time: Millis) -> Millis:
        """The first moment by which the clock has run for `time` since `start`."""
        if not (self.spans or self.night or self.weekends):
            return Millis(start + time)
        while True:
            horizon = Millis(start + 7 * _DAY)
            for span in (*self.standing(start, horizon), Span(horizon, horizon)):
                if time <= span.start - start:
                    return Millis(start + time)
                time = Millis(time - (span.start - start))
                start = span.end

    def standing(self, start: Millis, end: Millis) -> list[Span]:
        """When the clock stands between `start` and `end`, in order and without gaps of no length."""
        merged: list[Span] = []
        for span in sorted((*self.spans, *self._regular(start, end))):
            first, last = max(span.start, start), min(span.end, end)
            if first >= last:
                continue
            if merged and first <= merged[-1].end:
                merged[-1] = Span(merged[-1].start, max(merged[-1].end, last))
            else:
                merged.append(Span(first, last))
        return merged

    def _regular(self, start: Millis, end: Millis) -> Iterator[Span]:
        """Nights and weekends, cut where the player's clock on the wall is put forward or back."""
        if not (self.night or self.weekends):
            return
        for stretch, offset in self._stretches(start, end):
            for day in range((stretch.start + offset) // _DAY - 1, (stretch.end + offset) // _DAY + 1):
                for first, last in self._hours(day):
                    yield Span(
                        Millis(max(stretch.start, first - offset)),
                        Millis(min(stretch.end, last - offset)),
                    )

    def _hours(self, day: int) -> Iterator[tuple[int, int]]:
        """What of a local day the clock stands, in local milliseconds; the days count from 1 January 1970, a
        Thursday."""
        if self.night:
            length = (self.night.end - self.night.start) % (24 * 60)
            first = day * _DAY + self.night.start * _MINUTE
            yield first, first + min(length, LONGEST_NIGHT) * _MINUTE
        if self.weekends and (day + 3) % 7 >= _SATURDAY:
            yield day * _DAY, (day + 1) * _DAY

    def _stretches(self, start: Millis, end: Millis) -> Iterator[tuple[Span, int]]:
        """The time from `start` to `end` in parts of one offset from UTC each, with it."""
        while start < end:
            offset, until = self._offset(start), Millis(min(end, start + _DAY))
            if self._offset(until) != offset:
                before = start
                while until - before > 1:
                    middle = Millis((before + until) // 2)
                    before, until = (middle, until) if self._offset(middle) == offset else (before, middle)
            yield Span(start, until), offset
            start = until

    def _offset(self, at: Millis) -> int:
        ahead = datetime.fromtimestamp(at / 1000, self.zone).utcoffset()
        assert ahead is not None, "a zone knows its offset"
        return ahead.days * _DAY + ahead.seconds * 1000


def cut(spans: tuple[Span, ...], at: Millis) -> tuple[Span, ...]:
    """The spans, of which the last ends at `at`, if it would have ended later."""
    *earlier, last = spans
    return (*earlier, Span(last.start, max(last.start, min(last.end, at))))


def at(spans: Iterable[Span], now: Millis) -> Span | None:
    """The span in which `now` lies, if there is one."""
    return next((span for span in spans if span.start <= now < span.end), None)
