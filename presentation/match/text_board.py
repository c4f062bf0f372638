"""A board in letters, for players who see no pictures."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from presentation.text import MESSAGE_ROOM
from rules.game import AnyPosition
from rules.notation import column_name


@runtime_checkable
class Lettered(Protocol):
    """A position that can be written in letters."""

    def rows(self) -> list[str]:
        """Returns the field, rows from the top."""


def text_board(position: AnyPosition) -> list[str]:
    """Returns the board from the top as blocks of fixed width, each short enough for a message.

    A crossing is a letter; names of columns are above, names of rows on the left. Empty for a game without letters.
    """
    if not isinstance(position, Lettered):
        return []
    rows = position.rows()
    names = [column_name(x) for x in range(len(rows[0]))]
    widest = max(map(len, names))
    head = ["   " + "".join(name.rjust(widest)[line] for name in names) for line in range(widest)]
    lines = [f"{len(rows) - number:>2} {row}" for number, row in enumerate(rows)]
    room = (MESSAGE_ROOM - widest * len(head[0])) // (len(lines[0]) + 1)
    return [
        "```\n" + "\n".join((*head, *lines[start : start + room])) + "\n```" for start in range(0, len(lines), room)
    ]
