"""Whether a use case can be undone, said where it is defined. Surfaces ask before one that cannot be
(docs/decisions/boards-and-panels.md#0160)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

UseCase = TypeVar("UseCase", bound=Callable[..., Any])


def irreversible(use_case: UseCase) -> UseCase:
    """Marks a use case that no other one undoes. A surface calls it only once its user has answered a question."""
    use_case.undone_by = None  # type: ignore[attr-defined]
    return use_case


def undone_by(other: str) -> Callable[[UseCase], UseCase]:
    """Marks a use case that ends or removes something, which the `other` one of its class brings back."""

    def mark(use_case: UseCase) -> UseCase:
        use_case.undone_by = other  # type: ignore[attr-defined]
        return use_case

    return mark
