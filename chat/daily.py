"""The daily on a chat platform: its steps by buttons and typed moves, its result to share, and its post of each day."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import date

from chat.actions import Action
from chat.messages import Button, Message, Picture
from chat.port import Press
from chat.request import Request, button
from chat.services import Services
from opponent.review import Think
from play.community.daily import DailyPost, Recap
from play.community.exercise import Exercise
from play.community.puzzle import Puzzle, puzzle_day
from play.community.solving import Solved, Wrong
from play.ids import ChannelId, GuildId, MessageId
from play.posts import PostProblem
from play.refusal import Reason, Refused
from presentation.advice import draw_line, draw_solution
from presentation.daily import recap_lines, shared_text, title_text
from presentation.match.phrases import colour_name, turn_text
from presentation.quiz import QuizText, text_of
from presentation.typed_turns import is_move, read_crossing
from presentation.words.words import Words
from use_cases.quiz import Learner
from use_cases.quizzes import DailyQuiz
from use_cases.worker import Undeliverable, Unsendable
from use_cases.workers.daily_relay import DailyNotPosted

ANSWERS_IN_ROW = 3


def learner(request: Request) -> Learner:
    """Returns the person of a request as one who solves something."""

    async def sees(where: GuildId, _: ChannelId | None) -> bool:
        return where == request.guild

    async def named(_: Puzzle) -> None:
        return None

    coach = request.services.coach
    think: Think | None = coach.advisor(request.user).help if coach.has_computer else None
    return Learner(request.use_cases, request.user, request.guild, request.at, sees, named, think)


async def open_daily(request: Request) -> None:
    """Shows today's daily, or goes on with it. Raises Refused."""
    await _show(request, await DailyQuiz.open(learner(request)))


async def act(request: Request, action: Action) -> None:
    """Does what a button of the daily says: an answer by its number, giving up, going on. Raises Refused."""
    if not action.numbers:
        await open_daily(request)
        return
    day = date.fromordinal(_ordinal(action)).isoformat()
    quiz = await DailyQuiz.find(learner(request), day=day, tries=action.number(1))
    if action.text == "show":
        await quiz.play(None)
    elif action.text == "share":
        await _share(request, quiz)
        return
    elif action.text.isdigit():
        await quiz.choose(int(action.text))
    await _after(request, quiz)


def _ordinal(action: Action) -> int:
    if not date.min.toordinal() <= action.number(0) <= date.max.toordinal():
        raise Refused(Reason.OLD_BUTTON)
    return action.number(0)


async def set_place(request: Request, *, posts: bool) -> None:
    """Has the daily posted in this place of the group each day, or no more. Raises Refused (`no_server_here`,
    `not_your_server`)."""
    if request.guild is None:
        raise Refused(Reason.NO_SERVER_HERE)
    if not await request.services.platform.may_manage(request.user, request.asked.place):
        raise Refused(Reason.NOT_YOUR_SERVER)
    channel = request.channel if posts else None
    move = request.use_cases.dailies.change_place
    await move(request.guild, lambda place: place.moved(channel, request.at), request.user)
    words = await request.words()
    await request.answer(words("chat.daily.posts" if posts else "chat.daily.off"))


async def play_typed(request: Request, text: str) -> bool:
    """Plays a line as a move of the daily that its author has begun; returns whether it was one."""
    async with request.services.store.read() as reader:
        run = await reader.dailies.run(puzzle_day(request.at), request.user)
    if run is None or run.over:
        return False
    quiz = await DailyQuiz.open(learner(request))
    if quiz.solving is None or not is_move(quiz.solving.exercise.game.parse, text):
        return False
    await quiz.play(read_crossing(text))
    await _after(request, quiz)
    return True


async def _after(request: Request, quiz: DailyQuiz) -> None:
    if isinstance(quiz.verdict, Solved | Wrong) and not (quiz.passes_on or quiz.is_stale):
        await _show_verdict(request, quiz)
    else:
        await _show(request, quiz)


async def _show_verdict(request: Request, quiz: DailyQuiz) -> None:
    """Shows the line that refutes a wrong move or that solves the step, and the ways on."""
    words, theme = await request.words(), (await request.settings()).theme
    text: QuizText[DailyQuiz] = text_of(quiz, words, theme)
    verdict, judged = quiz.verdict, text.judged
    assert isinstance(verdict, Solved | Wrong), "there is a line to show"
    said = await asyncio.to_thread(lambda: "\n".join(filter(None, (text.verdict_head, text.verdict))))
    drawn = judged.exercise.game, judged.position, verdict.line, quiz.instead
    png = await request.services.jobs.pictures.make(request.user, draw_solution, *drawn, theme)
    on = _button(quiz, words.plain("chat.daily.on" if isinstance(verdict, Solved) else "button.try_again"), "on")
    more = [] if isinstance(verdict, Solved) else [_button(quiz, words.plain("quiz.show"), "show")]
    await _put(request, said, [[on, *more]], Picture(png, text_of(quiz, words.plain, theme).line))


