"""Puzzles and lessons on the home page: one board for all kinds of exercises, as the one panel in the chat."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from opponent.review import Think
from play.community.exercise import Kind
from play.community.lesson import PATH
from play.community.puzzle import Figure, Puzzle
from play.community.solving import Solved, Wrong
from play.ids import ChannelId, GuildId, UserId
from play.refusal import Reason, Refused
from presentation.advice import line_picture
from presentation.daily import shared_text
from presentation.exercises import figure_text
from presentation.match.phrases import colour_name, turn_text
from presentation.quiz import QuizText, chapter_title, lesson_lines, path_title, text_of
from presentation.words.words import Words
from rules.dots import Call, Turn
from rules.game import Number, Picture, Point, Zone
from use_cases import UseCases
from use_cases.channel_rights import ChannelRights
from use_cases.lobby import latest_places
from use_cases.practice import Drill, LookBack, TrainingQuiz
from use_cases.quiz import Door, Learner, Quiz, Way
from use_cases.quizzes import DailyQuiz, LessonQuiz, MistakeQuiz, OwnQuiz, RushQuiz, TaughtQuiz
from use_cases.web_sessions import WebSessions
from web import bodies
from web.bodies import Json
from web.live.pictures import picture_json
from web.ports import Computer, ServerGuilds, SiteNames
from web.presentation.narrator import name_lines
from web.presentation.readers import Readers

MAX_MOVE, MAX_PLACE = 120, 60
"""Characters of a move that is typed, and of the address of an exercise."""

Open = Callable[..., Awaitable[Quiz]]


class Route(NamedTuple):
    """Addresses of exercises: `drill:fork:12:aabb` opens one, by the values in it."""

    pattern: re.Pattern[str]
    opens: Open

    @classmethod
    def of(cls, pattern: str, opens: Open) -> Route:
        """Returns the route of addresses with this pattern."""
        return cls(re.compile(pattern, re.ASCII), opens)


_NUMBER, _LESSON, _SUBJECT = r"\d{1,15}", "(?P<lesson>[a-z]{2,20})", "(?P<subject>[a-z]{2,20})"
_BUILT_IN = r"(?P<number>\d{1,6}):(?P<found>(?:[a-z]{2}|ST){0,5})"

ROUTES = (
    Route.of("daily", DailyQuiz.open),
    Route.of(r"day:(?P<day>\d{4}-\d\d-\d\d)", DailyQuiz.find),
    Route.of(r"daily:(?P<day>\d{4}-\d\d-\d\d)(?::(?P<tries>\d{1,4}))?", DailyQuiz.find),
    Route.of("rush", RushQuiz.open),
    Route.of(rf"rush:(?P<begun>{_NUMBER}):(?P<step>\d\d?)", RushQuiz.find),
    Route.of(f"lesson:{_LESSON}", LessonQuiz.find),
    Route.of(rf"taught:(?P<taught>{_NUMBER})", TaughtQuiz.find),
    Route.of(f"drill:{_LESSON}", Drill.open),
    Route.of(f"drill:{_LESSON}:{_BUILT_IN}", Drill.find),
    Route.of(f"train:{_SUBJECT}", TrainingQuiz.open),
    Route.of(f"train:{_SUBJECT}:{_BUILT_IN}", TrainingQuiz.find),
    Route.of(rf"back:{_BUILT_IN}:(?P<ply>\d\d?)", LookBack.find),
    Route.of("mistakes", MistakeQuiz.open),
    Route.of(rf"mistake:(?P<match>{_NUMBER}):(?P<number>\d{{1,4}})", MistakeQuiz.find),
    Route.of(f"puzzle:(?P<puzzle>{_NUMBER})", OwnQuiz.find),
)

NAMES: dict[type[Quiz], str] = {
    DailyQuiz: "daily",
    RushQuiz: "rush",
    LessonQuiz: "lesson",
    TaughtQuiz: "taught",
    Drill: "drill",
    TrainingQuiz: "train",
    LookBack: "back",
    MistakeQuiz: "mistake",
    OwnQuiz: "puzzle",
}
"""The first word in the addresses of each kind."""

TEXTS = frozenset({"day", "lesson", "subject", "found"})
"""Values that are texts; all others are numbers."""

PATH_ADDRESS, KINDS_ADDRESS = "lessons", "kinds"

LABELS = {
    "play": "web.board.play",
    "play_at": "step.play",
    "stop": "button.stop",
    "again": "button.try_again",
    "show": "quiz.show",
    "next": "rush.next",
    "result": "daily.result",
    "today": "daily.play",
    "copy_text": "daily.copy",
    "field": "web.board.field",
    "type": "web.board.type",
}
"""What the page calls its parts, by the sentences of other places."""


@dataclass(frozen=True, slots=True)
class QuizBoards:
    """Does what the board of an exercise asks, by the use cases of the panel in the chat. All methods raise Refused."""

    cases: UseCases
    sessions: WebSessions
    readers: Readers
    names: SiteNames
    rights: ChannelRights
    guilds: ServerGuilds
    computer: Computer
    name_solvers: Callable[[Puzzle], Awaitable[None]]

    async def open(self, user: UserId, here: ChannelId | None, message: Json) -> Json:
        """Opens an exercise, or goes on with it. In a server's channel `here` it counts on that server."""
        if bodies.text(message, "quiz", MAX_PLACE) == PATH_ADDRESS:
            return await self._tell_path(user, here)
        if bodies.text(message, "quiz", MAX_PLACE) == KINDS_ADDRESS:
            return await self._tell_kinds(user)
        return await self._tell(await self._find(user, here, message))

    async def play(self, user: UserId, here: ChannelId | None, message: Json) -> Json:
        """Judges a move."""
        move, quiz = bodies.typed(message, "move", MAX_MOVE), await self._find(user, here, message)
        await quiz.play(move)
        return await self._tell(quiz)

    async def choose(self, user: UserId, here: ChannelId | None, message: Json) -> Json:
        """Judges one of the moves to choose from."""
        answer, quiz = bodies.number(message, "answer"), await self._find(user, here, message)
        await quiz.choose(answer)
        return await self._tell(quiz)

    async def show(self, user: UserId, here: ChannelId | None, message: Json) -> Json:
        """Gives up."""
        quiz = await self._find(user, here, message)
        await quiz.play(None)
        return await self._tell(quiz)

    async def _find(self, user: UserId, here: ChannelId | None, message: Json) -> Quiz:
        address = bodies.text(message, "quiz", MAX_PLACE)
        for route in ROUTES:
            if found := route.pattern.fullmatch(address):
                values = {name: text for name, text in found.groupdict().items() if text is not None}
                key = {name: text if name in TEXTS else int(text) for name, text in values.items()}
                return await route.opens(await self._learner(user, here), **key)
        raise Refused(Reason.BAD_MESSAGE)

    async def _learner(self, user: UserId, here: ChannelId | None) -> Learner:
        async def sees(guild: GuildId, channel: ChannelId | None) -> bool:
            if channel is None:
                return await self.rights.membership(guild, user) is not None
            return await self.rights.sees(guild, channel, user)

        guild, now = await self._guild(user, here), await self.sessions.now()
        think: Think | None = self.computer.advisor(user).help if self.computer.has_computer else None
        return Learner(self.cases, user, guild, now, sees, self.name_solvers, think)

    async def _guild(self, user: UserId, here: ChannelId | None) -> GuildId | None:
        """Returns the server of a channel that a user sees. While the chat is away there is none: the next look at the
        puzzles is early enough."""
        with suppress(Refused):
            guild = None if here is None else await self.guilds.guild_of(here)
            if here is not None and guild is not None and await self.rights.sees(guild, here, user):
                return guild
        return None

    async def _tell(self, quiz: Quiz) -> Json:
        """Returns an exercise as docs/web-protocol.md has it."""
        user, guild = quiz.learner.user, quiz.guild if isinstance(quiz, OwnQuiz) else quiz.learner.guild
        async with self.cases.store.read() as reader:
            settings = await reader.people.get(user)
        language, theme = await self.readers.look(settings)
        names = await self.names.of_all(quiz.named, guild) if quiz.named else ()
        text = text_of(quiz, self.readers.words(language), theme, names)
        return await asyncio.to_thread(_told, quiz, text, plays_at_once=quiz.is_instant or not settings.confirm_days)

    async def _tell_path(self, user: UserId, here: ChannelId | None) -> Json:
        """Returns the list of lessons: those of the path, and those of the user's servers."""
        progress = await self.cases.lessons.progress(user)
        words = self.readers.words((await self.readers.audience(user, None, None)).language)
        following = progress.next_after()
        chapters = [
            {
                "title": chapter_title(chapter, words),
                "lessons": [
                    {"to": f"lesson:{line.key}", "text": line.text, "label": line.label, "next": line.key == following}
                    for line in lesson_lines(progress, chapter, words)
                ],
            }
            for chapter in PATH
        ]
        chapters += [each async for each in self._tell_servers(user, here, words)]
        return {"quiz": PATH_ADDRESS, "title": path_title(progress.done, words), "chapters": chapters}

    async def _tell_servers(self, user: UserId, here: ChannelId | None, words: Words) -> AsyncIterator[Json]:
        """Yields the lessons of the servers where a user has played last, and of the one where they are."""
        known = [await self._guild(user, here), *(guild for guild, _ in await latest_places(self.cases.store, user))]
        for guild in dict.fromkeys(guild for guild in known if guild is not None):
            made = await self.cases.lessons.of_server(guild)
            if made and await self._is_member(guild, user):
                lines = [
                    {"to": f"taught:{each.id}", "text": each.name, "label": words("path.lesson"), "next": False}
                    for each in made
                ]
                title = words("taught.of_server", server=await self.names.of_server(guild) or str(guild))
                yield {"title": title, "lessons": lines}

    async def _is_member(self, guild: GuildId, user: UserId) -> bool:
        """Returns whether a user is on a server; False while the chat is away: the path is there without it."""
        with suppress(Refused):
            return await self.rights.membership(guild, user) is not None
        return False

    async def _tell_kinds(self, user: UserId) -> Json:
        """Returns the list of kinds, with how the user does with each."""
        figures, weakest = await self.cases.training.standing(user)
        words = self.readers.words((await self.readers.audience(user, None, None)).language)
        lines = [
            {
                "to": f"train:{kind}",
                "text": figure_text(kind, figures.get(kind, Figure()), words),
                "label": words("kinds.train"),
                "next": kind is weakest,
            }
            for kind in Kind
        ]
        chapters = [{"title": words("kinds.about"), "lessons": lines}]
        return {"quiz": KINDS_ADDRESS, "title": words("kinds.button"), "chapters": chapters}


