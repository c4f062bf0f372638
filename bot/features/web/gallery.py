"""Finished games for their pages: the words, pictures and files that players get in Discord."""

from __future__ import annotations

from cachetools import TTLCache

from bot.features.match.message import BoardMessage, BoardRenderer
from bot.features.records.exports import MAX_FILM_BYTES, draw_film, write_record
from bot.interactions.context import Services
from opponent.review import replay_positions
from play.ids import MatchId, UserId
from play.match.match import Match
from play.records.record import BadRecord
from play.refusal import Reason, Refused
from renderer.replay import TooLarge
from rules.game import AnyGame
from web.ports import GameStory

CACHE_SIZE = 100
"""Boards that are kept, of some 30 kB."""

CACHE_SECONDS = 600.0
"""Seconds for which a board is kept: a player's name on it may change."""

VISITORS = UserId(0)
"""The user in the queues of films and files who all visitors of pages are together."""


class WebGallery:
    """A `web.ports.Gallery`."""

    def __init__(self, boards: BoardRenderer, services: Services) -> None:
        self._boards = boards
        self._languages = services.languages
        self._names = services.names
        self._jobs = services.jobs
        self._gate = services.gate
        self._drawn: TTLCache[tuple[MatchId, int, str], BoardMessage] = TTLCache(CACHE_SIZE, CACHE_SECONDS)

    def admit(self, number: MatchId) -> None:
        self._gate.admit_visit(number)

    async def tell(self, match: Match, language: str) -> GameStory:
        board = await self._board(match, language)
        moves = tuple((event.seat, event.text) for event in match.moves)
        curve = await self._jobs.pictures.make(VISITORS, _scores, match.game, match.seed, tuple(t for _, t in moves))
        return GameStory(board.view.names, board.alt, moves, (*curve[:-1], match.score))

    async def picture(self, match: Match, language: str) -> bytes:
        png = (await self._board(match, language)).png
        assert png is not None, "it was asked for with its picture"
        return png

    async def film(self, match: Match, language: str) -> bytes:
        if not match.moves:
            raise Refused(Reason.NOTHING_TO_REPLAY)
        view = (await self._board(match, language)).view
        winners = match.outcome.winners if match.outcome else ()
        moves = tuple(move.text for move in match.moves)
        look = view.names, view.words, view.theme
        game = match.game, match.seed, moves, match.score, winners
        try:
            return await self._jobs.films.make(VISITORS, draw_film, *game, *look, MAX_FILM_BYTES)
        except TooLarge as error:
            raise Refused(Reason.FILM_TOO_LONG) from error

    async def record(self, match: Match) -> bytes:
        names = await self._names.of_all(match.players, match.guild)
        try:
            return await self._jobs.pictures.make(VISITORS, write_record, match, names)
        except BadRecord as error:
            raise Refused(Reason.NO_RECORD) from error

    async def _board(self, match: Match, language: str) -> BoardMessage:
        key = match.id, match.version, language
        if key not in self._drawn:
            self._drawn[key] = await self._boards.render(match, self._languages.of(language))
        return self._drawn[key]


def _scores(game: AnyGame, seed: int, moves: tuple[str, ...]) -> tuple[tuple[float, ...], ...]:
    """Returns the scores of all positions of a game."""
    return tuple(position.score for position in replay_positions(game, seed, moves))
