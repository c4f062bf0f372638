"""The message of a board: what happened in words, the picture, and the same for a screen reader."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, NamedTuple, Self

import discord

from bot.features.match.actions.after_game import after_game_buttons
from bot.features.match.actions.offers import TakeBack, answer_buttons
from bot.features.match.board.web_button import BoardButton
from bot.features.match.button import MatchButton, More
from bot.features.match.turn.keypad import keypad_buttons
from bot.features.match.turn.keypad_grid import keypad_middle
from bot.features.match.turn.point_form import TypePoint
from bot.interactions import custom_ids as ids
from bot.interactions.buttons import row
from bot.interactions.layout import PHONE_ROW
from bot.interactions.pictures import drawing_file, picture_file
from play.community.prediction import window_at
from play.ids import UserId, is_person
from play.match.match import Match
from presentation.match.boards import MatchViews
from presentation.match.crops import Drawing, draw_zone, zone_around
from presentation.match.match_view import MatchView
from presentation.words.words import Words
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


class Zoom(NamedTuple):
    """The part around the last move of a board that is too large for a message."""

    middle: Point
    drawing: Drawing


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
        return Zoom(middle, draw_zone(picture, zone, words, theme))

    def forms(self) -> Iterator[Self]:
        """Yields the message, and then as Discord may take it where a filter refuses that: without pictures; without
        names, the words of players, and links."""
        yield self
        words, view = self.view.words, self.view
        unpictured = replace(self, png=None, zoom=None, content=f"{self.content}\n-# {words('turn.unpictured')}")
        if self.png is not None:
            yield unpictured
        hosts = (view.match.players[seat] for seat in view.match.hosts)
        players = ", ".join(f"<@{user}>" for user in hosts if is_person(user))
        yield replace(unpictured, content=words("turn.bare", players=players), view=replace(view, page=None))

    @property
    def pictures(self) -> dict[str, Any]:
        """The arguments of `send` for the pictures, made anew each time, since sending uses them up."""
        if self.png is None:
            return {}
        match = self.view.match
        name = f"kropka-{match.id}-{match.version}"
        files = [picture_file(self.png, name, self.alt)]
        if self.zoom is None:
            return {"files": files}
        files.append(drawing_file(self.zoom.drawing, f"{name}-zoom"))
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
        asked = answer_buttons(match, self.view.names, words, reader=self.view.reader, computer=self.view.computer)
        turn = [*keypad_buttons(match, self.near, words), TypePoint.to(match, words)]
        others = [*self._advice(), *self._ways_on()] if not asked else [*self._ways_on()]
        first = len(asked) // 2
        second = first if asked or len(turn) + len(others) <= PHONE_ROW else first + 1
        for button in turn:
            button.item.row = first
        for button in others:
            button.item.row = second
        return row(*asked, *turn, *others)

    def _advice(self) -> Iterator[MatchButton]:
        """Yields what helps in practice: another try at the last move, and a hint for the next one."""
        view = self.view
        if view.can_undo:
            yield TakeBack.at(view.match, view.words("button.undo"))
        if view.is_practice and view.has_computer and view.match.players[view.match.position.to_act] != view.computer:
            yield MatchButton.kinds[ids.HINT].to(view.match, view.words)

    def _ways_on(self) -> Iterator[MatchButton]:
        """Yields the ways to predict the result, to the board on the web, and to all else."""
        if self.view.match.predictable and window_at(self.view.match) is not None:
            yield MatchButton.kinds[ids.PREDICT].to(self.view.match, self.view.words)
        if self.view.has_site:
            yield BoardButton.to(self.view.match, self.view.words)
        if self.view.vote is not None and self.view.vote.votes is not None:
            yield MatchButton.kinds[ids.VOTES].to(self.view.match, self.view.words)
        yield More.to(self.view.match, self.view.words)


@lru_cache(maxsize=SIZE_CACHE_SIZE)
def _is_too_small(columns: int, rows: int) -> bool:
    """Returns whether the cells of a board of this size are too small to read in a message."""
    layout = Layout.of(columns, rows)
    width, height = layout.size
    return layout.cell * min(1.0, INLINE_SIZE[0] / width, INLINE_SIZE[1] / height) < MIN_CELL_PIXELS


class BoardRenderer:
    """Makes the messages of boards, and draws them in a thread."""

    def __init__(self, views: MatchViews) -> None:
        self._views = views

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
        view = await self._views.read(match, words, reader=reader, before=before)
        return await asyncio.to_thread(BoardMessage.draw, view, pictured=pictured)