def _told(quiz: Quiz, text: QuizText[Any], *, plays_at_once: bool) -> Json:
    words = text.words
    is_solved = isinstance(quiz.verdict, Solved) and not quiz.passes_on
    ways = quiz.ends if quiz.has_result else quiz.ways if is_solved else quiz.aside
    return {
        "quiz": ":".join([NAMES[type(quiz)], *map(str, quiz.key.values())]),
        "labels": {name: words.template(key) for name, key in LABELS.items()},
        "colours": [colour_name(text.theme, each, words) for each in range(2)],
        "title": text.title,
        "notice": text.notice,
        "verdict": None if quiz.is_stale or quiz.passes_on else _verdict(quiz, text),
        "step": None if quiz.solving is None else _step(quiz, text, plays_at_once=plays_at_once),
        "result": _result(quiz, text) if quiz.has_result else None,
        "ways": [_way(each, text) for each in ways if each.door is not Door.OWN],  # it is posted in a channel
        "newer": words("web.lobby.newer") if isinstance(quiz, DailyQuiz) and not quiz.is_today else None,
    }


def _step(quiz: Quiz, text: QuizText[Any], *, plays_at_once: bool) -> Json:
    """Returns the exercise to solve."""
    solving, words = quiz.posed, text.words
    exercise, picture = solving.exercise, solving.position.picture()
    answers = [(each, exercise.game.parse(each)) for each in exercise.answers] if quiz.chooses else []
    dots = {each: turn.dot if isinstance(turn, Turn) else None for each, turn in answers}
    if exercise.zone is not None and not _is_whole(exercise.zone, picture):
        picture = replace(picture, focus=exercise.zone)
    numbers = tuple(Number(dot, place) for place, dot in enumerate(dots.values(), start=1) if dot is not None)
    picture = replace(picture, numbers=numbers)
    return {
        "head": text.head(),
        "goal": text.goal,
        **_board(picture),
        "seat": solving.position.to_act,
        "stop": str(Call.STOP) if solving.has_stop and not quiz.chooses else None,
        "shows": quiz.can_give_up,
        "instant": plays_at_once,
        "choices": [{"label": turn_text(exercise.game, each, words), "point": dot} for each, dot in dots.items()],
    }


