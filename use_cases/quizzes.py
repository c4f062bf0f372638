"""The kinds of what is solved: where each exercise comes from, what counts there, and what comes next."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Self

from opponent.review import judge_turn, play_line
from play.community.daily import Run
from play.community.exercise import TaskId, name_of
from play.community.exercise_tree import write_moves
from play.community.lesson import BASICS, LESSONS, Lesson, PathProgress, chapter_of, lesson_number
from play.community.made_exercise import MadeExercise, MadeId
from play.community.puzzle import PuzzleId, Solver, puzzle_day
from play.community.rush import BestRush
from play.community.solving import DailyState, Solved, Solving, Verdict, Wrong
from play.ids import GuildId, MatchId, UserId
from play.ratings.glicko import Rating
from play.refusal import Reason, Refused
from use_cases.past_mistakes import Due, PosedMistake
from use_cases.puzzles import PuzzleState
from use_cases.quiz import ALL_LESSONS, Door, Learner, Quiz, Way
from use_cases.rushes import RushState


class DailyQuiz(Quiz):
    """The present step of a day's daily; its result once it is over."""

    state: DailyState
    streak, solvers, rating = 0, 0, Rating()

    @classmethod
    async def open(cls, learner: Learner) -> Self:
        """Returns today's, begun now if it was not."""
        return await cls(learner)._take(await learner.cases.dailies.open(learner.user, learner.guild, learner.at))

    @classmethod
    async def find(cls, learner: Learner, *, day: str, tries: int | None = None) -> Self:
        """Returns that of a day; it is stale after other `tries`. Raises Refused (`no_puzzle`)."""
        quiz = await cls(learner)._take(await learner.cases.dailies.state(day, learner.user))
        quiz.is_stale = tries not in (None, quiz.run.tries)
        return quiz

    @property
    def run(self) -> Run:
        """Returns the user's way through the day."""
        return self.state.run

    @property
    def key(self) -> Mapping[str, object]:
        return {"day": self.run.day, "tries": self.run.tries}

    @property
    def has_result(self) -> bool:
        return self.run.over

    @property
    def is_today(self) -> bool:
        """Returns whether its day goes on."""
        return self.run.day == puzzle_day(self.learner.at)

    async def _judge(self, judged: Solving, move: str | None, *, chosen: bool) -> Verdict | None:
        run, learner = self.run, self.learner
        play = learner.cases.dailies.play(run.day, learner.user, run.tries, move, learner.at, chosen=chosen)
        await self._take(await play)
        return self.state.verdict

    def _after(self, verdict: Verdict, judged: Solving) -> Solving | None:
        return self.state.solving

    async def _take(self, state: DailyState) -> Self:
        dailies, guild = self.learner.cases.dailies, self.learner.guild
        self.state, self.solving, self.can_give_up = state, state.solving, state.run.missed > 0
        begins = state.solving is not None and not state.solving.found
        self.chooses = begins and guild is not None and (await dailies.place(guild)).choices
        if state.run.over:
            await self._read_result()
        onward = Way(Door.DAY, "daily.result" if state.run.over else "rush.next", {"day": state.run.day}, True)
        self.ways = [onward]
        return self

    async def _look_on(self) -> None:
        assert self.judged is not None, "a move was judged"
        self.ways = [*self.ways, *back_ways(self.judged, self.verdict, gave_up=self.gave_up)]

    async def _read_result(self) -> None:
        cases, user, at, guild = self.learner.cases, self.learner.user, self.learner.at, self.learner.guild
        self.streak, self.rating = await cases.dailies.streak(user, at), await cases.puzzles.skill(user)
        if guild is not None:
            self.solvers = await cases.dailies.solvers(guild, self.run.day)
        further = await self._next_step() if self.is_today else Way(Door.DAILY, "daily.play")
        self.ends = [*self._missed, further._replace(primary=True)]

    @property
    def _missed(self) -> Sequence[Way]:
        """Returns the ways to the boards of what was not found at the first try."""
        number = self.learner.cases.dailies.number
        return [
            Way(Door.BACK, "daily.missed", {"number": number(self.run, step), "found": "", "ply": 0}, number=step + 1)
            for step in self.run.missed_steps
        ]

    async def _next_step(self) -> Way:
        """Returns the one thing that a user should do next: what they missed, a first game, or more puzzles."""
        cases, missed = self.learner.cases, self.run.missed_steps
        if missed and (kind := cases.dailies.exercise_of(self.run, missed[0]).kind):
            progress = await cases.lessons.progress(self.learner.user)
            of_kind = (each.key for each in LESSONS.values() if each.kind == kind and not progress.has_done(each.key))
            lesson, train = next(of_kind, None), Way(Door.TRAIN, "daily.train", {"subject": str(kind)})
            return Way(Door.LESSON, "daily.lesson", {"lesson": lesson}) if lesson else train
        if self.run.first and self.learner.think is not None:
            return Way(Door.NEWCOMER, "lesson.play")
        return Way(Door.RUSH, "rush.button")


