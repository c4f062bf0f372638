"""Finished games for their pages: words, pictures and files as players get them, and all positions as changes of the
first."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import fields
from itertools import pairwise, takewhile
from typing import Any, NamedTuple

from cachetools import TTLCache

from opponent.review import name_of, replay_positions
from play.ids import MatchId, UserId
from play.match.endings import STOP, STOP_WAITING
from play.match.match import Match
from play.records.record import BadRecord
from play.refusal import Reason, Refused
from presentation.match.boards import MatchViews
from presentation.match.match_view import MatchView
from presentation.match.narration import CALLS, result_text
from presentation.people import Names
from presentation.records import write_record
from presentation.terms import AGREED, describe_rules
from presentation.words.words import Languages, Words
from renderer.board import draw
from renderer.theme import PAPER, THEMES
from rules.game import AnyGame, Picture, column_name
from web.boards import known_theme, theme_json
from web.live.pictures import is_absent, picture_json, plain
from web.ports import JobQueue
from web.presentation.stories import GameStory, People

Json = dict[str, Any]
Items = Sequence[Any]

MIN_EDITED = 4
"""Items of a list that is sent by its changes; shorter ones are sent whole."""

CACHE_SIZE = 100
"""Boards that are kept, with their matches of some 100 kB."""

CACHE_SECONDS = 600.0
"""Seconds for which a board is kept: a player's name on it may change."""


def encode_plies(pictures: Sequence[Picture], scores: Sequence[Sequence[float]], theme: str) -> bytes:
    """Returns the positions of a game, from the first to the last."""
    first = pictures[0]
    found = {
        "theme": theme_json(theme),
        "dark": theme_json("dark") if THEMES[known_theme(theme)] is PAPER else None,
        "coordinates": {
            "columns": [column_name(x) for x in range(first.width)],
            "rows": [str(y + 1) for y in range(first.height)],
        },
        "first": picture_json(first),
        "plies": [_changes(before, after) for before, after in pairwise(pictures)],
        "scores": scores,
    }
    return json.dumps(found, separators=(",", ":")).encode()


def _changes(before: Picture, after: Picture) -> Json:
    found: Json = {}
    for field in fields(Picture):
        old, new = getattr(before, field.name), getattr(after, field.name)
        if old != new:
            edited = isinstance(new, tuple) and len(new) >= MIN_EDITED and bool(old)
            found[field.name] = None if is_absent(new) else _edit(old, new) if edited else plain(new)
    return found


def _edit(old: Items, new: Items) -> Any:
    """Returns the edit that makes one list of another, or the list itself where items have changed their order."""
    begin = _same(old, new)
    end = _same(old[:begin:-1], new[:begin:-1])
    going, coming = old[begin : len(old) - end], new[begin : len(new) - end]
    stay = {*going} & {*coming}
    if [each for each in going if each in stay] != [each for each in coming if each in stay]:
        return plain(new)
    return {
        "out": [place for place, item in enumerate(going, begin) if item not in stay],
        "in": [[place, plain(item)] for place, item in enumerate(coming, begin) if item not in stay],
    }


def _same(old: Items, new: Items) -> int:
    """Returns how many items two lists begin with alike."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False)))


class Plies(NamedTuple):
    """All positions of a game as its page reads them, and their scores."""

    data: bytes
    scores: tuple[tuple[float, ...], ...]


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
                (event.seat, _move_name(match.game, event.text), f"{gain:+g}" if gain else "")
                for event, gain in zip(match.moves, match.gains, strict=True)
            ),
            scores,
        )

    async def _profiles(self, match: Match, words: Words) -> tuple[UserId | None, ...]:
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
        names = await self._names.of_all(match.players, match.guild)
        try:
            return await self._queue.make(_visitor(match), write_record, match, names)
        except BadRecord as error:
            raise Refused(Reason.NO_RECORD) from error

    async def _view(self, match: Match, language: str) -> MatchView:
        """Returns the last version in words: it is asked for by few readers."""
        key = match.id, match.version, language
        view = self._seen.get(key)
        if view is None:
            view = self._seen[key] = await self._views.read(match, self._languages.of(language).plain)
        return view

    async def _plies(self, match: Match, theme: str) -> Plies:
        moves = tuple(move.text for move in match.moves)
        return await self._queue.make(_visitor(match), _replay, match.game, match.seed, moves, match.score, theme)


def _visitor(match: Match) -> UserId:
    """Returns the user in the queue who all visitors of a game's page are together: they have no name."""
    return UserId(-match.id)


def _replay(game: AnyGame, seed: int, moves: tuple[str, ...], score: tuple[float, ...], theme: str) -> Plies:
    positions = replay_positions(game, seed, moves)
    scores = (*(position.score for position in positions[:-1]), score)
    return Plies(encode_plies([position.picture() for position in positions], scores, theme), scores)


def _facts(view: MatchView) -> Iterator[str]:
    """Yields the rules, the clock, what was agreed, and whether it was rated."""
    match, words = view.match, view.words
    yield from describe_rules(match.game, match.rule_set, words).values()
    yield words("card.clock", clock=words.control(match.clock.control))
    yield from (words(f"agreed.{agreed}") for agreed in AGREED if getattr(match.agreement, agreed))
    if view.changes is None:
        yield words("card.unrated")
    yield words.date(match.events[-1].at)


def _move_name(game: AnyGame, text: str) -> str:
    """Returns the name of a move: its dot, where it is one."""
    call = STOP if text == STOP_WAITING else text
    return call.upper() if call in CALLS else name_of(game, text)