def _verdict(quiz: Quiz, text: QuizText[Any]) -> Json | None:
    """Returns what a wrong move, or the end of the exercise, is told with."""
    verdict = quiz.verdict
    if not isinstance(verdict, Wrong | Solved):
        return None
    judged = text.judged
    return {
        "head": text.verdict_head,
        "text": text.verdict,
        "line": text.line,
        **_board(line_picture(judged.exercise.game, judged.position, verdict.line, quiz.instead)),
        "is": "wrong" if isinstance(verdict, Wrong) else "solved",
    }


def _is_whole(zone: Zone, picture: Picture) -> bool:
    return zone == Zone(Point(0, 0), Point(picture.width - 1, picture.height - 1))


def _board(picture: Picture) -> Json:
    return {"picture": picture_json(picture), "coordinates": name_lines(picture)}


def _result(quiz: Quiz, text: QuizText[Any]) -> Json:
    """Returns what all has come to; the daily has a text to be shown to others."""
    shared = shared_text(quiz.run, quiz.streak, text.words, text.theme) if isinstance(quiz, DailyQuiz) else None
    return {"text": text.result, "shared": shared}


def _way(way: Way, text: QuizText[Any]) -> Json:
    """Returns a way on, as an address: of an exercise, or of what is beside them."""
    if way.door is Door.SERVER_LESSONS:
        return {"label": text.label(way), "to": PATH_ADDRESS, "primary": way.primary}
    values = () if way.door in (Door.LESSONS, Door.KINDS, Door.NEWCOMER) else way.values.values()
    return {"label": text.label(way), "to": ":".join([way.door, *map(str, values)]), "primary": way.primary}
