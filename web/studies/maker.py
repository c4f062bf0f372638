"""Lessons and puzzles for servers, made of positions on boards of studies: the solver looks at each of them first."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import Final

from play.boards.diagram import begin_at
from play.community.exercise import TaskId
from play.community.exercise_tree import write_tree
from play.community.made_exercise import MAX_NAME, MAX_TEXT, MadeExercise, MadeId
from play.ids import GuildId, Millis, UserId
from play.refusal import Reason, Refused
from presentation.exercises import goal_text
from presentation.match.phrases import turn_text
from presentation.words.words import Words
from rules.dots import Dots
from use_cases.made_exercises import MadeExercises
from use_cases.proofs.check import Fault, Faulty, Found, Goal, Several, check
from use_cases.web_sessions import WebSessions
from web import bodies
from web.bodies import Json
from web.own.computer import ComputerAtBoards
from web.own.guest import Guest
from web.ports import ServerNames
from web.studies.deeds import Servers, read_id
from web.studies.shelf import StudyShelf, code_of

MAX_GOAL: Final = 10
"""Characters of a goal."""

MAX_SEVERAL, MAX_RIGHT = 5, 8
"""Places with several answers that are told, and right moves of one that has too many."""

FAULTS: Final = {
    Fault.OUT_OF_REACH: Reason.GOAL_OUT_OF_REACH,
    Fault.NOT_UNIQUE: Reason.NOT_UNIQUE,
    Fault.TOO_LARGE: Reason.POSITION_TOO_LARGE,
    Fault.RULES: Reason.RULES_NOT_SOLVED,
    Fault.PLAIN: Reason.NOTHING_TO_FIND,
}


@dataclass(frozen=True, slots=True)
class Maker:
    """What hosts make for their servers. All deeds raise Refused."""

    shelf: StudyShelf
    made: MadeExercises
    names: ServerNames
    servers: Servers
    computer: ComputerAtBoards
    sessions: WebSessions

    async def list(self, guest: Guest, message: Json) -> Json:
        """Returns the servers that a player hosts, with what was made for them: those where they have played last, and
        the one whose study is open."""
        study = (await self.shelf.studies.open(code_of(message), guest.player)).study
        own = read_id(message, "server") or study.guild
        guilds = [*([] if own is None else [GuildId(own)]), *await self.servers.of(guest)]
        found = await self.made.hosted(guest.player, dict.fromkeys(guilds))
        return {
            "is": "done",
            "servers": [
                {
                    "server": str(each.guild),
                    "name": await self.names.of_server(each.guild) or str(each.guild),
                    "lessons": [{"made": made.id, "name": made.name} for made in each.lessons],
                    "waiting": [{"made": made.id, "name": made.name} for made in each.waiting],
                }
                for each in found
            ],
        }

    async def examine(self, guest: Guest, message: Json) -> Json:
        """Returns what the solver says of a position: its kind, the solution, and where it has several answers."""
        made, found = await self._find(guest, message)
        words = self.shelf.words(guest.language)
        return {"is": "done", "lines": await asyncio.to_thread(_tell, made, found, words, guest.theme)}

    async def make(self, guest: Guest, message: Json) -> Json:
        """Makes a lesson or a puzzle of a position."""
        server, is_lesson = read_id(message, "server"), bodies.flag(message, "lesson")
        name, text = bodies.name(message, "name", 4 * MAX_NAME), bodies.prose(message, "text", 4 * MAX_TEXT)
        if server is None:
            raise Refused(Reason.BAD_MESSAGE)
        made, _ = await self._find(guest, message)
        now = await self.sessions.now()
        named = replace(made.tell(name, text), guild=GuildId(server), is_lesson=is_lesson, at=now)
        await self.made.add(named)
        return await self.list(guest, message)

    async def unmake(self, guest: Guest, message: Json) -> Json:
        """Deletes a lesson, or a puzzle that waits for its day."""
        await self.made.delete(MadeId(bodies.number(message, "made")), guest.player)
        return await self.list(guest, message)

    async def _find(self, guest: Guest, message: Json) -> tuple[MadeExercise, Found]:
        """Returns the exercise of a position, for no server yet, and what the solver has found. Raises Refused with why
        it is none."""
        user, goal = guest.player, _read_goal(message)
        place = await self.shelf.find_place(guest, message)
        await self.computer.require_no_rated(user, place.position)
        game = await asyncio.to_thread(begin_at, place.board.game, place.steps)
        with self.shelf.jobs.one_at_a_time(user):
            found = await self._check(user, game, goal)
        if isinstance(found, Faulty):
            raise self._refuse(found, game, guest)
        proof = found.proof
        what = proof.kind, proof.points, found.answers, write_tree(proof.tree)
        return MadeExercise(GuildId(0), user, True, "", "", game, *what, Millis(0)), found

    async def _check(self, user: UserId, game: Dots, goal: Goal) -> Found | Faulty:
        try:
            return await self.shelf.jobs.pages.make(user, check, game, goal)
        except Refused as refused:
            if refused.key is Reason.LANE_TOO_MUCH:
                return Faulty(Fault.TOO_LARGE)
            raise

    def _refuse(self, faulty: Faulty, game: Dots, guest: Guest) -> Refused:
        if faulty.fault is not Fault.NOT_UNIQUE:
            return Refused(FAULTS[faulty.fault])
        words = self.shelf.words(guest.language)
        told = [turn_text(game, each, words) for each in faulty.right[:MAX_RIGHT]]
        moves = listed(told, words) if len(faulty.right) == len(told) else f"{', '.join(told)} …"
        return Refused(Reason.NOT_UNIQUE, moves=moves)


def listed(items: list[str], words: Words) -> str:
    """Returns moves as a sentence lists them."""
    if len(items) < 2:
        return "".join(items)
    return words("web.study.and", first=", ".join(items[:-1]), last=items[-1])


def _tell(made: MadeExercise, found: Found, words: Words, theme: str) -> list[str]:
    game = made.game
    line = ", ".join(turn_text(game, each, words) for each in found.proof.tree.line)
    said = goal_text(made.exercise(TaskId("")), words, theme)
    several = [_tell_several(game, each, words) for each in found.several[:MAX_SEVERAL]]
    return [said, words("web.study.solution", line=line), *(several or [words("web.study.unique")])]


def _tell_several(game: Dots, place: Several, words: Words) -> str:
    moves = listed([turn_text(game, each, words) for each in place.right], words)
    if not place.moves:
        return words("web.study.several", count=len(place.right), moves=moves)
    after = ", ".join(turn_text(game, each, words) for each in place.moves)
    return words("web.study.several_after", count=len(place.right), moves=moves, line=after)


def _read_goal(message: Json) -> Goal:
    try:
        return Goal(bodies.text(message, "goal", MAX_GOAL))
    except ValueError as error:
        raise Refused(Reason.BAD_MESSAGE) from error
