"""Finished games for their pages: words, pictures and files as players get them."""

from collections.abc import Iterator
from dataclasses import replace

from cachetools import TTLCache

from play.ids import MatchId, UserId
from play.match.match import Match
from play.records.record import BadRecord
from play.refusal import Reason, Refused
from presentation.match.boards import MatchViews
from presentation.match.match_view import MatchView
from presentation.match.narration import result_text
from presentation.people import Names
from presentation.records import write_record
from presentation.terms import AGREED, describe_rules
from presentation.text import signed
from presentation.words.words import Languages, Words
from renderer.board import draw
from renderer.theme import PAPER, THEMES
from web.live.plies import Plies, move_name, replay
from web.ports import JobQueue
from web.presentation.stories import GameStory, People

CACHE_SIZE = 100
"""Boards that are kept, with their matches of some 100 kB."""

CACHE_SECONDS = 600.0
"""Seconds for which a board is kept: a player's name on it may change."""


class Gallery:
    """Finished games as pages show them. All methods raise Refused."""

    def __init__(self, languages: Languages, names: Names, views: MatchViews, queue: JobQueue) -> None:
        self._languages = languages
        self._names = names
        self._views = views
        self._queue = queue
        self._seen: TTLCache[tuple[MatchId, int, str], MatchView] = TTLCache(CACHE_SIZE, CACHE_SECONDS)

    async def tell(self, match: Match, language: str) -> GameStory:
        """Returns the game in words."""
        view = await self._view(match, language)
        words = view.words
        scores = (await self._plies(match, view.theme)).scores
        assert match.outcome is not None, "the game is over"
        points = tuple(map(words.number, match.score))
        return GameStory(
            view.names,
            await self._profiles(match, words),
            view.theme,
            points,
            " : ".join(points),
            result_text(match.outcome, match, words, lambda seat: view.names[seat]),
            tuple(_facts(view)),
            tuple(view.rating_lines()),
            view.alt,
            tuple(
                (event.seat, move_name(match.game, event.text), signed(gain) if gain else "")
                for event, gain in zip(match.moves, match.gains, strict=True)
            ),
            scores,
        )

    async def _profiles(self, match: Match, words: Words) -> tuple[UserId | None, ...]:
        if match.away is not None:  # a profile tells where its player is a member
            return (None,) * len(match.players)
        assert match.guild is not None, "games of direct messages have no page"
        people = People(self._names, match.guild, words)
        return tuple([(await people.of(player)).user for player in match.players])

    async def picture(self, match: Match, language: str) -> bytes:
        """Returns the last board as PNG."""
        view = await self._view(match, language)
        picture, theme = view.match.position.picture(), THEMES.get(view.theme, PAPER)
        return await self._queue.make(_visitor(match), draw, picture, view.header, theme)

    async def moves(self, match: Match, language: str) -> bytes:
        """Returns all positions, as web/pages/gallery.py writes them."""
        return (await self._plies(match, (await self._view(match, language)).theme)).data

    async def record(self, match: Match, _: str) -> bytes:
        """Returns the game as SGF, which has no language. Raises Refused (`no_record`)."""
        names = await self._names.of_all(match.players, _outside(match).guild)
        try:
            return await self._queue.make(_visitor(match), write_record, match, names)
        except BadRecord as error:
            raise Refused(Reason.NO_RECORD) from error

    async def _view(self, match: Match, language: str) -> MatchView:
        """Returns the last version in words: it is asked for by few readers."""
        key = match.id, match.version, language
        view = self._seen.get(key)
        if view is None:
            view = self._seen[key] = await self._views.read(_outside(match), self._languages.of(language).plain)
        return view

    async def _plies(self, match: Match, theme: str) -> Plies:
        moves = tuple(move.text for move in match.moves)
        return await self._queue.make(_visitor(match), replay, match.game, match.seed, moves, match.score, theme)


def _outside(match: Match) -> Match:
    """Returns a match as everybody may see it: players of two places are named as they are outside of both."""
    return match if match.away is None else replace(match, guild=None)


def _visitor(match: Match) -> UserId:
    """Returns the user in the queue who all visitors of a game's page are together: they have no name."""
    return UserId(-match.id)


def _facts(view: MatchView) -> Iterator[str]:
    """Yields the rules, the clock, what was agreed, and whether it was rated."""
    match, words = view.match, view.words
    yield from describe_rules(match.game, match.rule_set, words).values()
    yield words("card.clock", clock=words.control(match.clock.control))
    yield from (words(f"agreed.{agreed}") for agreed in AGREED if getattr(match.agreement, agreed))
    if view.changes is None:
        yield words("card.unrated")
    yield words.date(match.events[-1].at)
