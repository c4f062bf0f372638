"""Today's puzzles on the home page: how far a player is, and the board on which they play a step."""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress
from dataclasses import dataclass

from play.community.daily import STEPS, Run
from play.community.puzzle import puzzle_day
from play.community.solving import DailyState, Solved, Wrong
from play.community.streak import day_start
from play.ids import ChannelId, GuildId, Millis, UserId
from play.refusal import Reason, Refused
from presentation.advice import line_picture
from presentation.daily import head_text, notice_text, result_text, shared_text, verdict_text
from presentation.match.phrases import colour_name
from presentation.quiz import goal_text, line_text
from presentation.words.words import Words
from rules.dots import Call
from use_cases.channel_rights import ChannelRights
from use_cases.dailies import Dailies
from use_cases.puzzles import Puzzles
from use_cases.web_sessions import WebSessions
from web import bodies
from web.bodies import Json
from web.live.pictures import picture_json
from web.ports import ServerGuilds
from web.presentation.narrator import name_lines
from web.presentation.readers import Readers

DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)

MAX_MOVE = 120
"""Characters of a move that is typed."""

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
class PuzzleBoards:
    """Does what the board of a puzzle asks, by the use cases of the panel in Discord. All methods raise Refused."""

    dailies: Dailies
    puzzles: Puzzles
    sessions: WebSessions
    readers: Readers
    rights: ChannelRights
    guilds: ServerGuilds

    async def open(self, user: UserId, here: ChannelId | None) -> Json:
        """Opens today's daily, or goes on with it. In a server's channel `here` it counts on that server."""
        guild, now = await self._guild(user, here), await self.sessions.now()
        return await self._tell(await self.dailies.open(user, guild, now), now)

    async def play(self, user: UserId, message: Json) -> Json:
        """Judges a move."""
        day, tries, move = *_read_step(message), bodies.typed(message, "move", MAX_MOVE)
        now = await self.sessions.now()
        return await self._tell(await self.dailies.play(day, user, tries, move, now), now)

    async def show(self, user: UserId, message: Json) -> Json:
        """Gives up the present step."""
        (day, tries), now = _read_step(message), await self.sessions.now()
        return await self._tell(await self.dailies.play(day, user, tries, None, now), now)

    async def _guild(self, user: UserId, here: ChannelId | None) -> GuildId | None:
        """Returns the server of a channel that a user sees. While Discord is away there is none: the next look at the
        puzzles is early enough."""
        with suppress(Refused):
            guild = None if here is None else await self.guilds.guild_of(here)
            if here is not None and guild is not None and await self.rights.sees(guild, here, user):
                return guild
        return None

    async def _tell(self, state: DailyState, now: Millis) -> Json:
        """Returns a daily as docs/web-protocol.md has it."""
        run = state.run
        audience = await self.readers.audience(run.user, None, None)
        words, theme = self.readers.words(audience.language), audience.theme
        step, verdict = await asyncio.to_thread(lambda: (_step(state, words, theme), _verdict(state, words, theme)))
        return {
            "day": run.day,
            "tries": run.tries,
            "labels": {name: words.template(key) for name, key in LABELS.items()},
            "colours": [colour_name(theme, each, words) for each in range(2)],
            "title": words("daily.title", day=words.date(day_start(run.day))),
            "notice": notice_text(state, words, theme),
            "verdict": verdict,
            "step": step,
            "result": await self._result(run, now, words, theme) if run.over else None,
            "newer": None if run.day == puzzle_day(now) else words("web.lobby.newer"),
        }

    async def _result(self, run: Run, now: Millis, words: Words, theme: str) -> Json:
        streak, rating = await self.dailies.streak(run.user, now), await self.puzzles.skill(run.user)
        return {
            "text": result_text(run, streak, rating, words, theme),
            "shared": shared_text(run, streak, words, theme),
        }


def _read_step(message: Json) -> tuple[str, int]:
    """Returns the day that a page shows, and the tries that it knows of. Raises Refused (`bad_message`)."""
    day = message.get("day")
    if not isinstance(day, str) or not DAY.fullmatch(day):
        raise Refused(Reason.BAD_MESSAGE)
    return day, bodies.number(message, "tries")


def _step(state: DailyState, words: Words, theme: str) -> Json | None:
    """Returns the step to play."""
    solving, run = state.solving, state.run
    if solving is None:
        return None
    seat, picture = solving.position.to_act, solving.position.picture()
    return {
        "head": head_text(run, words),
        "goal": goal_text(solving.exercise, words, theme),
        "picture": picture_json(picture),
        "coordinates": name_lines(picture),
        "seat": seat,
        "stop": str(Call.STOP) if solving.has_stop else None,
        "shows": run.missed > 0,
    }


def _verdict(state: DailyState, words: Words, theme: str) -> Json | None:
    """Returns what a wrong move, or the end of a step, is told with."""
    verdict, judged, run = state.verdict, state.judged, state.run
    if judged is None or not isinstance(verdict, Wrong | Solved):
        return None
    picture = line_picture(judged.exercise.game, judged.position, verdict.line)
    return {
        "head": head_text(run, words, judged=isinstance(verdict, Solved)),
        "text": verdict_text(state, verdict, judged, words, theme),
        "line": line_text(judged.exercise.game, verdict.line, words),
        "picture": picture_json(picture),
        "coordinates": name_lines(picture),
        "is": "wrong" if isinstance(verdict, Wrong) else "last" if run.step == STEPS else "solved",
    }