async def _show(request: Request, quiz: DailyQuiz) -> None:
    """Shows the present step with its moves to choose from, or the result."""
    words, theme = await request.words(), (await request.settings()).theme
    text: QuizText[DailyQuiz] = text_of(quiz, words, theme)
    if quiz.solving is None:
        share = _button(quiz, words.plain("share.button"), "share")
        await _put(request, f"{text.title}\n{text.result}", [[share]], None)
        return
    head = "\n".join(filter(None, (text.title, text.head(), text.notice, text.goal)))
    exercise = quiz.posed.exercise
    position = await asyncio.to_thread(lambda: quiz.posed.position)
    png = await request.services.jobs.pictures.make(request.user, draw_line, exercise.game, position, (), theme)
    alt = words.plain("puzzle.alt", colour=colour_name(theme, position.to_act, words.plain))
    rows = [*_answers(quiz, words.plain), [_button(quiz, words.plain("quiz.show"), "show")]]
    await _put(request, f"{head}\n{words.markup.small(words('chat.daily.how'))}", rows, Picture(png, alt))


def _answers(quiz: DailyQuiz, words: Words) -> list[Sequence[Button]]:
    """Returns the moves to choose from, while nothing of the step is found."""
    exercise = quiz.posed.exercise
    if quiz.posed.found:
        return []
    moves = [_button(quiz, turn_text(exercise.game, each, words), str(at)) for at, each in enumerate(exercise.answers)]
    return [moves[start : start + ANSWERS_IN_ROW] for start in range(0, len(moves), ANSWERS_IN_ROW)]


def _button(quiz: DailyQuiz, label: str, what: str) -> Button:
    return button(label, "day", date.fromisoformat(quiz.run.day).toordinal(), quiz.run.tries, text=what)


async def _put(request: Request, text: str, rows: Sequence[Sequence[Button]], picture: Picture | None) -> None:
    """Shows the panel in the private message whose button was pressed, or as an answer."""
    asked = request.asked
    if isinstance(asked, Press) and asked.place.is_direct and Action.read(asked.action).numbers:
        shown = Message(text, picture, tuple(map(tuple, rows)))
        await request.services.platform.edit(asked.place.channel, asked.message, shown)
    else:
        await request.answer(text, rows, picture=picture, private=True)


async def _share(request: Request, quiz: DailyQuiz) -> None:
    """Posts the result for everybody, without a solution. Raises Refused (`nothing_to_share`)."""
    if not quiz.run.over:
        raise Refused(Reason.NOTHING_TO_SHARE)
    words = await request.services.locales.for_guild(request.guild)
    text = shared_text(quiz.run, quiz.streak, words, (await request.group()).theme)
    play = button(words.plain("daily.play"), "day")
    await request.services.platform.post(request.channel, Message(text, buttons=((play,),)), f"s{request.key:x}")


class ChatDailies:
    """Implements use_cases.workers.daily_relay.DailyDisplay over a platform."""

    def __init__(self, services: Services) -> None:
        self._services = services

    async def post(self, post: DailyPost) -> MessageId:
        """See use_cases.workers.daily_relay.DailyDisplay."""
        exercise = self._services.use_cases.dailies.exercise(post.day, 0)
        words, picture = await self._look(post.guild, exercise)
        text = f"{title_text(post.day, words)}\n{words('daily.about')}"
        message = Message(text, picture, ((button(words.plain("daily.play"), "day"),),))
        once = f"d{post.guild:x}:{date.fromisoformat(post.day).toordinal():x}"
        try:
            return await self._services.platform.post(post.channel, message, once)
        except (Undeliverable, Unsendable) as error:
            raise DailyNotPosted(PostProblem.REFUSED) from error

    async def tell_recap(self, post: DailyPost, recap: Recap) -> None:
        """See use_cases.workers.daily_relay.DailyDisplay."""
        assert post.message is not None, "only what was posted is recapped"
        words = await self._services.locales.for_guild(post.guild)
        names = self._services.names
        fastest = "" if recap.fastest is None else words.literal(await names.of(recap.fastest, post.guild))
        text = "\n".join([title_text(recap.day, words), *recap_lines(recap, fastest, words)])
        try:
            await self._services.platform.edit(post.channel, post.message, Message(text))
        except (Undeliverable, Unsendable):
            return

    async def _look(self, guild: GuildId, exercise: Exercise) -> tuple[Words, Picture]:
        words = await self._services.locales.for_guild(guild)
        async with self._services.store.read() as reader:
            theme = (await reader.servers.get(guild)).theme
        position = await asyncio.to_thread(lambda: exercise.position)
        png = await self._services.jobs.pictures.make(guild, draw_line, exercise.game, position, (), theme)
        alt = words.plain("puzzle.alt", colour=colour_name(theme, position.to_act, words.plain))
        return words, Picture(png, alt)
