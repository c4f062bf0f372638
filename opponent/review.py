"""The review of a finished game: each side's expectation, the moves that changed it most, second tries, and puzzles."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from random import Random
from typing import NamedTuple, Protocol

from opponent.captures import Look, Oversight, add_closings, corrected
from opponent.choice import HARDEST, Budget, Choice
from opponent.generic.knowledge import leads
from rules.dots import Call, DotsPosition, Turn
from rules.game import AnyGame, AnyPosition, IllegalMove, Point, Seat, point_name

NODES, MILLIS, GAME_MILLIS = 1500, 300, 120_000
"""For each position of a game, and milliseconds for all together: in a long game each position gets fewer."""

MAX_MISTAKES = 3
"""Turning points that a review shows, and mistakes that it shows to each player."""

MIN_GAP = 0.5
"""Points by which the better move must beat each one that is not as good."""

MIN_MOVES = 4
"""Moves of the shortest match that has a review."""

MIN_LOSS = 1.0
"""Points that a move must have given away to be a turning point."""

GLANCE_BUDGET = Budget(nodes=600, millis=200, fresh=True)
THOUGHT_BUDGET = Budget(nodes=8000, millis=1500, fresh=True)
"""For each position at first, and for one that looks like a puzzle."""

MIN_POINTS = 2.0
"""Points that the missed move must win at once, and by which it must beat the played move and every other."""

MAX_POSITIONS = 120
"""Positions searched in a game."""

MAX_ANSWERS = 4
"""Moves to choose from."""


class Think(Protocol):
    """`opponent.pool.Pool.choose`, or its stand-in."""

    async def __call__(self, position: AnyPosition, budget: Budget | None, seed: int, level: int = ...) -> Choice: ...


@dataclass(frozen=True, slots=True)
class Mistake:
    """A move that was not the best. `number` counts from 1, `lost` is the estimate of the points that it gave away.

    `line` is the better line, beginning with the better turn, `captures` the points that it would have brought at once,
    and `dots` those that it would have captured. `good` are the names of the moves that are as good as the better one,
    which leads to the expected lead `value`; none if that has the name of the one that was played. At the moves `there`
    the better turn would have captured dots at once, which its player has left there; empty if it captures none.
    """

    number: int
    seat: Seat
    played: str
    line: tuple[str, ...]
    lost: float
    captures: float
    good: tuple[str, ...] = ()
    value: float = 0.0
    dots: tuple[Point, ...] = ()
    there: range = range(0)

    @property
    def better(self) -> str:
        return self.line[0]


@dataclass(frozen=True, slots=True)
class Review:
    """`expected` has for each position, from the first to the last, the expected lead of each seat at the end.
    `worst` are the largest mistakes of each seat in the order of the game."""

    expected: tuple[tuple[float, ...], ...]
    worst: tuple[Mistake, ...]

    @property
    def mistakes(self) -> tuple[Mistake, ...]:
        """The turning points: the largest mistakes of all, the costliest first."""
        return tuple(sorted(self.worst, key=lambda each: (-each.lost, each.number))[:MAX_MISTAKES])


def name_of(game: AnyGame, move: str) -> str:
    """Returns the name of a move among others: its dot, where it is one."""
    turn = game.parse(move)
    return point_name(turn.dot) if isinstance(turn, Turn) else move


def replay_positions(game: AnyGame, seed: int, moves: Sequence[str]) -> list[AnyPosition]:
    """Returns the positions of a game, from the first to the last."""
    positions = [game.start(seed)]
    for move in moves:
        positions.append(positions[-1].play(game.parse(move)))
    return positions


async def review(game: AnyGame, seed: int, moves: Sequence[str], think: Think, look: Look) -> Review:
    """Searches every position of a game.

    A search is too optimistic for the player to move: on large boards by two or three points. So what seems to be a
    mistake of one of two players is compared with the better move by searches after each. With more players a search
    after a move says nothing about its player, but is hardly too optimistic. Games and lines are played through in
    threads: the longest game takes the event loop 20 ms, with captures more.
    """
    positions = await asyncio.to_thread(replay_positions, game, seed, moves)
    thought = Budget(NODES, min(MILLIS, max(1, GAME_MILLIS // (2 * len(positions)))), fresh=True)
    choices = [None if position.outcome else await think(position, thought, seed, HARDEST) for position in positions]
    expected = _expected(positions, choices)
    worst: list[Mistake] = []
    left = dict.fromkeys(range(game.seats), MAX_MISTAKES)
    for number, choice, lost, proved in await _suspects(positions, moves, choices, expected, look):
        before = positions[number - 1]
        seat = before.to_act
        if not left[seat] or await asyncio.to_thread(_is_known, game, before, number, choice.move, worst):
            continue  # only the worst are played on, which takes long
        if game.seats == 2:
            after = await asyncio.to_thread(play_line, game, before, (choice.move,))
            hoped = None if after.outcome else await think(after, thought, seed, HARDEST)
            lost = max(proved, _expected([after], [hoped])[0][seat] - expected[number][seat])
        if lost < MIN_LOSS:
            continue
        left[seat] -= 1
        value = expected[number][seat] + lost
        worst.append(await asyncio.to_thread(_explain, game, positions, moves, number, choice, lost, value))
    return Review(tuple(expected), tuple(sorted(worst, key=lambda each: each.number)))


def _explain(
    game: AnyGame,
    positions: Sequence[AnyPosition],
    moves: Sequence[str],
    number: int,
    choice: Choice,
    lost: float,
    value: float,
) -> Mistake:
    """Returns a move as a mistake, with what the better one would have brought."""
    before, played = positions[number - 1], moves[number - 1]
    line = principal_variation(game, before, choice)
    good = _good_moves(game, choice, played)
    won, dots = points_won(game, before, line), captured_dots(game, before, line)
    there = _there(game, positions, number, line[0])
    return Mistake(number, before.to_act, played, line, lost, won, good, value, dots, there)


def _there(game: AnyGame, positions: Sequence[AnyPosition], number: int, better: str) -> range:
    """Returns the moves from the first to the last, around `number`, at which a turn would have captured as at that."""
    seat = positions[number - 1].to_act
    prey = {*captured_dots(game, positions[number - 1], (better,))}

    def captures(at: int) -> bool:
        position = positions[at - 1]
        if position.outcome or position.to_act != seat:
            return position.outcome is None
        return not prey.isdisjoint(captured_dots(game, position, (better,)))

    def end(numbers: Iterable[int]) -> int:
        own = [each for each in takewhile(captures, numbers) if positions[each - 1].to_act == seat]
        return own[-1]

    if not prey:
        return range(0)
    return range(end(range(number, 0, -1)), end(range(number, len(positions))) + 1)


def _is_known(game: AnyGame, before: AnyPosition, number: int, better: str, found: Sequence[Mistake]) -> bool:
    """Returns whether a mistake is one that was found: the same capture, which was left there all the time."""
    same = [each for each in found if each.seat == before.to_act and number in each.there]
    return bool(same) and any({*each.dots} & {*captured_dots(game, before, (better,))} for each in same)


class _Suspect(NamedTuple):
    """A move that seems to have `lost` so many points, of which the rules alone prove some, and the better choice."""

    number: int
    choice: Choice
    lost: float
    proved: float


async def _suspects(
    positions: Sequence[AnyPosition],
    moves: Sequence[str],
    choices: Sequence[Choice | None],
    expected: Sequence[tuple[float, ...]],
    look: Look,
) -> list[_Suspect]:
    """Returns the moves that seem to be mistakes by the expected leads before and after them, the largest first."""
    suspects = []
    for number, (before, played, choice) in enumerate(zip(positions, moves, choices, strict=False), start=1):
        found = await look(before, played)  # whatever the search has seen
        if choice is None or played == Call.STOP_WAITING:
            continue
        proved = found.points if found else 0.0
        lost = max(proved, choice.value - expected[number][before.to_act])
        if found:
            choice = await _better(before, choice, played, found, look)
        if played != choice.move and lost >= MIN_LOSS:
            suspects.append(_Suspect(number, choice, lost, proved))
    return sorted(suspects, key=lambda each: (-each.lost, each.number))


async def _better(position: AnyPosition, choice: Choice, played: str, found: Oversight, look: Look) -> Choice:
    """Returns the choice of the search, unless it is the move that was played or overlooks captures, too."""
    if choice.move != played and await look(position, choice.move) is None:
        return choice
    move = str(found.better)
    return replace(choice, move=move, line=(move,))


def _good_moves(game: AnyGame, choice: Choice, played: str) -> tuple[str, ...]:
    """Returns the names of the better move and of those that the search values as much; it comes first.

    Of one that the search has missed, its values say nothing. Empty if the played move has the name of the better one.
    """
    near = [each.move for each in choice.candidates if choice.value - each.value < MIN_GAP]
    names = [name_of(game, move) for move in ([choice.move, *near] if choice.move in near else [choice.move])]
    unlucky = name_of(game, played)
    return () if names[0] == unlucky else tuple(dict.fromkeys(name for name in names if name != unlucky))


def play_line(game: AnyGame, position: AnyPosition, line: Sequence[str]) -> AnyPosition:
    """Returns the position after the legal part of an expected `line`, closing on the way what can be closed."""
    for move in line:
        if position.outcome:
            break
        turn = game.parse(move)
        try:
            if isinstance(position, DotsPosition) and isinstance(turn, Turn) and turn == Turn(turn.dot):
                turn = add_closings(position, turn)
            position = position.play(turn)
        except IllegalMove:
            break
    return position


def principal_variation(game: AnyGame, before: AnyPosition, choice: Choice) -> tuple[str, ...]:
    """Returns the expected continuation up to the last point that its first player wins by it; at least their first
    turn."""
    line, seat = (choice.move, *choice.line[1:]), before.to_act
    scores = [play_line(game, before, line[:plies]).score[seat] for plies in range(1, len(line) + 1)]
    return line[: scores.index(max(scores)) + 1]


def points_won(game: AnyGame, before: AnyPosition, line: Sequence[str]) -> float:
    """Returns the points that a line brings to the player who begins it."""
    return play_line(game, before, line).score[before.to_act] - before.score[before.to_act]


def captured_dots(game: AnyGame, before: AnyPosition, line: Sequence[str]) -> tuple[Point, ...]:
    """Returns the dots that a line captures from the opponents of the player who begins it."""
    former = {stone.point for stone in before.picture().stones if stone.captured}
    after = play_line(game, before, line).picture().stones
    fallen = {stone.point for stone in after if stone.captured and stone.seat != before.to_act}
    return tuple(sorted(fallen - former))


def _expected(positions: Sequence[AnyPosition], choices: Sequence[Choice | None]) -> list[tuple[float, ...]]:
    """Returns the expected leads. With more than two players, each seat's value is that of their own next turn."""
    found: list[tuple[float, ...]] = []
    latest = leads(positions[-1].score)
    for position, choice in zip(reversed(positions), reversed(choices), strict=True):
        if choice:
            mover = position.to_act
            if len(latest) == 2:
                latest = (choice.value, -choice.value) if mover == 0 else (-choice.value, choice.value)
            else:
                latest = (*latest[:mover], choice.value, *latest[mover + 1 :])
        found.append(latest)
    return found[::-1]


