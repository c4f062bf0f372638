"""The computer's view of positions: of those on an analysis sheet, and of the player's own turn."""

import asyncio
from collections.abc import Sequence
from typing import NamedTuple

from opponent.captures import corrected
from opponent.choice import HELP, Choice
from opponent.review import principal_variation
from play.ids import UserId
from play.match.match import Match
from play.refusal import Reason, Refused
from presentation.advice import better_turn, explain_choice, purpose_text
from presentation.match.phrases import turn_text
from presentation.people import Names
from presentation.words.words import Languages
from rules.game import AnyGame, AnyPosition, Picture
from storage import Database
from use_cases.matches import is_rated
from web.ports import Computer, Jobs
from web.presentation.readers import Audience


class Advice(NamedTuple):
    """The computer's view of a position: a sentence, and the board with the moves that it expects."""

    line: str
    picture: Picture


class Hint(NamedTuple):
    """A good turn, in its notation: a sentence that says why, and the board with it."""

    line: str
    picture: Picture
    turn: str


class Advisor:
    """The computer as one who looks at positions with a player."""

    def __init__(self, store: Database, languages: Languages, names: Names, jobs: Jobs, computer: Computer) -> None:
        self._store = store
        self._languages = languages
        self._names = names
        self._jobs = jobs
        self._computer = computer

    async def may_advise(self, match: Match) -> bool:
        """Returns whether players of a match may ask it: never while the match is rated and goes on."""
        if not self._computer.has_computer:
            return False
        if match.outcome:
            return True
        async with self._store.read() as reader:
            return not await is_rated(reader, match.id)

    async def require_advice(self, match: Match) -> None:
        """Raises Refused (`no_computer`, `hint_in_rated`) unless players of a match may ask it."""
        if not self._computer.has_computer:
            raise Refused(Reason.NO_COMPUTER)
        if not await self.may_advise(match):
            raise Refused(Reason.HINT_IN_RATED)

    async def advise(
        self, match: Match, user: UserId, audience: Audience, names: Sequence[str] | None = None
    ) -> Advice:
        """Returns the computer's view, with these names of the seats, or those of the players. Raises Refused
        (`no_computer`, `computer_busy`, `lane_yours`)."""
        helper, words = self._computer.advisor(user), self._languages.of(audience.language).plain
        game, position = match.game, match.position
        with self._jobs.one_at_a_time(user):
            found = await helper.help(position, HELP, match.seed)
            choice = await corrected(position, found, helper.look)
        picture = await asyncio.to_thread(_draw, game, position, choice)
        if names is None:
            match = match.look_from(away=audience.away)
            names = await self._names.of_all(match.players, match.guild)
        told = words(
            "web.advice",
            name=names[position.to_act],
            percent=words.percent(choice.win),
            move=turn_text(game, choice.move, words),
        )
        return Advice(told, picture)

    async def hint(self, match: Match, user: UserId, audience: Audience) -> Hint:
        """Returns the turn that the computer would play, as *Hint* in the chat does. Raises Refused (`no_computer`,
        `computer_busy`, `lane_yours`)."""
        helper, words = self._computer.advisor(user), self._languages.of(audience.language).plain
        game, position = match.game, match.position
        with self._jobs.one_at_a_time(user):
            found = await helper.help(position, HELP, match.seed)
            choice = await corrected(position, found, helper.look)
        explained = await asyncio.to_thread(explain_choice, game, position, choice)
        why = purpose_text(game, explained.purpose, explained.line, words)
        told = f"{words('hint.move', move=turn_text(game, choice.move, words))} {why}"
        return Hint(told, explained.picture, choice.move)


def _draw(game: AnyGame, position: AnyPosition, choice: Choice) -> Picture:
    return better_turn(game, position, principal_variation(game, position, choice))
