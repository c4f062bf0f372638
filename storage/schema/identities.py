"""The identities of people, places and messages on platforms whose ids are not numbers of ours."""

from sqlalchemy import BigInteger, Column, Index, SmallInteger, String, Table

from storage.schema.base import metadata

identity = Table(
    "identity",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),  # see play/ids.py
    Column("platform", SmallInteger, nullable=False),
    Column("kind", String, nullable=False),
    Column("native", String, nullable=False),
    Column("user", BigInteger),  # whose it is: the person's own, or a place that only they and the bot have
    Index("uq_identity_platform_kind_native", "platform", "kind", "native", unique=True),
    Index("ix_identity_user", "user"),
)
