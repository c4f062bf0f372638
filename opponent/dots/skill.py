"""The skill of each level: what its search sees, beside its time."""

from dataclasses import dataclass, replace

import numpy as np

from opponent.dots import nodes
from opponent.dots.nodes import Settings


@dataclass(frozen=True, slots=True)
class Skill:
    """The settings of a search."""

    bias: float = 0.0005
    """The assumed disadvantage of RAVE against the playouts through a node: 0 trusts it for ever."""
    trust: float = 30
    """Playouts that the prior of a dot counts for."""
    peak: float = 0.6
    """The assumed worth of the dot with the highest prior, from 0 to 1."""
    slope: float = 0.08
    """The reduction for a dot that players are e times less likely to choose."""
    scale: float = 8
    """The difference in points from the expected lead at which a lead has half of its greatest worth."""
    share: float = 0.3
    """The part of a playout's worth that is for winning; the rest is for points."""
    replies: int = 30
    """Turns of a playout in which players look beside the last dot for a capture or a save."""
    urgent: int = 24
    """Playouts that each urgent dot of the root gets: one that captures or saves three or more, or forces a capture.
    0: none is looked for."""
    examine: int = 300
    """Visits after which the urgent dots of another node are looked for."""
    consult: int = 96
    """Visits after which the policy network is asked about a node; the root is asked about at once. 0: none is."""
    explore: float = 0.25
    """The bonus of an untried dot whose chance is 1, after one visit of its node. It grows with the root of the node's
    visits, and is divided by the dot's own visits and one."""
    grow: int = 4
    """Visits after which a node gets children."""
    reach: int = 0
    """Only dots so near one of the last two are candidates; 0: all near others."""
    sight: bool = True
    """True if the prior includes captures and saves."""
    horizon: int = 10_000
    """Only dots placed within so many turns count for RAVE."""

    def settings(self) -> Settings:
        """Returns the settings as compiled code reads them."""
        settings = np.zeros(len(self.__slots__) + 2)
        for name in self.__slots__:
            settings[getattr(nodes, name.upper())] = getattr(self, name)
        return settings


FULL = Skill()

_BLIND = Skill(trust=15, scale=5, urgent=0, consult=0)

WEAK = (
    replace(_BLIND, sight=False, replies=0, reach=4),
    replace(_BLIND, sight=False, replies=4, reach=5),
    replace(_BLIND, replies=4, reach=5),
    replace(_BLIND, replies=4, reach=6),
    replace(_BLIND, replies=10),
)
"""The first levels, which are short-sighted: all but the last search only near the last dots. The first two see no
capture before they have tried it, and the first assumes that no dot is answered."""


def skill_of(level: int) -> Skill:
    """Returns the skill of a level; those above the weak ones differ by their budgets alone."""
    return WEAK[level - 1] if level <= len(WEAK) else FULL
