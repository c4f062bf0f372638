"""One search: UCT guided by RAVE (Gelly and Silver, 2011), by the prior of each dot, and by the policy network."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import types

from opponent.dots.arrays import CELLS, FREE, SCORES, Field, copy
from opponent.dots.candidates import expand
from opponent.dots.compiled import compiled, named_tuple
from opponent.dots.field import place
from opponent.dots.nodes import (
    BIAS,
    CHANCE,
    CHASING,
    CONSULT,
    CONSULTED,
    COUNT,
    EXAMINE,
    EXAMINED,
    EXPLORE,
    FIRST,
    GROW,
    HORIZON,
    KOMI,
    LEAD_SUM,
    LIKE,
    LIKED,
    MARKS,
    MOVE,
    MOVER,
    POINTS,
    PRESSED,
    PRESSING,
    REPLIES,
    SCALE,
    SHARE,
    TREE,
    URGENT,
    VALUE,
    VISITS,
    WINS,
    Nodes,
    Numbers,
    Places,
    Settings,
    TreeArrays,
)
from opponent.dots.playout import HALF_POINTS, Terms, counted_lead, decided, following, play_on
from opponent.dots.policy import LOGITS, Maps, consult
from opponent.dots.rng import Rng
from opponent.dots.tables import TAKEN
from opponent.dots.threats import gain

Worth = npt.NDArray[np.float32]

MAX_DEPTH = 500
"""Dots below the root that a tree leads to."""

BELOW = 4
"""The root's urgent children get so many times the playouts of others."""

CERTAIN = 8
"""The dot of a chase gets so many times the playouts of another urgent one."""

LARGE = 3
"""Dots that make a capture or a save urgent."""


class Root(NamedTuple):
    """The position that a tree grows from: `player` is to act on `field` after the dots `previous` and `last` (0:
    none)."""

    field: Field
    player: int
    last: int
    previous: int


class Workspace(NamedTuple):
    """The arrays that a search writes to beside its tree. `maps` belongs to fields of one size; `nowhere` stays
    empty."""

    field: Field
    order: Field
    when: Field
    nowhere: Field
    listed: Numbers
    path: Places
    worth: Worth
    maps: Maps


ROOT = named_tuple(Root, types.int16[::1], types.int64, types.int64, types.int64)
WORKSPACE = named_tuple(
    Workspace,
    types.int16[::1],
    types.int16[::1],
    types.int16[::1],
    types.int16[::1],
    types.int64[::1],
    types.int32[::1],
    types.float32[::1],
    types.float32[:, ::1],
)


@compiled("float64(float64[::1], float64)")
def playout_value(settings: Settings, lead: float) -> float:
    """Returns the worth of a lead at the end to its player, from 0 to 1: a share for winning, the rest for each point.

    Points count from the expected lead (KOMI), so that a player who is far ahead, or behind, sees a difference.
    """
    won = 1.0 if lead > 0 else 0.5 if lead == 0 else 0.0
    over = (lead - settings[KOMI]) / settings[SCALE]
    return float(settings[SHARE] * won + (1 - settings[SHARE]) * (0.5 + 0.5 * over / (1 + abs(over))))


@compiled("boolean(int32[:, ::1], float64[::1], int64, int64)")
def on_trial(nodes: Nodes, settings: Settings, node: int, child: int) -> bool:
    """Returns whether an urgent child of a node still gets playouts for nothing."""
    due = settings[URGENT] * (CERTAIN if nodes[MARKS, child] & CHASING else 1)
    return bool(nodes[VISITS, child] < (due if node == 0 else due / BELOW))


