"""One search: UCT guided by RAVE (Gelly and Silver, 2011) and by the prior of each dot."""

from __future__ import annotations

from opponent.dots.arrays import CELLS, FREE, SCORES, Field, copy
from opponent.dots.candidates import expand
from opponent.dots.compiled import compiled
from opponent.dots.field import place
from opponent.dots.nodes import (
    BIAS,
    COUNT,
    EXAMINE,
    EXAMINED,
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
    PRESSING,
    REPLIES,
    SCALE,
    SHARE,
    URGENT,
    VALUE,
    VISITS,
    WINS,
    Nodes,
    Numbers,
    Places,
    Settings,
    Sums,
)
from opponent.dots.playout import HALF_POINTS, Terms, decided, following, play_on
from opponent.dots.rng import Rng
from opponent.dots.tables import TAKEN
from opponent.dots.threats import gain

MAX_DEPTH = 500
"""Dots below the root that a tree leads to."""

BELOW = 4
"""The root's urgent children get so many times the playouts of others."""

LARGE = 3
"""Dots that make a capture or a save urgent."""


@compiled("float64(float64[::1], float64)")
def playout_value(settings: Settings, lead: float) -> float:
    """Returns the worth of a lead at the end to its player, from 0 to 1: a share for winning, the rest for each point.

    Points count from the expected lead (KOMI), so that a player who is far ahead, or behind, sees a difference.
    """
    won = 1.0 if lead > 0 else 0.5 if lead == 0 else 0.0
    over = (lead - settings[KOMI]) / settings[SCALE]
    return float(settings[SHARE] * won + (1 - settings[SHARE]) * (0.5 + 0.5 * over / (1 + abs(over))))


@compiled("int64(int32[:, ::1], float32[:, ::1], float64[::1], int64)")
def best_child(nodes: Nodes, sums: Sums, settings: Settings, node: int) -> int:
    """Returns the most promising child: by its own playouts and, the fewer they are, by its dot in others. There is
    no bonus for untried children: RAVE changes with every playout, and with it the best child.

    An urgent child gets some playouts first. Then it is worth what its own playouts say, if that is more.
    """
    first = nodes[node, FIRST]
    due = settings[URGENT] if node == 0 else settings[URGENT] / BELOW
    best, most = first, -1.0
    for child in range(first, first + nodes[node, COUNT]):
        visits, like = nodes[child, VISITS], sums[child, LIKE]
        value = sums[child, LIKED] / like
        if visits:
            share = like / (like + visits + like * visits * settings[BIAS])
            value = share * value + (1 - share) * sums[child, VALUE] / visits
        if nodes[child, MARKS] & PRESSING:
            if visits < due:
                return int(child)
            value = max(value, sums[child, VALUE] / visits)
        if value > most:
            best, most = child, value
    return int(best)


@compiled("void(int32[:, ::1], int16[::1], int64, int64, int64)")
def mark_urgent(nodes: Nodes, field: Field, node: int, player: int, chased: int) -> None:
    """Marks the urgent children of a node: large captures, `chased` (the dot of a chase, or 0), and at the root the
    dots that save many."""
    first = nodes[node, FIRST]
    for child in range(first, first + nodes[node, COUNT]):
        cell = nodes[child, MOVE]
        if (
            cell == chased
            or gain(field, player, cell) >= LARGE
            or (node == 0 and gain(field, 1 - player, cell) >= LARGE)
        ):
            nodes[child, MARKS] |= PRESSING
    nodes[node, MARKS] |= EXAMINED


@compiled("UniTuple(int64, 3)(int16[::1], int16[::1], int64[::1], int64[::1], int64, int64, int64, int64)")
def play_chase(
    field: Field, when: Field, terms: Terms, line: Numbers, length: int, same: int, mover: int, depth: int
) -> tuple[int, int, int]:
    """Plays on a chase after `depth` dots, of which the first `same` were its `line`. Where the defender has just left
    the line, the attacker captures. Returns the player to act, the newest dot (0: none was placed) and the number of
    dots."""
    newest = 0
    if same < depth - 1 or depth == 0:
        return mover, newest, depth
    if same < depth:
        if depth % 2 or field[line[same]] & TAKEN or not gain(field, mover, line[same]):
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


