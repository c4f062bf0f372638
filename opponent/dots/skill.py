"""How well each level plays: what its search sees, beside how long it may think."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from opponent.dots import nodes
from opponent.dots.nodes import Settings


@dataclass(frozen=True, slots=True)
class Skill:
    """The settings of a search."""

    bias: float = 0.0005
    """How much worse RAVE is taken to be than the playouts through a node: 0 trusts it for ever."""
    trust: float = 15
    """How many playouts the looks of a dot weigh as much as."""
    peak: float = 0.6
    """What the dot that looks best is taken to be worth, from 0 to 1."""
    slope: float = 0.06
    """How much less one that people are e times less likely to choose."""
    scale: float = 5
    """By so many points must a lead differ from the expected one to be worth half of what it can be."""
    share: float = 0.3
    """The part of a playout's worth that is for winning; the rest is for points."""
    replies: int = 30
    """In so many turns of a playout players look beside the last dot for something to capture or to save."""
    grow: int = 4
    """A node gets children when it is visited for the time after so many."""
    reach: int = 0
    """Only dots so near one of the last two are thought of; 0: all near others."""
    sight: bool = True
    """Whether it shows at once what a dot captures or saves."""
    horizon: int = 10_000
    """Only dots placed within so many turns count for RAVE."""

    def settings(self) -> Settings:
        """As compiled code reads them."""
        told = np.zeros(16)
        for name in self.__slots__:
            told[getattr(nodes, name.upper())] = getattr(self, name)
        return told


FULL = Skill()

SKILLS = (
    Skill(sight=False, replies=0, reach=4),
    Skill(sight=False, replies=4, reach=5),
    Skill(replies=4, reach=6),
    Skill(replies=10),
    FULL,
    FULL,
    FULL,
    FULL,
)
"""By level. The weak ones are short-sighted: the first three look only where the last dots fell, the first two see no
capture before they have tried it, and the first takes for granted that nobody answers."""


def skill_of(level: int) -> Skill:
    """The skill of a level, 1 to 8."""
    return SKILLS[level - 1]
