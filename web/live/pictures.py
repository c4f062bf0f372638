"""Pictures on the wire: the fields of `rules.picture.Picture`, without those that are empty."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any

from rules.picture import Picture


def picture_json(picture: Picture) -> dict[str, Any]:
    """Returns a picture as docs/web-protocol.md has it."""
    return {"width": picture.width, "height": picture.height, **_fields(picture, skip=2)}


@cache
def _names(kind: Hashable) -> tuple[str, ...]:
    """Returns the names of a class's fields."""
    assert isinstance(kind, type)
    return tuple(field.name for field in fields(kind))


def _fields(value: Any, skip: int = 0) -> dict[str, Any]:
    found = {}
    for name in _names(type(value))[skip:]:
        part = getattr(value, name)
        if part is None or part is False or part == () or part == frozenset():
            continue
        found[name] = _plain(part)
    return found


def _plain(value: Any) -> Any:
    if is_dataclass(value):
        return _fields(value)
    if isinstance(value, frozenset):
        return sorted(map(_plain, value))
    if isinstance(value, tuple):
        return [*map(_plain, value)]
    return value
