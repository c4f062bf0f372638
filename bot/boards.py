"""A board as Discord sees it: what happened in words, the picture, and the same for a screen reader."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING, Self

import discord

from bot.names import escaped
from play.ids import MatchId
from play.match import Match
from renderer.board import draw
from renderer.header import Header, Mark, Plate
from rules.game import Seat

if TYPE_CHECKING:
    from bot.names import Names
    from bot.words import Words
    from play.store import Store

EMBLEMS = ("🔴", "🔵", "🟢", "🟣")
"""One a seat, in the colours of the drawn dots."""

LONGEST_ALT = 1024
SCORES = 10_000
"""Remembered scores: those of the newest boards."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A version of a match and what telling it takes. `gains` is what each seat's score grew by with the last move."""

    match: Match
    gains: tuple[float, ...]
    names: tuple[str, ...]
    words: Words

    def name(self, seat: Seat) -> str:
        return f"{EMBLEMS[seat]} **{escaped(self.names[seat])}**"

    @property
    def content(self) -> str:
        """The message: what was played, the score, and whose turn it is or how it ended."""
        lines = [self._story(self.name, "**")]
        score = self.match.position.score
        seats = [Seat(seat) for seat in range(self.match.game.seats)]
        lines.append(" · ".join(f"{self.name(seat)} {self.words.number(score[seat])}" for seat in seats))
        lines.append(self._result(self.name) or self._summons())
        return "\n".join(line for line in lines if line)

    @property
    def alt(self) -> str:
        """The picture in words, the important ones first, for whoever cannot see it."""
        words, picture = self.words, self.match.position.picture()
        names = self.names
        score = ", ".join(
            f"{names[seat]} ({words(f'colour.{seat}')}) {words.number(value)}"
            for seat, value in enumerate(self.match.position.score)
        )
        to_act = self.match.to_act
        sentences = (
            self._story(lambda seat: names[seat], ""),
            self._result(lambda seat: names[seat]) or words("alt.to_act", name=names[to_act or 0]),
            words("alt.score", score=score),
            words("alt.field", columns=picture.width, rows=picture.height, move=len(self.match.moves)),
        )
        return " ".join(sentence for sentence in sentences if sentence)[:LONGEST_ALT]

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
            for seat, score in enumerate(match.position.score)
        )
        return Header(plates, words("header.move", number=len(match.moves) + (not match.outcome)))

    def _story(self, name: Callable[[Seat], str], bold: str) -> str:
        """Who played what and what came of it."""
        last, words = self.match.last_move, self.words
        if last is None:
            return words("turn.begins", name=name(self.match.position.to_act))
        parts = [words("turn.played", name=name(last.seat), move=f"{bold}{last.text}{bold}")]
        for seat, gain in enumerate(self.gains):
            if self.match.game.counts != "dots":
                if gain:
                    parts.append(words("turn.scores", name=name(Seat(seat)), change=f"{gain:+g}"))
            elif gain > 0 and seat == last.seat:
                parts.append(words("turn.captures", count=int(gain)))
            elif gain > 0:
                parts.append(words("turn.is_captured", count=int(gain)))
            elif gain < 0 and seat != last.seat:
                parts.append(words("turn.frees", count=int(-gain)))
        return ", ".join(parts) + "."

    def _summons(self) -> str:
        match = self.match
        to_act, deadline = match.to_act, match.clock.deadline
        assert to_act is not None, "a match that is not over waits for somebody"
        assert deadline is not None, "its clock runs"
        return self.words(
            "turn.to_act",
            emblem=EMBLEMS[to_act],
            player=f"<@{match.players[to_act]}>",
            number=len(match.moves) + 1,
            when=f"<t:{deadline // 1000}:R>",
        )

    def _result(self, name: Callable[[Seat], str]) -> str:
        outcome = self.match.outcome
        if outcome is None:
            return ""
        losers = [Seat(seat) for seat in range(self.match.game.seats) if seat not in outcome.winners]
        kind = "none" if not outcome.winners else "win" if losers else "draw"
        return self.words(
            f"result.{kind}.{outcome.reason}",
            winner=", ".join(name(seat) for seat in outcome.winners),
            loser=", ".join(name(seat) for seat in losers),
        )


@dataclass(frozen=True, slots=True)
class Board:
    """A scene, told and drawn."""

    scene: Scene
    content: str
    alt: str
    png: bytes

    @classmethod
    def drawn(cls, scene: Scene) -> Self:
        """Takes 10 to 50 ms on large fields."""
        return cls(scene, scene.content, scene.alt, draw(scene.match.position.picture(), scene.header))

    @property
    def file(self) -> discord.File:
        """A new file each time, since sending uses it up."""
        match = self.scene.match
        return discord.File(BytesIO(self.png), f"kropka-{match.id}-{match.version}.png", description=self.alt)


class Boards:
    """Draws boards away from the event loop."""

    def __init__(self, store: Store, names: Names) -> None:
        self._store = store
        self._names = names
        self._scores: OrderedDict[tuple[MatchId, int], tuple[float, ...]] = OrderedDict()

    async def of(self, match: Match, words: Words) -> Board:
        scene = Scene(match, await self._gains(match), await self._names.of_all(match.players, match.guild), words)
        return await asyncio.to_thread(Board.drawn, scene)

    async def _gains(self, match: Match) -> tuple[float, ...]:
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
        if len(self._scores) > SCORES:
            self._scores.popitem(last=False)
        return match.position.score
