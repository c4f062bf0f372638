"""The computer at boards of one's own: its view, and reviews of a line."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from cachetools import LRUCache

from opponent.review import MIN_MOVES, Review, review
from play.boards.own_board import SEED, as_match
from play.ids import UserId
from play.refusal import Reason, Refused
from presentation.reviews import head_text
from rules.dots import Dots, DotsPosition
from use_cases.matches import is_rated
from web.bodies import Json
from web.live.afterwards import tell_turns
from web.live.pictures import picture_json
from web.own.beginnings import require_turns
from web.own.guest import Guest
from web.own.shelf import Shelf, Steps, texts_of
from web.ports import Coach
from web.presentation.advisor import Advisor
from web.presentation.own_boards import colours
from web.presentation.readers import Audience

CACHED_REVIEWS: Final = 64
REVIEW_SECONDS: Final = 20
"""An answer waits for a review so long: that of a long line takes minutes, and proxies end what takes one."""

Line = tuple[Dots, Steps]
"""A line that is reviewed: its rules and turns."""


@dataclass(frozen=True, slots=True)
class ComputerAtBoards:
    """What players ask the computer at a place, within the limits of games. All deeds raise Refused."""

    shelf: Shelf
    coach: Coach
    advisor: Advisor
    _reviews: LRUCache[Line, asyncio.Task[Review]] = field(default_factory=lambda: LRUCache(CACHED_REVIEWS))

    async def weigh(self, guest: Guest, message: Json) -> Json:
        """Returns the computer's view of a position."""
        user, place = guest.player, await self.shelf.find_place(guest, message)
        if not self.coach.has_computer:
            raise Refused(Reason.NO_COMPUTER)
        if place.position.outcome:
            raise Refused(Reason.MATCH_OVER)
        await self.require_no_rated(user, place.position)
        match = await asyncio.to_thread(as_match, place.board.game, place.position, place.steps)
        names = colours(place.board.game, guest.theme, self.shelf.words(guest.language))
        audience = Audience(guest.language, guest.theme, None)
        advice = await self.advisor.advise(match, user, audience, names)
        return {"is": "weighed", "line": advice.line, "picture": await asyncio.to_thread(picture_json, advice.picture)}

    async def review(self, guest: Guest, message: Json) -> Json:
        """Returns the turning points of the line that ends at a place, or that its review goes on: then it is to be
        asked for again."""
        user, place = guest.player, await self.shelf.find_place(guest, message)
        words, game = self.shelf.words(guest.language), place.board.game
        if len(place.steps) < MIN_MOVES:
            raise Refused(Reason.TOO_SHORT_TO_REVIEW)
        await asyncio.to_thread(require_turns, game, place.steps)
        await self.require_no_rated(user, place.position)
        reviewing = self._reviewing(user, (game, texts_of(place.steps)), [step.text for step in place.steps])
        done, _ = await asyncio.wait([reviewing], timeout=REVIEW_SECONDS)
        if not done:
            return {"is": "reviewing"}
        found = reviewing.result()
        match = await asyncio.to_thread(as_match, game, place.position, place.steps)
        names = colours(game, guest.theme, words)
        turns = await asyncio.to_thread(tell_turns, match, found, names, words)
        ids = [step.id for step in place.steps]
        told = [{**turn, "turn": ids[turn["number"] - 1]} for turn in turns]
        return {"line": head_text(found, words, curve=False), "turns": told}

    def _reviewing(self, user: UserId, line: Line, moves: Sequence[str]) -> asyncio.Task[Review]:
        """Returns the task of a review, one for all who ask for it. One that fails is forgotten."""

        async def work() -> Review:
            helper = self.coach.advisor(user)
            with self.shelf.jobs.one_at_a_time(user):
                return await review(line[0], SEED, moves, helper.help, helper.look)

        def forget(task: asyncio.Task[Review]) -> None:
            if task.cancelled() or task.exception():
                self._reviews.pop(line, None)

        task = self._reviews.get(line)
        if task is None:
            task = self._reviews[line] = asyncio.create_task(work())
            task.add_done_callback(forget)
        return task

    async def require_no_rated(self, user: UserId, position: DotsPosition) -> None:
        """Raises Refused (`hint_in_rated`) for a position of a rated game that the player is playing."""
        async with self.shelf.use_cases.store.read() as reader:
            for each in await reader.matches.open_of(user):
                match = await reader.matches.get(each.id)
                own = match.position if match else None
                if isinstance(own, DotsPosition) and own.rows() == position.rows() and await is_rated(reader, each.id):
                    raise Refused(Reason.HINT_IN_RATED)
