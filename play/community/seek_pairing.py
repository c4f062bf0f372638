"""Who of those that look for a stranger plays whom: the nearest by rating, those first who have waited longest."""

from collections.abc import Collection, Iterator, Sequence, Set
from typing import NamedTuple

from play.clock import Speed
from play.community.conduct import LATER_MILLIS
from play.community.seek import Seek, SeekId, agree
from play.ids import HOUR, MINUTE, Millis, UserId

FIRST_REACH = 150.0
"""Rating points between two who meet at once: the stronger wins 70 of 100."""

STEP = {Speed.LIVE: MINUTE / 100, Speed.DAYS: Millis(12 * HOUR) / 100}
"""Milliseconds of waiting by which the reach grows by a point: 100 points a minute, or half a day."""


class Seeker(NamedTuple):
    """One who looks: the `rating` is of the pool of their terms. One who comes `later` waits for those who behave."""

    seek: Seek
    rating: float
    later: bool = False

    @property
    def since(self) -> Millis:
        """Since when they count as waiting."""
        return Millis(self.seek.since + (LATER_MILLIS[self.seek.speed] if self.later else 0))

    def reach(self, now: Millis) -> float:
        """Returns by how many points their partner may differ at most at `now`."""
        return FIRST_REACH + max(0, now - self.since) / STEP[self.seek.speed]


def pair(
    seekers: Collection[Seeker], now: Millis, apart: Set[frozenset[UserId]] = frozenset()
) -> list[tuple[Seeker, Seeker]]:
    """Returns those who are to play each other; no two of them are to be kept `apart`."""
    ranked = sorted(seekers, key=lambda each: each.rating)
    places = {each.seek.id: place for place, each in enumerate(ranked)}
    taken: set[SeekId] = set()
    pairs = []
    for seeker in sorted(seekers, key=lambda each: (each.since, each.seek.id)):
        if seeker.seek.id in taken or seeker.since > now:
            continue
        for other in _nearest(ranked, places[seeker.seek.id], seeker.reach(now)):
            if other.seek.id not in taken and other.since <= now and _fit(seeker, other, apart):
                taken |= {seeker.seek.id, other.seek.id}
                pairs.append((seeker, other))
                break
    return pairs


def _nearest(ranked: Sequence[Seeker], place: int, reach: float) -> Iterator[Seeker]:
    """Yields the others within the reach, those of the nearest rating first."""
    own, below, above = ranked[place].rating, place - 1, place + 1
    while below >= 0 or above < len(ranked):
        down = own - ranked[below].rating if below >= 0 else float("inf")
        up = ranked[above].rating - own if above < len(ranked) else float("inf")
        if min(down, up) > reach:
            return
        if down <= up:
            yield ranked[below]
            below -= 1
        else:
            yield ranked[above]
            above += 1


def _fit(one: Seeker, other: Seeker, apart: Set[frozenset[UserId]]) -> bool:
    return (
        one.seek.user != other.seek.user
        and frozenset((one.seek.user, other.seek.user)) not in apart
        and accepts(one.seek, other.rating)
        and accepts(other.seek, one.rating)
        and agree(one.seek, other.seek) is not None
    )


def accepts(seek: Seek, rating: float) -> bool:
    """Returns whether a search takes a partner of this rating."""
    window = seek.terms.window
    return window is None or window.least <= rating <= window.most
