"""Time controls: how much time a turn has, and what is left of it for the next."""

import re
from dataclasses import dataclass
from enum import StrEnum

from play.ids import DAY, HOUR, MINUTE, Millis
from play.refusal import Reason, Refused

_UNITS = {"d": DAY, "h": HOUR, "m": MINUTE, "s": 1000}
_LENGTH = r"(\d{1,4}[dhms])"
_DURATION = re.compile(_LENGTH)
_PER_MOVE = re.compile(_LENGTH)
_FISCHER = re.compile(rf"{_LENGTH}\+{_LENGTH}(?:max{_LENGTH})?")
_RESERVE = re.compile(rf"{_LENGTH}/{_LENGTH}")
_BLITZ = re.compile(rf"{_LENGTH}random")

MIN_TIME, MIN_BLITZ_TIME = Millis(10_000), Millis(3_000)
"""The least time that a control may give a player to begin with."""

MAX_DURATION = Millis(30 * DAY)

_TURNS, _LIVE_MILLIS = 40, 12 * HOUR
"""A game is live if each player has at most this time for this many turns: both together then fit into a day."""


class Speed(StrEnum):
    """Whether a game is played within a day (`live`) or over days."""

    LIVE = "live"
    DAYS = "days"


def duration_text(time: Millis) -> str:
    """Returns a duration in the largest unit that divides it evenly, as `36h`. `parse_duration` reads it."""
    unit = next(unit for unit, size in _UNITS.items() if time % size == 0)
    return f"{time // _UNITS[unit]}{unit}"


def parse_duration(text: str) -> Millis:
    """Returns the duration that `text` names, 30 days at most: `3d`, `36 h`, `10m`, `30s`.

    Raises Refused (`bad_duration`).
    """
    plain = _plain(text)
    if not _DURATION.fullmatch(plain) or not 0 < _millis(plain) <= MAX_DURATION:
        raise Refused(Reason.BAD_DURATION)
    return _millis(plain)


def _plain(text: str) -> str:
    return "".join(text.lower().split())


def _millis(text: str) -> Millis:
    return Millis(int(text[:-1]) * _UNITS[text[-1]])


class _Timed:
    """A control that limits time. `forty_turns` is the most that one player's forty turns take."""

    __slots__ = ()

    @property
    def forty_turns(self) -> Millis:
        raise NotImplementedError

    @property
    def speed(self) -> Speed:
        return Speed.LIVE if self.forty_turns <= _LIVE_MILLIS else Speed.DAYS


@dataclass(frozen=True, slots=True)
class _Allowance(_Timed):
    """The same time for every move. What a move leaves of it is lost."""

    allowance: Millis

    @property
    def start(self) -> Millis:
        return self.allowance

    @property
    def forty_turns(self) -> Millis:
        return Millis(_TURNS * self.allowance)

    def after_turn(self, left: Millis, *, moved: bool) -> Millis:
        return self.allowance


@dataclass(frozen=True, slots=True)
class PerMove(_Allowance):
    """The same time for every move, usually in days. Written `3d`."""

    def __str__(self) -> str:
        return duration_text(self.allowance)


@dataclass(frozen=True, slots=True)
class Fischer(_Timed):
    """A clock that runs from the first second. Each move adds `increment`, but not beyond the `cap`.

    Written `10m+30s`, with a cap `10m+30s max 15m`.
    """

    initial: Millis
    increment: Millis
    cap: Millis | None = None

    @property
    def start(self) -> Millis:
        return self.initial

    @property
    def forty_turns(self) -> Millis:
        return Millis(self.initial + _TURNS * self.increment)

    def after_turn(self, left: Millis, *, moved: bool) -> Millis:
        if not moved:
            return left
        more = left + self.increment
        return Millis(more if self.cap is None else max(left, min(more, self.cap)))

    def __str__(self) -> str:
        cap = "" if self.cap is None else f" max {duration_text(self.cap)}"
        return f"{duration_text(self.initial)}+{duration_text(self.increment)}{cap}"


@dataclass(frozen=True, slots=True)
class Reserve(_Timed):
    """`free` time for each move, and a `reserve` for what goes beyond it. The reserve never grows.

    Written `10m/30s`.
    """

    reserve: Millis
    free: Millis

    @property
    def start(self) -> Millis:
        return self.reserve

    @property
    def forty_turns(self) -> Millis:
        return Millis(self.reserve + _TURNS * self.free)

    def after_turn(self, left: Millis, *, moved: bool) -> Millis:
        return left

    def __str__(self) -> str:
        return f"{duration_text(self.reserve)}/{duration_text(self.free)}"


@dataclass(frozen=True, slots=True)
class Blitz(_Allowance):
    """The same time for every move. If it runs out, chance plays a random move; nobody loses on time.

    Written `5s random`.
    """

    def __str__(self) -> str:
        return f"{duration_text(self.allowance)} random"


@dataclass(frozen=True, slots=True)
class Untimed:
    """No clock. Written `none`."""

    @property
    def start(self) -> Millis:
        return Millis(0)

    @property
    def speed(self) -> Speed:
        return Speed.DAYS

    def after_turn(self, left: Millis, *, moved: bool) -> Millis:
        return left

    def __str__(self) -> str:
        return "none"


TimeControl = PerMove | Fischer | Reserve | Blitz | Untimed


def parse_control(text: str) -> TimeControl:
    """Returns the time control that `text` names: `3d` (for each move), `10m+30s`, `10m+30s max 15m`, `10m/30s`,
    `5s random` or `none`.

    Raises Refused (`bad_clock`).
    """
    plain = _plain(text)
    control = _control(plain)
    if control is None:
        raise Refused(Reason.BAD_CLOCK)
    return control


def _control(plain: str) -> TimeControl | None:
    if plain == "none":
        return Untimed()
    if found := _FISCHER.fullmatch(plain):
        initial, increment = _millis(found[1]), _millis(found[2])
        cap = _millis(found[3]) if found[3] else None
        fits = MIN_TIME <= initial <= MAX_DURATION and increment <= MAX_DURATION
        return Fischer(initial, increment, cap) if fits and (cap is None or initial <= cap <= MAX_DURATION) else None
    if found := _RESERVE.fullmatch(plain):
        reserve, free = _millis(found[1]), _millis(found[2])
        return Reserve(reserve, free) if reserve + free >= MIN_TIME and max(reserve, free) <= MAX_DURATION else None
    if found := _BLITZ.fullmatch(plain):
        allowance = _millis(found[1])
        return Blitz(allowance) if MIN_BLITZ_TIME <= allowance <= MAX_DURATION else None
    if found := _PER_MOVE.fullmatch(plain):
        allowance = _millis(found[1])
        return PerMove(allowance) if MIN_TIME <= allowance <= MAX_DURATION else None
    return None