class RushQuiz(Quiz):
    """The present exercise of ten in a row."""

    state: RushState
    chooses, can_give_up = True, False
    streak = 0
    best: Sequence[BestRush] = ()

    @classmethod
    async def open(cls, learner: Learner) -> Self:
        """Returns that of the user which is not over, else a new one."""
        return await cls(learner)._take(await learner.cases.rushes.begin(learner.user, learner.guild, learner.at))

    @classmethod
    async def find(cls, learner: Learner, *, begun: int, step: int) -> Self:
        """Returns the one that began then, in which `step` was reached. Raises Refused (`no_rush`)."""
        quiz = await cls(learner)._take(await learner.cases.rushes.state(learner.user, begun, step))
        quiz.is_stale = step != quiz.state.rush.step
        return quiz

    @property
    def key(self) -> Mapping[str, object]:
        return {"begun": self.state.rush.begun, "step": self.state.rush.step}

    @property
    def named(self) -> Sequence[UserId]:
        return [each.user for each in self.best]

    @property
    def has_result(self) -> bool:
        return self.state.rush.over

    @property
    def is_missed(self) -> bool:
        """Returns whether the verdict is on a wrong answer."""
        return self.verdict is not None and not self.state.rush.right[-1]

    async def choose(self, answer: int) -> None:
        rush, learner = self.state.rush, self.learner
        if not self.is_stale:  # else that step has its answer
            await self._take(await learner.cases.rushes.answer(learner.user, rush.begun, rush.step, answer, learner.at))
        rush, last = self.state.rush, self.state.last
        assert last is not None, "an exercise was answered"
        self.judged = await asyncio.to_thread(Solving.begin, last)
        self.verdict, self.passes_on = Solved(self.judged.node.line_of(last.solution)), rush.right[-1]
        self.is_stale = False
        self.instead = None if rush.right[-1] else last.answers[rush.answers[-1]]
        self.ways = [*self.ways, *back_ways(self.judged, self.verdict, gave_up=True)]

    async def _judge(self, judged: Solving, move: str | None, *, chosen: bool) -> Verdict | None:
        raise Refused(Reason.NO_RUSH)  # it is answered by one of the moves to choose from

    async def _take(self, state: RushState) -> Self:
        self.state = state
        self.solving = None if state.next is None else await asyncio.to_thread(Solving.begin, state.next)
        self.ways = self.ends = [Way(Door.RUSH, "rush.again" if self.solving is None else "rush.next", primary=True)]
        if self.solving is None:
            cases, guild, at = self.learner.cases, self.learner.guild, self.learner.at
            self.streak = await cases.dailies.streak(self.learner.user, at)
            self.best = await cases.rushes.best(guild, at) if guild and guild == state.rush.guild else ()
        return self


