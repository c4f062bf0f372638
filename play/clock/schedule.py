"""When a clock is stopped in a turn: quiet hours as players write them, weekends, vacations, pauses and downtimes."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from play.ids import DAY, MINUTE, Millis
from play.refusal import Reason, Refused

_DAY_MINUTES = 24 * 60
_TIME = r"(\d{1,2})(?:[:.](\d{2}))?"
_NIGHT = re.compile(rf"{_TIME}\s*(?:-|–|—|\.\.\.?|…)\s*{_TIME}")

_SATURDAY = 5

UTC = ZoneInfo("UTC")

MAX_NIGHT_MINUTES = 12 * 60
"""Longer quiet hours stop the clock only for their first twelve hours."""


@dataclass(frozen=True, slots=True)
class Night:
    """Quiet hours, in minutes after midnight in the player's time zone. They may include midnight.

    Written `22:00-07:00`.
    """

    start: int
    end: int

    def __str__(self) -> str:
        return "-".join(f"{minutes // 60:02}:{minutes % 60:02}" for minutes in (self.start, self.end))


def parse_night(text: str) -> Night:
    """Returns the quiet hours that `text` names: `22:00-07:00`, `22-7`. Raises Refused (`bad_night`)."""
    if match := _NIGHT.fullmatch(text.strip()):
        start, end = (int(match[hour]) * 60 + int(match[hour + 1] or 0) for hour in (1, 3))
        minutes_are_valid = all(int(match[minute] or 0) < 60 for minute in (2, 4))
        # Some players write midnight as 24:00.
        if minutes_are_valid and max(start, end) <= _DAY_MINUTES and start % _DAY_MINUTES != end % _DAY_MINUTES:
            return Night(start % _DAY_MINUTES, end % _DAY_MINUTES)
    raise Refused(Reason.BAD_NIGHT)


class Span(NamedTuple):
    """The time from `start` up to, and without, `end`."""

    start: Millis
    end: Millis

    @property
    def millis(self) -> int:
        """How long it is."""
        return self.end - self.start


@dataclass(frozen=True, slots=True)
class ClockSchedule:
    """When one player's clock is stopped: in their `night` and `weekends`, by the local time of `zone`, and in `spans`
    such as vacations."""

    zone: ZoneInfo = UTC
    night: Night | None = None
    weekends: bool = False
    spans: tuple[Span, ...] = ()

    def active_time(self, start: Millis, end: Millis) -> Millis:
        """Returns how long the clock runs from `start` to `end`, which must not lie before `start`."""
        return Millis(end - start - sum(span.millis for span in self.stopped_spans(start, end)))

    def deadline_after(self, start: Millis, time: Millis) -> Millis:
        """Returns the first moment by which the clock has run for `time` since `start`."""
        if not (self.spans or self.night or self.weekends):
            return Millis(start + time)
        while True:
            horizon = Millis(start + 7 * DAY)
            for span in (*self.stopped_spans(start, horizon), Span(horizon, horizon)):
                if time <= span.start - start:
                    return Millis(start + time)
                time = Millis(time - (span.start - start))
                start = span.end

    def average(self, time: Millis) -> Millis:
        """Returns how long so much running time takes, on average, with the nights."""
        return Millis(time * DAY // (DAY - self._night_millis))

    def stopped_spans(self, start: Millis, end: Millis) -> list[Span]:
        """Returns the spans between `start` and `end` in which the clock is stopped: in order, merged, none empty."""
        merged: list[Span] = []
        for span in sorted((*self.spans, *self._nights_and_weekends(start, end))):
            first, last = max(span.start, start), min(span.end, end)
            if first >= last:
                continue
            if merged and first <= merged[-1].end:
                merged[-1] = Span(merged[-1].start, max(merged[-1].end, last))
            else:
                merged.append(Span(first, last))
        return merged

    def _nights_and_weekends(self, start: Millis, end: Millis) -> Iterator[Span]:
        """Yields nights and weekends, cut where the zone's offset from UTC changes."""
        if not (self.night or self.weekends):
            return
        for stretch, offset in self._stretches(start, end):
            for day in range((stretch.start + offset) // DAY - 1, (stretch.end + offset) // DAY + 1):
                for first, last in self._stopped_hours(day):
                    yield Span(
                        Millis(max(stretch.start, first - offset)),
                        Millis(min(stretch.end, last - offset)),
                    )

    def _stopped_hours(self, day: int) -> Iterator[tuple[int, int]]:
        """Yields the parts of a local day in which the clock is stopped, in local milliseconds.

        Days count from 1 January 1970, a Thursday.
        """
        if self.night:
            first = day * DAY + self.night.start * MINUTE
            yield first, first + self._night_millis
        if self.weekends and (day + 3) % 7 >= _SATURDAY:
            yield day * DAY, (day + 1) * DAY

    @property
    def _night_millis(self) -> int:
        length = (self.night.end - self.night.start) % _DAY_MINUTES if self.night else 0
        return min(length, MAX_NIGHT_MINUTES) * MINUTE

    def _stretches(self, start: Millis, end: Millis) -> Iterator[tuple[Span, int]]:
        """Yields the time from `start` to `end` in parts of one offset from UTC each, with that offset."""
        while start < end:
            offset, until = self._offset(start), Millis(min(end, start + DAY))
            if self._offset(until) != offset:
                before = start
                while until - before > 1:
                    middle = Millis((before + until) // 2)
                    before, until = (middle, until) if self._offset(middle) == offset else (before, middle)
            yield Span(start, until), offset
            start = until

    def _offset(self, at: Millis) -> int:
        ahead = datetime.fromtimestamp(at / 1000, self.zone).utcoffset()
        assert ahead is not None, "every zone has an offset from UTC"
        return ahead.days * DAY + ahead.seconds * 1000


def end_last_span(spans: tuple[Span, ...], at: Millis) -> tuple[Span, ...]:
    """Returns the spans, of which the last ends at `at` if it would have ended later."""
    *earlier, last = spans
    return (*earlier, Span(last.start, max(last.start, min(last.end, at))))


def span_at(spans: Iterable[Span], now: Millis) -> Span | None:
    """Returns the span that contains `now`."""
    return next((span for span in spans if span.start <= now < span.end), None)
