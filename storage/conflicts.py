"""What an index refuses, in the words of play.store."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import IntegrityError


@contextmanager
def refused_as(answer: type[Exception]) -> Iterator[None]:
    """Raises `answer` if a constraint refuses a statement of the block; it must end the transaction, since PostgreSQL
    has given that up (a savepoint would keep it, and cost each move two statements more)."""
    try:
        yield
    except IntegrityError as error:
        raise answer from error
