"""What players agree on about human time. Without an agreement a clock runs day and night."""

from dataclasses import dataclass, replace
from zoneinfo import ZoneInfo

from play.clock import Speed, TimeControl, Untimed, duration_text, parse_duration
from play.clock.schedule import UTC, ClockSchedule, Night
from play.ids import DAY, HOUR, MINUTE, Millis
from play.refusal import Reason, Refused

DEFAULT_PLAY_OUT = {Speed.LIVE: Millis(4 * MINUTE), Speed.DAYS: Millis(3 * DAY)}
"""The time for playing out after the opponent's STOP, by speed, unless something else is agreed."""

NO_LIMIT = Millis(0)
"""The time for playing out where only the game's clock limits it. Written `play-out=none`."""

_FORMER_LIVE_MILLIS = 6 * HOUR
"""The most for forty turns of a live game until the time to play out was written into each match."""

_SWITCHES = ("quiet", "weekends", "vacation")


@dataclass(frozen=True, slots=True)
class TimeAgreement:
    """An agreement on when clocks are stopped and how long playing out may take.

    `quiet`: a clock is stopped during its player's night. `weekends`: it is stopped on Saturday and Sunday in its
    player's time zone. `vacation`: it is stopped while its player takes days from their yearly bank. `play_out`: the
    time for playing out after a STOP (None: the default of the speed; or NO_LIMIT).

    Written `quiet weekends vacation play-out=10m`, without what is not agreed.
    """

    quiet: bool = False
    weekends: bool = False
    vacation: bool = False
    play_out: Millis | None = None

    def time_to_play_out(self, control: TimeControl) -> Millis:
        """Returns how long the opponent may go on placing dots after a STOP; it may be NO_LIMIT."""
        return DEFAULT_PLAY_OUT[control.speed] if self.play_out is None else self.play_out

    def schedule(self, zone: ZoneInfo | None, night: Night | None) -> ClockSchedule:
        """Returns when the clock of a player with this `zone` and `night` is stopped in a match that begins now.

        Without a zone the night does not count, and weekends are those of UTC.
        """
        quiet = night if self.quiet and zone else None
        if not (quiet or self.weekends):
            return ClockSchedule()
        return ClockSchedule(zone or UTC, quiet, self.weekends)

    def __str__(self) -> str:
        words = [word for word in _SWITCHES if getattr(self, word)]
        if self.play_out is not None:
            words.append(f"play-out={play_out_text(self.play_out)}")
        return " ".join(words)


NO_AGREEMENT = TimeAgreement()
"""With it a clock runs day and night."""


def play_out_text(time: Millis) -> str:
    """Returns a time for playing out as text: `10m`, or `none` for NO_LIMIT. `parse_play_out` reads it."""
    return "none" if time == NO_LIMIT else duration_text(time)


def parse_play_out(text: str) -> Millis:
    """Returns the time for playing out that `text` names. Raises Refused (`bad_duration`)."""
    return NO_LIMIT if text.strip().lower() == "none" else parse_duration(text)


def parse_agreement(text: str) -> TimeAgreement:
    """Returns the agreement that `text` names. Raises Refused (`bad_agreement`, `bad_duration`)."""
    switches, play_out = {}, None
    for word in text.lower().split():
        name, _, value = word.partition("=")
        if name == "play-out":
            play_out = parse_play_out(value)
        elif word in _SWITCHES:
            switches[word] = True
        else:
            raise Refused(Reason.BAD_AGREEMENT)
    return TimeAgreement(**switches, play_out=play_out)


def parse_match_agreement(text: str, control: TimeControl) -> TimeAgreement:
    """Returns the agreement that is stored with a match. An early one that names no time to play out keeps the default
    of its day. Raises Refused (`bad_agreement`, `bad_duration`)."""
    agreement = parse_agreement(text)
    if agreement.play_out is not None or isinstance(control, Untimed) or control.speed is Speed.DAYS:
        return agreement
    if control.forty_turns > _FORMER_LIVE_MILLIS:
        return replace(agreement, play_out=DEFAULT_PLAY_OUT[Speed.DAYS])
    return agreement
