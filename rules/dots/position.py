"""A moment of a game of Dots, and how players see its field: as shapes, and in letters."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from rules.dots import closing, drawing, scoring
from rules.dots.closing import place
from rules.dots.consequences import AgreedEnd, Consequences, agreed_end, offers
from rules.dots.drawing import Canvas
from rules.dots.field import Field
from rules.dots.grid import grid
from rules.dots.options import Closing, Ending, Reuse
from rules.dots.rules import DotsRules
from rules.dots.scoring import outcome, score
from rules.dots.turn import Call, Move, Turn
from rules.game import Area, IllegalMove, Outcome, Picture, Point, Seat, Stone, Zone, point_name

_stone = lru_cache(maxsize=4096)(Stone)
"""One value for all pictures of a dot."""


@lru_cache(maxsize=64)
def picture(rules: DotsRules, field: Field, last: Point | None, zone: Zone | None) -> Picture:
    """Returns the field with its dots and bases, the last dot, the zone in which the next one must lie, and what may
    still be painted. Cached for the latest fields, by identity: a board and its text ask for the same picture several
    times."""
    grid, placed, alive = field.grid, field.placed, field.alive
    return Picture(
        grid.width,
        grid.height,
        stones=tuple(
            _stone(grid.point(cell), Seat(placed[cell] - 1), not alive[cell]) for cell in grid.crossings if placed[cell]
        ),
        areas=tuple(Area(Seat(base.player - 1), field.points(base.chain)) for base in field.bases),
        last=() if last is None else (last,),
        zone=zone,
        open=tuple(_paintable(rules, field)) if rules.closing is Closing.PAINTED else (),
    )


def _paintable(rules: DotsRules, field: Field) -> Iterator[Area]:
    """Yields the areas that each player may still paint."""
    for seat in map(Seat, range(rules.seats)):
        yield from (Area(seat, offer.chain) for offer in offers(rules, field, seat))


def rows(field: Field) -> list[str]:
    """Returns the field in letters, rows from the top.

    `.` is free. `R` `B` (`G` `V`) are alive dots of the seats in order; small letters are captured dots. `1` `2` (`3`
    `4`) are captured empty crossings by the owner's number. `-` is an empty crossing under a far link.
    """
    grid = field.grid
    letters = [
        ("RBGV" if field.alive[cell] else "rbgv")[field.placed[cell] - 1]
        if field.placed[cell]
        else ".1234-"[field.owner[cell]]
        for cell in grid.crossings
    ]
    width = grid.width
    return ["".join(letters[row * width : (row + 1) * width]) for row in reversed(range(grid.height))]


def _close(rules: DotsRules, field: Field, seat: Seat, point: Point) -> Field:
    """Returns the field with the smallest area of a seat round a crossing. Raises IllegalMove."""
    if not rules.contains(point):
        raise IllegalMove("off_field", **rules.edges)
    if rules.closing is Closing.AUTOMATIC:
        raise IllegalMove("closes_by_itself")
    if rules.closing is Closing.PAINTED:
        closing.paint(field, seat + 1, field.grid.index(point), point_name(point), rules.measure)
        return field
    return Canvas(field, seat + 1, rules.links, rules.reuse).draw((point,)).field


class DotsPosition:
    """A position that never changes: `play` works on a copy of the `field`, which others may read."""

    __slots__ = ("_ended", "_last", "_stopped", "_to_act", "_unpainted", "field", "rules")

    def __init__(
        self,
        rules: DotsRules,
        field: Field,
        to_act: Seat,
        *,
        last: Point | None = None,
        stopped: Seat | None = None,
        ended: Outcome | None = None,
        unpainted: tuple[int, ...] = (),
    ) -> None:
        self.rules = rules
        self.field = field
        self._to_act = to_act
        self._last = last
        self._stopped = stopped
        self._ended = ended
        self._unpainted = unpainted

    @classmethod
    def first(cls, rules: DotsRules) -> DotsPosition:
        """Returns the field with its set-up, which may have filled it already. Raises IllegalMove for a dot of
        `rules.stones` off the field, for a second dot on one crossing, and for an area that no chain encloses."""
        field = Field(grid(rules.width, rules.height), rules.seats)
        for seat, point in rules.first_dots:
            if not rules.contains(point):
                raise IllegalMove("off_field", **rules.edges)
            cell = field.grid.index(point)
            if field.placed[cell]:
                raise IllegalMove("occupied", point=point_name(point))
            if rules.closing is not Closing.AUTOMATIC:
                field.put(seat + 1, cell)
            elif field.owner[cell]:
                field.put_in_base(seat + 1, cell)
            else:
                place(field, seat + 1, cell, rules.measure)
        for seat, point in rules.areas:
            field = _close(rules, field, seat, point)
        return cls(rules, field, rules.begins)._next(field, rules.begins, None, None)

    @property
    def to_act(self) -> Seat:
        return self._to_act

    @property
    def outcome(self) -> Outcome | None:
        return self._ended

    @property
    def score(self) -> tuple[float, ...]:
        return score(self.field, self.rules, self._unpainted)

    @property
    def free(self) -> int:
        """The number of crossings where a dot can be placed."""
        return self.field.free

    @property
    def stopped(self) -> Seat | None:
        """The seat that has stopped while the opponent plays on."""
        return self._stopped

    def at_risk(self, seat: Seat) -> int:
        """Returns how many dots and prisoners `seat` would lose by a STOP that is decided at once."""
        return scoring.at_risk(self.field, seat + 1)

    def siege(self, seat: Seat) -> tuple[Point, ...]:
        """Returns the free crossings on which dots of the opponent enclose what `seat` loses at once by a STOP that is
        played out."""
        return self.field.points(tuple(scoring.siege(self.field, seat + 1)))

    def agreed_end(self) -> AgreedEnd:
        """Returns the result for both if they end the game now. Two players only."""
        return agreed_end(self.rules, self.field, self._to_act)

    def with_to_act(self, seat: Seat) -> DotsPosition:
        """Returns this position with another seat to act: studies and problems place several dots of one player in a
        row."""
        return DotsPosition(
            self.rules,
            self.field,
            seat,
            last=self._last,
            stopped=self._stopped,
            ended=self._ended,
            unpainted=self._unpainted,
        )

    def moves(self, within: Zone | None = None) -> Iterator[Turn]:
        """Lists the dots that may be placed, `within` a part of the field if one is given.

        `consequences_of` a dot has the areas that it could close: these may be too many to list. `calls` has the turns
        without a dot, which chance should not choose.
        """
        if self._ended:
            return
        field, grid, zone = self.field, self.field.grid, self._zone()
        for cell in grid.within(within) if within else grid.crossings:
            if field.is_free(cell) and (zone is None or zone.contains(grid.point(cell))):
                yield Turn(grid.point(cell))

    def calls(self) -> tuple[Call, ...]:
        """Returns the turns without a dot that are legal now for the seat to act."""
        if self._ended:
            return ()
        stop = (Call.STOP,) if self.rules.ending is not Ending.FULL else ()
        return (*stop, Call.LAND) if self.rules.landing and self._can_land() else stop

    @property
    def can_stop_waiting(self) -> bool:
        """Whether the player who waits may stop now: only where the ending is played out."""
        return self.rules.ending is Ending.PLAY_OUT and self._stopped is None and not self._ended

    def canvas(self, dot: Point) -> Canvas:
        """Returns the field with this dot, for players who draw: the turns with this dot that are tried share it.

        Raises IllegalMove.
        """
        if self._ended:
            raise IllegalMove("game_over")
        cell, field = self._free_cell(dot), self.field.copy()
        field.put(self._to_act + 1, cell)
        return Canvas(field, self._to_act + 1, self.rules.links, self.rules.reuse)

    def play(self, move: Move, canvas: Canvas | None = None) -> DotsPosition:
        """Returns the position after a move; `canvas` is that of its dot, if several turns with it are tried."""
        if self._ended:
            raise IllegalMove("game_over")
        if move is Call.STOP_WAITING:
            return self._stop_waiting()
        if isinstance(move, Call):
            return self._stop() if move is Call.STOP else self._land()
        cell = self._free_cell(move.dot)
        rules, mover, field = self.rules, self._to_act, self.field.copy()
        before = field.scores[mover]
        if rules.closing is Closing.AUTOMATIC:
            if move.paints or move.chains:
                raise IllegalMove("closes_by_itself")
            place(field, mover + 1, cell, rules.measure)
        elif rules.closing is Closing.PAINTED:
            self._paint(field, move, cell)
        else:
            field = self._draw(move, cell, canvas or self.canvas(move.dot))
        again = rules.extra_move and field.scores[mover] > before
        to_act = mover if again or self._stopped is not None else Seat((mover + 1) % rules.seats)
        return self._next(field, to_act, move.dot, self._stopped)

    def consequences_of(self, dot: Point, canvas: Canvas | None = None) -> Consequences:
        """Returns the effects of a dot on this crossing; `canvas` as for `play`. Raises IllegalMove."""
        if self.rules.closing is Closing.DRAWN:
            canvas = canvas or self.canvas(dot)
        after = self.play(Turn(dot), canvas)
        mover = self._to_act
        gains = [new - old for new, old in zip(after.field.scores, self.field.scores, strict=True)]
        loses = sum(gain for seat, gain in enumerate(gains) if seat != mover and gain > 0)
        found = () if after._ended else offers(self.rules, after.field, mover, canvas)
        return Consequences(max(0, gains[mover]), loses, found)

    def picture(self) -> Picture:
        return picture(self.rules, self.field, self._last, self._zone())

    def rows(self) -> list[str]:
        """Returns the field in letters, rows from the top (see `rules.dots.position`)."""
        return rows(self.field)

    def _free_cell(self, dot: Point) -> int:
        field, cell = self.field, self._cell(dot)
        if field.placed[cell]:
            raise IllegalMove("occupied", point=point_name(dot))
        if field.owner[cell]:
            raise IllegalMove("in_base", point=point_name(dot))
        zone = self._zone()
        if zone is not None and not zone.contains(dot):
            low, high = point_name(zone.low), point_name(zone.high)
            raise IllegalMove("opening_zone", point=point_name(dot), low=low, high=high)
        return cell

    def _paint(self, field: Field, move: Turn, cell: int) -> None:
        if move.chains:
            raise IllegalMove("paints_only")
        field.put(self._to_act + 1, cell)
        for point in move.paints:
            closing.paint(field, self._to_act + 1, self._cell(point), point_name(point), self.rules.measure)

    def _draw(self, move: Turn, cell: int, canvas: Canvas) -> Field:
        if move.paints:
            raise IllegalMove("draws_only")
        for chain in move.chains:
            for point in chain:
                self._cell(point)
            canvas = canvas.draw(chain)
        field = canvas.field
        if not field.free and self.rules.reuse is not Reuse.ANY:
            field = field.copy()
            drawing.enclose_last(field, cell, self.rules.links)
        return field

    def _stop(self) -> DotsPosition:
        if self.rules.ending is Ending.FULL:
            raise IllegalMove("no_stop")
        field, seat = self.field.copy(), self._to_act
        if self.rules.ending is Ending.GROUND:
            unpainted = self._paint_all(field)
            scoring.ground(field, seat + 1)
            return self._over(field, "ground", unpainted)
        if self._stopped is not None:
            return self._over(field, "stop")
        scoring.play_out(field, seat + 1)
        return self._next(field, Seat(1 - seat), None, seat)

    def _stop_waiting(self) -> DotsPosition:
        if not self.can_stop_waiting:
            raise IllegalMove("no_stop")
        field, seat = self.field.copy(), Seat(1 - self._to_act)
        scoring.play_out(field, seat + 1)
        return self._next(field, self._to_act, None, seat)

    def _land(self) -> DotsPosition:
        if not self.rules.landing:
            raise IllegalMove("no_landing")
        if not self._can_land():
            raise IllegalMove("lead_too_small", risk=self._landing_risk())
        field = self.field.copy()
        unpainted = self._paint_all(field)
        return DotsPosition(
            self.rules, field, self._to_act, ended=Outcome((self._to_act,), "land"), unpainted=unpainted
        )

    def _can_land(self) -> bool:
        """Returns whether the player to act leads by more than they could still lose; enclosed areas count as painted.

        Where houses capture by themselves, they protect. Elsewhere every group without a link to the edge is at risk.
        """
        field, seat = self.field.copy(), self._to_act
        scores = score(field, self.rules, self._paint_all(field))
        lead = scores[seat] - scores[1 - seat]
        if lead <= 0 or lead > scoring.at_risk(field, seat + 1):
            return lead > 0
        return self.rules.closing is Closing.AUTOMATIC and all(lead > loss for loss in scoring.losses(field, seat + 1))

    def _landing_risk(self) -> int:
        """Returns how many dots and prisoners the player to act could still lose."""
        field, player = self.field.copy(), self._to_act + 1
        self._paint_all(field)
        houses_protect = self.rules.closing is Closing.AUTOMATIC
        return max(scoring.losses(field, player)) if houses_protect else scoring.at_risk(field, player)

    def _paint_all(self, field: Field) -> tuple[int, ...]:
        return tuple(closing.paint_all(field, self.rules.measure)) if self.rules.closing is Closing.PAINTED else ()

    def _next(self, field: Field, to_act: Seat, last: Point | None, stopped: Seat | None) -> DotsPosition:
        """Returns the next position, or the end: an instant win, or a full field."""
        if (win := self.rules.win) is not None:
            scores = field.scores
            best = max(scores)
            reached = best - sorted(scores)[-2] if win.ahead else best
            if reached >= win.dots:
                ended = outcome(scores, "lead" if win.ahead else "captures")
                return DotsPosition(self.rules, field, to_act, last=last, ended=ended)
        if not field.free:
            unpainted = self._paint_all(field)
            return self._over(field, "full", unpainted, last)
        return DotsPosition(self.rules, field, to_act, last=last, stopped=stopped)

    def _over(
        self, field: Field, reason: str, unpainted: tuple[int, ...] = (), last: Point | None = None
    ) -> DotsPosition:
        ended = outcome(score(field, self.rules, unpainted), reason)
        return DotsPosition(self.rules, field, self._to_act, last=last, ended=ended, unpainted=unpainted)

    def _zone(self) -> Zone | None:
        """Returns where the next dot must lie, if it is a player's first on a field that started empty."""
        zone = self.rules.opening_zone
        if zone is None or self._ended or self._to_act + 1 in self.field.placed:
            return None
        # Below 5x5 the zone may be full before each player has a dot in it; then it binds no player.
        return zone if any(map(self.field.is_free, self.field.grid.within(zone))) else None

    def _cell(self, point: Point) -> int:
        if not self.rules.contains(point):
            raise IllegalMove("off_field", **self.rules.edges)
        return self.field.grid.index(point)
