"""What an end that somebody may choose comes to, in words and drawn."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bot.features.match.board.emblems import EMBLEMS
from bot.features.match.board.narration import CALLS, told_event
from bot.services.names import escape
from play.match.endings import stopped
from play.match.events import OfferKind
from play.services.match_actions import TurnPreview
from renderer.board import draw
from renderer.header import Header, Mark, Plate
from renderer.theme import PAPER, THEMES
from rules.dots import DotsPosition
from rules.game import AnyPosition
from rules.notation import point_name
from rules.picture import Area
from rules.point import Point, Seat

if TYPE_CHECKING:
    from bot.i18n.words import Words
    from play.match.match import Match

MAX_POINTS = 12
"""Lost dots that are named; the picture shows them all."""


@dataclass(frozen=True, slots=True)
class Preview:
    """What comes `after` if `seat` ends the match in this `way`: `stop`, `land`, `end` or `resign`."""

    match: Match
    seat: Seat
    way: str
    after: TurnPreview
    names: tuple[str, ...]
    words: Words

    @property
    def text(self) -> str:
        """The question, the result, and what would be lost."""
        lines = [self._question(), *self._result()]
        for loser, points in self._lost().items():
            shown = ", ".join(map(point_name, points[:MAX_POINTS])) + (" …" if len(points) > MAX_POINTS else "")
            lost = self.words("ending.loses", name=self._name(loser), count=len(points), points=shown)
            lines.append(f"- {lost}")
        return "\n".join(lines)

    def png(self, theme: str) -> bytes:
        """The final position, with what falls crossed out. Takes 10 to 60 ms on large fields."""
        position, words, winners = self._then(), self.words, self.after.outcome.winners if self.after.outcome else ()
        falling = tuple(point for points in self._lost().values() for point in points)
        picture = replace(position.picture(), last=(), falling=falling)
        if self.way == "end" and isinstance(position, DotsPosition):
            pools = enumerate(position.agreed().pools)
            picture = replace(picture, houses=tuple(Area(Seat(seat), chain) for seat, own in pools for chain in own))
        plates = tuple(
            Plate(
                self.names[seat],
                words.number(points),
                Mark.WON if seat in winners else Mark.NONE,
                words(f"colour.{seat}"),
            )
            for seat, points in enumerate(self.after.score)
        )
        return draw(picture, Header(plates, words("header.preview")), THEMES.get(theme, PAPER))

    def _question(self) -> str:
        match, way, words = self.match, self.way, self.words
        opponent = escape(", ".join(name for seat, name in enumerate(self.names) if seat != self.seat))
        if way == "resign":
            return words("resign.ask", opponent=opponent)
        offer = match.offer(OfferKind.END)
        if way == "end" and offer and not offer.declined and self.seat not in offer.agreed:
            return words("ending.ask.end_agreed", opponent=opponent)
        if way == "stop" and match.game.options.get("ending") == "play-out" and stopped(match.position) is None:
            time = match.agreement.time_to_play_out(match.clock.control)
            clock = "untimed" if match.clock.deadline is None else "timed"
            return words(f"ending.stop.{clock}", opponent=opponent, time=words.duration(time))
        return words(f"ending.ask.{way}", opponent=opponent)

    def _result(self) -> list[str]:
        after, words = self.after, self.words
        score = " · ".join(f"{self._name(seat)} {words.number(points)}" for seat, points in enumerate(after.score))
        if after.outcome is None or self.way == "resign":
            return [words("ending.score", score=score)]
        result = told_event(after.outcome, self.match, words, self._name)
        best, second, *_ = sorted(after.score, reverse=True)
        if len(after.outcome.winners) == 1 and best > second:
            return [result, words("ending.lead", lead=words.number(best - second), score=score)]
        return [result, words("ending.score", score=score)]

    def _then(self) -> AnyPosition:
        """The position after a call; anything else leaves the dots where they are."""
        position = self.match.position
        return position.play(self.match.game.parse(self.way)) if self.way in CALLS else position

    def _lost(self) -> dict[Seat, list[Point]]:
        """The dots that fall with it, by whose they are."""
        fallen = {stone.point for stone in self.match.position.picture().stones if stone.captured}
        lost: dict[Seat, list[Point]] = {}
        for stone in self._then().picture().stones:
            if stone.captured and stone.point not in fallen:
                lost.setdefault(stone.seat, []).append(stone.point)
        return {seat: sorted(points) for seat, points in sorted(lost.items())}

    def _name(self, seat: int) -> str:
        return f"{EMBLEMS[seat]} **{escape(self.names[seat])}**"
