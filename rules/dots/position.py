"""A moment of a game of Dots."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rules.dots import drawing, painting, stopping, view
from rules.dots.closing import place
from rules.dots.consequences import Agreed, Consequences, agreed_end, offers
from rules.dots.field import Field
from rules.dots.options import Closing, Ending
from rules.dots.scoring import outcome, score
from rules.dots.turn import Call, Move, Turn
from rules.game import IllegalMove, Outcome, Point, Seat
from rules.notation import point_name
from rules.picture import Picture, Zone

if TYPE_CHECKING:
    from rules.dots.game import Dots


class DotsPosition:
    """Immutable, by not changing: `play` works on a copy of the `field`, which is there to be looked at."""

    __slots__ = ("_ended", "_last", "_stopped", "_to_act", "_unpainted", "field", "game")

    def __init__(
        self,
        game: Dots,
        field: Field,
        to_act: Seat,
        *,
        last: Point | None = None,
        stopped: Seat | None = None,
        ended: Outcome | None = None,
        unpainted: tuple[int, ...] = (),
    ) -> None:
        self.game = game
        self.field = field
        self._to_act = to_act
        self._last = last
        self._stopped = stopped
        self._ended = ended
        self._unpainted = unpainted

    @classmethod
    def first(cls, game: Dots, field: Field) -> DotsPosition:
        """The position of a set-up, which may have filled the field already."""
        return cls(game, field, Seat(0))._after(field, Seat(0), None, None)

    @property
    def to_act(self) -> Seat:
        return self._to_act

    @property
    def outcome(self) -> Outcome | None:
        return self._ended

    @property
    def score(self) -> tuple[float, ...]:
        return score(self.field, self.game.scoring, self._unpainted)

    @property
    def free(self) -> int:
        """The number of crossings where a dot can be placed."""
        return self.field.free

    @property
    def stopped(self) -> Seat | None:
        """Who has stopped while the other plays on."""
        return self._stopped

    def at_risk(self, seat: Seat) -> int:
        """The dots and prisoners that `seat` would lose by grounding, RULES section 7."""
        return stopping.at_risk(self.field, seat + 1)

    def agreed(self) -> Agreed:
        """What both would get by ending the game now. Two players only."""
        return agreed_end(self.game, self.field, self._to_act)

    def with_to_act(self, seat: Seat) -> DotsPosition:
        """This position with another seat to act: studies and problems place several dots of one player in a row."""
        return DotsPosition(
            self.game,
            self.field,
            seat,
            last=self._last,
            stopped=self._stopped,
            ended=self._ended,
            unpainted=self._unpainted,
        )

    def moves(self, within: Zone | None = None) -> Iterator[Turn]:
        """The dots that may be placed, `within` a part of the field if one is given. What may be closed with them
        `would` tells, and `calls` the turns without a dot: of either there may be too many to list, or none that chance
        should choose."""
        if self._ended:
            return
        field, grid, zone = self.field, self.field.grid, self._zone()
        for cell in grid.within(within) if within else grid.crossings:
            if field.is_free(cell) and (zone is None or zone.holds(grid.point(cell))):
                yield Turn(grid.point(cell))

    def calls(self) -> tuple[Call, ...]:
        """The turns without a dot that are legal now."""
        if self._ended:
            return ()
        stop = (Call.STOP,) if self.game.ending is not Ending.FULL else ()
        return (*stop, Call.LAND) if self.game.landing and self._lands() else stop

    def play(self, move: Move) -> DotsPosition:
        if self._ended:
            raise IllegalMove("game_over")
        if isinstance(move, Call):
            return self._stop() if move is Call.STOP else self._land()
        cell = self._free_cell(move.dot)
        game, mover, field = self.game, self._to_act, self.field.copy()
        before = field.scores[mover]
        if game.closing is Closing.AUTOMATIC:
            if move.paints or move.chains:
                raise IllegalMove("closes_by_itself")
            place(field, mover + 1, cell, game.measure)
        elif game.closing is Closing.PAINTED:
            self._paint(field, move, cell)
        else:
            self._draw(field, move, cell)
        again = game.extra_move and field.scores[mover] > before
        to_act = mover if again or self._stopped is not None else Seat((mover + 1) % game.seats)
        return self._after(field, to_act, move.dot, self._stopped)

    def would(self, dot: Point) -> Consequences:
        """What a dot there would do. Raises IllegalMove."""
        after = self.play(Turn(dot))
        mover = self._to_act
        gains = [new - old for new, old in zip(after.field.scores, self.field.scores, strict=True)]
        loses = sum(gain for seat, gain in enumerate(gains) if seat != mover and gain > 0)
        return Consequences(max(0, gains[mover]), loses, () if after._ended else offers(self.game, after.field, mover))

    def picture(self) -> Picture:
        return view.picture(self.field, self._last, self._zone())

    def rows(self) -> list[str]:
        """The field in letters, rows from the top (see rules/dots/view.py)."""
        return view.rows(self.field)

    def _free_cell(self, dot: Point) -> int:
        field, grid = self.field, self.field.grid
        if not grid.holds(dot):
            raise IllegalMove("off_field", **self.game.edges)
        cell = grid.index(dot)
        if field.placed[cell]:
            raise IllegalMove("occupied", point=point_name(dot))
        if field.owner[cell]:
            raise IllegalMove("in_base", point=point_name(dot))
        zone = self._zone()
        if zone is not None and not zone.holds(dot):
            low, high = point_name(zone.low), point_name(zone.high)
            raise IllegalMove("opening_zone", point=point_name(dot), low=low, high=high)
        return cell

    def _paint(self, field: Field, move: Turn, cell: int) -> None:
        if move.chains:
            raise IllegalMove("paints_only")
        field.put(self._to_act + 1, cell)
        for point in move.paints:
            painting.paint(field, self._to_act + 1, self._cell(point), point_name(point))

    def _draw(self, field: Field, move: Turn, cell: int) -> None:
        if move.paints:
            raise IllegalMove("draws_only")
        player = self._to_act + 1
        field.put(player, cell)
        links = self.game.links
        for chain in move.chains:
            cells = tuple(map(self._cell, chain))
            if len(cells) == 1:
                drawing.draw_round(field, player, cells[0], links)
            else:
                drawing.draw(field, player, chain, links)
        if not field.free:
            drawing.enclose_last(field, cell, links)

    def _stop(self) -> DotsPosition:
        if self.game.ending is Ending.FULL:
            raise IllegalMove("no_stop")
        field, seat = self.field.copy(), self._to_act
        if self.game.ending is Ending.GROUND:
            unpainted = self._paint_all(field)
            stopping.ground(field, seat + 1)
            return self._over(field, "ground", unpainted)
        if self._stopped is not None:
            return self._over(field, "stop")
        stopping.play_out(field, seat + 1)
        return self._after(field, Seat(1 - seat), None, seat)

    def _land(self) -> DotsPosition:
        if not self.game.landing:
            raise IllegalMove("no_landing")
        if not self._lands():
            raise IllegalMove("lead_too_small", risk=self.at_risk(self._to_act))
        field = self.field.copy()
        unpainted = self._paint_all(field)
        return DotsPosition(self.game, field, self._to_act, ended=Outcome((self._to_act,), "land"), unpainted=unpainted)

    def _lands(self) -> bool:
        """Whether the player to act leads by more than he has at risk; everything enclosed counts as painted."""
        field, seat = self.field.copy(), self._to_act
        scores = score(field, self.game.scoring, self._paint_all(field))
        return scores[seat] - scores[1 - seat] > stopping.at_risk(field, seat + 1)

    def _paint_all(self, field: Field) -> tuple[int, ...]:
        return tuple(painting.paint_all(field)) if self.game.closing is Closing.PAINTED else ()

    def _after(self, field: Field, to_act: Seat, last: Point | None, stopped: Seat | None) -> DotsPosition:
        """The next position, or the end: an instant win, or a full field."""
        if (win := self.game.win) is not None:
            scores = field.scores
            best = max(scores)
            reached = best - sorted(scores)[-2] if win.ahead else best
            if reached >= win.dots:
                ended = outcome(scores, "lead" if win.ahead else "captures")
                return DotsPosition(self.game, field, to_act, last=last, ended=ended)
        if not field.free:
            unpainted = self._paint_all(field)
            return self._over(field, "full", unpainted, last)
        return DotsPosition(self.game, field, to_act, last=last, stopped=stopped)

    def _over(
        self, field: Field, reason: str, unpainted: tuple[int, ...] = (), last: Point | None = None
    ) -> DotsPosition:
        ended = outcome(score(field, self.game.scoring, unpainted), reason)
        return DotsPosition(self.game, field, self._to_act, last=last, ended=ended, unpainted=unpainted)

    def _zone(self) -> Zone | None:
        """Where the next dot must lie, if it is a player's first on a field that started empty."""
        zone = self.game.opening_zone
        if zone is None or self._ended or self._to_act + 1 in self.field.placed:
            return None
        grid, field = self.field.grid, self.field
        # Below 5x5 the zone may be full before everybody has placed a dot there; then it binds nobody.
        free = any(field.is_free(cell) and zone.holds(grid.point(cell)) for cell in grid.crossings)
        return zone if free else None

    def _cell(self, point: Point) -> int:
        if not self.field.grid.holds(point):
            raise IllegalMove("off_field", **self.game.edges)
        return self.field.grid.index(point)
