"""A visitor's game against the computer, on the page of the site's own address.

Their browser has its moves, and sends all of them for each answer: nothing of it is kept here.
"""

import asyncio
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Final, NamedTuple

from aiohttp import web

from opponent.calls import resigns
from opponent.choice import EASIEST
from opponent.review import replay_positions
from play.refusal import Refused
from presentation.words.words import Words
from rules.game import AnyGame, AnyPosition, RuleError, Seat
from web.access.visitors import Visitors, network_of
from web.boards import themes_json
from web.bodies import Json, read_object, text
from web.live.pictures import picture_json
from web.pages.page import Lane, PublicPages
from web.ports import Computer
from web.presentation.narrator import name_lines

PATH: Final = "/front/game"

MAX_RECORD: Final = 300
"""Characters of a record. On 9x9 the longest game has 77 moves of two, with spaces between."""

SEED: Final = 0
"""The computer answers equal moves alike, so a page that is loaded again goes on with the same game."""

VISITOR, COMPUTER = Seat(0), Seat(1)

SCRIPTED: Final = {
    "begin": "web.front.begin",
    "offline": "web.front.offline",
    "type": "web.front.type",
    "field": "web.board.field",
}
"""Sentences that the script of the page says."""


class _Course(NamedTuple):
    """A game so far: its moves, and its positions from the first to the last. The computer may have resigned."""

    moves: Sequence[str]
    positions: Sequence[AnyPosition]
    is_resigned: bool = False


class VisitorGame:
    """The computer's answers to visitors, by the rules of one game."""

    def __init__(self, pages: PublicPages, visitors: Visitors, computer: Computer, game: AnyGame, lane: Lane) -> None:
        """`lane` bounds what all visitors together ask of the computer."""
        self._pages = pages
        self._visitors = visitors
        self._computer = computer
        self._game = game
        self._lane = lane
        self._askers = count(-1, -1)
        """Each request is an asker of its own: users have positive numbers."""

    def add_routes(self, app: web.Application) -> None:
        app.router.add_post(PATH, self._answer)

    @property
    def is_there(self) -> bool:
        """Whether there is a computer to play against."""
        return self._computer.has_computer

    def start(self, words: Words) -> Json:
        """Returns what the page draws and says before the first move."""
        picture = self._game.start(SEED).picture()
        return {
            "path": PATH,
            **themes_json("paper"),
            "coordinates": name_lines(picture),
            "picture": picture_json(picture),
            "words": {name: words(key) for name, key in SCRIPTED.items()},
        }

    async def _answer(self, request: web.Request) -> web.Response:
        """Answers the record of a game, as docs/web-protocol.md has it."""
        self._visitors.require_origin(request)
        self._pages.admit(request)
        moves = text(await read_object(request), "moves", MAX_RECORD).split()
        words = self._pages.readers.words(await self._pages.language(request, None))
        async with self._lane.turn(network_of(request)):
            try:
                positions = await asyncio.to_thread(replay_positions, self._game, SEED, moves)
            except RuleError as error:
                raise Refused.by_rules(error) from error
            course = await self._play_on(_Course(moves, positions))
            return web.json_response(await asyncio.to_thread(_tell, course, words))

    async def _play_on(self, course: _Course) -> _Course:
        """Returns a game with the computer's move, where it is to act. Raises Refused (`no_computer`,
        `computer_busy`)."""
        position = course.positions[-1]
        if position.outcome or position.to_act != COMPUTER:
            return course
        choice = await self._computer.advisor(next(self._askers)).help(position, None, SEED, EASIEST)
        if resigns(position, choice):
            return course._replace(is_resigned=True)
        after = position.play(self._game.parse(choice.move))
        return _Course([*course.moves, choice.move], [*course.positions, after])


def _tell(course: _Course, words: Words) -> Json:
    """Returns a game, with the boards since the visitor's last move and what has happened on them."""
    before = max(0, (len(course.moves) - 1) // 2 * 2)
    shown = course.positions[before + 1 :] or course.positions
    return {
        "moves": " ".join(course.moves),
        "boards": [
            {"picture": picture_json(each.picture()), "score": [words.number(points) for points in each.score]}
            for each in shown
        ],
        "line": " ".join(_story(course, course.positions[before], words)),
        "over": _is_over(course),
    }


def _is_over(course: _Course) -> bool:
    return course.is_resigned or course.positions[-1].outcome is not None


def _story(course: _Course, before: AnyPosition, words: Words) -> Iterator[str]:
    """Yields what has happened since a position, and what surrounding is where it happens for the first time."""
    now = course.positions[-1]
    captured, lost = (round(now.score[seat] - before.score[seat]) for seat in (VISITOR, COMPUTER))
    if captured > 0:
        yield words("web.front.captured", count=captured)
    if lost > 0:
        yield words("web.front.lost", count=lost)
    if (captured or lost) and not any(before.score):
        yield words("web.front.surrounded")
    if _is_over(course):
        yield words(f"web.front.result.{_result(course)}", score=" : ".join(map(words.number, now.score)))
    elif course.moves:
        yield words("web.front.answered", move=course.moves[-1])
    else:
        yield words("web.front.begin")


def _result(course: _Course) -> str:
    """Returns the name of the sentence that tells how a game has ended."""
    if course.is_resigned:
        return "resigned"
    outcome = course.positions[-1].outcome
    assert outcome is not None, "the game is over"
    winners = outcome.winners
    return "drawn" if winners != (VISITOR,) and winners != (COMPUTER,) else "won" if VISITOR in winners else "beaten"
