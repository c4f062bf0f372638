"""Records of PointsXT (`.sav`), a program for Dots on 39x32.

The layout, as two open programs read it (pointsgame/missile writes it too):

- byte 0: the version; 1 and 2: the number of moves less one; 3 and 4: the player who moved last;
- 11 to 19: the name of Red, and 20 to 28: that of Blue, in Windows-1251, padded with spaces;
- from 58 on: 13 bytes for each move: column, row from the top, 1, then twice FF for Red or 00 for Blue.
"""

from play.records.record import MAX_RECORD_BYTES, BadRecord, Dot, Record
from rules.game import Point, Seat

WIDTH, HEIGHT = 39, 32
FIRST_MOVE, MOVE = 58, 13
"""The offset of the first move, and the length of a move, in bytes."""

PLAYER = 3
"""The offset of the player within a move. Programs accept a last move that is cut off after it."""

RED, BLUE = 0xFF, 0x00


def read(data: bytes) -> Record:
    """Returns the record in `data`. The player who moves first is seat 0. Red is White, and Blue Black, as with zagram.

    Raises BadRecord: `too_long`, `no_sav`, `too_many` (moves), `off_field`.
    """
    if len(data) > MAX_RECORD_BYTES:
        raise BadRecord("too_long", most=MAX_RECORD_BYTES)
    if len(data) < FIRST_MOVE:
        raise BadRecord("no_sav")
    moves = [data[at : at + MOVE] for at in range(FIRST_MOVE, len(data) - PLAYER, MOVE)]
    if len(moves) > WIDTH * HEIGHT:
        raise BadRecord("too_many", most=WIDTH * HEIGHT)
    first = moves[0][PLAYER] if moves else RED
    names = _name(data[11:20]), _name(data[20:29])
    return Record(
        WIDTH,
        HEIGHT,
        stones=(),
        moves=tuple(_dot(number, move, first) for number, move in enumerate(moves, start=1)),
        players=names if first == RED else names[::-1],
        colours="WB" if first == RED else "BW",
        application="PointsXT",
    )


def _dot(number: int, move: bytes, first: int) -> Dot:
    column, row, player = move[0], move[1], move[PLAYER]
    if player not in (RED, BLUE):
        raise BadRecord("no_sav")
    dot = Dot(Seat(int(player != first)), Point(column, HEIGHT - 1 - row), f"{column},{row}")
    if column >= WIDTH or row >= HEIGHT:
        raise BadRecord("off_field", number=number, dot=dot.source)
    return dot


def _name(data: bytes) -> str:
    return "".join(filter(str.isprintable, data.decode("cp1251", "replace"))).strip()
