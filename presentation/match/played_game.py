"""A game that was played, or is being played, move by move: each board with its story, and all of it as a film.

All of it runs in a worker process.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from opponent.review import replay_positions
from play.match.match import Match
from presentation.match.narration import Narration
from presentation.match.phrases import colour_name
from presentation.words.words import Words
from renderer.board import draw
from renderer.header import Header, Mark, Plate
from renderer.replay import Moment, replay
from renderer.theme import PAPER, THEMES
from rules.dots import DotsPosition
from rules.game import AnyPosition


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A match, its players' `names` by seat, and the words and the theme of its readers."""

    match: Match
    names: tuple[str, ...]
    words: Words
    theme: str

    def positions(self) -> list[AnyPosition]:
        """Returns the first position, and that after each move."""
        return replay_positions(self.match.game, self.match.seed, [move.text for move in self.match.moves])

    def header(self, position: AnyPosition, number: int) -> Header:
        """Returns the header of the position after `number` moves. At the end it shows the result: after a resignation
        the position does not."""
        match = self.match
        is_last = number == len(match.moves)
        winners = match.outcome.winners if match.outcome and is_last else ()
        plates = (
            Plate(
                self.names[seat],
                self.words.number(points),
                Mark.WON if seat in winners else Mark.NONE,
                colour_name(self.theme, seat, self.words),
            )
            for seat, points in enumerate(match.score if is_last else position.score)
        )
        return Header(tuple(plates), self.words("header.move", number=number))

    def story(self, positions: Sequence[AnyPosition], number: int) -> str:
        """Returns what happened by a move in a sentence, and after the last one how the game ended."""
        match, moves = self.match, self.match.moves[:number]
        scores = [position.score for position in positions[max(0, number - 1) : number + 1]]
        gains = tuple(after - before for before, after in zip(scores[0], scores[-1], strict=True))
        then = replace(match, events=moves, moves=moves, position=positions[number], outcome=None, offers=())
        told = Narration(then, self.words, gains, match.started, self.theme, self.names)
        if match.outcome is None or number < len(match.moves):
            return told.story
        return f"{told.story} {replace(told, match=match).result}"


class Page(NamedTuple):
    """The board after `number` of the `moves` of a game as a PNG file, the move's story, and the numbers of the nearest
    moves that captured: the last before it, and the first after it."""

    number: int
    moves: int
    png: bytes
    story: str
    captured_before: int | None
    captured_after: int | None

    @classmethod
    def of(cls, number: int, captured: Sequence[float], png: bytes, story: str = "") -> Page:
        """Returns the page of a game that has so many dots `captured` at the start, and after each move."""
        captures = [each for each in range(1, len(captured)) if captured[each] > captured[each - 1]]
        before = max((each for each in captures if each < number), default=None)
        after = min((each for each in captures if each > number), default=None)
        return cls(number, len(captured) - 1, png, story, before, after)


def turn_to(played: PlayedGame, number: int) -> Page:
    """Returns the page of the position after `number` moves, or of the last one if the game has fewer: moves are taken
    back."""
    positions = played.positions()
    number = min(number, len(positions) - 1)
    header = played.header(positions[number], number)
    png = draw(positions[number].picture(), header, THEMES.get(played.theme, PAPER))
    return Page.of(number, list(map(count_captured, positions)), png, played.story(positions, number))


def film_game(played: PlayedGame, max_bytes: int) -> bytes:
    """Returns the game as a GIF file. Raises TooLarge."""
    moments = (
        Moment(position.picture(), played.header(position, number))
        for number, position in enumerate(played.positions())
    )
    return replay(moments, theme=THEMES.get(played.theme, PAPER), max_bytes=max_bytes)


def count_captured(position: AnyPosition) -> int:
    """Returns how many dots are captured. In Dots the field counts them, which is faster than its picture."""
    if isinstance(position, DotsPosition):
        return sum(position.field.scores)
    return sum(stone.captured for stone in position.picture().stones)