@compiled("void(int32[:, ::1], float32[:, ::1], float64[::1], int16[::1], int32[::1], int64, int64, float64)")
def backpropagate(
    nodes: Nodes, sums: Sums, settings: Settings, when: Field, path: Places, first_step: int, depth: int, lead: float
) -> None:
    """Adds a win of player 0 by `lead` to the nodes on `path`, from `first_step` on, and to their children. The path
    has the root and `depth` more."""
    for_first = playout_value(settings, lead)
    horizon = settings[HORIZON]
    for step in range(first_step, depth + 1):
        node = path[step]
        sign = 1 if nodes[node, MOVER] == 0 else -1
        nodes[node, VISITS] += 1
        sums[node, VALUE] += for_first if sign > 0 else 1 - for_first
        sums[node, POINTS] += lead * sign
        sums[node, WINS] += 0.5 if lead == 0 else 1.0 if lead * sign > 0 else 0.0
        first, count = nodes[node, FIRST], nodes[node, COUNT]
        if first < 0 or count == 0:
            continue
        sign = 1 if nodes[first, MOVER] == 0 else -1
        value = for_first if sign > 0 else 1 - for_first
        for child in range(first, first + count):
            turn = when[nodes[child, MOVE]] * sign
            if step < turn < step + horizon:
                sums[child, LIKE] += 1
                sums[child, LIKED] += value


@compiled(
    "void(int32[:, ::1], float32[:, ::1], float64[::1], int64[::1], int64[::1], int16[::1], int16[:, ::1],"
    " int64[::1], int32[::1], int64[::1], int64, uint64[::1], int64, int64, int64, int64)"
)
def search(
    nodes: Nodes,
    sums: Sums,
    settings: Settings,
    terms: Terms,
    used: Numbers,
    root: Field,
    rooms: Field,
    scratch: Numbers,
    path: Places,
    line: Numbers,
    length: int,
    rng: Rng,
    player: int,
    last: int,
    previous: int,
    many: int,
) -> None:
    """Runs `many` playouts from the root, where `player` is to act after the dots `previous` and `last` (0: none).

    `rooms` are five arrays as long as a field. The fourth has a 1 where no dot may be placed first, and the last is
    empty; the others are working space. `line` has the `length` dots of a chase, by turns the attacker's and the
    defender's, that the player to act can begin.
    """
    field, order, when, forbidden, nowhere = rooms[0], rooms[1], rooms[2], rooms[3], rooms[4]
    for _ in range(many):
        copy(root, field)
        when[: root[CELLS]] = 0
        mover, newest, older = player, last, previous
        node = depth = trial = same = 0
        path[0] = 0
        while depth < MAX_DEPTH and field[FREE] and not decided(field, terms):
            if nodes[node, FIRST] < 0:
                if node and nodes[node, VISITS] < settings[GROW]:
                    break
                closed = nowhere if node else forbidden
                expand(nodes, sums, settings, used, field, closed, scratch, node, mover, newest, older)
            if nodes[node, COUNT] == 0:
                break
            if settings[URGENT] and not nodes[node, MARKS] & EXAMINED:
                on_line = same == depth and depth < length and depth % 2 == 0
                if node == 0 or on_line or nodes[node, VISITS] >= settings[EXAMINE]:
                    mark_urgent(nodes, field, node, mover, line[depth] if on_line else 0)
            node = best_child(nodes, sums, settings, node)
            cell, before = nodes[node, MOVE], field[SCORES + mover]
            place(field, mover, cell)
            depth += 1
            path[depth] = node
            if nodes[node, MARKS] & PRESSING and nodes[node, VISITS] < settings[URGENT] / (1 if depth == 1 else BELOW):
                trial = depth  # the nodes above learn nothing from a forced visit
            when[cell] = depth if mover == 0 else -depth
            mover = following(field, terms, mover, before)
            newest, older = cell, newest
            if same == depth - 1 and depth <= length and line[same] == cell:
                same = depth
        turn = depth
        if length:
            mover, placed, turn = play_chase(field, when, terms, line, length, same, mover, depth)
            newest = placed if placed else newest
        play_on(field, order, when, rng, terms, mover, newest, turn + 1, int(settings[REPLIES]))
        lead = float(field[SCORES] - field[SCORES + 1])
        if not decided(field, terms):  # an instant win does not count points in advance
            lead += 0.5 * terms[HALF_POINTS]
        settings[LEAD_SUM] += lead
        backpropagate(nodes, sums, settings, when, path, trial, depth, lead)
