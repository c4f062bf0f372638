"""The computer's view of positions that a player looks at on an analysis sheet."""

from __future__ import annotations

import asyncio

from bot.features.coach.hints import BUDGET
from bot.features.coach.pictures import better_turn
from bot.features.match.board.turn_text import turn_text
from bot.interactions.context import Services
from opponent.captures import corrected
from opponent.choice import Choice
from opponent.review import principal_variation
from play.ids import UserId
from play.match.match import Match
from play.refusal import Reason, Refused
from rules.game import AnyGame, AnyPosition
from rules.picture import Picture
from web.ports import Advice, Audience
from web.text import plain_text


class WebAdvisor:
    """A `web.ports.Advisor`."""

    def __init__(self, services: Services) -> None:
        self._services = services

    async def may_advise(self, match: Match) -> bool:
        if not self._services.coach.has_computer:
            return False
        if match.outcome:
            return True
        async with self._services.store.read() as reader:
            challenge = await reader.challenges.of_match(match.id)
        return challenge is None or challenge.terms.pool is None

    async def require_advice(self, match: Match) -> None:
        if not self._services.coach.has_computer:
            raise Refused(Reason.NO_COMPUTER)
        if not await self.may_advise(match):
            raise Refused(Reason.HINT_IN_RATED)

    async def advise(self, match: Match, user: UserId, audience: Audience) -> Advice:
        computer, words = self._services.coach.advisor(user), self._services.languages.of(audience.language)
        game, position = match.game, match.position
        with self._services.jobs.one_at_a_time(user):
            found = await computer.help(position, BUDGET, match.seed)
            choice = await corrected(position, found, computer.look)
        picture = await asyncio.to_thread(_draw, game, position, choice)
        names = await self._services.names.of_all(match.players, match.guild)
        told = words(
            "web.advice",
            name=names[position.to_act],
            percent=round(100 * choice.win),
            move=turn_text(game, choice.move, words),
        )
        return Advice(plain_text(told), picture)


def _draw(game: AnyGame, position: AnyPosition, choice: Choice) -> Picture:
    return better_turn(game, position, principal_variation(game, position, choice))
