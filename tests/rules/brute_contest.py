"""A whole contest of Dots with any of its options, by the letter of docs/rules-reference.md, to check the engine.

Slow and independent of the engine, as tests/rules/brute_force.py, whose coordinates it shares: y down from the top.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise

from tests.rules.brute_force import LINE, Base, Crossing, Field, chain_around, doubled_area

Chain = tuple[Crossing, ...]


class Illegal(Exception):
    """A turn that the rules page does not allow."""


@dataclass(frozen=True)
class Rules:
    """The options as plain values, in the words of docs/rules-reference.md."""

    width: int
    height: int
    seats: int = 2
    opening_zone: bool = False
    closing: str = "automatic"
    chain: str = "area"
    far_links: bool = False
    shared_dots: int | None = 1
    """Dots that a new boundary may share with the older ones inside it; None for any number."""
    scoring: str = "dots"
    ending: str = "full"
    landing: bool = False
    extra_move: bool = False
    win_captured: int | None = None
    win_ahead: int | None = None


class Contest:
    """A contest: the field, who is to act, and the end, if there is one: the winners and the reason."""

    def __init__(self, rules: Rules, stones: Iterable[tuple[int, Crossing]] = ()) -> None:
        self.rules = rules
        self.field = Field(rules.width, rules.height, rules.seats, by_length=rules.chain == "length")
        self.to_act = 0
        self.stopped: int | None = None
        self.outcome: tuple[tuple[int, ...], str] | None = None
        self.boundaries: list[Base] = []
        """The drawn chains, except those inside later ones."""
        self.territory = [Fraction(0)] * rules.seats
        for seat, at in stones:
            if rules.closing == "automatic":
                self.field.set_up(seat, *at)
            else:
                self.field.placed[at] = seat
        self._look()

    @property
    def scores(self) -> tuple[float, ...]:
        if self.rules.scoring == "everything":
            owners = list(self.field.owner.values())
            return tuple(owners.count(seat) for seat in range(self.rules.seats))
        return tuple(float(dots + more) for dots, more in zip(self.field.scores, self.territory, strict=True))

    # What may be played

    def legal(self) -> set[Crossing]:
        """Returns the crossings where the next dot may lie."""
        if self.outcome:
            return set()
        free = {at for at in self.field.crossings if self.field.is_free(at)}
        if self.rules.opening_zone and self.to_act not in self.field.placed.values():
            width, height = self.rules.width, self.rules.height
            third = {(x, y) for x, y in free if width // 3 <= x < width - width // 3}
            third = {(x, y) for x, y in third if height // 3 <= y < height - height // 3}
            return third or free
        return free

    def turn(self, at: Crossing, paints: Sequence[Crossing] = (), chains: Sequence[Chain] = ()) -> list[Base]:
        """Plays a dot and the areas that are painted and drawn with it. Raises Illegal; afterwards the contest may
        be used no more."""
        if at not in self.legal():
            raise Illegal("the crossing")
        seat, before = self.to_act, self.field.scores
        if (paints and self.rules.closing != "painted") or (chains and self.rules.closing != "drawn"):
            raise Illegal("the closing")
        if self.rules.closing == "automatic":
            bases = self.field.place(seat, *at)
        else:
            self.field.placed[at] = seat
            bases = [self._paint(seat, point) for point in paints]
            bases += [self._draw_chain(seat, chain) for chain in chains]
            if self.rules.closing == "drawn" and not self.field.free and self.rules.shared_dots is not None:
                bases += self._enclose_last(at)
        again = self.rules.extra_move and self.field.scores[seat] > before[seat]
        if not again and self.stopped is None:
            self.to_act = (seat + 1) % self.rules.seats
        self._look()
        return bases

    # Painting

    def paintable(self, seat: int) -> list[Base]:
        """Returns the areas that the alive dots of `seat` close around at least one alive dot of an opponent."""
        areas = [self.field.enclosure(seat, face) for face in self.field.closed_faces(seat)]
        return [area for area in areas if self.field.alive_enemy_in(area)]

    def _paint(self, seat: int, point: Crossing) -> Base:
        for face in self.field.closed_faces(seat):
            if point in face and self.field.alive_enemy_in(area := self.field.enclosure(seat, face)):
                self.field.take(area)
                return area
        raise Illegal("nothing to paint")

    def _paint_everything(self) -> None:
        if self.rules.closing != "painted":
            return
        empty = [at for at in self.field.crossings if self.field.is_free(at)]
        while areas := [area for seat in range(self.rules.seats) for area in self.paintable(seat)]:
            self.field.take(min(areas, key=lambda area: (doubled_area(area.chain), area.seat)))
        if self.rules.scoring == "territory":
            first, second = (sum(self.field.owner[at] == seat for at in empty) for seat in (0, 1))
            self.territory = [Fraction(max(0, first - second), 2), Fraction(max(0, second - first), 2)]

    # Drawing

    def drawable(self, seat: int) -> list[Base]:
        """Returns the smallest chains that `seat` may draw around an opponent's dot each."""
        prey = [at for at in self.field.crossings if self._is_prey(seat, at)]
        bases = {frozenset(base.chain): base for at in prey if (base := self._smallest(seat, at))}
        return [base for base in bases.values() if not self._shares_too_much(base)]

    def _draw_chain(self, seat: int, chain: Chain) -> Base:
        if len(chain) == 1:
            base = self._smallest(seat, chain[0])
            if base is None:
                raise Illegal("nothing goes round it")
        else:
            if self.rules.far_links:
                chain = self._over_own_dots(seat, chain)
            if len(chain) < 3 or len(set(chain)) < len(chain) or not set(chain) <= self._walls(seat):
                raise Illegal("the dots")
            if not all(self.joins(*segment) for segment in segments(chain)):
                raise Illegal("a segment")
            if crosses_itself(chain):
                raise Illegal("crosses itself")
            base = self._base(seat, chain)
        if not any(self._is_prey(seat, at) for at in base.inside):
            raise Illegal("no enemy dot")
        if self._shares_too_much(base):
            raise Illegal("shares too much")
        self._draw(base)
        return base

    def _over_own_dots(self, seat: int, chain: Chain) -> Chain:
        """Splits a double step over an own dot into two ordinary ones."""
        dots: list[Crossing] = []
        for a, b in segments(chain):
            dots.append(a)
            if (middle := midpoint(a, b)) in self.field.alive(seat):
                dots.append(middle)
        return tuple(dots)

    def joins(self, a: Crossing, b: Crossing) -> bool:
        """Returns whether a segment may lead from one wall to another (a far link, or one step)."""
        length = max(abs(a[0] - b[0]), abs(a[1] - b[1]))
        if not self.rules.far_links:
            return length == 1 and (self.rules.shared_dots is not None or not self._cuts_a_base(a, b))
        middle = midpoint(a, b)
        if not 1 <= length <= 2 or (middle and self.field.placed[middle] is not None):
            return False
        if middle and self.field.owner[middle] not in (None, LINE):
            return False
        fences = (fence for base in self.boundaries for fence in segments(base.chain))
        return not any(cross((a, b), fence) for fence in fences) and not self._cuts_a_base(a, b)

    def _cuts_a_base(self, a: Crossing, b: Crossing) -> bool:
        """Returns whether the middle of a segment lies inside a boundary that does not run along it."""
        for base in self.boundaries:
            drawn = list(segments(base.chain))
            if not {a, b} <= set(base.chain):
                continue
            halves = tuple((2 * x, 2 * y) for x, y in base.chain)
            if (a, b) not in drawn and (b, a) not in drawn and within((a[0] + b[0], a[1] + b[1]), halves):
                return True
        return False

    def _base(self, seat: int, chain: Chain) -> Base:
        inside = frozenset(at for at in self.field.crossings if within(at, chain))
        return Base(seat, chain, inside, inside - self.field.alive(seat))

    def _draw(self, base: Base) -> None:
        self.field.take(base)
        self.boundaries = [older for older in self.boundaries if not older.inside & base.inside]
        self.boundaries.append(base)
        for middle in filter(None, (midpoint(a, b) for a, b in segments(base.chain))):
            if self.field.is_free(middle):
                self.field.owner[middle] = LINE

    def _enclose_last(self, at: Crossing) -> list[Base]:
        seat = self.field.placed[at]
        if seat is None or at not in self.field.alive(seat):
            return []
        houses = [base for enemy in range(self.rules.seats) if enemy != seat and (base := self._smallest(enemy, at))]
        for base in sorted(houses, key=lambda house: doubled_area(house.chain))[:1]:
            self._draw(base)
        return houses[:1]

    def _walls(self, seat: int) -> set[Crossing]:
        """Returns the alive dots of `seat` that lie in no base."""
        return {at for at in self.field.alive(seat) if self.field.owner[at] is None}

    def _is_prey(self, seat: int, at: Crossing) -> bool:
        """Returns whether there is an opponent's dot that is not theirs already."""
        return self.field.placed[at] not in (None, seat) and self.field.owner[at] != seat

    def _smallest(self, seat: int, at: Crossing) -> Base | None:
        walls = self._walls(seat)
        if self.rules.far_links:
            chains = self.chains_around(at, seat)
            best = min(chains, key=lambda chain: (doubled_area(chain), len(chain), reading(chain)), default=None)
            return None if best is None else self._base(seat, best)
        for face in self.field.ungrounded(set(self.field.crossings) - walls):
            if at in face:
                return self.field.base(seat, chain_around(face, walls))
        return None

    def chains_around(self, at: Crossing, seat: int) -> list[Chain]:
        """Returns every chain of `seat` around an opponent's dot, by trying all ways: for a handful of walls."""
        if self.field.placed[at] in (None, seat):
            return []
        walls = self._walls(seat)
        neighbours = {a: [b for b in walls if b != a and self.joins(a, b)] for a in walls}
        found: list[Chain] = []

        def extend(chain: Chain) -> None:
            for to in neighbours[chain[-1]]:
                if to == chain[0] and len(chain) > 2 and chain[1] < chain[-1] and not crosses_itself(chain):
                    if within(at, chain):
                        found.append(chain)
                elif to > chain[0] and to not in chain:
                    segment = (chain[-1], to)
                    if not any(cross(segment, drawn) for drawn in pairwise(chain)):
                        extend((*chain, to))

        for first in walls:
            extend((first,))
        return found

    def _shares_too_much(self, base: Base) -> bool:
        """Returns whether too many dots of the chain lie on the older boundaries inside it."""
        older = [boundary for boundary in self.boundaries if boundary.inside & base.inside]
        shared = set(base.chain) & {dot for boundary in older for dot in boundary.chain}
        return self.rules.shared_dots is not None and len(shared) > self.rules.shared_dots

    # Ending early

    def calls(self) -> set[str]:
        """Returns which of `stop` and `land` are legal."""
        calls = {"stop"} if self.rules.ending != "full" else set()
        if self.rules.landing and self._lands():
            calls.add("land")
        return set() if self.outcome else calls

    def stop(self) -> None:
        """Stops for the seat to act."""
        if "stop" not in self.calls():
            raise Illegal("stop")
        seat = self.to_act
        if self.rules.ending == "ground":
            self._paint_everything()
            theirs = self.field.alive(seat) | {at for at in self.field.crossings if self.field.owner[at] == seat}
            self._lose(seat, self.field.ungrounded(theirs))
            self._over("ground")
        elif self.stopped is not None:
            self._over("stop")
        else:
            self._fall(seat)
            self.stopped, self.to_act = seat, 1 - seat
            self._look()

    def stop_waiting(self) -> None:
        """Stops for the seat that waits: the other goes on, as after any STOP that is played out."""
        if self.outcome or self.rules.ending != "play_out" or self.stopped is not None:
            raise Illegal("stop")
        self.stopped = 1 - self.to_act
        self._fall(self.stopped)
        self._look()

    def land(self) -> None:
        """Ends the game for the seat to act, who wins."""
        if "land" not in self.calls():
            raise Illegal("land")
        self._paint_everything()
        self.outcome = ((self.to_act,), "land")

    def _lands(self) -> bool:
        """Returns whether landing is legal. Enclosed areas count as painted."""
        trial = self._copy()
        trial._paint_everything()
        lead = trial.scores[self.to_act] - trial.scores[1 - self.to_act]
        at_risk = trial.field.at_risk(self.to_act)
        if lead <= 0 or self.rules.closing != "automatic":
            return lead > at_risk
        lost = trial._besiege(self.to_act) if at_risk else 0
        assert lost <= at_risk, "a group with a link to the edge cannot be taken"
        return lead > lost

    def _besiege(self, seat: int) -> int:
        """Lets the opponent of `seat` place every dot that isn't captured, in any order. Returns what `seat` loses: the
        dots and prisoners that it held."""
        field, enemy = self.field, 1 - seat
        held = {at for at in field.crossings if field.placed[at] is not None and self._holds(seat, at)}
        placed = True
        while placed:
            placed = False
            houses = set().union(*field.closed_faces(seat))
            for at in filter(field.is_free, field.crossings):
                before, trial = field.scores[enemy], self._copy() if at in houses else self
                trial.field.place(enemy, *at)
                if trial is self or trial.field.scores[enemy] > before:
                    self.field = field = trial.field
                    placed = True
                    if field.scores[enemy] > before:
                        break  # other crossings are houses now
        return sum(not self._holds(seat, at) for at in held)

    def _holds(self, seat: int, at: Crossing) -> bool:
        return at in self.field.alive(seat) or self.field.owner[at] == seat

    def agreed(self) -> tuple[float, ...]:
        """Returns the scores if both end the game now, by the game's own scoring, with everything enclosed closed if
        more than captured dots counts. Zagram's pools are not known here."""
        trial = self._copy()
        if self.rules.scoring != "dots":
            trial._paint_everything()
        if self.rules.scoring == "everything" and self.rules.closing == "drawn" and not self.rules.far_links:
            trial._draw_everything()
        return trial.scores

    def _copy(self) -> Contest:
        trial = object.__new__(Contest)
        trial.__dict__.update(self.__dict__)
        trial.field = Field(
            self.rules.width, self.rules.height, self.rules.seats, by_length=self.rules.chain == "length"
        )
        trial.field.placed, trial.field.owner = dict(self.field.placed), dict(self.field.owner)
        return trial

    def _draw_everything(self) -> None:
        while areas := [base for seat in range(self.rules.seats) for base in self.drawable(seat)]:
            self._draw(min(areas, key=self._rank))

    def _rank(self, base: Base) -> tuple[int, int, Crossing]:
        """Returns what ranks an area among all that may be drawn: its size, its seat, its first dot from the bottom."""
        prey = ((-y, x) for x, y in base.inside if self._is_prey(base.seat, (x, y)))
        return doubled_area(base.chain), base.seat, min(prey)

    def _fall(self, seat: int) -> None:
        """Lets the opponent fill every free crossing outside the houses of `seat`, and captures what they would
        enclose."""
        houses = set().union(*self.field.closed_faces(seat))
        filled = {at for at in self.field.crossings if self.field.is_free(at)} - houses
        rest = set(self.field.crossings) - self.field.alive(1 - seat) - filled
        self._lose(seat, [group for group in self.field.ungrounded(rest) if group & self.field.alive(seat)])

    def _lose(self, seat: int, groups: list[set[Crossing]]) -> None:
        """Gives `groups` to the opponent: their own dots are free there, those of `seat` are lost."""
        for at in set().union(*groups):
            self.field.owner[at] = 1 - seat

    # The end

    def _look(self) -> None:
        dots = sorted(self.field.scores)
        for least, reached, reason in (
            (self.rules.win_captured, dots[-1], "captures"),
            (self.rules.win_ahead, dots[-1] - dots[-2], "lead"),
        ):
            if least is not None and reached >= least:
                self._won([float(score) for score in self.field.scores], reason)
                return
        if not self.field.free:
            self._paint_everything()
            self._over("full")

    def _over(self, reason: str) -> None:
        self._won(self.scores, reason)

    def _won(self, scores: Sequence[float], reason: str) -> None:
        self.outcome = (tuple(seat for seat, score in enumerate(scores) if score == max(scores)), reason)


