"""One search: UCT guided by RAVE (Gelly and Silver, 2011) and by the prior of each dot."""

from __future__ import annotations

from opponent.dots.arrays import CELLS, FREE, SCORES, Field, copy
from opponent.dots.candidates import expand
from opponent.dots.chase import chase
from opponent.dots.compiled import compiled
from opponent.dots.field import place
from opponent.dots.nodes import (
    BIAS,
    CHASING,
    COUNT,
    EXAMINE,
    EXAMINED,
    FIRST,
    GROW,
    HOPE,
    HOPED,
    HORIZON,
    KOMI,
    LEAD_SUM,
    LENGTH,
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
from opponent.dots.threats import gain

MAX_DEPTH = 500
"""Dots below the root that a tree leads to."""


BELOW = 4
"""The root's urgent children get so many times the playouts of others."""

LARGE = 3
"""Dots that make a capture or a save urgent."""

TRIES = 400
"""Dots that are placed for each first dot of a chase."""


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
    trust = settings[HOPE] if node == 0 else settings[HOPE] / BELOW
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
            if nodes[child, MARKS] & CHASING:
                value = max(value, (sums[child, VALUE] + trust * sums[child, HOPED]) / (visits + trust))
            else:
                value = max(value, sums[child, VALUE] / visits)
        if value > most:
            best, most = child, value
    return int(best)


@compiled(
    "void(int32[:, ::1], float32[:, ::1], float64[::1], int16[::1], int16[:, ::1], int64[::1], int64, int64, int64)"
)
def mark_urgent(
    nodes: Nodes,
    sums: Sums,
    settings: Settings,
    field: Field,
    rooms: Field,
    found: Numbers,
    node: int,
    player: int,
    near: int,
) -> None:
    """Marks the children whose dots are urgent."""
    copy(field, rooms[0])
    forcing, won = chase(rooms, found, player, near, TRIES)
    if won < 2:
        forcing = 0
    hoped = playout_value(settings, settings[KOMI] + (won if player == 0 else -won))
    hoped = hoped if player == 0 else 1 - hoped
    first = nodes[node, FIRST]
    for child in range(first, first + nodes[node, COUNT]):
        cell = nodes[child, MOVE]
        if cell == forcing:
            nodes[child, MARKS] |= CHASING
            sums[child, HOPED] = hoped
        if (
            cell == forcing
            or gain(field, player, cell) >= LARGE
            or (node == 0 and gain(field, 1 - player, cell) >= LARGE)
        ):
            nodes[child, MARKS] |= PRESSING
    nodes[node, MARKS] |= EXAMINED


@compiled("void(int32[:, ::1], float32[:, ::1], float64[::1], int16[::1], int32[::1], int64, int64, float64)")
def backpropagate(
    nodes: Nodes, sums: Sums, settings: Settings, when: Field, path: Places, first_step: int, depth: int, lead: float
) -> None:
    """Adds a win of player 0 by `lead` to the nodes on `path` and their children. The path has the root and `depth`
    more."""
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
    " int64[::1], int32[::1], int16[:, ::1], int64[::1], uint64[::1], int64, int64, int64, int64)"
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
    chase_rooms: Field,
    found: Numbers,
    rng: Rng,
    player: int,
    last: int,
    previous: int,
    many: int,
) -> None:
    """Runs `many` playouts from the root, where `player` is to act after the dots `previous` and `last` (0: none).

    `rooms` are five arrays as long as a field. The fourth has a 1 where no dot may be placed first, and the last is
    empty; the others are working space.
    """
    field, order, when, forbidden, nowhere = rooms[0], rooms[1], rooms[2], rooms[3], rooms[4]
    for _ in range(many):
        copy(root, field)
        when[: root[CELLS]] = 0
        mover, newest, older = player, last, previous
        node = depth = trial = 0
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
                if node == 0 or nodes[node, VISITS] >= settings[EXAMINE]:
                    mark_urgent(nodes, sums, settings, field, chase_rooms, found, node, mover, 0)
                elif depth > 1 and nodes[path[depth - 1], MARKS] & CHASING:
                    mark_urgent(nodes, sums, settings, field, chase_rooms, found, node, mover, newest)
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
        play_on(field, order, when, rng, terms, mover, newest, depth + 1, int(settings[REPLIES]), settings[LENGTH])
        lead = float(field[SCORES] - field[SCORES + 1])
        if not decided(field, terms):  # an instant win does not count points in advance
            lead += 0.5 * terms[HALF_POINTS]
        settings[LEAD_SUM] += lead
        backpropagate(nodes, sums, settings, when, path, trial, depth, lead)
