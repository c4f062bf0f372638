"""What is told of an exercise before a user, kind by kind, on any surface: the task, what came of it, what is next."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from opponent.purpose import purpose_of
from opponent.review import captured_dots, play_line
from play.community.daily import SHOWN
from play.community.exercise import Kind
from play.community.lesson import BASICS, LESSONS, PUZZLES, Chapter, PathProgress, lesson_number
from play.community.puzzle import Puzzle, Solver
from play.community.solving import Right, Solved, Solving, Wrong
from play.community.streak import noon
from presentation.advice import captures_text, plural, purpose_text
from presentation.daily import first_text, head_text, result_text, title_text
from presentation.exercises import (
    figure_text,
    goal_text,
    kind_name,
    line_text,
    lost_by_stop,
    rating_text,
    refutation_text,
    reply_text,
    solved_text,
)
from presentation.markup import Stamp
from presentation.match.phrases import emblem, turn_text
from presentation.words.words import Words
from rules.dots import Call
from use_cases.practice import Drill, LookBack, TrainingQuiz
from use_cases.quiz import Quiz, Way
from use_cases.quizzes import DailyQuiz, LessonQuiz, MistakeQuiz, OwnQuiz, RushQuiz, TaughtQuiz

Q = TypeVar("Q", bound=Quiz)

MARKS = {True: "✅", False: "❌"}


@dataclass(frozen=True, slots=True)
class QuizText(Generic[Q]):
    """A quiz in words; `names` are those of the members whom it names."""

    quiz: Q
    words: Words
    theme: str
    names: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """Returns the title of all exercises of its kind."""
        raise NotImplementedError

    def head(self, *, ended: bool = False) -> str:
        """Returns what is above the exercise, or above the one that has just `ended`."""
        raise NotImplementedError

    @property
    def verdict_head(self) -> str:
        """Returns what is above the verdict."""
        return self.head(ended=isinstance(self.quiz.verdict, Solved))

    @property
    def goal(self) -> str:
        """Returns what is to be done."""
        return goal_text(self.quiz.posed.exercise, self.words, self.theme)

    @property
    def notice(self) -> str:
        """Returns what is told above the exercise: that its user has gone on, or what their last move has led to."""
        if self.quiz.is_stale:
            return self.words("daily.stale")
        if isinstance(self.quiz.verdict, Right):
            return reply_text(self.quiz.verdict, self.words, self.theme)
        return self.verdict if self.quiz.passes_on else ""

    @property
    def verdict(self) -> str:
        """Returns what a wrong move, or the end of the exercise, is told with."""
        if isinstance(self.quiz.verdict, Wrong):
            return self.wrong(self.quiz.verdict)
        assert isinstance(self.quiz.verdict, Solved), "there is more to find"
        return self.solved(self.quiz.verdict)

    @property
    def line(self) -> str:
        """Returns what the picture of the verdict shows."""
        verdict = self.quiz.verdict
        assert isinstance(verdict, Solved | Wrong), "there is more to find"
        return line_text(self.judged.exercise.game, verdict.line, self.words)

    @property
    def result(self) -> str:
        """Returns what all of it has come to, or why there is nothing to solve."""
        raise NotImplementedError

    @property
    def judged(self) -> Solving:
        """Returns the exercise that was judged last."""
        assert self.quiz.judged is not None, "a move was judged"
        return self.quiz.judged

    def wrong(self, verdict: Wrong) -> str:
        """Returns what refutes a wrong move."""
        return refutation_text(verdict, self.judged, self.words, self.theme)

    def solved(self, verdict: Solved) -> str:
        """Returns what solves the exercise."""
        key = "quiz.shown" if self.quiz.gave_up else "quiz.solved"
        return solved_text(key, verdict, self.judged, self.words)

    def label(self, way: Way) -> str:
        """Returns what a way is called."""
        return self.words(way.label) if way.number is None else self.words(way.label, number=way.number)

    def move(self, move: str) -> str:
        """Returns a move of the exercise that was judged."""
        return turn_text(self.judged.exercise.game, move, self.words)


class DailyText(QuizText[DailyQuiz]):
    """The daily."""

    @property
    def title(self) -> str:
        return title_text(self.quiz.run.day, self.words)

    def head(self, *, ended: bool = False) -> str:
        head = head_text(self.quiz.run, self.words, ended=ended)
        begins = not (self.quiz.run.results or ended)
        return "\n".join(filter(None, (head, first_text(self.quiz.run, self.words) if begins else "")))

    @property
    def verdict(self) -> str:
        said, before, after = super().verdict, self.quiz.state.before, self.quiz.state.after
        if before is None or after is None:
            return said
        return f"{said}\n{rating_text(before.value, after.value, self.words)}"

    def solved(self, verdict: Solved) -> str:
        result = self.quiz.run.results[-1]
        key = "quiz.solved.first" if result == 0 else "quiz.shown" if result == SHOWN else "quiz.solved"
        return solved_text(key, verdict, self.judged, self.words)

    @property
    def result(self) -> str:
        quiz = self.quiz
        told = result_text(quiz.run, quiz.streak, quiz.rating, quiz.learner.at, self.words, self.theme)
        return "\n".join([told, self.words("daily.here", count=quiz.solvers)] if quiz.solvers else [told])


class RushText(QuizText[RushQuiz]):
    """Ten in a row."""

    @property
    def title(self) -> str:
        return self.words("rush.button")

    def head(self, *, ended: bool = False) -> str:
        rush = self.quiz.state.rush
        number = rush.step + (0 if ended else 1)
        return "\n".join(filter(None, (self.words("rush.head", number=number, all=len(rush.tasks)), self._marks)))

    @property
    def _marks(self) -> str:
        """Returns the marks of the answers so far."""
        return "".join(MARKS[right] for right in self.quiz.state.rush.right)

    def solved(self, verdict: Solved) -> str:
        said, instead = super().solved(verdict), self.quiz.instead
        if instead is None:
            return said
        wrong, better = self.move(instead), self.move(verdict.line[0])
        return f"{self.words('puzzle.wrong', wrong=wrong, better=better)}\n{said}"

    @property
    def result(self) -> str:
        rush, rating, words = self.quiz.state.rush, self.quiz.state.rating.value, self.words
        unrated = round(rating) == round(rush.before)
        lines = [
            words("rush.result", count=rush.solved, all=len(rush.tasks)),
            self._marks,
            words("rush.unrated", rating=round(rating)) if unrated else rating_text(rush.before, rating, words),
        ]
        if self.quiz.streak:
            lines.append(words("quiz.streak", count=self.quiz.streak))
        best = zip(self.quiz.best, self.names, strict=False)
        lines += [words("rush.best")] if self.quiz.best else []
        lines += [
            words("rush.best.line", place=place, name=words.literal(name), solved=each.solved, all=len(rush.tasks))
            for place, (each, name) in enumerate(best, start=1)
        ]
        return "\n".join(lines)


class LessonText(QuizText[LessonQuiz]):
    """A lesson."""

    @property
    def title(self) -> str:
        return path_title(self.quiz.progress.done, self.words)

    def head(self, *, ended: bool = False) -> str:
        key = self.quiz.lesson.key
        head = self.words("lesson.head", number=lesson_number(key), total=len(LESSONS))
        return self.words.markup.title(f"{head} · {lesson_title(key, self.words)}")

    def wrong(self, verdict: Wrong) -> str:
        judged, (move, *replies), words = self.judged, verdict.line, self.words
        game = judged.exercise.game
        if move == Call.STOP:
            return words("lesson.stopped", count=lost_by_stop(judged))
        if not replies:
            return words("lesson.captured", point=move)
        said = words("lesson.wrong", point=move, reply=replies[0])
        if captured := captured_dots(game, play_line(game, judged.position, (move,)), tuple(replies)):
            return f"{said}\n{words('lesson.loses', count=len(captured))}"
        if self.quiz.lesson.kind == Kind.ENDING:
            return f"{said}\n{words('lesson.no_room')}"
        return f"{said}\n{words('lesson.cut_off')}" if judged.has_stop else said

    def solved(self, verdict: Solved) -> str:
        if self.quiz.gave_up:
            return super().solved(verdict)
        key, own, other = self.quiz.lesson.key, emblem(self.theme, 0), emblem(self.theme, 1)
        said = self.words(f"lesson.solved.{key}", own=own, other=other)
        if lesson_number(key) == BASICS:
            return f"{said}\n{self.words('lesson.end')}"
        return said if self.quiz.following else f"{said}\n{self.words('path.end')}"


class TaughtText(QuizText[TaughtQuiz]):
    """A lesson of a server."""

    @property
    def title(self) -> str:
        return self.words("taught.button")

    def head(self, *, ended: bool = False) -> str:
        return self.words.markup.title(self.words.literal(self.quiz.made.name))

    def solved(self, verdict: Solved) -> str:
        return "\n".join(filter(None, (super().solved(verdict), self.words.literal(self.quiz.made.text))))


class DrillText(QuizText[Drill]):
    """A puzzle after a lesson."""

    @property
    def title(self) -> str:
        return self.words("drill.button")

    def head(self, *, ended: bool = False) -> str:
        number = (self.quiz.played - ended) % PUZZLES + 1
        head = self.words("drill.head", number=number, total=PUZZLES)
        return self.words.markup.title(f"{head} · {lesson_title(self.quiz.lesson, self.words)}")

    @property
    def result(self) -> str:
        return self.words("drill.none")


class TrainingText(QuizText[TrainingQuiz]):
    """An exercise of a kind."""

    @property
    def title(self) -> str:
        return self.words("kinds.button")

    def head(self, *, ended: bool = False) -> str:
        kind = kind_name(self.quiz.kind, self.words)
        return self.words.markup.title(self.words("train.head", kind=kind))

    @property
    def verdict(self) -> str:
        said, quiz = super().verdict, self.quiz
        if quiz.rated is None:
            return said
        before, after = quiz.rated
        rated = rating_text(before.value, after.value, self.words)
        return "\n".join([said, rated, figure_text(quiz.kind, quiz.figure, self.words)])

    @property
    def result(self) -> str:
        return self.words("drill.none")


class LookBackText(QuizText[LookBack]):
    """An exercise that is over, move by move."""

    @property
    def title(self) -> str:
        return self.words("quiz.back")

    def head(self, *, ended: bool = False) -> str:
        return self.words("back.head", number=self.quiz.ply, all=len(self.quiz.moves))

    @property
    def line(self) -> str:
        return super().line if self.quiz.ply else self.words("back.alt")

    def solved(self, verdict: Solved) -> str:
        if not verdict.line:
            return goal_text(self.judged.exercise, self.words, self.theme)
        game, position = self.judged.exercise.game, self.judged.position
        own = position.to_act if len(verdict.line) % 2 else 1 - position.to_act
        said = self.words("back.plays", emblem=emblem(self.theme, own), move=self.move(verdict.line[-1]))
        if self.quiz.ply < len(self.quiz.moves):
            return said
        captured = captured_dots(game, position, verdict.line)
        return f"{said} {captures_text(game, captured, verdict.line, self.words)}".strip()


class MistakeText(QuizText[MistakeQuiz]):
    """A mistake of the user."""

    @property
    def title(self) -> str:
        return self.words("mistakes.button")

    def head(self, *, ended: bool = False) -> str:
        if self.quiz.due is not None:
            return self.words("mistakes.head", count=self.quiz.due.count)
        numbers = self.quiz.mistake.numbers
        place = numbers.index(self.quiz.number) + 1
        return self.words("better.head", place=place, total=len(numbers), number=self.quiz.number)

    @property
    def goal(self) -> str:
        exercise, lost = self.quiz.posed.exercise, round(self.quiz.mistake.mistake.finding.lost, 1)
        return self.words(
            exercise.goal.key,
            emblem=emblem(self.theme, self.quiz.posed.position.to_act),
            played=turn_text(exercise.game, self.quiz.mistake.played, self.words),
            count=plural(lost),
            points=self.words.number(lost),
        )

    def solved(self, verdict: Solved) -> str:
        judged, line, returns, words = self.judged, verdict.line, self.quiz.returns, self.words
        game, better, played = judged.exercise.game, self.move(line[0]), self.move(self.quiz.mistake.played)
        said = words("better.shown" if self.quiz.gave_up else "better.right", better=better, played=played)
        purpose = purpose_text(game, purpose_of(game, judged.position, line), line, words)
        comes = words("mistakes.learned") if returns is None else words("mistakes.returns", count=returns)
        return f"{said} {purpose}\n{words.markup.small(comes)}"

    @property
    def result(self) -> str:
        due = self.quiz.due
        assert due is not None, "a mistake that is named is there"
        if due.count:
            return self.words("mistakes.withheld", count=due.count)
        return self.words("mistakes.later", count=due.returning) if due.returning else self.words("mistakes.none")


class OwnText(QuizText[OwnQuiz]):
    """A server's own puzzle."""

    @property
    def title(self) -> str:
        return self.words("puzzle.own.button")

    def head(self, *, ended: bool = False) -> str:
        head = puzzle_title(self.quiz.state.puzzle, self.words)
        if self.quiz.state.attempt is None or self.quiz.state.first:
            return head
        return f"{head}\n{self.words('puzzle.again')}"

    @property
    def verdict(self) -> str:
        said, state = super().verdict, self.quiz.state
        if state.text and isinstance(self.quiz.verdict, Solved):
            said = f"{said}\n{self.words.literal(state.text)}"
        if state.first and state.attempt and not state.attempt.scored:
            said = f"{said}\n{self.words('puzzle.unscored' if state.puzzle.made is None else 'puzzle.unscored.made')}"
        return "\n".join([said, *solvers_lines(self.quiz.table, self.names, self.words)])


