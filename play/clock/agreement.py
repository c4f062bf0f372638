"""What both sides have agreed on about human time; a clock without an agreement runs day and night."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from play.clock import Speed, TimeControl, duration_text, parse_duration
from play.clock.calendar import UTC, Calendar
from play.ids import Millis
from play.refusal import Reason, Refused

if TYPE_CHECKING:
    from play.people.person import Person

PLAY_OUT = {Speed.LIVE: Millis(4 * 60_000), Speed.DAYS: Millis(3 * 86_400_000)}
"""How long one may play out after the other's STOP, unless something else is agreed."""

_SWITCHES = ("quiet", "weekends", "vacation")


@dataclass(frozen=True, slots=True)
class Agreement:
    """`quiet`: a clock stands in its player's night. `weekends`: it stands on Saturday and Sunday, as they are where
    its player lives. `vacation`: it stands while its player takes days from his yearly bank. `play_out`: the time for
    playing out after a STOP (None: as the speed has it).

    Written `quiet weekends vacation play-out=10m`, with what is agreed alone.
    """

    quiet: bool = False
    weekends: bool = False
    vacation: bool = False
    play_out: Millis | None = None

    def time_to_play_out(self, control: TimeControl) -> Millis:
        """How long the other side may go on placing dots after a STOP."""
        return PLAY_OUT[control.speed] if self.play_out is None else self.play_out

    def calendar(self, person: Person) -> Calendar:
        """When the clock of `person` stands in a match with this agreement that begins now; without a zone of his own
        his weekends are those of UTC."""
        night = person.night if self.quiet and person.zone else None
        if not (night or self.weekends):
            return Calendar()
        return Calendar(person.zone or UTC, night, self.weekends)

    def __str__(self) -> str:
        words = [word for word in _SWITCHES if getattr(self, word)]
        if self.play_out is not None:
            words.append(f"play-out={duration_text(self.play_out)}")
        return " ".join(words)


NOTHING = Agreement()
"""A clock that runs day and night."""


def parse_agreement(text: str) -> Agreement:
    """The agreement that `text` names. Raises Refused (`bad_agreement`, `bad_duration`)."""
    switches, play_out = {}, None
    for word in text.lower().split():
        name, _, value = word.partition("=")
        if name == "play-out":
            play_out = parse_duration(value)
        elif word in _SWITCHES:
            switches[word] = True
        else:
            raise Refused(Reason.BAD_AGREEMENT)
    return Agreement(**switches, play_out=play_out)
