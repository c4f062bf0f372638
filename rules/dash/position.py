"""A moment of a game of Dot Dash."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations, product

from rules.dash import board as dash_board
from rules.dash.board import MIN_RESERVE, Board, Five, Path, board, count, path_between, paths, stretches, taken_by
from rules.dash.rules import DashRules
from rules.dash.turn import Choice, Move, Opening, Phase, Turn
from rules.game import IllegalMove, Outcome, Picture, Point, Seat, Trail, point_name

STONES = 60
"""Stones of each side, on the field and in reserve together."""


@dataclass(frozen=True, slots=True)
class DashPosition:
    """The sets of stones (`rules.dash.board`) by the seat that owns them, and whose turn it is.

    Until colours are chosen the pair counts as the stones of seat 0 and the single one as that of seat 1, as if seat 1
    takes the single one. If seat 1 takes the pair, the stones change sides.
    """

    rules: DashRules
    phase: Phase
    to_act: Seat
    stones: tuple[int, int]
    frozen: tuple[frozenset[Five], frozenset[Five]] = (frozenset(), frozenset())
    """The fives that each seat was credited with for good, in the variant with frozen stones."""
    last: tuple[Point, ...] = ()
    trail: Trail | None = None

    @property
    def outcome(self) -> Outcome | None:
        """The end, decided when a turn begins: so it is there as soon as the turn before is played.

        The player to act wins with more fives (`fives`). Otherwise they lose if they cannot dash: for want of stones in
        the reserve (`reserve`) or of a way (`blocked`).
        """
        if self.phase is not Phase.DASH:
            return None
        mine, other = self.to_act, _opponent(self.to_act)
        score = self.score
        if score[mine] > score[other]:
            return Outcome((mine,), "fives")
        if self.reserves[mine] < MIN_RESERVE:
            return Outcome((other,), "reserve")
        if not any(True for _ in self._paths()):
            return Outcome((other,), "blocked")
        return None

    @property
    def has_sides(self) -> bool:
        """Whether each seat has its stones for good."""
        return self.phase is Phase.DASH

    @property
    def score(self) -> tuple[int, int]:
        """The fives that each seat is credited with now."""
        if self.rules.freezes:
            return len(self.frozen[0]), len(self.frozen[1])
        return count(self._board, self.stones[0]), count(self._board, self.stones[1])

    @property
    def fives(self) -> tuple[frozenset[Five], frozenset[Five]]:
        """The fives that each seat is credited with. A run that can be counted in several ways counts in the default
        way, unless fives are frozen."""
        if self.rules.freezes:
            return self.frozen
        first, second = (
            frozenset[Five]().union(*(next(stretch.creditings()) for stretch in stretches(self._board, stones)))
            for stones in self.stones
        )
        return first, second

    @property
    def reserves(self) -> tuple[int, int]:
        """The stones that each seat has off the field."""
        first, second = (STONES - stones.bit_count() for stones in self.stones)
        return first, second

    def moves(self) -> Iterator[Turn]:
        """Lists the legal turns, each once. On 13x13 there are 2,370,732 ways to set up, so read only as many as
        needed.

        If a player may choose which fives are credited, there is one move for each choice. It declares no more than it
        must; `play` also accepts fives that are credited anyway.
        """
        if self.phase is Phase.SET_UP:
            points = list(self._board.members(self._board.field))
            for pair in map(frozenset, combinations(points, 2)):
                yield from (Opening(pair, single) for single in points if single not in pair)
        elif self.phase is Phase.CHOICE:
            yield from Choice
        elif self.outcome is None:
            yield from self._dashes()

    def play(self, move: Turn) -> DashPosition:
        """Returns the position after `move`. Raises IllegalMove:

        - `game_over`, `off_field`;
        - `set_up_due`, `choice_due` and `dash_due` for another kind of turn;
        - for a dash `no_stone`, `not_yours`, `frozen_stone`, `not_straight`, `too_short`, `way_blocked`,
          `landing_taken`;
        - for the fives that it declares `no_choice`, `no_new_five`, `fewer_fives`.
        """
        if self.outcome is not None:
            raise IllegalMove("game_over")
        if not all(map(self._board.contains, move.points)):
            raise IllegalMove("off_field", **self.rules.edges)
        if self.phase is Phase.SET_UP and isinstance(move, Opening):
            return self._set_up(move)
        if self.phase is Phase.CHOICE and isinstance(move, Choice):
            return self._choose(move)
        if self.phase is Phase.DASH and isinstance(move, Move):
            return self._dash(move)
        raise IllegalMove(f"{self.phase}_due")

    def picture(self) -> Picture:
        return dash_board.picture(self._board, self.stones, self.fives, self.last, self.trail)

    def rows(self) -> list[str]:
        """Returns the field in letters, rows from the top (see `rules.dash.board`)."""
        return dash_board.rows(self._board, self.stones)

    @property
    def _board(self) -> Board:
        return board(self.rules.size)

    def _set_up(self, opening: Opening) -> DashPosition:
        pair, single = (self._board.bits(points) for points in (opening.pair, (opening.single,)))
        return replace(
            self,
            phase=Phase.CHOICE,
            to_act=Seat(1),
            stones=(pair, single),
            last=(*sorted(opening.pair), opening.single),
        )

    def _choose(self, choice: Choice) -> DashPosition:
        pair, single = self.stones
        if choice is Choice.SINGLE:
            return replace(self, phase=Phase.DASH, to_act=Seat(1), last=())
        return replace(self, phase=Phase.DASH, to_act=Seat(0), stones=(single, pair), last=())

    def _dash(self, move: Move) -> DashPosition:
        seat = self.to_act
        own, enemy = self.stones[seat], self.stones[_opponent(seat)]
        path = self._path(move)
        target = 1 << path.end
        own = own ^ 1 << path.start | path.behind
        if enemy & target:
            enemy ^= target
            placed = path.behind
        else:
            own |= target
            placed = path.behind | target
        return replace(
            self,
            to_act=_opponent(seat),
            stones=(own, enemy) if seat == 0 else (enemy, own),
            frozen=self._frozen_after(own, move.fives),
            last=tuple(self._board.members(placed)),
            trail=Trail(seat, move.start, move.end),
        )

    def _path(self, move: Move) -> Path:
        """Returns the path of a legal dash; its declared fives are not checked."""
        board, seat = self._board, self.to_act
        own, enemy = self.stones[seat], self.stones[_opponent(seat)]
        start = 1 << board.cell(move.start)
        if not start & own:
            raise IllegalMove("not_yours" if start & enemy else "no_stone", point=point_name(move.start))
        if not start & self._movers():
            raise IllegalMove("frozen_stone", point=point_name(move.start))
        path = path_between(board, move.start, move.end)
        for cell in path.passed:
            if (own | enemy) >> cell & 1:
                raise IllegalMove("way_blocked", point=point_name(board.points[cell]))
        if (own if self.rules.sacrifices else own | enemy) >> path.end & 1:
            raise IllegalMove("landing_taken", point=point_name(move.end))
        return path

    def _frozen_after(self, own: int, declared: frozenset[Five]) -> tuple[frozenset[Five], frozenset[Five]]:
        """Returns the credited fives once the player to act has the stones `own` and has declared some new fives."""
        if not self.rules.freezes:
            if declared:
                raise IllegalMove("no_choice")
            return self.frozen
        seat = self.to_act
        credited, left = self.frozen[seat], declared
        for stretch in stretches(self._board, own, taken_by(self._board, credited)):
            here = declared.intersection(stretch.fives)
            fitting = next((crediting for crediting in stretch.creditings() if here <= crediting), None)
            if fitting is None:
                raise IllegalMove("fewer_fives", five=str(min(here)), fives=stretch.credits)
            credited |= fitting
            left -= here
        if left:
            raise IllegalMove("no_new_five", five=str(min(left)))
        return (credited, self.frozen[1]) if seat == 0 else (self.frozen[0], credited)

    def _movers(self) -> int:
        """Returns the stones of the player to act that may move."""
        still = {point for five in self.frozen[self.to_act] for point in five.points}
        return self.stones[self.to_act] & ~self._board.bits(still)

    def _paths(self) -> Iterator[Path]:
        enemy = self.stones[_opponent(self.to_act)]
        empty = self._board.field & ~(self.stones[0] | self.stones[1])
        return paths(self._board, self._movers(), empty, enemy if self.rules.sacrifices else 0)

    def _dashes(self) -> Iterator[Move]:
        board, own = self._board, self.stones[self.to_act]
        taken = taken_by(board, self.frozen[self.to_act])
        for path in self._paths():
            start, end = board.points[path.start], board.points[path.end]
            if not self.rules.freezes:
                yield Move(start, end)
                continue
            after = own ^ 1 << path.start | path.behind | 1 << path.end
            choices = [list(stretch.creditings()) for stretch in stretches(board, after, taken) if stretch.is_choice]
            for chosen in product(*choices):
                told = (crediting for crediting, ways in zip(chosen, choices, strict=True) if crediting != ways[0])
                yield Move(start, end, frozenset[Five]().union(*told))


def _opponent(seat: Seat) -> Seat:
    return Seat(1 - seat)
