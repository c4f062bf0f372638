"""The built-in set, practised: exercises after a lesson, training of one kind, and a look back at one that is over."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Self

from play.community.exercise import Exercise, Kind
from play.community.exercise_tree import Line, read_moves, write_moves
from play.community.exercises import exercises
from play.community.lesson import LESSONS, PUZZLES
from play.community.puzzle import Figure
from play.community.solving import Right, Solved, Solving, Verdict
from play.ratings.glicko import Rating
from play.refusal import Reason, Refused
from rules.game import RuleError
from use_cases.quiz import ALL_KINDS, ALL_LESSONS, Door, Learner, Quiz, Way
from use_cases.quizzes import back_ways, find_lesson


def find_exercise(number: int) -> Exercise:
    """Returns an exercise of the set. Raises Refused (`old_button`)."""
    if number not in exercises():
        raise Refused(Reason.OLD_BUTTON)
    return exercises()[number]


class SetQuiz(Quiz):
    """An exercise of the set, which is found again by its number and the moves `found` of it."""

    @staticmethod
    def begin(number: int, found: str) -> Solving:
        """Returns an exercise whose user has `found` these moves of it. Raises Refused (`old_button`)."""
        try:
            return Solving.begin(find_exercise(number), read_moves(found))
        except (ValueError, RuleError) as error:
            raise Refused(Reason.OLD_BUTTON) from error

    @property
    def _place(self) -> Mapping[str, object]:
        """Returns the values of the exercise; none without one."""
        solving = self.solving or self.judged
        return {} if solving is None else {"number": solving.exercise.number, "found": write_moves(solving.found)}

    @property
    def _back(self) -> Sequence[Way]:
        assert self.judged is not None, "it is over"
        return back_ways(self.judged, self.verdict, gave_up=self.gave_up)


class Drill(SetQuiz):
    """An exercise after a `lesson`. `played` counts those that were played to their end, also this one then."""

    lesson: str
    played = 0
    ends = (ALL_LESSONS,)

    @classmethod
    async def open(cls, learner: Learner, *, lesson: str) -> Self:
        """Returns one that the user has not met; without an exercise if they have met all. Raises Refused
        (`old_button`)."""
        key, lessons = find_lesson(lesson).key, learner.cases.lessons
        exercise = await lessons.open_puzzle(learner.user, key, learner.at)
        return await cls(learner)._take(key, None if exercise is None else Solving.begin(exercise))

    @classmethod
    async def find(cls, learner: Learner, *, lesson: str, number: int, found: str) -> Self:
        """Returns an exercise whose user has `found` these moves of it. Raises Refused (`old_button`)."""
        return await cls(learner)._take(find_lesson(lesson).key, cls.begin(number, found))

    async def _take(self, lesson: str, solving: Solving | None) -> Self:
        self.lesson, self.solving = lesson, solving
        self.played = (await self.learner.cases.lessons.progress(self.learner.user)).puzzles_of(lesson)
        return self

    @property
    def key(self) -> Mapping[str, object]:
        return {"lesson": self.lesson, **self._place}

    async def _judge(self, judged: Solving, move: str | None, *, chosen: bool) -> Verdict | None:
        verdict, learner = judged.judge(move), self.learner
        if isinstance(verdict, Solved):
            solved = None if move is None else learner.at
            self.played = await learner.cases.lessons.note_puzzle(learner.user, self.lesson, solved)
        return verdict

    async def _look_on(self) -> None:
        learner, following = self.learner, dict(pairwise(LESSONS)).get(self.lesson)
        back = self._back
        if self.played % PUZZLES and await learner.cases.lessons.has_puzzle(learner.user, self.lesson, learner.at):
            self.ways = [Way(Door.DRILL, "rush.next", {"lesson": self.lesson}, True), *back, ALL_LESSONS]
        elif following:
            self.ways = [Way(Door.LESSON, "lesson.next", {"lesson": following}, True), *back, ALL_LESSONS]
        else:
            self.ways = [*back, ALL_LESSONS]


class TrainingQuiz(SetQuiz):
    """An exercise of a kind. The first try counts: `rated` has the ratings that it moved, and `figure` is how the user
    does with the kind then."""

    kind: Kind
    rated: tuple[Rating, Rating] | None = None
    figure = Figure()
    ends = (ALL_KINDS,)

    @classmethod
    async def open(cls, learner: Learner, *, subject: str) -> Self:
        """Returns one that suits the user; without an exercise if none is left. Raises Refused (`old_button`)."""
        chosen = _find_kind(subject)
        exercise = await learner.cases.training.choose(learner.user, chosen, learner.at)
        return cls(learner)._take(chosen, None if exercise is None else Solving.begin(exercise))

    @classmethod
    async def find(cls, learner: Learner, *, subject: str, number: int, found: str) -> Self:
        """Returns an exercise whose user has `found` these moves of it. Raises Refused (`old_button`)."""
        return cls(learner)._take(_find_kind(subject), cls.begin(number, found))

    def _take(self, kind: Kind, solving: Solving | None) -> Self:
        self.kind, self.solving = kind, solving
        return self

    @property
    def key(self) -> Mapping[str, object]:
        return {"subject": str(self.kind), **self._place}

    async def _judge(self, judged: Solving, move: str | None, *, chosen: bool) -> Verdict | None:
        verdict, training, user = judged.judge(move), self.learner.cases.training, self.learner.user
        self.rated = await training.note(user, judged, verdict, self.learner.at, gave_up=move is None)
        self.figure = (await training.figures(user)).get(self.kind, Figure())
        return verdict

    async def _look_on(self) -> None:
        self.ways = [Way(Door.TRAIN, "rush.next", {"subject": str(self.kind)}, True), *self._back, ALL_KINDS]


class LookBack(Quiz):
    """An exercise that is over, after the first `ply` of its `moves`: those that its user has found, and the rest."""

    moves: Line
    ply: int
    found: str
    has_result = False

    @classmethod
    async def find(cls, learner: Learner, *, number: int, found: str, ply: int) -> Self:
        """Returns an exercise move by move. Raises Refused (`old_button`; `no_puzzle` for one that the user has still
        before them in today's daily)."""
        exercise, quiz = find_exercise(number), cls(learner)
        run, step = await learner.cases.dailies.place_of(learner.user, number, learner.at)
        if step is not None and step >= run.step:
            raise Refused(Reason.NO_PUZZLE)
        try:
            quiz.moves, quiz.found = _played_through(exercise, read_moves(found)), found
        except RuleError as error:
            raise Refused(Reason.OLD_BUTTON) from error
        quiz.ply = min(ply, len(quiz.moves))
        quiz.judged, quiz.verdict = Solving.begin(exercise), Solved(quiz.moves[: quiz.ply])
        onward = Way(Door.DAY, "daily.result" if run.over else "rush.next", {"day": run.day})
        leave = ALL_KINDS if step is None else onward
        quiz.ways = [*quiz._turns(), leave]
        return quiz

    def _turns(self) -> Sequence[Way]:
        on, back = self.ply + 1, self.ply - 1
        ways = [Way(Door.BACK, "back.on", {**self.key, "ply": on}, True)] if on <= len(self.moves) else []
        return [*ways, Way(Door.BACK, "back.off", {**self.key, "ply": back})] if self.ply else ways

    @property
    def key(self) -> Mapping[str, object]:
        assert self.judged is not None, "it was found"
        return {"number": self.judged.exercise.number, "found": self.found, "ply": self.ply}

    async def _judge(self, judged: Solving, move: str | None, *, chosen: bool) -> Verdict | None:
        return None  # it is over


def _played_through(exercise: Exercise, found: Line) -> Line:
    """Returns the moves of a way through an exercise, and how it ends after them. Raises RuleError."""
    solving, moves = Solving.begin(exercise), list[str]()
    for move in found:
        verdict = solving.try_move(move)
        if not isinstance(verdict, Right):
            return (*moves, *(verdict.line if isinstance(verdict, Solved) else solving.node.line))
        moves += [move, verdict.reply]
        solving = verdict.next
    return (*moves, *solving.node.line)


def _find_kind(subject: str) -> Kind:
    """Returns a kind. Raises Refused (`old_button`) for a name that none has."""
    try:
        return Kind(subject)
    except ValueError as error:
        raise Refused(Reason.OLD_BUTTON) from error
