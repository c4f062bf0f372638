"""Proves positions as exercises and builds their trees, for `tools.puzzle_set`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable
from dataclasses import dataclass, replace
from itertools import count, islice
from random import Random
from typing import NamedTuple

from opponent.dots.arrays import CELLS, FREE, STEPS, STRIDE, Field
from opponent.dots.field import from_position, place
from opponent.dots.tables import ALIVE, ENCLOSED, OWNER, TAKEN
from opponent.forcing import MAX_DOTS, PASS, Forcing, TooLong, lead
from play.community.exercise import Kind
from play.community.exercise_tree import Line, Node, Step
from rules.dots import Call, DotsPosition
from rules.dots.scoring import losses
from rules.game import Point, Seat, point_name

MIN_DOTS = 2
"""Dots that an exercise is about, at least."""

MAX_FORCED = 5
"""Dots of its own in which the capture of an exercise is forced, at most."""

SPARE, MIN_WITHIN = 1, 3
"""A wrong move must not force the goal within so many dots more than the shortest way, and within so many at least."""

DANGER, SAFETY = 3, 5
"""Dots within which the opponent forces a capture if the solver passes, and within which they must not force it after a
right move. Of the latter all but the last three have to threaten."""

MAX_ATTACKS = 3
"""Attacks on a saved dot, the quickest first, among which the one with the fewest right answers is chosen."""

ATTACK_STEPS = 3
"""Steps of a king between a saved dot and the next attack, at most."""

MAX_DEFENCE = 5
"""Moves that a solver has to find to save their dots, at most."""

MAX_ENDING = 12
"""Free crossings of an ending, at most."""

MAX_ENDING_LINE = 7
"""Moves of a line that ends an ending."""

MAX_FIRST, MAX_LATER = 4, 4
"""Right first moves, and right later ones: where more are right, nothing is left to find."""

MAX_NODES = 16
"""Nodes of a tree."""

MAX_DEFAULTS = 8
"""Answers that are tried as the refutation of all wrong moves."""

MIN_WALL = 4
"""Linked dots that make a wall."""

TRIES = 15_000
"""Dots that one proof may place."""


QUIET = 3
"""Dots within which a proof needs no threats."""

SLIP_STEPS, SLIPS = 3, 8
"""Steps of a king from the last dot to a slip, and how many are tried."""

ENDING_TRIES = 300_000
"""Dots that the proof of an ending may place."""


class Refusal(Exception):
    """A position that is no exercise; the text says why."""


class Uncertain(Refusal):
    """A position in which it is not certain what a STOP loses."""

    def __init__(self) -> None:
        super().__init__("what a STOP loses is not certain")


class Proof(NamedTuple):
    """A proved exercise: its kind, its points (see `Kind`) and its tree."""

    kind: Kind
    points: int
    tree: Node


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """A position on the compiled field, with `mover` to act. `last` is the last dot."""

    field: Field
    mover: int
    last: int = 0

    @classmethod
    def of(cls, position: DotsPosition) -> Board:
        return cls(from_position(position), int(position.to_act))

    @property
    def free(self) -> list[int]:
        """Returns the free crossings."""
        stride = int(self.field[STRIDE])
        cells = range(stride + 1, int(self.field[CELLS]) - stride - 1)
        return [cell for cell in cells if not self.field[cell] & TAKEN]

    def after(self, cell: int) -> Board:
        """Returns the board after a dot, or PASS."""
        if cell == PASS:
            return Board(self.field, 1 - self.mover, self.last)
        field = self.field.copy()
        place(field, self.mover, cell)
        return Board(field, 1 - self.mover, cell)

    def lead(self, player: int) -> int:
        """Returns the lead of a player in captured dots."""
        return int(lead(self.field, player))

    def steps_from_last(self, cell: int) -> int:
        """Returns the steps of a king between a crossing and the last dot."""
        stride = int(self.field[STRIDE])
        return max(abs(cell % stride - self.last % stride), abs(cell // stride - self.last // stride))

    def name(self, cell: int) -> str:
        """Returns the name of a crossing."""
        stride = int(self.field[STRIDE])
        return point_name(Point(cell % stride - 1, cell // stride - 1))

    def names(self, cells: Iterable[int]) -> Line:
        return tuple(map(self.name, cells))

    def holds(self, player: int) -> set[int]:
        """Returns the crossings in bases and closed faces of a player."""
        cells = int(self.field[CELLS])
        return {cell for cell in range(cells) if self.field[cell] & (OWNER | ENCLOSED) << player and self.is_on(cell)}

    def dots(self, player: int) -> set[int]:
        """Returns the crossings with alive dots of a player."""
        return {cell for cell in range(int(self.field[CELLS])) if self.field[cell] & ALIVE << player}

    def longest_link(self, dots: set[int]) -> int:
        """Returns how many of these dots are linked at most."""
        most, left = 0, set(dots)
        while left:
            linked = [left.pop()]
            for dot in linked:
                beside = {dot + int(self.field[STEPS + way]) for way in range(8)} & left
                left -= beside
                linked += beside
            most = max(most, len(linked))
        return most

    def is_on(self, cell: int) -> bool:
        """Returns whether a cell is a crossing and not of the rim."""
        return bool(self.field[cell] & 3 * OWNER != 3 * OWNER)


class Nodes:
    """Counts the nodes of one tree. Raises Refusal for too many."""

    def __init__(self) -> None:
        self._made = count(1)

    def add(self) -> None:
        if next(self._made) > MAX_NODES:
            raise Refusal("the tree is too large")


TAKEN_KIND = "there is one of its kind already"


class Prover:
    """Makes exercises of positions. Raises Refusal for what is none, or for one of the `taken` kinds."""

    def __init__(self, tries: int = TRIES) -> None:
        self._forcing = Forcing(tries, QUIET)
        self._endings = Forcing(ENDING_TRIES, QUIET)

    def capture(self, position: DotsPosition, taken: Container[Kind] = ()) -> Proof:
        """Returns the exercise of a capture that the player to act can force."""
        board = Board.of(position)
        solver, base = board.mover, board.lead(board.mover)
        try:
            points = MIN_DOTS
            dots = self._quickest(board, solver, base + points, MAX_FORCED)
            if not dots:
                raise Refusal("nothing can be captured")
            if dots == 1 and Kind.CAPTURE in taken:
                raise Refusal(TAKEN_KIND)
            while self._forcing.forced(board.field, solver, base + points + 1, dots):
                points += 1
            aim = _Capture(self._forcing, solver, base + points)
            tree = aim.first(board, max(dots + SPARE, MIN_WITHIN))
            kind, tree = aim.named(board, tree, dots)
            if kind in taken:
                raise Refusal(TAKEN_KIND)
            return Proof(kind, points, tree)
        except TooLong as long:
            raise Refusal("the proof is too long") from long

    def slip(self, position: DotsPosition, chance: Random) -> str:
        """Returns a dot near the last one that overlooks a capture in several dots; empty if there is none."""
        board = Board.of(position)
        rival, goal = 1 - board.mover, board.lead(1 - board.mover) + MIN_DOTS
        try:
            dots = self._quickest(board.after(PASS), rival, goal, MAX_FORCED - 1)
            if dots < 2:
                return ""
            last = position.field.grid.index(position.picture().last[0])
            around = [cell for cell in board.free if replace(board, last=last).steps_from_last(cell) <= SLIP_STEPS]
            slips = chance.sample(around, min(SLIPS, len(around)))
            found = (cell for cell in slips if self._quickest(board.after(cell), rival, goal, dots) == dots)
            return "".join(board.names(islice(found, 1)))
        except TooLong:
            return ""

    def save(self, position: DotsPosition, taken: Container[Kind] = ()) -> Proof:
        """Returns the exercise of dots that the opponent of the player to act threatens to capture."""
        board = Board.of(position)
        rival, base = 1 - board.mover, board.lead(1 - board.mover)
        try:
            dots = self._quickest(board.after(PASS), rival, base + MIN_DOTS, DANGER)
            if not dots:
                raise Refusal("nothing is in danger")
            points = MIN_DOTS
            while self._forcing.forced(board.field, rival, base + points + 1, dots):
                points += 1
            aim = _Rescue(self._forcing, rival, base + points)
            kind = aim.kind(board)
            if kind in taken:
                raise Refusal(TAKEN_KIND)
            return Proof(kind, points, aim.first(board))
        except TooLong as long:
            raise Refusal("the proof is too long") from long

    def ending(self, position: DotsPosition) -> Proof:
        """Returns the exercise of the last moves of a game."""
        board = Board.of(position)
        if board.field[FREE] > MAX_ENDING:
            raise Refusal("too many crossings are free")
        try:
            final = self._endings.final_lead(board.field, board.mover, -1000, 1000)
            if final < 1:
                raise Refusal("the ending is not won")
            return Proof(Kind.ENDING, final, _Ending(self._endings, board.mover, final).node(board, MAX_FIRST))
        except TooLong as long:
            raise Refusal("the proof is too long") from long

    def _quickest(self, board: Board, player: int, goal: int, most: int) -> int:
        """Returns the fewest dots within which `player` forces the goal, 0 if not within `most`."""
        return next((dots for dots in range(1, most + 1) if self._forcing.forced(board.field, player, goal, dots)), 0)


class _Aim:
    """A lead that `player`, the solver or the opponent, forces by captures."""

    def __init__(self, forcing: Forcing, player: int, goal: int) -> None:
        self._forcing = forcing
        self._player = player
        self._goal = goal
        self._nodes = Nodes()

    def _within(self, board: Board, most: int = MAX_DOTS) -> int:
        """Returns the fewest dots within which the player to move forces the goal; `most` + 1 if not within `most`."""
        for dots in range(1, most + 1):
            if self._forcing.forced(board.field, self._player, self._goal, dots):
                return dots
        return most + 1

    def _toughest(self, board: Board, most: int) -> int:
        """Returns the answer that resists the player longest; then one that loses least, near the last dot."""
        return max(board.free, key=lambda cell: self._toughness(board, cell, most))

    def _toughness(self, board: Board, cell: int, most: int) -> tuple[int, int, int]:
        after = board.after(cell)
        return self._within(after, most), -after.lead(self._player), -board.steps_from_last(cell)

    def _line(self, board: Board, most: int) -> list[int]:
        """Returns the dots by which the player to move forces the goal within `most`, and the toughest answers."""
        dots = self._within(board, most)
        cell = self._forcing.forced(board.field, self._player, self._goal, dots)
        after = board.after(cell)
        if after.lead(self._player) >= self._goal:
            return [cell]
        answer = self._toughest(after, dots - 1)
        return [cell, answer, *self._line(after.after(answer), dots - 1)]


class _Capture(_Aim):
    """The solver's captures."""

    def named(self, board: Board, tree: Node, dots: int) -> tuple[Kind, Node]:
        """Returns whether it is a net, a ladder or another capture, and the tree with a net's quiet dot first."""
        if dots == 1:
            return Kind.CAPTURE, tree
        named = {board.name(cell): cell for cell in board.free}
        quiet = [move for move in tree.right if not self._threatens(board.after(named[move]))]
        if not quiet:
            return Kind.LADDER if dots > 2 else Kind.CAPTURE, tree
        return Kind.NET, replace(tree, right={move: tree.right[move] for move in (*quiet, *tree.right)})

    def _threatens(self, board: Board) -> bool:
        """Returns whether the last dot threatens to reach the goal with the next one."""
        return bool(self._forcing.forced(board.field, self._player, self._goal, 1))

    def first(self, board: Board, dots: int) -> Node:
        """Returns the first node, whose goal is to be forced within `dots`."""
        answers = self._answers(board, dots, MAX_FIRST)
        if answers is None:
            raise Refusal("too many moves are right")
        return self._node(board, answers, dots)

    def _answers(self, board: Board, dots: int, most: int) -> dict[int, int] | None:
        """Returns what refutes each move, 0 for a right one; None if more than `most` are right."""
        answers: dict[int, int] = {}
        right = 0
        for cell in board.free:
            answers[cell] = self._forcing.refuting(board.after(cell).field, self._player, self._goal, dots - 1)
            right += not answers[cell]
            if right > most:
                return None
        return answers

    def _node(self, board: Board, answers: dict[int, int], dots: int) -> Node:
        self._nodes.add()
        right = [cell for cell, answer in answers.items() if not answer]
        right.sort(key=lambda cell: self._length(board.after(cell), dots - 1))
        steps = {board.name(cell): self._step(board.after(cell), dots - 1) for cell in right}
        return self._refuted(board, steps, {cell: answer for cell, answer in answers.items() if answer}, dots)

    def _length(self, board: Board, most: int) -> int:
        """Returns the fewest dots that the player needs whatever is answered to their last one."""
        lengths = (dots for dots in range(most + 1))
        return next(dots for dots in lengths if not self._forcing.refuting(board.field, self._player, self._goal, dots))

    def _step(self, board: Board, dots: int) -> Step:
        """Returns what follows a right move."""
        if board.lead(self._player) >= self._goal:
            return Step(())
        answer = self._toughest(board, dots)
        after = board.after(answer)
        answers = self._answers(after, dots, MAX_LATER)
        if answers is None:
            return Step(board.names([answer, *self._line(after, dots)]))
        return Step(board.names([answer]), self._node(after, answers, dots))

    def _refuted(self, board: Board, steps: dict[str, Step], answers: dict[int, int], dots: int) -> Node:
        """Returns a node in which one answer refutes most wrong moves, and those are named that need another."""
        named = {board.name(cell): cell for cell in board.free}
        tried = [named[move] for move in steps]
        tried += [answer for answer, _ in Counter(answers.values()).most_common() if answer != PASS]
        stands = {
            answer: [cell for cell in answers if self._stands(board.after(cell), answer, dots - 1)]
            for answer in dict.fromkeys(tried[:MAX_DEFAULTS])
        }
        default = max(stands, key=lambda answer: len(stands[answer]))
        others: dict[str, Line] = {}
        for cell in answers:
            if cell in stands[default]:
                continue
            after = board.after(cell)
            spare = (each for each in after.free if self._stands(after, each, dots - 1))
            better = next((each for each in stands if cell in stands[each]), None) or next(spare, None)
            if better is None:
                raise Refusal("only a pass refutes a wrong move")
            others[board.name(cell)] = board.names([better])
        return Node(steps, board.names([default]), others)

    def _stands(self, board: Board, answer: int, dots: int) -> bool:
        """Returns whether an answer to a wrong move refutes it."""
        if board.field[answer] & TAKEN:
            return False
        return not self._forcing.forced(board.after(answer).field, self._player, self._goal, dots)