class Verdict(NamedTuple):
    """Whether a turn is as good, and the reply that is expected to it; empty where there is none."""

    good: bool
    reply: str


async def judge_turn(after: AnyPosition, mover: int, value: float, seed: int, think: Think) -> Verdict:
    """Judges the turn of `mover` that has led to the position `after`; a good one leads to the expected lead `value`.

    The search is that of a review, whose value it is compared with. For two players.
    """
    if after.outcome:
        return Verdict(leads(after.score)[mover] > value - MIN_GAP, "")
    choice = await think(after, Budget(NODES, MILLIS, fresh=True), seed, HARDEST)
    lead = choice.value if after.to_act == mover else -choice.value
    return Verdict(lead > value - MIN_GAP, choice.move if after.to_act != mover else "")


@dataclass(frozen=True, slots=True)
class Puzzle:
    """The position before move `number` (from 1). `answers` are shuffled; one of them is the `solution`. The
    solution begins `line`, which wins `captures` points at once."""

    number: int
    answers: tuple[str, ...]
    solution: str
    line: tuple[str, ...]
    captures: float


async def find_puzzle(game: AnyGame, seed: int, moves: Sequence[str], think: Think, look: Look) -> Puzzle | None:
    """Returns a puzzle from a game of Dots for two, or None if no position makes a good one."""
    positions = replay_positions(game, seed, moves)
    if len(positions[0].score) != 2 or not isinstance(positions[0], DotsPosition):
        return None
    chance = Random(f"{seed} {len(moves)}")  # noqa: S311 - a game, not a secret
    numbers = [number for number, move in enumerate(moves, start=1) if isinstance(game.parse(move), Turn)]
    chance.shuffle(numbers)
    for number in numbers[:MAX_POSITIONS]:
        before, played = positions[number - 1], moves[number - 1]
        choice = await corrected(before, await think(before, GLANCE_BUDGET, seed, HARDEST), look)
        if choice.move == played or points_won(game, before, principal_variation(game, before, choice)) < MIN_POINTS:
            continue
        choice = await corrected(before, await think(before, THOUGHT_BUDGET, seed, HARDEST), look)
        line = principal_variation(game, before, choice)
        others = [each for each in choice.candidates if each.move != choice.move]
        if (
            choice.move == played
            or points_won(game, before, line) < MIN_POINTS
            or any(choice.value - each.value < MIN_POINTS for each in others[:2])
        ):
            continue
        after = await think(positions[number], THOUGHT_BUDGET, seed, HARDEST) if not positions[number].outcome else None
        if after is None or choice.value + after.value < MIN_POINTS:
            continue
        answers = [choice.move, played, *(each.move for each in others if each.move != played)][:MAX_ANSWERS]
        chance.shuffle(answers)
        return Puzzle(number, tuple(answers), choice.move, line, points_won(game, before, line))
    return None
