"""Whatever is solved, one kind beside the other: an exercise before a user, what a move does there, what comes next.

The chat and the web play by this alone, and presentation/quiz.py tells it.
"""

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping, Sequence
from enum import StrEnum
from typing import Any, NamedTuple, Self

from opponent.review import Think
from play.community.puzzle import Puzzle
from play.community.solving import Right, Solved, Solving, Verdict, Wrong
from play.ids import ChannelId, GuildId, Millis, UserId
from play.refusal import Reason, Refused
from rules.game import RuleError
from use_cases import UseCases


class Door(StrEnum):
    """Where a way leads: to an exercise of a kind, or from there to what is beside them."""

    DAILY = "daily"
    """Today's daily."""
    DAY = "day"
    """The daily of a `day`, as far as its user is."""
    RUSH = "rush"
    OWN = "own"
    """Today's puzzle of the server."""
    LESSONS = "lessons"
    LESSON = "lesson"
    TAUGHT = "taught"
    """A lesson of a server."""
    SERVER_LESSONS = "server_lessons"
    """The lessons of the server."""
    DRILL = "drill"
    """An exercise of the kind of a `lesson`."""
    KINDS = "kinds"
    """The kinds of exercises, with how their user does."""
    TRAIN = "train"
    """An exercise of the kind `subject`."""
    BACK = "back"
    """The exercise `number` that is over, after so many moves."""
    MISTAKES = "mistakes"
    """The mistake that is due."""
    MISTAKE = "mistake"
    """The mistake `number` of a `match`."""
    GAME = "game"
    """A `match` of which a mistake comes."""
    NEWCOMER = "newcomer"
    """A first game against the computer."""


class Way(NamedTuple):
    """A way on: what is behind its door, the key of its label, and the number in that. The usual one is `primary`."""

    door: Door
    label: str
    values: Mapping[str, object] = {}
    primary: bool = False
    number: int | None = None


ALL_LESSONS = Way(Door.LESSONS, "path.button")
ALL_KINDS = Way(Door.KINDS, "kinds.button")


class Learner(NamedTuple):
    """A user who solves something, on the server `guild` if it counts on one.

    `sees` says whether they see a channel of a server, or are there at all (None). `named` has a server's post of a
    puzzle name its solvers, and `think` is the computer, if there is one.
    """

    cases: UseCases
    user: UserId
    guild: GuildId | None
    at: Millis
    sees: Callable[[GuildId, ChannelId | None], Awaitable[bool]]
    named: Callable[[Puzzle], Awaitable[None]]
    think: Think | None = None


class Quiz(ABC):
    """An exercise before a user, after what they did last.

    `solving` is None once nothing is left; then there is a result. `verdict` is that on the last move, or the solution
    that was shown, on the board `judged`. `is_stale` says that they have gone on elsewhere, and nothing was judged.
    """

    solving: Solving | None = None
    verdict: Verdict | None = None
    judged: Solving | None = None
    gave_up = False
    is_stale = False
    chooses = False
    """Whether the user chooses among moves instead of the whole board."""
    is_instant = False
    """Whether a tap plays, without a look before it."""
    passes_on = False
    """Whether the next exercise is shown at once, below the verdict."""
    can_give_up = True
    instead: str | None = None
    """The move that was played instead of the line of the verdict, once or in the game that the exercise comes from."""
    ways: Sequence[Way] = ()
    """Those below a verdict."""
    ends: Sequence[Way] = ()
    """Those below the result."""
    aside: Sequence[Way] = ()
    """Those below the board."""

    def __init__(self, learner: Learner) -> None:
        self.learner = learner

    @classmethod
    @abstractmethod
    async def find(cls, learner: Learner, *_: Any, **key: Any) -> Self:
        """Returns the exercise of a key as it is now. Raises Refused."""

    @property
    @abstractmethod
    def key(self) -> Mapping[str, object]:
        """Returns the values by which `find` returns to this exercise."""

    @property
    def posed(self) -> Solving:
        """Returns the exercise that is before the user."""
        assert self.solving is not None, "an exercise is before the user"
        return self.solving

    @property
    def has_result(self) -> bool:
        """Returns whether nothing is left, and there is more to tell than the verdict."""
        return self.solving is None and self.verdict is None

    @property
    def named(self) -> Sequence[UserId]:
        """Returns the members of a server whom the result or the verdict names."""
        return ()

    async def play(self, move: str | None, *, chosen: bool = False) -> None:
        """Judges a move, or gives up (None), and stores what counts. It may be `chosen` among the answers.

        Raises Refused.
        """
        judged = self.solving
        if judged is None or self.is_stale:
            self.is_stale = True
            return
        try:
            verdict = await self._judge(judged, move, chosen=chosen)
        except RuleError as error:
            raise Refused.by_rules(error) from error
        if verdict is None:
            self.is_stale = True
            return
        self.verdict, self.judged, self.gave_up = verdict, judged, move is None
        self.solving = self._after(verdict, judged)
        if isinstance(verdict, Solved):
            await self._look_on()

    async def choose(self, answer: int) -> None:
        """Judges one of the moves to choose from. Raises Refused."""
        answers = self.solving.exercise.answers if self.solving and not self.solving.found else ()
        if not 0 <= answer < len(answers):
            raise Refused(Reason.NO_PUZZLE)
        await self.play(answers[answer], chosen=True)

    @abstractmethod
    async def _judge(self, judged: Solving, move: str | None, *, chosen: bool) -> Verdict | None:
        """Returns what a move leads to, and stores what counts; None where the user has gone on since."""

    def _after(self, verdict: Verdict, judged: Solving) -> Solving | None:
        """Returns what is before the user then."""
        if isinstance(verdict, Right):
            return verdict.next
        return judged if isinstance(verdict, Wrong) else None

    async def _look_on(self) -> None:  # noqa: B027 - not every kind has to read it
        """Reads what comes after the exercise, which is solved or was shown."""
