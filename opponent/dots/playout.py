"""Random playouts."""

import numpy as np
import numpy.typing as npt

from opponent.dots.arrays import CELLS, SCORES, STRIDE, Field, copy
from opponent.dots.compiled import compiled
from opponent.dots.field import place
from opponent.dots.rng import Rng, below
from opponent.dots.tables import ENCLOSED, OWNER, TAKEN
from opponent.dots.threats import reply

EXTRA, STOPPED, WIN, AHEAD, FULL, HALF_POINTS, EVERYTHING, TERMS = range(8)
"""Places of the rules that differ between matches: whether a capture gives another move; the player who has stopped, or
-1; the dots that win at once, or 0, and whether as a lead; whether only a full field ends the game; twice the points
that player 0 has in advance; and whether each crossing in a base counts, not only captured dots. The last is the number
of places."""

Terms = npt.NDArray[np.int64]


@compiled("int64(int16[::1], int64[::1], int64, int64)")
def following(field: Field, terms: Terms, player: int, before: int) -> int:
    """Returns the player to act after a dot of `player`, whose score was `before`."""
    if terms[STOPPED] >= 0 or (terms[EXTRA] and field[SCORES + player] > before):
        return player
    return 1 - player


@compiled("boolean(int16[::1], int64[::1])")
def decided(field: Field, terms: Terms) -> bool:
    """Returns whether a player has won at once."""
    if not terms[WIN]:
        return False
    one, other = field[SCORES], field[SCORES + 1]
    return bool(abs(one - other) >= terms[WIN] if terms[AHEAD] else max(one, other) >= terms[WIN])


@compiled("int64(int16[::1], int64[::1])")
def counted_lead(field: Field, terms: Terms) -> int:
    """Returns by how many points player 0 leads, without those in advance."""
    if not terms[EVERYTHING]:
        return int(field[SCORES] - field[SCORES + 1])
    lead = 0
    for cell in range(field[STRIDE] + 1, field[CELLS] - field[STRIDE] - 1):
        owners = field[cell] // OWNER & 3  # both off the field
        lead += (owners & 1) - (owners >> 1)
    return lead


@compiled("int64(int16[::1], int16[::1], boolean)")
def free_cells(field: Field, order: Field, everywhere: bool) -> int:
    """Lists the free crossings in `order` and returns their number; unless `everywhere`, those in no closed face."""
    count = 0
    forbidden = TAKEN if everywhere else TAKEN | 3 * ENCLOSED
    for cell in range(field[STRIDE] + 1, field[CELLS] - field[STRIDE] - 1):
        if not field[cell] & forbidden:
            order[count] = cell
            count += 1
    return count


@compiled("void(int16[::1], int16[::1], uint64[::1], int64)")
def fill_up(field: Field, order: Field, rng: Rng, player: int) -> None:
    """Places random dots of both players, `player` first, until the field is full. `order` is working space."""
    count = free_cells(field, order, True)
    while count:
        pick = below(rng, count)
        count -= 1
        cell = order[pick]
        order[pick] = order[count]
        if not field[cell] & TAKEN:
            place(field, player, cell)
            player = 1 - player


@compiled("int64(int16[::1], int16[::1], int16[::1], uint64[::1], int64)")
def fill_many(field: Field, game: Field, order: Field, rng: Rng, many: int) -> int:
    """Plays so many games to a full field; returns the sum of the score differences. For measuring."""
    total = 0
    for _ in range(many):
        copy(field, game)
        fill_up(game, order, rng, 0)
        total += game[SCORES] - game[SCORES + 1]
    return total


@compiled("void(int16[::1], int16[::1], uint64[::1], int64[::1], int64)")
def fill_houses(field: Field, order: Field, rng: Rng, terms: Terms, player: int) -> None:
    """Ends a game in which only houses are left: a player without an own house to fill must enter one of the
    opponent's."""
    count = free_cells(field, order, True)
    while count and not decided(field, terms):
        pick = below(rng, count)
        for shift in range(count):
            at = pick + shift if pick + shift < count else pick + shift - count
            state = field[order[at]]
            if state & TAKEN or (state & ENCLOSED << player and not state & ENCLOSED << 1 - player):
                pick = at
                break
        cell = order[pick]
        count -= 1
        order[pick] = order[count]
        if not field[cell] & TAKEN:
            before = field[SCORES + player]
            place(field, player, cell)
            player = following(field, terms, player, before)


@compiled("void(int16[::1], int16[::1], int16[::1], uint64[::1], int64[::1], int64, int64, int64, int64)")
def play_on(
    field: Field, order: Field, when: Field, rng: Rng, terms: Terms, player: int, last: int, turn: int, replies: int
) -> None:
    """Plays random dots after the dot `last` (0: none), first in the open and then in houses, until the end.

    In the first `replies` turns a player looks beside the last dot for a capture or a save. `when` gets the number of
    the turn, from `turn`, in which each dot was placed, negative for player 1.
    """
    until = turn + replies
    count = free_cells(field, order, False)
    while not decided(field, terms):
        cell = -1
        if last and turn < until:
            cell = reply(field, player, last)
        while cell < 0 and count:
            pick = below(rng, count)
            count -= 1
            cell = order[pick]
            order[pick] = order[count]
            if field[cell] & (TAKEN | 3 * ENCLOSED):
                cell = -1
        if cell < 0:
            if terms[FULL]:
                fill_houses(field, order, rng, terms, player)
            return
        before = field[SCORES + player]
        place(field, player, cell)
        when[cell] = turn if player == 0 else -turn
        turn += 1
        player = following(field, terms, player, before)
        last = cell
