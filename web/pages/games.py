"""The pages of finished games with their published notes: all who have the address may read them, while their server
allows it."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping
from functools import partial
from typing import Final, NamedTuple

from aiohttp import web
from cachetools import TTLCache

from play.ids import MatchId, UserId
from play.match.listed import EndedMatch
from play.match.match import Match
from play.match.sheet import Sheet
from play.match.turn_tree import TriedTurn
from play.refusal import Reason, Refused
from rules.dots import Dots
from rules.game import Seat
from use_cases.public_pages import PublicGames
from use_cases.sheets import Sheets
from web.access.links import LinkSigner, Paths
from web.access.visitors import network_of
from web.boards import match_of
from web.pages.gallery import Gallery
from web.pages.page import HEIGHT, WIDTH, Content, Lane, PublicPages, answer, chart
from web.presentation.stories import GameStory

MAX_NOTES, MAX_CHARACTERS = 100, 20_000
"""Notes of one player that a page lists, and the characters of their turns and texts: a note may come after 500 turns,
and a page with all of those before each note would be read by no one."""

ADDRESS: Final = r"/game/{match:[0-9]{1,18}}-{tag:[A-Za-z0-9_-]{16}}"

CACHE_BYTES, CACHE_SECONDS = 16 * 1024 * 1024, 600.0
"""Bytes of pages and their parts that are kept, and seconds: a player's name may change."""

_Key = tuple[MatchId, int, str, str, tuple[tuple[UserId, int], ...]]
LockOf = Callable[[MatchId], asyncio.Lock]
Make = Callable[[Match, str], Awaitable[Content]]
"""Makes a part of a game's page in a language."""

MARKS = "●○◆▲"
"""The marks of the seats, beside their colours."""


class Note(NamedTuple):
    """A note of a player after so many moves of the game, and then after the `turns` that were tried from there."""

    seat: Seat
    number: int
    turns: tuple[str, ...]
    text: str


class NoteList(NamedTuple):
    """The notes that a page lists, in the order of the game, and how many `more` there are."""

    notes: list[Note]
    more: int


class _Place(NamedTuple):
    """A turn of a sheet after so many moves of the game; one that `is_played` is the last of them."""

    turn: TriedTurn
    number: int
    is_played: bool


def list_notes(match: Match, sheets: Mapping[Seat, Sheet]) -> NoteList:
    """Returns the first notes of each player, as many as a page has room for.

    Takes time in proportion to the turns of the sheets and to what is listed.
    """
    notes, count = list[Note](), 0
    for seat, sheet in sorted(sheets.items()):
        places = _find_places(match, sheet)
        noted = [place for place in places.values() if place.turn.note and place.turn.after <= len(match.moves)]
        noted.sort(key=lambda place: place.number)
        notes += _fill_page(seat, noted, places)
        count += len(noted)
    return NoteList(sorted(notes, key=lambda note: note.number), count - len(notes))


def _find_places(match: Match, sheet: Sheet) -> dict[int, _Place]:
    """Returns the places of all turns by their ids. A turn comes after its parent in the sheet."""
    moves, found = match.moves, dict[int, _Place]()
    for turn in sheet.turns:
        before = _Place(turn, turn.after, True) if turn.parent is None else found[turn.parent]
        is_played = before.is_played and before.number < len(moves) and moves[before.number].text == turn.text
        found[turn.id] = _Place(turn, before.number + is_played, is_played)
    return found


def _fill_page(seat: Seat, noted: list[_Place], places: Mapping[int, _Place]) -> Iterator[Note]:
    """Yields the notes of a player until the page is full."""
    room = MAX_CHARACTERS
    for place in noted[:MAX_NOTES]:
        room -= len(place.turn.note)
        turns = list[str]()
        step: _Place | None = place
        while step is not None and not step.is_played and room >= 0:
            turns.append(step.turn.text)
            room -= len(step.turn.text)
            step = None if step.turn.parent is None else places[step.turn.parent]
        if room < 0:
            return
        yield Note(seat, place.number, tuple(reversed(turns)), place.turn.note)


