"""Boards of players' own."""

from typing import Any

from sqlalchemy import JSON, BigInteger, Column, Index, Integer, String, Table

from storage.schema.base import COUNTED, metadata


def board_columns() -> tuple[Column[Any], ...]:
    """Returns the columns of a board, also of one in a study."""
    return (
        Column("version", Integer, nullable=False),
        Column("name", String, nullable=False),
        Column("game", String, nullable=False),
        Column("options", JSON, nullable=False),  # of the game, its set-up among them
        Column("note", String, nullable=False),  # that of the set-up
        Column("marks", JSON, nullable=False),
        Column("next_id", Integer, nullable=False),
        Column("turns", JSON, nullable=False),  # the fields of each: id, parent, seat, text, note, marks
        Column("removed", JSON, nullable=False),  # those that were removed last
        Column("changed", BigInteger, nullable=False),
    )


own_board = Table(
    "own_board",
    metadata,
    Column("id", COUNTED, primary_key=True),
    Column("user", BigInteger, nullable=False),
    *board_columns(),
    Column("origin", String, nullable=False, server_default="empty"),
    Column("match", BigInteger),  # the game that it was opened from
    Column("link", String),  # the address at which others read it
    Index("ix_own_board_user", "user", "changed"),
    Index("uq_own_board_link", "link", unique=True),
    sqlite_autoincrement=True,
)
