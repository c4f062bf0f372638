"""A moment of a game of Dots."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rules.dots.closing import place
from rules.dots.field import Field
from rules.dots.grounding import at_risk
from rules.dots.turn import Turn
from rules.game import IllegalMove, Outcome, Point, Seat
from rules.notation import point_name
from rules.picture import Area, Picture, Stone, Zone

if TYPE_CHECKING:
    from rules.dots.game import Dots


class DotsPosition:
    """Immutable, by not changing: `play` works on a copy of the field."""

    __slots__ = ("_field", "_last", "_to_act", "game")

    def __init__(self, game: Dots, field: Field, to_act: Seat, last: Point | None = None) -> None:
        self.game = game
        self._field = field
        self._to_act = to_act
        self._last = last

    @property
    def to_act(self) -> Seat:
        return self._to_act

    @property
    def outcome(self) -> Outcome | None:
        """A full field ends the game: whoever has captured most has won."""
        if self._field.free:
            return None
        best = max(self._field.scores)
        return Outcome(tuple(Seat(seat) for seat, score in enumerate(self._field.scores) if score == best), "full")

    @property
    def score(self) -> tuple[int, ...]:
        """The number of other players' dots inside each player's bases now."""
        return tuple(self._field.scores)

    @property
    def free(self) -> int:
        """The number of crossings where a dot can be placed."""
        return self._field.free

    def at_risk(self, seat: Seat) -> int:
        """The dots and prisoners that `seat` would lose by grounding, RULES section 7."""
        return at_risk(self._field, seat + 1)

    def with_to_act(self, seat: Seat) -> DotsPosition:
        """This position with another seat to act: studies and problems place several dots of one player in a row."""
        return DotsPosition(self.game, self._field, seat, self._last)

    def moves(self) -> Iterator[Turn]:
        field, grid, zone = self._field, self._field.grid, self._zone()
        for cell in grid.crossings:
            if field.is_free(cell) and (zone is None or _within(zone, grid.point(cell))):
                yield Turn(grid.point(cell))

    def play(self, move: Turn) -> DotsPosition:
        field = self._field.copy()
        grid, dot = field.grid, move.dot
        if not field.free:
            raise IllegalMove("game_over")
        if not grid.holds(dot):
            raise IllegalMove("off_field", **self.game.edges)
        cell = grid.index(dot)
        if field.owner[cell]:
            raise IllegalMove("occupied" if field.placed[cell] else "in_base", point=str(move))
        if field.placed[cell]:
            raise IllegalMove("occupied", point=str(move))
        zone = self._zone()
        if zone is not None and not _within(zone, dot):
            raise IllegalMove("opening_zone", point=str(move), low=point_name(zone.low), high=point_name(zone.high))
        place(field, self._to_act + 1, cell)
        return DotsPosition(self.game, field, Seat((self._to_act + 1) % self.game.seats), dot)

    def picture(self) -> Picture:
        field, grid = self._field, self._field.grid
        return Picture(
            grid.width,
            grid.height,
            stones=tuple(
                Stone(grid.point(cell), Seat(field.placed[cell] - 1), captured=not field.alive[cell])
                for cell in grid.crossings
                if field.placed[cell]
            ),
            areas=tuple(
                Area(Seat(base.player - 1), tuple(grid.point(cell) for cell in base.chain)) for base in field.bases
            ),
            last=() if self._last is None else (self._last,),
            zone=self._zone(),
        )

    def rows(self) -> list[str]:
        """The field in letters, rows from the top: `.` free, `R` `B` (`G` `V`) alive dots of the seats in order, the
        same in small for captured dots, and `1` `2` (`3` `4`) captured empty crossings by the owner's number."""
        field, grid = self._field, self._field.grid
        letters = [
            ("RBGV" if field.alive[cell] else "rbgv")[field.placed[cell] - 1]
            if field.placed[cell]
            else ".1234"[field.owner[cell]]
            for cell in grid.crossings
        ]
        width = grid.width
        return ["".join(letters[row * width : (row + 1) * width]) for row in reversed(range(grid.height))]

    def _zone(self) -> Zone | None:
        """Where the next dot must lie, if it is a player's first on a field that started empty."""
        zone = self.game.opening_zone
        if zone is None or self._to_act + 1 in self._field.placed:
            return None
        grid, field = self._field.grid, self._field
        # Below 5x5 the zone may be full before everybody has placed a dot there; then it binds nobody.
        free = any(field.is_free(cell) and _within(zone, grid.point(cell)) for cell in grid.crossings)
        return zone if free else None


def _within(zone: Zone, point: Point) -> bool:
    return zone.low.x <= point.x <= zone.high.x and zone.low.y <= point.y <= zone.high.y
