"""Refusals by an index, as the exceptions of storage."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import IntegrityError


@contextmanager
def raises_on_conflict(error: type[Exception]) -> Iterator[None]:
    """Raises `error` if a constraint refuses a statement of the block.

    It must end the transaction, which PostgreSQL has given up by then. A savepoint would keep it, but cost each move
    two more statements.
    """
    try:
        yield
    except IntegrityError as conflict:
        raise error from conflict