class LessonQuiz(Quiz):
    """A lesson of the path."""

    is_instant = True
    lesson: Lesson
    progress: PathProgress

    @classmethod
    async def find(cls, learner: Learner, *, lesson: str) -> Self:
        """Returns a lesson by its key. Raises Refused (`old_button`)."""
        quiz = cls(learner)
        quiz.lesson, quiz.progress = find_lesson(lesson), await learner.cases.lessons.progress(learner.user)
        quiz.solving = await asyncio.to_thread(Solving.begin, quiz.lesson.exercise)
        quiz.aside = [Way(Door.LESSONS, "path.button", {"chapter": chapter_of(lesson)})]
        return quiz

    @property
    def key(self) -> Mapping[str, object]:
        return {"lesson": self.lesson.key}

    @property
    def following(self) -> str | None:
        """Returns the next lesson that the user has not done."""
        return self.progress.next_after(self.lesson.key)

    async def _judge(self, judged: Solving, move: str | None, *, chosen: bool) -> Verdict | None:
        verdict, lessons = judged.judge(move), self.learner.cases.lessons
        if isinstance(verdict, Solved) and move is not None:
            await lessons.note_found(self.learner.user, self.lesson.key, self.learner.at)
            self.progress = await lessons.progress(self.learner.user)
        return verdict

    async def _look_on(self) -> None:
        key, learner = {"lesson": self.lesson.key}, self.learner
        if self.gave_up:
            self.ways = [Way(Door.LESSON, "button.try_again", key, True), *self.aside]
            return
        ways = [Way(Door.LESSON, "lesson.next", {"lesson": self.following}, True)] if self.following else []
        if lesson_number(self.lesson.key) == BASICS and learner.think is not None:
            ways.append(Way(Door.NEWCOMER, "lesson.play", primary=True))
        if await learner.cases.lessons.has_puzzle(learner.user, self.lesson.key, learner.at):
            ways.append(Way(Door.DRILL, "drill.button", key))
        self.ways = [*ways, *self.aside]


class TaughtQuiz(Quiz):
    """A lesson that the hosts of a server have made."""

    is_instant = True
    made: MadeExercise

    @classmethod
    async def find(cls, learner: Learner, *, taught: MadeId) -> Self:
        """Returns a lesson of a server that the user is on. Raises Refused (`no_lesson`)."""
        quiz = cls(learner)
        quiz.made = await learner.cases.lessons.made(taught)
        if not await learner.sees(quiz.made.guild, None):
            raise Refused(Reason.NO_LESSON)
        exercise = quiz.made.exercise(TaskId(f"s{taught}"))
        quiz.solving = await asyncio.to_thread(Solving.begin, exercise)
        quiz.ways = quiz.aside = [Way(Door.SERVER_LESSONS, "taught.button")]
        return quiz

    @property
    def key(self) -> Mapping[str, object]:
        return {"taught": self.made.id}

    async def _judge(self, judged: Solving, move: str | None, *, chosen: bool) -> Verdict | None:
        return judged.judge(move)

    async def _look_on(self) -> None:
        lessons = [each.id for each in await self.learner.cases.lessons.of_server(self.made.guild)]
        following = next((each for each in lessons if each > self.made.id), None)
        again = Way(Door.TAUGHT, "button.try_again", self.key, primary=True)
        after = [Way(Door.TAUGHT, "lesson.next", {"taught": following}, primary=True)] if following else []
        self.ways = [*([again] if self.gave_up else after), *self.aside]


