"""The message of a board: what happened in words, the picture, and the same for a screen reader."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from typing import Any, NamedTuple, Self

import discord
from cachetools import LRUCache

from bot.features.match.actions.offers import answer_buttons
from bot.features.match.actions.rematch import Rematch
from bot.features.match.board.crops import describe
from bot.features.match.board.emblems import EMBLEMS
from bot.features.match.board.narration import Narration
from bot.features.match.board.rating_text import change_line, weight_lines
from bot.features.match.more_panel import More
from bot.features.match.turn.keypad import KeypadButton, keypad_middle
from bot.features.match.turn.point_form import TypePoint
from bot.i18n.words import Words
from bot.interactions.buttons import row
from bot.interactions.pictures import MAX_ALT
from bot.services.names import Names, escape
from opponent.suggest.capture_threats import capture_threats
from play.ids import MatchId, Millis, UserId
from play.match.match import Match
from play.ratings.settlement import RatingChange
from play.store import Reader, Store
from renderer.board import draw
from renderer.header import Header, Mark, Plate
from renderer.layout import INLINE_SIZE, Layout
from renderer.theme import PAPER, THEMES
from rules.dots import DotsPosition
from rules.notation import point_name
from rules.picture import Picture, Zone
from rules.point import Point, Seat

MIN_CELL_PIXELS = 14
"""Pixels a cell, as Discord shows a picture in a message. With fewer, the message also shows the last move enlarged."""

ZOOM_REACH = 6
"""Crossings from the middle of the enlarged part to its edge: 13x13."""

SIZE_CACHE_SIZE = 64
"""Sizes of boards."""

SCORE_CACHE_SIZE = 10_000
"""Versions of matches."""


@dataclass(frozen=True, slots=True)
class MatchView:
    """A version of a match, with all that its words need.

    Attributes:
        gains: what the last move added to each seat's score.
        now: when it is shown.
        rated: whether the match is rated; then its picture's words give no advice.
        changes: what the end of a rated match did to ratings; None where none is rated.
        reader: the only user who sees it; None where everybody in the channel does.
        computer: the bot's own account, which may be one of the players.
    """

    match: Match
    gains: tuple[float, ...]
    names: tuple[str, ...]
    words: Words
    now: Millis
    rated: bool = False
    changes: tuple[RatingChange, ...] | None = None
    reader: UserId | None = None
    computer: UserId | None = None

    def name(self, seat: Seat) -> str:
        """Returns the name of a seat's player, with the emblem of its dots."""
        return f"{EMBLEMS[seat]} **{escape(self.names[seat])}**"

    @property
    def content(self) -> str:
        """The message: what happened, the score, and whose turn it is or how it ended."""
        match = self.match
        narration = self._narration(self.name, lambda seat: f"<@{match.players[seat]}>", "**")
        score = " · ".join(f"{self.name(seat)} {self.words.number(match.score[seat])}" for seat in match.seats)
        rest = [narration.result, *self._rating_lines()] if match.outcome else narration.lines
        return "\n".join(filter(None, (narration.story, score, *rest)))

    @property
    def alt(self) -> str:
        """The picture in words for players who cannot see it, the important ones first."""
        words, names, picture = self.words, self.names, self.match.position.picture()
        score = ", ".join(
            f"{names[seat]} ({words(f'colour.{seat}')}) {words.number(value)}"
            for seat, value in enumerate(self.match.score)
        )
        narration = self._narration(lambda seat: names[seat], lambda seat: names[seat])
        sentences = (
            narration.story,
            narration.result or words("alt.to_act", name=names[self.match.to_act or 0]),
            words("alt.score", score=score),
            *self._threats(),
            words("alt.field", columns=picture.width, rows=picture.height, move=len(self.match.moves)),
        )
        return " ".join(filter(None, sentences))[:MAX_ALT]

    @property
    def header(self) -> Header:
        """The header of the picture: the players, the score, and the number of the move."""
        match, words = self.match, self.words
        winners = match.outcome.winners if match.outcome else ()
        plates = tuple(
            Plate(
                self.names[seat],
                words.number(score),
                Mark.WON if seat in winners else Mark.TO_ACT if seat == match.to_act else Mark.NONE,
                words(f"colour.{seat}"),
            )
            for seat, score in enumerate(match.score)
        )
        return Header(plates, words("header.move", number=len(match.moves) + (not match.outcome)))

    def _rating_lines(self) -> list[str]:
        """Returns what the end did to the ratings, and why it counts less than a game where it does."""
        if self.changes is None:
            return []
        if not self.changes:
            return [self.words("rating.unchanged")]
        names = dict(zip(self.match.players, map(self.name, self.match.seats), strict=True))
        lines = [change_line(change, names[change.user], self.words) for change in self.changes]
        lines += [line for change in self.changes for line in weight_lines(change, names[change.user], self.words)]
        return list(dict.fromkeys(lines))

    def _threats(self) -> list[str]:
        """Returns what a dot near the last move could capture. In a rated match that would be a hint."""
        position, last = self.match.position, self.match.position.picture().last
        if self.rated or self.match.outcome or not isinstance(position, DotsPosition) or not last:
            return []
        return [
            self.words("alt.stake", name=self.names[stake.seat], count=stake.dots, point=point_name(stake.point))
            for stake in capture_threats(position, last[-1])
        ]

    def _narration(self, name: Callable[[Seat], str], call: Callable[[Seat], str], bold: str = "") -> Narration:
        return Narration(self.match, self.words, self.gains, self.now, name, call, bold)


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
    theme: str

    @classmethod
    def draw(cls, view: MatchView, theme: str, *, pictured: bool = True) -> Self:
        """Returns the message, in words alone unless `pictured`. Takes 3 to 40 ms on large boards."""
        match, ink = view.match, THEMES.get(theme, PAPER)
        picture = match.position.picture()
        png, zoom = draw(picture, view.header, ink) if pictured else None, None
        if pictured and picture.last and _is_too_small(picture.width, picture.height):
            zoom = cls._zoom(picture, view.words, theme)
        near = None if match.outcome else keypad_middle(match)
        return cls(view, view.content, view.alt, png, zoom, near, theme)

    @staticmethod
    def _zoom(picture: Picture, words: Words, theme: str) -> Zoom:
        middle = picture.last[-1]
        zone = Zone.around(middle, ZOOM_REACH, picture.width, picture.height)
        return Zoom(middle, draw(picture, None, THEMES.get(theme, PAPER), zone), describe(picture, zone, words))

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
        embed = discord.Embed(colour=discord.Colour.from_rgb(*THEMES.get(self.theme, PAPER).last))
        embed.set_footer(text=self.view.words("board.zoom", point=point_name(self.zoom.middle)))
        embed.set_image(url=f"attachment://{name}-zoom.png")
        return {"files": files, "embed": embed}

    @property
    def buttons(self) -> discord.ui.View:
        """The buttons for what a player can do."""
        match, words = self.view.match, self.view.words
        if match.outcome:
            return row(Rematch.to(match, words))
        near = [KeypadButton.near(match, self.near, words)] if self.near else []
        own = [*near, TypePoint.to(match, words), More.to(match, words)]
        view = self.view
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

    def __init__(self, store: Store, names: Names) -> None:
        self._store = store
        self._names = names
        self._scores: LRUCache[tuple[MatchId, int], tuple[float, ...]] = LRUCache(SCORE_CACHE_SIZE)
        self._rated: LRUCache[MatchId, bool] = LRUCache(SCORE_CACHE_SIZE)

    async def render(
        self, match: Match, words: Words, theme: str = "", *, pictured: bool = True, reader: UserId | None = None
    ) -> BoardMessage:
        """Returns the board in the words and the theme of its readers, or its only `reader`; in words alone unless
        `pictured`."""
        names = await self._names.of_all(match.players, match.guild)
        async with self._store.read() as stored:
            now, rated = await stored.clock.now(), await self._is_rated(stored, match.id)
            changes = await stored.ratings.changes_of(match.id) if match.outcome and rated else None
        gains = await self._score_gains(match)
        view = MatchView(match, gains, names, words, now, rated, changes, reader, self._names.own_id)
        return await asyncio.to_thread(BoardMessage.draw, view, theme, pictured=pictured)

    async def _is_rated(self, stored: Reader, match: MatchId) -> bool:
        """Returns whether a match is rated, which never changes."""
        if match not in self._rated:
            challenge = await stored.challenges.of_match(match)
            self._rated[match] = challenge is not None and challenge.terms.pool is not None
        return self._rated[match]

    async def _score_gains(self, match: Match) -> tuple[float, ...]:
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
