"""How far a chat platform was read, and when it was out of reach."""

from sqlalchemy import BigInteger, Column, PrimaryKeyConstraint, SmallInteger, String, Table

from storage.schema.base import metadata

sync_position = Table(
    "sync_position",
    metadata,
    Column("platform", SmallInteger, nullable=False),
    Column("account", String, nullable=False),  # the bot's own: another one has other positions
    Column("position", String, nullable=False),
    PrimaryKeyConstraint("platform", "account"),
)

outage = Table(
    "outage",
    metadata,
    Column("platform", SmallInteger, nullable=False),
    Column("start", BigInteger, nullable=False),
    Column("end", BigInteger, nullable=False, index=True),
    PrimaryKeyConstraint("platform", "start"),
)
