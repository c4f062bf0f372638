"""Pictures on the wire: the fields of `rules.picture.Picture`, without those that are empty."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any

from rules.picture import Picture
from rules.point import Point


def picture_json(picture: Picture) -> dict[str, Any]:
    """Returns a picture as docs/web-protocol.md has it."""
    return _fields(picture)


def _fields(value: Any) -> dict[str, Any]:
    kind: Any = type(value)
    return {name: plain(part) for name in _names(kind) if not is_absent(part := getattr(value, name))}


@cache
def _names(kind: Any) -> tuple[str, ...]:
    """Returns the names of a dataclass's fields; none for another type."""
    return tuple(field.name for field in fields(kind)) if is_dataclass(kind) else ()


def is_absent(part: Any) -> bool:
    """Returns whether a field is left out."""
    return not part and (part is None or part is False or isinstance(part, tuple | frozenset))


def plain(value: Any) -> Any:
    """Returns a part of a picture as JSON has it."""
    kind: Any = type(value)
    if kind is int or kind is bool or kind is str:  # as most parts are
        return value
    if kind is Point:
        return [*value]
    if isinstance(value, frozenset):
        return sorted(map(plain, value))
    if isinstance(value, tuple):
        return [*map(plain, value)]
    return _fields(value) if _names(kind) else value
