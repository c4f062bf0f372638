"""The message of a board: what happened in words, the picture, and the same for a screen reader."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from io import BytesIO
from typing import Any, NamedTuple, Self

import discord
from cachetools import LRUCache

from bot.features.match.actions.after_game import after_game_buttons
from bot.features.match.actions.offers import answer_buttons
from bot.features.match.board.crops import describe, zone_around
from bot.features.match.button import MatchButton
from bot.features.match.match_view import MatchView
from bot.features.match.more_panel import More
from bot.features.match.turn.keypad import keypad_buttons
from bot.features.match.turn.keypad_grid import keypad_middle
from bot.features.match.turn.point_form import TypePoint
from bot.features.match.web_button import BoardButton
from bot.i18n.words import Words
from bot.interactions.buttons import row
from bot.services.names import Names
from bot.services.web_links import WebLinks
from play.ids import MatchId, UserId
from play.match.match import Match
from play.people.settings import ServerSettings
from play.store import Reader, Store
from renderer.board import draw
from renderer.layout import INLINE_SIZE, Layout
from renderer.theme import PAPER, THEMES
from rules.notation import point_name
from rules.picture import Picture
from rules.point import Point

MIN_CELL_PIXELS = 14
"""Pixels a cell, as Discord shows a picture in a message. With fewer, the message also shows the last move enlarged."""

ZOOM_REACH = 6
"""Crossings from the middle of the enlarged part to its edge: 13x13."""

SIZE_CACHE_SIZE = 64
"""Sizes of boards."""

SCORE_CACHE_SIZE = 10_000
"""Versions of matches."""


class Zoom(NamedTuple):
    """The part around the last move of a board that is too large for a message."""

    middle: Point
    png: bytes
    alt: str


@dataclass(frozen=True, slots=True)
class BoardMessage:
    """A version of a match in words and pictures; `near` is where the keypad would open."""

    view: MatchView
    content: str
    alt: str
    png: bytes | None
    zoom: Zoom | None
    near: Point | None

    @classmethod
    def draw(cls, view: MatchView, *, pictured: bool = True) -> Self:
        """Returns the message, in words alone unless `pictured`. Takes 3 to 40 ms on large boards."""
        match, theme = view.match, THEMES.get(view.theme, PAPER)
        picture = match.position.picture()
        png, zoom = draw(picture, view.header, theme) if pictured else None, None
        if pictured and picture.last and _is_too_small(picture.width, picture.height):
            zoom = cls._zoom(picture, view.words, view.theme)
        near = None if match.outcome else keypad_middle(match)
        return cls(view, view.content, view.alt, png, zoom, near)

    @staticmethod
    def _zoom(picture: Picture, words: Words, theme: str) -> Zoom:
        middle = picture.last[-1]
        zone = zone_around([middle], picture, ZOOM_REACH)
        return Zoom(middle, draw(picture, None, THEMES.get(theme, PAPER), zone), describe(picture, zone, words, theme))

    def forms(self) -> Iterator[Self]:
        """Yields the message, and then as Discord may take it where a filter refuses that: without pictures; without
        names, the words of players, and links."""
        yield self
        words, view = self.view.words, self.view
        unpictured = replace(self, png=None, zoom=None, content=f"{self.content}\n-# {words('turn.unpictured')}")
        if self.png is not None:
            yield unpictured
        players = ", ".join(f"<@{user}>" for user in view.match.players)
        yield replace(unpictured, content=words("turn.bare", players=players), view=replace(view, page=None))

    @property
    def pictures(self) -> dict[str, Any]:
        """The arguments of `send` for the pictures, made anew each time, since sending uses them up."""
        if self.png is None:
            return {}
        match = self.view.match
        name = f"kropka-{match.id}-{match.version}"
        files = [discord.File(BytesIO(self.png), f"{name}.png", description=self.alt)]
        if self.zoom is None:
            return {"files": files}
        files.append(discord.File(BytesIO(self.zoom.png), f"{name}-zoom.png", description=self.zoom.alt))
        embed = discord.Embed(colour=discord.Colour.from_rgb(*THEMES.get(self.view.theme, PAPER).last))
        embed.set_footer(text=self.view.words("board.zoom", point=point_name(self.zoom.middle)))
        embed.set_image(url=f"attachment://{name}-zoom.png")
        return {"files": files, "embed": embed}

    @property
    def buttons(self) -> discord.ui.View:
        """The buttons for what a player can do."""
        match, words = self.view.match, self.view.words
        if match.outcome:
            after = row(*after_game_buttons(match, words, has_computer=self.view.has_computer))
            if self.view.has_site:
                board = BoardButton.to(match, words)
                board.item.row = 1
                after.add_item(board)
            if self.view.page is not None:
                after.add_item(discord.ui.Button(label=words("button.web.page"), url=self.view.page))
            return after
        keypads = keypad_buttons(match, self.near, words)
        own: list[MatchButton] = [*keypads, TypePoint.to(match, words), More.to(match, words)]
        view = self.view
        if view.has_site:
            own.append(BoardButton.to(match, words))
        asked = answer_buttons(match, view.names, words, reader=view.reader, computer=view.computer)
        for button in own:
            button.item.row = len(asked) // 2 if asked else None
        return row(*asked, *own)


@lru_cache(maxsize=SIZE_CACHE_SIZE)
def _is_too_small(columns: int, rows: int) -> bool:
    """Returns whether the cells of a board of this size are too small to read in a message."""
    layout = Layout.of(columns, rows)
    width, height = layout.size
    return layout.cell * min(1.0, INLINE_SIZE[0] / width, INLINE_SIZE[1] / height) < MIN_CELL_PIXELS


class BoardRenderer:
    """Makes the messages of boards, and draws them in a thread."""

    def __init__(
        self, store: Store, names: Names, has_computer: Callable[[], bool], links: WebLinks | None = None
    ) -> None:
        self._store = store
        self._names = names
        self._has_computer = has_computer
        self._links = links
        self._scores: LRUCache[tuple[MatchId, int], tuple[float, ...]] = LRUCache(SCORE_CACHE_SIZE)
        self._rated: LRUCache[MatchId, bool] = LRUCache(SCORE_CACHE_SIZE)

    async def render(
        self,
        match: Match,
        words: Words,
        *,
        pictured: bool = True,
        reader: UserId | None = None,
        before: Match | None = None,
    ) -> BoardMessage:
        """Returns the board in `words`, with the look that its only `reader` or else the match's server has chosen; in
        words alone unless `pictured`. It tells the version `before` as well, if there is one."""
        names = await self._names.of_all(match.players, match.guild)
        async with self._store.read() as stored:
            now, rated = await stored.clock.now(), await self._is_rated(stored, match.id)
            changes = await stored.ratings.changes_of(match.id) if match.outcome and rated else None
            server = await stored.servers.get(match.guild) if match.guild else None
            theme = await _theme_of(stored, server, reader)
        page = await self._links.page_of(match.id, match, server) if self._links and match.outcome else None
        earlier = None if before is None else (before, await self.score_gains(before))
        gains = await self.score_gains(match)
        view = MatchView(
            *(match, gains, names, words, now, theme, rated, changes, reader),
            computer=self._names.own_id,
            has_computer=self._has_computer(),
            before=earlier,
            has_site=self._links is not None,
            page=page,
        )
        return await asyncio.to_thread(BoardMessage.draw, view, pictured=pictured)

    async def _is_rated(self, stored: Reader, match: MatchId) -> bool:
        """Returns whether a match is rated, which never changes."""
        if match not in self._rated:
            challenge = await stored.challenges.of_match(match)
            self._rated[match] = challenge is not None and challenge.terms.pool is not None
        return self._rated[match]

    async def score_gains(self, match: Match) -> tuple[float, ...]:
        """Returns what the last move did to the scores; zeros if the last event was no move."""
        self._scores[match.id, match.version] = match.position.score
        if not match.events or match.events[-1] is not match.last_move:
            return (0.0,) * match.game.seats
        before = self._scores.get((match.id, match.version - 1)) or await self._score_before(match)
        return tuple(now - then for now, then in zip(match.position.score, before, strict=True))

    async def _score_before(self, match: Match) -> tuple[float, ...]:
        """Returns the score before the last move, which takes 10 ms to replay in a long match."""
        async with self._store.read() as reader:
            before = await reader.matches.get(match.id, match.version - 1)
        assert before is not None, "a stored match has its whole history"
        self._scores[before.id, before.version] = before.position.score
        return before.position.score


async def _theme_of(stored: Reader, server: ServerSettings | None, reader: UserId | None) -> str:
    """Returns the look of a match's boards for a reader alone, or for everybody in its channel."""
    if reader is not None:
        return (await stored.people.get(reader)).theme
    return server.theme if server else ""
