"""A choice of the computer: the time that it may take, the strength of its level, and the opinion that comes of it."""

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic, thread_time

PATIENCE = 4
"""The times its milliseconds after which a choice ends by the wall clock, unless its budget says otherwise."""

SLOW_MILLIS = 1500
"""Milliseconds after which a search in plain Python ends on a slow machine; elsewhere its nodes end it."""

WITHIN_MILLIS = 4000
"""Milliseconds after which the compiled search ends on a machine too busy to give it its time, the same at every level.
A clock on which the computer does not hurry has seven times as much."""

DEFAULT_LEVEL = 4
"""The level of a challenge to the computer that names none."""


@dataclass(frozen=True, slots=True)
class Budget:
    """The bounds of a choice: so many `nodes` (playouts, or positions searched) or `millis` of the processor's time,
    the one reached first.

    A busy machine makes a choice slower, not weaker: time is that of the searching thread. A slow machine makes it no
    weaker than `least` nodes. Neither lasts: `within` so many milliseconds of the wall clock a choice ends.

    With nodes alone a choice depends on nothing but the position, the seed and the level, on every machine. With
    `fresh`, it owes nothing to earlier ones either, and only its time depends on the machine.
    """

    nodes: int | None = None
    millis: int | None = None
    least: int = 0
    within: int | None = None
    fresh: bool = False

    def __post_init__(self) -> None:
        given = [bound for bound in (self.nodes, self.millis, self.within) if bound is not None]
        if (self.nodes is None and self.millis is None) or min(given) < 1:
            raise ValueError("a budget has nodes, or millis, or both, of at least 1")

    @property
    def goes_on(self) -> bool:
        """Whether the search goes on with the trees of the last one, on all threads."""
        return self.millis is not None and not self.fresh


HELP = Budget(nodes=20_000, millis=1500, fresh=True)
"""The bounds of a choice for a player who asks for help."""


class Timer:
    """Tells when a budget that has just begun is spent."""

    def __init__(
        self, budget: Budget, worked: Callable[[], float] = thread_time, passed: Callable[[], float] = monotonic
    ) -> None:
        """`worked` gives the seconds that this thread has had of the processor, `passed` those of the wall clock."""
        self._nodes, self._least = budget.nodes, budget.least
        self._worked, self._passed = worked, passed
        self._end = self._latest = float("inf")
        if budget.millis is not None:
            self._end = worked() + budget.millis / 1000
        if within := budget.within or PATIENCE * (budget.millis or 0):
            self._latest = passed() + within / 1000

    def left(self, done: int) -> int | None:
        """Returns the nodes that are left after `done`; None if only time bounds them."""
        return None if self._nodes is None else max(0, self._nodes - done)

    def is_over(self, done: int) -> bool:
        """Returns whether `done` nodes are all that the budget allows."""
        if self.left(done) == 0 or self._passed() >= self._latest:
            return True
        return done >= self._least and self._worked() >= self._end


@dataclass(frozen=True, slots=True)
class Level:
    """The budget of each kind of search, and the share of the moves that it overlooks. Where the compiled one has a
    time, its tree is kept from move to move."""

    number: int
    compiled: Budget
    """For Dots on the compiled field."""
    plain: Budget
    """For the search in plain Python."""
    oversight: float
    """The share of moves that the plain search ignores, except its own captures. Like people it misses nets and the
    plans of its opponent."""


LEVELS = (
    Level(1, Budget(20), Budget(4, SLOW_MILLIS), 0.8),
    Level(2, Budget(50), Budget(6, SLOW_MILLIS), 0.7),
    Level(3, Budget(20), Budget(8, SLOW_MILLIS), 0.62),
    Level(4, Budget(70), Budget(12, SLOW_MILLIS), 0.54),
    Level(5, Budget(140), Budget(17, SLOW_MILLIS), 0.46),
    Level(6, Budget(125, 25, 100, WITHIN_MILLIS), Budget(25, SLOW_MILLIS), 0.39),
    Level(7, Budget(240, 40, 160, WITHIN_MILLIS), Budget(37, SLOW_MILLIS), 0.32),
    Level(8, Budget(520, 63, 250, WITHIN_MILLIS), Budget(53, SLOW_MILLIS), 0.25),
    Level(9, Budget(1100, 100, 400, WITHIN_MILLIS), Budget(77, SLOW_MILLIS), 0.19),
    Level(10, Budget(2400, 160, 630, WITHIN_MILLIS), Budget(110, SLOW_MILLIS), 0.14),
    Level(11, Budget(5400, 250, 1000, WITHIN_MILLIS), Budget(160, SLOW_MILLIS), 0.09),
    Level(12, Budget(13_000, 400, 1600, WITHIN_MILLIS), Budget(250, SLOW_MILLIS), 0.04),
    Level(13, Budget(32_000, 630, 2500, WITHIN_MILLIS), Budget(450, SLOW_MILLIS), 0.0),
    Level(14, Budget(None, 1000, 4000, WITHIN_MILLIS), Budget(millis=SLOW_MILLIS), 0.0),
)
"""In order, level 1 first; docs/computer-lab.md has their results. Level 3 sees captures at once, so it
needs fewer playouts than level 2. From the sixth on each has 1.6 times the time of the one below, so that the levels
still differ on large fields and slow machines. The minimum of playouts takes a tenth of a second at the highest
level on 20x20."""

EASIEST, HARDEST = LEVELS[0].number, LEVELS[-1].number


def level_of(number: int) -> Level:
    """Returns the level of that number. Raises IndexError for a number outside 1 to 14."""
    if not EASIEST <= number <= HARDEST:
        raise IndexError(number)
    return LEVELS[number - 1]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A move that was searched: how often (`visits`), and its expected result for its player (see Choice)."""

    move: str
    visits: int
    win: float
    value: float


@dataclass(frozen=True, slots=True)
class Choice:
    """The move that the player to act should make, in the game's notation, and its expected result.

    `value` is the expected difference of the scores at the end, in points: their own less the best opponent's. `win` is
    the expected share of the win, from 0 to 1 (a draw counts a half). `line` is the expected continuation, beginning
    with `move`. `candidates` are the moves searched most, in this order; a move that was proved need not be among them.
    """

    move: str
    value: float
    win: float
    line: tuple[str, ...] = ()
    candidates: tuple[Candidate, ...] = ()
