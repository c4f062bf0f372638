"""The identities of people, places and messages on platforms whose ids are not numbers of ours, and the accounts that
one person has on several platforms."""

from sqlalchemy import BigInteger, Column, Index, Integer, SmallInteger, String, Table

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

# The accounts of a person who has joined some of several platforms; an account that is alone has no row.
own_account = Table(
    "own_account",
    metadata,
    Column("user", BigInteger, primary_key=True, autoincrement=False),
    Column("person", String, nullable=False),  # the same for all accounts of one person, and for nobody else
    Column("platform", SmallInteger, nullable=False),
    Index("uq_own_account_person_platform", "person", "platform", unique=True),
)

# The code by which a user joins another account of theirs.
link_code = Table(
    "link_code",
    metadata,
    Column("user", BigInteger, primary_key=True, autoincrement=False),
    Column("name", String, nullable=False),  # the letters by which it is found
    Column("digest", String, nullable=False),  # of all letters
    Column("until", BigInteger, nullable=False),
    Column("tries", Integer, nullable=False),  # with other letters than its own
    Index("uq_link_code_name", "name", unique=True),
    Index("ix_link_code_until", "until"),
)