class GamePages:
    """The routes of the pages."""

    def __init__(
        self,
        pages: PublicPages,
        games: PublicGames,
        sheets: Sheets,
        signer: LinkSigner,
        gallery: Gallery,
        lock_of: LockOf,
        lane: Lane,
    ) -> None:
        """`lock_of` has the lock of a game, whose parts are made once however many readers wait for them."""
        self._pages = pages
        self._games = games
        self._sheets = sheets
        self._signer = signer
        self._paths = Paths(signer)
        self._gallery = gallery
        self._lock_of = lock_of
        self._lane = lane
        self._made: TTLCache[_Key, Content] = TTLCache(CACHE_BYTES, CACHE_SECONDS, getsizeof=lambda made: made.size)

    def add_routes(self, app: web.Application) -> None:
        parts = (
            ("/board.png", "image/png", self._gallery.picture),
            ("/moves.json", "application/json", self._gallery.moves),
            ("/game.sgf", "application/x-go-sgf", self._gallery.record),
        )
        app.router.add_get(ADDRESS, self._send_page)
        for part, kind, make in parts:
            app.router.add_get(ADDRESS + part, partial(self._send_part, kind, make))

    async def _send_page(self, request: web.Request) -> web.Response:
        found = await self._find(request)
        versions = await self._sheets.list_versions(found.id)
        return await self._send(request, found, "text/html", self._make_page, tuple(sorted(versions.items())))

    async def _send_part(
        self, kind: str, make: Callable[[Match, str], Awaitable[bytes]], request: web.Request
    ) -> web.Response:
        async def make_content(match: Match, language: str) -> Content:
            return await asyncio.to_thread(Content.of, await make(match, language), kind)

        return await self._send(request, await self._find(request), kind, make_content)

    async def _send(
        self, request: web.Request, found: EndedMatch, kind: str, make: Make, notes: tuple[tuple[UserId, int], ...] = ()
    ) -> web.Response:
        """Sends a part of a page, whose game is loaded only if it has to be made; `notes` are the versions of the
        published ones on it."""
        language = await self._pages.language(request, found.guild)
        key = found.id, found.version, language, kind, notes
        made = self._made.get(key)
        if made is None:
            async with self._lock_of(found.id):
                made = self._made.get(key) or await self._make(key, request, found, make)
        return answer(request, made)

    async def _make(self, key: _Key, request: web.Request, found: EndedMatch, make: Make) -> Content:
        """Makes a part of a page in the language of its key, and keeps it if there is room. Raises Refused."""
        _, _, language, *_ = key
        async with self._lane.turn(network_of(request)):
            made = await make(await self._games.load(found), language)
        if made.size <= CACHE_BYTES:
            self._made[key] = made
        return made

    async def _make_page(self, match: Match, language: str) -> Content:
        story, sheets = await self._gallery.tell(match, language), await self._sheets.list_published(match)
        return await asyncio.to_thread(self._write, match, language, story, sheets)

    def _write(self, match: Match, language: str, story: GameStory, sheets: Mapping[Seat, Sheet]) -> Content:
        path = self._paths.game(match.id)
        return self._pages.write(
            path,
            "game.html",
            language,
            story.theme,
            title=f"{' – '.join(story.names)}, {story.score}",
            description=f"{story.result} {story.facts[0]}.",
            picture=f"{path}/board.png",
            match=match,
            story=story,
            notes=list_notes(match, sheets),
            marks=MARKS,
            paths=self._paths,
            chart=chart(story.scores),
            size=(WIDTH, HEIGHT),
            has_record=isinstance(match.game, Dots) and bool(match.moves),
        )

    async def _find(self, request: web.Request) -> EndedMatch:
        """Returns the game of the address. A wrong tag costs no query. Raises Refused (`no_page`, `too_fast`)."""
        self._pages.admit(request)
        number = match_of(request)
        if not self._signer.knows(number, request.match_info["tag"]):
            raise Refused(Reason.NO_PAGE)
        return await self._games.find(number)
