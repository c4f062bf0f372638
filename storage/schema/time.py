"""Time off: the downtimes of the bot and the vacations of players."""

from sqlalchemy import BigInteger, Column, Integer, PrimaryKeyConstraint, String, Table

from storage.schema.base import metadata

vacation = Table(
    "vacation",
    metadata,
    Column("user", BigInteger, nullable=False),
    Column("start", BigInteger, nullable=False),
    Column("end", BigInteger, nullable=False),
    PrimaryKeyConstraint("user", "start"),
)

downtime = Table(
    "downtime",
    metadata,
    Column("start", BigInteger, primary_key=True, autoincrement=False),
    Column("end", BigInteger, nullable=False, index=True),
    Column("claimed", BigInteger),  # where it was to end by a clock that was wrong
)

heartbeat = Table(
    "heartbeat",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),  # 1: there is one for all processes
    Column("at", BigInteger, nullable=False),
    Column("boot", String),  # the run of the machine that noted it, and when that began
    Column("origin", BigInteger),
)