@compiled(types.int64(TREE, types.float64[::1], types.float32[::1], types.int64))
def best_child(tree: TreeArrays, settings: Settings, worth: Worth, node: int) -> int:
    """Returns the most promising child: by its own playouts and, the fewer they are, by its dot in others. Where the
    policy network was asked, a child that was seldom tried has a bonus in proportion to its chance (PUCT: Rosin, 2011;
    Silver and others, 2017). Elsewhere there is none: RAVE changes with every playout, and with it the best child.

    An urgent child gets some playouts first. Then it is worth what its own playouts say, if that is more. `worth` is
    working space.
    """
    nodes, sums = tree.nodes, tree.sums
    first, count = nodes[FIRST, node], nodes[COUNT, node]
    visits, marks = nodes[VISITS, first : first + count], nodes[MARKS, first : first + count]
    values, like = sums[VALUE, first : first + count], sums[LIKE, first : first + count]
    liked = sums[LIKED, first : first + count]
    bias, one = np.float32(settings[BIAS]), np.float32(1)
    for child in range(count):
        # With share = like / (like + visits + bias * like * visits), the part of RAVE, this is
        # share * liked / like + (1 - share) * values / visits.
        seen, weight = np.float32(visits[child]), one + bias * like[child]
        worth[child] = (liked[child] + values[child] * weight) / (like[child] + seen * weight)
    if nodes[MARKS, node] & CONSULTED:
        chances, bonus = (
            sums[CHANCE, first : first + count],
            np.float32(settings[EXPLORE] * np.sqrt(nodes[VISITS, node])),
        )
        for child in range(count):
            worth[child] += bonus * chances[child] / (one + np.float32(visits[child]))
    if nodes[MARKS, node] & PRESSED:
        for child in range(count):
            if marks[child] & PRESSING:
                if on_trial(nodes, settings, node, first + child):
                    return int(first + child)
                worth[child] = max(worth[child], values[child] / np.float32(visits[child]))
    best, most = 0, worth[0]
    for child in range(1, count):
        if worth[child] > most:
            best, most = child, worth[child]
    return int(first + best)


@compiled(types.void(TREE, WORKSPACE, types.int64, types.int64, types.int64, types.int64))
def weigh(tree: TreeArrays, work: Workspace, node: int, player: int, last: int, previous: int) -> None:
    """Asks the policy network about a node, and gives its children their chances."""
    nodes, sums, maps = tree.nodes, tree.sums, work.maps
    consult(work.field, player, last, previous, maps, work.listed)
    first, count = nodes[FIRST, node], nodes[COUNT, node]
    moves, chances, logits = nodes[MOVE, first : first + count], sums[CHANCE, first : first + count], maps[LOGITS]
    highest = logits[moves[0]]
    for child in range(1, count):
        highest = max(highest, logits[moves[child]])
    total = np.float32(0)
    for child in range(count):
        chances[child] = np.exp(logits[moves[child]] - highest)
        total += chances[child]
    for child in range(count):
        chances[child] /= total
    nodes[MARKS, node] |= CONSULTED


@compiled("void(int32[:, ::1], int16[::1], int64, int64, int64)")
def mark_urgent(nodes: Nodes, field: Field, node: int, player: int, chased: int) -> None:
    """Marks the urgent children of a node: large captures, `chased` (the dot of a chase, or 0), and at the root the
    dots that save many."""
    first = nodes[FIRST, node]
    for child in range(first, first + nodes[COUNT, node]):
        cell = nodes[MOVE, child]
        if (
            cell == chased
            or gain(field, player, cell) >= LARGE
            or (node == 0 and gain(field, 1 - player, cell) >= LARGE)
        ):
            nodes[MARKS, child] |= PRESSING | CHASING if cell == chased else PRESSING
            nodes[MARKS, node] |= PRESSED
    nodes[MARKS, node] |= EXAMINED


@compiled("UniTuple(int64, 3)(int16[::1], int16[::1], int64[::1], int64[::1], int64, int64, int64)")
def play_chase(
    field: Field, when: Field, terms: Terms, line: Numbers, same: int, mover: int, depth: int
) -> tuple[int, int, int]:
    """Plays on a chase after `depth` dots, of which the first `same` were its `line`. Where the defender has just left
    the line, the attacker captures. Returns the player to act, the newest dot (0: none was placed) and the number of
    dots."""
    newest, length = 0, len(line)
    if same < depth - 1 or depth == 0:
        return mover, newest, depth
    if same < depth:
        if depth % 2 or same == length or field[line[same]] & TAKEN or not gain(field, mover, line[same]):
            return mover, newest, depth
        length = same + 1
    for index in range(same, length):
        cell = line[index]
        if field[cell] & TAKEN:
            break
        before = field[SCORES + mover]
        place(field, mover, cell)
        depth += 1
        when[cell] = depth if mover == 0 else -depth
        mover = following(field, terms, mover, before)
        newest = cell
    return mover, newest, depth