class _Rescue(_Aim):
    """Captures of the opponent that the solver has to prevent."""

    def kind(self, board: Board) -> Kind:
        """Returns whether the opponent's captures would break a wall: linked dots, or those round a base or house."""
        after = board.after(PASS)
        for cell in self._line(after, DANGER):
            after = after.after(cell)
        solver = board.mover
        opened, lost = board.holds(solver) - after.holds(solver), board.dots(solver) - after.dots(solver)
        return Kind.WALL if opened or board.longest_link(lost) >= MIN_WALL else Kind.ESCAPE

    def first(self, board: Board) -> Node:
        """Returns the first node."""
        right = self._right(board, MAX_FIRST)
        if not right:
            raise Refusal("nothing can be saved")
        if len(right) > MAX_FIRST:
            raise Refusal("too many moves are right")
        return self._node(board, right, 1)

    def _right(self, board: Board, most: int) -> list[int]:
        """Returns the moves after which the opponent can't force the capture, no more than `most` + 1 of them."""
        dots = self._within(board.after(PASS), DANGER)
        threat = self._forcing.forced(board.field, self._player, self._goal, dots) if dots <= DANGER else 0
        safe = (
            cell
            for cell in board.free
            if not self._forces(board.after(cell), threat, dots) and self._is_safe(board.after(cell))
        )
        return list(islice(safe, most + 1))

    def _forces(self, board: Board, cell: int, dots: int) -> bool:
        """Returns whether a dot of the opponent forces the capture within `dots`; 0 is no dot."""
        if not cell or board.field[cell] & TAKEN:
            return False
        return not self._forcing.refuting(board.after(cell).field, self._player, self._goal, dots - 1)

    def _is_safe(self, board: Board) -> bool:
        """Returns whether the opponent, to move, can't force the capture."""
        within = (self._forcing.forced(board.field, self._player, self._goal, dots) for dots in (1, DANGER, SAFETY))
        return not any(within)

    def _node(self, board: Board, right: list[int], depth: int) -> Node:
        self._nodes.add()
        steps = {board.name(cell): self._step(board.after(cell), depth) for cell in right}
        ordered = dict(sorted(steps.items(), key=lambda each: -(each[1].then.depth if each[1].then else 0)))
        wrong = [cell for cell in board.free if cell not in right]
        if not wrong:
            raise Refusal("no move is wrong")
        lines = [tuple(self._line(board.after(PASS), DANGER))]
        refuted: dict[int, Line] = {}
        for cell in wrong:
            line = next((line for line in lines if self._stands(board.after(cell), line)), None)
            if line is None:
                line = tuple(self._line(board.after(cell), SAFETY))
                lines.append(line)
            refuted[cell] = board.names(line)
        default = Counter(refuted.values()).most_common(1)[0][0]
        others = {board.name(cell): line for cell, line in refuted.items() if line != default}
        return Node(ordered, default, others)

    def _stands(self, board: Board, line: tuple[int, ...]) -> bool:
        """Returns whether a line after a wrong move is legal and captures, and its first dot forces that."""
        if not self._forces(board, line[0], len(line) // 2 + 1):
            return False
        for cell in line:
            if board.field[cell] & TAKEN or board.lead(self._player) >= self._goal:
                return False
            board = board.after(cell)
        return board.lead(self._player) >= self._goal

    def _step(self, board: Board, depth: int) -> Step:
        """Returns what follows a right move: the attack with the fewest right answers, if there is one."""
        found = []
        for cell in self._attacks(board):
            after = board.after(cell)
            right = self._right(after, MAX_LATER)
            if not right:
                raise Refusal("the rescue only delays")
            if len(right) <= MAX_LATER:
                found.append((len(right), cell, right))
        if not found:
            return Step(())
        if depth == MAX_DEFENCE:
            raise Refusal("the defence is too long")
        _, cell, right = min(found)
        return Step(board.names([cell]), self._node(board.after(cell), right, depth + 1))

    def _attacks(self, board: Board) -> list[int]:
        """Returns the dots of the opponent near the last one that threaten the capture, the quickest first."""
        around = sorted(board.free, key=board.steps_from_last)
        around = [cell for cell in around if board.steps_from_last(cell) <= ATTACK_STEPS]
        for dots in range(1, DANGER + 1):
            afters = {cell: board.after(cell).after(PASS).field for cell in around}
            found = [cell for cell in around if self._forcing.forced(afters[cell], self._player, self._goal, dots)]
            if found:
                return found[:MAX_ATTACKS]
        return []


class _Ending:
    """The last moves of a game, played to the end: a lead that the solver reaches."""

    def __init__(self, forcing: Forcing, solver: int, goal: int) -> None:
        self._forcing = forcing
        self._solver = solver
        self._goal = goal
        self._nodes = Nodes()

    def node(self, board: Board, most: int) -> Node:
        """Returns the node of a board. Raises Refusal if all moves are right, or too many."""
        self._nodes.add()
        right = self._right(board)
        wrong = [cell for cell in board.free if cell not in right]
        if len(right) > most or not wrong:
            raise Refusal("too many moves are right")
        steps = {board.name(cell): self._step(board.after(cell)) for cell in right}
        ordered = dict(sorted(steps.items(), key=lambda each: -(each[1].then.depth if each[1].then else 0)))
        lines = {cell: self._line(board.after(cell)) for cell in wrong}
        default = Counter(lines.values()).most_common(1)[0][0]
        others = {board.name(cell): board.names(line) for cell, line in lines.items() if line != default}
        return Node(ordered, board.names(default), others)

    def _right(self, board: Board) -> list[int]:
        return [cell for cell in board.free if self._keeps(board.after(cell))]

    def _keeps(self, board: Board) -> bool:
        """Returns whether the solver, who has just moved, still reaches the goal."""
        return self._forcing.final_lead(board.field, board.mover, -self._goal, 1 - self._goal) <= -self._goal

    def _step(self, board: Board) -> Step:
        """Returns what follows a right move: of the best replies the one with the fewest right answers."""
        found = []
        for cell in self._best(board):
            after = board.after(cell)
            right = self._right(after) if after.field[FREE] else []
            if right and len(right) <= MAX_LATER and len(right) < len(after.free):
                found.append((len(right), cell))
        if not found:
            return Step(board.names(self._line(board)))
        _, cell = min(found)
        return Step(board.names([cell]), self.node(board.after(cell), MAX_LATER))

    def _best(self, board: Board) -> list[int]:
        """Returns the moves with the best final lead for the player to move."""
        finals = {
            cell: -self._forcing.final_lead(after.field, after.mover, -1000, 1000)
            for cell in board.free
            for after in (board.after(cell),)
        }
        best = max(finals.values(), default=0)
        return [cell for cell, final in finals.items() if final == best]

    def _line(self, board: Board) -> tuple[int, ...]:
        """Returns the best moves of both up to the last one that changes the score."""
        line, changed = list[int](), 0
        while board.field[FREE] and len(line) < MAX_ENDING_LINE:
            before = board.lead(0)
            line.append(self._best(board)[0])
            board = board.after(line[-1])
            if board.lead(0) != before:
                changed = len(line)
        return tuple(line[: max(1, changed)])


def prove_stop(position: DotsPosition) -> Proof:
    """Returns the exercise of a STOP that wins, now or after one dot. Raises Refusal for a position that is none."""
    solver = position.to_act
    lead_now = round(_lead(position, solver))
    if lead_now < 1:
        raise Refusal("there is no lead to stop with")
    now = _stop_wins(position)
    if now and not _spoil(position.with_to_act(Seat(1 - solver)), []):
        raise Refusal("nothing threatens the STOP")
    spoils: dict[str, str] = {}
    right: list[str] = []
    for turn in position.moves():
        after = position.play(turn)
        usual = [move for move, _ in Counter(spoils.values()).most_common()]
        if spoil := _spoil(after, usual):
            spoils[str(turn)] = spoil
            continue
        right.append(str(turn))
        if len(right) + now > MAX_FIRST:
            raise Refusal("too many moves are right")
    if not now and not right:
        raise Refusal("no STOP wins")
    if not spoils:
        raise Refusal("no move is wrong")
    usual = [move for move, _ in Counter(spoils.values()).most_common()]
    steps = {str(Call.STOP): Step(())} if now else {}
    steps |= {move: Step((_answer(position, move, usual), str(Call.STOP))) for move in right}
    refutations: dict[str, Line] = {move: (spoil,) for move, spoil in spoils.items()}
    if not now:
        refutations[str(Call.STOP)] = (str(Call.STOP),)
    others = {move: line for move, line in refutations.items() if line != (usual[0],)}
    return Proof(Kind.STOP, lead_now, Node(steps, (usual[0],), others))


def _spoil(position: DotsPosition, usual: list[str]) -> str:
    """Returns a dot of the player to move after which a STOP of the other no longer wins; empty if there is none.
    Raises Uncertain."""
    replies = {str(turn): turn for turn in position.moves()}
    certain = True
    for reply in sorted(replies, key=lambda move: usual.index(move) if move in usual else len(usual)):
        after = position.play(replies[reply])
        if after.outcome:
            raise Refusal("the game is nearly over")
        try:
            if not _stop_wins(after):
                return reply
        except Uncertain:
            certain = False
    if not certain:
        raise Uncertain
    return ""


def _answer(position: DotsPosition, move: str, usual: list[str]) -> str:
    """Returns an answer to a right dot: one that spoils the STOP after most others, or else any."""
    answers = [str(turn) for turn in position.play(position.rules.parse(move)).moves()]
    return next((answer for answer in usual if answer in answers), answers[0])


def _stop_wins(position: DotsPosition) -> bool:
    """Returns whether a STOP of the player to move wins, whatever the opponent does alone on the field. Raises
    Uncertain."""
    solver = position.to_act
    stopped = position.play(Call.STOP)
    lead_then = _lead(stopped, solver)
    if lead_then <= 0:
        return False
    if any(lead_then <= loss for loss in losses(stopped.field.copy(), solver + 1)):
        raise Uncertain
    return True


def _lead(position: DotsPosition, seat: int) -> float:
    return position.score[seat] - position.score[1 - seat]