def segments(chain: Chain) -> list[tuple[Crossing, Crossing]]:
    return list(zip(chain, chain[1:] + chain[:1], strict=True))


def crosses_itself(chain: Chain) -> bool:
    return any(cross(one, other) for one, other in combinations(segments(chain), 2))


def midpoint(a: Crossing, b: Crossing) -> Crossing | None:
    """Returns the crossing in the middle of a segment, if there is one."""
    x, y = a[0] + b[0], a[1] + b[1]
    return None if x % 2 or y % 2 else (x // 2, y // 2)


def reading(chain: Chain) -> list[tuple[int, int]]:
    """Returns the dots of a chain in reading order."""
    return sorted((y, x) for x, y in chain)


def within(at: Crossing, chain: Chain) -> bool:
    """Returns whether a chain winds round `at`, which does not lie on it."""
    winding = 0
    for a, b in segments(chain):
        if at == a or (side(a, b, at) == 0 and (at[0] - a[0]) * (at[0] - b[0]) + (at[1] - a[1]) * (at[1] - b[1]) < 0):
            return False
        if a[1] <= at[1] < b[1] and side(a, b, at) > 0:
            winding += 1
        elif b[1] <= at[1] < a[1] and side(a, b, at) < 0:
            winding -= 1
    return winding != 0


def cross(one: tuple[Crossing, Crossing], other: tuple[Crossing, Crossing]) -> bool:
    """Returns whether two segments meet in a point that is an end of neither."""
    (a, b), (c, d) = one, other
    return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0


def side(a: Crossing, b: Crossing, c: Crossing) -> int:
    """Returns a positive number on one side of the line from a to b, a negative one on the other, 0 on it."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
