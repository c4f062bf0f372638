"""A board as Discord sees it: what happened in words, the picture, and the same for a screen reader."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from typing import TYPE_CHECKING, Any, Self

import discord

from bot.features.match.actions.offers import answers
from bot.features.match.actions.rematch import Rematch
from bot.features.match.board.crops import describe
from bot.features.match.board.emblems import EMBLEMS
from bot.features.match.board.narration import Narration
from bot.features.match.board.rating_text import change_line, weight_lines
from bot.features.match.more_panel import More
from bot.features.match.turn import keypad
from bot.features.match.turn.point_form import TypePoint
from bot.interactions.buttons import row
from bot.interactions.pictures import MAX_ALT
from bot.services.names import escape
from opponent.suggest.stakes import stakes
from play.ids import MatchId, Millis
from play.match.match import Match
from play.ratings.settlement import Change
from renderer.board import draw
from renderer.header import Header, Mark, Plate
from renderer.layout import INLINE, Layout
from renderer.theme import PAPER, THEMES
from rules.dots import DotsPosition
from rules.game import Point, Seat
from rules.notation import point_name
from rules.picture import Zone

if TYPE_CHECKING:
    from bot.i18n.words import Words
    from bot.services.names import Names
    from play.store.store import Store

MIN_CELL_PIXELS = 14
"""Pixels a cell, as Discord shows a picture in a message; with fewer the part round the last move is shown as well."""

ZOOM_REACH = 6
"""How far that part reaches from its middle: 13x13."""

SCORE_CACHE_SIZE = 10_000
"""Remembered scores: those of the newest boards."""


@dataclass(frozen=True, slots=True)
class MatchView:
    """A version of a match and what telling it takes. `gains` is what each seat's score grew by with the last move;
    `now` is when it is told; `changes` are what the end of a rated match did to ratings, None where none is rated."""

    match: Match
    gains: tuple[float, ...]
    names: tuple[str, ...]
    words: Words
    now: Millis
    changes: tuple[Change, ...] | None = None

    def name(self, seat: Seat) -> str:
        return f"{EMBLEMS[seat]} **{escape(self.names[seat])}**"

    @property
    def content(self) -> str:
        """The message: what happened, the score, and whose turn it is or how it ended."""
        match = self.match
        telling = self._narration(self.name, lambda seat: f"<@{match.players[seat]}>", "**")
        score = " · ".join(f"{self.name(seat)} {self.words.number(match.score[seat])}" for seat in match.seats)
        lines = [telling.story, score, *([telling.result, *self._rating_lines()] if match.outcome else telling.lines)]
        return "\n".join(line for line in lines if line)

    @property
    def alt(self) -> str:
        """The picture in words, the important ones first, for whoever cannot see it."""
        words, picture = self.words, self.match.position.picture()
        names = self.names
        score = ", ".join(
            f"{names[seat]} ({words(f'colour.{seat}')}) {words.number(value)}"
            for seat, value in enumerate(self.match.score)
        )
        to_act = self.match.to_act
        telling = self._narration(lambda seat: names[seat], lambda seat: names[seat])
        sentences = (
            telling.story,
            telling.result or words("alt.to_act", name=names[to_act or 0]),
            words("alt.score", score=score),
            *self._threats(),
            words("alt.field", columns=picture.width, rows=picture.height, move=len(self.match.moves)),
        )
        return " ".join(sentence for sentence in sentences if sentence)[:MAX_ALT]

    @property
    def header(self) -> Header:
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
        """What the end did to the ratings, and why it counts less than a game where it does."""
        if self.changes is None:
            return []
        if not self.changes:
            return [self.words("rating.unchanged")]
        names = dict(zip(self.match.players, map(self.name, self.match.seats), strict=True))
        lines = [change_line(change, names[change.user], self.words) for change in self.changes]
        lines += [line for change in self.changes for line in weight_lines(change, names[change.user], self.words)]
        return list(dict.fromkeys(lines))

    def _threats(self) -> list[str]:
        """What a dot near the last move could capture, for whoever cannot see it."""
        position, last = self.match.position, self.match.position.picture().last
        if self.match.outcome or not isinstance(position, DotsPosition) or not last:
            return []
        return [
            self.words("alt.stake", name=self.names[stake.seat], count=stake.dots, point=point_name(stake.point))
            for stake in stakes(position, last[-1])
        ]

    def _narration(self, name: Callable[[Seat], str], call: Callable[[Seat], str], bold: str = "") -> Narration:
        return Narration(self.match, self.words, self.gains, self.now, name, call, bold)


@dataclass(frozen=True, slots=True)
class Board:
    """A scene, told and drawn. `zoom` is the part round the last move of a field too large to be read in a message,
    with its middle and its own description; `place` is where the keypad would open."""

    scene: MatchView
    content: str
    alt: str
    png: bytes | None
    zoom: tuple[Point, bytes, str] | None
    place: Point | None
    theme: str

    @classmethod
    def draw(cls, scene: MatchView, theme: str, *, pictured: bool = True) -> Self:
        """Takes 3 to 40 ms on large fields; not `pictured`, it is words alone."""
        match, ink = scene.match, THEMES.get(theme, PAPER)
        picture = match.position.picture()
        png, zoom = draw(picture, scene.header, ink) if pictured else None, None
        if pictured and picture.last and _too_small(picture.width, picture.height):
            zone = Zone.around(picture.last[-1], ZOOM_REACH, picture.width, picture.height)
            zoom = picture.last[-1], draw(picture, None, ink, zone), describe(picture, zone, scene.words)
        place = None if match.outcome else keypad.place(match)
        return cls(scene, scene.content, scene.alt, png, zoom, place, theme)

    @property
    def pictures(self) -> dict[str, Any]:
        """What `send` takes for the pictures, made anew each time, since sending uses it up."""
        if self.png is None:
            return {}
        match = self.scene.match
        name = f"kropka-{match.id}-{match.version}"
        files = [discord.File(BytesIO(self.png), f"{name}.png", description=self.alt)]
        if self.zoom is None:
            return {"files": files}
        middle, png, alt = self.zoom
        files.append(discord.File(BytesIO(png), f"{name}-zoom.png", description=alt))
        embed = discord.Embed(colour=discord.Colour.from_rgb(*THEMES.get(self.theme, PAPER).last))
        embed.set_footer(text=self.scene.words("board.zoom", point=point_name(middle)))
        embed.set_image(url=f"attachment://{name}-zoom.png")
        return {"files": files, "embed": embed}

    @property
    def buttons(self) -> discord.ui.View:
        """What a player can do."""
        match, words = self.scene.match, self.scene.words
        if match.outcome:
            return row(Rematch.to(match, words))
        near = [keypad.Keypad.near(match, self.place, words)] if self.place else []
        asked, own = answers(match, words), [*near, TypePoint.to(match, words), More.to(match, words)]
        for button in own:
            button.item.row = len(asked) // 2 if asked else None
        return row(*asked, *own)


@lru_cache(maxsize=64)
def _too_small(columns: int, rows: int) -> bool:
    layout = Layout.of(columns, rows)
    width, height = layout.size
    return layout.cell * min(1.0, INLINE[0] / width, INLINE[1] / height) < MIN_CELL_PIXELS


class BoardRenderer:
    """Draws boards away from the event loop."""

    def __init__(self, store: Store, names: Names) -> None:
        self._store = store
        self._names = names
        self._scores: OrderedDict[tuple[MatchId, int], tuple[float, ...]] = OrderedDict()

    async def render(self, match: Match, words: Words, theme: str = "", *, pictured: bool = True) -> Board:
        """The board in the words and the theme of whoever looks at it, with its picture or in words alone."""
        names = await self._names.of_all(match.players, match.guild)
        async with self._store.read() as reader:
            now, changes = await reader.now(), None
            if match.outcome and (challenge := await reader.challenge_of(match.id)) and challenge.terms.pool:
                changes = await reader.changes_of(match.id)
        scene = MatchView(match, await self._score_gains(match), names, words, now, changes)
        return await asyncio.to_thread(Board.draw, scene, theme, pictured=pictured)

    async def _score_gains(self, match: Match) -> tuple[float, ...]:
        """What the last move did to the scores; nothing if the last event was no move."""
        self._remember(match)
        if not match.events or match.events[-1] is not match.last_move:
            return (0.0,) * match.game.seats
        before = self._scores.get((match.id, match.version - 1)) or await self._score_before(match)
        return tuple(now - then for now, then in zip(match.position.score, before, strict=True))

    async def _score_before(self, match: Match) -> tuple[float, ...]:
        async with self._store.read() as reader:
            before = await reader.match(match.id, match.version - 1)
        assert before is not None, "a stored match has its whole history"
        return self._remember(before)

    def _remember(self, match: Match) -> tuple[float, ...]:
        """Keeps a score at hand, since replaying a long match for the last but one takes 10 ms."""
        self._scores[match.id, match.version] = match.position.score
        if len(self._scores) > SCORE_CACHE_SIZE:
            self._scores.popitem(last=False)
        return match.position.score
