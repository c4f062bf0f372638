"""The result of an end that a player may choose, in words and drawn."""

from dataclasses import dataclass, replace

from play.clock.agreement import NO_LIMIT
from play.match.endings import STOP, stopped_seat
from play.match.events import OfferKind
from play.match.match import Match
from play.match.moves import TurnPreview, read_turn
from presentation.match.narration import CALLS, result_text
from presentation.match.phrases import colour_name, emblem
from presentation.words.words import Words
from renderer.board import draw
from renderer.header import Header, Mark, Plate
from renderer.theme import PAPER, THEMES
from rules.dots import DotsPosition
from rules.game import AnyPosition, Area, Picture, Point, Seat, point_name

MAX_POINTS = 12
"""Lost dots that the text names; the picture shows them all."""


@dataclass(frozen=True, slots=True)
class Preview:
    """The result, `after`, if `seat` ends the match in this `way`: `stop`, `land`, `end` or `resign`; in the colours of
    a `theme`."""

    match: Match
    seat: Seat
    way: str
    after: TurnPreview
    names: tuple[str, ...]
    words: Words
    theme: str

    @property
    def text(self) -> str:
        """The question, the result, and the dots that would be lost."""
        lines = [self._question(), *self._result()]
        for loser, points in self._lost_dots().items():
            named = ", ".join(map(point_name, points[:MAX_POINTS])) + (" …" if len(points) > MAX_POINTS else "")
            loss = self.words("ending.loses", name=self._name(loser), count=len(points), points=named)
            markup = self.words.markup
            lines += [markup.item(loss), markup.small(self.words(f"ending.why.{self._cause(loser)}"))]
        return "\n".join(lines)

    def png(self) -> bytes:
        """Draws the final position. Takes 10 to 60 ms on large fields."""
        words = self.words
        winners = self.after.outcome.winners if self.after.outcome else ()
        plates = tuple(
            Plate(
                self.names[seat],
                words.number(points),
                Mark.WON if seat in winners else Mark.NONE,
                colour_name(self.theme, seat, words),
            )
            for seat, points in enumerate(self.after.score)
        )
        return draw(self.picture(), Header(plates, words("header.preview")), THEMES.get(self.theme, PAPER))

    def picture(self) -> Picture:
        """Returns the final position with the lost dots crossed out. Takes up to 20 ms on large fields."""
        position = self._final_position()
        falling = tuple(point for points in self._lost_dots().values() for point in points)
        picture = replace(position.picture(), last=(), falling=falling)
        if self.way == "end" and isinstance(position, DotsPosition):
            pools = enumerate(position.agreed_end().pools)
            picture = replace(picture, houses=tuple(Area(Seat(seat), chain) for seat, own in pools for chain in own))
        return picture

    def _question(self) -> str:
        match, way, words = self.match, self.way, self.words
        opponent = words.literal(", ".join(name for seat, name in enumerate(self.names) if seat != self.seat))
        if way == "resign":
            return words("resign.ask", opponent=opponent)
        offer = match.offer(OfferKind.END)
        if way == "end" and offer and not offer.declined and self.seat not in offer.agreed:
            return words("ending.ask.end_agreed", opponent=opponent)
        if way == "stop" and match.game.options.get("ending") == "play-out" and stopped_seat(match.position) is None:
            time = match.agreement.time_to_play_out(match.clock.control)
            clock = "untimed" if match.clock.deadline is None or time == NO_LIMIT else "timed"
            return words(f"ending.stop.{clock}", opponent=opponent, time=words.duration(time))
        return words(f"ending.ask.{way}", opponent=opponent)

    def _result(self) -> list[str]:
        after, words = self.after, self.words
        score = " · ".join(f"{self._name(seat)} {words.number(points)}" for seat, points in enumerate(after.score))
        if after.outcome is None or self.way == "resign":
            return [words("ending.score", score=score)]
        result = result_text(after.outcome, self.match, words, self._name)
        best, second, *_ = sorted(after.score, reverse=True)
        if len(after.outcome.winners) == 1 and best > second:
            return [result, words("ending.lead", lead=words.number(best - second), score=score)]
        return [result, words("ending.score", score=score)]

    def _final_position(self) -> AnyPosition:
        """Returns the position after a call; any other end leaves the dots unchanged."""
        match, position = self.match, self.match.position
        if self.way not in CALLS:
            return position
        return position.play(match.game.parse(read_turn(match, self.seat, self.way)))

    def _cause(self, loser: Seat) -> str:
        """Returns why a player loses dots by the end: by what STOP takes, or by what is enclosed once it ends."""
        options = self.match.game.options
        if self.way != STOP or loser != self.seat:
            return "enclosed"
        return (
            "ground-painted" if (options["ending"], options["closing"]) == ("ground", "painted") else options["ending"]
        )

    def _lost_dots(self) -> dict[Seat, list[Point]]:
        """Returns the dots that the end captures, by their owner."""
        fallen = {stone.point for stone in self.match.position.picture().stones if stone.captured}
        lost: dict[Seat, list[Point]] = {}
        for stone in self._final_position().picture().stones:
            if stone.captured and stone.point not in fallen:
                lost.setdefault(stone.seat, []).append(stone.point)
        return {seat: sorted(points) for seat, points in sorted(lost.items())}

    def _name(self, seat: int) -> str:
        return self.words.markup.player(self.names[seat], emblem(self.theme, seat))