@compiled(types.void(TREE, WORKSPACE, types.float64[::1], types.int64, types.int64, types.float64))
def backpropagate(
    tree: TreeArrays, work: Workspace, settings: Settings, first_step: int, depth: int, lead: float
) -> None:
    """Adds a win of player 0 by `lead` to the nodes on the path, from `first_step` on, and to their children. The path
    has the root and `depth` more."""
    nodes, sums, when, path = tree.nodes, tree.sums, work.when, work.path
    for_first = playout_value(settings, lead)
    horizon = int(settings[HORIZON])
    zero, one = np.float32(0), np.float32(1)
    for step in range(first_step, depth + 1):
        node = path[step]
        sign = 1 if nodes[MOVER, node] == 0 else -1
        nodes[VISITS, node] += 1
        sums[VALUE, node] += for_first if sign > 0 else 1 - for_first
        sums[POINTS, node] += lead * sign
        sums[WINS, node] += 0.5 if lead == 0 else 1.0 if lead * sign > 0 else 0.0
        first, count = nodes[FIRST, node], nodes[COUNT, node]
        if first < 0 or count == 0:
            continue
        sign = 1 if nodes[MOVER, first] == 0 else -1
        value = np.float32(for_first if sign > 0 else 1 - for_first)
        moves, like = nodes[MOVE, first : first + count], sums[LIKE, first : first + count]
        liked = sums[LIKED, first : first + count]
        for child in range(count):
            turn = when[moves[child]] * sign
            later = one if step < turn < step + horizon else zero
            like[child] += later
            liked[child] += later * value


@compiled(
    types.void(
        TREE,
        WORKSPACE,
        ROOT,
        types.int16[::1],
        types.int64[::1],
        types.float64[::1],
        types.int64[::1],
        types.uint64[::1],
        types.int64,
    )
)
def search(
    tree: TreeArrays,
    work: Workspace,
    root: Root,
    forbidden: Field,
    line: Numbers,
    settings: Settings,
    terms: Terms,
    rng: Rng,
    many: int,
) -> None:
    """Runs `many` playouts from the root. `forbidden` has a 1 where no dot may be placed first. `line` has the dots of
    a chase, by turns the attacker's and the defender's, that the player to act can begin."""
    nodes, field, when, path, length = tree.nodes, work.field, work.when, work.path, len(line)
    for _ in range(many):
        copy(root.field, field)
        when[: field[CELLS]] = 0
        mover, newest, older = root.player, root.last, root.previous
        node = depth = trial = same = 0
        path[0] = 0
        while depth < MAX_DEPTH and field[FREE] and not decided(field, terms):
            if nodes[FIRST, node] < 0:
                if node and nodes[VISITS, node] < settings[GROW]:
                    break
                closed = work.nowhere if node else forbidden
                expand(tree, settings, field, closed, work.listed, node, mover, newest, older)
            if nodes[COUNT, node] == 0:
                break
            if settings[URGENT] and not nodes[MARKS, node] & EXAMINED:
                on_line = same == depth and depth < length and depth % 2 == 0
                if node == 0 or on_line or nodes[VISITS, node] >= settings[EXAMINE]:
                    mark_urgent(nodes, field, node, mover, line[depth] if on_line else 0)
            asks = settings[CONSULT] and not nodes[MARKS, node] & CONSULTED
            if asks and (node == 0 or nodes[VISITS, node] >= settings[CONSULT]):
                weigh(tree, work, node, mover, newest, older)
            parent, node = node, best_child(tree, settings, work.worth, node)
            cell, before = nodes[MOVE, node], field[SCORES + mover]
            place(field, mover, cell)
            depth += 1
            path[depth] = node
            if nodes[MARKS, node] & PRESSING and on_trial(nodes, settings, parent, node):
                trial = depth  # the nodes above learn nothing from a forced visit
            when[cell] = depth if mover == 0 else -depth
            mover = following(field, terms, mover, before)
            newest, older = cell, newest
            if same == depth - 1 and depth <= length and line[same] == cell:
                same = depth
        turn = depth
        if length:
            mover, placed, turn = play_chase(field, when, terms, line, same, mover, depth)
            newest = placed if placed else newest
        play_on(field, work.order, when, rng, terms, mover, newest, turn + 1, int(settings[REPLIES]))
        lead = float(counted_lead(field, terms))
        if not decided(field, terms):  # an instant win does not count points in advance
            lead += 0.5 * terms[HALF_POINTS]
        settings[LEAD_SUM] += lead
        backpropagate(tree, work, settings, trial, depth, lead)