class MistakeQuiz(Quiz):
    """A mistake of the user, of which `due` are back with it; it `returns` on a day, or never (None)."""

    mistake: PosedMistake
    due: Due | None = None
    returns: int | None = None
    ends = (ALL_LESSONS,)

    @classmethod
    async def open(cls, learner: Learner) -> Self:
        """Returns the one that is due the longest; without an exercise if none is."""
        due = await learner.cases.past_mistakes.open(learner.user, learner.at)
        quiz = cls(learner) if due.posed is None else await cls.of(learner, due.posed)
        quiz.due = due
        return quiz

    @classmethod
    async def find(cls, learner: Learner, *, match: MatchId, number: int) -> Self:
        """Returns a mistake in a match. Raises Refused (`no_mistake`)."""
        return await cls.of(learner, await learner.cases.past_mistakes.get(learner.user, match, number))

    @classmethod
    async def of(cls, learner: Learner, mistake: PosedMistake) -> Self:
        """Returns the question about a mistake."""
        quiz = cls(learner)
        quiz.mistake, quiz.instead = mistake, mistake.played
        quiz.solving = await asyncio.to_thread(Solving.begin, mistake.exercise)
        return quiz

    @property
    def number(self) -> int:
        """Returns the number of the move in its match."""
        return self.mistake.mistake.finding.number

    @property
    def key(self) -> Mapping[str, object]:
        if self.solving is None and self.judged is None:
            return {}
        return {"match": self.mistake.match.id, "number": self.number}

    async def _judge(self, judged: Solving, move: str | None, *, chosen: bool) -> Verdict | None:
        verdict, learner = judged.judge(move), self.learner
        if isinstance(verdict, Wrong):
            verdict = await self._look_again(verdict)
        right, at = move is not None and isinstance(verdict, Solved), learner.at
        what = learner.user, self.mistake.match.id, self.number
        noted = await learner.cases.past_mistakes.answer(*what, at, right=right)
        self.returns = await learner.cases.past_mistakes.days_until(noted, at)
        return verdict

    async def _look_again(self, wrong: Wrong) -> Verdict:
        """Returns what a move is worth that the review does not name: by a search as in the review, if there is one."""
        match, finding = self.mistake.match, self.mistake.mistake.finding
        if match.game.seats != 2 or self.learner.think is None:
            return wrong
        after, seat = play_line(match.game, match.position, wrong.line), match.position.to_act
        judged = await judge_turn(after, seat, finding.value, match.seed, self.learner.think)
        return Solved(wrong.line) if judged.good else Wrong((*wrong.line, *filter(None, (judged.reply,))))

    async def _look_on(self) -> None:
        match, ways = self.mistake.match, list[Way]()
        if following := [each for each in self.mistake.numbers if each > self.number]:
            ways.append(Way(Door.MISTAKE, "better.next", {"match": match.id, "number": following[0]}, True))
        if left := await self.learner.cases.past_mistakes.count_due(self.learner.user, self.learner.at):
            ways.append(Way(Door.MISTAKES, "mistakes.button.due", primary=True, number=left))
        whole = Way(Door.GAME, "better.summary", {"match": match.id})
        self.ways = [*ways, whole, ALL_LESSONS]


class OwnQuiz(Quiz):
    """The puzzle of a day from a game of a server. The first try counts."""

    state: PuzzleState
    table: Sequence[Solver] = ()
    ways = (Way(Door.RUSH, "rush.button"),)

    @classmethod
    async def find(cls, learner: Learner, *, puzzle: PuzzleId) -> Self:
        """Returns a puzzle whose post the user sees. Raises Refused (`no_puzzle`)."""
        quiz = cls(learner)
        quiz.state = await learner.cases.puzzles.open(puzzle, learner.user)
        if not await learner.sees(quiz.guild, quiz.state.puzzle.channel):
            raise Refused(Reason.NO_PUZZLE)  # its table names members
        quiz.solving = quiz.state.solving
        quiz.chooses = (await learner.cases.dailies.place(quiz.guild)).choices
        return quiz

    @property
    def guild(self) -> GuildId:
        """Returns the server of the puzzle."""
        return self.state.puzzle.guild

    @property
    def key(self) -> Mapping[str, object]:
        return {"puzzle": self.state.puzzle.id}

    @property
    def named(self) -> Sequence[UserId]:
        return [each.user for each in self.table]

    async def _judge(self, judged: Solving, move: str | None, *, chosen: bool) -> Verdict | None:
        learner = self.learner
        self.state = state = await learner.cases.puzzles.play(self.state.puzzle.id, learner.user, move, learner.at)
        self.table = await learner.cases.puzzles.table(self.guild, learner.at)
        if state.first and state.attempt and state.attempt.right and state.attempt.scored:
            await learner.named(state.puzzle)
        return state.verdict


def back_ways(judged: Solving, verdict: Verdict | None, *, gave_up: bool) -> Sequence[Way]:
    """Returns the way back through the moves of an exercise of the set that is over; none if it had only one move."""
    exercise = judged.exercise
    if not isinstance(verdict, Solved) or exercise.kind is None or len(judged.found) + len(verdict.line) < 2:
        return []
    found = judged.found if gave_up else (*judged.found, name_of(exercise.game.parse(verdict.line[0])))
    return [Way(Door.BACK, "quiz.back", {"number": exercise.number, "found": write_moves(found), "ply": 0})]


def find_lesson(key: str) -> Lesson:
    """Returns a lesson. Raises Refused (`old_button`) for a key that none has."""
    if key not in LESSONS:
        raise Refused(Reason.OLD_BUTTON)
    return LESSONS[key]