TEXTS: dict[type[Quiz], type[QuizText[Any]]] = {
    DailyQuiz: DailyText,
    RushQuiz: RushText,
    LessonQuiz: LessonText,
    TaughtQuiz: TaughtText,
    Drill: DrillText,
    TrainingQuiz: TrainingText,
    LookBack: LookBackText,
    MistakeQuiz: MistakeText,
    OwnQuiz: OwnText,
}


def text_of(quiz: Quiz, words: Words, theme: str, names: tuple[str, ...] = ()) -> QuizText[Any]:
    """Returns a quiz in words."""
    return TEXTS[type(quiz)](quiz, words, theme, names)


def lesson_title(key: str, words: Words) -> str:
    """Returns the title of a lesson."""
    return words(f"lesson.title.{key}")


def path_title(done: int, words: Words) -> str:
    """Returns how many lessons a user has done."""
    return words("path.title", done=done, total=len(LESSONS))


def chapter_title(chapter: Chapter, words: Words) -> str:
    """Returns the title of a chapter of the path."""
    return words(f"path.chapter.{chapter.key}")


class LessonLine(NamedTuple):
    """A lesson as the path lists it: its mark, its title and the puzzles after it, and what opening it is called."""

    key: str
    text: str
    label: str


def lesson_lines(progress: PathProgress, chapter: Chapter, words: Words) -> list[LessonLine]:
    """Returns the lessons of a chapter, with what a user has done."""
    following, lines = progress.next_after(), list[LessonLine]()
    for key in (lesson.key for lesson in chapter.lessons):
        states = ("✅", "path.repeat"), ("▶️", "path.continue"), ("▫️", "path.lesson")
        mark, label = states[0 if progress.has_done(key) else 1 if key == following else 2]
        played = min(progress.puzzles_of(key), PUZZLES)
        puzzles = f" · 🧩 {played}/{PUZZLES}" if played else ""
        lines.append(LessonLine(key, f"{mark} {lesson_title(key, words)}{puzzles}", words(label)))
    return lines


def puzzle_title(puzzle: Puzzle, words: Words) -> str:
    """Returns the day of a server's puzzle, and where it comes from."""
    key = "puzzle.head.made" if puzzle.made else "puzzle.head" if puzzle.exercise is None else "puzzle.head.exercise"
    return words(key, day=words.moment(noon(puzzle.day), Stamp.DATE))


def solvers_lines(table: Sequence[Solver], names: Sequence[str], words: Words) -> list[str]:
    """Returns the lines of the best solvers of a server; none before the first solved puzzle."""
    lines = [
        words("puzzle.solver", place=place, name=words.literal(name), solved=solver.solved, tried=solver.tried)
        + (f" · 🔥 {solver.streak}" if solver.streak else "")
        for place, (name, solver) in enumerate(zip(names, table, strict=True), start=1)
    ]
    return [words("puzzle.table"), *lines] if lines else []
