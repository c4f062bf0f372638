"""How much a browser may still send."""

from dataclasses import dataclass


@dataclass(slots=True)
class Allowance:
    """How many messages may still be sent: `burst` at once, and one more after so many `seconds`. `bad` counts those
    that are none of the protocol."""

    burst: int
    seconds: float
    since: float
    left: float = 0.0
    bad: int = 0

    def __post_init__(self) -> None:
        self.left = self.burst

    def takes(self, now: float) -> bool:
        """Counts a message; returns whether it is allowed."""
        self.left = min(self.burst, self.left + (now - self.since) / self.seconds) - 1
        self.since = now
        return self.left >= 0
