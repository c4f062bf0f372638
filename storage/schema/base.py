"""The metadata of all tables, and what several of them need."""

from sqlalchemy import BigInteger, Integer, MetaData, text

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    }
)

# SQLite counts ids only in a column whose type is exactly INTEGER; it holds 64 bits all the same.
COUNTED = BigInteger().with_variant(Integer, "sqlite")

UNPOSTED = text("NOT posted")
UNDONE = text("NOT done")
OUTDATED = text("shown < version")
HAS_BY = text('"by" IS NOT NULL')
HAS_DUE = text("due IS NOT NULL")
